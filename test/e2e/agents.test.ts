import path from 'node:path';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import type { Schema, Tool } from '../../sandbox/lib/chatServer';
import type { RecordedRequest } from '../../sandbox/service';
import { momentOf, putBack, type Moment } from '../../sandbox/service/engine/moment';
import bounds from '../../tools/bounds.json';
import { AT_MOST_2 } from '../support/agentTools';
import { MCP_SERVER, startAgents, type Agents } from '../support/agents';
import { ends } from '../support/ending';
import { everyOperation, rowOf } from '../support/reference';
import { builtSchema } from '../support/schemaCheck';
import { asSent } from '../support/fleet';
import { openMcp, type Mcp } from '../support/mcp';
import type { Call } from '../support/scriptedModel';

/** All action nodes as tools of n8n's AI Agent and of its MCP server: what a model is offered, sends, and reads. */

let agents: Agents;
let mcp: Mcp;
let ids: ReturnType<typeof idsIn>;
let beginning: string;

/** What the calls are about. */
function idsIn({ service: { world } }: Agents) {
	const { store } = world;
	const idsOf = (rows: ReadonlyArray<{ id: string }>) => rows.map(({ id }) => id);
	const sites = store.sites.peek();
	const newestOf = (site: { id: string }) =>
		store.snapshots
			.ofSite(site.id)
			.filter(({ status }) => status === 'succeeded')
			.at(-1)!;
	return {
		snapshot: newestOf(sites[0]!),
		otherSnapshot: newestOf(sites[1]!),
		sites: idsOf(sites),
		siteUrls: sites.map(({ url }) => url),
		/** Sites that no client has. */
		freeSites: idsOf(sites.filter((site) => site.internal.client_id === null)),
		report: store.reports.peek()[0]!.id,
		stagingSite: store.stagingSites.peek()[0]!.id,
		tags: idsOf(store.tags.peek()),
	};
}

/** Without the names that are in use, which are read before a record is created, and that of the site after a change. */
const besideNames = (all: ReturnType<Agents['sent']>) =>
	all.filter(({ route }, at) => {
		const isAfter = all[at - 1]?.route.startsWith(route.replace(/^GET /, 'POST '));
		return !isAfter && all[at + 1]?.route !== route.replace(/^GET /, 'POST ');
	});

beforeAll(async () => {
	agents = ends(await startAgents('agents'));
	mcp = ends(await openMcp(`${agents.n8n.baseUrl}/mcp/${MCP_SERVER}`));
	ids = idsIn(agents);
	beginning = momentOf(agents.service.world);
});

beforeEach(() => {
	putBack(agents.service.world, JSON.parse(beginning) as Moment);
	agents.sent();
});

afterEach(
	async () => await agents.control('/faults', { dropped_after: { next: 1, path: '/none' } }),
);

/** What a model reads of one call. */
async function told(tool: string, given: Record<string, unknown> = {}, path?: string) {
	const { results } = await agents.talk([[[tool, given]]], path);
	return results[0]!;
}

/** The items of a result, without what is said of texts alone; no more than a model gets by default. */
function recordsIn(result: string) {
	expect(result.length).toBeLessThanOrEqual(16_000);
	const items = JSON.parse(result) as Array<Record<string, unknown>>;
	return items.filter((item) => Object.keys(item).join() !== 'texts');
}

const errorIn = (result: string) => {
	const [{ error } = {}, ...more] = recordsIn(result);
	expect(more).toEqual([]);
	expect(String(error).length).toBeLessThan(300);
	return String(error);
};

/** n8n tries such a tool again when it fails. */
const retried = () => ({
	...agents.tools['Create a tag']!,
	settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
});

/** The next new tag is made, but the connection breaks before the service can say so. */
const dropAnswer = async () =>
	await agents.control('/faults', { dropped_after: { next: 1, path: '/tags', method: 'POST' } });

/** Its harm is that of the request. */
const ANY = 'api/request/';

const color = '#112233';

