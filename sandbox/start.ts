import { rm } from 'node:fs/promises';
import path from 'node:path';
import { startAgentModel } from './lib/agentModel';
import { modelUrl } from './lib/chatServer';
import type { ChatServer } from './lib/chatServer';
import type { Child } from './lib/child';
import { signIn } from './lib/content';
import type { Owner } from './lib/content';
import { addExamples, examplesFolder } from './lib/examples';
import { logsFolder, note, runningFile } from './lib/leftovers';
import { startMailbox } from './lib/mailbox';
import type { Mailbox } from './lib/mailbox';
import { startN8n, startWorker } from './lib/n8n';
import type { Connection, N8n } from './lib/n8n';
import { requireNodes, signInOf, signInTo } from './lib/otherN8n';
import { ownerOf } from './lib/owner';
import { installPackage, packPackage } from './lib/package';
import { freePort } from './lib/ports';
import { privateFolders, writePrivately } from './lib/private';
import { findQueuePrograms } from './lib/programs';
import { onStop } from './lib/stop';
import { startStores } from './lib/stores';
import type { Stores } from './lib/stores';
import { startService } from './service';
import type { Service } from './service';

export interface StartOptions {
	/** Node.js to run n8n with, and n8n's start script. */
	node: string;
	n8n: string;
	/** Of an n8n that runs already, and is used instead. */
	n8nUrl?: string;
	port: number;
	servicePort: number;
	/** Of the mail server, and of its inbox in the browser. */
	smtpPort: number;
	mailboxPort: number;
	/** Of the model for the example agent, and whether to start it. */
	agentPort: number;
	agent: boolean;
	/** Of n8n's queue mode; with 0 one n8n does it all. */
	workers: number;
	/** Of a new fleet; an existing one is refused when it was begun with another number. */
	sites?: number;
	speed: number;
	/** The share of the service's answers that differ harmlessly from its reference. */
	drift?: number;
	/** Folder of everything that is kept from one start to the next. */
	data: string;
	/** Whether to empty that folder first. */
	reset: boolean;
}

const say = (text: string) => process.stdout.write(`${text}\n`);

/** The id of 00 Start here: n8n itself opens on a page about its assistant, which shows no workflow. */
const FIRST = 'startHere0000000';

const banner = (
	n8n: Connection,
	service: Service,
	mailbox: Mailbox,
	model: ChatServer | undefined,
	workers: Child[],
	logs: string,
	owner: Owner | undefined,
) => `
  The sandbox is ready.

    begin at  ${n8n.baseUrl}/workflow/${FIRST}
${owner ? `    email     ${owner.email}\n    password  ${owner.password}\n` : ''}
    mailbox   ${mailbox.url}
    fleet     ${service.pageUrl}
    n8n       ${n8n.baseUrl}

    service   ${service.baseUrl}
    token     ${service.token}
${model ? `\n    model     ${model.baseUrl}\n` : ''}${workers.length ? `\n    workers   ${workers.length}\n` : ''}
  Stop all with Ctrl-C. Logs: ${path.relative(process.cwd(), logs)}
`;

/** What the user enters in an n8n that the sandbox cannot sign in to. */
const byHand = (url: string, service: Service, smtpPort: number, mailbox: Mailbox) => `
  The service is ready. In n8n at ${url}, create these credentials:

    Site Management API
      Base URL   ${service.baseUrl}
      API Token  ${service.token}
    SMTP
      Host       127.0.0.1, port ${smtpPort}, no user, no password, SSL/TLS off

  Then import the files of ${path.relative(process.cwd(), examplesFolder)}. To let the sandbox do all this, set
  N8N_EMAIL and N8N_PASSWORD.

    mailbox   ${mailbox.url}
    fleet     ${service.pageUrl}

  Stop all with Ctrl-C.
`;

