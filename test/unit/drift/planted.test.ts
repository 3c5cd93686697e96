import { existsSync } from 'node:fs';
import path from 'node:path';
import { allOperations, root } from '../../support/reference';
import type { Json } from './support';
import { answerIn, bodyIn, compared, operationIn, parameterIn, servedDocument } from './support';

/** Each change of the service's document is found, at its place, and nothing else is. */

let served: Json;

beforeAll(async () => {
	served = await servedDocument();
});

it('the document of the sandbox says the same as the nodes', async () => {
	const { findings, operations, compared: count, undescribed } = await compared(served);
	expect(findings).toEqual([]);
	expect(operations).toBe(allOperations.length);
	expect(count).toBeGreaterThan(1800);
	// What the reference itself leaves open.
	const places = undescribed.map((place) => place.replace(/^.*?, /, ''));
	expect([...new Set(places)].sort()).toEqual([
		'answer backup_destination.provider_metadata.folder_id',
		'answer backup_destination.provider_metadata.folder_name',
		'answer backup_destinations[].provider_metadata.folder_id',
		'answer backup_destinations[].provider_metadata.folder_name',
		'answer task.input.sites',
		'answer tasks[].input.sites',
	]);
});

const text = { type: 'string' };

/** Takes an operation out, and gives it back. */
function taken(document: Json, route: string): Json {
	const operation = operationIn(document, route);
	const [method, url] = route.split(' ') as [string, string];
	delete document.paths[url][method.toLowerCase()];
	return operation;
}

/** Puts an operation at a route, perhaps on a new path. */
function put(document: Json, route: string, operation: Json): void {
	const [method, url] = route.split(' ') as [string, string];
	document.paths[url] = { ...document.paths[url], [method.toLowerCase()]: operation };
}

const move = (document: Json, from: string, to: string) => put(document, to, taken(document, from));

function dropParameter(document: Json, route: string, name: string): void {
	const operation = operationIn(document, route);
	expect(parameterIn(document, route, name)).toBeDefined();
	operation.parameters = operation.parameters.filter((each: Json) => each.name !== name);
}

const addParameter = (document: Json, route: string, parameter: Json) =>
	void operationIn(document, route).parameters.push({ in: 'query', schema: text, ...parameter });

const optional = {
	description: 'Success',
	content: { 'application/json': { schema: { type: 'object' } } },
};

const drop = (from: Json, name: string) => {
	expect(from.properties[name]).toBeDefined();
	delete from.properties[name];
	from.required = from.required?.filter((each: string) => each !== name);
};

/** What is planted, and the only finding: what it is, of which operation, and where. */
type Planted = [
	what: string,
	plant: (document: Json) => void,
	finding: [change: string, operation: string, place: string],
];