describe('what a model is offered', () => {
	let tools: Record<string, Tool['function']>;

	beforeAll(async () => {
		await agents.talk([]);
		const offered = agents.model.requests.at(-1)!.tools!.map((tool) => tool.function);
		tools = Object.fromEntries(offered.map((tool) => [tool.name, tool]));
	});

	/** The parameters of a tool with their types, and the defaults of those that may be left out. */
	const shapeOf = ({ properties = {}, required = [] }: Schema) =>
		Object.fromEntries(
			Object.entries(properties).map(([name, { type, ...schema }]) => [
				name,
				required.includes(name) ? type : [type, schema.default],
			]),
		);

	it('are tools of all nodes, each with its parameters and their types', () => {
		const nodesOf = (of: Array<{ operation: string }>) =>
			[...new Set(of.map(({ operation }) => operation.split('/')[0]))].sort();
		const api = { operation: ANY };
		expect(nodesOf(Object.values(agents.tools))).toEqual(nodesOf([...everyOperation, api]));
		expect(Object.keys(tools).sort()).toEqual(
			Object.keys(agents.tools)
				.map((name) => name.replaceAll(' ', '_'))
				.sort(),
		);
		const shapes = Object.entries(tools).map(([name, { parameters = {} }]) => [
			name,
			shapeOf(parameters),
		]);
		const text = 'string';
		const blank = [text, ''];
		expect(Object.fromEntries(shapes)).toMatchObject({
			List_sites: {
				limit: ['number', 20],
				connection: blank,
				uptime: blank,
				url_contains: blank,
				created_after: blank,
				locked: blank,
				tag_ids: blank,
			},
			Get_a_site: { site_id: text },
			Get_the_chosen_site: {},
			Set_auto_updates: { site_id: text, on: 'boolean' },
			Restore_a_site: { site_id: text, snapshot_id: text },
			// n8n gives what takes JSON no type, but a choice of object and list.
			Delete_clients: { client_ids: undefined },
			List_backup_destinations: {},
			Extend_a_staging_site: { staging_site_id: text, days: 'number' },
		});
		for (const { parameters } of Object.values(tools)) {
			for (const { description } of Object.values(parameters!.properties ?? {})) {
				expect(description).toMatch(/\S/);
			}
		}
	});

	it('says what each tool does, what cannot be undone, and where its IDs come from', () => {
		expect(tools.Restore_a_site!.description).toBe(
			'Restore site from backup. Start a task that restores a site from a snapshot: overwrites the live site.\nKind: Change Live Sites, cannot be undone.\nFind the ID of the site with "Get many sites", and the ID of the snapshot with "Get many snapshots".',
		);
		expect(tools.Get_a_site!.description).toBe(
			'Get a site.\nOnly reads.\nFind the ID of the site with "Get many sites".',
		);
		expect(tools.Create_any_tag!.description).toMatch(
			/^POST \/tags\.\nname\. Shown in lists\.\ncolor\nRun any API operation\. /,
		);
		for (const [name, { operation }] of Object.entries(agents.tools)) {
			if (operation.startsWith(ANY)) continue;
			const { description } = tools[name.replaceAll(' ', '_')]!;
			const isFinal = rowOf(operation).final !== undefined;
			expect([name, description!.includes('cannot be undone.')]).toEqual([name, isFinal]);
		}
	});
});

