import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { idField, idsField, outputFields } from '../shared/describe';
import { methods } from '../shared/listSearch';
import { poll } from '../shared/polling/poll';
import { simplified } from '../shared/receive/output';
import { siteOutput } from './resources/site';
import { checkOutput, siteChoice } from './resources/siteChoice';
import { siteEvents, siteFeeds } from './resources/siteEvents';

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
		subtitle: '={{ [$parameter["events"]].flat().join(", ") }}',
		description:
			'Starts the workflow when something happens to a site: backups, connection, malware, uptime',
		defaults: {
			name: 'Site Management Site Trigger',
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		properties: [
			{
				displayName:
					'A poll costs requests of the 200 that the service allows in a minute: one for each of these groups that has a chosen event. Backup Finished and Backup Failed; Backup Overdue; Site Added; Disconnected and Reconnected; Malware Found and Malware Cleared; Down and Up. When sites have come to be overdue, disconnected, hacked or down, or are so no longer, that poll takes one more for every 100 of these sites and for each that has left them. The first poll after activation only notes where to start.',
				name: 'pollNotice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				options: siteEvents,
				default: ['backupFailed'],
				required: true,
				description: 'What starts the workflow, once for each site and time that it happens',
			},
			{
				displayName: 'Overdue After (Hours)',
				name: 'overdueHours',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 36,
				required: true,
				displayOptions: { show: { events: ['backupOverdue'] } },
				description:
					'How long after the end of its last sync the backup of a site is overdue. A site that has never been synced is not.',
			},
			{
				displayName: 'Sites',
				name: 'scope',
				type: 'options',
				options: [
					{ name: 'All Sites', value: 'all' },
					{ name: 'By Client', value: 'client' },
					{ name: 'By Tag', value: 'tag' },
					{ name: 'Chosen Sites', value: 'sites' },
				],
				default: 'all',
				description:
					'The sites whose events start the workflow. A site that gets or loses the tag or the client is in or out from then on.',
			},
			{
				...idField('clientId', 'Only sites of this client'),
				required: true,
				displayOptions: { show: { scope: ['client'] } },
			},
			{
				...idField('tagId', 'Only sites with this tag'),
				required: true,
				displayOptions: { show: { scope: ['tag'] } },
			},
			{
				...idsField('siteIds', 'Only these sites'),
				required: true,
				displayOptions: { show: { scope: ['sites'] } },
			},
			...outputFields(siteOutput.fields, 'raw'),
		],
	};

	methods = methods;

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		checkOutput(this);
		const feeds = siteFeeds(siteChoice(this));
		return await poll(this, {
			feeds,
			toItem: async (context, record, event) => ({
				json: { event, ...toOutput(context, withoutPassword(record)) },
			}),
			nothingToShow: {
				message: 'There is no site to show yet',
				description:
					'No site shows one of the chosen events at the moment. Choose more events or more sites, or try again when one has happened.',
			},
		});
	}
}

const toOutput = simplified(siteOutput.simplified);

/** Only the single record of a site has it, so that it would come with some events and not with others. */
function withoutPassword(site: IDataObject): IDataObject {
	const { http_auth: _httpAuth, ...connection } = (site.connection ?? {}) as IDataObject;
	return { ...site, connection };
}
