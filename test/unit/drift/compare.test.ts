import { existsSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { isRecord } from '../../../nodes/shared/lib';
import { allOperations, root } from '../../support/reference';
import { answerIn, bodyIn, compared, everyOperation, operationIn } from './support';
import { type Json, servedDocument } from './support';

/** Each kind of difference is found, at its place, and nothing else is. */

let served: Json;
beforeAll(async () => void (served = await servedDocument()));

it('the document of the sandbox says the same as the nodes', async () => {
	const { findings, operations, compared: count, undescribed } = await compared(served);
	expect(findings).toEqual([]);
	expect(operations).toBe(allOperations.length);
	expect(count).toBeGreaterThan(1800);
	// What the reference itself leaves open.
	const places = undescribed.map((place) => place.replace(/^.*(input|metadata)/, '$1'));
	expect([...new Set(places)].sort()).toEqual([
		...['input.sites', 'metadata.folder_id', 'metadata.folder_name'],
	]);
});

/** Where something is: an operation, its body or responses, a schema of them, or a parameter; the next one if it is new. */
function spotOf(document: Json, route: string, place: string): [Json, string | number] {
	const [method, url] = route.split(' ') as [string, string];
	const item = (document.paths[url] ??= {});
	const operation = item[method.toLowerCase()];
	if (place === '') return [item, method.toLowerCase()];
	if (place === 'body') return [operation, 'requestBody'];
	if (place === 'answer') return [operation, 'responses'];
	const [, kind, above, name] = /^(body|answer) (?:(.*)\.)?([^.]+)$/.exec(place) ?? [];
	if (!kind) {
		const isIt = (each: Json) => [place, `${place}[]`].includes(each.name);
		const index = operation.parameters.findIndex(isIt);
		return [operation.parameters, index < 0 ? operation.parameters.length : index];
	}
	const { properties } = (kind === 'body' ? bodyIn : answerIn)(document, route, above);
	return name!.endsWith('[]') ? [properties[name!.slice(0, -2)], 'items'] : [properties, name!];
}

/** Merges what is said into an object; null removes a key. */
function merge(into: Json, said: Json): void {
	for (const [key, value] of Object.entries(said)) {
		if (value === null) delete into[key];
		else if (isRecord(value) && isRecord(into[key])) merge(into[key] as Json, value);
		else into[key] = value;
	}
}

/**
 * Plants a difference: `+ a` and `- a` are values of a choice, and anything else is merged, or added where nothing is.
 * Where nothing is said, the place is removed.
 */
function plant(document: Json, route: string, place: string, how?: string): void {
	const [holder, key] = spotOf(document, route, place);
	if (how === undefined) {
		expect(holder[key]).toBeDefined();
		if (Array.isArray(holder)) holder.splice(key as number, 1);
		else delete holder[key];
	} else if (/^[+-] /.test(how)) {
		const { schema = holder[key] } = holder[key];
		const choice: string[] = schema.enum ?? schema.items.enum;
		const value = how.slice(2);
		if (how.startsWith('+')) choice.push(value);
		else choice.splice(choice.indexOf(value), 1);
	} else merge((holder[key] ??= {}), parse(how) as Json);
}

/** Compares the document with what is planted, which is the only finding. */
async function expectFound(
	[change, operation, place]: string[],
	planted: (document: Json) => unknown,
): Promise<void> {
	const { findings } = await compared(served, planted);
	expect(findings).toEqual([
		{
			...{ change, operation, place },
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
	'missing here | patchTag (PATCH /tags/{tag_id}) | PATCH /tags/{tag_id} |  | { operationId: patchTag }',
	'missing here | An operation (GET /domains) | GET /domains |  | {}',
	'changed | Tag: Get Many | GET /tags |  | { deprecated: true }',

	// Parameters
	'gone there | Tag: Get Many | GET /tags | filters[name:eq]',
	'gone there | Site: Get Many | GET /sites | filters[tags:in]',
	'gone there | Table: Get Many | GET /sites/{site_id}/tables | sort',
	'gone there | Client: Get Many | GET /clients | page',
	'gone there | Task: Get Many | GET /tasks | filters[type:eq] | - wp_site_update',
	'missing here | Tag: Get Many | GET /tags | filters[color:in] | { in: query, name: "filters[color:in][]" }',
	'missing here | Site: Delete | DELETE /sites/{site_id} | header X-Confirm | { in: header, name: X-Confirm, required: true }',
	'missing here | Task: Get Many | GET /tasks | filters[status:eq] | + stuck',
	'missing here | Managed Account: Get Many | GET /managed-accounts | filters[role:in][] | + owner',
	'missing here | Report: Get Many | GET /reports | sort | + title,asc',
	'changed | Site: Get Many | GET /sites | filters[paused:eq] | { schema: { enum: ["yes", "no"] } }',
	'changed | Tag: Get Many | GET /tags | filters[color:eq] | { schema: { enum: ["#ff0000", "#00ff00"] } }',
	'changed | Tag: Get Many | GET /tags | filters[site_id:in] | { name: "filters[site_id:in]", schema: { type: object } }',
	'changed | Custom Work: Get Many | GET /sites/{site_id}/custom-works | filters[performed_on:gte] | { schema: { format: date-time } }',
	'changed | Site: Get Many | GET /sites | perPage | { schema: { maximum: 50 } }',
	'changed | Table: Get Stats | GET /sites/{site_id}/tables/stats | snapshot_id | { required: true }',
	'changed | Tag: Get Many | GET /tags | filters[name:eq] | { schema: { pattern: "^a" } }',
	'changed | Tag: Get Many | GET /tags | page | { schema: { minimum: 2 } }',

	// Bodies
	'gone there | Site: Create | POST /sites | body site.connection.sticky_ip',
	'gone there | Custom Work: Create | POST /sites/{site_id}/custom-works | body custom_works[].description',
	'gone there | Backup: Back Up | POST /sites/{site_id}/sync | body',
	'gone there | Scheduled Report: Create | POST /scheduled-reports | body scheduled_report.frequency | - monthly',
	'missing here | Tag: Create | POST /tags | body tag.icon | { type: string }',
	'missing here | Report Template: Create | POST /report-templates | body report_template.sections.*.color | { type: string }',
	'missing here | Task: Cancel | POST /tasks/{task_id}/cancel | body | { required: true }',
	'missing here | Team Member: Create | POST /team-members | body team_member.role | + guest',
	'changed | Staging Site: Extend Expiry | POST /staging-sites/{staging_site_id}/extend-expiry | body days | { type: string }',
	'changed | Tag: Remove From Sites | POST /tags/{tag_id}/remove | body site_ids[] | { type: integer }',
	'changed | Tag: Update | POST /tags/{tag_id}/update | body tag.color | { type: string }',
	'changed | Report: Create | POST /reports | body report.start_date | { format: date-time }',
	'changed | Backup: Back Up | POST /sites/{site_id}/sync | body | { required: true }',
	'changed | Tag: Create | POST /tags | body | { content: { application/json: null, text/csv: {} } }',
	'changed | Tag: Assign to Sites | POST /tags/{tag_id}/assign | body site_ids | { maxItems: 100 }',

	// Answers
	'gone there | Site: Get Many | GET /sites | answer meta.pagination.totalPages',
	'gone there | Sender Email: Get Many | GET /sender-emails | answer sender_emails[].id',
	'gone there | Site: Get Many | GET /sites | answer sites[].wp.core.current_version',
	'gone there | Staging Site: Create | POST /staging-sites | answer task.status',
	'gone there | Client: Delete | POST /clients/delete | answer delete.errors',
	'missing here | Tag: Get | GET /tags/{tag_id} | answer tag.icon | { type: string }',
	'changed | Note: Get | GET /sites/{site_id}/notes/{note_id} | answer note | { type: array }',
	'changed | Tag: Delete | DELETE /tags/{tag_id} | answer | { 204: null, 200: {} }',
	'changed | Tag: Create | POST /tags | answer | { 201: null, 202: { content: { application/json: { schema: {} } } } }',
	'changed | Activity Log: Get Many | GET /sites/{site_id}/activity-logs | answer | { 200: { content: { application/json: null, text/csv: {} } } }',
	'changed | Report: Download | GET /reports/{report_id}/download | answer | { 200: { content: { application/pdf: null, application/zip: {} } } }',
])('finds %s', async (row) => {
	const [change, operation, route, place, how] = row.split(' | ') as [string, ...string[]];
	await expectFound([change, operation!, place!], (of) => plant(of, route!, place!, how));
});

const SCHEDULE = '/auto-update-schedules/{auto_update_schedule_id}';

it.each([
	['Schedule: Pause', `POST ${SCHEDULE}/disable`, `PUT ${SCHEDULE}/disable`],
	['Schedule: Resume', `POST ${SCHEDULE}/enable`, `POST ${SCHEDULE}/resume`],
	['Tag: Update', 'POST /tags/{tag_id}/update', 'PUT /tags/{tag_id}', 'putTag'],
	['Backup: Back Up', 'POST /sites/{site_id}/sync', 'POST /sites/{site_id}/backups/sync'],
	['Backup: Back Up', 'POST /sites/{site_id}/sync', 'POST /sites/{site_id}/backups/sync', ''],
])(
	'finds %s on another route: from %s to %s, named %s',
	async (operation, from, to, ...[named]) => {
		await expectFound(['moved', operation, ''], (document) => {
			const [holder, key] = spotOf(document, to, '');
			holder[key] = { ...operationIn(document, from), ...(named && { operationId: named }) };
			plant(document, from, '');
			// The document names none.
			if (named === '') for (const each of everyOperation(document)) delete each.operationId;
		});
	},
);

it.each<[finding: string, change: (document: Json) => unknown]>([
	[
		'changed | Client: Create | body client.email',
		(of) => (bodyIn(of, 'POST /clients', 'client').required = ['email']),
	],
	[
		'changed | Report: Create | body report.site_id',
		(of) => (bodyIn(of, 'POST /reports', 'report').required = ['start_date', 'end_date']),
	],
	[
		'missing here | Report: Download | language',
		({ paths }) => {
			paths['/reports/{report_id}/download'].parameters = [{ in: 'query', name: 'language' }];
		},
	],
	[
		'changed | Tag: Get Many | answer',
		(of) => Object.assign(answerIn(of, 'GET /tags'), { type: 'array', items: {} }),
	],
	['changed | All operations | ', ({ info }) => (info.version = '7.1.0')],
	['changed | All operations | ', (of) => (of.servers = [{ url: 'https://a.example.com/api/v7' }])],
])('finds also %s', async (finding, change) => {
	await expectFound(finding.split(' | '), change);
});

it.each<[what: string, change: (document: Json) => unknown]>([
	['that a text is not empty', (of) => (bodyIn(of, 'POST /tags', 'tag.name').minLength = 1)],
	['a wider limit', (of) => plant(of, 'GET /tags', 'page', '{ schema: { minimum: 0 } }')],
	[
		'that what the nodes lack is deprecated',
		(of) => (of.paths['/old'] = { get: { deprecated: true } }),
	],
])('accepts a document that says %s', async (_, change) => {
	expect((await compared(served, change)).findings).toEqual([]);
});
