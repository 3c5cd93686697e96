/**
 * The API reference: what every operation is, one a row. Whoever adds one fills it in from Part A, 4 or Part B, 4, and
 * not from the tables of the nodes or the routes of the service: those are held against it.
 */
export interface Row {
	id: string;
	/** Method and path as the reference writes them. */
	route: string;
	/** What the nodes have for it: `node/resource/operation`. */
	operation: string;
	/**
	 * The sites that it is about, for a credential that allows only some.
	 * - `path`: the site of the path
	 * - `record`: the sites that the record of the path has before; `records`: those of each that the body has in `ids`
	 * - `body:place`: the sites that the body names there
	 * - `to:place`: the site that the object there writes to, by HTTP; `to` another service is beyond all sites
	 * - `new`: makes a record that may name no site yet
	 * - `many:place`: makes several records
	 * - `account`: reaches beyond single sites, whatever the record
	 * - `none`: reads what names no site; `shown`: reads a record with sites; `listed`: reads many
	 */
	about: string;
	/** The kinds of what it does, as the credential allows them; without any it only reads. */
	does?: string;
	/** How what it changes is taken back. */
	undo?: string;
	/** Why it cannot be taken back. */
	final?: string;
	/** For a paged list: the operators by filter field, such as `name: 'eq contains'`. */
	filters?: Record<string, string>;
	sortBy?: string;
	/** Further query parameters of the list. */
	query?: string;
}

