import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import path from 'node:path';
import { parse } from 'flatted';
import { isAxiosError, type AxiosInstance } from 'axios';
import type { IRunExecutionData } from 'n8n-workflow';
import { signIn, type Credential, type Owner } from '../../sandbox/lib/content';
import { startN8n, type N8n } from '../../sandbox/lib/n8n';
import { installPackage, packPackage } from '../../sandbox/lib/package';
import { signInOf, signInTo } from '../../sandbox/lib/otherN8n';
import { freePort } from '../../sandbox/lib/ports';
import { waitFor } from '../../sandbox/lib/wait';
export { activate } from '../../sandbox/lib/content';
import { PINNED, type N8nVersion } from './versions';

const root = path.resolve(__dirname, '..', '..');

export const OWNER: Owner = {
	email: 'owner@example.com',
	firstName: 'Test',
	lastName: 'Owner',
	password: 'Test-Only-2025',
};

const scratch = path.join(root, 'test', '.tmp');

/** What a test starts n8n with. */
export interface Installed {
	/** Node.js and n8n's start script. */
	paths: { node: string; n8n: string };
	/** Of an n8n that has the packed package and an owner, and has stopped: to be copied, never to be started in. */
	ready: string;
}

/** All that a real n8n needs: what is missing is built, installed and made. */
export async function installForTest(version = PINNED): Promise<Installed> {
	const script = path.join(root, 'sandbox', 'setup.mjs');
	// Its progress goes to standard error.
	const paths = JSON.parse(
		execFileSync(process.execPath, [script, '--json', '--n8n', version.folder], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'inherit'],
		}),
	) as Installed['paths'];
	return { paths, ready: await readyUserFolder(version, paths) };
}

