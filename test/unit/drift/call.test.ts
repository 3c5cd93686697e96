import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { casesOf, fc, PATIENCE_MS } from '../../support/effort';
import { parse, stringify } from 'yaml';
import { checkApi } from '../../../tools/drift/cli';
import { allOperations, root } from '../../support/reference';
import { type Answer, startWayward, type Wayward } from '../../support/wayward';
import { answerIn, type Json, operationIn, servedDocument } from './support';

/** `npm run check -- api` as it is called: what it reads, what it prints, and what it says of what it can not read. */

const all = allOperations.length;
const TOKEN = 'a-token-that-nobody-may-see';

let served: Json;
let folder: string;

beforeAll(async () => {
	served = await servedDocument();
	folder = await mkdtemp(join(tmpdir(), 'check-api-'));
});

afterAll(async () => await rm(folder, { recursive: true }));

/** The path of a file with this content. */
async function fileOf(content: string, name = 'openapi.json'): Promise<string> {
	const file = join(folder, name);
	await writeFile(file, content);
	return file;
}

/** The document with a field that the nodes do not know, and an operation less. */
function drifted(): Json {
	const document = structuredClone(served);
	answerIn(document, 'GET /tags/{tag_id}', 'tag').properties.icon = { type: 'string' };
	delete document.paths['/sites/{site_id}/sync'];
	return document;
}

/** A call that says why it comes to nothing: in two lines, without a stack, without the token. */
async function expectRefused(args: string[], message: RegExp): Promise<void> {
	const { status, text } = await checkApi(args, {});
	expect(text).toMatch(message);
	expect(status).toBe(2);
	expect(text.split('\n')).toHaveLength(2);
	expect(text).not.toMatch(/^\s+at /m);
	expect(text).not.toContain(TOKEN);
}