const operations: Planted[] = [
	[
		'an operation is gone',
		(document) => void taken(document, 'DELETE /tags/{tag_id}'),
		['gone there', 'Tag: Delete', ''],
	],
	[
		'a path is gone',
		({ paths }) => delete paths['/sites/{site_id}/sync'],
		['gone there', 'Backup: Back Up', ''],
	],
	[
		'an operation is new on a known path',
		(document) =>
			put(document, 'PATCH /tags/{tag_id}', {
				operationId: 'patchTag',
				responses: { 200: optional },
			}),
		['missing here', 'patchTag (PATCH /tags/{tag_id})', ''],
	],
	[
		'an operation is new on a new path',
		(document) =>
			put(document, 'POST /tags/{tag_id}/archive', {
				operationId: 'archiveTag',
				responses: { 200: optional },
			}),
		['missing here', 'archiveTag (POST /tags/{tag_id}/archive)', ''],
	],
	[
		'an operation without a name is new',
		(document) => put(document, 'GET /domains', { responses: { 200: optional } }),
		['missing here', 'An operation (GET /domains)', ''],
	],
	[
		'the method of an operation is another',
		(document) =>
			move(
				document,
				'POST /auto-update-schedules/{auto_update_schedule_id}/disable',
				'PUT /auto-update-schedules/{auto_update_schedule_id}/disable',
			),
		['changed', 'Schedule: Pause', ''],
	],
	[
		'the path of an operation is another',
		(document) =>
			move(
				document,
				'POST /auto-update-schedules/{auto_update_schedule_id}/enable',
				'POST /auto-update-schedules/{auto_update_schedule_id}/resume',
			),
		['changed', 'Schedule: Resume', ''],
	],
	[
		'method and path of an operation are others',
		(document) =>
			move(
				document,
				'POST /auto-update-schedules/{auto_update_schedule_id}/update',
				'PATCH /auto-update-schedules/{auto_update_schedule_id}',
			),
		['changed', 'Schedule: Update', ''],
	],
	[
		'an update and its name are of another style',
		(document) => {
			move(document, 'POST /tags/{tag_id}/update', 'PUT /tags/{tag_id}');
			operationIn(document, 'PUT /tags/{tag_id}').operationId = 'putTag';
		},
		['changed', 'Tag: Update', ''],
	],
	[
		'a bulk delete and its name are of another style',
		(document) => {
			move(document, 'POST /report-templates/delete', 'DELETE /report-templates');
			operationIn(document, 'DELETE /report-templates').operationId = 'removeTemplates';
		},
		['changed', 'Report Template: Delete', ''],
	],
	[
		'the method of an operation is another, in a document without names',
		(document) => {
			move(document, 'POST /sites/{site_id}/backups/enable', 'PUT /sites/{site_id}/backups/enable');
			for (const item of Object.values<Json>(document.paths)) {
				for (const operation of Object.values<Json>(item)) delete operation.operationId;
			}
		},
		['changed', 'Backup: Enable', ''],
	],
];

