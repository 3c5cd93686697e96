import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { contentOf, runNode, startNode, type NodeRun } from '../support/engine';
import { casesOf, fc } from '../support/effort';
import { inStep, startFleet, type Fleet, type Sent } from '../support/fleet';
import { locator } from '../support/locator';
import { useClock } from '../support/transportClock';
import { startWayward, type Answer } from '../support/wayward';
import { EFFECTS } from '../../nodes/shared/access/effects';

/** Requests that no operation is for: as far as the service is asked, they are like all others. */

let fleet: Fleet;
let sites: Array<Record<string, any>>;
beforeEach(async () => {
	fleet = await startFleet({ sites: 130 });
	inStep(fleet);
	sites = await fleet.sites(5);
	fleet.forget();
});
afterEach(async () => await fleet.close());

const on = (parameters: INodeParameters, more: Partial<NodeRun> = {}): NodeRun => ({
	node: 'api',
	parameters: { resource: 'request', operation: 'send', ...parameters },
	...more,
});
const run = async (parameters: INodeParameters, more?: Partial<NodeRun>) =>
	await runNode(fleet, on(parameters, more));
const limited = (limits: IDataObject) => ({ ...fleet, limits });
const changes = () => fleet.sent().filter(({ route }: Sent) => !route.startsWith('GET '));

/** Answers in the place of the service; its headers of the rate limit show who it is. */
const OF_SERVICE = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

async function answered(answer: Answer, parameters: INodeParameters = {}, common = OF_SERVICE) {
	const service = await startWayward(() => answer, common);
	const result = await runNode(service, on({ path: '/things', ...parameters }));
	await service.close();
	return { ...result, requests: service.requests };
}

describe('what is sent', () => {
	it('GET with a query, with the response unchanged', async () => {
		const query = {
			'filters[url:contains]': 'example',
			sort: 'url,asc',
			perPage: 2,
		};
		const { json, items, error } = await run({ path: '/sites', query: JSON.stringify(query) });
		expect(error).toBeUndefined();
		expect(fleet.sent()).toEqual([
			{
				route: 'GET /sites',
				query: {
					'filters[url:contains]': 'example',
					sort: 'url,asc',
					perPage: '2',
				},
				body: undefined,
			},
		]);
		expect(json).toEqual([{ sites: expect.any(Array), meta: { pagination: expect.any(Object) } }]);
		expect(items[0]!.pairedItem).toEqual({ item: 0 });
	});

	it('a list in the query, once for each entry', async () => {
		const { requests } = await answered({ body: {} }, { query: '{"ids":[1,"b"],"on":true}' });
		const [sent] = requests as [string];
		expect(decodeURIComponent(sent)).toBe('GET /api/v6/things?ids[]=1&ids[]=b&on=true');
	});

	it('an object in the query, such as of filters', async () => {
		await run(
			{ path: '/sites', query: '={{ { filters: { "url:contains": $json.url } } }}' },
			{
				items: [{ url: 'a&b=c' }],
			},
		);
		expect(fleet.sent().map(({ query }) => query)).toEqual([{ 'filters[url:contains]': 'a&b=c' }]);
	});

	it('POST with a body, from JSON or from an expression', async () => {
		const name = { name: 'Own' };
		for (const body of ['{ "tag": { "name": "Own" } }', '={{ { tag: $json } }}']) {
			const { json } = await run({ method: 'POST', path: '/tags', body }, { items: [name] });
			expect(json).toEqual([{ tag: expect.objectContaining(name) }]);
		}
		const wanted = { route: 'POST /tags', query: {}, body: { tag: name } };
		expect(fleet.sent()).toEqual([wanted, wanted]);
	});

	it('a change that has no body and no answer', async () => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Own' } });
		fleet.forget();
		const { json } = await run({ method: 'DELETE', path: `tags/${data.tag.id}` });
		expect(json).toEqual([{ status: 204 }]);
		expect(fleet.sent()).toEqual([
			{ route: `DELETE /tags/${data.tag.id}`, query: {}, body: undefined },
		]);
	});

	it.each(['PUT', 'PATCH', 'POST', 'DELETE'])('%s, with a query and a body', async (method) => {
		const seen: string[] = [];
		const service = await startWayward(() => ({ body: { thing: { id: '1' } } }), OF_SERVICE);
		service.onRequest = (request) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => seen.push(Buffer.concat(chunks).toString()));
		};
		const parameters = { method, path: '/things/1', query: '{"a":1}', body: '{"b":[null,""]}' };
		const { json } = await runNode(service, on(parameters));
		await service.close();
		expect(json).toEqual([{ thing: { id: '1' } }]);
		expect(service.requests).toEqual([`${method} /api/v6/things/1?a=1`]);
		expect(seen).toEqual(['{"b":[null,""]}']);
	});

	it('a path is encoded, so that it stays the one that was written', async () => {
		const { requests } = await answered({ body: {} }, { path: ' /things/a b/ö:1,2 ' });
		expect(requests).toEqual(['GET /api/v6/things/a%20b/%C3%B6%3A1%2C2']);
	});

	it('parameters by expression, for each item', async () => {
		const { json } = await run(
			{ method: '={{ $json.method }}', path: '=/tags{{ $json.end }}', body: '={{ $json.body }}' },
			{
				items: [
					{ method: 'POST', end: '', body: { tag: { name: 'A' } } },
					{ method: 'POST', end: '', body: { tag: { name: 'B' } } },
				],
			},
		);
		expect(json.map(({ tag }: any) => tag.name)).toEqual(['A', 'B']);
	});

	it('changes go in the order of the items, one at a time, and none after a failure', async () => {
		const names = ['A', 'B', '', 'D'];
		const { error } = await run(
			{ method: 'POST', path: '/tags', body: '={{ { tag: { name: $json.name } } }}' },
			{ items: names.map((name) => ({ name })) },
		);
		expect(fleet.sent().map(({ body }: any) => body.tag.name)).toEqual(['A', 'B', '']);
		expect(error?.message).toContain('item 3 of 4; 2 changes were made before it: run again from');
		expect(error?.context!.details).toMatchObject({ outcome: 'refused', item: 3 });
	});
});

