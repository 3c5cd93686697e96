import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { casesOf, fc, PATIENCE_MS } from '../../support/effort';
import { newFolder } from '../../support/ending';
import { checkApi } from '../../../tools/drift/cli';
import { allOperations, root } from '../../support/reference';
import { type Answer, startWayward, type Wayward } from '../../support/wayward';
import { answerIn, type Json, servedDocument } from './support';

/** `npm run check -- api`: what it reads, what it prints, and what it says of what it cannot read. */

const all = allOperations.length;
const TOKEN = 'a-token-that-nobody-may-see';

const folder = newFolder('check-api');
let served: Json;
beforeAll(async () => void (served = await servedDocument()));

async function fileOf(content: string): Promise<string> {
	const file = join(folder, 'openapi.json');
	await writeFile(file, content);
	return file;
}

/** The document with a field that the nodes do not know, an operation gone, one moved and one new. */
function drifted(): Json {
	const document = structuredClone(served);
	const { paths } = document;
	answerIn(document, 'GET /tags/{tag_id}', 'tag').properties.icon = { type: 'string' };
	delete paths['/tags/{tag_id}'].delete;
	paths['/sites/{site_id}/backups/sync'] = paths['/sites/{site_id}/sync'];
	delete paths['/sites/{site_id}/sync'];
	paths['/domains'] = { get: { responses: {} } };
	return document;
}

/** A call that says why it comes to nothing: in two lines, without a stack, without the token. */
async function expectRefused(source: string, message: RegExp, token = TOKEN): Promise<void> {
	const args = source.split(' ').filter(Boolean);
	const { status, text } = await checkApi(args, { SITE_MANAGEMENT_API_TOKEN: token });
	expect(text).toMatch(message);
	expect(status).toBe(2);
	expect(text.split('\n')).toHaveLength(2);
	expect(text).not.toMatch(/^\s+at /m);
	expect(text).not.toContain(TOKEN);
}