/** A fresh folder of that name. */
export function folderForTest(name: string): string {
	const folder = path.join(scratch, name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	return folder;
}

/** Made once, and again when something that it holds has changed. */
async function readyUserFolder(version: N8nVersion, paths: Installed['paths']): Promise<string> {
	const what = hashOf(['dist', 'package.json', 'CHANGELOG.md'], JSON.stringify([version, OWNER]));
	const folder = path.join(scratch, 'ready', `${version.name}-${what}`);
	const userFolder = path.join(folder, 'user');
	if (existsSync(folder)) return userFolder;
	mkdirSync(scratch, { recursive: true });
	const unfinished = mkdtempSync(path.join(scratch, 'unfinished-'));
	const { tarball } = await packPackage(path.join(unfinished, 'package'));
	const place = {
		userFolder: path.join(unfinished, 'user'),
		logFile: path.join(unfinished, 'n8n.log'),
	};
	await installPackage(place.userFolder, tarball);
	const n8n = await startN8n({ ...paths, ...place, port: await freePort(), env: version.env });
	try {
		await signIn(n8n.rest, OWNER);
	} finally {
		await n8n.stop();
	}
	mkdirSync(path.dirname(folder), { recursive: true });
	try {
		renameSync(unfinished, folder);
	} catch (error) {
		// Another one was quicker.
		if (!existsSync(folder)) throw error;
		rmSync(unfinished, { recursive: true });
	}
	return userFolder;
}

/** A part of the hash of files and folders of the repository, and of a text. */
function hashOf(names: string[], text: string): string {
	const hash = createHash('sha256').update(text);
	for (const name of names) {
		const at = path.join(root, name);
		const files = statSync(at).isDirectory()
			? readdirSync(at, { recursive: true, encoding: 'utf8' }).sort()
			: [''];
		for (const file of files.map((each) => path.join(at, each))) {
			if (statSync(file).isFile()) hash.update(`\0${file}\0`).update(readFileSync(file));
		}
	}
	return hash.digest('hex').slice(0, 12);
}

/**
 * A real n8n with the packed package in it, in a fresh folder of that name, signed in.
 * @param settings of n8n, besides those of its version
 * @param hasPackage whether the package is there, as by command line
 */
export async function startTestN8n(
	name: string,
	settings: Record<string, string> = {},
	version = PINNED,
	hasPackage = true,
): Promise<TestN8n> {
	const { E2E_N8N_URL: url } = process.env;
	if (url) return await connectTo(url);
	const { paths, ready } = await installForTest(version);
	const folder = folderForTest(name);
	const env = { ...version.env, ...settings };
	const userFolder = path.join(folder, 'user');
	cpSync(ready, userFolder, { recursive: true });
	if (!hasPackage) rmSync(path.join(userFolder, '.n8n', 'nodes'), { recursive: true });
	let starts = 0;
	const start = async (more: Record<string, string> = {}): Promise<TestN8n> => {
		// A log is written anew by each start; those of before a restart are kept.
		const logFile = path.join(folder, starts++ ? `n8n-${starts}.log` : 'n8n.log');
		const port = await freePort();
		const n8n = await startN8n({ ...paths, userFolder, port, logFile, env: { ...env, ...more } });
		await signIn(n8n.rest, OWNER);
		const database = path.join(userFolder, '.n8n', 'database.sqlite');
		const query = (sql: string) => queryDatabase(paths.node, database, sql);
		return { ...n8n, again: start, query };
	};
	return await start();
}

/** An n8n that somebody has started, with the nodes in it: for tests that neither start it again nor read its database. */
async function connectTo(url: string): Promise<TestN8n> {
	const signInWith = signInOf(process.env);
	if (!signInWith) throw new Error('E2E_N8N_URL needs N8N_EMAIL and N8N_PASSWORD');
	const refuse = () => {
		throw new Error('This test needs an n8n of its own: leave out E2E_N8N_URL');
	};
	return {
		...(await signInTo(url, signInWith)),
		pid: 0,
		ready: async () => undefined,
		exited: new Promise(() => undefined),
		ended: refuse,
		stop: async () => undefined,
		kill: refuse,
		again: refuse,
		query: refuse,
	};
}

export interface TestN8n extends N8n {
	/** Starts n8n again in the same folder, once it has ended. @param settings besides those of the first start */
	again: (settings?: Record<string, string>) => Promise<TestN8n>;
	/** Rows of n8n's database, for what its REST API does not tell. */
	query: (sql: string) => Array<Record<string, unknown>>;
}

/** By the Node.js of n8n, which has SQLite built in, other than the one that runs the tests. */
function queryDatabase(node: string, database: string, sql: string) {
	const script = `
		const { DatabaseSync } = require('node:sqlite');
		const [, file, sql] = process.argv;
		const rows = new DatabaseSync(file, { readOnly: true }).prepare(sql).all();
		process.stdout.write(JSON.stringify(rows));`;
	const output = execFileSync(node, ['--no-warnings', '-e', script, database, sql], {
		encoding: 'utf8',
		maxBuffer: 50e6,
	});
	return JSON.parse(output) as Array<Record<string, unknown>>;
}

export interface Execution {
	id: string;
	status: string;
	/** ISO 8601; when it was created, where it was cut off before it started. */
	startedAt: string;
	data: IRunExecutionData;
}

const UNFINISHED = ['new', 'running', 'waiting'];

async function execution(rest: AxiosInstance, id: string): Promise<Execution> {
	type Saved = Record<'status' | 'createdAt' | 'data', string> & { startedAt: string | null };
	const answer = await rest.get<{ data: Saved }>(`/executions/${id}`);
	const { status, createdAt, startedAt, data: text } = answer.data.data;
	const data = parse(text) as IRunExecutionData;
	return {
		id,
		// n8n 1 says that it has succeeded a moment before it has written what came of it.
		status: status === 'success' && !data?.resultData ? 'running' : status,
		startedAt: startedAt ?? createdAt,
		data,
	};
}

/** Starts a workflow from its trigger as the editor's button does. @returns the id of the execution */
export async function startRun(rest: AxiosInstance, workflowId: string, triggerName: string) {
	const workflow = await rest.get<{ data: object }>(`/workflows/${workflowId}`);
	const started = await rest.post<{ data: { executionId: string } }>(
		`/workflows/${workflowId}/run`,
		// The newest n8n reads the workflow itself, an older one has to be given it.
		{ workflowData: workflow.data.data, triggerToStartFrom: { name: triggerName } },
	);
	return started.data.data.executionId;
}

/** On a busy machine, n8n responds with 503 for a moment. */
function unlessBusy(error: unknown): undefined {
	if (!isAxiosError(error) || error.response?.status !== 503) throw error;
}

/** Waits until an execution has one of some statuses. */
export const reached = async (
	rest: AxiosInstance,
	executionId: string,
	has: (status: string) => boolean,
	timeoutMs = 60_000,
): Promise<Execution> =>
	await waitFor(
		`execution ${executionId}`,
		async () => {
			const current = await execution(rest, executionId).catch(unlessBusy);
			return current && has(current.status) ? current : undefined;
		},
		timeoutMs,
	);

export const ended = async (rest: AxiosInstance, executionId: string, timeoutMs = 60_000) =>
	await reached(rest, executionId, (status) => !UNFINISHED.includes(status), timeoutMs);

/** Runs a workflow from its trigger, and waits for the end. */
export const runWorkflow = async (
	rest: AxiosInstance,
	workflowId: string,
	triggerName: string,
	timeoutMs?: number,
) => await ended(rest, await startRun(rest, workflowId, triggerName), timeoutMs);

/** n8n lists no more at a time. */
const MAX_LISTED = 100;

/**
 * The finished executions of a workflow, oldest first.
 * @param known those of them that have been read already
 */
export async function finishedExecutions(
	rest: AxiosInstance,
	workflowId: string,
	known: Execution[] = [],
): Promise<Execution[]> {
	const found = new Map(known.map((each) => [each.id, each]));
	const filter = JSON.stringify({ workflowId });
	let cursor: string | null | undefined;
	do {
		const answer = await rest.get<{
			data: { results: Array<{ id: string; status: string }>; nextCursor?: string | null };
		}>('/executions', { params: { filter, limit: MAX_LISTED, ...(cursor && { cursor }) } });
		const { results, nextCursor } = answer.data.data;
		const ids = results
			.filter(({ id, status }) => !UNFINISHED.includes(status) && !found.has(id))
			.map(({ id }) => id);
		for (const each of await Promise.all(ids.map(async (id) => await execution(rest, id)))) {
			if (!UNFINISHED.includes(each.status)) found.set(each.id, each);
		}
		cursor = nextCursor;
	} while (cursor);
	return [...found.values()].sort((one, other) => Number(one.id) - Number(other.id));
}

/** What n8n's own test of a credential says. @param id of the credential that is saved */
export async function testCredential(
	rest: AxiosInstance,
	id: string,
	credential: Credential,
): Promise<{ status: string; message: string }> {
	const { data } = await rest.post('/credentials/test', { credentials: { id, ...credential } });
	return data.data;
}

export async function newestVersion({ rest, baseUrl }: N8n, type: string): Promise<number> {
	const { data } = await rest.get<Array<{ name: string; version: number | number[] }>>(
		`${baseUrl}/types/nodes.json`,
	);
	return Math.max(...data.filter(({ name }) => name === type).flatMap(({ version }) => version));
}

/** The JSON of the items a node gave in its last run, on its first output. */
export function output(from: Execution, nodeName: string): Array<Record<string, unknown>> {
	const run = from.data.resultData.runData[nodeName]?.at(-1);
	return (run?.data?.main?.[0] ?? []).map((item) => item.json as Record<string, unknown>);
}

/**
 * The JSON of the items that an execution was begun with; none for one that only notes a failed poll.
 * An execution that was cut off has not run its trigger, but holds what it was to run it with.
 */
export function begunWith(from: Execution, triggerName: string): Array<Record<string, unknown>> {
	if (from.status === 'error') return [];
	if (from.status !== 'crashed') return output(from, triggerName);
	const stack = from.data.executionData?.nodeExecutionStack ?? [];
	const first = stack.find(({ node }) => node.name === triggerName);
	return (first?.data.main?.[0] ?? []).map((item) => item.json as Record<string, unknown>);
}
