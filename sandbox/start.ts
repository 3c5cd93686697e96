import { readdir, readFile, rm, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { importWorkflow, saveCredential, signIn, withCredential } from './lib/content';
import type { Owner, Workflow } from './lib/content';
import { n8nEnded, startN8n } from './lib/n8n';
import type { N8n } from './lib/n8n';
import { installPackage, packPackage } from './lib/package';
import { onStop } from './lib/stop';
import { startService } from './service';
import type { Service } from './service';

export interface StartOptions {
	/** Node.js to run n8n with, and n8n's start script. */
	node: string;
	n8n: string;
	port: number;
	servicePort: number;
	/** Of a new fleet; an existing one is refused when it was begun with another number. */
	sites?: number;
	speed: number;
	/** Folder of everything that is kept from one start to the next. */
	data: string;
	/** Whether to empty that folder first. */
	reset: boolean;
}

const OWNER: Owner = {
	email: 'owner@example.com',
	firstName: 'Sandbox',
	lastName: 'Owner',
	password: 'Sandbox-2025',
};
const CREDENTIAL = { type: 'siteManagementApi', name: 'Site Management Sandbox' };

const say = (text: string) => process.stdout.write(`${text}\n`);

async function fill(n8n: N8n, service: Service): Promise<void> {
	await signIn(n8n.rest, OWNER);
	const { type, name } = CREDENTIAL;
	const { baseUrl, token: apiToken } = service;
	const id = await saveCredential(n8n.rest, { type, name, data: { baseUrl, apiToken } });
	const folder = path.join(__dirname, 'workflows');
	for (const file of (await readdir(folder)).sort()) {
		const workflow = JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Workflow;
		const added = await importWorkflow(n8n.rest, withCredential(workflow, type, id, name));
		if (added) say(`  added the workflow "${workflow.name}"`);
	}
}

const banner = (n8n: N8n, service: Service, logFile: string) => `
  The sandbox is ready.

    n8n       ${n8n.baseUrl}
    e-mail    ${OWNER.email}
    password  ${OWNER.password}

    service   ${service.baseUrl}
    token     ${service.token}

  Stop both with Ctrl-C. Log of n8n: ${path.relative(process.cwd(), logFile)}
`;

/** Runs the sandbox until it is told to stop. */
export async function start(options: StartOptions): Promise<void> {
	const { node, n8n: n8nScript, port, servicePort, sites, speed, data } = options;
	const logFile = path.join(data, 'logs', 'n8n.log');
	const runningFile = path.join(data, 'running.json');
	let stopping = false;
	const stopSignal = new Promise<'stop'>((resolve) => {
		const stop = () => {
			// npm passes Ctrl-C on a second time, so that a repeated signal means nothing more.
			if (!stopping) say('Stopping …');
			stopping = true;
			resolve('stop');
		};
		onStop(stop);
	});
	if (options.reset) await rm(data, { recursive: true, force: true });
	await mkdir(data, { recursive: true });
	await writeFile(
		runningFile,
		JSON.stringify({ pid: process.pid, url: `http://127.0.0.1:${port}` }),
	);

	const userFolder = path.join(data, 'n8n');
	let service: Service | undefined;
	let n8n: N8n | undefined;
	try {
		say('Installing the nodes into n8n');
		const packages = path.join(data, 'package');
		await rm(packages, { recursive: true, force: true });
		await installPackage(userFolder, (await packPackage(packages)).tarball);

		service = await startService({
			port: servicePort,
			sites,
			speed,
			data: path.join(data, 'service'),
			living: true,
		});
		say('Starting n8n (the first time takes half a minute)');
		// A stop meanwhile waits for the end of the start: a half-made database must not be left behind.
		n8n = await startN8n({ node, n8n: n8nScript, userFolder, port, logFile });
		if (!stopping) {
			await fill(n8n, service);
			say(banner(n8n, service, logFile));
		}
		const how = await Promise.race([stopSignal, n8n.exited]);
		if (how !== 'stop') throw n8nEnded(how, logFile);
	} catch (error) {
		// Ctrl-C reaches a running npm too and makes it fail, which is no error then.
		if (!stopping) throw error;
	} finally {
		await n8n?.stop();
		await service?.close();
		await rm(runningFile, { force: true });
	}
	say('Stopped.');
}