const queries: Planted[] = [
	[
		'a filter is gone',
		(document) => dropParameter(document, 'GET /tags', 'filters[name:eq]'),
		['gone there', 'Tag: Get Many', 'filters[name:eq]'],
	],
	[
		'a filter on several values is gone',
		(document) => dropParameter(document, 'GET /sites', 'filters[tags:in][]'),
		['gone there', 'Site: Get Many', 'filters[tags:in]'],
	],
	[
		'a filter has a new operator',
		(document) => addParameter(document, 'GET /tags', { name: 'filters[color:in][]' }),
		['missing here', 'Tag: Get Many', 'filters[color:in]'],
	],
	[
		'a filter is new',
		(document) => addParameter(document, 'GET /sites', { name: 'filters[country:eq]' }),
		['missing here', 'Site: Get Many', 'filters[country:eq]'],
	],
	[
		'a filter has a new value',
		(document) =>
			parameterIn(document, 'GET /tasks', 'filters[status:eq]').schema.enum.push('stuck'),
		['missing here', 'Task: Get Many', 'filters[status:eq]'],
	],
	[
		'a filter has lost a value',
		(document) => parameterIn(document, 'GET /tasks', 'filters[type:eq]').schema.enum.shift(),
		['gone there', 'Task: Get Many', 'filters[type:eq]'],
	],
	[
		'a value of a filter has another name',
		(document) => {
			const { schema } = parameterIn(document, 'GET /sites', 'filters[connection_status:eq]');
			schema.enum = ['connected', 'offline'];
		},
		['changed', 'Site: Get Many', 'filters[connection_status:eq]'],
	],
	[
		'an entry of a filter on several values has a new value',
		(document) => {
			const parameter = parameterIn(document, 'GET /managed-accounts', 'filters[role:in][]');
			parameter.schema.items.enum.push('owner');
		},
		['missing here', 'Managed Account: Get Many', 'filters[role:in][]'],
	],
	[
		'a switch has other words',
		(document) => {
			parameterIn(document, 'GET /sites', 'filters[paused:eq]').schema.enum = ['yes', 'no'];
		},
		['changed', 'Site: Get Many', 'filters[paused:eq]'],
	],
	[
		'a filter on several values takes one',
		(document) => {
			const parameter = parameterIn(document, 'GET /tags', 'filters[site_id:in][]');
			Object.assign(parameter, { name: 'filters[site_id:in]', schema: text });
		},
		['changed', 'Tag: Get Many', 'filters[site_id:in]'],
	],
	[
		'a filter on a text knows only some values',
		(document) => {
			parameterIn(document, 'GET /tags', 'filters[color:eq]').schema.enum = ['#ff0000', '#00ff00'];
		},
		['changed', 'Tag: Get Many', 'filters[color:eq]'],
	],
	[
		'a filter on a day takes a time',
		(document) => {
			const route = 'GET /sites/{site_id}/custom-works';
			parameterIn(document, route, 'filters[performed_on:gte]').schema.format = 'date-time';
		},
		['changed', 'Custom Work: Get Many', 'filters[performed_on:gte]'],
	],
	[
		'a sort key is gone',
		(document) => {
			const { schema } = parameterIn(document, 'GET /tags', 'sort');
			schema.enum = schema.enum.filter((order: string) => !order.startsWith('color,'));
		},
		['gone there', 'Tag: Get Many', 'sort'],
	],
	[
		'a sort key is new',
		(document) =>
			parameterIn(document, 'GET /reports', 'sort').schema.enum.push('title,asc', 'title,desc'),
		['missing here', 'Report: Get Many', 'sort'],
	],
	[
		'a list is no longer sorted',
		(document) => dropParameter(document, 'GET /sites/{site_id}/tables', 'sort'),
		['gone there', 'Table: Get Many', 'sort'],
	],
	[
		'a page holds fewer records',
		(document) => {
			parameterIn(document, 'GET /sites', 'perPage').schema.maximum = 50;
		},
		['changed', 'Site: Get Many', 'perPage'],
	],
	[
		'a list has no pages by number',
		(document) => dropParameter(document, 'GET /clients', 'page'),
		['gone there', 'Client: Get Many', 'page'],
	],
	[
		'a list takes no time zone',
		(document) => dropParameter(document, 'GET /clients', 'timezone'),
		['gone there', 'Client: Get Many', 'timezone'],
	],
	[
		'a list takes a time zone',
		(document) => addParameter(document, 'GET /auto-update-history', { name: 'timezone' }),
		['missing here', 'History: Get Many', 'timezone'],
	],
	[
		'a parameter is gone',
		(document) => dropParameter(document, 'GET /sites/{site_id}/files', 'path'),
		['gone there', 'File: Get Many', 'path'],
	],
	[
		'a parameter of an operation without one is new',
		(document) => addParameter(document, 'DELETE /tags/{tag_id}', { name: 'force' }),
		['missing here', 'Tag: Delete', 'force'],
	],
	[
		'a parameter of a whole path is new',
		({ paths }) => {
			paths['/reports/{report_id}/download'].parameters = [{ in: 'query', name: 'language' }];
		},
		['missing here', 'Report: Download', 'language'],
	],
	[
		'a parameter is required',
		(document) => {
			parameterIn(document, 'GET /sites/{site_id}/tables/stats', 'snapshot_id').required = true;
		},
		['changed', 'Table: Get Stats', 'snapshot_id'],
	],
	[
		'a header is required',
		(document) =>
			addParameter(document, 'DELETE /sites/{site_id}', {
				in: 'header',
				name: 'X-Confirm',
				required: true,
			}),
		['missing here', 'Site: Delete', 'header X-Confirm'],
	],
];

