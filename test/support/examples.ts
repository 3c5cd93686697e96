import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import axios from 'axios';
import { startAgentModel } from '../../sandbox/lib/agentModel';
import {
	activate,
	importWorkflow,
	isSubWorkflow,
	triggersOf,
	withCredentials,
} from '../../sandbox/lib/content';
import type { Workflow } from '../../sandbox/lib/content';
import { FORM_USER, readExample, saveCredentials } from '../../sandbox/lib/examples';
import { startMailbox } from '../../sandbox/lib/mailbox';
import { freePort } from '../../sandbox/lib/ports';
import { startService, type ServiceOptions } from '../../sandbox/service';
import { Random } from '../../sandbox/service/engine/random';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import type { SnapshotRow } from '../../sandbox/service/domain/snapshots/rows';
import type { StagingSiteRow } from '../../sandbox/service/domain/stagingSites/rows';
import { addStagingSite } from '../../sandbox/service/domain/stagingSites/rules';
import { ends } from './ending';
import { locator } from './locator';
import { BROWSER } from './mails';
import { output, runWorkflow, startTestN8n, type Execution } from './n8n';
import { starting } from './starting';
import { until } from './until';
import type { N8nVersion } from './versions';
import { chain, nodeOf } from './workflow';

/** The examples in a real n8n, beside the service, its chat and tickets, and a mailbox. */

export const EXAMPLE_MS = 4 * 60_000;

/** The zone in which n8n reckons days unless it is told otherwise. */
export const ZONE = 'America/New_York';

interface Message {
	id: string;
	body: Record<string, unknown>;
}

/** Settings of n8n with which the package waits a part of the time. */
export const SHORT_WAITS = {
	NODE_OPTIONS: `--import=${pathToFileURL(path.join(__dirname, 'shortWaits.mjs')).href}`,
};

/** What has come since the last time that somebody asked. */
type New<T> = () => Promise<T[]>;

/** By the names of nodes. */
type Parameters = Record<string, Record<string, unknown>>;

export type Examples = Awaited<ReturnType<typeof startExamples>>;

/**
 * Starts everything.
 * @param options of the service, of which time passes 60 times as fast by default
 * @param version of n8n
 * @param settings of n8n
 */