describe('the output', () => {
	it.each([
		['an object', { body: { a: { b: null } } }, { a: { b: null } }],
		['an object without an error', { body: { error: null, id: 1 } }, { error: null, id: 1 }],
		['a bare list', { body: [{ id: '1' }] }, { answer: [{ id: '1' }] }],
		['a number', { headers: JSON_TYPE, body: '7' }, { answer: 7 }],
		['a text as JSON', { headers: JSON_TYPE, body: '"done"' }, { answer: 'done' }],
		['an empty object', { body: {} }, {}],
		['no content', { status: 204 }, { status: 204 }],
		['an empty answer', { status: 202 }, { status: 202 }],
	] as Array<[string, Answer, IDataObject]>)('%s', async (_what, answer, wanted) => {
		const { json, error } = await answered(answer);
		expect(error).toBeUndefined();
		expect(json).toEqual([wanted]);
	});

	it.each([
		['a web page', { headers: { 'Content-Type': 'text/html' }, body: '<!DOCTYPE html>' }],
		['text', { body: 'OK' }],
		['cut off or broken JSON', { headers: JSON_TYPE, body: '{"tags":[' }],
		['a redirect to ', { status: 302, headers: { Location: 'https://www.example.com/login' } }],
		['an error: {"message":"no"}', { body: { error: { message: 'no' } } }],
	] as Array<[string, Answer]>)('%s is refused', async (what, answer) => {
		for (const method of ['GET', 'POST']) {
			const { items, error, requests } = await answered(answer, { method });
			expect(error?.message).toContain(what);
			expect(items).toEqual([]);
			expect(requests).toHaveLength(1);
			const isUnknown = error!.message.includes('the change may have been applied: check /things');
			expect([method, isUnknown]).toEqual([method, method === 'POST']);
		}
	});

	it('is nothing where the response does not show that the service sent it', async () => {
		const { error } = await answered({ status: 200 }, {}, {} as never);
		expect(error?.message).toContain('The response does not match the API: it is empty');
	});

	it('has the reason of a refusal, and no secret that was sent', async () => {
		const answer = { status: 422, body: { error: { message: 'weak: hush hush' } } };
		const body = '{"user":{"password":"hush hush"}}';
		const { error } = await answered(answer, { method: 'POST', body });
		expect(error?.message).toContain('The service rejected this: weak: ');
		expect(JSON.stringify([error?.message, error?.description])).not.toContain('hush');
		expect(error?.context!.details).toEqual({ outcome: 'refused', status: 422, item: 1 });
	});

	it('only a GET is sent again when the service fails', async () => {
		for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
			const { error, requests } = await answered({ status: 503 }, { method });
			expect([method, requests.length]).toEqual([method, method === 'GET' ? 4 : 1]);
			expect(error?.context!.details).toMatchObject({
				outcome: 'unknown',
				status: 503,
				...(method !== 'GET' && { verifyAt: '/things' }),
			});
		}
	});

	it('an unknown outcome says where to check a known change', async () => {
		const service = await startWayward(() => ({ status: 500 }), OF_SERVICE);
		const { error } = await runNode(service, on({ method: 'DELETE', path: '/tags/7' }));
		await service.close();
		expect(error?.message).toContain('check /tags/7 (Tag: Get) before you repeat it');
	});

	it('a change that is under way when the execution ends leaves a trace', async () => {
		let cancel = () => {};
		const server: Server = createServer(() => cancel());
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const access = { baseUrl: `http://127.0.0.1:${port}/api/v6`, token: 'token' };
		const started = await startNode(access, on({ method: 'PUT', path: '/things/1' }));
		cancel = started.cancel;
		const { run: ended } = await started.result;
		server.closeAllConnections();
		server.close();
		expect(ended.data.resultData.metadata).toEqual({
			siteManagementUnknown: '/things/1 (item 1)',
		});
	});

	it('under Continue On Fail an error is an item, and other items continue', async () => {
		const { json, items } = await run(
			{ path: '=/tags/{{ $json.id }}' },
			{ items: [{ id: '1' }, { id: 'gone' }], settings: { onError: 'continueRegularOutput' } },
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(json[1]).toMatchObject({ details: { outcome: 'refused', status: 404 } });
	});
});

