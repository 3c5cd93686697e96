import type { INodeParameters } from 'n8n-workflow';
import { answered, apiFleet } from '../../support/apiNode';
import { anyCharacter, casesOf, fc } from '../../support/effort';

/** Parameters of a request that no operation is for: sent exactly, or refused before anything is sent. */

const { fleet, run } = apiFleet({ sites: 5 });

describe('bad input', () => {
	it.each([
		['Path', { path: '={{ "" }}' }, 'is empty'],
		['Path', { path: '/' }, 'has an empty part'],
		['Path', { path: '={{ $json.client }}' }, 'is an object'],
		['Path', { path: '=/tags/{{ $json.gone }}' }, 'has an empty part'],
		['Path', { path: '=/tags/{{ String($json.gone) }}' }, 'has an empty part'],
		['Path', { path: '=/tags/{{ $json.client }}' }, '[object Object]'],
		['Path', { path: 'https://api.example.com/api/v6/tags' }, 'is a URL'],
		['Path', { path: '//api.example.com/tags' }, 'is a URL'],
		['Path', { path: '/tags?page=2' }, 'Move everything after "?" to "Query"'],
		['Path', { path: '/tags#a' }, 'contains more than a path'],
		['Path', { path: '/tags/../sites' }, 'contains "." or ".." as a part'],
		['Path', { path: '/tags/%2e%2e/sites' }, 'contains a character that is not allowed in a path'],
		['Path', { path: '/tags;a=1' }, 'contains a character that is not allowed in a path'],
		['Path', { path: '/api/v6/tags' }, 'starts with /api/v6, which is already in the Base URL'],
		['Method', { method: 'HEAD' }, 'is "HEAD", which is not one of'],
		['Query', { query: 'a=1' }, 'is not valid JSON'],
		['Query', { query: '[1]' }, 'is not a JSON object'],
		['Query', { query: '={{ {} }}' }, 'is empty'],
		['Query', { query: '={{ { a: $json.gone } }}' }, 'has no value at "a"'],
		['Query', { query: '={"filters[client_id:eq]":"{{ $json.gone }}"}' }, 'has no value at'],
		['Query', { query: '{"filters":{"a:in":[]}}' }, 'has no value at "filters.a:in"'],
		['Query', { query: '{"a":["1",""]}' }, 'has no value at "a"'],
		['Query', { query: '{"page":2}', response: 'records' }, 'contains "page", which the node sets'],
		['Body', { method: 'POST', body: 'a' }, 'is not valid JSON'],
		['Body', { method: 'POST', body: '={{ {} }}' }, 'is empty'],
		['Body', { method: 'POST', body: '={{ { a: $json.gone } }}' }, 'has no value at "a"'],
		['Body', { method: '={{ "GET" }}', body: '{"a":1}' }, 'is set, but "Method" is GET'],
		['Response', { method: '={{ "POST" }}', response: 'file' }, 'is not "Unchanged", but'],
		['Response', { response: '={{ "xml" }}' }, 'is "xml", which is not one of'],
		['Limit', { response: 'records', limit: 0 }, 'must be at least 1'],
		['Put Output File in Field', { response: 'file', binaryPropertyName: '={{ "" }}' }, 'is empty'],
	] as Array<[string, INodeParameters, string]>)('%s %j', async (name, parameters, message) => {
		const items = [{ client: { id: 'c1' } }];
		const { error } = await run({ path: '/tags', ...parameters }, { items });
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
	async function triedWith(name: string, value: unknown, parameters: INodeParameters) {
		const items = [{ value: value as string }];
		const { error, requests, bodies } = await answered({ status: 204 }, parameters, { items });
		if (!error) return { url: requests[0]!.split(' ')[1]!, body: bodies[0]! };
		expect(error.message).toMatch(new RegExp(`^The parameter "${name}" `));
		expect(requests).toEqual([]);
		return undefined;
	}

	const odd = fc.constantFrom(
		...'.. . ... %2e%2e %2F ? # ; \\ \u0000 null http: 😀 @ :80 * &a=b + api v6 tags'.split(' '),
		...['', ' ', 'a b', '\u00a0', '\u3000x', "'", 'x.json'],
	);
	const parts = fc.array(fc.oneof(odd, fc.string({ unit: anyCharacter, maxLength: 5 })), {
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
