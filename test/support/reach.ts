import type { IDataObject } from 'n8n-workflow';

/**
 * What each operation of the reference is about, for a credential that allows only some sites. Whoever adds one fills
 * it in from Part A, 4 or Part B, 4, and not from the tables of the nodes, which are held against it.
 * - `path`: the site of the path
 * - `record`: the sites that the record of the path has before; `records`: those of each that the body has in `ids`
 * - `body:place`: the sites that the body names there
 * - `to:place`: the site that the object there writes to, by HTTP; `to` another service is beyond all sites
 * - `new`: makes a record that may name no site yet
 * - `many:place`: makes several records
 * - `account`: reaches beyond single sites, whatever the record
 * - `none`: reads what names no site; `shown`: reads a record with sites; `listed`: reads many
 */
export const reach: Record<string, string> = {
	// Part A, 4.2
	'GET /clients': 'listed',
	'POST /clients': 'body:client.site_ids new',
	'POST /clients/delete': 'records',
	'GET /clients/{}': 'shown',
	'POST /clients/{}/update': 'record body:client.site_ids',
	// 4.3
	'GET /managed-accounts': 'none',
	'POST /managed-accounts/{}/accept': 'account',
	'POST /managed-accounts/{}/reject': 'account',
	'DELETE /managed-accounts/{}': 'account',
	// 4.4
	'GET /backup-destinations': 'none',
	'GET /backup-destinations/{}': 'none',
	'POST /backup-destinations/{}/test': 'account',
	'POST /backup-destinations/{}/disconnect': 'account',
	// 4.5
	'GET /sender-emails': 'none',
	'POST /sender-emails': 'account',
	'GET /sender-emails/{}': 'none',
	'DELETE /sender-emails/{}': 'account',
	'POST /sender-emails/{}/update': 'account',
	'POST /sender-emails/{}/resend-verification': 'account',
	'POST /sender-emails/{}/rotate-dkim': 'account',
	'POST /sender-emails/{}/verify-dkim': 'account',
	'POST /sender-emails/{}/verify-return-path': 'account',
	'POST /sender-emails/{}/refresh': 'account',
	// 4.6
	'GET /whitelabel/plugin-branding': 'none',
	'POST /whitelabel/plugin-branding/update': 'account',
	'POST /whitelabel/plugin-branding/reset': 'account',
	'GET /whitelabel/wp-login': 'none',
	'POST /whitelabel/wp-login/update': 'account',
	'POST /whitelabel/wp-login/reset': 'account',
	// 4.7
	'GET /auto-update-schedules': 'listed',
	'POST /auto-update-schedules': 'body:auto_update_schedule.scope.sites',
	'GET /auto-update-schedules/{}': 'shown',
	'DELETE /auto-update-schedules/{}': 'record',
	'POST /auto-update-schedules/{}/update': 'record body:auto_update_schedule.scope.sites',
	'POST /auto-update-schedules/{}/enable': 'record',
	'POST /auto-update-schedules/{}/disable': 'record',
	'GET /auto-update-history': 'listed',
	// 4.8
	'GET /tasks': 'listed',
	'GET /tasks/{}': 'shown',
	'POST /tasks/{}/cancel': 'record',
	// 4.9
	'GET /reports': 'listed',
	'POST /reports': 'body:report.site_id',
	'GET /reports/{}': 'shown',
	'DELETE /reports/{}': 'record',
	'GET /reports/{}/download': 'record',
	'POST /reports/{}/send-email': 'record',
	// 4.10
	'GET /report-templates': 'listed',
	'POST /report-templates': 'new',
	'GET /report-templates/{}': 'shown',
	'POST /report-templates/{}/update': 'record',
	'POST /report-templates/delete': 'records',
	// 4.11
	'GET /scheduled-reports': 'listed',
	'POST /scheduled-reports': 'body:scheduled_report.site_id',
	'GET /scheduled-reports/{}': 'shown',
	'DELETE /scheduled-reports/{}': 'record',
	'POST /scheduled-reports/{}/update': 'record',
	'POST /scheduled-reports/{}/pause': 'record',
	'POST /scheduled-reports/{}/resume': 'record',
	// 4.12
	'GET /team-members': 'listed',
	'POST /team-members': 'account body:team_member.site_ids body:team_member.all_sites_access',
	'GET /team-members/{}': 'shown',
	'DELETE /team-members/{}': 'account',
	'POST /team-members/{}/update':
		'account body:team_member.site_ids body:team_member.all_sites_access',
	'POST /team-members/{}/resend-invitation': 'account',
	// 4.13
	'GET /tags': 'listed',
	'POST /tags': 'new',
	'GET /tags/{}': 'shown',
	'DELETE /tags/{}': 'record',
	'POST /tags/{}/update': 'record',
	'POST /tags/{}/assign': 'body:site_ids',
	'POST /tags/{}/remove': 'body:site_ids',
	// 4.14
	'GET /staging-sites': 'listed',
	'POST /staging-sites': 'body:staging_site.site_id',
	'GET /staging-sites/{}': 'shown',
	'DELETE /staging-sites/{}': 'record',
	'POST /staging-sites/{}/extend-expiry': 'record',
	'POST /staging-sites/{}/resume': 'record',
	'POST /staging-sites/{}/update-php-version': 'record',
	'POST /staging-sites/{}/download': 'record',
	'GET /staging-sites/{}/wp/users/sso-login-url': 'record',
	// Part B, 4.1
	'GET /sites': 'listed',
	'POST /sites': 'account',
	'GET /sites/{}': 'path',
	'DELETE /sites/{}': 'path',
	'POST /sites/{}/update': 'path',
	'POST /sites/{}/sync': 'path',
	// 4.2
	'GET /sites/{}/custom-works': 'path',
	'POST /sites/{}/custom-works': 'path many:custom_works',
	'GET /sites/{}/custom-works/{}': 'path',
	'DELETE /sites/{}/custom-works/{}': 'path',
	'POST /sites/{}/custom-works/{}/update': 'path',
	// 4.3
	'GET /sites/{}/notes': 'path',
	'POST /sites/{}/notes': 'path',
	'GET /sites/{}/notes/{}': 'path',
	'DELETE /sites/{}/notes/{}': 'path',
	'POST /sites/{}/notes/{}/update': 'path',
	'GET /sites/{}/notes/{}/versions': 'path',
	// 4.4
	'GET /sites/{}/activity-logs': 'path',
	'POST /sites/{}/activity-logs/enable': 'path',
	'POST /sites/{}/activity-logs/disable': 'path',
	// 4.5
	'GET /sites/{}/snapshots': 'path',
	'GET /sites/{}/snapshots/{}': 'path',
	// 4.6
	'POST /sites/{}/backups/{}/download': 'path',
	'POST /sites/{}/backups/{}/upload': 'path',
	'POST /sites/{}/backups/{}/migrate': 'path to:migration',
	'POST /sites/{}/backups/{}/restore': 'path to:restore',
	// 4.7
	'POST /sites/{}/backups/enable': 'path',
	'POST /sites/{}/backups/disable': 'path',
	// 4.8
	'GET /sites/{}/important-pages': 'path',
	'POST /sites/{}/important-pages': 'path',
	'DELETE /sites/{}/important-pages/{}': 'path',
	// 4.9
	'GET /sites/{}/files': 'path',
	'GET /sites/{}/files/versions': 'path',
	'GET /sites/{}/files/stats': 'path',
	'GET /sites/{}/files/download': 'path',
	'POST /sites/{}/files/sync': 'path',
	'POST /sites/{}/files/skip': 'path',
	// 4.10
	'GET /sites/{}/tables': 'path',
	'GET /sites/{}/tables/stats': 'path',
	'POST /sites/{}/tables/sync': 'path',
	'POST /sites/{}/tables/skip': 'path',
	// 4.11
	'GET /sites/{}/settings': 'path',
	'POST /sites/{}/settings/update': 'path',
};