describe('records of a list', () => {
	const list = { path: '/sites', response: 'records' };
	const pages = () =>
		fleet
			.sent()
			.map(({ query }) => `${String(query.page)} of ${String(query.perPage)}`)
			.sort();

	it('all of them, page by page', async () => {
		const { json, items } = await run({ ...list, returnAll: true, query: '{"sort":"url,asc"}' });
		expect(pages()).toEqual(['1 of 100', '2 of 100']);
		expect(fleet.sent().every(({ query }) => query.sort === 'url,asc')).toBe(true);
		expect(new Set(json.map(({ id }) => id)).size).toBe(130);
		expect(items.every(({ pairedItem }) => (pairedItem as any).item === 0)).toBe(true);
	});

	it.each([
		[undefined, ['1 of 50'], 50],
		[3, ['1 of 3'], 3],
		[101, ['1 of 100', '2 of 100'], 101],
	])('up to a limit of %s', async (limit, asked, count) => {
		const { json } = await run({ ...list, ...(limit && { limit }) });
		expect(pages()).toEqual(asked);
		expect(json).toHaveLength(count);
	});

	it('a list without pages', async () => {
		const wanted = await fleet.api.get(`/sites/${sites[0]!.id}/tables`);
		const { json, error } = await run({
			...list,
			path: `/sites/${sites[0]!.id}/tables`,
			returnAll: true,
		});
		expect(error).toBeUndefined();
		expect(json).toEqual(wanted.data.tables);
	});

	const records = (count: number, from = 0) =>
		Array.from({ length: count }, (_, index) => ({ name: `${from + index}` }));

	it('under any name, without IDs, and as a bare list', async () => {
		const things = [{ name: 'a' }, { name: 'a' }];
		for (const body of [{ unheard_of: things, meta: { took: 3 } }, things]) {
			const { json } = await answered({ body }, { ...list, path: '/things', returnAll: true });
			expect(json).toEqual(things);
		}
		const { json } = await answered({ body: ['a', 1] }, { ...list, path: '/things' });
		expect(json).toEqual([{ answer: 'a' }, { answer: 1 }]);
	});

	it('pages of records without IDs', async () => {
		const service = await startWayward((url) => {
			const page = Number(url.searchParams.get('page'));
			const pagination = { page, perPage: 100, totalItems: 650, totalPages: 7 };
			return { body: { rows: records(page === 7 ? 50 : 100), meta: { pagination } } };
		}, OF_SERVICE);
		const { json } = await runNode(service, on({ ...list, path: '/rows', returnAll: true }));
		await service.close();
		expect(json).toHaveLength(650);
	});

	it.each([
		['no list', { thing: {}, meta: {} }, 'not a single list: it contains "thing"'],
		['two lists', { a: [], b: [] }, 'not a single list: it contains "a", "b"'],
		['a list that may go on', { rows: records(100) }, 'a list without a number of pages'],
		[
			'a page that contradicts itself',
			{ rows: records(3), meta: { pagination: { totalPages: 3, totalItems: 3, perPage: 100 } } },
			'a list that contradicts itself',
		],
	])('%s is refused', async (_what, body, message) => {
		const { error } = await answered({ body }, { ...list, path: '/things', returnAll: true });
		expect(error?.message).toContain(message);
		// It is this node that shows answers as they come.
		expect(error?.message).not.toContain('the node "Site Management API"');
		expect(error?.description).toContain('Set "Response" to "Unchanged" to return any JSON');
	});

	it.each([
		['numbers as text', { pagination: { totalPages: '1', totalItems: '3', perPage: '100' } }],
		['numbers directly in meta', { total_pages: 1, per_page: 100 }],
	])('%s are taken from the service, and from nobody else', async (_what, meta) => {
		const asked = { ...list, path: '/things', returnAll: true };
		const body = { rows: records(3), meta };
		expect((await answered({ body }, asked)).json).toHaveLength(3);
		const { json, error } = await answered({ body }, asked, {} as never);
		expect(error?.message ?? json.length).toEqual(
			'pagination' in meta ? expect.stringContaining('a list whose totalPages is 1') : 3,
		);
	});

	it('accepts a limit that a list without pages meets exactly', async () => {
		const asked = { ...list, path: '/things', limit: 100 };
		expect((await answered({ body: { rows: records(100) } }, asked)).json).toHaveLength(100);
	});

	it('an empty list is reported to a model', async () => {
		const asked = { ...list, query: '{"filters[url:contains]":"nowhere"}' };
		expect((await run(asked)).json).toEqual([]);
		expect((await run(asked, { asTool: true })).json).toEqual([
			{ count: 0, message: 'No records were found' },
		]);
	});
});

