/** What a list of the service can be asked for. Source: the tables of Part A, 4 and Part B, 4. */
export interface ListOf {
	/** Operators by filter field, such as `name: 'eq contains'`. */
	filters: Record<string, string>;
	sortBy: string;
	/** Whether the list takes `timezone`. */
	timezone: boolean;
	/** Further query parameters. */
	query?: string;
}

const range = 'gte lte';

/** Every paged list of the API reference, by its route. */
export const lists: Record<string, ListOf> = {
	'GET /clients': {
		filters: {
			search: 'contains',
			first_name: 'contains',
			last_name: 'contains',
			email: 'contains',
			company_name: 'contains',
			created_at: range,
			updated_at: range,
		},
		sortBy: 'created_at updated_at first_name last_name email company_name',
		timezone: true,
	},
	'GET /managed-accounts': {
		filters: {
			email: 'contains',
			company_name: 'contains',
			role: 'eq in',
			status: 'eq in',
			all_sites_access: 'eq',
			created_at: range,
			updated_at: range,
		},
		sortBy: 'created_at updated_at status',
		timezone: true,
	},
	'GET /sender-emails': {
		filters: {
			email: 'contains',
			name: 'contains',
			status: 'eq',
			domain_dkim_verified: 'eq',
			domain_return_path_verified: 'eq',
			created_at: range,
			updated_at: range,
		},
		sortBy: 'email name status created_at updated_at',
		timezone: true,
	},
	'GET /auto-update-schedules': {
		filters: {
			name: 'contains',
			status: 'eq in',
			schedule: 'eq in',
			has_backup: 'eq',
			has_vr: 'eq',
			update_types: 'in',
			site_id: 'in',
			started_at: range,
			next_update_at: range,
			created_at: range,
			updated_at: range,
		},
		sortBy: 'created_at updated_at name status schedule started_at next_update_at',
		timezone: true,
	},
	'GET /auto-update-history': {
		filters: {
			auto_update_schedule_id: 'eq in',
			status: 'eq in',
			auto_update_schedule_name: 'contains',
			performed_on: range,
		},
		sortBy: 'performed_on auto_update_schedule_name',
		timezone: false,
	},
	'GET /tasks': {
		filters: { status: 'eq', type: 'eq', created_at: range, updated_at: range },
		sortBy: 'created_at updated_at status',
		timezone: true,
	},
	'GET /reports': {
		filters: {
			type: 'eq',
			site_id: 'eq',
			client_id: 'eq',
			sender_email: 'eq',
			recipient_status: 'eq',
			created_at: range,
		},
		sortBy: 'created_at',
		timezone: true,
	},
	'GET /report-templates': {
		filters: { name: 'contains', created_at: range, updated_at: range, site_id: 'in' },
		sortBy: 'name created_at updated_at',
		timezone: true,
	},
	'GET /scheduled-reports': {
		filters: { site_id: 'eq', status: 'eq', frequency: 'eq', created_at: range },
		sortBy: 'created_at next_report_at',
		timezone: true,
	},
	'GET /team-members': {
		filters: {
			name: 'contains',
			email: 'contains',
			company_name: 'contains',
			role: 'eq',
			two_fa_enabled: 'eq',
			status: 'eq',
			created_at: range,
			updated_at: range,
		},
		sortBy: 'created_at updated_at name email role',
		timezone: true,
	},
	'GET /tags': {
		filters: {
			name: 'eq contains',
			color: 'eq',
			created_at: range,
			updated_at: range,
			site_id: 'in',
		},
		sortBy: 'name color created_at updated_at',
		timezone: true,
	},
	'GET /staging-sites': {
		filters: {
			status: 'eq',
			site_id: 'eq',
			created_at: range,
			updated_at: range,
			expires_at: range,
		},
		sortBy: 'created_at updated_at expires_at php_version',
		timezone: true,
	},
	'GET /sites': {
		filters: {
			id: 'eq',
			paused: 'eq',
			security: 'eq',
			backups: 'eq',
			performance: 'eq',
			connection_status: 'eq',
			client_id: 'eq',
			uptime: 'eq',
			scanner_status: 'eq',
			locked: 'eq',
			php_version: 'eq gt lt',
			url: 'contains',
			created_at: range,
			updated_at: range,
			last_sync_at: range,
			tags: 'in',
		},
		sortBy: 'created_at updated_at url last_sync_at',
		timezone: true,
	},
	'GET /sites/{siteId}/custom-works': {
		filters: {
			search: 'contains',
			title: 'contains',
			description: 'contains',
			performed_on: 'eq gte lte',
			created_at: range,
			updated_at: range,
		},
		sortBy: 'performed_on created_at updated_at title description',
		timezone: true,
	},
	'GET /sites/{siteId}/notes': {
		filters: {
			user_email: 'eq contains',
			content: 'contains',
			created_at: range,
			updated_at: range,
		},
		sortBy: 'updated_at created_at content',
		timezone: true,
	},
	'GET /sites/{siteId}/activity-logs': {
		filters: {
			timestamp: range,
			username: 'eq contains',
			ip_address: 'eq contains',
			object_type: 'eq',
			event_type: 'eq',
			search: 'contains',
		},
		sortBy: 'timestamp object_type event_type username ip_address',
		timezone: false,
	},
	'GET /sites/{siteId}/snapshots': {
		filters: { created_at: range, status: 'eq', scanner_status: 'eq', note: 'present' },
		sortBy: 'created_at files_synced tables_synced',
		timezone: false,
	},
	'GET /sites/{siteId}/important-pages': { filters: {}, sortBy: '', timezone: false },
	'GET /sites/{siteId}/files': {
		filters: { status: 'eq', modified_at: range, size: range, name: 'contains' },
		sortBy: '',
		timezone: false,
		query: 'snapshot_id path',
	},
	'GET /sites/{siteId}/tables': {
		filters: { name: 'contains', rows: range, size: range, status: 'eq' },
		sortBy: 'name rows size',
		timezone: false,
		query: 'snapshot_id',
	},
};
