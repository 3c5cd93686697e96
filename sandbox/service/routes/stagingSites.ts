import { timestampFilters } from '../filters';
import { resource, type Route } from '../kit';
import { fields } from '../paging';
import { stagingStatuses, type StagingSiteRow } from '../rows/staging';
import { boolean, integer, notBlank, object, oneOf, record, string, timestamp } from '../schema';
import {
	extendExpiry,
	resumeStaging,
	ssoLoginUrl,
	startPhpUpdate,
	startStaging,
	startStagingDownload,
} from '../staging';
import { taskStart, taskStartSchema } from './tasks';

const listed = {
	id: string,
	site_id: string,
	status: oneOf(...stagingStatuses),
	url: string,
	created_at: timestamp,
	updated_at: timestamp,
	expires_at: timestamp,
	php_version: string,
	user: record({ name: string, email: string }),
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
	schema: record({
		...listed,
		snapshot: record({ id: string, created_at: timestamp }),
		credentials: record({
			http_auth: record(login),
			server: record({ protocol: string, host: string, port: integer, ...login }),
			database: record({ host: string, port: integer, name: string, ...login }),
		}),
	}),
	listSchema: record(listed),
});

const phpVersion = { type: 'string', pattern: '^\\d+(\\.\\d+){0,2}$' };

const createStagingSite: Route = {
	operationId: 'createStagingSite',
	method: 'POST',
	path: '/staging-sites',
	body: object(
		{
			staging_site: object(
				{
					site_id: notBlank,
					snapshot_id: notBlank,
					php_version: phpVersion,
					options: object({
						real_time_events: object({ enabled: boolean, until: timestamp }),
					}),
				},
				['site_id', 'snapshot_id'],
			),
		},
		['staging_site'],
	),
	status: 201,
	response: taskStartSchema,
	handle: ({ world, body }) => taskStart(startStaging(world, body.staging_site)),
};

const generateSsoLoginUrl: Route = {
	operationId: 'generateStagingSiteWpSsoLoginUrl',
	method: 'GET',
	path: '/staging-sites/{staging_site_id}/wp/users/sso-login-url',
	query: { wp_object_id: { type: 'string', pattern: '^(\\s*|\\d+)$' } },
	status: 200,
	response: record({ url: string }),
	handle: (context) => {
		const { wp_object_id: userId = '' } = context.query;
		return { url: ssoLoginUrl(context.world, stagingSites.find(context), String(userId)) };
	},
};

export const stagingSiteRoutes = [
	stagingSites.list('listStagingSites', {
		filters: {
			status: { type: stagingStatuses, operators: ['eq'], value: (row) => row.status },
			site_id: { type: 'string', operators: ['eq'], value: (row) => row.site_id },
			...timestampFilters('created_at', 'updated_at', 'expires_at'),
		},
		sort: fields('created_at', 'updated_at', 'expires_at', 'php_version'),
		defaultSort: 'created_at,desc',
	}),
	createStagingSite,
	stagingSites.show('showStagingSite'),
	stagingSites.delete('deleteStagingSite', (staging, { world }) =>
		world.store.stagingSites.delete(staging.id),
	),
	stagingSites.action(
		'extendStagingSiteExpiry',
		'extend-expiry',
		(staging, { world, body }) => extendExpiry(world, staging, body.days),
		object({ days: { ...integer, minimum: 1 } }, ['days']),
	),
	stagingSites.action('resumeStagingSite', 'resume', (staging, { world }) =>
		resumeStaging(world, staging),
	),
	stagingSites.action(
		'updateStagingSitePhpVersion',
		'update-php-version',
		(staging, { world, body }) =>
			taskStart(startPhpUpdate(world, staging, body.staging_site.php_version)),
		object({ staging_site: object({ php_version: phpVersion }, ['php_version']) }, [
			'staging_site',
		]),
		taskStartSchema,
	),
	stagingSites.action(
		'downloadStagingSite',
		'download',
		(staging, { world, body }) =>
			taskStart(startStagingDownload(world, staging, body.download.scope)),
		object(
			{
				download: object({ scope: object({ include_files: boolean, include_database: boolean }) }, [
					'scope',
				]),
			},
			['download'],
		),
		taskStartSchema,
	),
	generateSsoLoginUrl,
];