const bodies: Planted[] = [
	[
		'a field is gone',
		(document) => drop(bodyIn(document, 'POST /clients', 'client'), 'note'),
		['gone there', 'Client: Create', 'body client.note'],
	],
	[
		'a field in an object is gone',
		(document) => drop(bodyIn(document, 'POST /sites', 'site.connection'), 'sticky_ip'),
		['gone there', 'Site: Create', 'body site.connection.sticky_ip'],
	],
	[
		'a field is new',
		(document) => {
			bodyIn(document, 'POST /tags', 'tag').properties.icon = text;
		},
		['missing here', 'Tag: Create', 'body tag.icon'],
	],
	[
		'a field is new, and required',
		(document) => {
			const { properties, required } = bodyIn(document, 'POST /sites/{site_id}/notes', 'note');
			properties.title = text;
			required.push('title');
		},
		['missing here', 'Note: Create', 'body note.title'],
	],
	[
		'a field beside the wrapper is new',
		(document) => {
			bodyIn(document, 'POST /tags/{tag_id}/assign').properties.replace = { type: 'boolean' };
		},
		['missing here', 'Tag: Assign to Sites', 'body replace'],
	],
	[
		'a text is a number',
		(document) => {
			const route = 'POST /staging-sites/{staging_site_id}/update-php-version';
			bodyIn(document, route, 'staging_site.php_version').type = 'number';
		},
		['changed', 'Staging Site: Update PHP Version', 'body staging_site.php_version'],
	],
	[
		'a number is a text',
		(document) => {
			const route = 'POST /staging-sites/{staging_site_id}/extend-expiry';
			bodyIn(document, route).properties.days = text;
		},
		['changed', 'Staging Site: Extend Expiry', 'body days'],
	],
	[
		'a list is a text',
		(document) => {
			bodyIn(document, 'POST /clients', 'client').properties.site_ids = text;
		},
		['changed', 'Client: Create', 'body client.site_ids'],
	],
	[
		'the entries of a list are numbers',
		(document) => {
			bodyIn(document, 'POST /tags/{tag_id}/remove', 'site_ids').items = { type: 'integer' };
		},
		['changed', 'Tag: Remove From Sites', 'body site_ids[]'],
	],
	[
		'a switch is an object',
		(document) => {
			const { properties } = bodyIn(
				document,
				'POST /sites/{site_id}/settings/update',
				'settings.shop_db_upgrade',
			);
			properties.enabled = { type: 'object' };
		},
		['changed', 'Setting: Update', 'body settings.shop_db_upgrade.enabled'],
	],
	[
		'a choice has a new value',
		(document) => bodyIn(document, 'POST /team-members', 'team_member.role').enum.push('guest'),
		['missing here', 'Team Member: Create', 'body team_member.role'],
	],
	[
		'a choice has lost a value',
		(document) =>
			bodyIn(document, 'POST /scheduled-reports', 'scheduled_report.frequency').enum.pop(),
		['gone there', 'Scheduled Report: Create', 'body scheduled_report.frequency'],
	],
	[
		'a choice within a group has a new value',
		(document) =>
			bodyIn(
				document,
				'POST /auto-update-schedules',
				'auto_update_schedule.scope.updates.plugins.selection',
			).enum.push('minor'),
		[
			'missing here',
			'Schedule: Create',
			'body auto_update_schedule.scope.updates.plugins.selection',
		],
	],
	[
		'an optional field is required',
		(document) => {
			bodyIn(document, 'POST /clients', 'client').required = ['email'];
		},
		['changed', 'Client: Create', 'body client.email'],
	],
	[
		'an optional object is required',
		(document) => {
			bodyIn(document, 'POST /sites', 'site').required.push('connection');
		},
		['changed', 'Site: Create', 'body site.connection'],
	],
	[
		'a required field is optional',
		(document) => {
			bodyIn(document, 'POST /reports', 'report').required = ['site_id', 'start_date'];
		},
		['changed', 'Report: Create', 'body report.end_date'],
	],
	[
		'a field can not be emptied with null',
		(document) => {
			bodyIn(document, 'POST /tags/{tag_id}/update', 'tag.color').type = 'string';
		},
		['changed', 'Tag: Update', 'body tag.color'],
	],
	[
		'an object can not be removed with null',
		(document) => {
			const place = 'wp_login.sender_email';
			bodyIn(document, 'POST /whitelabel/wp-login/update', place).type = ['object'];
		},
		['changed', 'Login Screen Branding: Update', 'body wp_login.sender_email'],
	],
	[
		'a day is a time',
		(document) => {
			bodyIn(document, 'POST /reports', 'report.start_date').format = 'date-time';
		},
		['changed', 'Report: Create', 'body report.start_date'],
	],
	[
		'a field of the rows of a list is gone',
		(document) => {
			const route = 'POST /sites/{site_id}/custom-works';
			drop(bodyIn(document, route, 'custom_works[]'), 'description');
		},
		['gone there', 'Custom Work: Create', 'body custom_works[].description'],
	],
	[
		'a field of the entries of a map is gone',
		(document) => {
			const sections = bodyIn(document, 'POST /report-templates', 'report_template.sections');
			drop(sections.additionalProperties, 'heading');
		},
		['gone there', 'Report Template: Create', 'body report_template.sections.*.heading'],
	],
	[
		'a field of the entries of a map is new',
		(document) => {
			const sections = bodyIn(document, 'POST /report-templates', 'report_template.sections');
			sections.additionalProperties.properties.color = text;
		},
		['missing here', 'Report Template: Create', 'body report_template.sections.*.color'],
	],
	[
		'a body is gone',
		(document) => delete operationIn(document, 'POST /sites/{site_id}/sync').requestBody,
		['gone there', 'Backup: Back Up', 'body'],
	],
	[
		'a body is required where none is sent',
		(document) => {
			const content = { 'application/json': { schema: { type: 'object' } } };
			const operation = operationIn(document, 'POST /tasks/{task_id}/cancel');
			operation.requestBody = { required: true, content };
		},
		['missing here', 'Task: Cancel', 'body'],
	],
	[
		'a body is required that need not be sent',
		(document) => {
			operationIn(document, 'POST /sites/{site_id}/sync').requestBody.required = true;
		},
		['changed', 'Backup: Back Up', 'body'],
	],
	[
		'a body is a form',
		(document) => {
			const { requestBody } = operationIn(document, 'POST /whitelabel/wp-login/update');
			requestBody.content = { 'multipart/form-data': { schema: { type: 'object' } } };
		},
		['changed', 'Login Screen Branding: Update', 'body'],
	],
];

