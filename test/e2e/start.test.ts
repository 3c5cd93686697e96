import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import axios from 'axios';
import { signIn } from '../../sandbox/lib/content';
import { exampleFiles } from '../../sandbox/lib/examples';
import { startOf } from '../../sandbox/lib/leftovers';
import { freePort } from '../../sandbox/lib/ports';
import { OWNER, runWorkflow, startTestN8n } from '../support/n8n';
import {
	dataOfTests as data,
	freePorts,
	npmStart,
	npmStartWith,
	processWith,
	stopNpmStart,
} from '../support/npmStart';
import { FOREIGN, rawRequest, UPGRADE } from '../support/rawRequest';
import { readableByOthers } from '../support/readable';

jest.setTimeout(15 * 60_000);

afterEach(stopNpmStart);

it('starts with the examples in place, stops cleanly, and keeps what the user changed', async () => {
	const [port, servicePort, mailboxPort, ports] = await freePorts();
	const agentPort = await freePort();
	const rest = axios.create({
		proxy: false,
		baseURL: `http://127.0.0.1:${port}/rest`,
		headers: { 'browser-id': 'test' },
	});
	const workflows = async (shown: string) => {
		const [, email = ''] = /email +(\S+)/.exec(shown) ?? [];
		const [, password = ''] = /password +(\S+)/.exec(shown) ?? [];
		await signIn(rest, { email, password, firstName: '', lastName: '' });
		const asItsPageDoes = '/workflows?sortBy=updatedAt:desc';
		const answer = await rest.get<{ data: Array<{ id: string; name: string }> }>(asItsPageDoes);
		return answer.data.data;
	};

	const first = npmStart('--reset', '--agent', '--agent-port', String(agentPort), ...ports);
	await first.ready();
	for (const told of [port, servicePort, mailboxPort, agentPort]) {
		expect(first.output()).toContain(`http://127.0.0.1:${told}`);
	}
	const inbox = await rest.get(`http://127.0.0.1:${mailboxPort}/email`);
	expect(inbox.data).toEqual([]);
	const examples = await workflows(first.output());
	expect(examples).toHaveLength(exampleFiles().length);
	const inOrder = examples.map(({ name }) => name);
	expect(inOrder).toEqual([...inOrder].sort());
	await rest.patch(`/workflows/${examples[0]!.id}`, { name: 'Mine now' });
	const sent = await runWorkflow(rest, 'startHere0000000', 'Every morning at seven');
	expect(sent.status).toBe('success');
	// While it runs: n8n's database has more files then.
	expect(readdirSync(path.join(data, 'mails'))).toContainEqual(expect.stringMatching(/\.eml$/));
	expect(existsSync(path.join(data, 'n8n', '.n8n', 'database.sqlite'))).toBe(true);
	expect(readableByOthers(data)).toEqual([]);
	first.child.kill('SIGINT');
	expect(await first.exited).toBe(0);

	await expect(rest.get(`http://127.0.0.1:${agentPort}`)).rejects.toMatchObject({
		code: 'ECONNREFUSED',
	});

	// As an earlier version made it.
	chmodSync(data, 0o755);
	const second = npmStart(...ports);
	await second.ready();
	expect(readableByOthers(data)).toEqual([]);
	const names = (await workflows(second.output())).map(({ name }) => name);
	expect(names.sort()).toEqual(['Mine now', ...examples.slice(1).map(({ name }) => name)].sort());
	second.child.kill('SIGTERM');
	expect(await second.exited).toBe(0);
	for (const ended of [port, servicePort, mailboxPort]) {
		const answer = rest.get(`http://127.0.0.1:${ended}`);
		await expect(answer).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	}
});

it.each(['--port', '--service-port', '--smtp-port', '--mailbox-port'])(
	'names a taken port and the option for another one (%s)',
	async (flag) => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as { port: number };
		const [, , , ports] = await freePorts();
		const started = npmStart(...ports, flag, String(port));
		expect(await started.exited).toBe(1);
		server.close();
		expect(started.output()).toContain(`Port ${port}`);
		expect(started.output()).toContain(`npm start -- ${flag} `);
	},
);

it('ends what it left running when it was killed, and ends with an error when a part of it ends by itself', async () => {
	const [port, , mailboxPort, ports] = await freePorts();
	const killed = npmStart(...ports);
	await killed.ready();
	const left = ['n8n', 'mailbox'].map((name) => {
		const file = path.join(data, 'logs', `${name}.pid`);
		return JSON.parse(readFileSync(file, 'utf8')) as { pid: number; started: string };
	});
	killed.child.kill('SIGKILL');
	await killed.exited;
	const running = () => left.map(({ pid, started }) => startOf(pid) === started);
	expect(running()).toEqual([true, true]);

	const started = npmStart(...ports);
	await started.ready();
	expect(started.output()).toMatch(/had left running: (The mailbox, n8n|n8n, The mailbox)\n/);
	expect(started.output()).toContain(`http://127.0.0.1:${port}`);
	expect(running()).toEqual([false, false]);
	process.kill(processWith(`--web ${mailboxPort}`), 'SIGKILL');
	expect(await started.exited).toBe(1);
	expect(started.output()).toContain('The mailbox ended (SIGKILL)');
});

let n8n: Awaited<ReturnType<typeof startTestN8n>>;
beforeAll(async () => void (n8n = await startTestN8n('e2e-other-n8n')));
afterAll(async () => await n8n?.stop());

