import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'flatted';
import type { AxiosInstance } from 'axios';
import type { IRunExecutionData } from 'n8n-workflow';
import type { Owner, Workflow } from '../../sandbox/lib/content';
import { signIn } from '../../sandbox/lib/content';
import { startN8n } from '../../sandbox/lib/n8n';
import type { N8n } from '../../sandbox/lib/n8n';
import { installPackage, packPackage } from '../../sandbox/lib/package';
import type { PackedPackage } from '../../sandbox/lib/package';
import { freePort } from '../../sandbox/lib/ports';
import { waitFor } from '../../sandbox/lib/wait';

const root = path.resolve(__dirname, '..', '..');

const OWNER: Owner = {
	email: 'owner@example.com',
	firstName: 'Test',
	lastName: 'Owner',
	password: 'Test-Only-2025',
};

/** A real n8n with the packed package in it, in a fresh folder of that name, signed in. */
export async function startTestN8n(name: string): Promise<TestN8n> {
	// Builds and installs what is missing; its progress goes to standard error.
	const paths = JSON.parse(
		execFileSync(process.execPath, [path.join(root, 'sandbox', 'setup.mjs'), '--json'], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'inherit'],
		}),
	) as { node: string; n8n: string };
	const folder = path.join(root, 'test', '.tmp', name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const packed = await packPackage(path.join(folder, 'package'));
	const userFolder = path.join(folder, 'user');
	await installPackage(userFolder, packed.tarball);
	const logFile = path.join(folder, 'n8n.log');
	const start = async (): Promise<TestN8n> => {
		const n8n = await startN8n({ ...paths, userFolder, port: await freePort(), logFile });
		await signIn(n8n.rest, OWNER);
		return { ...n8n, packed, again: start };
	};
	return await start();
}

export interface TestN8n extends N8n {
	packed: PackedPackage;
	/** Starts n8n again in the same folder, once it has ended. */
	again: () => Promise<TestN8n>;
}

/** An example workflow as it is shipped. */
export function exampleWorkflow(file: string): Workflow {
	return JSON.parse(
		readFileSync(path.join(root, 'sandbox', 'workflows', file), 'utf8'),
	) as Workflow;
}

export interface Execution {
	id: string;
	status: string;
	/** ISO 8601. */
	startedAt: string;
	data: IRunExecutionData;
}

const UNFINISHED = ['new', 'running', 'waiting'];

async function execution(rest: AxiosInstance, id: string): Promise<Execution> {
	const answer = await rest.get<{
		data: { id: string; status: string; startedAt: string; data: string };
	}>(`/executions/${id}`);
	const { status, startedAt, data } = answer.data.data;
	return { id, status, startedAt, data: parse(data) as IRunExecutionData };
}

/** Runs a workflow from its trigger as the editor's button does, and waits for the end. */
export async function runWorkflow(
	rest: AxiosInstance,
	workflowId: string,
	triggerName: string,
): Promise<Execution> {
	const started = await rest.post<{ data: { executionId: string } }>(
		`/workflows/${workflowId}/run`,
		{ triggerToStartFrom: { name: triggerName } },
	);
	const { executionId } = started.data.data;
	return await waitFor(
		`execution ${executionId}`,
		async () => {
			const current = await execution(rest, executionId);
			return UNFINISHED.includes(current.status) ? undefined : current;
		},
		60_000,
	);
}

/** The finished executions of a workflow, oldest first. */
export async function finishedExecutions(
	rest: AxiosInstance,
	workflowId: string,
): Promise<Execution[]> {
	const answer = await rest.get<{
		data: { results: Array<{ id: string; status: string }> };
	}>('/executions', { params: { filter: JSON.stringify({ workflowId }), limit: 100 } });
	const ids = answer.data.data.results
		.filter(({ status }) => !UNFINISHED.includes(status))
		.map(({ id }) => id)
		.sort((one, other) => Number(one) - Number(other));
	return await Promise.all(ids.map(async (id) => await execution(rest, id)));
}

/** Activates a workflow and waits until n8n has really done so. */
export async function activate(rest: AxiosInstance, workflowId: string): Promise<void> {
	const { data } = await rest.get<{ data: { versionId: string } }>(`/workflows/${workflowId}`);
	const { versionId } = data.data;
	await rest.post(`/workflows/${workflowId}/activate`, { versionId });
	// The answer above comes before the triggers are really on.
	await waitFor(
		'the activation',
		async () => {
			const answer = await rest.get<{ data: { status: string } }>(
				`/workflows/${workflowId}/publication-status`,
			);
			const { status } = answer.data.data;
			if (status === 'failed' || status === 'partial') {
				throw new Error(`Activation failed: ${JSON.stringify(answer.data)}`);
			}
			return status === 'published' ? true : undefined;
		},
		30_000,
	);
}

/** The JSON of the items a node gave in its last run, on its first output. */
export function output(from: Execution, nodeName: string): Array<Record<string, unknown>> {
	const run = from.data.resultData.runData[nodeName]?.at(-1);
	return (run?.data?.main?.[0] ?? []).map((item) => item.json as Record<string, unknown>);
}
