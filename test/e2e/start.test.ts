import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import axios from 'axios';
import { signIn } from '../../sandbox/lib/content';
import { exampleFiles } from '../../sandbox/lib/examples';
import { freePort } from '../../sandbox/lib/ports';
import { waitFor } from '../../sandbox/lib/wait';

const TIMEOUT_MS = 15 * 60_000;
const root = path.resolve(__dirname, '..', '..');

let running: { child: ChildProcess; exited: Promise<number | null> } | undefined;

/** `npm start` under a name of its own, so that the developer's sandbox is left alone. */
function npmStart(...options: string[]) {
	const child = spawn(
		process.execPath,
		[path.join(root, 'sandbox', 'start.mjs'), '--name', 'test', ...options],
		{ cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
	);
	let output = '';
	const keep = (chunk: Buffer) => {
		output += chunk.toString();
	};
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	const exited = once(child, 'exit').then(([code]) => code as number | null);
	running = { child, exited };
	const ready = async () =>
		await waitFor(
			'the sandbox',
			async () => {
				if (child.exitCode !== null) throw new Error(`It ended:\n${output}`);
				return output.includes('Stop all with Ctrl-C') ? true : undefined;
			},
			TIMEOUT_MS,
		);
	return { child, ready, exited, output: () => output };
}

/** Of n8n, the service and the inbox, and the options that say so. */
async function freePorts(): Promise<[number, number, number, string[]]> {
	const [port, service, smtp, mailbox] = [
		await freePort(),
		await freePort(),
		await freePort(),
		await freePort(),
	];
	const options = [
		...['--port', String(port), '--service-port', String(service)],
		...['--smtp-port', String(smtp), '--mailbox-port', String(mailbox)],
	];
	return [port, service, mailbox, options];
}

/** The process with this on its command line; small machines have no `ps`. */
function processWith(options: string): number {
	const isProc = existsSync('/proc/self/cmdline');
	const commands = isProc
		? readdirSync('/proc')
				.filter((name) => /^\d+$/.test(name))
				.map((pid) => `${pid} ${commandOf(pid)}`)
		: execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
	return Number.parseInt(
		commands.find((line) => line.includes(options))!,
		10,
	);
}

function commandOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
	} catch {
		// It has ended meanwhile.
		return '';
	}
}

afterEach(async () => {
	running?.child.kill('SIGTERM');
	await running?.exited;
});

it(
	'starts with the examples in place, stops cleanly, and keeps what the user changed',
	async () => {
		const [port, servicePort, mailboxPort, ports] = await freePorts();
		const agentPort = await freePort();
		const rest = axios.create({
			proxy: false,
			baseURL: `http://127.0.0.1:${port}/rest`,
			headers: { 'browser-id': 'test' },
		});
		const workflows = async (shown: string) => {
			const [, email = ''] = /e-mail +(\S+)/.exec(shown) ?? [];
			const [, password = ''] = /password +(\S+)/.exec(shown) ?? [];
			await signIn(rest, { email, password, firstName: '', lastName: '' });
			const answer = await rest.get<{ data: Array<{ id: string; name: string }> }>('/workflows');
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
		await rest.patch(`/workflows/${examples[0]!.id}`, { name: 'Mine now' });
		first.child.kill('SIGINT');
		expect(await first.exited).toBe(0);

		await expect(rest.get(`http://127.0.0.1:${agentPort}`)).rejects.toMatchObject({
			code: 'ECONNREFUSED',
		});

		const second = npmStart(...ports);
		await second.ready();
		const names = (await workflows(second.output())).map(({ name }) => name);
		expect(names.sort()).toEqual(['Mine now', ...examples.slice(1).map(({ name }) => name)].sort());
		second.child.kill('SIGTERM');
		expect(await second.exited).toBe(0);
		for (const ended of [port, servicePort, mailboxPort]) {
			const answer = rest.get(`http://127.0.0.1:${ended}`);
			await expect(answer).rejects.toMatchObject({ code: 'ECONNREFUSED' });
		}
	},
	TIMEOUT_MS,
);

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

it(
	'ends with an error when a part of it ends by itself',
	async () => {
		const [, , mailboxPort, ports] = await freePorts();
		const started = npmStart(...ports);
		await started.ready();
		process.kill(processWith(`--web ${mailboxPort}`), 'SIGKILL');
		expect(await started.exited).toBe(1);
		expect(started.output()).toContain('The mailbox ended (SIGKILL)');
	},
	TIMEOUT_MS,
);