const answers: Planted[] = [
	[
		'a list has another wrapper',
		(document) => {
			const { properties } = answerIn(document, 'GET /tags');
			properties.items = properties.tags;
			delete properties.tags;
		},
		['gone there', 'Tag: Get Many', 'answer tags'],
	],
	[
		'a record has another wrapper',
		(document) => {
			const { properties } = answerIn(document, 'GET /clients/{client_id}');
			properties.data = properties.client;
			delete properties.client;
		},
		['gone there', 'Client: Get', 'answer client'],
	],
	[
		'a list has no wrapper',
		(document) => {
			const list = answerIn(document, 'GET /backup-destinations');
			Object.assign(list, { type: 'array', items: list.properties.backup_destinations.items });
			delete list.properties;
		},
		['changed', 'Backup Destination: Get Many', 'answer'],
	],
	[
		'a list does not tell its pages',
		(document) => drop(answerIn(document, 'GET /sites', 'meta.pagination'), 'totalPages'),
		['gone there', 'Site: Get Many', 'answer meta.pagination.totalPages'],
	],
	[
		'the wrapper of a record holds a list',
		(document) => {
			const { properties } = answerIn(document, 'GET /sites/{site_id}/notes/{note_id}');
			properties.note = { type: 'array', items: properties.note };
		},
		['changed', 'Note: Get', 'answer note'],
	],
	[
		'records have no ids',
		(document) => drop(answerIn(document, 'GET /sender-emails', 'sender_emails[]'), 'id'),
		['gone there', 'Sender Email: Get Many', 'answer sender_emails[].id'],
	],
	[
		'a field of Simplified is gone',
		(document) => drop(answerIn(document, 'GET /tags', 'tags[]'), 'color'),
		['gone there', 'Tag: Get Many', 'answer tags[].color'],
	],
	[
		'a field within a record of Simplified is gone',
		(document) => drop(answerIn(document, 'GET /sites', 'sites[].wp.core'), 'current_version'),
		['gone there', 'Site: Get Many', 'answer sites[].wp.core.current_version'],
	],
	[
		'a record has a new field',
		(document) => {
			answerIn(document, 'GET /tags/{tag_id}', 'tag').properties.icon = text;
		},
		['missing here', 'Tag: Get', 'answer tag.icon'],
	],
	[
		'a task has no status',
		(document) => drop(answerIn(document, 'POST /staging-sites', 'task'), 'status'),
		['gone there', 'Staging Site: Create', 'answer task.status'],
	],
	[
		'a sync does not tell its snapshot',
		(document) => drop(answerIn(document, 'POST /sites/{site_id}/sync', 'sync'), 'snapshot_id'),
		['gone there', 'Backup: Back Up', 'answer sync.snapshot_id'],
	],
	[
		'a bulk operation does not tell its errors',
		(document) => drop(answerIn(document, 'POST /clients/delete', 'delete'), 'errors'),
		['gone there', 'Client: Delete', 'answer delete.errors'],
	],
	[
		'a bulk operation has another key for its ids',
		(document) => {
			const { properties } = answerIn(document, 'POST /tags/{tag_id}/assign', 'assign');
			properties.sites = properties.site_ids;
			delete properties.site_ids;
		},
		['gone there', 'Tag: Assign to Sites', 'answer assign.site_ids'],
	],
	[
		'a delete has an answer',
		(document) => {
			operationIn(document, 'DELETE /tags/{tag_id}').responses = { 200: optional };
		},
		['changed', 'Tag: Delete', 'answer'],
	],
	[
		'a record is no longer answered',
		(document) => {
			const operation = operationIn(document, 'POST /staging-sites/{staging_site_id}/resume');
			operation.responses = { 204: { description: 'No content' } };
		},
		['changed', 'Staging Site: Resume', 'answer'],
	],
	[
		'a list is a table',
		(document) => {
			const { responses } = operationIn(document, 'GET /sites/{site_id}/activity-logs');
			responses[200].content = { 'text/csv': {} };
		},
		['changed', 'Activity Log: Get Many', 'answer'],
	],
	[
		'a file is of another type',
		(document) => {
			const { responses } = operationIn(document, 'GET /reports/{report_id}/download');
			responses[200].content = { 'application/zip': {} };
		},
		['changed', 'Report: Download', 'answer'],
	],
	[
		'a file of a site is JSON',
		(document) => {
			const { responses } = operationIn(document, 'GET /sites/{site_id}/files/download');
			responses[200] = optional;
		},
		['changed', 'File: Download', 'answer'],
	],
];

