import { type LoadOptionsContext, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type IRun,
} from 'n8n-workflow';
import { mapValues } from '../../../nodes/shared/lib';
import { type Answers, startWayward } from '../wayward';
import { type Access, additionalData, Credentials, nodeIn, optionsIn, workflowOf } from './oneNode';
import { credentialType, loadPackage, nodeType, typeOf } from './package';

let executions = 0;

export interface NodeRun {
	/** Name of the node type without the package, such as `tag`. */
	node: string;
	parameters: INodeParameters;
	/** The JSON of the input items; one empty item by default. */
	items?: IDataObject[];
	/** Binary data of the input items, by field. */
	binary?: Record<string, { fileName?: string; mimeType: string; content: Buffer }>;
	/** Settings of the node, such as `onError` or `retryOnFail`. */
	settings?: Partial<INode>;
	timezone?: string;
	/** Whether it runs as a tool of an agent, whose type n8n makes of the node's. */
	asTool?: boolean;
	/** Whether n8n has no execution, as behind its MCP Server Trigger. */
	isOutside?: boolean;
}

/** The workflow of a run, and what n8n hands to it. */
async function prepared(access: Access, run: NodeRun) {
	const { node, parameters, settings, timezone, asTool = false } = run;
	await loadPackage();
	const workflow = workflowOf({
		...{ node: `${node}${asTool ? 'Tool' : ''}`, typeOf, timezone },
		settings: { parameters, ...settings },
	});
	return {
		...{ workflow, node: nodeIn(workflow) },
		data: additionalData(new Credentials(credentialType, access)),
	};
}

export interface NodeResult {
	/** Items of the main output. */
	items: INodeExecutionData[];
	/** Items of the error output, with `onError: 'continueErrorOutput'`. */
	errors: INodeExecutionData[];
	json: IDataObject[];
	error?: Error & { description?: string; httpCode?: string; context?: IDataObject };
	run: IRun;
}

/** A run of an operation, such as `tag/tag/get`. */
export function runOf(name: string, parameters: object, more: Partial<NodeRun> = {}): NodeRun {
	const [node, resource, operation] = name.split('/') as [string, string, string];
	return { node, parameters: { resource, operation, ...parameters }, ...more };
}

/** The same of the node that is named after its resource. */
export const operationRun = (
	resource: string,
	operation: string,
	parameters: object,
	more?: Partial<NodeRun>,
): NodeRun => runOf(`${resource}/${resource}/${operation}`, parameters, more);

/** Runs one node over its input items with n8n's `WorkflowExecute`. */
export async function runNode(access: Access, run: NodeRun): Promise<NodeResult> {
	return await startNode(access, run).then(({ result }) => result);
}

/** The result of a run that must not fail. */
export function mustSucceed<T extends Pick<NodeResult, 'error'>>(result: T): T {
	if (result.error) throw result.error;
	return result;
}

/** Runs a node on a service that answers by route. */
export async function runOn(answers: Answers, run: NodeRun) {
	const service = await startWayward((_, __, route) => {
		const given = answers[route] ?? { status: 404 };
		return typeof given === 'function' ? given() : given;
	});
	return { ...(await runNode(service, run)), routes: service.routes() };
}

/** Starts a node; `cancel` stops the execution as the user would. */
export async function startNode(access: Access, run: NodeRun) {
	const { workflow, node, data } = await prepared(access, run);
	const binary =
		run.binary &&
		mapValues(run.binary, ({ content, ...about }) => ({
			...about,
			data: content.toString('base64'),
		}));
	const items = (run.items ?? [{}]).map((json, item) => ({
		json,
		...(binary && { binary }),
		pairedItem: { item },
	}));
	const begun = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data: { main: [items] }, source: null }] },
	});
	executions += 1;
	const executionId = run.isOutside ? undefined : String(executions);
	const execution = new WorkflowExecute({ ...data, executionId }, 'manual', begun);
	const running = execution.processRunExecutionData(workflow);
	const result = running.then((finished): NodeResult => {
		const { resultData } = finished.data;
		const [task] = resultData.runData[node.name] ?? [];
		const [main, errors] = task?.data?.main ?? [];
		return {
			items: main ?? [],
			errors: errors ?? [],
			json: (main ?? []).map(({ json }) => json),
			error: resultData.error as NodeResult['error'],
			run: finished,
		};
	});
	return { result, cancel: () => running.cancel() };
}

export function contentOf(item: INodeExecutionData, field = 'data'): Buffer {
	return Buffer.from(item.binary![field]!.data, 'base64');
}

export async function searchList(
	access: Access,
	run: NodeRun & { method: string; filter?: string; page?: string },
): Promise<INodeListSearchResult> {
	const search = (await nodeType(run.node)).methods?.listSearch?.[run.method];
	return await search!.call(await optionsContext(access, run), run.filter, run.page);
}

export async function loadOptions(access: Access, run: NodeRun & { method: string }) {
	const load = (await nodeType(run.node)).methods?.loadOptions?.[run.method];
	return await load!.call(await optionsContext(access, run));
}

async function optionsContext(access: Access, run: NodeRun): Promise<LoadOptionsContext> {
	const { workflow, data } = await prepared(access, run);
	return optionsIn(workflow, data, run.parameters);
}
