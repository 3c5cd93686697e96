import type { IHttpRequestOptions } from 'n8n-workflow';
import { SiteManagementApi } from '../../../credentials/SiteManagementApi.credentials';
import { DEED, type Deed, isAlsoAllowed } from '../../../nodes/shared/access/deed';
import { EFFECTS } from '../../../nodes/shared/access/effects';
import { limitsOf } from '../../../nodes/shared/access/credential';
import { TEST } from '../../../nodes/shared/access/sign';
import { filledIn } from '../../support/credential';

/** What is signed with a credential, and what is refused, whichever node asks for it. */

const BASE = 'https://api.example.com/api/v6';

const { authenticate } = new SiteManagementApi();

async function sign(limits: object, options: object): Promise<IHttpRequestOptions> {
	if (typeof authenticate !== 'function') throw new Error('It signs by a function');
	const credential = filledIn({ baseUrl: BASE, apiToken: 'secret', ...limits });
	return await authenticate(credential, options as IHttpRequestOptions);
}

function request(what: string, more: object = {}): object {
	const [method, path] = what.split(' ') as [string, string];
	return { method, url: `${BASE}${path}`, ...more };
}

/** What a node of the package says of a change. */
const deedOf = (more: Partial<Deed> = {}): Deed => ({
	method: 'POST',
	path: '/tags',
	effects: ['organises'],
	sites: [],
	isAccountWide: false,
	hasNoSite: false,
	tagged: [],
	changes: 1,
	harmful: 0,
	by: 'the credential "Own"',
	credential: '1',
	execution: '1',
	at: 0,
	...more,
});

const judged = (more: Partial<Deed> = {}) => request('POST /tags', { [DEED]: deedOf(more) });

/** The test of the credential. */
const test = (more: object = {}) => ({ baseURL: BASE, url: '/tags', [TEST]: true, ...more });

const readOnly = { access: 'readOnly' };

describe('the token is sent', () => {
	it.each<[string, object, object?]>([
		['a URL', request('DELETE /sites/7')],
		['a route that is newer than this package', request('PATCH /new/7?x=1')],
		['a base and a path', { baseURL: `${BASE}/`, url: '/tags' }],
		['an address as HTTP Request has it', { uri: `${BASE}/tags` }],
		['dots within an ID', request('GET /tags/a..b')],
		['a certificate that is checked', request('GET /tags', { rejectUnauthorized: true })],
		['a base with slashes and blanks', request('GET /tags'), { baseUrl: ` ${BASE}// ` }],
		['this machine', { url: 'http://127.0.0.1:1/api/tags' }, { baseUrl: 'http://127.0.0.1:1/api' }],
	])('%s', async (_what, options, fields = {}) => {
		const signed = await sign(fields, { headers: { Accept: 'x' }, ...options });
		expect(signed).toEqual({
			...options,
			headers: { Accept: 'x', Authorization: 'Bearer secret' },
			sendCredentialsOnCrossOriginRedirect: false,
		});
	});

	const elsewhere = 'This credential sends its token only';

	it.each([
		['another host', { url: 'https://evil.example.com/api/v6/tags' }, elsewhere],
		['a host that begins alike', { url: `${BASE}.evil.example.com/tags` }, elsewhere],
		['another port', { uri: 'https://api.example.com:8443/api/v6/tags' }, elsewhere],
		['without encryption', { url: BASE.replace('https', 'http') }, elsewhere],
		['another base', { baseURL: 'https://evil.example.com', url: '/tags' }, elsewhere],
		['an absolute URL by a base', { baseURL: BASE, url: 'https://evil.example.com' }, elsewhere],
		['no scheme', { baseURL: BASE, url: '//evil.example.com/x' }, 'does not have a valid URL'],
		['one slash', { url: 'https:/evil.example.com/x' }, elsewhere],
		['a user in the URL', { url: 'https://me@api.example.com/api/v6/tags' }, elsewhere],
		['a path above the base', { url: 'https://api.example.com/admin' }, elsewhere],
		['another version', { url: 'https://api.example.com/api/v7/tags' }, elsewhere],
		['a base that begins alike', { url: `${BASE}2/tags` }, elsewhere],
		['dots', request('GET /../../admin'), elsewhere],
		['encoded dots', request('GET /%2e%2e/%2e%2e/admin'), elsewhere],
		['dots encoded twice', request('GET /%252e%252e/admin'), elsewhere],
		['an encoded slash', request('GET /..%2f..%2fadmin'), elsewhere],
		['a backslash', request('GET /x%5c..%5cadmin'), elsewhere],
		['a proxy', request('GET /tags', { proxy: 'http://proxy.example.com' }), 'proxy'],
		['a proxy in parts', request('GET /tags', { proxy: { host: 'x', port: 1 } }), 'proxy'],
		['an unchecked certificate', request('GET /tags', { rejectUnauthorized: false }), 'SSL'],
		['one of a node', request('GET /tags', { skipSslCertificateValidation: true }), 'SSL'],
		['of an agent', request('GET /tags', { agentOptions: { rejectUnauthorized: false } }), 'SSL'],
		['a Host', request('GET /tags', { headers: { Host: 'evil.example.com' } }), '"Host" header'],
		['a Host in disguise', request('GET /tags', { headers: { ' hOST ': 'x' } }), '"Host" header'],
	])('not to %s, whatever a node claims', async (_what, options, why) => {
		await expect(sign({}, options)).rejects.toThrow(why);
		await expect(sign(readOnly, { ...options, [TEST]: true })).rejects.toThrow(why);
		const deed = deedOf({ changes: 0, effects: ['reads'] });
		await expect(sign(readOnly, { ...options, [DEED]: deed })).rejects.toThrow(why);
	});

	it('no other authorization goes with it', async () => {
		const headers = { authorization: 'Bearer other', AUTHORIZATION: 'x' };
		expect((await sign({}, request('GET /tags', { headers }))).headers).toEqual({
			Authorization: 'Bearer secret',
		});
	});
});

