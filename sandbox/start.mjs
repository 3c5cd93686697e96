#!/usr/bin/env node
// Starts the sandbox: installs and builds what is missing, then hands over to start.ts.
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DRIFT_RATE, withRate } from './lib/drift.mjs';
import { readNumber } from './lib/number.mjs';
import {
	ensureBuild,
	ensureDependencies,
	loadTypeScript,
	main,
	setup,
	UserError,
} from './setup.mjs';

const folder = path.dirname(fileURLToPath(import.meta.url));

const HELP = `Starts a Site Management Service with a demo fleet, and a real n8n with the nodes installed.

Usage: npm start -- [options]

  --port N          Port of n8n (default 5678)
  --n8n URL         Use the n8n that runs there; N8N_EMAIL and N8N_PASSWORD sign in to it
  --service-port N  Port of the service (default 5679)
  --smtp-port N     Port of the mail server, which keeps all emails (default 1025)
  --mailbox-port N  Port of the mailbox (default 1080)
  --agent           Start a simple rule-based model too, to try the fleet agent without a real model
  --agent-port N    Port of that model (default 5680)
  --workers N       Run n8n in queue mode with this many workers; needs Redis and PostgreSQL (default 0)
  --sites N         Number of sites in a new fleet (default 250)
  --speed N         Speed of the service's time, as a multiple of real time (default 1)
  --drift [RATE]    Share of responses whose form differs harmlessly from the API reference (default ${DRIFT_RATE})
  --name NAME       Keep n8n and the fleet under this name (default main)
  --reset           Delete n8n and the fleet under that name, and start again
  --help            Show this text

The first start installs n8n (about 2.3 GB, a few minutes). Everything stays inside this folder.
`;

const NUMBERS = {
	port: { default: 5678, min: 1, max: 65_535, whole: true },
	'service-port': { default: 5679, min: 1, max: 65_535, whole: true },
	'smtp-port': { default: 1025, min: 1, max: 65_535, whole: true },
	'mailbox-port': { default: 1080, min: 1, max: 65_535, whole: true },
	'agent-port': { default: 5680, min: 1, max: 65_535, whole: true },
	workers: { default: 0, min: 0, max: 20, whole: true },
	sites: { min: 1, max: 100_000, whole: true },
	speed: { default: 1, min: 0.01, max: 10_000, whole: false },
	drift: { min: 0, max: 1, whole: false },
};

function readOptions() {
	let values;
	try {
		({ values } = parseArgs({
			args: withRate(process.argv.slice(2)),
			options: {
				...Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: 'string' }])),
				name: { type: 'string', default: 'main' },
				n8n: { type: 'string' },
				agent: { type: 'boolean', default: false },
				reset: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
			},
		}));
	} catch (error) {
		throw new UserError(`${error.message}\n\n${HELP}`);
	}
	if (!/^[\w-]+$/.test(values.name)) {
		throw new UserError(
			`--name may contain only letters, digits, "-" and "_", not "${values.name}".`,
		);
	}
	if (values.n8n !== undefined && !(URL.canParse(values.n8n) && /^https?:/.test(values.n8n))) {
		throw new UserError(
			`--n8n needs the address of an n8n, such as http://127.0.0.1:5678, not "${values.n8n}".`,
		);
	}
	const number = (name) => {
		const { default: fallback, ...range } = NUMBERS[name];
		if (values[name] === undefined) return fallback;
		try {
			return readNumber(values[name], range);
		} catch (error) {
			throw new UserError(`--${name} ${error.message}.`);
		}
	};
	return {
		n8nUrl: values.n8n,
		port: number('port'),
		servicePort: number('service-port'),
		smtpPort: number('smtp-port'),
		mailboxPort: number('mailbox-port'),
		agentPort: number('agent-port'),
		agent: values.agent,
		workers: number('workers'),
		sites: number('sites'),
		speed: number('speed'),
		drift: number('drift'),
		data: path.join(folder, '.data', values.name),
		reset: values.reset,
		help: values.help,
	};
}

/** Asked before the long install, so that nobody waits minutes for this answer. */
async function requireFreePort(port, flag, use) {
	await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', (error) =>
			reject(
				new UserError(
					error.code === 'EADDRINUSE'
						? `Port ${port} for ${use} is in use by another program. Choose another port: npm start -- ${flag} ${port + 10}`
						: `Port ${port} for ${use} cannot be used (${error.code}). Choose another port: npm start -- ${flag} 8080`,
				),
			),
		);
		server.listen(port, '127.0.0.1', () => server.close(resolve));
	});
}

/** Asked before the long install, too. */
async function requireQueuePrograms() {
	await ensureDependencies();
	const { findQueuePrograms } = await loadTypeScript(import.meta.url, './lib/programs.ts');
	findQueuePrograms();
}

/** Before the ports are looked at: what a killed sandbox has left running is at the same ones. */
async function requireNotRunning(data) {
	// A sandbox that was stopped has deleted it.
	if (!existsSync(path.join(data, 'running.json'))) return;
	await ensureDependencies();
	const { endLeftovers } = await loadTypeScript(import.meta.url, './lib/leftovers.ts');
	const names = await endLeftovers(data);
	if (names.length === 0) return;
	process.stdout.write(`Ended what a killed sandbox had left running: ${names.join(', ')}\n`);
}

async function setupWithoutN8n() {
	await ensureDependencies();
	await ensureBuild();
}

await main(async () => {
	const options = readOptions();
	if (options.help) {
		process.stdout.write(HELP);
		return;
	}
	const ports = [
		...(options.n8nUrl === undefined ? [[options.port, '--port', 'n8n']] : []),
		[options.servicePort, '--service-port', 'the service'],
		[options.smtpPort, '--smtp-port', 'the mail server'],
		[options.mailboxPort, '--mailbox-port', 'the inbox'],
		...(options.agent ? [[options.agentPort, '--agent-port', 'the model of the agent']] : []),
	];
	for (const [index, [port, flag]] of ports.entries()) {
		const other = ports.slice(0, index).find(([taken]) => taken === port);
		if (other) throw new UserError(`${other[1]} and ${flag} must differ.`);
	}
	await requireNotRunning(options.data);
	for (const [port, flag, use] of ports) await requireFreePort(port, flag, use);

	if (options.workers > 0) await requireQueuePrograms();
	if (options.n8nUrl !== undefined && options.workers > 0) {
		throw new UserError('--workers is for the n8n of the sandbox: leave out --n8n or --workers.');
	}
	const paths = options.n8nUrl === undefined ? await setup() : await setupWithoutN8n();

	const { start } = await loadTypeScript(import.meta.url, './start.ts');
	await start({ ...options, ...paths });
});
