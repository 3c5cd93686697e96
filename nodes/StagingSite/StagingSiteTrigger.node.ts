import type { IDataObject, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { recordAt } from '../shared/client/records';
import { namesIn, number, outputFields } from '../shared/describe';
import { HOUR_MS, instantOf } from '../shared/lib';
import { documentation, eventNames, eventsField, pollOf, triggerOf } from '../shared/node';
import type { Due, DueFeed, EventDetails } from '../shared/polling/feed';
import { simplified } from '../shared/receive/output';
import { statusClass } from '../shared/vocabulary/values';
import { listed } from './resources/stagingSite';

const events = eventsField(
	{
		created: ['Created', 'A staging site was created and is ready'],
		expiresSoon: [
			'Expires Soon',
			'A staging site expires within the hours that you set. Reported once for each expiry date.',
		],
	},
	['expiresSoon'],
	'What starts the workflow, once for each staging site and expiry date',
);

const hoursBefore = number('hoursBefore', 'Hours Before Expiry', {
	typeOptions: { minValue: 1, maxValue: 8760 },
	default: 48,
	required: true,
	displayOptions: { show: { events: ['expiresSoon'] } },
	description:
		'How many hours before the expiry the workflow starts. Staging sites that already expire this soon when you publish the workflow are not reported.',
});

const parameters = [events, hoursBefore, ...outputFields(listed.fields)];

/** An unknown status counts as ready. */
const isReady = ({ status }: IDataObject) => statusClass('stagingSite', status) !== 'underWay';

const expiryOf = ({ expires_at: at }: IDataObject) => instantOf(at);

/** One list of all staging sites shows both new and expiring ones. Source: Part A, 2.16 and 4.14. */
const stagingFeed = (hoursBefore: number): DueFeed => ({
	kind: 'due',
	url: '/staging-sites',
	samplesBy: 'created_at,desc',
	due: (staging): Due[] => [
		{ event: 'created', since: 0, afterMs: isReady(staging) ? 0 : Infinity },
		{ event: 'expiresSoon', since: expiryOf(staging), afterMs: -hoursBefore * HOUR_MS },
	],
	json: (staging, _due, now) => {
		const hours = Math.floor((expiryOf(staging) - now) / HOUR_MS);
		return { ...staging, hours_left: Number.isNaN(hours) ? null : Math.max(0, hours) };
	},
});

const liveSite: EventDetails = {
	read: async (context, json) => {
		const site = await recordAt(context, `/sites/${encodeURIComponent(String(json.site_id))}`);
		const { title = null, url = null } = site ?? {};
		return { json: { ...json, site_title: title, site_url: url } };
	},
	without: { site_title: null, site_url: null },
};

const added = ['event', 'hours_left', 'site_title', 'site_url'];

export class StagingSiteTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Staging Site Trigger',
		name: 'stagingSiteTrigger',
		icon: {
			light: 'file:../../icons/stagingSite.svg',
			dark: 'file:../../icons/stagingSite.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-staging-site-trigger'),
		subtitle: eventNames(events),
		description:
			'Create, extend, sign in to and delete staging sites, or start a workflow when one is created or expires soon',
		defaults: { name: 'Staging Site Trigger' },
		...triggerOf(parameters, namesIn(listed.simplified, ...added)),
	};

	poll = pollOf(parameters, (set) => ({
		feeds: { staging: stagingFeed(Number(set.hoursBefore ?? hoursBefore.default)) },
		details: liveSite,
		shape: simplified(listed.simplified, set, added),
		what: 'staging site',
		nothingToShow:
			'No staging site matches the chosen events right now. Choose more events or more hours, or try again when there is such a staging site.',
	}));
}
