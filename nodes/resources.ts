import { activityLog } from './ActivityLog/resources/activityLog';
import { history } from './AutoUpdate/resources/history';
import { schedule } from './AutoUpdate/resources/schedule';
import { backup } from './Backup/resources/backup';
import { file } from './BackupContent/resources/file';
import { table } from './BackupContent/resources/table';
import { backupDestination } from './BackupDestination/resources/backupDestination';
import { loginScreenBranding } from './Branding/resources/loginScreenBranding';
import { pluginBranding } from './Branding/resources/pluginBranding';
import { client } from './Client/resources/client';
import { component } from './Component/resources/component';
import { customWork } from './CustomWork/resources/customWork';
import { importantPage } from './ImportantPage/resources/importantPage';
import { managedAccount } from './ManagedAccount/resources/managedAccount';
import { note } from './Note/resources/note';
import { report } from './Report/resources/report';
import { reportTemplate } from './ReportTemplate/resources/reportTemplate';
import { scheduledReport } from './ScheduledReport/resources/scheduledReport';
import { senderEmail } from './SenderEmail/resources/senderEmail';
import { setting } from './Site/resources/setting';
import { site } from './Site/resources/site';
import { snapshot } from './Snapshot/resources/snapshot';
import { stagingSite } from './StagingSite/resources/stagingSite';
import { tag } from './Tag/resources/tag';
import { task } from './Task/resources/task';
import { teamMember } from './TeamMember/resources/teamMember';
import type { Resource } from './shared/operation';

/** All that the nodes can do; made by `npm run build`. */
export const resources: Resource[] = [
	activityLog,
	history,
	schedule,
	backup,
	file,
	table,
	backupDestination,
	loginScreenBranding,
	pluginBranding,
	client,
	component,
	customWork,
	importantPage,
	managedAccount,
	note,
	report,
	reportTemplate,
	scheduledReport,
	senderEmail,
	setting,
	site,
	snapshot,
	stagingSite,
	tag,
	task,
	teamMember,
];
