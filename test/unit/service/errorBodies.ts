/** A body for each operation with one that fits its schema. */
export const bodies: Record<string, object> = {
	createTag: { tag: { name: 'Shop' } },
	updateTag: { tag: { name: 'Shop' } },
	assignTag: { site_ids: ['unknown'] },
	removeTag: { site_ids: ['unknown'] },
	createClient: { client: { email: 'owner@shop.example.com' } },
	deleteClients: { ids: ['unknown'] },
	updateClient: { client: { note: 'Prefers calls' } },
	createSite: { site: { url: 'https://new.example.com' } },
	updateSite: { site: { url: 'https://new.example.com' } },
	createSiteCustomWorks: { custom_works: [{ title: 'Logo', performed_on: '2025-03-01' }] },
	updateSiteCustomWork: { custom_work: { title: 'Logo' } },
	createSiteNote: { note: { content: 'Call first' } },
	updateSiteNote: { note: { content: 'Call first' } },
	createSiteImportantPage: { important_page: { url: 'https://other.example.com' } },
	syncSiteFiles: { paths: ['./wp-content/'] },
	skipSiteFiles: { paths: ['./wp-content/'] },
	syncSiteTables: { tables: ['wp_posts'] },
	skipSiteTables: { tables: ['wp_posts'] },
	updateSiteSettings: { settings: { wp_auto_updates: { enabled: true } } },
	startSiteBackupDownload: { download: { scope: { include_files: true } } },
	startSiteBackupUpload: {
		upload: { destination: { provider: 'cloudstore_a' }, scope: { include_files: true } },
	},
	startSiteBackupMigration: {
		migration: {
			destination_url: 'https://other.example.com',
			type: 'external',
			scope: { include_files: true },
			connection: {
				method: 'ftp',
				credentials: { server: { host: 'h' }, database: { host: 'h' } },
			},
		},
	},
	startSiteBackupRestore: { restore: { scope: { include_database: true } } },
	createSenderEmail: { sender_email: { email: 'new@agency.example.org', name: 'New' } },
	updateSenderEmail: { sender_email: { name: 'New' } },
	updatePluginBranding: { plugin_branding: { type: 'hidden' } },
	updateWpLogin: { wp_login: { label: 'Agency' } },
	createTeamMember: {
		team_member: { name: 'New', email: 'new@agency.example.org', role: 'collaborator' },
	},
	updateTeamMember: { team_member: { note: 'Part time' } },
	createAutoUpdateSchedule: {
		auto_update_schedule: {
			name: 'Nightly',
			schedule: 'daily',
			started_at: '2025-03-01T02:00:00Z',
			scope: { sites: { selection: 'all' }, updates: { cms_core: true } },
		},
	},
	updateAutoUpdateSchedule: { auto_update_schedule: { name: 'Nightly' } },
	createReport: {
		report: { site_id: 'unknown', start_date: '2025-03-01', end_date: '2025-03-08' },
	},
	sendReportEmail: { send_email: { recipients: ['owner@shop.example.com'] } },
	createReportTemplate: { report_template: { name: 'Plain' } },
	deleteReportTemplates: { ids: ['unknown'] },
	updateReportTemplate: { report_template: { name: 'Plain' } },
	createScheduledReport: {
		scheduled_report: {
			site_id: 'unknown',
			started_at: '2025-03-01T08:00:00Z',
			frequency: 'weekly',
		},
	},
	updateScheduledReport: { scheduled_report: { frequency: 'monthly' } },
	createStagingSite: { staging_site: { site_id: 'unknown', snapshot_id: 'unknown' } },
	extendStagingSiteExpiry: { days: 1 },
	updateStagingSitePhpVersion: { staging_site: { php_version: '8.3' } },
	downloadStagingSite: { download: { scope: { include_files: true } } },
};

/** The name of the object or list around the fields of a body, such as `tag`; none for `{ days: 1 }`. */
export function wrapperOf(operationId: string): string | undefined {
	const [[wrapper, inner]] = Object.entries(bodies[operationId]!) as [[string, unknown]];
	return typeof [inner].flat()[0] === 'object' ? wrapper : undefined;
}

/** The fields of a body within its wrapper. */
export function fieldsOf(operationId: string): Record<string, unknown> {
	const body = bodies[operationId] as Record<string, any>;
	const wrapper = wrapperOf(operationId);
	return wrapper ? [body[wrapper]].flat()[0] : body;
}

export function bodyWith(operationId: string, fields: Record<string, unknown>): object {
	const wrapper = wrapperOf(operationId);
	const all = { ...fieldsOf(operationId), ...fields };
	if (!wrapper) return all;
	return { [wrapper]: Array.isArray((bodies[operationId] as any)[wrapper]) ? [all] : all };
}
