import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { documentation, eventsSubtitle } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { omit } from '../shared/lib/omit';
import { pollOf, triggerOf } from '../shared/node/trigger';
import { simplified } from '../shared/receive/output';
import { siteOutput } from './resources/site';
import { events, siteChoice, siteParameters } from './resources/siteChoice';
import { siteFacts, siteFeeds, withFacts } from './resources/siteEvents';

export class SiteTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Site Management Site Trigger',
		name: 'siteTrigger',
		icon: {
			light: 'file:../../icons/siteManagement.svg',
			dark: 'file:../../icons/siteManagement.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		documentationUrl: documentation('nodes.md#site-management-site-trigger'),
		subtitle: eventsSubtitle(events),
		description:
			'Starts the workflow when something happens to a site: backups, connection, malware, uptime',
		defaults: {
			name: 'Site Trigger',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		...triggerOf(siteParameters),
	};

	methods = methods;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollOf(this, siteParameters, (set) => {
			const toOutput = simplified(siteOutput.simplified, set, siteFacts);
			const choice = siteChoice(this, set);
			return {
				feeds: siteFeeds(choice),
				events: choice.events,
				shape: (json) => toOutput(withFacts(withoutPassword(json))),
				nothingToShow: {
					message: 'No site to show yet',
					description:
						'No site matches the chosen events right now. Choose more events or more sites, or try again after such an event.',
				},
			};
		});
	}
}

/** Only the single record of a site has it, so that it would come with some events and not with others. */
function withoutPassword(site: IDataObject): IDataObject {
	return { ...site, connection: omit((site.connection ?? {}) as IDataObject, 'http_auth') };
}
