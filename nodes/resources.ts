import { history } from './AutoUpdate/resources/history';
import { schedule } from './AutoUpdate/resources/schedule';
import { backupDestination } from './BackupDestination/resources/backupDestination';
import { loginScreenBranding } from './Branding/resources/loginScreenBranding';
import { pluginBranding } from './Branding/resources/pluginBranding';
import { client } from './Client/resources/client';
import { managedAccount } from './ManagedAccount/resources/managedAccount';
import { report } from './Report/resources/report';
import { reportTemplate } from './ReportTemplate/resources/reportTemplate';
import { scheduledReport } from './ScheduledReport/resources/scheduledReport';
import { senderEmail } from './SenderEmail/resources/senderEmail';
import { activityLog } from './Site/resources/activityLog';
import { backup } from './Site/resources/backup';
import { customWork } from './Site/resources/customWork';
import { file } from './Site/resources/file';
import { importantPage } from './Site/resources/importantPage';
import { note } from './Site/resources/note';
import { setting } from './Site/resources/setting';
import { site } from './Site/resources/site';
import { snapshot } from './Site/resources/snapshot';
import { table } from './Site/resources/table';
import { stagingSite } from './StagingSite/resources/stagingSite';
import { tag } from './Tag/resources/tag';
import { task } from './Task/resources/task';
import { teamMember } from './TeamMember/resources/teamMember';
import type { Resource } from './shared/operation';

/** All that the nodes can do; made by `npm run build`. */
export const resources: Resource[] = [
	history,
	schedule,
	backupDestination,
	loginScreenBranding,
	pluginBranding,
	client,
	managedAccount,
	report,
	reportTemplate,
	scheduledReport,
	senderEmail,
	activityLog,
	backup,
	customWork,
	file,
	importantPage,
	note,
	setting,
	site,
	snapshot,
	table,
	stagingSite,
	tag,
	task,
	teamMember,
];