const further: Planted[] = [
	[
		'an operation is deprecated',
		(document) => (operationIn(document, 'GET /tags').deprecated = true),
		['changed', 'Tag: Get Many', ''],
	],
	[
		'a parameter is deprecated',
		(document) => (parameterIn(document, 'GET /tags', 'filters[name:eq]').deprecated = true),
		['changed', 'Tag: Get Many', 'filters[name:eq]'],
	],
	[
		'a field that is sent is deprecated',
		(document) => (bodyIn(document, 'POST /tags', 'tag.color').deprecated = true),
		['changed', 'Tag: Create', 'body tag.color'],
	],
	[
		'a field that is read is deprecated',
		(document) => (answerIn(document, 'GET /tags/{tag_id}', 'tag.color').deprecated = true),
		['changed', 'Tag: Get', 'answer tag.color'],
	],
	[
		'a text may be only so long',
		(document) => (bodyIn(document, 'POST /tags', 'tag.name').maxLength = 40),
		['changed', 'Tag: Create', 'body tag.name'],
	],
	[
		'a text has to be like a pattern',
		(document) => (parameterIn(document, 'GET /tags', 'filters[name:eq]').schema.pattern = '^a'),
		['changed', 'Tag: Get Many', 'filters[name:eq]'],
	],
	[
		'a list may hold only so many',
		(document) => (bodyIn(document, 'POST /tags/{tag_id}/assign', 'site_ids').maxItems = 100),
		['changed', 'Tag: Assign to Sites', 'body site_ids'],
	],
	[
		'a number has another minimum',
		(document) => (parameterIn(document, 'GET /tags', 'page').schema.minimum = 2),
		['changed', 'Tag: Get Many', 'page'],
	],
	[
		'a success has another status',
		(document) => {
			const { responses } = operationIn(document, 'POST /tags');
			responses[202] = responses[201];
			delete responses[201];
		},
		['changed', 'Tag: Create', 'answer'],
	],
	[
		'the version is another one',
		({ info }) => (info.version = '7.1.0'),
		['changed', 'All operations', ''],
	],
	[
		'the server has another version',
		(document) => (document.servers = [{ url: 'https://api.example.com/api/v7' }]),
		['changed', 'All operations', ''],
	],
	[
		'the token goes elsewhere',
		({ components }) =>
			(components.securitySchemes.token = { type: 'apiKey', in: 'header', name: 'X-Key' }),
		['changed', 'All operations', ''],
	],
	[
		'one operation wants another token',
		(document) => {
			document.components.securitySchemes.basic = { type: 'http', scheme: 'basic' };
			operationIn(document, 'GET /tags').security = [{ basic: [] }];
		},
		['changed', 'GET /tags', ''],
	],
];

