import type { IDataObject } from 'n8n-workflow';
import type { EventDetails, Due, DueFeed } from '../../shared/polling/feed';
import { recordAt } from '../../shared/client/records';
import { HOUR_MS, instantOf } from '../../shared/lib';
import { statusClass } from '../../shared/vocabulary/values';
import { optionsFrom } from '../../shared/describe';

/** The events of a staging site that a workflow can start on. */
export const stagingSiteEvents = optionsFrom({
	created: ['Created', 'A staging site was created and is ready'],
	expiresSoon: [
		'Expires Soon',
		'A staging site expires within the hours that you set. Reported once for each expiry date: if the expiry is extended, it is reported again.',
	],
});

/** Fields in addition to the staging site's record, in each form of output. */
export const stagingFacts = ['event', 'hours_left', 'site_title', 'site_url'];

/** An unknown status counts as ready. */
const isReady = ({ status }: IDataObject) => statusClass('stagingSite', status) !== 'underWay';

const expiryOf = ({ expires_at: at }: IDataObject) => instantOf(at);

/** One list of all staging sites shows both new and expiring ones. Source: Part A, 2.16 and 4.14. */
export const stagingFeed = (hoursBefore: number): DueFeed => ({
	kind: 'due',
	url: '/staging-sites',
	samplesBy: 'created_at,desc',
	due: (staging): Due[] => [
		{ event: 'created', since: 0, afterMs: isReady(staging) ? 0 : Infinity },
		{ event: 'expiresSoon', since: expiryOf(staging), afterMs: -hoursBefore * HOUR_MS },
	],
	json: (staging, _due, now) => ({ ...staging, hours_left: hoursLeft(staging, now) }),
});

function hoursLeft(staging: IDataObject, now: number): number | null {
	const hours = Math.floor((expiryOf(staging) - now) / HOUR_MS);
	return Number.isNaN(hours) ? null : Math.max(0, hours);
}

/** Reads the live site of a staging site for its name. */
export const liveSite: EventDetails = {
	read: async (context, json) => {
		const site = await recordAt(context, `/sites/${encodeURIComponent(String(json.site_id))}`);
		const { title = null, url = null } = site ?? {};
		return { json: { ...json, site_title: title, site_url: url } };
	},
	without: (json) => ({ json: { ...json, site_title: null, site_url: null } }),
	waitMs: 300_000,
	tries: 5,
};