describe('a file', () => {
	it('of JSON without drift', async () => {
		const { status, text } = await checkApi([await fileOf(JSON.stringify(served))]);
		expect(text).toMatch(
			/^Site Management Service API 6\.0\.0, OpenAPI 3\.1\.0\n\nNo drift in what the document describes\.\nCompared: \d+ of \d+ operations, and \d{4} things of them\.\nNot described there, so not compared: \d+ \(--json lists them\)\.$/,
		);
		expect(text).toContain(`Compared: ${all} of ${all} operations`);
		expect(status).toBe(0);
	});

	it.each<[form: string, textOf: (document: Json) => string, name: string]>([
		['of YAML', stringify, 'openapi.yaml'],
		['with a byte order mark', (document) => `\uFEFF${JSON.stringify(document)}`, 'openapi.json'],
	])('%s', async (_, textOf, name) => {
		expect((await checkApi([await fileOf(textOf(served), name)])).status).toBe(0);
	});

	it('with drift: a line for each, with where it is and what to do', async () => {
		const { status, text } = await checkApi([await fileOf(JSON.stringify(drifted()))]);
		expect(status).toBe(1);
		const lines = text.split('\n');
		const line = lines.findIndex((each) => each === 'nodes/Tag/resources/tag.ts');
		expect(lines[line + 1]).toBe(
			'  Tag: Get  answer tag.icon  missing here: is new  Add it to `output` of the resource.',
		);
		expect(text).toMatch(
			/^ {2}Backup: Back Up {4}gone there: there is no POST \/sites\/\{\}\/sync/m,
		);
		expect(text).toMatch(/^2 differences: 1 missing here, 1 gone there$/m);
		expect(text).toContain(`\nCompared: ${all - 1} of ${all} operations`);
	});

	it('as JSON', async () => {
		const file = await fileOf(JSON.stringify(drifted()));
		const { status, text } = await checkApi([file, '--json']);
		expect(status).toBe(1);
		expect(JSON.parse(text)).toEqual({
			document: 'Site Management Service API 6.0.0, OpenAPI 3.1.0',
			drift: true,
			findings: [
				expect.objectContaining({
					operation: 'Backup: Back Up',
					change: 'gone there',
					place: '',
				}),
				expect.objectContaining({ operation: 'Tag: Get', place: 'answer tag.icon' }),
			],
			operations: { compared: all - 1, total: all },
			compared: expect.any(Number),
			undescribed: expect.arrayContaining(['Task: Get, answer task.input.sites']),
			words: {},
			wordsInDoubt: [],
			otherDocuments: [],
		});
	});

	it('whose names would steer the terminal, which they may not', async () => {
		const document = structuredClone(served);
		document.info = { title: 'An\n\u001b[2JAPI' };
		answerIn(document, 'GET /tags/{tag_id}', 'tag').properties['\u001b[31micon'] = {};
		const { status, text } = await checkApi([await fileOf(JSON.stringify(document))]);
		expect(text).toMatch(/^An  \[2JAPI, OpenAPI 3\.1\.0\n/);
		expect(text).toContain('answer tag. [31micon');
		expect(status).toBe(1);
	});

	it('with references to other documents, which are named', async () => {
		const document = structuredClone(served);
		const { responses } = operationIn(document, 'GET /tags');
		responses[200] = { $ref: 'https://api.example.com/answers.json#/tags' };
		const { status, text } = await checkApi([await fileOf(JSON.stringify(document))]);
		expect(text).toMatch(
			/^In other documents, which are not read: https:\/\/api\.example\.com\/answers\.json#\/tags\.$/m,
		);
		expect(status).toBe(0);
	});
});

const json = (value: unknown) => JSON.stringify(value);
/** Aliases of aliases, each of nine of the one before. */
const ENDLESS = `a: &a [x, x, x]\n${[...'bcdefghij'].map((name, index) => `${name}: &${name} [${`*${'abcdefghi'[index]}, `.repeat(9)}]`).join('\n')}`;
const API = 'openapi: 3.1.0, info: { title: Pets, version: 1 }';
const toTag = (ref: string) =>
	`paths: { /tags: { get: { responses: { 200: { content: { application/json: { schema: { $ref: "${ref}" } } } } } } } }`;

describe('a document that is not an API reference', () => {
	it.each<[what: string, content: string, message: RegExp]>([
		['a web page', '<!doctype html>\n<title>Sign in</title>', /is a web page.*\n.*\/openapi\.json/],
		['an empty file', '', /is empty, not an OpenAPI document of version 3\.\nGive/],
		['null', 'null', /is empty, not/],
		['a list', '[]', /is a list, not/],
		['a number', '7', /is a single value, not/],
		['a sentence', 'Not found', /is a single value, not/],
		['an empty object', '{}', /is an object without "openapi", not/],
		['cut JSON', '{"openapi":"3.1.0","info":{"tit', /is not valid JSON: .*\n.*cut off/],
		['broken YAML', 'openapi: 3.1.0\n\tpaths: [', /is not valid JSON or YAML: .*\n.*cut off/],
		['endless YAML', ENDLESS, /is not valid JSON or YAML: Excessive alias count.*\n/],
		[
			'too much',
			`{"openapi":"3.1.0","x":"${'x'.repeat(20_000_000)}"}`,
			/is larger than 20 MB.*\nGive/,
		],
	])('%s', async (_, content, message) => {
		await expectRefused([await fileOf(content)], message);
	});

	it.each<[content: string, message: string]>([
		['swagger: "2.0", paths: {}', 'is Swagger 2\\.0, not.*\n.*convert it'],
		['asyncapi: 3.0.0', 'is AsyncAPI, which describes messages, not'],
		[`${API.replace('3.1', '4.0')}, paths: {}`, 'is OpenAPI 4\\.0\\.0, not'],
		[API, 'is broken: it has no object "paths"'],
		[`${API}, paths: []`, 'is broken: it has no object "paths"'],
		[`${API}, paths: {}`, `is not the service's document: it has none of the ${all} operations`],
		[
			`${API}, paths: { /pets: { get: {} } }`,
			`^Pets 1, OpenAPI 3\\.1\\.0, is not the service's document: it has none of the ${all} operations.*\nGive`,
		],
		[
			`${API}, paths: { /tags: { get: {} }, /tasks: { get: {} }, /pets: { get: {} } }`,
			`is not the service's document: it has 2 of the ${all} operations.*\nGive`,
		],
		[
			`${API}, paths: { /tags: { get: tags } }`,
			'is broken: its entry for GET /tags is not an object',
		],
		[
			`${API}, paths: { /tags: { $ref: tags.json } }`,
			'has paths or parameters in another document, tags\\.json, .*\nMake one',
		],
		[
			`${API}, paths: { /tags: { get: { parameters: [{ $ref: a.json#/b }] } } }`,
			'has paths or parameters in another document, a\\.json#/b, .*\nMake one',
		],
		[
			`${API}, ${toTag('#/components/schemas/Tag')}`,
			'is broken: the reference #/components/schemas/Tag leads nowhere',
		],
		[
			`${API}, ${toTag('#/components/schemas/A')}, components: { schemas: { A: { $ref: "#/components/schemas/A" } } }`,
			'is broken: .*#/components/schemas/A',
		],
	])('{ %s }', async (content, message) => {
		await expectRefused([await fileOf(json(parse(`{ ${content} }`)))], new RegExp(message));
	});
});

it(
	'a document with anything anywhere is compared, or refused in two lines',
	async () => {
		const anything = fc.constantFrom<unknown>(
			...[null, [], {}, 'x', 7, true, false, [null], { allOf: [{ $ref: '#' }] }],
			...['', '#', '#/paths', '#/%zz', '#/components/schemas/Error'].map(($ref) => ({ $ref })),
		);
		const place = fc.array(fc.nat(), { minLength: 2, maxLength: 16 });
		// A small one has each of its places met.
		const paths = { '/tags': served.paths['/tags'], '/sites': served.paths['/sites'] };
		await fc.assert(
			fc.asyncProperty(place, anything, async (steps, value) => {
				const document = structuredClone({ ...served, paths });
				let holder: Json = { document };
				let key = 'document';
				for (const step of steps) {
					const inner = holder[key];
					const keys = typeof inner === 'object' && inner !== null ? Object.keys(inner) : [];
					if (keys.length === 0) break;
					holder = inner;
					key = keys[step % keys.length]!;
				}
				holder[key] = structuredClone(value);
				const { status, text } = await checkApi([await fileOf(json(document))]);
				expect(text).not.toMatch(/^\s+at /m);
				if (status === 2) expect(text.split('\n')).toHaveLength(2);
			}),
			{ numRuns: casesOf('CALLS', { quick: 100, long: 5_000 }) },
		);
	},
	PATIENCE_MS,
);

describe('a wrong call', () => {
	it.each<[args: string, message: RegExp]>([
		['', /^Give one file or URL\.\nUsage/],
		['a.json b.json', /^Give one file or URL\.\nUsage/],
		['a.json --fast', /^Unknown option '--fast'\.\nUsage/],
		['a.json --token', /--token.*\nUsage/],
		['a.json --timeout soon', /^--timeout must be.*\nUsage/],
		['/nowhere/a.json', /^There is no file \/nowhere\/a\.json\n/],
		[root, /^That is a folder/],
		[`a.json --token ${TOKEN}`, /^--token is for a URL/],
		['ftp://example.com/a.json', /^That is no URL with http/],
		['http://', /^That is no URL with http/],
		[`https://me:${TOKEN}@example.com/`, /^The URL contains a username/],
		[`http://example.com/openapi.json --token ${TOKEN}`, /^The token is only sent over https/],
		[`https://example.com/a.json --token ${TOKEN}\n`, /^The token is empty, or contains a space/],
	])('%j', async (args, message) => {
		await expectRefused(args.split(' ').filter(Boolean), message);
	});

	it('lists all the options', async () => {
		const { status, text } = await checkApi(['--help']);
		expect(status).toBe(0);
		for (const option of ['token', 'timeout', 'json']) expect(text).toContain(`--${option}`);
	});
});

describe('a URL', () => {
	let service: Wayward;
	let answer: (url: URL, count: number) => Answer;
	let tokens: Array<string | undefined>;

	beforeEach(async () => {
		service = await startWayward((url, count) => answer(url, count));
		tokens = [];
		service.onRequest = ({ headers }) => void tokens.push(headers.authorization);
	});
	afterEach(async () => await service.close());

	const call = async (...args: string[]) =>
		await checkApi([`${service.baseUrl}/openapi.json`, ...args], {});

	it.each<[what: string, args: string[], environment: NodeJS.ProcessEnv, sent: string | undefined]>(
		[
			['the token', ['--token', TOKEN], {}, `Bearer ${TOKEN}`],
			['the one of the environment', [], { SITE_MANAGEMENT_API_TOKEN: TOKEN }, `Bearer ${TOKEN}`],
			['none without one', [], {}, undefined],
		],
	)('gets %s', async (_, args, environment, sent) => {
		answer = () => ({ body: served });
		const { status } = await checkApi([`${service.baseUrl}/openapi.json`, ...args], environment);
		expect([status, tokens, service.requests]).toEqual([0, [sent], ['GET /api/v6/openapi.json']]);
	});

	it('does not need the token of the environment for a file', async () => {
		const file = await fileOf(JSON.stringify(served));
		expect((await checkApi([file], { SITE_MANAGEMENT_API_TOKEN: TOKEN })).status).toBe(0);
	});

	it('may redirect on its own host', async () => {
		answer = ({ pathname }) =>
			pathname === '/docs/openapi.json'
				? { body: served }
				: { status: 302, headers: { Location: '/docs/openapi.json' } };
		expect((await call('--token', TOKEN)).status).toBe(0);
		expect(tokens).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
	});

	it('may not redirect to another host', async () => {
		const other = await startWayward(() => ({ body: served }));
		answer = () => ({ status: 307, headers: { Location: `${other.baseUrl}/x?token=${TOKEN}` } });
		await expectRefused(
			[`${service.baseUrl}/openapi.json`, '--token', TOKEN],
			/redirects to another address, http:.*\/api\/v6\/x, which the node does not follow\.\nIf/,
		);
		expect(other.requests).toEqual([]);
		await other.close();
	});

	it('may not redirect without end', async () => {
		answer = () => ({ status: 301, headers: { Location: '/api/v6/openapi.json' } });
		await expectRefused([`${service.baseUrl}/openapi.json`], /redirects without end/);
		expect(service.requests).toHaveLength(6);
	});

	it.each<[status: number, message: RegExp]>([
		[302, /answered with 302: it returned no document/],
		[401, /answered with 401: it wants an API token\.\nGive a valid one with --token/],
		[403, /answered with 403: the token may not do this/],
		[404, /answered with 404: there is no such document\.\nGive/],
		[429, /answered with 429: the rate limit is used up/],
		[503, /answered with 503: it returned no document\.\nTry again later/],
	])('that answers with %s', async (status, message) => {
		answer = () => ({ status, body: { error: { message: `no ${TOKEN}` } } });
		await expectRefused([`${service.baseUrl}/openapi.json`, '--token', TOKEN], message);
	});

	it('that is a web page', async () => {
		answer = () => ({ headers: { 'Content-Type': 'text/html' }, body: '<html><body>Hello' });
		await expectRefused([`${service.baseUrl}/openapi.json`], /is a web page/);
	});

	it('that does not end', async () => {
		answer = () => ({ body: 'x'.repeat(20_000_001) });
		await expectRefused([`${service.baseUrl}/openapi.json`], /is larger than 20 MB/);
	});

	it('that breaks off', async () => {
		answer = () => 'drop';
		await expectRefused([`${service.baseUrl}/openapi.json?key=${TOKEN}`], /could not be reached/);
	});
});

describe('a URL that is silent', () => {
	let server: Server;

	/** A server that does only this with a request. */
	async function start(listener: RequestListener): Promise<string> {
		server = createServer(listener);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
	}

	async function stop(): Promise<void> {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
	afterEach(stop);

	it.each<[when: string, listener: RequestListener]>([
		['from the beginning', () => {}],
		['in the middle', (_, response) => void response.write('{"openapi":')],
	])('%s', async (_, listener) => {
		const url = await start(listener);
		await expectRefused(
			[url, '--timeout', '0.2'],
			/did not answer within 0\.2 seconds\.\n.*--timeout/,
		);
	});

	it('since nobody listens there', async () => {
		const url = await start(() => {});
		await stop();
		await expectRefused([url], /could not be reached \(ECONNREFUSED\)\.\nLook at/);
	});
});

/** The command itself. */
const run = async (...args: string[]) =>
	await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
		const program = [join(root, 'tools/check.mjs'), 'api', ...args];
		execFile(process.execPath, program, { cwd: root }, (error, stdout, stderr) =>
			resolve({ code: error?.code ?? 0, stdout, stderr }),
		);
	});

describe('the command', () => {
	it('exits with 1 on drift', async () => {
		const { code, stdout, stderr } = await run(await fileOf(json(drifted())), '--json');
		expect([code, stderr]).toEqual([1, '']);
		expect(JSON.parse(stdout).findings).toHaveLength(2);
	});

	it('exits with 2 on a document that cannot be read', async () => {
		const { code, stdout, stderr } = await run(await fileOf('{'));
		expect([code, stdout]).toEqual([2, '']);
		expect(stderr).toMatch(/^The document is not valid JSON/);
	});
});