export async function startExamples(
	name: string,
	options: ServiceOptions = {},
	version?: N8nVersion,
	settings: Record<string, string> = {},
) {
	return await starting(async (runs) => {
		const service = runs(await startService({ sites: 60, speed: 60, ...options }));
		const folder = path.resolve(__dirname, '../.tmp', name, 'mails');
		const n8n = runs(await startTestN8n(name, settings, version));
		const [smtpPort, webPort] = [await freePort(), await freePort()];
		const logFile = path.join(folder, '../mailbox.log');
		const mailbox = runs(await startMailbox({ smtpPort, webPort, folder, logFile }));
		const model = runs(await startAgentModel());
		const outside = { service, mailbox, model };
		const ids = await saveCredentials(n8n, outside);

		const client = axios.create({ proxy: false });
		const at = (url: string) => new URL(url, service.baseUrl).href;
		const since = <T extends { id: string }>(all: () => Promise<T[]>): New<T> => {
			const seen = new Set<string>();
			return async () => {
				const found = (await all()).filter(({ id }) => !seen.has(id));
				for (const { id } of found) seen.add(id);
				return found;
			};
		};
		const bodies = (list: New<Message>) => async () => (await list()).map(({ body }) => body);
		const inbox = (url: string, key: string) =>
			bodies(since(async () => (await client.get<Record<string, Message[]>>(at(url))).data[key]!));
		/** Waits for what comes, and keeps the rest. */
		const unread = <T>(come: New<T>, textOf: (one: T) => string) => {
			const left: T[] = [];
			const all = async () => {
				left.push(...(await come()));
				return left;
			};
			return {
				all: async () => (await all()).splice(0),
				next: async (about: RegExp | string) =>
					await until(`what is about ${about}`, async () => {
						const is = (text: string) =>
							typeof about === 'string' ? text.includes(about) : about.test(text);
						const at = (await all()).findIndex((one) => is(textOf(one)));
						return at >= 0 && left.splice(at, 1)[0]!;
					}),
			};
		};
		const chat = inbox('/_sandbox/chat', 'messages');
		const newTickets = inbox('/_sandbox/tickets', 'tickets');
		const texts = unread(
			async () => (await chat()).map(({ text }) => asRead(String(text))),
			(text) => text,
		);
		const mails = unread(
			since(async () => await mailbox.mails()),
			({ subject }) => subject,
		);
		/** Uses a control of the sandbox. */
		const control = async (url: string, body: object) =>
			void (await client.post(at(`/_sandbox${url}`), body));
		/**
		 * Puts an example into n8n, changed for a test where that is needed: another file of the same one gets its own id.
		 * @returns its id
		 */
		const add = async (file: string, change = (workflow: Workflow) => workflow) => {
			const workflow = change(withCredentials(readExample(file, outside), ids));
			const [first] = triggersOf(workflow);
			const id = (await importWorkflow(n8n.rest, withOwnIds(workflow))) ?? workflow.id;
			if (id !== workflow.id) ownIds.set(workflow.id, id);
			else if (isSubWorkflow(workflow)) await activate(n8n.rest, id);
			triggers.set(id, first!.name);
			return id;
		};
		const triggers = new Map<string, string>();
		/** The ids of the examples where n8n 1 has chosen its own, by those in the files. */
		const ownIds = new Map<string, string>();
		/** Sub-workflows are called by their ids. */
		const withOwnIds = (workflow: Workflow): Workflow =>
			JSON.parse(
				[...ownIds].reduce((text, [id, own]) => text.replaceAll(id, own), JSON.stringify(workflow)),
			) as Workflow;

		// The others send through this one.
		await add('00a-write-and-send.json');
		return {
			...{ service, n8n, mailbox, model, add, control, newTickets },
			newMails: mails.all,
			/** Texts of the chat that no test has read yet. */
			newTexts: texts.all,
			/** Waits for the next unread text in the chat that matches or has this. */
			text: async (about: RegExp | string = '') => await texts.next(about),
			/** Waits for the next such mail. */
			mail: mails.next,
			/** What the service does wrong from now on, until `repair`. */
			faults: async (faults: object) => await control('/faults', faults),
			/** What the plan of the account lacks from now on, until `repair`. */
			without: async (...features: string[]) => await control('/plan', { without: features }),
			/** Takes away what nobody has read. */
			forget: async () => await Promise.all([texts.all(), newTickets(), mails.all()]),
			async repair() {
				await control('/plan', { without: [] });
				await control('/providers', { unavailable: [] });
				await client.delete(at('/_sandbox/faults'));
				const { brokenPages } = service.world.store;
				for (const { id } of brokenPages.all()) brokenPages.delete(id);
			},
			/** A workflow with the credentials as they are in this n8n. */
			withIds: (workflow: Workflow) => withCredentials(workflow, ids),
			/** Adds another one of the same example, with other parameters of some nodes and what is pinned to nodes. */
			copy: async (file: string, parameters: Parameters = {}, pinData = {}) =>
				await add(file, (workflow) =>
					having(parameters)({ ...workflow, id: newId(), pinData } as Workflow),
				),
			/** Runs an example from its first trigger, and waits for its end. */
			run: async (id: string) => await runWorkflow(n8n.rest, id, triggers.get(id)!, EXAMPLE_MS),
			/** The requests that a piece of work has sent to the service, as `GET /sites`. */
			async requestsOf(work: () => Promise<unknown>) {
				const before = service.requests.length;
				await work();
				return service.requests
					.slice(before)
					.map(({ method, path: url }) => `${method} ${url.replace('/api/v6', '')}`);
			},
		};
	});
}