describe('a credential with a limit', () => {
	const limits = {
		Access: readOnly,
		Allowed: {
			access: 'selected',
			allowed: EFFECTS.filter((each) => !['reads', 'destroys'].includes(each)),
		},
		'Only Sites': { siteAccess: 'selected', onlySites: '7' },
		'Only Tags': { siteAccess: 'selected', onlyTags: '7' },
		'Changes per Execution': { maxChanges: 1 },
		'Harmful Changes per Execution': { maxHarmful: 1 },
	};

	it.each(Object.entries(limits))('by %s signs nothing of other nodes', async (_field, fields) => {
		const inherited = Object.assign(
			Object.create({ [DEED]: deedOf() }) as object,
			request('GET /tags'),
		);
		const named = request('GET /tags', {
			'n8n-nodes-site-management.deed': deedOf(),
			DEED: deedOf(),
		});
		for (const options of [request('GET /tags'), request('POST /tags'), inherited, named]) {
			await expect(sign(fields, options)).rejects.toThrow(
				'This credential has limits, which only the nodes of this package can check. Nothing was sent. Use the node "Site Management API" with its operation Request, or a credential without limits.',
			);
		}
	});

	it('signs requests that its own nodes have checked, and keeps the check for a retry', async () => {
		const deed = deedOf({ changes: 0, effects: ['reads'] });
		expect(await sign(readOnly, request('GET /tags', { [DEED]: deed }))).toMatchObject({
			[DEED]: deed,
		});
	});

	it('with all of Allowed, and requests per minute, counts as unlimited', async () => {
		const allowed = EFFECTS.filter((each) => each !== 'reads');
		const fields = { access: 'selected', allowed, requestsPerMinute: 1 };
		await expect(sign(fields, request('DELETE /tags/7'))).resolves.toBeDefined();
	});

	it('signs its own test', async () => {
		for (const fields of Object.values(limits)) {
			await expect(sign(fields, test({ qs: { perPage: 1 } }))).resolves.toBeDefined();
		}
	});

	it.each<[string, object]>([
		['"true"', { [TEST]: 'true' }],
		['1', { [TEST]: 1 }],
		['an object', { [TEST]: {} }],
		['a change', { method: 'POST' }],
		['HEAD', { method: 'HEAD' }],
		['another list', { url: '/sites' }],
		['a whole URL', { url: `${BASE}/tags` }],
		['a query in the path', { url: '/tags?page=2' }],
	])('signs nothing that only looks like it: %s', async (_what, more) => {
		await expect(sign(readOnly, test(more))).rejects.toThrow('only the nodes of this package');
	});
});

