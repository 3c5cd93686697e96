import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import type { Field } from '../shared/describe';
import { outputFields, queryOptions } from '../shared/describe';
import { naming, refuse } from '../shared/input/refusal';
import { textsIn } from '../shared/lib';
import {
	documentation,
	eventsField,
	eventsSubtitle,
	methods,
	pollOf,
	triggerOf,
} from '../shared/node';
import { simplified } from '../shared/receive/output';
import { exceptTags, scopeFields, scopeOf } from '../shared/resources/siteScope';
import { withoutPassword } from '../shared/resources/siteRecords';
import { siteRecord } from './resources/siteOutput';
import { siteEvents, siteFeeds } from './resources/siteEvents';

const events = eventsField(
	siteEvents,
	['disconnected'],
	'What starts the workflow, each time it happens to a site',
);

const parameters: Field[] = [
	events,
	...scopeFields,
	...outputFields(siteRecord.fields),
	...queryOptions([exceptTags]),
];

export class SiteTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Site Trigger',
		name: 'siteTrigger',
		icon: {
			light: 'file:../../icons/site.svg',
			dark: 'file:../../icons/site.dark.svg',
		},
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-site-trigger'),
		subtitle: eventsSubtitle(events),
		description:
			'Manage sites and their settings, or start a workflow when a site is added, goes down, disconnects or has malware',
		defaults: { name: 'Site Trigger' },
		...triggerOf(parameters),
	};

	methods = methods;

	poll = pollOf(parameters, (set, context) => {
		const toOutput = simplified(siteRecord.simplified, set, ['event']);
		const chosen = textsIn(set.events);
		if (set.siteIds && chosen.includes('siteAdded')) {
			naming(context, events.displayName, () =>
				refuse(
					'includes "Site Added", which cannot happen to sites that you choose one by one. Remove this event, or choose other "Sites"',
				),
			);
		}
		return {
			feeds: siteFeeds(chosen, scopeOf(set)),
			shape: (json) => toOutput(withoutPassword(json)),
			nothingToShow: {
				message: 'No site to show yet',
				description:
					'No site matches the chosen events right now. Choose more events or more sites, or try again after such an event.',
			},
		};
	});
}