describe('an AI that builds workflows', () => {
	let read: Array<{ name: string; type: INodeTypeDescription; text: string }>;

	beforeAll(async () => {
		const { data } = await agents.n8n.rest.get<INodeTypeDescription[]>(
			`${agents.n8n.baseUrl}/types/nodes.json`,
		);
		const { synthesizeNodeTypeDef } = require(BUILDER) as {
			synthesizeNodeTypeDef: (description: INodeTypeDescription) => string;
		};
		read = data
			.filter(({ name }) => /^n8n-nodes-site-management\.\w+$/.test(name))
			.map((type) => ({
				name: type.name.split('.')[1]!,
				type,
				text: synthesizeNodeTypeDef(type),
			}));
	});

	it('reads what each operation does and returns, and nothing of others', () => {
		const wrong = read
			// What any request returns is not known.
			.filter(({ name }) => !/Trigger$|^api/.test(name))
			.flatMap(({ name, type, text }) =>
				textsOf(type).map(({ place, about, ofResource }) => {
					const lines = linesOf(text, place.join(''));
					const schema = builtSchema([name.replace(/Tool$/, ''), ...place].join('/'));
					return {
						expected: [...ofResource, about, Object.keys(schema.properties ?? {}).sort()],
						lines: [...lines.filter((line) => !isOutput(line)), returnedIn(text, place)],
					};
				}),
			)
			.filter(({ expected, lines }) => JSON.stringify(expected) !== JSON.stringify(lines));
		expect(wrong).toEqual([]);
	});

	it('reads what a value looks like: by each mode of a locator, units, times, paths and addresses', () => {
		const wrong = read.flatMap(({ name, type, text }) => {
			const all = [...text.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s+'?(\w+)'?\??:/g)];
			return fieldsIn(type.properties).flatMap((field) => {
				const about = escaped(field.description ?? field.displayName);
				const texts = all
					.filter(([, doc, of]) => of === field.name && doc!.includes(about))
					.map(([, doc]) => doc!.toLowerCase());
				const lacking = formsOf(field).filter(
					(form) =>
						!(texts.length > 0 && texts.every((doc) => doc.includes(escaped(form).toLowerCase()))),
				);
				return lacking.length > 0 ? [[name, field.name, lacking]] : [];
			});
		});
		expect(wrong).toEqual([]);
	});

	it('gets a limited number of tokens per operation', () => {
		// Whichever operation it asks for, n8n gives the whole node.
		const over = read
			.map(({ name, text }) => ({ name, tokens: Math.ceil(text.length / 4) }))
			.filter(({ tokens }) => tokens > bounds.tokens);
		expect(over).toEqual([]);
	});

	/** What n8n's tool for that runs. */
	const BUILDER = path.join(
		path.dirname(require.resolve('../../sandbox/n8n/package.json')),
		'node_modules/n8n/dist/modules/mcp-registry/synthesize-type-def.js',
	);

	/** The comments at the beginning of the type of an operation, such as `SiteNoteDeleteParams`, by their lines. */
	const linesOf = (text: string, place: string) => {
		const start = new RegExp(`.*\\nexport type \\w*V1${place}Params = \\{[^]*?operation:`, 'i');
		const [head = ''] = start.exec(text) ?? [];
		return [...head.matchAll(/\*+ (.+?)(?: \*\/)?$/gm)].map(([, line]) => line!);
	};

	const isOutput = (line: string) => line.startsWith('Returns: ');

	/** The fields that an operation returns without waiting. */
	function returnedIn(text: string, [resource, operation]: readonly [string, string]): string[] {
		const [line = ''] = linesOf(text, `${resource}${operation}`).filter(isOutput);
		const [, fields = ''] = /^Returns: (.*?)(?:\. After waiting: \w.*)?$/.exec(line) ?? [];
		return fields
			.split(', ')
			.flatMap((field) =>
				field === 'all fields of get' ? returnedIn(text, [resource, 'get']) : field,
			)
			.filter(Boolean)
			.sort();
	}

	/** What each operation says of itself; n8n shows the text of the resource first. */
	const textsOf = ({ properties }: INodeTypeDescription) =>
		properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) => {
				const resource = String(displayOptions!.show!.resource![0]);
				const resources = properties[0]!.options as INodePropertyOptions[];
				const [own] = resources.filter(({ value }) => value === resource);
				return (options as INodePropertyOptions[]).map(({ value, description }) => ({
					about: description!,
					place: [resource, String(value)] as const,
					ofResource: resources.length > 1 ? [own!.description] : [],
				}));
			});

	/** All fields of a node, also those in groups, without what n8n adds and what is no value. */
	const fieldsIn = (fields: INodeProperties[]): INodeProperties[] =>
		fields
			.filter(({ name, type }) => !OF_N8N.includes(name) && !['hidden', 'notice'].includes(type))
			.flatMap((field) => [
				...(field.type === 'collection' || field.type === 'fixedCollection' ? [] : [field]),
				...(field.options ?? []).flatMap((option) =>
					fieldsIn('values' in option ? option.values : 'type' in option ? [option] : []),
				),
			]);

	const OF_N8N = ['resource', 'operation', 'requestOptions', 'pollTimes'];

	const exampleIn = (placeholder = '') => placeholder.replace(/^e\.g\. /, '');

	/** What a text of a field has to contain. */
	function formsOf({ type, displayName, modes = [], placeholder, typeOptions }: INodeProperties) {
		const [, unit] = /\((\w+?|%)s?\)$/.exec(displayName) ?? [];
		const example = exampleIn(placeholder);
		return [
			...modes.slice(1).map((mode) => `${mode.name}: ${exampleIn(mode.placeholder)}`),
			...(unit ? [unit] : []),
			...(type === 'dateTime' ? [typeOptions?.dateOnly ? '2026-01-31' : 'ISO'] : []),
			...(/[/@:]/.test(example) ? [example] : []),
		];
	}

	/** As n8n writes it in a comment. */
	const escaped = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
});

/** What a model fills in, and what then reaches the service, and nothing else: `$site` is the ID of the first site. */
type Filled = [title: string, given: object, sent: string[], body?: unknown];

const NOTE = ' "Ask" {{ $json }} first\n=1+1 ✓ ';
const IN_LIST = 'page=1&perPage=20';
const settings = (enabled: boolean) => ({ settings: { wp_auto_updates: { enabled } } });
const cover = { heading: 'Hello', data: { logo: { option: 'none' } } };

