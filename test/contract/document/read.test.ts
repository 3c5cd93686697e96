import type { IDataObject } from 'n8n-workflow';
import { anyOperation, OF_SERVICE } from '../../support/apiNode';
import { mustSucceed, runNode, searchList } from '../../support/engine';
import { fleetEach, inStep } from '../../support/fleet';
import { useClock } from '../../support/transportClock';
import { type Answer, startWayward, type Wayward } from '../../support/wayward';

const HOUR_MS = 3_600_000;

const document = (more: object = {}) => ({
	openapi: '3.1.0',
	paths: {
		'/things': {
			get: {
				operationId: 'listThings',
				parameters: [{ name: 'kind', in: 'query', schema: { enum: ['a', 'b'] } }],
			},
			post: {
				operationId: 'addThing',
				requestBody: {
					content: { 'application/json': { schema: { properties: { name: { type: 'string' } } } } },
				},
			},
		},
	},
	...more,
});

interface Place extends Wayward {
	/** What each request had to sign in with. */
	tokens: Array<string | undefined>;
	reads: () => number;
	answer: (url: URL) => Answer;
}

/** A place that answers as `answer` says, which a test may change. */
async function placeWith(answer: Place['answer']): Promise<Place> {
	const own = await startWayward((url) => place.answer(url), OF_SERVICE);
	const tokens: Place['tokens'] = [];
	own.onRequest = ({ headers }) => void tokens.push(headers.authorization);
	const reads = () => own.requests.filter((each) => each.endsWith('openapi.json')).length;
	const place: Place = Object.assign(own, { tokens, reads, answer });
	return place;
}

/** A service with a document, whose other responses are empty objects. */
const serviceWith = async (answer: () => Answer = () => ({ body: document() })) =>
	await placeWith(({ pathname }) => (pathname.endsWith('openapi.json') ? answer() : { body: {} }));

let now = Date.parse('2026-03-01T12:00:00Z');
beforeEach(() => {
	now += 24 * HOUR_MS;
	useClock({ now: () => now, sleep: (ms) => void (now += ms) });
});

/** A run of an operation, by default one that the document checks. */
const run = async (
	{ baseUrl, token }: Pick<Place, 'baseUrl' | 'token'>,
	{
		limits = {},
		at,
		operation = 'listThings',
		values,
	}: { limits?: IDataObject; at?: string; operation?: string; values?: IDataObject } = {},
) =>
	await runNode(
		{ baseUrl, token, limits: { ...limits, ...(at && { apiDocumentUrl: at }) } },
		anyOperation(operation, values),
	);

describe('in the sandbox', () => {
	const fleet = fleetEach({ sites: 1 });

	it('the document is read once an hour for all items', async () => {
		inStep(fleet);
		const reads = () => fleet.routes().filter((route) => route.endsWith('/openapi.json')).length;
		const tags = async () => {
			const items = Array.from({ length: 5 }, (_, nth) => ({ nth }));
			mustSucceed(await runNode(fleet, anyOperation('GET /tags', {}, {}, { items })));
		};
		await tags();
		await tags();
		expect(reads()).toBe(1);
		fleet.clock.advance(HOUR_MS - 60_000);
		await tags();
		expect(reads()).toBe(1);
		fleet.clock.advance(60_000);
		await tags();
		expect(reads()).toBe(2);
		expect(fleet.routes().filter((route) => route === 'GET /tags').length).toBeGreaterThanOrEqual(
			20,
		);
	});

	it('the list of the editor has the operations with all typed words', async () => {
		inStep(fleet);
		fleet.clock.advance(24 * HOUR_MS);
		const rows = async (filter: string) =>
			(await searchList(fleet, { node: 'api', parameters: {}, method: 'searchOperations', filter }))
				.results;
		const found = await rows('TAG post');
		expect(found.map(({ value }) => value)).toContain('POST /tags');
		expect(found.every(({ name, value }) => /tag/i.test(`${name} ${value}`))).toBe(true);
		expect((await rows('list sites'))[0]!.value).toBe('GET /sites');
		expect(await rows('no such operation')).toEqual([]);
	});
});

describe('a document that was good', () => {
	it.each<[string, Answer]>([
		['an error', { status: 500, body: { error: 'down' } }],
		['not found', { status: 404 }],
		['a web page', { body: '<!doctype html><title>Down</title>' }],
		['another object', { body: { status: 'down' } }],
		['nothing', 'drop'],
	])('is kept while the service answers with %s, and read again each minute', async (_, answer) => {
		let current: Answer = { body: document() };
		const service = await serviceWith(() => current);
		expect((await run(service)).error).toBeUndefined();

		current = answer;
		now += HOUR_MS;
		const bad = { values: { 'query.kind': 'c' } };
		expect((await run(service, bad)).error?.message).toContain('which is not one of a, b');
		const tried = service.reads();
		expect(tried).toBeGreaterThan(1);
		now += 59_000;
		expect((await run(service)).error).toBeUndefined();
		expect(service.reads()).toBe(tried);

		now += 60_000;
		current = { body: document({ paths: { '/others': { get: {} } } }) };
		expect((await run(service)).error?.message).toContain(
			'is "listThings", which the API document does not have',
		);
		expect(service.reads()).toBe(tried + 1);
	});
});