/** A change has what it does, and how it is undone or why that is final. */
const OPERATIONS = `
id | method and path | in the nodes | about | does | undo or final
acceptManagedAccount | POST /managed-accounts/{managed_account_id}/accept | managedAccount/managedAccount/accept | account | givesAccess | undo: Leave takes it back
assignTag | POST /tags/{tag_id}/assign | tag/tag/assign | body:site_ids | organises | undo: Remove From Sites takes it back
cancelTask | POST /tasks/{task_id}/cancel | task/task/cancel | record | changesSites | final: what it has done until then stays half done
createAutoUpdateSchedule | POST /auto-update-schedules | autoUpdate/schedule/create | body:auto_update_schedule.scope.sites | changesSites | undo: it can be disabled and deleted
createClient | POST /clients | client/client/create | body:client.site_ids new | organises | undo: it can be deleted
createReport | POST /reports | report/report/create | body:report.site_id | cares | undo: it can be deleted
createReportTemplate | POST /report-templates | reportTemplate/reportTemplate/create | new | organises | undo: it can be deleted
createScheduledReport | POST /scheduled-reports | scheduledReport/scheduledReport/create | body:scheduled_report.site_id | cares | undo: it can be paused and deleted before its first report
createSenderEmail | POST /sender-emails | senderEmail/senderEmail/create | account | sendsMail | undo: it can be deleted
createSite | POST /sites | site/site/create | account | cares | undo: it can be deleted
createSiteCustomWorks | POST /sites/{site_id}/custom-works | customWork/customWork/create | path many:custom_works | organises | undo: they can be deleted
createSiteImportantPage | POST /sites/{site_id}/important-pages | importantPage/importantPage/create | path | cares | undo: it can be deleted
createSiteNote | POST /sites/{site_id}/notes | note/note/create | path | organises | undo: it can be deleted
createStagingSite | POST /staging-sites | stagingSite/stagingSite/create | body:staging_site.site_id | cares | undo: it can be deleted, and the source stays as it is
createTag | POST /tags | tag/tag/create | new | organises | undo: it can be deleted
createTeamMember | POST /team-members | teamMember/teamMember/create | account body:team_member.site_ids body:team_member.all_sites_access | givesAccess sendsMail | undo: the invitation can be deleted
deleteAutoUpdateSchedule | DELETE /auto-update-schedules/{auto_update_schedule_id} | autoUpdate/schedule/delete | record | destroys | final: no operation restores a schedule
deleteClients | POST /clients/delete | client/client/delete | records | destroys | final: no operation restores a client
deleteManagedAccount | DELETE /managed-accounts/{managed_account_id} | managedAccount/managedAccount/delete | account | destroys | final: only the owner of the other account can invite again
deleteReport | DELETE /reports/{report_id} | report/report/delete | record | destroys | final: no operation restores a report
deleteReportTemplates | POST /report-templates/delete | reportTemplate/reportTemplate/delete | records | destroys | final: no operation restores a template
deleteScheduledReport | DELETE /scheduled-reports/{scheduled_report_id} | scheduledReport/scheduledReport/delete | record | destroys | final: no operation restores a scheduled report
deleteSenderEmail | DELETE /sender-emails/{sender_email_id} | senderEmail/senderEmail/delete | account | destroys | final: a new one has to be verified again by the owner of the address
deleteSite | DELETE /sites/{site_id} | site/site/delete | path | destroys | final: no operation restores a site and its snapshots
deleteSiteCustomWork | DELETE /sites/{site_id}/custom-works/{custom_work_id} | customWork/customWork/delete | path | destroys | final: no operation restores a custom work
deleteSiteImportantPage | DELETE /sites/{site_id}/important-pages/{important_page_id} | importantPage/importantPage/delete | path | destroys | final: its measurements, and with the last page the monitoring, end
deleteSiteNote | DELETE /sites/{site_id}/notes/{note_id} | note/note/delete | path | destroys | final: the note and its versions are gone
deleteStagingSite | DELETE /staging-sites/{staging_site_id} | stagingSite/stagingSite/delete | record | destroys | final: no operation restores a staging site and what was done on it
deleteTag | DELETE /tags/{tag_id} | tag/tag/delete | record | destroys | final: nobody knows any more which sites had it
deleteTeamMember | DELETE /team-members/{team_member_id} | teamMember/teamMember/delete | account | destroys | final: the person has to be invited and to accept again
disableAutoUpdateSchedule | POST /auto-update-schedules/{auto_update_schedule_id}/disable | autoUpdate/schedule/disable | record | changesSites | undo: Enable takes it back
disableSiteActivityLogs | POST /sites/{site_id}/activity-logs/disable | activityLog/activityLog/disable | path | weakens | undo: Enable takes it back
disableSiteBackups | POST /sites/{site_id}/backups/disable | backup/backup/disable | path | weakens | final: what changes from then on is in no snapshot
disconnectBackupDestination | POST /backup-destinations/{backup_destination_id}/disconnect | backupDestination/backupDestination/disconnect | account | weakens destroys | final: only a person in the dashboard can connect the account again
downloadReport | GET /reports/{report_id}/download | report/report/download | record
downloadSiteFile | GET /sites/{site_id}/files/download | backupContent/file/download | path
downloadStagingSite | POST /staging-sites/{staging_site_id}/download | stagingSite/stagingSite/download | record | cares | undo: it packages the staging site and leaves it as it is
enableAutoUpdateSchedule | POST /auto-update-schedules/{auto_update_schedule_id}/enable | autoUpdate/schedule/enable | record | changesSites | undo: Disable takes it back
enableSiteActivityLogs | POST /sites/{site_id}/activity-logs/enable | activityLog/activityLog/enable | path | cares | undo: Disable takes it back
enableSiteBackups | POST /sites/{site_id}/backups/enable | backup/backup/enable | path | cares | undo: it adds snapshots and leaves the site as it is
extendStagingSiteExpiry | POST /staging-sites/{staging_site_id}/extend-expiry | stagingSite/stagingSite/extendExpiry | record | cares | undo: it only lives longer, and can be deleted
generateStagingSiteWpSsoLoginUrl | GET /staging-sites/{staging_site_id}/wp/users/sso-login-url | stagingSite/stagingSite/getSsoLoginUrl | record | givesAccess | undo: it makes a way to sign in, which ends by itself
listAutoUpdateHistory | GET /auto-update-history | autoUpdate/history/getAll | listed
listAutoUpdateSchedules | GET /auto-update-schedules | autoUpdate/schedule/getAll | listed
listBackupDestinations | GET /backup-destinations | backupDestination/backupDestination/getAll | none
listClients | GET /clients | client/client/getAll | listed
listManagedAccounts | GET /managed-accounts | managedAccount/managedAccount/getAll | none
listReportTemplates | GET /report-templates | reportTemplate/reportTemplate/getAll | listed
listReports | GET /reports | report/report/getAll | listed
listScheduledReports | GET /scheduled-reports | scheduledReport/scheduledReport/getAll | listed
listSenderEmails | GET /sender-emails | senderEmail/senderEmail/getAll | none
listSiteActivityLogs | GET /sites/{site_id}/activity-logs | activityLog/activityLog/getAll | path
listSiteCustomWorks | GET /sites/{site_id}/custom-works | customWork/customWork/getAll | path
listSiteFileVersions | GET /sites/{site_id}/files/versions | backupContent/file/getVersions | path
listSiteFiles | GET /sites/{site_id}/files | backupContent/file/getAll | path
listSiteImportantPages | GET /sites/{site_id}/important-pages | importantPage/importantPage/getAll | path
listSiteNoteVersions | GET /sites/{site_id}/notes/{note_id}/versions | note/note/getVersions | path
listSiteNotes | GET /sites/{site_id}/notes | note/note/getAll | path
listSiteSnapshots | GET /sites/{site_id}/snapshots | snapshot/snapshot/getAll | path
listSiteTables | GET /sites/{site_id}/tables | backupContent/table/getAll | path
listSites | GET /sites | site/site/getAll | listed
listStagingSites | GET /staging-sites | stagingSite/stagingSite/getAll | listed
listTags | GET /tags | tag/tag/getAll | listed
listTasks | GET /tasks | task/task/getAll | listed
listTeamMembers | GET /team-members | teamMember/teamMember/getAll | listed
pauseScheduledReport | POST /scheduled-reports/{scheduled_report_id}/pause | scheduledReport/scheduledReport/pause | record | cares | undo: Resume takes it back
refreshSenderEmail | POST /sender-emails/{sender_email_id}/refresh | senderEmail/senderEmail/refresh | account | cares | undo: it only looks at ownership and DNS again
rejectManagedAccount | POST /managed-accounts/{managed_account_id}/reject | managedAccount/managedAccount/reject | account | destroys | final: only the owner of the other account can invite again
removeTag | POST /tags/{tag_id}/remove | tag/tag/remove | body:site_ids | organises | undo: Assign to Sites takes it back
resendSenderEmailVerification | POST /sender-emails/{sender_email_id}/resend-verification | senderEmail/senderEmail/resendVerification | account | sendsMail | undo: it repeats a mail to an address that was asked before
resendTeamMemberInvitation | POST /team-members/{team_member_id}/resend-invitation | teamMember/teamMember/resendInvitation | account | givesAccess sendsMail | undo: it replaces an invitation by the same one
resetPluginBranding | POST /whitelabel/plugin-branding/reset | branding/pluginBranding/reset | account | changesSites destroys | final: the custom details are gone
resetWpLogin | POST /whitelabel/wp-login/reset | branding/loginScreenBranding/reset | account | changesSites destroys | final: logo and texts are gone
resumeScheduledReport | POST /scheduled-reports/{scheduled_report_id}/resume | scheduledReport/scheduledReport/resume | record | sendsMail | undo: Pause takes it back
resumeStagingSite | POST /staging-sites/{staging_site_id}/resume | stagingSite/stagingSite/resume | record | cares | undo: nothing of it is lost
rotateSenderEmailDkim | POST /sender-emails/{sender_email_id}/rotate-dkim | senderEmail/senderEmail/rotateDkim | account | destroys | final: the former record no longer counts, and the DNS has to follow
sendReportEmail | POST /reports/{report_id}/send-email | report/report/sendEmail | record | sendsMail | final: an email to real people cannot be taken back
showAutoUpdateSchedule | GET /auto-update-schedules/{auto_update_schedule_id} | autoUpdate/schedule/get | shown
showBackupDestination | GET /backup-destinations/{backup_destination_id} | backupDestination/backupDestination/get | none
showClient | GET /clients/{client_id} | client/client/get | shown
showPluginBranding | GET /whitelabel/plugin-branding | branding/pluginBranding/get | none
showReport | GET /reports/{report_id} | report/report/get | shown
showReportTemplate | GET /report-templates/{report_template_id} | reportTemplate/reportTemplate/get | shown
showScheduledReport | GET /scheduled-reports/{scheduled_report_id} | scheduledReport/scheduledReport/get | shown
showSenderEmail | GET /sender-emails/{sender_email_id} | senderEmail/senderEmail/get | none
showSite | GET /sites/{site_id} | site/site/get | path
showSiteCustomWork | GET /sites/{site_id}/custom-works/{custom_work_id} | customWork/customWork/get | path
showSiteFileStats | GET /sites/{site_id}/files/stats | backupContent/file/getStats | path
showSiteNote | GET /sites/{site_id}/notes/{note_id} | note/note/get | path
showSiteSettings | GET /sites/{site_id}/settings | site/setting/get | path
showSiteSnapshot | GET /sites/{site_id}/snapshots/{snapshot_id} | snapshot/snapshot/get | path
showSiteTableStats | GET /sites/{site_id}/tables/stats | backupContent/table/getStats | path
showStagingSite | GET /staging-sites/{staging_site_id} | stagingSite/stagingSite/get | shown
showTag | GET /tags/{tag_id} | tag/tag/get | shown
showTask | GET /tasks/{task_id} | task/task/get | shown
showTeamMember | GET /team-members/{team_member_id} | teamMember/teamMember/get | shown
showWpLogin | GET /whitelabel/wp-login | branding/loginScreenBranding/get | none
skipSiteFiles | POST /sites/{site_id}/files/skip | backupContent/file/skip | path | weakens | undo: Sync takes it back
skipSiteTables | POST /sites/{site_id}/tables/skip | backupContent/table/skip | path | weakens | undo: Sync takes it back
startSiteBackupDownload | POST /sites/{site_id}/backups/{snapshot_id}/download | backup/backup/download | path | cares | undo: it packages a snapshot and leaves the site as it is
startSiteBackupMigration | POST /sites/{site_id}/backups/{snapshot_id}/migrate | backup/backup/migrate | path to:migration | changesSites destroys | final: the site at the destination is overwritten
startSiteBackupRestore | POST /sites/{site_id}/backups/{snapshot_id}/restore | backup/backup/restore | path to:restore | changesSites | final: the live site is overwritten
startSiteBackupUpload | POST /sites/{site_id}/backups/{snapshot_id}/upload | backup/backup/upload | path | cares | final: the copy at the storage provider cannot be removed by the service
syncSite | POST /sites/{site_id}/sync | backup/backup/sync | path | cares | undo: it adds a snapshot and leaves the site as it is
syncSiteFiles | POST /sites/{site_id}/files/sync | backupContent/file/sync | path | cares | undo: Skip takes it back
syncSiteTables | POST /sites/{site_id}/tables/sync | backupContent/table/sync | path | cares | undo: Skip takes it back
testBackupDestination | POST /backup-destinations/{backup_destination_id}/test | backupDestination/backupDestination/test | account | cares | undo: it only refreshes status and account details
updateAutoUpdateSchedule | POST /auto-update-schedules/{auto_update_schedule_id}/update | autoUpdate/schedule/update | record body:auto_update_schedule.scope.sites | changesSites | undo: another update takes it back
updateClient | POST /clients/{client_id}/update | client/client/update | record body:client.site_ids | organises | undo: another update takes it back
updatePluginBranding | POST /whitelabel/plugin-branding/update | branding/pluginBranding/update | account | changesSites | undo: another update takes it back
updateReportTemplate | POST /report-templates/{report_template_id}/update | reportTemplate/reportTemplate/update | record | organises | undo: another update takes it back
updateScheduledReport | POST /scheduled-reports/{scheduled_report_id}/update | scheduledReport/scheduledReport/update | record | sendsMail | undo: another update takes it back
updateSenderEmail | POST /sender-emails/{sender_email_id}/update | senderEmail/senderEmail/update | account | organises | undo: another update takes it back
updateSite | POST /sites/{site_id}/update | site/site/update | path | changesSites | undo: another update takes it back
updateSiteCustomWork | POST /sites/{site_id}/custom-works/{custom_work_id}/update | customWork/customWork/update | path | organises | undo: another update takes it back
updateSiteNote | POST /sites/{site_id}/notes/{note_id}/update | note/note/update | path | organises | undo: the earlier text stays as a version
updateSiteSettings | POST /sites/{site_id}/settings/update | site/setting/update | path | changesSites | undo: another update takes it back
updateStagingSitePhpVersion | POST /staging-sites/{staging_site_id}/update-php-version | stagingSite/stagingSite/updatePhpVersion | record | cares | undo: another update takes it back
updateTag | POST /tags/{tag_id}/update | tag/tag/update | record | organises | undo: another update takes it back
updateTeamMember | POST /team-members/{team_member_id}/update | teamMember/teamMember/update | account body:team_member.site_ids body:team_member.all_sites_access | givesAccess | undo: another update takes it back
updateWpLogin | POST /whitelabel/wp-login/update | branding/loginScreenBranding/update | account | changesSites | undo: another update takes it back
verifySenderEmailDkim | POST /sender-emails/{sender_email_id}/verify-dkim | senderEmail/senderEmail/verifyDkim | account | cares | undo: it only looks at the DNS
verifySenderEmailReturnPath | POST /sender-emails/{sender_email_id}/verify-return-path | senderEmail/senderEmail/verifyReturnPath | account | cares | undo: it only looks at the DNS
`;