const filled: Filled[] = [
	[
		'List_sites: filters of every kind',
		{
			...{ limit: 3, connection: 'connected', uptime: 'up', url_contains: 'e', locked: 'false' },
			...{ created_after: '2020-01-02T03:04:05+01:00', tag_ids: '$tag, $tag1' },
		},
		[
			// A number can be the name of another tag.
			'GET /tags?page=1&perPage=100',
			`GET /sites?page=1&perPage=3&${[
				...['connection_status:eq]=connected', 'uptime:eq]=up', 'url:contains]=e'],
				...['created_at:gte]=2020-01-02T02:04:05Z', 'locked:eq]=false'],
				...['tags:in][]=$tag', 'tags:in][]=$tag1'],
			]
				.map((filter) => `filters[${filter}`)
				.join('&')}`,
		],
	],
	[
		'List_sites: blank filters are none',
		{
			...{ connection: '', uptime: ' ', url_contains: '' },
			...{ created_after: '', locked: '', tag_ids: '' },
		},
		[`GET /sites?${IN_LIST}`],
	],
	['List_sites: what it leaves out has the defaults', {}, [`GET /sites?${IN_LIST}`]],
	[
		'List_sites: a list in JSON',
		{ tag_ids: '["$tag"]', limit: '2' },
		['GET /tags?page=1&perPage=100', 'GET /sites?page=1&perPage=2&filters[tags:in][]=$tag'],
	],
	['Get_a_site: By ID', { site_id: '$site2' }, ['GET /sites/$site2']],
	[
		'Find_a_site: By URL',
		{ site_url: '$url1' },
		['GET /sites?page=1&perPage=100&filters[url:contains]=$host1', 'GET /sites/$site1'],
	],
	['Get_the_chosen_site: From List', {}, ['GET /sites/$site']],
	[
		'Add_a_note: text as it is',
		{ site_id: '$site3', content: NOTE },
		['POST /sites/$site3/notes'],
		{ note: { content: NOTE } },
	],
	...[false, 'true'].map((on): Filled => [
		`Set_auto_updates: ${on}`,
		{ site_id: '$site', on },
		['POST /sites/$site/settings/update'],
		settings(on === 'true'),
	]),
	...[['$free', '$free1'], '["$free2"]'].map((site_ids): Filled => {
		const client = { email: `of-${site_ids.length}@example.com`, first_name: '7' };
		return [
			`Create_a_client: ${typeof site_ids === 'string' ? 'a list in JSON' : 'a list'}`,
			{ ...client, site_ids },
			['POST /clients'],
			{ client: { ...client, site_ids: [site_ids].flat().map((id) => id.replace(/["[\]]/g, '')) } },
		];
	}),
	[
		'List_managed_accounts: several of a choice',
		{ all_sites: false, statuses: ['connected', 'pending'] },
		[
			`GET /managed-accounts?${IN_LIST}&filters[all_sites_access:eq]=false&filters[status:in][]=connected&filters[status:in][]=pending`,
		],
	],
	[
		'Set_the_branding: a choice',
		{ type: 'custom', name: 'Helper' },
		['POST /whitelabel/plugin-branding/update'],
		{ plugin_branding: { type: 'custom', name: 'Helper' } },
	],
	[
		'Create_a_schedule: what is nested',
		{
			...{ name: 'Nightly', recurrence: 'daily', started_at: '2030-03-05T02:00:00' },
			...{ site_ids: ['$site'], core: 'false' },
		},
		['POST /auto-update-schedules'],
		{
			auto_update_schedule: {
				...{ name: 'Nightly', schedule: 'daily', started_at: '2030-03-05T02:00:00Z' },
				scope: {
					sites: { selection: 'specific', ids: ['$site'] },
					updates: { cms_core: false, plugins: { selection: 'all' } },
				},
			},
		},
	],
	[
		'Create_a_report_template: JSON',
		{ name: 'Brief', key: 'cover', ...cover },
		['POST /report-templates'],
		{
			report_template: {
				name: 'Brief',
				sections: { cover: { visible: true, heading: cover.heading, dynamic_data: cover.data } },
			},
		},
	],
];

/** A row with the IDs of this fleet. */
function inFleet([, given, sent, body]: Filled) {
	const known: Record<string, string> = {};
	const hosts = ids.siteUrls.map((url) => new URL(url).host);
	for (const [name, values] of Object.entries({
		...{ site: ids.sites, url: ids.siteUrls, host: hosts },
		...{ tag: ids.tags, free: ids.freeSites },
	})) {
		for (const [index, value] of values.entries()) known[`${name}${index || ''}`] = value;
	}
	const filledIn = <T>(value: T): T =>
		JSON.parse(
			JSON.stringify(value).replace(/\$(\w+)/g, (all, name: string) => known[name] ?? all),
		) as T;
	const sentAs = (text: string) => {
		const [method, path, query = ''] = text.split(/[ ?]/) as [string, string, string?];
		return asSent({ method, path, query, body: body && filledIn(body) } as RecordedRequest);
	};
	return { given: filledIn(given) as Record<string, unknown>, sent: filledIn(sent).map(sentAs) };
}

const toolOf = (title: string) => title.split(':')[0]!;

describe('what a model fills in reaches the service exactly', () => {
	it.each(filled)('%s', async (...row) => {
		const [title] = row;
		const { given, sent } = inFleet(row);
		const records = recordsIn(await told(toolOf(title), given));
		expect(besideNames(agents.sent())).toEqual(sent);
		expect(records.filter(({ error }) => typeof error === 'string')).toEqual([]);
		expect(records.length).toBeGreaterThan(0);
	});
});

type Unfit = [tool: string, given: Record<string, unknown>, message: RegExp | string];

/** What models get wrong: the message names the parameter, says what is wanted, and nothing is sent. */
const unfit: Unfit[] = [
	[
		'List_sites',
		{ company: 'Acme' },
		/^The parameter "company" is not one of this tool: "Acme". The tool has limit, connection,/,
	],
	[
		'Restore_a_site',
		{ site_id: '1', snapshot_id: '2', paths: ['a'] },
		/^The parameter "paths" is not one of this tool/,
	],
	[
		'Get_the_chosen_site',
		{ site_id: '1' },
		/^The parameter "site_id" is not one of this tool: "1". The tool has no arguments. Nothing was sent$/,
	],
	[
		'Rename_a_tag',
		{ tag_id: '1', name: 'None' },
		'The parameter "name" is "None", which is not a value; to leave it unchanged, use an empty text',
	],
	['Get_a_site', { site_id: '' }, 'The parameter "site_id" is empty'],
	['Get_a_site', {}, 'The parameter "site_id" has no value'],
	['Get_a_site', { site_id: null }, 'The parameter "site_id" has no value'],
	['Get_a_site', { site_id: '["1"]' }, /^The parameter "site_id" is a list, not one ID/],
	['Get_a_site', { site_id: { id: '1' } }, /^The parameter "site_id" is an object, not one ID/],
	['Add_a_note', { site_id: '1', content: { a: 1 } }, /^The parameter "content" is an object/],
	['Set_auto_updates', { site_id: '1', on: 'maybe' }, /"on" must be true or false/],
	['Set_auto_updates', { site_id: '1' }, 'The parameter "on" has no value'],
	['List_tasks', { limit: 'many' }, 'The parameter "limit" is not a number: "many"'],
	['List_tasks', { limit: '' }, 'The parameter "limit" is empty'],
	[
		'List_sites',
		{ created_after: 'yesterday' },
		/is not a date and time: "yesterday"; use a format like/,
	],
	[
		'List_sites',
		{ tag_ids: [] },
		/^The parameter "tag_ids" is empty; to list without this filter, use an empty text$/,
	],
	[
		'List_sites_strictly',
		{},
		/"url_contains" has no value; to list without this filter, use an empty text$/,
	],
	['Delete_clients', { client_ids: '' }, 'The parameter "client_ids" is empty'],
	['Delete_clients', { client_ids: [null] }, /^The parameter "client_ids" has an entry without/],
	['Create_a_report_template', { name: 'A', key: 'cover', heading: 'B', data: '{' }, /JSON/],
	['Extend_a_staging_site', { staging_site_id: '1', days: 1.5 }, /"days" must be a whole number/],
];

describe('what a model gets wrong', () => {
	it.each(unfit)('%s %j', async (tool, given, message) => {
		const error = errorIn(await told(tool, given));
		if (typeof message === 'string') expect(error).toBe(message);
		else expect(error).toMatch(message);
		expect(agents.sent()).toEqual([]);
	});
});

describe('what a model reads', () => {
	it('of a list: the records with the chosen fields, and no more than it has asked for', async () => {
		const result = await told('List_sites', { limit: 5 });
		const { store } = agents.service.world;
		const records = recordsIn(result);
		const total = store.sites.all().length;
		expect(records.pop()).toMatchObject({ returned: 5, total, more: true });
		expect(records).toHaveLength(5);
		for (const record of records) {
			expect(record).toEqual({ id: record.id, url: store.sites.get(String(record.id))!.url });
		}
		expect(result.length).toBeLessThan(7 * 100);
	});

	it('of an empty list: that there is none', async () => {
		const result = await told('List_clients', { search: 'nobody is called so' });
		const filtered_by = ['search contains nobody is called so'];
		const none = { count: 0, filtered_by, message: 'No records were found' };
		expect(recordsIn(result)).toEqual([none]);
	});

	it('of a file: its name, type and size', async () => {
		const result = await told('Download_a_report', { report_id: ids.report });
		expect(recordsIn(result)).toEqual([
			{
				id: ids.report,
				file_name: expect.stringMatching(/\.pdf$/),
				mime_type: 'application/pdf',
				size_bytes: expect.any(Number),
			},
		]);
	});

	it('of an operation of the API document: its record, or which value does not fit', async () => {
		const name = 'Of the document';
		const [record] = recordsIn(await told('Create_any_tag', { name, color: '' }));
		expect(record).toMatchObject({ name, color: null });
		const [request] = agents.sent().filter(({ route }) => route.startsWith('POST '));
		expect(request).toMatchObject({ route: 'POST /tags', body: { tag: { name } } });
		expect(errorIn(await told('Create_any_tag', { name, color: 'red' }))).toMatch(
			/^The parameter "Values to Send > color" has "red", which is not in the form/,
		);
		expect(agents.sent()).toEqual([]);
	});

	it('of a bulk change: each failure, and what succeeded', async () => {
		const [tag, site, none] = [ids.tags[1]!, ids.sites[4]!, '0'.repeat(24)];
		const result = await told('Assign_a_tag', { tag_id: tag, site_ids: [site, none] });
		expect(recordsIn(result)).toEqual([
			expect.objectContaining({ site: none, success: false, message: expect.any(String) }),
			{ tag_id: tag, assigned: true, success: true, count: 1, sites: [site] },
		]);
		const bodies = agents.sent().flatMap(({ body }) => body ?? []);
		expect(bodies).toEqual([{ site_ids: [site, none] }]);
	});

	it('of a preview, and of what it then does', async () => {
		const given = { tag_id: ids.tags[2]! };
		const { results } = await agents.talk([
			[['Preview_deleting_a_tag', given]],
			[['Delete_a_tag', given]],
		]);
		expect(recordsIn(results[0]!)).toEqual([
			{
				preview: true,
				operation: 'Tag: Delete',
				would: expect.stringMatching(/^Would delete tag \(the tag is removed .*\): tag "/),
				does: ['the tag is removed from all its sites and cannot be restored'],
				request: { method: 'DELETE', path: `/tags/${given.tag_id}` },
				target: { tag: expect.objectContaining({ id: given.tag_id, name: expect.any(String) }) },
			},
		]);
		const deleted = { deleted: true, id: given.tag_id, name: expect.any(String) };
		expect(recordsIn(results[1]!)).toEqual([deleted]);
		expect(agents.sent().map(({ route }) => route)).toEqual([
			// A number can be the name of another tag.
			'GET /tags',
			`GET /tags/${given.tag_id}`,
			'GET /tags',
			`GET /tags/${given.tag_id}`,
			`DELETE /tags/${given.tag_id}`,
		]);
	});

	it.each<[string, (tag_id: string) => Record<string, string>, says: (id: string) => string]>([
		['Delete_a_tag_with_a_code', (tag_id) => ({ tag_id }), () => 'Tag: Delete'],
		[
			'Send_a_request_with_a_code',
			(id) => ({ method: 'DELETE', path: `/tags/${id}` }),
			(id) => `DELETE /tags/${id}: Tag: Delete`,
		],
	])(
		'of a change with a code, by %s: what it would do, and then what it did',
		async (tool, by, says) => {
			const name = 'To be deleted with a code';
			const [tag] = recordsIn(await told('Create_a_tag', { name, color }));
			const id = String(tag!.id);
			const given = by(id);
			agents.sent();
			const [first] = recordsIn(await told(tool, given));
			const { what, code, ...others } = first as Record<string, string>;
			expect(what).toBe(
				`${says(id)} (the tag is removed from all its sites and cannot be restored); tag "${name}" (0 sites, ${id})`,
			);
			expect(others).toEqual({
				confirmed: false,
				message: expect.stringMatching(/^Nothing was changed/),
			});
			const changes = () => agents.sent().filter(({ route }) => !route.startsWith('GET'));
			expect(changes()).toEqual([]);
			const wrong = { ...given, what: 'another', code };
			expect(errorIn(await told(tool, wrong))).toContain('letter for letter');
			expect(changes()).toEqual([]);
			const { isError, text } = await mcp.call(tool, { ...given, what, code });
			expect(isError).toBe(false);
			expect(recordsIn(text)).toEqual([
				tool.startsWith('Send') ? { status: 204 } : { deleted: true, id, name },
			]);
		},
	);

	it('of a long task: its end, where the tool waits for it', async () => {
		const given = { site_id: ids.sites[0]!, snapshot_id: ids.snapshot.id };
		const [restored] = recordsIn(await told('Restore_a_site', given));
		expect(restored).toMatchObject({ task_type: 'restore', task_status: 'completed', ...given });
		const [start, site_id] = [ids.snapshot.created_at.slice(0, 10), ids.sites[0]!];
		const [report] = recordsIn(await told('Create_a_report', { site_id, start, end: start }));
		const made = { report_id: expect.any(String), task_id: expect.any(String) };
		expect(report).toMatchObject({ ...made, site_id });
	});
});

describe('errors that a model can act on', () => {
	it.each<[string, string, () => Record<string, unknown>, RegExp]>([
		[
			...(['name the ID that does not exist', 'Get_a_site'] as const),
			() => ({ site_id: '0'.repeat(24) }),
			/The service found no such record.*\/sites\/0{24}/,
		],
		[
			...(['say that the credential forbids it', 'Delete_a_tag_by_Read_Only'] as const),
			() => ({ tag_id: ids.tags[0]! }),
			/Tag: Delete is not allowed by the credential "Read Only": its Access is Read Only/,
		],
		[
			...(['say that Only If has found another record', 'Restore_a_site'] as const),
			() => ({ site_id: ids.sites[1]!, snapshot_id: ids.otherSnapshot.id }),
			/^Restore was refused by Only If: the site "[^"]+" \("https:.* has another URL than "https:/,
		],
	])('%s, and nothing is changed', async (_title, tool, given, message) => {
		expect(errorIn(await told(tool, given()))).toMatch(message);
		expect(agents.sent().filter(({ route }) => !route.startsWith('GET'))).toEqual([]);
	});

	it('give the rule of the service', async () => {
		const given = { staging_site_id: ids.stagingSite, days: 10_000 };
		expect(errorIn(await told('Extend_a_staging_site', given))).toMatch(
			/^The service rejected this: .*days/,
		);
	});

	it('say that a change may have been applied and where to check; the agent continues', async () => {
		await dropAnswer();
		const tag = { name: 'Once', color };
		const { results } = await agents.talk([
			[['Create_a_tag', tag]],
			[['Get_a_site', { site_id: ids.sites[0]! }]],
			[['Create_a_tag', { ...tag, name: 'Twice' }]],
		]);
		expect(errorIn(results[0]!)).toContain(
			'The service did not answer; the change may have been applied: check /tags (Tag: Get Many) before you repeat it',
		);
		expect(recordsIn(results[1]!)).toEqual([expect.objectContaining({ id: ids.sites[0] })]);
		expect(recordsIn(results[2]!)).toEqual([expect.objectContaining({ name: 'Twice' })]);
		const named = agents.service.world.store.tags.peek().map(({ name }) => name);
		expect(named.filter((name) => /^(Once|Twice)$/.test(name)).sort()).toEqual(['Once', 'Twice']);
	});
});

/** Calls of one tool and of several, of which some fail, and what tells the result of each from the others. */
const mixed = (): Array<[...Call, tells: string]> => [
	...ids.sites
		.slice(0, 4)
		.map((site_id): [...Call, string] => ['Get_a_site', { site_id }, site_id]),
	['Get_a_site', { site_id: 'no-such-site' }, 'no-such-site'],
	...['Red', 'Green', 'Blue'].map((name): [...Call, string] => [
		'Create_a_tag',
		{ name, color },
		`"name":"${name}"`,
	]),
	['Create_a_tag', { name: '', color }, '"name\\" is empty'],
	['Rename_a_tag', { tag_id: ids.tags[3], name: 'Renamed too' }, 'Renamed too'],
	['List_clients', { search: 'nobody is called so' }, 'No records were found'],
];

/** The changes of tags that have been sent, in any order. */
const changesSent = () =>
	agents
		.sent()
		.filter(({ route }) => route.startsWith('POST'))
		.map(({ route, body }) => `${route} ${(body as { tag: { name: string } }).tag.name}`)
		.sort();

const changesOfMixed = () => [
	...['POST /tags Blue', 'POST /tags Green', 'POST /tags Red'],
	`POST /tags/${ids.tags[3]}/update Renamed too`,
];

describe('several calls in one answer of the model', () => {
	it('each have their own result, and each change is made once', async () => {
		const calls = mixed();
		const { results } = await agents.talk([
			calls.map(([tool, given]): Call => [tool, given]),
			[['Get_the_chosen_site']],
		]);
		calls.forEach(([, , tells], index) => expect(results[index]).toContain(tells));
		expect(changesSent()).toEqual(changesOfMixed());
	});
});

describe('older agents', () => {
	it.each([1.7, 2.2])(
		'%d: an error is reported where the tool continues on error, and no change is made twice',
		async (agentVersion) => {
			const path = `agent-${agentVersion * 10}`;
			const tool = agents.tools['Get a site']!;
			await agents.add({
				path,
				agentVersion,
				tools: {
					Stopping: tool,
					Continuing: { ...tool, settings: { onError: 'continueRegularOutput' } },
					Tagging: retried(),
				},
			});
			await dropAnswer();
			const [given, wrong] = [{ site_id: ids.sites[0] }, { site_id: 'no-such-site' }];
			const { results } = await agents.talk(
				[
					[['Continuing', given]],
					[['Continuing', wrong]],
					[['Stopping', wrong]],
					[['Tagging', { name: 'Dropped', color }]],
					['A', 'B'].map((name): Call => ['Tagging', { name, color }]),
				],
				path,
			);
			expect(results[0]).toContain(ids.sites[0]);
			expect(results[1]).toContain('no-such-site');
			// n8n's own: docs/agents.md says to set On Error.
			expect(results.slice(2, 4)).toEqual(['', '']);
			expect(changesSent()).toEqual(['POST /tags A', 'POST /tags B', 'POST /tags Dropped']);
		},
	);
});

describe('a credential with Changes per Execution 2', () => {
	it('counts for the calls of ten minutes behind an MCP server, without those that were refused', async () => {
		const path = 'mcp-at-most-2';
		const tools = {
			Tagging: { ...agents.tools['Create a tag']!, credential: AT_MOST_2 },
			Extending: { ...agents.tools['Extend a staging site']!, credential: AT_MOST_2 },
		};
		await agents.add({ path, tools });
		const told: Array<{ isError: boolean; text: string }> = [];
		// Each has a session of its own.
		const tooLong: Call = ['Extending', { staging_site_id: ids.stagingSite, days: 10_000 }];
		const calls = ['A', 'B', 'C'].map((name): Call => ['Tagging', { name: `MCP ${name}`, color }]);
		const [first, second, third] = calls as [Call, Call, Call];
		for (const [tool, given] of [tooLong, first, tooLong, tooLong, second, third]) {
			const session = await openMcp(`${agents.n8n.baseUrl}/mcp/${path}`);
			told.push(await session.call(tool, given));
			await session.close();
		}
		expect(told.map(({ isError }) => isError)).toEqual([true, false, true, true, false, true]);
		expect(told[2]!.text).toContain('The service rejected this');
		expect(told[5]!.text).toContain(
			'Changes per Execution is 2, here for any ten minutes. In the last ten minutes 2 were made',
		);
		const names = agents.service.world.store.tags.peek().map(({ name }) => name);
		expect(names.filter((name) => name.startsWith('MCP '))).toEqual(['MCP A', 'MCP B']);
	});
});

describe('an MCP server', () => {
	it('offers the same tools, with the same schemas', async () => {
		await agents.talk([]);
		const toAgent = agents.model.requests.at(-1)!.tools!.map((tool) => tool.function);
		const offered = await mcp.tools();
		expect(offered.map(({ name }) => name).sort()).toEqual(toAgent.map(({ name }) => name).sort());
		for (const { name, description, inputSchema } of offered) {
			const same = toAgent.find((each) => each.name === name)!;
			expect({ name, description, properties: inputSchema.properties }).toEqual({
				name,
				description: same.description,
				properties: same.parameters!.properties,
			});
		}
	});

	const KINDS =
		/every kind|blank|By URL|From List|as it is|Set_auto_updates: false|several of a|Set_the_branding|template: JSON/;

	it.each(filled.filter(([title]) => KINDS.test(title)))('%s', async (...row) => {
		const { given, sent } = inFleet(row);
		const { isError, text } = await mcp.call(toolOf(row[0]), given);
		expect({ isError, text }).toEqual({ isError: false, text: expect.any(String) });
		expect(besideNames(agents.sent())).toEqual(sent);
		expect(recordsIn(text).length).toBeGreaterThan(0);
	});

	it.each<[string, Record<string, unknown>, RegExp]>([
		['Get_a_site', { site_id: '' }, /The parameter "site_id" is empty/],
		['Get_a_site', { site_id: 'no-such-site' }, /No site is called "no-such-site"/],
		['List_tasks', { status: 'gone' }, /Status: must be one of .*running/],
		['Delete_a_tag_by_Read_Only', { tag_id: '1' }, /its Access is Read Only/],
		['List_sites', { company: 'Acme' }, /"company" is not one of this tool: "Acme"/],
		// n8n's own check of the schema.
		['Get_a_site', {}, /site_id/],
		['Extend_a_staging_site', { staging_site_id: '1', days: 'two' }, /days/],
	])('returns an error: %s %j', async (tool, given, message) => {
		const { isError, text } = await mcp.call(tool, given);
		expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(message) });
	});

	it('says that a change may have been applied, and does not make it again', async () => {
		const path = 'mcp-retried';
		await agents.add({ path, tools: { Tagging: retried() } });
		const retrying = await openMcp(`${agents.n8n.baseUrl}/mcp/${path}`);
		await dropAnswer();
		const { isError, text } = await retrying.call('Tagging', { name: 'Perhaps', color });
		await retrying.close();
		expect({ isError, text }).toEqual({
			isError: true,
			text: expect.stringContaining('the change may have been applied: check /tags'),
		});
		expect(changesSent()).toEqual(['POST /tags Perhaps']);
	});

	it('gives each of several calls its own result, and makes each change once', async () => {
		const calls = mixed();
		const results = await Promise.all(calls.map(([tool, given]) => mcp.call(tool, given)));
		calls.forEach(([, , tells], index) =>
			expect(results[index]!.text).toContain(tells.replaceAll('\\', '')),
		);
		expect(changesSent()).toEqual(changesOfMixed());
	});
});