describe('without a document', () => {
	it('a read is sent and a change is not, until it is read again after a minute', async () => {
		let current: Answer = { status: 404 };
		const service = await serviceWith(() => current);
		const add = { operation: 'POST /things', values: { 'body.name': 'A' } };
		const { error } = await run(service, add);
		expect(error?.message).toMatch(
			/^POST \/things cannot be checked, because the API document cannot be used: /,
		);
		expect(error?.description).toContain('Nothing was sent');
		expect((await run(service, { operation: 'GET /things' })).error).toBeUndefined();
		expect(service.routes()).toEqual(['GET /openapi.json', 'GET /things']);

		current = { body: document() };
		now += 59_000;
		expect((await run(service, add)).error).toBeDefined();
		now += 1_000;
		expect((await run(service, add)).error).toBeUndefined();
		expect(service.routes().slice(2)).toEqual(['GET /openapi.json', 'POST /things']);
	});

	const huge = { body: { ...document(), 'x-more': 'a'.repeat(20 * 1024 ** 2) } };

	it.each<[string, Answer, string]>([
		['YAML', { body: 'openapi: 3.1.0\npaths: {}' }, 'is a document in YAML. Enter the address of'],
		['a web page', { body: '<!doctype html>' }, 'is a web page, not an OpenAPI document'],
		['nothing', { body: '' }, 'is empty'],
		['Swagger', { body: { swagger: '2.0' } }, 'is Swagger 2.0, not OpenAPI 3'],
		['more than 20 MB', huge, 'is larger than 20 MB'],
	])('the reason is given for %s, at the service and elsewhere', async (_, answer, reason) => {
		const service = await serviceWith(() => answer);
		const elsewhere = await placeWith(() => answer);
		for (const at of [undefined, `${elsewhere.baseUrl}/openapi.json`]) {
			const { error } = await run(service, { operation: 'POST /things', at });
			expect(error?.message).toContain(
				`POST /things cannot be checked, because the API document cannot be used: The parameter "API Document URL" ${reason}`,
			);
		}
		expect([service.reads(), elsewhere.reads()]).toEqual([1, 1]);
	});

	const url = 'The parameter "API Document URL"';
	const headers = { Location: 'https://docs.test/new.json' };

	it.each<[string, Answer, string]>([
		['403', { status: 403 }, `${url} answers with 403, so no document can be read there`],
		[
			'another address',
			{ status: 301, headers },
			`${url} leads to https://docs.test/new.json. Enter that address`,
		],
		['nothing', 'drop', 'The API document PLACE cannot be read: '],
	])('the reason is given for a place that answers with %s', async (_, answer, reason) => {
		const service = await serviceWith();
		const elsewhere = await placeWith(() => answer);
		const at = `${elsewhere.baseUrl}/openapi.json`;
		const { error } = await run(service, { operation: 'POST /things', at });
		expect(error?.message).toContain(reason.replace('PLACE', at));
		expect(service.requests).toEqual([]);
	});
});

describe('the token', () => {
	it('goes to the document below the Base URL', async () => {
		const service = await serviceWith();
		expect((await run(service)).error).toBeUndefined();
		expect(service.tokens).toEqual(Array(2).fill(`Bearer ${service.token}`));
	});

	it('goes neither to another place nor to other paths of the service', async () => {
		const service = await serviceWith();
		const elsewhere = await placeWith(() => ({ body: document() }));
		const beside = new URL('/docs/openapi.json', service.baseUrl).href;
		for (const at of [`${elsewhere.baseUrl}/openapi.json`, beside])
			expect((await run(service, { at })).error).toBeUndefined();
		expect(elsewhere.tokens).toEqual([undefined]);
		const [things, documents] = ['/things', '.json'].map((end) =>
			service.tokens.filter((__, nth) => service.requests[nth]!.endsWith(end)),
		);
		expect(things).toEqual(Array(2).fill(`Bearer ${service.token}`));
		expect(documents).toEqual([undefined]);
	});

	it('does not follow the document to another place', async () => {
		const elsewhere = await placeWith(() => ({ body: document() }));
		const service = await serviceWith(() => ({
			...{ status: 302, headers: { Location: `${elsewhere.baseUrl}/openapi.json` } },
		}));
		expect((await run(service, { operation: 'addThing' })).error).toBeUndefined();
		expect(elsewhere.tokens).toEqual([undefined]);
	});

	it('that is refused keeps no other account from the document', async () => {
		const service = await serviceWith();
		let token = '';
		service.onRequest = ({ headers }) => void (token = headers.authorization ?? '');
		const { answer } = service;
		service.answer = (url) => (token === 'Bearer other' ? { status: 401 } : answer(url));
		const add = { operation: 'POST /things' };
		const { error } = await run({ ...service, token: 'other' }, add);
		expect(error?.message).toContain(
			'POST /things cannot be checked, because the API document cannot be used: ',
		);
		expect((await run(service, add)).error).toBeUndefined();
		now += HOUR_MS;
		expect((await run({ ...service, token: 'other' }, add)).error).toBeDefined();
	});
});

it('the document of a limited credential keeps the texts below names such as password', async () => {
	const parameters = [{ $ref: '#/components/parameters/password_kind' }];
	const kind = { name: 'kind', in: 'query', schema: { enum: ['a'] }, required: true };
	const service = await serviceWith(() => ({
		body: document({
			paths: { '/things': { get: { operationId: 'listThings', parameters } } },
			components: { parameters: { password_kind: kind } },
		}),
	}));
	const limits = { access: 'readOnly', alsoAllowed: 'GET /things' };
	mustSucceed(await run(service, { limits, values: { 'query.kind': 'a' } }));
	expect(service.requests.at(-1)).toBe('GET /api/v6/things?kind=a');
	expect((await run(service, { limits })).error?.message).toContain(
		'"Values to Send > kind" has no value',
	);
});
