import { importWorkflow, saveCredential } from '../../sandbox/lib/content';
import type { INodeTypeDescription } from 'n8n-workflow';
import { startService, type Service } from '../../sandbox/service';
import { ends } from '../support/ending';
import { locator } from '../support/locator';
import { output, runWorkflow, startTestN8n, testCredential } from '../support/n8n';
import { found, WANTED } from '../support/searches';
import { startWayward, type Answer } from '../support/wayward';
import { chain, CREDENTIAL, nodeOf, saveAccount } from '../support/workflow';

const PACKAGE = 'n8n-nodes-site-management';
const TRIGGER = 'Start';

let service: Service;
let n8n: Awaited<ReturnType<typeof startTestN8n>>;
let credentialId: string;

beforeAll(async () => {
	service = ends(await startService({ sites: 60 }));
	n8n = ends(await startTestN8n('e2e'));
	credentialId = await saveAccount(n8n, service);
});

/** A node that writes values as texts: `told0` and so on. */
const telling = (values: string[], expression: (value: string) => string) => {
	const assignments = values.map((value, index) => ({
		...{ id: String(index), name: `told${index}`, type: 'string' },
		value: expression(value),
	}));
	const parameters = { assignments: { assignments }, options: {} };
	return nodeOf('', 'Tell', 'n8n-nodes-base.set', parameters, { typeVersion: 3.4 });
};

describe('the package in n8n', () => {
	let types: INodeTypeDescription[];

	beforeAll(async () => {
		({ data: types } = await n8n.rest.get<typeof types>(`${n8n.baseUrl}/types/nodes.json`));
	});

	const isOurs = (name: string) => name.startsWith(`${PACKAGE}.`);

	it('every node has an icon that n8n serves', async () => {
		const ours = types.filter(({ name }) => isOurs(name));
		expect(ours.length).toBeGreaterThan(20);
		for (const { name, iconUrl } of ours) {
			for (const icon of typeof iconUrl === 'object' ? Object.values(iconUrl) : [iconUrl]) {
				const { status, headers } = await n8n.rest.get(`${n8n.baseUrl}/${icon}`);
				expect(`${name}: ${status} ${headers['content-type']}`).toMatch(/: 200 .*image\/svg\+xml/);
			}
		}
	});

	it('there is no Custom API Call, which would bypass the rate limit', () => {
		const offering = types
			.filter(({ properties }) => JSON.stringify(properties).includes('__CUSTOM_API_CALL__'))
			.map(({ name }) => name);
		// Other nodes have it: it is still called so.
		expect(offering).not.toEqual([]);
		expect(offering.filter(isOurs)).toEqual([]);
	});

	const words = [
		...WANTED.map(([search]) => search),
		...['wp', 'plugin', 'theme', 'vulnerability', 'monitor', 'disconnected', 'bounced', 'group'],
		...['label', 'comment', 'domain', 'php', 'setting', 'login screen', 'activity log', 'dkim'],
	];

	/** n8n's own nodes are called so, or have the same alias, and come before ours. */
	const crowded = ['customer', 'template', 'security', 'file', 'table'];

	it('its search has ours among the first, by the words that people type', () => {
		// Of each node its last version.
		const byName = new Map(types.map((type) => [type.name, type]));
		const shown = [...byName.values()].filter(({ hidden }) => !hidden);
		const ours = (word: string, count: number) =>
			found(word, shown)
				.slice(0, count)
				.map(({ node }) => node)
				.filter(isOurs);
		const rare = words.filter((word) => !crowded.includes(word));
		expect(rare.filter((word) => ours(word, 3).length === 0)).toEqual([]);
		expect(crowded.filter((word) => ours(word, 12).length === 0)).toEqual([]);
		expect(ours('note', 1)).toEqual([`${PACKAGE}.note`]);
	});
});

