import { existsSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { isRecord } from '../../../nodes/shared/lib';
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
const success = {
	description: 'Success',
	content: { 'application/json': { schema: { type: 'object' } } },
};

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

/** What a finding is about: the operation, its whole body or responses, a schema of them, or a parameter. */
function targetOf(document: Json, route: string, place: string): Json {
	const operation = operationIn(document, route);
	if (place === '') return operation;
	if (place === 'body') return operation.requestBody;
	if (place === 'answer') return operation.responses;
	const [kind, below] = place.split(' ') as [string, string];
	if (kind === 'body') return bodyIn(document, route, below);
	if (kind === 'answer') return answerIn(document, route, below);
	return parameterIn(document, route, place) ?? parameterIn(document, route, `${place}[]`);
}

/** The object that has the field of a place, and the name of the field; undefined where no field is. */
function ownerOf(document: Json, route: string, place: string): [Json, string] | undefined {
	const [, kind, above, name] = /^(body|answer) (?:(.*)\.)?([^.]+)$/.exec(place) ?? [];
	if (!kind) return undefined;
	return [(kind === 'body' ? bodyIn : answerIn)(document, route, above), name!];
}

const demand = (owner: Json, name: string) => (owner.required = [...(owner.required ?? []), name]);
const release = (owner: Json, name: string) =>
	(owner.required = owner.required?.filter((each: string) => each !== name));

function remove(document: Json, route: string, place: string): void {
	const operation = operationIn(document, route);
	expect(targetOf(document, route, place)).toBeDefined();
	const owner = ownerOf(document, route, place);
	if (place === '') taken(document, route);
	else if (place === 'body') delete operation.requestBody;
	else if (owner) {
		delete owner[0].properties[owner[1]];
		release(...owner);
	} else {
		const gone = targetOf(document, route, place);
		operation.parameters = operation.parameters.filter((each: Json) => each !== gone);
	}
}

function add(document: Json, operation: string, route: string, place: string): void {
	const [, operationId] = /^(\w+) \(/.exec(operation) ?? [];
	if (place === '') return put(document, route, { operationId, responses: { 200: success } });
	const owner = ownerOf(document, route, place);
	if (owner) return void (owner[0].properties[owner[1]] = text);
	const one = operationIn(document, route);
	if (place === 'body') return void (one.requestBody = { ...success, required: true });
	const isHeader = place.startsWith('header ');
	one.parameters.push({
		in: isHeader ? 'header' : 'query',
		name: place.replace('header ', '').replace(/:in\]$/, ':in][]'),
		required: isHeader,
		schema: text,
	});
}

/** Merges what is said into an object; null removes a key. */
function merge(into: Json, said: Json): void {
	for (const [key, value] of Object.entries(said)) {
		if (value === null) delete into[key];
		else if (isRecord(value) && isRecord(into[key])) merge(into[key] as Json, value);
		else into[key] = value;
	}
}

/** The values of a choice, wherever they are. */
const choiceIn = ({ schema, ...own }: Json): string[] =>
	own.enum ?? schema.enum ?? schema.items.enum;

/**
 * Plants a difference. `+ a` and `- a` are values of a choice, `=> name` another name of a field, `[]` a list of what
 * was there, and anything else is merged. Where nothing is said, the place is removed or added.
 */
function plant(document: Json, row: string): string[] {
	const [change, operation, route, place, how] = row.split(' | ') as [
		string,
		string,
		string,
		string,
		string?,
	];
	const owner = () => ownerOf(document, route, place)!;
	const [sign, ...values] = how?.split(' ') ?? [];
	if (change === 'missing here' && (!how || how === 'required')) {
		add(document, operation, route, place);
		if (how) demand(...owner());
	} else if (!how) remove(document, route, place);
	else if (sign === '+') choiceIn(targetOf(document, route, place)).push(...values);
	else if (sign === '-') {
		const choice = choiceIn(targetOf(document, route, place));
		expect(choice).toEqual(expect.arrayContaining(values));
		for (const value of values) choice.splice(choice.indexOf(value), 1);
	} else if (sign === '=>' || how === '[]') {
		const [{ properties }, name] = owner();
		const before = properties[name];
		delete properties[name];
		properties[values[0] ?? name] = how === '[]' ? { type: 'array', items: before } : before;
	} else if (how === 'required') demand(...owner());
	else if (how === 'optional') release(...owner());
	else merge(targetOf(document, route, place), parse(how) as Json);
	return [change, operation, place];
}

/** Compares a document with what is planted, which is the only finding. */
async function expectFound(document: Json, [change, operation, place]: string[]): Promise<void> {
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
}

it.each([
	// Operations
	'gone there | Tag: Delete | DELETE /tags/{tag_id} | ',
	'gone there | Backup: Back Up | POST /sites/{site_id}/sync | ',
	'missing here | patchTag (PATCH /tags/{tag_id}) | PATCH /tags/{tag_id} | ',
	'missing here | archiveTag (POST /tags/{tag_id}/archive) | POST /tags/{tag_id}/archive | ',
	'missing here | An operation (GET /domains) | GET /domains | ',
	'changed | Tag: Get Many | GET /tags |  | { deprecated: true }',

	// Parameters
	'gone there | Tag: Get Many | GET /tags | filters[name:eq]',
	'gone there | Site: Get Many | GET /sites | filters[tags:in]',
	'gone there | Tag: Get Many | GET /tags | sort | - color,asc color,desc',
	'gone there | Table: Get Many | GET /sites/{site_id}/tables | sort',
	'gone there | Client: Get Many | GET /clients | page',
	'gone there | Client: Get Many | GET /clients | timezone',
	'gone there | File: Get Many | GET /sites/{site_id}/files | path',
	'gone there | Task: Get Many | GET /tasks | filters[type:eq] | - wp_site_update',
	'missing here | Tag: Get Many | GET /tags | filters[color:in]',
	'missing here | Site: Get Many | GET /sites | filters[country:eq]',
	'missing here | Task: Get Many | GET /tasks | filters[status:eq] | + stuck',
	'missing here | Managed Account: Get Many | GET /managed-accounts | filters[role:in][] | + owner',
	'missing here | Report: Get Many | GET /reports | sort | + title,asc title,desc',
	'missing here | History: Get Many | GET /auto-update-history | timezone',
	'missing here | Tag: Delete | DELETE /tags/{tag_id} | force',
	'missing here | Site: Delete | DELETE /sites/{site_id} | header X-Confirm',
	'changed | Site: Get Many | GET /sites | filters[connection_status:eq] | { schema: { enum: [connected, offline] } }',
	'changed | Site: Get Many | GET /sites | filters[paused:eq] | { schema: { enum: ["yes", "no"] } }',
	'changed | Tag: Get Many | GET /tags | filters[site_id:in] | { name: "filters[site_id:in]", schema: { type: string } }',
	'changed | Tag: Get Many | GET /tags | filters[color:eq] | { schema: { enum: ["#ff0000", "#00ff00"] } }',
	'changed | Custom Work: Get Many | GET /sites/{site_id}/custom-works | filters[performed_on:gte] | { schema: { format: date-time } }',
	'changed | Site: Get Many | GET /sites | perPage | { schema: { maximum: 50 } }',
	'changed | Table: Get Stats | GET /sites/{site_id}/tables/stats | snapshot_id | { required: true }',
	'changed | Tag: Get Many | GET /tags | filters[name:eq] | { deprecated: true }',
	'changed | Tag: Get Many | GET /tags | filters[name:eq] | { schema: { pattern: "^a" } }',
	'changed | Tag: Get Many | GET /tags | page | { schema: { minimum: 2 } }',

	// Bodies
	'gone there | Client: Create | POST /clients | body client.note',
	'gone there | Site: Create | POST /sites | body site.connection.sticky_ip',
	'gone there | Custom Work: Create | POST /sites/{site_id}/custom-works | body custom_works[].description',
	'gone there | Report Template: Create | POST /report-templates | body report_template.sections.*.heading',
	'gone there | Backup: Back Up | POST /sites/{site_id}/sync | body',
	'gone there | Scheduled Report: Create | POST /scheduled-reports | body scheduled_report.frequency | - monthly',
	'missing here | Tag: Create | POST /tags | body tag.icon',
	'missing here | Note: Create | POST /sites/{site_id}/notes | body note.title | required',
	'missing here | Tag: Assign to Sites | POST /tags/{tag_id}/assign | body replace',
	'missing here | Report Template: Create | POST /report-templates | body report_template.sections.*.color',
	'missing here | Task: Cancel | POST /tasks/{task_id}/cancel | body',
	'missing here | Team Member: Create | POST /team-members | body team_member.role | + guest',
	'missing here | Schedule: Create | POST /auto-update-schedules | body auto_update_schedule.scope.updates.plugins.selection | + minor',
	'changed | Staging Site: Update PHP Version | POST /staging-sites/{staging_site_id}/update-php-version | body staging_site.php_version | { type: number }',
	'changed | Staging Site: Extend Expiry | POST /staging-sites/{staging_site_id}/extend-expiry | body days | { type: string }',
	'changed | Client: Create | POST /clients | body client.site_ids | { type: string, items: null }',
	'changed | Tag: Remove From Sites | POST /tags/{tag_id}/remove | body site_ids[] | { type: integer }',
	'changed | Setting: Update | POST /sites/{site_id}/settings/update | body settings.shop_db_upgrade.enabled | { type: object }',
	'changed | Client: Create | POST /clients | body client.email | required',
	'changed | Site: Create | POST /sites | body site.connection | required',
	'changed | Report: Create | POST /reports | body report.end_date | optional',
	'changed | Tag: Update | POST /tags/{tag_id}/update | body tag.color | { type: string }',
	'changed | Login Screen Branding: Update | POST /whitelabel/wp-login/update | body wp_login.sender_email | { type: [object] }',
	'changed | Report: Create | POST /reports | body report.start_date | { format: date-time }',
	'changed | Backup: Back Up | POST /sites/{site_id}/sync | body | { required: true }',
	'changed | Login Screen Branding: Update | POST /whitelabel/wp-login/update | body | { content: { application/json: null, multipart/form-data: { schema: { type: object } } } }',
	'changed | Tag: Create | POST /tags | body tag.color | { deprecated: true }',
	'changed | Tag: Create | POST /tags | body tag.name | { maxLength: 40 }',
	'changed | Tag: Assign to Sites | POST /tags/{tag_id}/assign | body site_ids | { maxItems: 100 }',

	// Answers
	'gone there | Tag: Get Many | GET /tags | answer tags | => items',
	'gone there | Client: Get | GET /clients/{client_id} | answer client | => data',
	'gone there | Site: Get Many | GET /sites | answer meta.pagination.totalPages',
	'gone there | Sender Email: Get Many | GET /sender-emails | answer sender_emails[].id',
	'gone there | Tag: Get Many | GET /tags | answer tags[].color',
	'gone there | Site: Get Many | GET /sites | answer sites[].wp.core.current_version',
	'gone there | Staging Site: Create | POST /staging-sites | answer task.status',
	'gone there | Backup: Back Up | POST /sites/{site_id}/sync | answer sync.snapshot_id',
	'gone there | Client: Delete | POST /clients/delete | answer delete.errors',
	'gone there | Tag: Assign to Sites | POST /tags/{tag_id}/assign | answer assign.site_ids | => sites',
	'missing here | Tag: Get | GET /tags/{tag_id} | answer tag.icon',
	'changed | Note: Get | GET /sites/{site_id}/notes/{note_id} | answer note | []',
	'changed | Tag: Get | GET /tags/{tag_id} | answer tag.color | { deprecated: true }',
	'changed | Tag: Delete | DELETE /tags/{tag_id} | answer | { 204: null, 200: { content: { application/json: { schema: { type: object } } } } }',
	'changed | Staging Site: Resume | POST /staging-sites/{staging_site_id}/resume | answer | { 200: null, 204: { description: No content } }',
	'changed | Activity Log: Get Many | GET /sites/{site_id}/activity-logs | answer | { 200: { content: { application/json: null, text/csv: {} } } }',
	'changed | Report: Download | GET /reports/{report_id}/download | answer | { 200: { content: { application/pdf: null, application/zip: {} } } }',
	'changed | File: Download | GET /sites/{site_id}/files/download | answer | { 200: { content: { application/octet-stream: null, application/json: { schema: { type: object } } } } }',
])('finds %s', async (row) => {
	const document = structuredClone(served);
	await expectFound(document, plant(document, row));
});

const SCHEDULE = '/auto-update-schedules/{auto_update_schedule_id}';

it.each([
	['Schedule: Pause', `POST ${SCHEDULE}/disable`, `PUT ${SCHEDULE}/disable`],
	['Schedule: Resume', `POST ${SCHEDULE}/enable`, `POST ${SCHEDULE}/resume`],
	['Schedule: Update', `POST ${SCHEDULE}/update`, `PATCH ${SCHEDULE}`],
	['Tag: Update', 'POST /tags/{tag_id}/update', 'PUT /tags/{tag_id}', 'putTag'],
	[
		'Report Template: Delete',
		'POST /report-templates/delete',
		'DELETE /report-templates',
		'removeTemplates',
	],
	[
		'Backup: Enable',
		'POST /sites/{site_id}/backups/enable',
		'PUT /sites/{site_id}/backups/enable',
		undefined,
	],
])('finds %s on another route: from %s to %s, named %s', async (operation, from, to, ...named) => {
	const document = structuredClone(served);
	put(document, to, { ...taken(document, from), ...(named[0] && { operationId: named[0] }) });
	if (named.length > 0 && !named[0]) {
		for (const item of Object.values<Json>(document.paths)) {
			for (const each of Object.values<Json>(item)) delete each.operationId;
		}
	}
	await expectFound(document, ['changed', operation, '']);
});

const further: Record<string, [change: (document: Json) => void, ...finding: string[]]> = {
	'a parameter of a whole path is new': [
		({ paths }) => {
			paths['/reports/{report_id}/download'].parameters = [{ in: 'query', name: 'language' }];
		},
		...['missing here', 'Report: Download', 'language'],
	],
	'a list has no wrapper': [
		(document) => {
			const list = answerIn(document, 'GET /backup-destinations');
			Object.assign(list, { type: 'array', items: list.properties.backup_destinations.items });
			delete list.properties;
		},
		...['changed', 'Backup Destination: Get Many', 'answer'],
	],
	'a success has another status': [
		(document) => {
			const { responses } = operationIn(document, 'POST /tags');
			responses[202] = responses[201];
			delete responses[201];
		},
		...['changed', 'Tag: Create', 'answer'],
	],
	'the version is another one': [
		({ info }) => (info.version = '7.1.0'),
		...['changed', 'All operations', ''],
	],
	'the server has another version': [
		(document) => (document.servers = [{ url: 'https://api.example.com/api/v7' }]),
		...['changed', 'All operations', ''],
	],
	'the token goes elsewhere': [
		({ components }) =>
			(components.securitySchemes.token = { type: 'apiKey', in: 'header', name: 'X-Key' }),
		...['changed', 'All operations', ''],
	],
	'one operation wants another token': [
		(document) => {
			document.components.securitySchemes.basic = { type: 'http', scheme: 'basic' };
			operationIn(document, 'GET /tags').security = [{ basic: [] }];
		},
		...['changed', 'GET /tags', ''],
	],
};

it.each(Object.keys(further))('finds that %s', async (what) => {
	const document = structuredClone(served);
	const [change, ...finding] = further[what]!;
	change(document);
	await expectFound(document, finding);
});

it.each<[what: string, change: (document: Json) => void]>([
	[
		'a deprecated operation that the nodes do not have',
		(document) => put(document, 'GET /old', { deprecated: true, responses: { 200: success } }),
	],
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