type Named = string[] | 'all';

const ids = (records: IDataObject[] = []) => records.map(({ id }) => String(id));

const scopeOf = ({ selection, ids: some }: IDataObject): Named =>
	selection === 'specific' ? (some as string[]) : 'all';

/** The sites of a record, by its collection. Source: Part A, 2. */
export const sitesOf: Record<string, (record: any) => Named> = {
	sites: ({ id }) => [id],
	clients: ({ site_ids: sites }) => sites,
	tags: ({ site_ids: sites }) => sites,
	'report-templates': ({ site_ids: sites }) => sites,
	'team-members': ({ all_sites_access: all, site_ids: sites }) => (all ? 'all' : sites),
	reports: ({ site }) => [site.id],
	'scheduled-reports': ({ site }) => [site.id],
	'staging-sites': ({ site_id: site }) => [site],
	'auto-update-schedules': ({ scope }) => scopeOf(scope.sites),
	'auto-update-history': ({ sites }) => ids(sites),
	tasks: ({ input, details }) => [...new Set([...ids(input.sites), ...ids(details?.sites)])],
};

/** The sites that a value in a body names. */
export function sitesIn(value: any): Named {
	if (value === undefined || value === false) return [];
	if (value === true) return 'all';
	return Array.isArray(value) || typeof value === 'string' ? [value].flat() : scopeOf(value);
}