describe('n8n as the sandbox starts it', () => {
	const { email, password } = OWNER;
	const login = { method: 'POST', body: { emailOrLdapLoginId: email, password } };
	const push = '/rest/push?pushRef=test';
	const cookie = () => ({ Cookie: n8n.rest.defaults.headers.common.Cookie as string });
	const ask = (path: string, headers: object, more = {}) =>
		rawRequest(n8n.baseUrl, path, { ...more, headers: { 'browser-id': 'sandbox', ...headers } });

	it.each(FOREIGN)('refuses %s', async (_case, headers) => {
		for (const path of ['/', '/rest/settings', '/rest/login', '/mcp/fleet']) {
			expect([path, (await ask(path, headers)).status]).toEqual([path, 403]);
		}
		const { status, headers: given } = await ask('/rest/login', headers, login);
		expect([status, given['set-cookie']]).toEqual([403, undefined]);
		const preflight = { ...headers, 'Access-Control-Request-Method': 'POST' };
		expect((await ask('/rest/login', preflight, { method: 'OPTIONS' })).status).toBe(403);
		expect((await ask(push, { ...UPGRADE, ...cookie(), ...headers })).status).toBe(403);
	});

	it('answers programs, its editor and the pages of forms', async () => {
		const own = { Origin: n8n.baseUrl };
		for (const headers of [{}, own]) {
			const { status, headers: given } = await ask('/rest/login', headers, login);
			expect(status).toBe(200);
			expect(given['access-control-allow-origin']).toBeUndefined();
		}
		expect((await ask(push, { ...UPGRADE, ...cookie(), ...own })).status).toBe(101);
		for (const path of ['/form/unknown', '/webhook-waiting/unknown']) {
			expect((await ask(path, { Origin: 'null' })).text).not.toContain('cannot send requests');
		}
	});
});

interface Saved {
	id: string;
	name: string;
	type: string;
	updatedAt: string;
	data: Record<string, unknown>;
}

describe('with an n8n that runs already', () => {
	const start = async (settings: Record<string, string>) => {
		const [, , , ports] = await freePorts();
		return npmStartWith(settings, '--reset', '--n8n', n8n.baseUrl, ...ports);
	};
	const signIn = { N8N_EMAIL: OWNER.email, N8N_PASSWORD: OWNER.password };
	const workflows = async () =>
		(await n8n.rest.get<{ data: unknown[] }>('/workflows')).data.data.length;
	const credentials = async () => {
		const listed = (await n8n.rest.get<{ data: Saved[] }>('/credentials')).data.data;
		return Object.fromEntries(listed.map((each) => [each.name, each]));
	};
	const dataOf = async ({ id }: Saved) => {
		const params = { includeData: true };
		const { data } = await n8n.rest.get<{ data: Saved }>(`/credentials/${id}`, { params });
		return data.data.data;
	};

	it('says what to enter where it cannot sign in', async () => {
		const byHand = await start({});
		await byHand.ready();
		expect(byHand.output()).toMatch(/Base URL {3}http:\/\/127\.0\.0\.1:\d+\/api\/v6/);
		expect(byHand.output()).toMatch(/API Token {2}\S+/);
		byHand.child.kill('SIGINT');
		expect(await byHand.exited).toBe(0);
		expect(await workflows()).toBe(0);

		const refused = await start({ ...signIn, N8N_PASSWORD: 'Wrong-1234' });
		expect(await refused.exited).toBe(1);
		expect(refused.output()).toContain('Check N8N_EMAIL and N8N_PASSWORD');
	});

	it('adds the credentials and the examples, leaves n8n running, and keeps what the user changed', async () => {
		const started = await start(signIn);
		await started.ready();
		expect(started.output()).toContain(`begin at  ${n8n.baseUrl}/workflow/`);
		expect(started.output()).not.toContain(OWNER.password);
		expect(await workflows()).toBe(exampleFiles().length);
		started.child.kill('SIGINT');
		expect(await started.exited).toBe(0);
		expect(await workflows()).toBe(exampleFiles().length);

		const change = async (name: string, changes: object) => {
			const one = (await credentials())[name]!;
			const data = { ...(await dataOf(one)), ...changes };
			await n8n.rest.patch(`/credentials/${one.id}`, { name, type: one.type, data });
		};
		const own = {
			'Site Management Sandbox': { baseUrl: 'https://api.example.com/api/v6', apiToken: 'real' },
			'Sandbox Mailbox': { host: 'mail.example.com' },
			'Sandbox MCP Token': { token: 'real' },
			'Sandbox Forms': { password: 'real' },
		};
		for (const [name, changes] of Object.entries(own)) await change(name, changes);
		await change('Site Management Sandbox (Agent)', { maxChanges: 3 });
		const before = await credentials();
		const again = await start(signIn);
		await again.ready();
		const after = await credentials();
		for (const name of Object.keys(own)) expect(after[name]).toEqual(before[name]);
		expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
		// The service has another port at this start.
		const [, baseUrl] = /service +(\S+)/.exec(again.output()) ?? [];
		const agent = await dataOf(after['Site Management Sandbox (Agent)']!);
		expect(agent).toMatchObject({ baseUrl, maxChanges: 3 });
		again.child.kill('SIGINT');
		expect(await again.exited).toBe(0);
	});
});