describe('fields of the credential that cannot be used', () => {
	const selected = { siteAccess: 'selected' };
	const noIds = (label: string, resource: string) =>
		`${label} of the credential is not a list of IDs. Open the credential and enter IDs, separated by commas, not names or addresses. ${resource}: Get Many shows the IDs.`;
	const noNumber = (name: string) =>
		`${name} of the credential is not a whole number of 1 or more. Open the credential and enter one, or leave it empty for no limit. To allow no changes, choose Access → Read Only.`;
	const noNumbers = [undefined, null, 0, '0', -1, 1.5, 'many', true, [1]];
	const modes = [undefined, null, '', ' ', 'readonly', 'constructor', 0, true, ['everything']];
	const lines = ['/tags', 'POST', 'post /tags', 'POST tags', 'HEAD /tags', 'GET /tags\nPOST /a b'];
	const remote = ['http://api.example.com', 'ftp://localhost/api', 'http://localhost.example.com'];
	const alike = ['http://my-localhost', 'http://127.0.0.1x', 'http://10.0.0.1'];
	const users = ['https://me@api.example.com', 'https://me:x@api.example.com'];
	const onlyTags = { ...selected, onlySites: '7' };

	/** By the message: the field, its values, and what else is filled in. */
	const rows: Record<string, [field: string, values: unknown[], fields?: object]> = {
		'Access of the credential is not one of its options': ['access', modes],
		'Allowed of the credential is not a list': [
			'allowed',
			[undefined, null, '', 'cares', ['care'], {}],
			{ access: 'selected' },
		],
		'Sites of the credential is not one of its options': [
			'siteAccess',
			[undefined, null, '', 'some', true],
		],
		'The credential has neither Only Sites nor Only Tags. Open': [
			'onlySites',
			[undefined, null, '', ' , ', []],
			selected,
		],
		[noIds('Only Sites', 'Site')]: [
			'onlySites',
			['Care plan', 'a@b.c', 'a.b', '7 8', '../7', ['7/8'], {}],
			selected,
		],
		[noIds('Only Tags', 'Tag')]: ['onlyTags', ['Care', '7 8', '-7', '7.5', ['Care']], onlyTags],
		'Also Allowed of the credential has a line that is not a method and a path': [
			'alsoAllowed',
			lines,
		],
		[noNumber('Changes per Execution')]: ['maxChanges', noNumbers],
		[noNumber('Harmful Changes per Execution')]: ['maxHarmful', noNumbers],
		'Base URL of the credential is empty': ['baseUrl', [undefined, null, '', ' ']],
		'Base URL of the credential is not a URL': ['baseUrl', [7, 'api.example.com', {}]],
		'must start with https://': ['baseUrl', [...remote, ...alike]],
		'must be a plain URL': ['baseUrl', [...users, `${BASE}?x=1`, `${BASE}#x`]],
		'is not an https address': ['apiDocumentUrl', ['a', 'http://a.test/b', 'https://me@a.test/b']],
		'API Token of the credential is empty': ['apiToken', [undefined, '', ' ']],
		'API Token of the credential contains': ['apiToken', ['a\nb', 'a b', 'ä', 7]],
	};

	const each = Object.entries(rows).flatMap(([why, [field, values, fields = {}]]) =>
		values.map((value) => [field, value, why, fields] as const),
	);

	it.each(each)('%s: %j', async (field, value, why, fields) => {
		await expect(sign({ ...fields, [field]: value }, test())).rejects.toThrow(why);
	});

	it.each([
		{ ...selected, onlySites: ' ab-1 ;; ab-2,\nAB_3 ' },
		{ ...selected, onlySites: ['7', 8], onlyTags: 9 },
		{ alsoAllowed: ' POST /tags/{id}/update \n\nGET  /sites/*' },
		{ maxChanges: ' 3 ', maxHarmful: ' ' },
	])('%j can be used', async (fields) => {
		await expect(sign(fields, test())).resolves.toBeDefined();
	});
});

it.each([
	['POST /tags/{id}/update', 'POST', '/tags/7/update', true],
	['POST /tags/*/update', 'POST', '/tags/{tagId}/update', true],
	['POST /tags/7/update', 'POST', '/tags/{tagId}/update', true],
	['POST /tags/7/update', 'POST', '/tags/8/update', false],
	['POST /tags/7/update', 'POST', '/*/*/update', false],
	['POST /tags/{id}/update', 'PUT', '/tags/7/update', false],
	['POST /tags/{id}', 'POST', '/tags/7/update', false],
])('Also Allowed "%s": %s %s is named: %s', (alsoAllowed, method, path, isNamed) => {
	const limits = limitsOf({ ...filledIn({}), alsoAllowed });
	expect(isAlsoAllowed(limits, method, path)).toBe(isNamed);
});

describe('how many changes', () => {
	let credentials = 0;
	beforeEach(() => void (credentials += 1));

	const change = async (limits: object, more: Partial<Deed> = {}) =>
		await sign(limits, judged({ credential: `c${credentials}`, ...more }));

	it('are counted by credential and execution', async () => {
		const two = { maxChanges: 2 };
		for (const execution of ['a', 'b', 'a']) await change(two, { execution });
		await expect(change(two, { execution: 'a' })).rejects.toThrow(
			'POST /tags is not allowed by the credential "Own": Changes per Execution is 2. This execution has already made 2, and this request would make 1 more. Nothing was sent.',
		);
		await change(two, { execution: 'a', credential: 'another' });
		await change(two, { execution: 'b' });
		await change(two, { execution: 'a', changes: 0 });
	});

	it('of one request are as many as its records, and of all sites more than any', async () => {
		await expect(change({ maxChanges: 2 }, { changes: 3 })).rejects.toThrow('would make 3 more');
		await expect(change({ maxChanges: 9 }, { changes: Infinity })).rejects.toThrow(
			'would make all sites more',
		);
	});

	it('that are harmful have a count of their own', async () => {
		const one = { maxHarmful: 1 };
		for (let time = 0; time < 3; time++) await change(one);
		await change(one, { harmful: 1 });
		await change(one);
		await expect(change(one, { harmful: 1 })).rejects.toThrow('Harmful Changes per Execution is 1');
	});

	it('of the latest 10,000 executions are remembered', async () => {
		const one = { maxChanges: 1 };
		await change(one, { execution: 'first' });
		await change(one, { execution: 'second' });
		for (let execution = 1; execution < 9_999; execution++) {
			await change(one, { execution: String(execution) });
		}
		await expect(change(one, { execution: 'second' })).rejects.toThrow('is 1');
		await change(one, { execution: '9999' });
		await expect(change(one, { execution: 'second' })).rejects.toThrow('is 1');
		await change(one, { execution: 'first' });
	});
});
