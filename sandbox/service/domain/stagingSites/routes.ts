import { timestampFilters } from '../../http/filters';
import { failing, resource, route } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	boolean,
	integer,
	notBlank,
	oneOf,
	string,
	timestamp,
	object,
	optional,
	matching,
	atLeast,
	neededWhen,
} from '../../http/schema';
import { taskStart, taskStartSchema } from '../../http/taskStart';
import { needing } from '../account/needs';
import { type StagingSiteRow, stagingStatuses } from './rows';
import {
	extendExpiry,
	resumeStaging,
	ssoLoginUrl,
	startPhpUpdate,
	startStaging,
	startStagingDownload,
} from './rules';

const listed = {
	id: string,
	site_id: string,
	status: oneOf(...stagingStatuses),
	url: string,
	created_at: timestamp,
	updated_at: timestamp,
	expires_at: timestamp,
	php_version: string,
	user: object({ name: string, email: string }),
};
const login = { username: string, password: string };

/** Part A 2.16 and 4.14. */
const stagingSites = resource<StagingSiteRow>({
	name: 'staging_site',
	plural: 'staging_sites',
	path: '/staging-sites',
	kind: (store) => store.stagingSites,
	view: (staging) => staging,
	listView: ({ snapshot: _snapshot, credentials: _credentials, ...row }) => row,
	schema: object({
		...listed,
		snapshot: object({ id: string, created_at: timestamp }),
		credentials: object({
			http_auth: object(login),
			server: object({ protocol: string, host: string, port: integer, ...login }),
			database: object({ host: string, port: integer, name: string, ...login }),
		}),
	}),
	listSchema: object(listed),
});

const phpVersion = matching('^\\d+(\\.\\d+){0,2}$');

/** Part B 4.6: they need to know where they end. */
const realTimeEvents = neededWhen(
	['enabled', true],
	'until',
	object({ enabled: optional(boolean), until: optional(timestamp) }),
);

const createStagingSite = route({
	operationId: 'createStagingSite',
	method: 'POST',
	path: '/staging-sites',
	body: object({
		staging_site: object({
			site_id: notBlank,
			snapshot_id: notBlank,
			php_version: optional(phpVersion),
			options: optional(object({ real_time_events: optional(realTimeEvents) })),
		}),
	}),
	status: 201,
	errors: [404, 422],
	response: taskStartSchema,
	handle: ({ world, body }) => taskStart(startStaging(world, body.staging_site)),
});

const generateSsoLoginUrl = route({
	operationId: 'generateStagingSiteWpSsoLoginUrl',
	method: 'GET',
	path: '/staging-sites/{staging_site_id}/wp/users/sso-login-url',
	query: { wp_object_id: matching('^(\\s*|\\d+)$') },
	status: 200,
	errors: [422],
	response: object({ url: string }),
	handle: (context) => {
		const { wp_object_id: userId = '' } = context.query;
		return { url: ssoLoginUrl(context.world, stagingSites.find(context), String(userId)) };
	},
});

export const stagingSiteRoutes = needing('staging_sites', [
	failing(
		[422],
		stagingSites.list('listStagingSites', {
			filters: {
				status: { type: stagingStatuses, operators: ['eq'], value: (row) => row.status },
				site_id: { type: 'string', operators: ['eq'], value: (row) => row.site_id },
				...timestampFilters('created_at', 'updated_at', 'expires_at'),
			},
			sort: fields('created_at', 'updated_at', 'expires_at', 'php_version'),
			defaultSort: 'created_at,desc',
		}),
	),
	createStagingSite,
	failing([422], stagingSites.show('showStagingSite')),
	failing(
		[422],
		stagingSites.delete('deleteStagingSite', (staging, { world }) =>
			world.store.stagingSites.delete(staging.id),
		),
	),
	stagingSites.action(
		'extendStagingSiteExpiry',
		'extend-expiry',
		(staging, { world, body }) => extendExpiry(world, staging, body.days),
		object({ days: atLeast(1) }),
	),
	stagingSites.action('resumeStagingSite', 'resume', (staging, { world }) =>
		resumeStaging(world, staging),
	),
	stagingSites.action(
		'updateStagingSitePhpVersion',
		'update-php-version',
		(staging, { world, body }) =>
			taskStart(startPhpUpdate(world, staging, body.staging_site.php_version)),
		object({ staging_site: object({ php_version: phpVersion }) }),
		taskStartSchema,
	),
	stagingSites.action(
		'downloadStagingSite',
		'download',
		(staging, { world, body }) =>
			taskStart(startStagingDownload(world, staging, body.download.scope)),
		object({
			download: object({
				scope: object({ include_files: optional(boolean), include_database: optional(boolean) }),
			}),
		}),
		taskStartSchema,
	),
	generateSsoLoginUrl,
]);