describe('the credential test', () => {
	const check = async (apiToken: string, baseUrl = service.baseUrl, limits: object = {}) => {
		const data = { baseUrl, apiToken, ...limits };
		return await testCredential(n8n.rest, credentialId, { ...CREDENTIAL, data });
	};

	it.each([
		{},
		{ access: 'readOnly' },
		{ access: 'selected', allowed: [], maxChanges: 1, maxHarmful: 1 },
		{ siteAccess: 'selected', onlySites: '652fd84c1f3ca8e1b1e3a1f0', onlyTags: '7' },
	])('accepts the right token with limits: %j', async (limits) => {
		for (const baseUrl of [service.baseUrl, `${service.baseUrl}//`]) {
			expect(await check(service.token, baseUrl, limits)).toMatchObject({ status: 'OK' });
		}
	});

	const ofOnly = (limits: object) => ({ siteAccess: 'selected', ...limits });
	const NO_LIST = 'of the credential is not a list of IDs';
	const EMPTY = 'Base URL of the credential is empty';

	it.each<[fields: Record<string, unknown>, message: string]>([
		[ofOnly({ onlyTags: 'Care plan' }), `Only Tags ${NO_LIST}`],
		[ofOnly({ onlySites: 'a@b.c' }), `Only Sites ${NO_LIST}`],
		[ofOnly({ onlySites: 'example.com' }), `Only Sites ${NO_LIST}`],
		[ofOnly({ onlySites: '' }), 'The credential has neither Only Sites nor Only Tags'],
		[{ apiToken: 'wrong-token' }, 'The service rejected the API token'],
		// The token is sent to no other host without encryption.
		[{ baseUrl: 'http://api.example.com/api/v6' }, 'Base URL'],
		[{ version: '/v5' }, 'Base URL'],
		[{ baseUrl: '={{ $vars.nothing }}' }, EMPTY],
		[{ baseUrl: '={{ undefined }}' }, EMPTY],
		[{ baseUrl: '' }, EMPTY],
	])(
		'%j: says what is wrong',
		async ({ apiToken, baseUrl, version = '/v6', ...limits }, message) => {
			const url = baseUrl ?? service.baseUrl.replace('/v6', String(version));
			expect(await check(String(apiToken ?? service.token), String(url), limits)).toEqual({
				status: 'Error',
				message: expect.stringContaining(message),
			});
		},
	);

	const NO_API = 'is the Base URL the address of the API with its version, such as';

	it.each<[string, Answer]>([
		['a parked page', { headers: { 'Content-Type': 'text/html' }, body: '<p>Parked</p>' }],
		['an empty text', { body: '' }],
		['an empty body', { headers: { 'Content-Type': 'application/json' }, body: '' }],
		['204', { status: 204 }],
		['an error that is no error', { body: { error: { message: 'No' } } }],
		['a list', { body: [{ id: 1 }] }],
		['null', { headers: { 'Content-Type': 'application/json' }, body: 'null' }],
		['another object', { body: { ok: true } }],
		['a redirect', { status: 302, headers: { Location: '/login' } }],
		['an endless redirect', { status: 308, headers: { Location: '/api/v6/tags' } }],
	])('does not accept %s as a response of the API', async (_name, answer) => {
		const wayward = await startWayward(() => answer);
		const told = await check(wayward.token, wayward.baseUrl);
		expect(told).toEqual({ status: 'Error', message: expect.stringContaining(NO_API) });
		expect(wayward.requests).toHaveLength(1);
	});

	// n8n's own test trips over a list without entries: it is no success, but nothing here can word it.
	it('does not accept an empty list as a response of the API', async () => {
		const wayward = await startWayward(() => ({ body: [] }));
		const told = check(wayward.token, wayward.baseUrl);
		await expect(told).rejects.toMatchObject({ response: { status: 500 } });
	});
});