/** The sheets of a spreadsheet with their rows, read by what wrote it. */
export function sheetsIn(file: Buffer): Array<{ name: string; rows: Array<Record<string, any>> }> {
	const n8n = '../../sandbox/n8n/node_modules/n8n-nodes-base/package.json';
	const xlsx = createRequire(path.resolve(__dirname, n8n))('@e965/xlsx') as {
		read: (data: Buffer) => { SheetNames: string[]; Sheets: Record<string, object> };
		utils: { sheet_to_json: (sheet: object) => Array<Record<string, any>> };
	};
	const { SheetNames, Sheets } = xlsx.read(file);
	return SheetNames.map((name) => ({ name, rows: xlsx.utils.sheet_to_json(Sheets[name]!) }));
}

/** The seed of played runs, and how many there are. */
export const SEED = Number(process.env.SEED ?? 1);
export const RUNS = Number(process.env.RUNS ?? (process.env.LONG ? 60 : 5));

/** All kinds in turn, by chance in each round. */
export function* inRounds<T>(all: T[], random = new Random(SEED)): Generator<T, never> {
	for (;;) yield* random.sample(all, all.length);
}

/** Something that was played: its name, how it ended, and what is wrong about that. */
interface Played {
	name: string;
	outcome: string;
	wrong: string[];
}