describe('a file', () => {
	it.each<[form: string, textOf: (document: Json) => string]>([
		['YAML', stringify],
		['JSON with a byte order mark', (document) => `\uFEFF${JSON.stringify(document)}`],
	])('of %s without drift', async (_, textOf) => {
		const { status, text } = await checkApi([await fileOf(textOf(served))]);
		expect(text).toMatch(
			/^Site Management Service API 6\.0\.0, OpenAPI 3\.1\.0\n\nNo drift in what the document describes\.\nCompared: \d+ of \d+ operations, and \d{4} things of them\.\nNo.+ pinned.+\nNot described there, so not compared:\nB/,
		);
		expect(text).toContain(`Compared: ${all} of ${all} operations`);
		expect(text).toMatch(/^Task: Get, answer task\.input\.sites$/m);
		expect(status).toBe(0);
	});

	it('that is pinned, and then another one', async () => {
		const pinFile = join(folder, 'pinned.json');
		const check = async (document: Json, ...args: string[]) =>
			(await checkApi([await fileOf(JSON.stringify(document)), ...args], {}, pinFile)).text;
		expect(await check(served, '--pin')).toMatch(
			/^This is the pinned document: version 6\.0\.0, /m,
		);
		expect(await check(served)).toMatch(/^This is the pinned document: .+ SHA-256 [\da-f]{64}\.$/m);
		expect(await check(drifted())).toMatch(
			/^Not the pinned document \(version 6\.0\.0, pinned on 2/m,
		);
	});

	it('with drift: whole operations first, then a line for each, with where it is and what to do', async () => {
		const { status, text } = await checkApi([await fileOf(JSON.stringify(drifted()))]);
		expect(status).toBe(1);
		const [, gone, moved, added, parts, ended] = text.split('\n\n');
		expect(gone).toMatch(
			/^The nodes have these .+ no longer does:\n {2}Tag: Delete {4}gone there: there is no DELETE \/tags\/\{\} any more.*$/,
		);
		expect(moved).toMatch(
			/^These .+ moved:\n {2}Backup: Back Up {4}moved: is POST \/sites\/\{site_id\}\/backups\/sync there.*$/,
		);
		expect(added).toMatch(
			/^The service has these .+:\n {2}An operation \(GET \/domains\) {4}.*Until then, use Any Operation.*$/,
		);
		expect(parts).toBe(
			'nodes/Tag/resources/tag.ts\n  Tag: Get  answer tag.icon  missing here: is new  Add it to `output` of the resource.',
		);
		expect(ended).toMatch(/^4 differences: 2 missing here, 1 gone there, 1 moved$/m);
	});

	it('whose names would steer the terminal, which they may not', async () => {
		const document = structuredClone(served);
		document.info = { title: 'An\n\u001b[2JAPI' };
		answerIn(document, 'GET /tags/{tag_id}', 'tag').properties['\u001b[31micon'] = {};
		const { text } = await checkApi([await fileOf(JSON.stringify(document))]);
		expect(text).toMatch(/^An  \[2JAPI, OpenAPI 3\.1\.0\n/);
		expect(text).toContain('answer tag. [31micon');
	});
});

const API = 'openapi: 3.1.0, info: { title: Pets, version: 1 }';
const TO_TAG =
	'paths: { /tags: { get: { responses: { 200: { content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } } } } } }';
/** Aliases of aliases, each of nine of the one before. */
const ENDLESS = `a: &a [x, x, x]\n${[...'bcdefghij'].map((name, index) => `${name}: &${name} [${`*${'abcdefghi'[index]}, `.repeat(9)}]`).join('\n')}`;

describe('a document that is not an API reference', () => {
	it.each<[what: string, content: string, message: RegExp]>([
		['a web page', '<!doctype html>\n<title>Sign in</title>', /is a web page.*\n.*\/openapi\.json/],
		['an empty file', '', /is not an OpenAPI document of version 3\.\nGive/],
		['a sentence', 'Not found', /is not an OpenAPI document of version 3\.\nGive/],
		['cut JSON', '{"openapi":"3.1.0","info":{"tit', /is not valid JSON: .*\n.*cut off/],
		['endless YAML', ENDLESS, /is not valid JSON or YAML: Excessive alias count.*\n/],
	])('%s', async (_, content, message) => {
		await expectRefused(await fileOf(content), message);
	});

	it.each<[content: string, message: RegExp]>([
		['', /is not an OpenAPI document of version 3\.\n/],
		['swagger: "2.0", paths: {}', /is not an OpenAPI document of version 3, but of version 2\.0/],
		[`${API.replace('3.1', '4.0')}, paths: {}`, /but of version 4\.0\.0\.\n/],
		[`${API}, paths: []`, /is broken: it has no object "paths"/],
		[
			`${API}, paths: { /pets: { get: {} } }`,
			/^Pets 1, .* is not the service's document: it has none/,
		],
		[
			`${API}, paths: { /tags: { get: tags } }`,
			/is broken: its entry for GET \/tags is not an object/,
		],
		[
			`${API}, paths: { /tags: { $ref: tags.json } }`,
			/in another document, tags\.json, .*\nMake one/,
		],
		[`${API}, ${TO_TAG}`, /is broken: the reference #\/components\/schemas\/A leads nowhere/],
		[
			`${API}, ${TO_TAG}, components: { schemas: { A: { $ref: "#/components/schemas/A" } } }`,
			/is broken: .*#\/components\/schemas\/A/,
		],
	])('{ %s }', async (content, message) => {
		await expectRefused(await fileOf(JSON.stringify(parse(`{ ${content} }`))), message);
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
				const { status, text } = await checkApi([await fileOf(JSON.stringify(document))]);
				expect(text).not.toMatch(/^\s+at /m);
				if (status === 2) expect(text.split('\n')).toHaveLength(2);
			}),
			{ numRuns: casesOf('CALLS', { quick: 100, long: 5_000 }) },
		);
	},
	PATIENCE_MS,
);

it.each<[args: string, message: RegExp, token?: string]>([
	['', /^Give one file or URL\.\nUsage/],
	['a.json --fast', /^Unknown option '--fast'\.\nUsage/],
	['/nowhere/a.json', /^There is no file \/nowhere\/a\.json\n/],
	[root, /^The file cannot be read \(EISDIR\)/],
	['ftp://example.com/a.json', /^That is no URL with http/],
	[`https://me:${TOKEN}@example.com/`, /^That is no URL with .* without a user name/],
	['http://example.com/openapi.json', /^The token is only sent over https/],
	['https://example.com/a.json', /^The token is empty, or contains a space/, `${TOKEN}\n`],
])('the call %j is refused', async (...[args, message, token]) => {
	await expectRefused(args, message, token);
});

describe('a URL', () => {
	let service: Wayward;
	let answer: (url: URL) => Answer;
	let tokens: Array<string | undefined>;

	beforeEach(async () => {
		service = await startWayward((url) => answer(url));
		tokens = [];
		service.onRequest = ({ headers }) => void tokens.push(headers.authorization);
	});

	const url = () => `${service.baseUrl}/openapi.json`;

	it.each<[what: string, environment: NodeJS.ProcessEnv, sent: string | undefined]>([
		['the token of the environment', { SITE_MANAGEMENT_API_TOKEN: TOKEN }, `Bearer ${TOKEN}`],
		['none without one', {}, undefined],
	])('gets %s', async (_, environment, sent) => {
		answer = () => ({ body: served });
		const { status } = await checkApi([url()], environment);
		expect([status, tokens, service.requests]).toEqual([0, [sent], ['GET /api/v6/openapi.json']]);
	});

	it('that redirects to another host does not give it the token', async () => {
		const other = await startWayward(() => ({ body: served }));
		other.onRequest = service.onRequest;
		answer = () => ({ status: 307, headers: { Location: `${other.baseUrl}/x` } });
		const { status } = await checkApi([url()], { SITE_MANAGEMENT_API_TOKEN: TOKEN });
		expect([status, tokens]).toEqual([0, [`Bearer ${TOKEN}`, undefined]]);
	});

	const page: Answer = { headers: { 'Content-Type': 'text/html' }, body: '<html><body>Hello' };

	it.each<[answer: Answer, message: RegExp]>([
		[{ status: 301, headers: { Location: '/api/v6/openapi.json' } }, /redirect count exceeded/],
		[{ status: 401, body: TOKEN }, /answered with 401\.\nLook at the URL and the token/],
		[page, /is a web page/],
		['drop', /could not be reached/],
	])('that answers with %.80j', async (given, message) => {
		answer = () => given;
		await expectRefused(url(), message);
	});
});

it('the command exits with 1 on drift', async () => {
	const program = [join(root, 'tools/check.mjs'), 'api', await fileOf(JSON.stringify(drifted()))];
	const { status, stdout } = spawnSync(process.execPath, program, { cwd: root, encoding: 'utf8' });
	expect([status, stdout]).toEqual([1, expect.stringContaining('4 differences: ')]);
});