describe('the limits of a credential', () => {
	let runs = 0;

	type Step = ReturnType<typeof nodeOf>;

	const step = (name: string, type: string, parameters: object, typeVersion = 1): Step =>
		nodeOf('', name, type, parameters, { typeVersion });

	/** An HTTP Request to a path of the service, such as `POST /tags`, with a body where it has one. */
	const requestFor = (what: string, options: object = {}, body?: string, more: object = {}) => {
		const [method, path] = what.split(' ') as [string, string];
		const parameters = {
			method,
			url: path.startsWith('/') ? `${service.baseUrl}${path}` : path,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL.type,
			...(body && { sendBody: true, specifyBody: 'json', jsonBody: body }),
			options,
			...more,
		};
		return step('Request', 'n8n-nodes-base.httpRequest', parameters, 4.2);
	};

	const tagNode = (parameters: object) => step('Tag', 'tag', { resource: 'tag', ...parameters });

	const itemsOf = (values: unknown[]): Step => {
		const items = JSON.stringify(values.map((value) => ({ json: { value } })));
		return step('Items', 'n8n-nodes-base.code', { jsCode: `return ${items}` }, 2);
	};

	/** Runs nodes one after the other with a new credential of these fields. */
	const run = async (fields: object, ...steps: Step[]) => {
		const { type } = CREDENTIAL;
		const name = `limited${(runs += 1)}`;
		const data = { baseUrl: service.baseUrl, apiToken: service.token, ...fields };
		const id = await saveCredential(n8n.rest, { type, name, data });
		const credentials = { [type]: { id, name } };
		const start = step(TRIGGER, 'n8n-nodes-base.manualTrigger', {});
		const own = steps.map((each) => ({ ...each, credentials })) as Step[];
		await importWorkflow(n8n.rest, chain(name, start, ...own));
		return await runWorkflow(n8n.rest, name, TRIGGER);
	};

	/** What n8n shows of a run that fails: the message, and what stands below it. */
	const refusalOf = async (fields: object, ...steps: Step[]) => {
		const before = service.requests.length;
		const { status, data } = await run(fields, ...steps);
		const { message, description } = data.resultData.error ?? {};
		const shown = [message, description].filter(Boolean).join(' | ');
		return { status, shown, sent: service.requests.length - before };
	};

	const refused = (part: string) => ({
		status: 'error',
		shown: expect.stringContaining(part),
		sent: 0,
	});

	const ourRequest = (what: string, body?: string): Step => {
		const [method, path] = what.split(' ') as [string, string];
		const request = { resource: 'request', operation: 'send', method, path };
		return step('Request', 'api', { ...request, ...(body && { body }) });
	};

	const newTag =
		"={{ { tag: { name: 'Of ' + $execution.id + ' ' + $json.value, color: '#112233' } } }}";

	const going = (step: Step) => ({ ...step, onError: 'continueRegularOutput' }) as Step;

	/** Writes all that an expression can read of a failure. */
	const tell = telling(
		['$json', '$json.error?.cause?.options?.headers', '$json.error'],
		(value) => `={{ JSON.stringify(${value}) ?? '' }}`,
	);

	const DEED = "Symbol.for('n8n-nodes-site-management.deed')";
	const claimed = `{ [${DEED}]: { method: 'GET', path: '/tags', effects: ['reads'], sites: [], tagged: [], changes: 0, harmful: 0 }, a: 1 }`;
	const paged = (type: string, name: string) => {
		const paginationMode = 'updateAParameterInEachRequest';
		const parameters = { parameters: [{ type, name, value: true }] };
		const limit = { limitPagesFetched: true, maxRequests: 1 };
		return { pagination: { pagination: { paginationMode, parameters, ...limit } } };
	};

	/** What workflows have tried to get a token or a change past the limits. */
	const attacks: Array<[string, () => Step]> = [
		['an error of the service', () => requestFor('GET /tags/0')],
		['the URL of the test and no time', () => requestFor('GET /tags?perPage=1', { timeout: 1 })],
		['the path of the test', () => requestFor('GET /tags')],
		['a change', () => requestFor('POST /tags', {}, '{"tag":{"name":"A"}}')],
		['a sign-in link', () => requestFor('GET /staging-sites/1/wp/users/sso%2Dlogin-url')],
		[
			'the key of the test as a place of a pagination',
			() => requestFor('GET /tags', paged('siteManagementTest', 'a')),
		],
		[
			'the key of the test for all objects',
			() => requestFor('GET /tags', paged('__proto__', 'siteManagementTest')),
		],
		['a claim in a body', () => requestFor('POST /tags', {}, `={{ ${claimed} }}`)],
		...[
			['sendQuery', 'queryParameters'],
			['sendHeaders', 'headerParameters'],
		].map(([send, values]): [string, () => Step] => {
			const claim = { parameters: [{ name: 'a', value: `={{ ${claimed} }}` }] };
			const more = { [send!]: true, [values!]: claim };
			return [`a claim in ${values}`, () => requestFor('GET /tags', {}, undefined, more)];
		}),
		[
			'a form',
			() =>
				requestFor('POST /tags/1/assign', {}, undefined, {
					...{ sendBody: true, contentType: 'form-urlencoded' },
					bodyParameters: { parameters: [{ name: 'site_ids[]', value: '1' }] },
				}),
		],
	];

	it.each(attacks)("refuse n8n's HTTP Request, and show no token: %s", async (_what, step) => {
		const before = service.requests.length;
		for (const limits of [{ access: 'readOnly' }, { maxChanges: 5 }]) {
			const execution = await run(limits, going(step()), tell);
			const { data } = await n8n.rest.get<object>(`/executions/${execution.id}`);
			const saved = JSON.stringify(data);
			expect(saved).not.toContain(service.token);
			expect(JSON.stringify(output(execution, 'Tell'))).not.toContain('Bearer');
			// Of a made-up type n8n itself says so.
			const [refusal] =
				/This credential has limits, which only the nodes|Parameter type must be/.exec(saved) ?? [];
			expect(refusal).toBeDefined();
		}
		expect(service.requests.length - before).toBe(0);
	});

	it("do not apply to n8n's HTTP Request if none are set", async () => {
		const [tag] = service.world.store.tags.peek();
		const read = await run({}, requestFor(`GET /tags/${tag!.id}`));
		expect(output(read, 'Request')).toEqual([{ tag: expect.objectContaining({ id: tag!.id }) }]);
		const headers = { sendHeaders: true, specifyHeaders: 'json', jsonHeaders: '{"host":"a.b"}' };
		const hosted = requestFor('GET /tags', {}, undefined, headers);
		expect(await refusalOf({}, hosted)).toEqual(
			refused('The token is not sent with a "Host" header set in a node'),
		);
	});

	it('are there for one record too: Only If counts without a separate choice, as n8n drops what is hidden', async () => {
		const tags = service.world.store.tags;
		const { id, name } = tags.peek()[0]!;
		const guarded = { operation: 'delete', tagId: locator(id), onlyIf: 'none' };
		const { shown } = await refusalOf({}, tagNode({ ...guarded, onlyIfName: 'Another' }));
		expect(shown).toContain(`the tag "${name}" (${id}) has another name than "Another"`);
		expect(tags.get(id)).toBeDefined();
	});

	it.each(['={{ $vars.nothing }}', '={{ undefined }}', '={{ $json.access }}'])(
		'are refused when Access is the expression %s, which has no value',
		async (access) => {
			for (const step of [requestFor('GET /tags'), tagNode({ operation: 'getAll' })]) {
				expect(await refusalOf({ access }, step)).toEqual(
					refused('Access of the credential is not one of its options'),
				);
			}
		},
	);

	it('count for an execution, whichever nodes it has', async () => {
		const limits = { maxChanges: 2 };
		const request = going(ourRequest('POST /tags', newTag));
		const made = (result: Awaited<ReturnType<typeof run>>) =>
			output(result, 'Request').map(({ error }) => error);
		const over = (before: number) =>
			expect.stringContaining(
				`Changes per Execution is 2. This execution has already made ${before}, and this request would make 1 more`,
			);
		const before = service.requests.length;
		const alone = made(await run(limits, itemsOf([1, 2, 3]), request));
		expect(alone).toEqual([undefined, undefined, over(2)]);
		const named = (end = '') =>
			tagNode({ operation: 'create', name: `=Of the node {{ $execution.id }}${end}` });
		expect(made(await run(limits, named(), itemsOf([1, 2, 3]), request))).toEqual([
			undefined,
			over(2),
			over(2),
		]);
		expect(service.requests.slice(before).map(({ method }) => method)).toEqual(
			Array<string>(4).fill('POST'),
		);
		expect(await refusalOf(limits, itemsOf([1, 2, 3]), named(' {{ $json.value }}'))).toEqual({
			status: 'error',
			shown: over(2),
			sent: 2,
		});
	});

	it('take the token through no proxy, past no certificate and to no other host', async () => {
		const proxy = 'http://127.0.0.1:9';
		expect(await refusalOf({}, requestFor('GET /tags', { proxy }))).toEqual(
			refused('The token is not sent through a proxy set in a node'),
		);
		expect(await refusalOf({}, requestFor('GET /tags', { allowUnauthorizedCerts: true }))).toEqual(
			refused('The token is not sent with "Ignore SSL Issues"'),
		);
		expect(await refusalOf({}, requestFor('GET http://127.0.0.1:9/api/v6/tags'))).toEqual(
			refused('This credential sends its token only to'),
		);
	});

	it('do not take the token along a redirect to another host', async () => {
		const arrived: Array<string | undefined> = [];
		const other = await startWayward(() => ({ body: { tags: [] } }));
		other.onRequest = ({ headers }) => void arrived.push(headers.authorization);
		const asked: Array<string | undefined> = [];
		const own = await startWayward(() => ({
			status: 302,
			headers: { Location: `${other.baseUrl}/tags` },
		}));
		own.onRequest = ({ headers }) => void asked.push(headers.authorization);
		const fields = { baseUrl: own.baseUrl, apiToken: own.token };
		const result = await run(fields, requestFor(`GET ${own.baseUrl}/tags`));
		expect(output(result, 'Request')).toEqual([{ tags: [] }]);
		expect(asked).toEqual([`Bearer ${own.token}`]);
		expect(arrived).toEqual([undefined]);
	});
});