it('a deprecated operation that the nodes do not have is not asked for', async () => {
	const document = structuredClone(served);
	put(document, 'GET /old', { deprecated: true, responses: { 200: optional } });
	expect((await compared(document)).findings).toEqual([]);
});

it.each<[what: string, change: (document: Json) => void]>([
	['OAuth', ({ components }) => (components.securitySchemes.token = { type: 'oauth2' })],
	[
		'a key in the header of the token',
		({ components }) =>
			(components.securitySchemes.token = { type: 'apiKey', in: 'header', name: 'Authorization' }),
	],
	[
		'a choice of a bearer token and another one',
		(document) => {
			document.components.securitySchemes.key = { type: 'apiKey', in: 'query', name: 'key' };
			document.security = [{ key: [] }, { token: [] }];
		},
	],
	['nothing about it', (document) => delete document.security],
	[
		'that a text is not empty',
		(document) => (bodyIn(document, 'POST /tags', 'tag.name').minLength = 1),
	],
	['a wider limit', (document) => (parameterIn(document, 'GET /tags', 'page').schema.minimum = 0)],
	['a version of the same kind', ({ info }) => (info.version = 'v6.4')],
])('takes it when the document says %s', async (_, change) => {
	const document = structuredClone(served);
	change(document);
	expect((await compared(document)).findings).toEqual([]);
});

describe.each([
	['further things', further],
	['operations', operations],
	['queries', queries],
	['bodies', bodies],
	['answers', answers],
])('of %s', (_, planted) => {
	it.each(planted)('finds that %s', async (_what, plant, [change, operation, place]) => {
		const document = structuredClone(served);
		plant(document);
		const { findings } = await compared(document);
		expect(findings).toEqual([
			{
				change,
				operation,
				place,
				file: expect.stringMatching(
					/^(nodes\/(resources|\w+\/resources\/\w+)|credentials\/\w+\.credentials)\.ts$/,
				),
				difference: expect.stringMatching(/\w/),
				todo: expect.stringMatching(/\w/),
			},
		]);
		expect(existsSync(path.join(root, findings[0]!.file))).toBe(true);
	});
});
