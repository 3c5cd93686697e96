import { account } from './domain/account';
import { activityLogs } from './domain/activityLogs';
import { autoUpdates } from './domain/autoUpdates';
import { backupDestinations } from './domain/backupDestinations';
import { backups } from './domain/backups';
import { beyond, strangers } from './domain/beyond';
import { branding } from './domain/branding';
import { clients } from './domain/clients';
import { componentLists } from './domain/components/routes';
import { content } from './domain/content';
import { customWorks } from './domain/customWorks';
import { importantPages } from './domain/importantPages';
import { managedAccounts } from './domain/managedAccounts';
import { notes } from './domain/notes';
import { reports } from './domain/reports';
import { reportTemplates } from './domain/reportTemplates';
import { scheduledReports } from './domain/scheduledReports';
import { senderEmails } from './domain/senderEmails';
import { sites } from './domain/sites';
import { siteSettings } from './domain/siteSettings';
import { snapshots } from './domain/snapshots';
import { stagingSites } from './domain/stagingSites';
import { tags } from './domain/tags';
import { tasks } from './domain/tasks';
import { teamMembers } from './domain/teamMembers';
import { engineParts } from './engine/parts';
import type { Part } from './engine/world';
import type { Module } from './http/module';
import { inboxes } from './outside/inbox';
import { shop } from './outside/shop';
import { web } from './outside/web';

/** The parts of the API. A new fleet is filled in this order. */
const modules: Module[] = [
	tags,
	clients,
	sites,
	account,
	tasks,
	content,
	snapshots,
	activityLogs,
	customWorks,
	notes,
	importantPages,
	siteSettings,
	backups,
	managedAccounts,
	backupDestinations,
	senderEmails,
	branding,
	teamMembers,
	autoUpdates,
	reportTemplates,
	scheduledReports,
	reports,
	stagingSites,
	beyond,
];

/** What is around the service, and no part of it. */
const outside: Module[] = [inboxes, web, shop];

/** Everything that the world consists of. */
export const parts: Part[] = [...engineParts, ...modules, ...outside];

/** Every operation that the service offers. */
export const routes = modules.flatMap((module) => module.routes);

/** Operations beyond the reference, which it offers where its profile names them. */
export const routesBeyond = [...componentLists, ...strangers];

/** Controls of the sandbox that the parts bring. */
export const controls = [...modules, ...outside].flatMap((module) => module.controls ?? []);
