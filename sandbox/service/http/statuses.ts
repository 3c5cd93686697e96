import type { Route } from './kit';
import { arrayOf, object, record, string } from './schema';

/** The body of every error response (Part A 7). */
export const errorSchema = record({
	error: object(
		{
			code: string,
			message: string,
			details: arrayOf(record({ code: string, param: string, message: string })),
		},
		['code', 'message'],
	),
});

const meanings: Record<number, string> = {
	200: 'Success',
	201: 'Created',
	204: 'Done, without a body',
	400: 'Filters or sort are invalid, or the request is malformed',
	401: 'Authentication required',
	403: 'The account is inactive',
	404: 'The requested item was not found',
	409: 'State conflict',
	422: 'A business rule failed, or a precondition does not hold',
	429: 'Rate limit exceeded',
	503: 'The storage provider is temporarily unavailable',
};

/** Operations whose statuses are not told by their request (columns "Errors" of Parts A and B). */
const exceptions = {
	readsIds: ['deleteManagedAccount', 'deleteSiteImportantPage'],
	findsByBody: ['createScheduledReport', 'createStagingSite'],
	conflicts: [
		'updatePluginBranding',
		'resetPluginBranding',
		'updateWpLogin',
		'resetWpLogin',
		'syncSite',
		'enableSiteActivityLogs',
		'disableSiteActivityLogs',
		'startSiteBackupDownload',
		'startSiteBackupUpload',
		'startSiteBackupMigration',
		'startSiteBackupRestore',
		// "Not shown beyond the statuses of Part A".
		'updateSiteSettings',
	],
	viewsWithRules: [
		'listSenderEmails',
		'showSenderEmail',
		'listStagingSites',
		'showStagingSite',
		'generateStagingSiteWpSsoLoginUrl',
		'listSiteActivityLogs',
		'listSiteSnapshots',
		'showSiteSnapshot',
		'listSiteImportantPages',
		'listSiteFiles',
		'showSiteFileStats',
		'listSiteTables',
		'showSiteTableStats',
	],
	changesWithoutRules: [
		'deleteClients',
		'deleteManagedAccount',
		'disconnectBackupDestination',
		'deleteReport',
		'deleteReportTemplates',
		'deleteTeamMember',
		'deleteSite',
		'deleteSiteCustomWork',
	],
	reachesProvider: ['testBackupDestination'],
};

/** The error statuses with which an operation can answer, in ascending order. */
export function errorStatuses({ operationId, method, path, query, body }: Route): number[] {
	const listed = (name: keyof typeof exceptions) => exceptions[name].includes(operationId);
	const hasRules = method === 'GET' ? listed('viewsWithRules') : !listed('changesWithoutRules');
	return [
		...(query || body || listed('readsIds') ? [400] : []),
		401,
		403,
		...(path.includes('{') || listed('findsByBody') ? [404] : []),
		...(listed('conflicts') ? [409] : []),
		...(hasRules ? [422] : []),
		429,
		...(listed('reachesProvider') ? [503] : []),
	];
}

/** The responses of an operation by status, as fastify and the OpenAPI document have them. */
export function responses(route: Route) {
	const { status, response: schema, mediaType } = route;
	const description = meanings[status]!;
	const success = mediaType
		? { description, content: { [mediaType]: { schema } } }
		: status === 204
			? { description, type: 'null' }
			: { description, content: { 'application/json': { schema } } };
	const errors = errorStatuses(route).map((each) => [
		each,
		{
			description: meanings[each],
			content: { 'application/json': { schema: { $ref: 'Error#' } } },
		},
	]);
	return { [status]: success, ...Object.fromEntries(errors) };
}