describe('a file', () => {
	it('goes into the binary field', async () => {
		const { data } = await fleet.api.get('/reports');
		const { id } = data.reports[0];
		fleet.forget();
		const { items, json } = await run({
			path: `/reports/${id}/download`,
			response: 'file',
			binaryPropertyName: 'report',
		});
		expect(contentOf(items[0]!, 'report').subarray(0, 5).toString()).toBe('%PDF-');
		expect(json[0]).toMatchObject({
			path: `/reports/${id}/download`,
			mime_type: 'application/pdf',
			file_name: expect.stringMatching(/\.pdf$/),
		});
		expect(fleet.sent().map(({ route }) => route)).toEqual([`GET /reports/${id}/download`]);
	});

	it.each([
		['JSON', { body: { a: 1 } }, 'JSON, not a file'],
		['a web page', { headers: { 'Content-Type': 'text/html' }, body: '<html>' }, 'a web page'],
		['nothing', { status: 204 }, 'empty'],
	] as Array<[string, Answer, string]>)('refuses %s', async (_what, answer, message) => {
		const { error } = await answered(answer, { response: 'file' });
		expect(error?.message).toContain(message);
	});

	it('does not bypass the passwords that a credential hides', async () => {
		const path = `/sites/${sites[0]!.id}`;
		const limits = {
			access: 'selected',
			allowed: EFFECTS.filter((each) => each !== 'givesAccess'),
		};
		const { error } = await runNode(limited(limits), on({ path, response: 'file' }));
		expect(error?.message).toContain('The parameter "Response" is "File"');
		expect(fleet.sent()).toEqual([]);
		const { json } = await runNode(limited(limits), on({ path }));
		expect(json[0]).toMatchObject({ site: { id: sites[0]!.id } });
	});

	it('hides passwords in a bare list, too', async () => {
		const service = await startWayward(() => ({ body: [{ ftp_password: 'hush' }] }), OF_SERVICE);
		const access = { ...service, limits: { access: 'readOnly' } };
		const { json } = await runNode(access, on({ path: '/sites' }));
		await service.close();
		expect(json).toEqual([{ answer: [{ ftp_password: '********' }] }]);
	});
});

