import { importWorkflow, saveCredential } from '../../sandbox/lib/content';
import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import type { Workflow } from '../../sandbox/lib/content';
import { startService } from '../../sandbox/service';
import type { Service } from '../../sandbox/service';
import { output, runWorkflow, startTestN8n, testCredential } from '../support/n8n';

const START_TIMEOUT_MS = 15 * 60_000;
const TEST_TIMEOUT_MS = 2 * 60_000;
const CREDENTIAL = { type: 'siteManagementApi', name: 'Site Management Sandbox' };
const PACKAGE = 'n8n-nodes-site-management';

let service: Service;
let n8n: Awaited<ReturnType<typeof startTestN8n>>;
let credentialId: string;

beforeAll(async () => {
	service = await startService({ sites: 60 });
	n8n = await startTestN8n('e2e');
	const { baseUrl, token: apiToken } = service;
	credentialId = await saveCredential(n8n.rest, { ...CREDENTIAL, data: { baseUrl, apiToken } });
}, START_TIMEOUT_MS);

afterAll(async () => {
	await n8n?.stop();
	await service?.close();
}, TEST_TIMEOUT_MS);

describe('the package', () => {
	it('shows every node with an icon that n8n serves', async () => {
		const { data: types } = await n8n.rest.get<
			Array<{ name: string; iconUrl?: string | { light: string; dark: string } }>
		>(`${n8n.baseUrl}/types/nodes.json`);
		const ours = types.filter(({ name }) => name.startsWith(`${PACKAGE}.`));
		expect(ours.map(({ name }) => name.replace(`${PACKAGE}.`, ''))).toEqual(
			expect.arrayContaining(['site', 'tag', 'task', 'taskTrigger']),
		);
		for (const { name, iconUrl } of ours) {
			const icons = typeof iconUrl === 'object' ? Object.values(iconUrl) : [iconUrl];
			for (const icon of icons) {
				const answer = await n8n.rest.get(`${n8n.baseUrl}/${icon}`);
				expect({ name, status: answer.status, type: answer.headers['content-type'] }).toEqual({
					name,
					status: 200,
					type: expect.stringContaining('image/svg+xml'),
				});
			}
		}
	});
});

describe("n8n's search for nodes", () => {
	interface Entry {
		name: string;
		displayName: string;
		hidden?: boolean;
		codex?: { alias?: string[] };
	}

	/** What the node creator searches: the triggers that stand beside a node of the same name are a part of it. */
	async function entries() {
		const { data } = await n8n.rest.get<Entry[]>(`${n8n.baseUrl}/types/nodes.json`);
		const types = new Map(data.filter(({ hidden }) => !hidden).map((type) => [type.name, type]));
		const isPart = ({ name }: Entry) =>
			name.endsWith('Trigger') && types.has(name.replace(/Trigger$/, ''));
		return [...types.values()]
			.filter((type) => !isPart(type))
			.map((properties) => ({ key: properties.name, properties }));
	}

	const words = [
		...['wordpress', 'wp', 'migrate', 'restore', 'backup', 'update', 'plugin', 'vulnerability'],
		...['malware', 'hacked', 'uptime', 'monitor', 'down', 'disconnected', 'bounced', 'staging'],
		...[
			'clone',
			'white label',
			'login screen',
			'report',
			'pdf',
			'client',
			'note',
			'invite',
			'team',
		],
		...['tag', 'group', 'database', 'activity log', 'audit', 'performance', 'important page'],
		...['custom work', 'php', 'setting', 'domain', 's3', 'google drive', 'dropbox', 'sftp'],
	];

	/** n8n's own nodes are called so, or have the same alias, and come before ours. */
	const crowded = ['security', 'customer', 'file', 'table'];

	it('shows ours among the first, by the words that people type', async () => {
		const all = await entries();
		const found = (word: string, count: number) =>
			sublimeSearch(word, all)
				.slice(0, count)
				.map(({ item }) => item.key)
				.filter((key) => key.startsWith(PACKAGE));
		expect(words.filter((word) => found(word, 3).length === 0)).toEqual([]);
		expect(crowded.filter((word) => found(word, 12).length === 0)).toEqual([]);
		expect(found('note', 1)).toEqual([`${PACKAGE}.site`]);
	});
});

describe('the credential test', () => {
	const check = async (apiToken: string, baseUrl = service.baseUrl) => {
		const data = { baseUrl, apiToken };
		return await testCredential(n8n.rest, credentialId, { ...CREDENTIAL, data });
	};

	it('accepts the right token', async () => {
		expect(await check(service.token)).toMatchObject({ status: 'OK' });
	});

	it('tolerates trailing slashes in the base URL', async () => {
		expect(await check(service.token, `${service.baseUrl}//`)).toMatchObject({ status: 'OK' });
	});

	it('sends the token to no other host without encryption', async () => {
		const { status, message } = await check(service.token, 'http://api.example.com/api/v6');
		expect(status).toBe('Error');
		expect(message).toContain('Base URL');
	});

	it('says what is wrong with the token or the base URL', async () => {
		expect(await check('wrong-token')).toMatchObject({
			status: 'Error',
			message: 'The service did not accept the API Token',
		});
		expect(await check(service.token, service.baseUrl.replace('/v6', '/v5'))).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('does the Base URL end with the version segment'),
		});
	});
});