/** Plays runs and prints how each ended; nothing may be wrong. */
export async function playRuns(play: () => Promise<Played[]>): Promise<Played[]> {
	const all: Played[] = [];
	for (let run = 0; run < RUNS; run++) {
		const played = await play();
		for (const { name, outcome, wrong } of played) {
			process.stdout.write(`${run} | ${name} | ${outcome} | ${wrong.join('; ') || 'right'}\n`);
		}
		all.push(...played);
	}
	expect(all.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
	return all;
}

/** As the chat shows it: it decodes the three signs that begin links and mentions in it. */
export const asRead = (text: string) =>
	text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Those of a test file, from its first test on. */
export const examples = {} as Examples;

/** Starts everything before the tests of a file, and repairs it after each of them. */
export function useExamples(
	name: string,
	options?: ServiceOptions,
	settings?: Record<string, string>,
): void {
	beforeAll(async () => {
		Object.assign(examples, ends(await startExamples(name, options, undefined, settings)));
	});
	afterEach(async () => {
		await examples.repair();
		await examples.forget();
	});
}

export const store = () => examples.service.world.store;

/** A staging site that was made some days ago, of another site each. */
export function stagingOf({ id, server }: SiteRow, days: number): StagingSiteRow {
	const { world } = examples.service;
	const [{ id: snapshotId, created_at }] = store().snapshots.ofSite(id) as [SnapshotRow];
	const snapshot = { id: snapshotId, created_at };
	const order = { site_id: id, php_version: server.php_version, snapshot };
	return addStagingSite(world, order, world.now - days * 24 * 60 * 60_000);
}

/** Sites of which a test gives the first ones names; there may be fewer, or more. */
export type Several = [
	...[SiteRow, SiteRow, SiteRow, SiteRow, SiteRow],
	...[SiteRow, SiteRow, SiteRow, SiteRow, SiteRow],
];

export const named = ({ title, url }: SiteRow) => `${title} (${url})`;

export function only<T>(list: T[]): T {
	expect(list).toHaveLength(1);
	return list[0]!;
}

/** Fails with n8n's own error where an execution has not succeeded. */
export function succeeded(execution: Execution): Execution {
	const { error, lastNodeExecuted } = execution.data.resultData;
	if (error) throw new Error(`${lastNodeExecuted}: ${error.message}`);
	expect(execution.status).toBe('success');
	return execution;
}

/** What the node Settings of an example sets. */
export const settingsOf = (values: Record<string, string | number>): Parameters => ({
	Settings: {
		assignments: {
			assignments: Object.entries(values).map(([name, value]) => ({
				...{ id: name, name, type: typeof value, value },
			})),
		},
	},
});

/** Where n8n has a data table, by its name. */
export async function tableUrl(name: string): Promise<string> {
	const { rest } = examples.n8n;
	const { data } = await rest.get('/data-tables-global', { params: { take: 50 } });
	const table = data.data.data.find((each: { name: string }) => each.name === name);
	return `/projects/${table.projectId}/data-tables/${table.id}`;
}

/** Fills in the fields of a form in their order, and sends it. @param by nobody where it is null */
export async function sendForm(form: string, values: string[], by: User | null = FORM_USER) {
	const body = new FormData();
	for (const [index, value] of values.entries()) body.append(`field-${index}`, value);
	const headers = new Headers(BROWSER);
	if (by) headers.set('Authorization', `Basic ${btoa(`${by.user}:${by.password}`)}`);
	return await fetch(`${examples.n8n.baseUrl}/form/${form}`, { method: 'POST', body, headers });
}
type User = typeof FORM_USER;

/** Other values of parameters of nodes. */
export const having =
	(parameters: Parameters) =>
	(workflow: Workflow): Workflow => ({
		...workflow,
		nodes: workflow.nodes.map((node) => ({
			...node,
			parameters: { ...node.parameters, ...parameters[node.name] },
		})),
	});

/** The same workflow after somebody has deleted its credentials of a type, or those of these nodes, under another id. */
export const losing =
	(type: string, ...names: string[]) =>
	(workflow: Workflow): Workflow => ({
		...workflow,
		id: newId(),
		nodes: workflow.nodes.map((node) =>
			node.credentials?.[type] && (names.length === 0 || names.includes(node.name))
				? { ...node, credentials: { [type]: { id: 'deleted', name: 'Deleted' } } }
				: node,
		),
	});

let callers = 0;

/** Calls a workflow with items. @returns the items that come back */
export async function calls(workflowId: string, ...items: object[]): Promise<unknown[]> {
	const { rest } = examples.n8n;
	const n8nNode = (name: string, type: string, typeVersion: number, parameters: object) =>
		nodeOf('', name, `n8n-nodes-base.${type}`, parameters, { typeVersion });
	const given = { mode: 'raw', jsonOutput: JSON.stringify({ items }), options: {} };
	const called = { source: 'database', workflowId: locator(workflowId), options: {} };
	const caller = chain(
		`callsOther${String(++callers).padStart(6, '0')}`,
		n8nNode('Start', 'manualTrigger', 1, {}),
		n8nNode('Hand over', 'set', 3.4, given),
		n8nNode('One for each', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
		n8nNode('Call', 'executeWorkflow', 1.2, called),
	);
	await importWorkflow(rest, { ...caller, settings: { executionOrder: 'v1' } });
	const execution = await runWorkflow(rest, caller.id, 'Start', EXAMPLE_MS);
	return output(succeeded(execution), 'Call');
}

/**
 * What the trigger of an example gives in the editor for each of these sites, after what happens to it: it gives one event
 * at a time. Pinned, they are given together.
 */
export async function pinned(
	file: string,
	of: SiteRow[],
	happen: (site: SiteRow) => Promise<unknown>,
) {
	let trigger = '';
	const alone = await examples.add(file, (workflow) => {
		const nodes = workflow.nodes.filter(({ type }) => type.endsWith('Trigger'));
		trigger = nodes[0]!.name;
		return { ...workflow, id: newId(), nodes: nodes.slice(0, 1), connections: {} };
	});
	const events: object[] = [];
	for (const site of of) {
		await happen(site);
		events.push(...output(succeeded(await examples.run(alone)), trigger));
	}
	expect(events).toHaveLength(of.length);
	return { [trigger]: events.map((json) => ({ json })) };
}

export const newId = () => randomUUID().replaceAll('-', '').slice(0, 16);

export const hasRun = (execution: Execution, node: string) =>
	execution.data.resultData.runData[node] !== undefined;