/** The paged lists: fields with their operators, of which `range` is two. */
const LISTS = `
id | filters | sorted by | further parameters
listAutoUpdateHistory | auto_update_schedule_id:eq,in status:eq,in auto_update_schedule_name:contains performed_on:range | performed_on auto_update_schedule_name |
listAutoUpdateSchedules | name:contains status:eq,in schedule:eq,in has_backup:eq has_vr:eq update_types:in site_id:in started_at:range next_update_at:range created_at:range updated_at:range | created_at updated_at name status schedule started_at next_update_at | timezone
listClients | search:contains first_name:contains last_name:contains email:contains company_name:contains created_at:range updated_at:range | created_at updated_at first_name last_name email company_name | timezone
listManagedAccounts | email:contains company_name:contains role:eq,in status:eq,in all_sites_access:eq created_at:range updated_at:range | created_at updated_at status | timezone
listReportTemplates | name:contains created_at:range updated_at:range site_id:in | name created_at updated_at | timezone
listReports | type:eq site_id:eq client_id:eq sender_email:eq recipient_status:eq created_at:range | created_at | timezone
listScheduledReports | site_id:eq status:eq frequency:eq created_at:range | created_at next_report_at | timezone
listSenderEmails | email:contains name:contains status:eq domain_dkim_verified:eq domain_return_path_verified:eq created_at:range updated_at:range | email name status created_at updated_at | timezone
listSiteActivityLogs | timestamp:range username:eq,contains ip_address:eq,contains object_type:eq event_type:eq search:contains | timestamp object_type event_type username ip_address |
listSiteCustomWorks | search:contains title:contains description:contains performed_on:eq,range created_at:range updated_at:range | performed_on created_at updated_at title description | timezone
listSiteFiles | status:eq modified_at:range size:range name:contains |  | snapshot_id path
listSiteImportantPages |  |  |
listSiteNotes | user_email:eq,contains content:contains created_at:range updated_at:range | updated_at created_at content | timezone
listSiteSnapshots | created_at:range status:eq scanner_status:eq note:present | created_at files_synced tables_synced |
listSiteTables | name:contains rows:range size:range status:eq | name rows size | snapshot_id
listSites | id:eq paused:eq security:eq backups:eq performance:eq connection_status:eq client_id:eq uptime:eq scanner_status:eq locked:eq php_version:eq,gt,lt url:contains created_at:range updated_at:range last_sync_at:range tags:in | created_at updated_at url last_sync_at | timezone
listStagingSites | status:eq site_id:eq created_at:range updated_at:range expires_at:range | created_at updated_at expires_at php_version | timezone
listTags | name:eq,contains color:eq created_at:range updated_at:range site_id:in | name color created_at updated_at | timezone
listTasks | status:eq type:eq created_at:range updated_at:range | created_at updated_at status | timezone
listTeamMembers | name:contains email:contains company_name:contains role:eq two_fa_enabled:eq status:eq created_at:range updated_at:range | created_at updated_at name email role | timezone
`;