/** Runs the sandbox until it is told to stop. */
export async function start(options: StartOptions): Promise<void> {
	const { node, n8n: n8nScript, n8nUrl, port, servicePort, sites, speed, drift, data } = options;
	const { smtpPort, mailboxPort, agentPort } = options;
	const workerFolders = Array.from({ length: options.workers }, (_, index) =>
		path.join(data, `worker-${index + 1}`),
	);
	const logs = logsFolder(data);
	const stored = path.join(data, 'stores');
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
	writePrivately();
	// As root, PostgreSQL runs as another user.
	const isPassage = options.workers > 0 && process.getuid?.() === 0;
	privateFolders([path.dirname(data), data, stored], isPassage);
	note(runningFile(data), n8nUrl ?? `http://127.0.0.1:${port}`, process.pid);

	const userFolder = path.join(data, 'n8n');
	let service: Service | undefined;
	let mailbox: Mailbox | undefined;
	let model: ChatServer | undefined;
	let stores: Stores | undefined;
	let n8n: N8n | undefined;
	const workers: Child[] = [];
	try {
		const packages = path.join(data, 'package');
		await rm(packages, { recursive: true, force: true });
		const { tarball } = await packPackage(packages);
		let other: Connection | undefined;
		const signInWith = signInOf(process.env);
		if (n8nUrl === undefined) {
			say('Installing the nodes into n8n');
			for (const folder of [userFolder, ...workerFolders]) await installPackage(folder, tarball);
		} else if (signInWith) {
			other = await signInTo(n8nUrl, signInWith);
			await requireNodes(other, tarball);
		}

		service = await startService({
			port: servicePort,
			sites,
			speed,
			...(drift !== undefined && { faults: { harmless: { rate: drift } } }),
			data: path.join(data, 'service'),
			living: true,
			links: {
				n8n: n8nUrl ?? `http://127.0.0.1:${port}`,
				mailbox: `http://127.0.0.1:${mailboxPort}`,
			},
		});
		mailbox = await startMailbox({
			smtpPort,
			webPort: mailboxPort,
			folder: path.join(data, 'mails'),
			logFile: path.join(logs, 'mailbox.log'),
		});
		if (options.agent) model = await startAgentModel(agentPort);
		if (workerFolders.length) {
			say('Starting Redis and PostgreSQL');
			stores = await startStores(findQueuePrograms(), stored, logs);
		}
		// A stop meanwhile waits for the end of the start: a half-made database must not be left behind.
		const logFile = path.join(logs, 'n8n.log');
		// As the page, which shows times as the browser does.
		const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
		const env = { GENERIC_TIMEZONE: timeZone, ...stores?.env };
		const program = { node, n8n: n8nScript, env };
		if (n8nUrl === undefined) {
			say('Starting n8n (the first start takes half a minute)');
			n8n = await startN8n({ ...program, userFolder, port, logFile });
		}
		for (const [index, folder] of workerFolders.entries()) {
			const place = {
				userFolder: folder,
				port: await freePort(),
				logFile: path.join(logs, `${path.basename(folder)}.log`),
			};
			workers.push(
				await startWorker(`Worker ${index + 1}`, n8n!.baseUrl, { ...program, ...place }),
			);
		}
		if (!stopping) {
			const owner = n8n && ownerOf(data);
			if (n8n && owner) await signIn(n8n.rest, owner);
			const used = n8n ?? other;
			const outside = { service, mailbox, model: { baseUrl: modelUrl(agentPort) } };
			for (const name of used ? await addExamples(used, outside) : []) {
				say(`  added the workflow "${name}"`);
			}
			const shown = used && banner(used, service, mailbox, model, workers, logs, owner);
			say(shown ?? byHand(n8nUrl!, service, smtpPort, mailbox));
		}
		const crash = async ({ exited, ended }: Child) => ended(await exited);
		const children = [...(n8n ? [n8n] : []), mailbox, ...workers, ...(stores?.children ?? [])];
		const end = await Promise.race([stopSignal, ...children.map(crash)]);
		if (end !== 'stop') throw end;
	} catch (error) {
		// Ctrl-C reaches a running npm too and makes it fail, which is no error then.
		if (!stopping) throw error;
	} finally {
		await n8n?.stop();
		await Promise.all(workers.map(async (worker) => await worker.stop()));
		await stores?.stop();
		await model?.close();
		await mailbox?.stop();
		await service?.close();
		await rm(runningFile(data), { force: true });
	}
	say('Stopped.');
}
