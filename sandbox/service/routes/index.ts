import type { Route } from '../kit';
import { activityLogRoutes } from './activityLogs';
import { backupRoutes } from './backups';
import { customWorkRoutes } from './customWorks';
import { fileRoutes } from './files';
import { importantPageRoutes } from './importantPages';
import { noteRoutes } from './notes';
import { siteSettingsRoutes } from './siteSettings';
import { snapshotRoutes } from './snapshots';
import { tableRoutes } from './tables';
import { autoUpdateRoutes } from './autoUpdateSchedules';
import { backupDestinationRoutes } from './backupDestinations';
import { clientRoutes } from './clients';
import { managedAccountRoutes } from './managedAccounts';
import { reportRoutes } from './reports';
import { reportTemplateRoutes } from './reportTemplates';
import { scheduledReportRoutes } from './scheduledReports';
import { senderEmailRoutes } from './senderEmails';
import { siteRoutes } from './sites';
import { stagingSiteRoutes } from './stagingSites';
import { tagRoutes } from './tags';
import { taskRoutes } from './tasks';
import { teamMemberRoutes } from './teamMembers';
import { whitelabelRoutes } from './whitelabel';

/** Every operation that the service offers. */
export const routes: Route[] = [
	...siteRoutes,
	...tagRoutes,
	...taskRoutes,
	...clientRoutes,
	...managedAccountRoutes,
	...backupDestinationRoutes,
	...senderEmailRoutes,
	...whitelabelRoutes,
	...teamMemberRoutes,
	...autoUpdateRoutes,
	...reportRoutes,
	...reportTemplateRoutes,
	...scheduledReportRoutes,
	...stagingSiteRoutes,
	...customWorkRoutes,
	...noteRoutes,
	...activityLogRoutes,
	...snapshotRoutes,
	...backupRoutes,
	...importantPageRoutes,
	...fileRoutes,
	...tableRoutes,
	...siteSettingsRoutes,
];