describe('an item that fails and continues', () => {
	/** Gets a tag that is not there, and asks for what it gave, by On Error and by the way of asking. */
	const toldBy = async (onError: string, way: string) => {
		const get = { resource: 'tag', operation: 'get', tagId: locator('0123456789abcdef01234567') };
		const workflow = chain(
			`fails${onError}${way}`.replaceAll(/\W/g, ''),
			nodeOf(credentialId, TRIGGER, 'n8n-nodes-base.manualTrigger', {}),
			nodeOf(credentialId, 'Get', 'tag', get, { onError }),
			telling([way], (value) => `={{ ${value}.json.error }}`),
		);
		const { main } = workflow.connections.Get as { main: unknown[] };
		if (onError === 'continueErrorOutput') main.unshift([]);
		await importWorkflow(n8n.rest, workflow);
		const execution = await runWorkflow(n8n.rest, workflow.id, TRIGGER);
		expect(execution.status).toBe('success');
		return output(execution, 'Tell')[0]?.told0;
	};

	const WAYS = ['$input.first()', "$('Get').first()", "$('Get').item", '$input.all()[0]'];

	// The expressions of n8n can hand on plain JSON only: an Error beside it makes them null without a word.
	it.each(['continueRegularOutput', 'continueErrorOutput'])(
		'gives expressions the reason (%s)',
		async (onError) => {
			for (const way of WAYS) {
				expect({ way, told: await toldBy(onError, way) }).toEqual({
					way,
					told: expect.stringContaining('0123456789abcdef01234567'),
				});
			}
		},
	);
});
