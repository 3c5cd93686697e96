import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Field } from '../shared/describe';
import { documentation, eventsSubtitle, outputFields, queryOptions } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { naming, refuse } from '../shared/input/refusal';
import { eventsField, pollOf, triggerOf } from '../shared/node/trigger';
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
	...queryOptions({}, [exceptTags]),
];

export class SiteTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Site Trigger',
		name: 'siteTrigger',
		icon: {
			light: 'file:../../icons/site.svg',
			dark: 'file:../../icons/site.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-site-trigger'),
		subtitle: eventsSubtitle(events),
		description:
			'Manage sites and their settings, or start a workflow when a site is added, goes down, disconnects or has malware',
		defaults: {
			name: 'Site Trigger',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		...triggerOf(parameters),
	};

	methods = methods;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollOf(this, parameters, (set) => {
			const toOutput = simplified(siteRecord.simplified, set, ['event']);
			const chosen = set.events as string[];
			if (set.siteIds && chosen.includes('siteAdded')) {
				naming(this, events.displayName, () =>
					refuse(
						'includes "Site Added", which cannot happen to sites that you choose one by one. Remove this event, or choose other "Sites"',
					),
				);
			}
			return {
				feeds: siteFeeds(chosen, scopeOf(set)),
				events: chosen,
				shape: (json) => toOutput(withoutPassword(json)),
				nothingToShow: {
					message: 'No site to show yet',
					description:
						'No site matches the chosen events right now. Choose more events or more sites, or try again after such an event.',
				},
			};
		});
	}
}