describe('bad input', () => {
	it.each([
		['Path', { path: '={{ "" }}' }, 'is empty'],
		['Path', { path: '/' }, 'has an empty part'],
		['Path', { path: '={{ $json.gone }}' }, 'has no value'],
		['Path', { path: '={{ $json.client }}' }, 'is an object'],
		['Path', { path: '=/tags/{{ $json.gone }}' }, 'has an empty part'],
		['Path', { path: '=/tags/{{ $json.gone }}/delete' }, 'has an empty part'],
		['Path', { path: '=/tags/{{ String($json.gone) }}' }, 'has an empty part'],
		['Path', { path: '=/tags/{{ $json.client }}' }, '[object Object]'],
		['Path', { path: '/tags/' }, 'has an empty part'],
		['Path', { path: 'https://api.example.com/api/v6/tags' }, 'is a URL'],
		['Path', { path: '//api.example.com/tags' }, 'is a URL'],
		['Path', { path: '\\\\api.example.com/tags' }, 'is a URL'],
		['Path', { path: 'javascript://x' }, 'is a URL'],
		['Path', { path: '/tags?page=2' }, 'Move everything after "?" to "Query"'],
		['Path', { path: '/tags#a' }, 'contains more than a path'],
		['Path', { path: '/tags/../sites' }, 'contains "." or ".." as a part'],
		['Path', { path: '/tags/./1' }, 'contains "." or ".." as a part'],
		['Path', { path: '/tags/%2e%2e/sites' }, 'contains a character that is not allowed in a path'],
		['Path', { path: '/tags;a=1' }, 'contains a character that is not allowed in a path'],
		['Path', { path: '/tags\\1' }, 'contains a character that is not allowed in a path'],
		['Path', { path: '/tags\n/1' }, 'contains a character that is not allowed in a path'],
		['Path', { path: '/api/v6/tags' }, 'starts with /api/v6, which is already in the Base URL'],
		['Method', { method: 'HEAD' }, 'is "HEAD", which is not one of'],
		['Method', { method: '={{ $json.gone }}' }, 'has no value'],
		['Query', { query: 'a=1' }, 'is not valid JSON'],
		['Query', { query: '[1]' }, 'is not a JSON object'],
		['Query', { query: '={{ $json.gone }}' }, 'has no value'],
		['Query', { query: '={{ {} }}' }, 'is empty'],
		['Query', { query: '={{ { a: $json.gone } }}' }, 'has no value at "a"'],
		['Query', { query: '={{ { a: null } }}' }, 'has no value at "a". Enter a value'],
		['Query', { query: '={"filters[client_id:eq]":"{{ $json.gone }}"}' }, 'has no value at'],
		['Query', { query: '{"filters":{"a:in":[]}}' }, 'has no value at "filters.a:in"'],
		['Query', { query: '{"a":["1",""]}' }, 'has no value at "a"'],
		['Query', { query: '{"page":2}', response: 'records' }, 'contains "page", which the node sets'],
		['Body', { method: 'POST', body: 'a' }, 'is not valid JSON'],
		['Body', { method: 'POST', body: '={{ $json.gone }}' }, 'has no value'],
		['Body', { method: 'POST', body: '={{ {} }}' }, 'is empty'],
		['Body', { method: 'POST', body: '={{ { a: $json.gone } }}' }, 'has no value at "a"'],
		['Body', { method: '={{ "GET" }}', body: '{"a":1}' }, 'is set, but "Method" is GET'],
		['Response', { method: '={{ "POST" }}', response: 'file' }, 'is not "Unchanged", but'],
		['Response', { response: '={{ "xml" }}' }, 'is "xml", which is not one of'],
		['Limit', { response: 'records', limit: 0 }, 'must be at least 1'],
		['Put Output File in Field', { response: 'file', binaryPropertyName: '={{ "" }}' }, 'is empty'],
		['Preview', { method: 'POST', preview: '={{ $json.gone }}' }, 'has no value'],
	] as Array<[string, INodeParameters, string]>)('%s %j', async (name, parameters, message) => {
		const { error } = await run(
			{ path: '/tags', ...parameters },
			{
				items: [{ client: { id: 'c1' } }],
			},
		);
		expect(error?.message).toMatch(new RegExp(`^The parameter "${name}" `));
		expect(error?.message).toContain(message);
		expect(error?.context!.details).toMatchObject({ outcome: 'notSent' });
		expect(fleet.sent()).toEqual([]);
	});

	it('of one item keeps the changes of all from being sent', async () => {
		const { error } = await run(
			{ method: 'DELETE', path: '=/tags/{{ $json.id }}' },
			{ items: [{ id: '1' }, {}] },
		);
		expect(error?.message).toContain('"Path" has an empty part');
		expect(fleet.sent()).toEqual([]);
	});

	it('does not send parameters that the panel hides', async () => {
		await run({ path: '/tags', body: '{"a":1}', preview: true });
		expect(fleet.sent()).toEqual([{ route: 'GET /tags', query: {}, body: undefined }]);
	});
});