describe("n8n's HTTP Request node with a credential that is limited", () => {
	const TRIGGER = 'Start';

	const requestWith = async (access: string, method: string, url: string) => {
		const { baseUrl, token: apiToken } = service;
		const { type } = CREDENTIAL;
		const name = `${CREDENTIAL.name} ${access}`;
		const id = await saveCredential(n8n.rest, { type, name, data: { baseUrl, apiToken, access } });
		const at = { position: [0, 0] as [number, number], typeVersion: 1 };
		const workflow = {
			id: `request-${access}-${method}`.toLowerCase(),
			name: `${method} with ${access}`,
			nodes: [
				{ id: '1', name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {}, ...at },
				{
					...at,
					id: '2',
					name: 'Request',
					type: 'n8n-nodes-base.httpRequest',
					typeVersion: 4.2,
					parameters: {
						method,
						url,
						authentication: 'predefinedCredentialType',
						nodeCredentialType: type,
						options: {},
					},
					credentials: { [type]: { id, name } },
				},
			],
			connections: { [TRIGGER]: { main: [[{ node: 'Request', type: 'main', index: 0 }]] } },
			settings: {},
		};
		await importWorkflow(n8n.rest, workflow as unknown as Workflow);
		return await runWorkflow(n8n.rest, workflow.id, TRIGGER);
	};

	it(
		'reads, and deletes nothing',
		async () => {
			const { baseUrl, world } = service;
			const [tag] = world.store.tags.peek();
			const read = await requestWith('readOnly', 'GET', `${baseUrl}/tags/${tag!.id}`);
			expect(output(read, 'Request')).toEqual([{ tag: expect.objectContaining({ id: tag!.id }) }]);
			const before = service.requests.length;
			for (const access of ['readOnly', 'noIrreversible']) {
				const refused = await requestWith(access, 'DELETE', `${baseUrl}/tags/${tag!.id}`);
				expect(refused.status).toBe('error');
				expect(JSON.stringify(refused.data.resultData.error)).toContain('is not allowed by');
			}
			expect(service.requests).toHaveLength(before);
			expect(world.store.tags.get(tag!.id)).toBeDefined();
		},
		TEST_TIMEOUT_MS,
	);
});

describe('an item that fails and goes on', () => {
	const TRIGGER = 'Start';

	/** Gets a tag that is not there, and asks for what it gave, by On Error and by the way of asking. */
	const toldBy = async (onError: string, way: string) => {
		const at = { position: [0, 0] as [number, number], typeVersion: 1 };
		const { type, name } = CREDENTIAL;
		const values = [{ id: '1', name: 'told', type: 'string', value: `={{ ${way}.json.error }}` }];
		const workflow = {
			id: `fails${onError}${way}`.replaceAll(/\W/g, ''),
			name: `${onError} ${way}`,
			nodes: [
				{ id: '1', name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', parameters: {}, ...at },
				{
					...at,
					id: '2',
					name: 'Get',
					type: `${PACKAGE}.tag`,
					parameters: {
						resource: 'tag',
						operation: 'get',
						tagId: { __rl: true, mode: 'id', value: '0123456789abcdef01234567' },
					},
					credentials: { [type]: { id: credentialId, name } },
					onError,
				},
				{
					...at,
					id: '3',
					name: 'Tell',
					type: 'n8n-nodes-base.set',
					typeVersion: 3.4,
					parameters: { assignments: { assignments: values }, options: {} },
				},
			],
			connections: {
				[TRIGGER]: { main: [[{ node: 'Get', type: 'main', index: 0 }]] },
				Get: {
					main: [
						...(onError === 'continueErrorOutput' ? [[]] : []),
						[{ node: 'Tell', type: 'main', index: 0 }],
					],
				},
			},
			settings: {},
		};
		await importWorkflow(n8n.rest, workflow as unknown as Workflow);
		const execution = await runWorkflow(n8n.rest, workflow.id, TRIGGER);
		expect(execution.status).toBe('success');
		return output(execution, 'Tell')[0]?.told;
	};

	// The expressions of n8n can hand on plain JSON only: an Error beside it makes them null without a word.
	it.each(['continueRegularOutput', 'continueErrorOutput'])(
		'tells expressions why (%s)',
		async (onError) => {
			for (const way of [
				'$input.first()',
				"$('Get').first()",
				"$('Get').item",
				'$input.all()[0]',
			]) {
				expect({ way, told: await toldBy(onError, way) }).toEqual({
					way,
					told: expect.stringContaining('0123456789abcdef01234567'),
				});
			}
		},
		TEST_TIMEOUT_MS,
	);
});
