import type { IDataObject, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { namesIn, outputFields, queryOptions } from '../shared/describe';
import { naming, refuse } from '../shared/input/refusal';
import { HOUR_MS, mapValues, textsIn, valueAt } from '../shared/lib';
import { documentation, eventNames, eventsField, methods, pollOf, triggerOf } from '../shared/node';
import type { Feed } from '../shared/polling/feed';
import { simplified } from '../shared/receive/output';
import { withoutPassword } from '../shared/resources/siteRecords';
import { exceptTags, scopeFields, scopeOf, type SiteScope } from '../shared/resources/siteScope';
import { statusClass, type StatusKind } from '../shared/vocabulary/values';
import { siteRecord } from './resources/siteOutput';

const events = eventsField(
	{
		disconnected: [
			'Disconnected',
			'The service can no longer reach the site. A new site is disconnected until it is connected.',
		],
		down: ['Down', 'Uptime monitoring found the site down'],
		malwareCleared: [
			'Malware Cleared',
			'The malware scan found a hacked site clean. Also choose Malware Found, to miss no event when n8n restarts.',
		],
		malwareFound: ['Malware Found', 'The malware scan found the site hacked'],
		reconnected: [
			'Reconnected',
			'The service can reach a disconnected site again. Also choose Disconnected, to miss no event when n8n restarts.',
		],
		siteAdded: [
			'Site Added',
			'A site was added to the account. If you choose a client or tag, a site that gets it within a day counts.',
		],
		up: [
			'Up',
			'Uptime monitoring found a site up that was down. Also choose Down, to miss no event when n8n restarts.',
		],
	},
	['disconnected'],
	'What starts the workflow, each time it happens to a site',
);

const parameters = [
	events,
	...scopeFields,
	...outputFields(siteRecord.fields),
	...queryOptions([exceptTags]),
];

/** A bad state that a site enters and leaves. */
interface SiteState {
	/** The filter for this state. */
	filter: string;
	/** The values of the filter in the state and after it. */
	bad: string;
	good: string;
	/** The path of the state in a record, and its words. */
	path: string;
	words: StatusKind;
	/** The path that shows whether the service checks at all: without a check, "good" means nothing. */
	watched?: string;
	entered: string;
	left: string;
}

/** Source: Part B, 2.1 and 4.1; the values of `uptime` are not given there, except that a status can be `up`. */
const states: Record<string, SiteState> = {
	connection: {
		filter: 'connection_status:eq',
		path: 'connection.status',
		words: 'connection',
		bad: 'disconnected',
		good: 'connected',
		entered: 'disconnected',
		left: 'reconnected',
	},
	malware: {
		filter: 'scanner_status:eq',
		path: 'security.scanner.status',
		words: 'scanner',
		bad: 'hacked',
		good: 'clean',
		watched: 'security.enabled',
		entered: 'malwareFound',
		left: 'malwareCleared',
	},
	uptime: {
		filter: 'uptime:eq',
		path: 'uptime.status',
		words: 'uptime',
		bad: 'down',
		good: 'up',
		watched: 'uptime.enabled',
		entered: 'down',
		left: 'up',
	},
};

function stateFeed(state: SiteState, scope: SiteScope): Feed {
	const { filter, bad, good, watched, entered, left } = state;
	const stateOf = (site: IDataObject) => statusClass(state.words, valueAt(site, state.path));
	const of = (status: string) => ({ ...scope.query, [`filters[${filter}]`]: status });
	return {
		kind: 'state',
		url: '/sites',
		query: of(bad),
		leftQuery: of(good),
		choice: scope.choice,
		events: [entered, left],
		entered,
		left,
		isIn: (site) => stateOf(site) === 'bad',
		concerns: scope.has,
		hasLeft: (site) =>
			stateOf(site) === 'good' && (watched === undefined || valueAt(site, watched) !== false),
	};
}

/** The new sites; one may enter the scope within a day. */
const addedFeed = (scope: SiteScope): Feed => ({
	kind: 'timed',
	url: '/sites',
	timeField: 'created_at',
	choice: scope.choice,
	events: ['siteAdded'],
	occurrences: (site) => (scope.has(site) ? [{ key: 'added', event: 'siteAdded' }] : []),
	onlyNew: true,
	...(scope.isOpen && { isOpen: (site) => !scope.isAmong(site), openForMs: 24 * HOUR_MS }),
});

export class SiteTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Site Trigger',
		name: 'siteTrigger',
		icon: {
			light: 'file:../../icons/site.svg',
			dark: 'file:../../icons/site.dark.svg',
		},
		documentationUrl: documentation('nodes.md#site-management-site-trigger'),
		subtitle: eventNames(events),
		description:
			'Manage sites and their settings, or start a workflow when a site is added, goes down, disconnects or has malware',
		defaults: { name: 'Site Trigger' },
		...triggerOf(parameters, namesIn(siteRecord.simplified, 'event')),
	};

	methods = methods;

	poll = pollOf(parameters, (set, context) => {
		const toOutput = simplified(siteRecord.simplified, set, ['event']);
		const scope = scopeOf(set);
		if (scope.ids && textsIn(set.events).includes('siteAdded')) {
			naming(context, events.displayName, () =>
				refuse(
					'includes "Site Added", which cannot happen to sites that you choose one by one. Remove this event, or choose sites by "Client" or "Tag"',
				),
			);
		}
		return {
			feeds: { added: addedFeed(scope), ...mapValues(states, (state) => stateFeed(state, scope)) },
			shape: (json) => toOutput(withoutPassword(json)),
			what: 'site',
			nothingToShow:
				'No site matches the chosen events right now. Choose more events or more sites, or try again after such an event.',
		};
	});
}