/** The rows below the head of a table, as their cells. */
export const rowsIn = (table: string) => {
	const [, ...rows] = table.trim().split('\n');
	return rows.map((row) => row.split('|').map((cell) => cell.trim()));
};

const lists = new Map(
	rowsIn(LISTS).map(([id, filters, sortBy, query]) => [id, { filters, sortBy, query }]),
);

/** `name:eq,contains` is the field `name` with its operators. */
const filterOf = (text: string): [string, string] => {
	const [field, operators] = text.split(':') as [string, string];
	return [field, operators.replace('range', 'gte,lte').replaceAll(',', ' ')];
};

function operationOf([id, route, operation, about, does, end = '']: string[]): Row {
	const [, how, why] = /^(undo|final): (.+)$/.exec(end) ?? [];
	if (!about || Boolean(does) !== Boolean(why)) {
		throw new Error(`test/support/operations.ts: fill in the row of ${id}`);
	}
	const row = { id: id!, route: route!, operation: operation!, about };
	const list = lists.get(id);
	return {
		...row,
		...(does && { does, [how!]: why }),
		...(list && {
			filters: Object.fromEntries(list.filters!.split(' ').filter(Boolean).map(filterOf)),
			...(list.sortBy && { sortBy: list.sortBy }),
			...(list.query && { query: list.query }),
		}),
	};
}

/** Every operation of the reference, in the order of their ids. */
export const operations: Row[] = rowsIn(OPERATIONS).map(operationOf);

/** Operations of ours on a route that one of the reference has, too. */
export const further: Row[] = [
	{ id: 'showTask', route: 'GET /tasks/{task_id}', operation: 'task/task/wait', about: 'shown' },
];