describe('any input', () => {
	const RUNS = casesOf('REQUESTS', { quick: 300, long: 3_000 });

	/** What the service has seen of a value, or nothing where its parameter was refused. */
	async function triedWith(
		name: string,
		value: unknown,
		parameters: INodeParameters,
	): Promise<{ url: string; body: string } | undefined> {
		const chunks: Buffer[] = [];
		let url = '';
		const server = createServer((request, response) => {
			url = request.url!;
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => response.writeHead(204).end());
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const access = { baseUrl: `http://127.0.0.1:${port}/api/v6`, token: 'token' };
		const asked = on(parameters, { items: [{ value: value as string }] });
		const { error } = await runNode(access, asked);
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
		if (!error) return { url, body: Buffer.concat(chunks).toString() };
		expect(error.message).toMatch(new RegExp(`^The parameter "${name}" `));
		expect(url).toBe('');
		return undefined;
	}

	const odd = fc.constantFrom(
		...['..', '.', '...', '%2e%2e', '%2F', '?', '#', ';', '\\', '\u0000', 'null', '', ' ', 'http:'],
		...[
			'a b',
			'😀',
			'@',
			':80',
			'\u00a0',
			'\u3000x',
			"'",
			'*',
			'&a=b',
			'+',
			'api',
			'v6',
			'tags',
			'x.json',
		],
	);
	const parts = fc.array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 5 })), {
		maxLength: 5,
	});

	it('of a path is sent exactly, or refused', async () => {
		let sent = 0;
		const path = fc.tuple(fc.constantFrom('/', '', '//', '\\'), parts);
		await fc.assert(
			fc.asyncProperty(path, async ([start, rest]) => {
				const written = `${start}${rest.join('/')}`;
				const seen = await triedWith('Path', written, { path: '={{ $json.value }}' });
				if (!seen) return;
				sent += 1;
				expect(seen.url).toMatch(/^\/api\/v6\/[^?#\\;]+$/);
				const given = seen.url.slice('/api/v6/'.length).split('/').map(decodeURIComponent);
				const wanted = written.trim().replace(/^\//, '').split('/');
				expect(given).toEqual(wanted.map((part) => part.trim()));
				expect(given.filter((part) => /^\.*$/.test(part))).toEqual([]);
			}),
			{ numRuns: RUNS },
		);
		expect(sent).toBeGreaterThan(RUNS / 20);
	});

	it('of a body is sent exactly, or refused', async () => {
		let sent = 0;
		const body = fc.oneof(
			fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
			fc.jsonValue(),
		);
		await fc.assert(
			fc.asyncProperty(body, async (written) => {
				const parameters = { method: 'PATCH', path: '/things', body: '={{ $json.value }}' };
				const seen = await triedWith('Body', written, parameters);
				if (!seen) return;
				sent += 1;
				const wanted = typeof written === 'string' ? written : JSON.stringify(written);
				expect(JSON.parse(seen.body)).toEqual(JSON.parse(wanted));
			}),
			{ numRuns: RUNS },
		);
		expect(sent).toBeGreaterThan(RUNS / 20);
	});
});

describe('the limits of a credential', () => {
	const readOnly = { access: 'readOnly' };
	const almost = (lacking: string) => ({
		access: 'selected',
		allowed: EFFECTS.filter((each) => each !== 'reads' && each !== lacking),
	});

	it.each([
		['DELETE', '/tags/7', 'Destroy'],
		['DELETE', '/tags/7.json', 'Destroy'],
		['DELETE', 'tags/ 7 ', 'Destroy'],
		['POST', 'tags', 'Organize Records'],
	])('%s %s is known', async (method, path, lacking) => {
		const effect = lacking === 'Destroy' ? 'destroys' : 'organises';
		for (const limits of [readOnly, almost(effect)]) {
			for (const preview of [false, true]) {
				const body = method === 'POST' ? { body: '{"tag":{"name":"A"}}' } : {};
				const { error } = await runNode(limited(limits), on({ method, path, preview, ...body }));
				expect(error?.message).toMatch(
					new RegExp(
						`is not allowed by the credential "Sandbox": its Access (is Read Only|does not include "${lacking}")`,
					),
				);
				expect(error?.context!.details).toMatchObject({ outcome: 'notSent' });
			}
		}
		expect(fleet.sent()).toEqual([]);
	});

	it.each([
		['GET', '/things'],
		['DELETE', '/Tags/7'],
		['GET', '/staging-sites/7/WP/users/sso-login-url'],
		['PUT', '/tags/7'],
		['PATCH', '/tags/7'],
		['DELETE', '/tags'],
		['POST', '/tags/7/rename'],
	])('%s %s is unknown, and needs a credential without limits', async (method, path) => {
		const unlike = [readOnly, almost('destroys'), { maxChanges: 9 }, { maxHarmful: 9 }];
		for (const limits of [...unlike, { siteAccess: 'selected', onlySites: '7' }]) {
			for (const preview of [false, true]) {
				const asked = on({ method, path, preview });
				if (method === 'GET' && preview) continue;
				const { error } = await runNode(limited(limits), asked);
				expect(error?.message).toContain('this package does not know the request');
			}
		}
		expect(fleet.sent()).toEqual([]);
		await run({ method, path });
		expect(fleet.sent().map(({ route }) => route)).toEqual([`${method} ${path}`]);
	});

	it('a GET that is refused is not tried again', async () => {
		const slept: number[] = [];
		useClock({ now: () => fleet.clock.now(), sleep: (ms) => void slept.push(ms) });
		await runNode(limited(readOnly), on({ path: '/things' }));
		expect(slept.filter((ms) => ms > 0)).toEqual([]);
	});

	it('counts the changes that a body adds', async () => {
		const body = '{"scheduled_report":{"report_template_data":{"email":{"recipients":["a@b.c"]}}}}';
		const asked = { method: 'POST', path: '/scheduled-reports/1/update', body };
		for (const preview of [false, true]) {
			const { error } = await runNode(limited(almost('sendsMail')), on({ ...asked, preview }));
			expect(error?.message).toContain('its Access does not include "Send Emails"');
		}
		expect(changes()).toEqual([]);
	});

	it('sites', async () => {
		const [own, other] = sites as [any, any];
		const limits = { siteAccess: 'selected', onlySites: own.id };
		const note = (id: string, preview = false) =>
			on({ method: 'POST', path: `/sites/${id}/notes`, body: '{"note":{"content":"a"}}', preview });
		for (const preview of [false, true]) {
			const { error } = await runNode(limited(limits), note(other.id, preview));
			expect(error?.message).toContain(`the site ${other.id} is not in its Only Sites`);
			const unknown = on({ method: 'PUT', path: `/sites/${own.id}`, preview });
			expect((await runNode(limited(limits), unknown)).error?.message).toContain(
				'this package does not know the request',
			);
		}
		expect(changes()).toEqual([]);
		expect((await runNode(limited(limits), note(own.id))).error).toBeUndefined();
		expect(changes()).toHaveLength(1);
	});

	it('changes of an execution', async () => {
		const body = '={{ { tag: { name: $json.name } } }}';
		const items = ['A', 'B', 'C'].map((name) => ({ name }));
		const { error } = await runNode(
			limited({ maxChanges: 2 }),
			on({ method: 'POST', path: '/tags', body }, { items }),
		);
		expect(error?.message).toContain('Changes per Execution is 2');
		expect(changes()).toHaveLength(2);
		const service = await startWayward(() => ({ body: {} }), OF_SERVICE);
		const limits = { alsoAllowed: 'PATCH /new/{id}', maxHarmful: 3 };
		const path = '=/new/{{ $json.name }}';
		const unknown = on({ method: 'PATCH', path, body: '{"ids":["1","2"]}' }, { items });
		const harmful = await runNode({ ...service, limits }, unknown);
		expect(harmful.error?.message).toContain('Harmful Changes per Execution is 3');
		expect(service.requests).toHaveLength(1);
		await service.close();
	});

	it.each(['{"_method":"DELETE"}', '{"x-http-method-override":"DELETE"}'])(
		'%s makes no other request of it',
		async (text) => {
			for (const [method, part] of [
				['GET', 'query'],
				['POST', 'query'],
				['POST', 'body'],
			]) {
				fleet.forget();
				const asked = on({ method: method!, path: '/tags', [part!]: text });
				const { error } = await runNode(limited({ maxChanges: 9 }), asked);
				expect(error?.message).toMatch(
					/^The parameter "(Query|Body)" contains ".+", which Tag: .+ does not have in this form\. With the credential "Sandbox", which has limits, it cannot be checked$/,
				);
				expect(fleet.sent()).toEqual([]);
				// The service reads a query of an unknown key as it likes: the token allows that.
				await run({ method: method!, path: '/tags', [part!]: text });
				expect(fleet.sent().map(({ route }) => route)).toEqual([`${method!} /tags`]);
			}
		},
	);

	it('refuses a file instead of records, since it could not be checked', async () => {
		const limits = { siteAccess: 'selected', onlySites: sites[0]!.id };
		const { error } = await runNode(limited(limits), on({ path: '/sites', response: 'file' }));
		expect(error?.message).toContain('The parameter "Response" is "File"');
		expect(fleet.sent()).toEqual([]);
	});

	it('omits records of others from a list, and refuses a single one', async () => {
		const [own, other] = sites as [any, any];
		const limits = { siteAccess: 'selected', onlySites: own.id };
		const { json } = await runNode(limited(limits), on({ path: '/sites' }));
		expect((json[0]!.sites as IDataObject[]).map(({ id }) => id)).toEqual([own.id]);
		const records = on({ path: '/sites', response: 'records' });
		expect((await runNode(limited(limits), records)).json.map(({ id }) => id)).toEqual([own.id]);
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Theirs' } });
		await fleet.api.post(`/tags/${data.tag.id}/assign`, { site_ids: [other.id] });
		const { error } = await runNode(limited(limits), on({ path: `/tags/${data.tag.id}` }));
		expect(error?.message).toContain('the record is not of its Only Sites');
	});
});

describe('Preview', () => {
	it('of a request that another node can make shows the same as that node', async () => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Own' } });
		fleet.forget();
		const { id } = data.tag;
		const asked = await run({ method: 'DELETE', path: `/tags/${id}`, preview: true });
		const same = await runNode(fleet, {
			node: 'tag',
			parameters: { resource: 'tag', operation: 'delete', tagId: locator(id), preview: true },
		});
		expect(asked.error).toBeUndefined();
		expect(asked.json).toEqual(same.json);
		expect(asked.json[0]).toMatchObject({
			operation: 'Tag: Delete',
			does: ['Destroy'],
			target: { tag: { id, name: 'Own' } },
		});
		expect(changes()).toEqual([]);
	});

	it('of a change that replaces a list shows the dropped entries', async () => {
		const site_ids = sites.slice(0, 2).map(({ id }) => id);
		const person = { name: 'A', email: 'a@example.com', role: 'collaborator', site_ids };
		const { data } = await fleet.api.post('/team-members', { team_member: person });
		fleet.forget();
		const { json } = await run({
			method: 'POST',
			path: `/team-members/${data.team_member.id}/update`,
			body: JSON.stringify({ team_member: { site_ids: site_ids.slice(1) } }),
			preview: true,
		});
		expect(json[0]).toMatchObject({
			operation: 'Team Member: Update',
			does: ['Give Access'],
			replaces: { site_ids: { dropped: [{ id: site_ids[0] }], dropped_count: 1 } },
		});
		expect(changes()).toEqual([]);
	});

	it('of anything else shows the request, without its secrets', async () => {
		const { json } = await run({
			method: 'PUT',
			path: '/things/1',
			query: '{"force":true}',
			body: '{"thing":{"password":"hush hush","name":"A"}}',
			preview: true,
		});
		expect(json).toEqual([
			{
				preview: true,
				operation: 'Request: Send',
				does: ['Unknown: a credential with limits must name it under "Also Allowed"'],
				request: {
					method: 'PUT',
					path: '/things/1',
					query: { force: true },
					body: { thing: { password: '********', name: 'A' } },
				},
				target: {},
			},
		]);
		expect(fleet.sent()).toEqual([]);
	});
});

describe('the rate limit', () => {
	it('260 requests pass through a limit of 200: none is refused, none fails', async () => {
		const paced = await startFleet({ sites: 3, rateLimit: { limit: 200, windowMs: 60_000 } });
		inStep(paced);
		const items = Array.from({ length: 260 }, () => ({}));
		const { json, error } = await runNode(paced, on({ path: '/tags' }, { items }));
		expect(error).toBeUndefined();
		expect(json).toHaveLength(260);
		expect(paced.requests.map(({ status }) => status)).toEqual(items.map(() => 200));
		await paced.close();
	});
});
