import 'reflect-metadata';
import path from 'node:path';
import {
	LoadOptionsContext,
	PackageDirectoryLoader,
	PollContext,
	RoutingNode,
	WorkflowExecute,
	type DirectoryLoader,
	type ExecuteContext,
} from 'n8n-core';
import {
	createRunExecutionData,
	type IBinaryKeyData,
	Workflow,
	type ICredentialType,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
	type IRun,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { filledIn } from './credential';
import { outputFaults } from './outputRules';
import { additionalData, Credentials } from './n8nData';
import { type Answers, startWayward } from './wayward';

/** The nodes as n8n's own loader reads them from the built package, run by n8n's own engine. */

const PACKAGE = 'n8n-nodes-site-management';

let loader: DirectoryLoader | undefined;

/** Nodes besides those of the package, by name. */
const others = new Map<string, INodeType>();

/** Has the engine know another node, which can then be run by its name. */
export function addNode(type: INodeType): void {
	others.set(type.description.name, type);
}

/** Loads the package from `dist`, once. */
async function packageLoader(): Promise<DirectoryLoader> {
	if (!loader) {
		loader = new PackageDirectoryLoader(path.resolve(__dirname, '../..'));
		await loader.loadAll();
	}
	return loader;
}

/** The loaded node, by its name without the package. */
export async function nodeType(name: string): Promise<INodeType> {
	return (await packageLoader()).getNode(name).type as INodeType;
}

export async function description(name: string): Promise<INodeTypeDescription> {
	return (await nodeType(name)).description;
}

/** The descriptions of all nodes of the package, by name. */
export async function allNodes(): Promise<INodeTypeDescription[]> {
	const { nodeTypes } = await packageLoader();
	return Object.values(nodeTypes)
		.map(({ type }) => (type as INodeType).description)
		.sort((a, b) => a.name.localeCompare(b.name));
}

/** Those of its action nodes. */
export async function actionNodes(): Promise<INodeTypeDescription[]> {
	return (await allNodes()).filter(({ polling }) => !polling);
}

/** The credential types of the package. */
export async function credentialTypes(): Promise<ICredentialType[]> {
	const { credentialTypes: types } = await packageLoader();
	return Object.values(types).map(({ type }) => type);
}

/** The values of the events that a trigger can be set to; none where it has only one. */
export async function eventsOf(trigger: string): Promise<string[]> {
	const { properties } = await description(trigger);
	const options = properties.find(({ name }) => name === 'events')?.options ?? [];
	return (options as INodePropertyOptions[]).map(({ value }) => String(value));
}

/** The events that polls have told of in this test file, by trigger. */
const toldEvents = new Map<string, Set<unknown>>();

/** What polls give by default has names by the rules of all outputs. */
function keepRules(items: IDataObject[]): void {
	const faults = items.flatMap((item) => outputFaults(Object.keys(item)));
	if (faults.length > 0)
		throw new Error(`An item of the trigger ${[...new Set(faults)].join(', ')}`);
}

/** To be called at the end of the examples of a trigger: each of its events must have been told by them. */
export function everyEventHasExample(trigger: string): void {
	it('every event has an example', async () => {
		const file = `test/contract/triggers/${trigger.replace('Trigger', '')}.test.ts`;
		const untold = (await eventsOf(trigger)).filter(
			(event) => !toldEvents.get(trigger)?.has(event),
		);
		expect(untold.map((event) => `${file}: add an example of "${event}"`)).toEqual([]);
	});
}

export interface Access {
	baseUrl: string;
	token: string;
	requestsPerMinute?: number;
	/** Fields of the credential that limit it. */
	limits?: IDataObject;
}

let executions = 0;

function dataFor({ baseUrl, token, requestsPerMinute = 0, limits }: Access) {
	const values = filledIn({ baseUrl, apiToken: token, requestsPerMinute, ...limits });
	return additionalData(new Credentials((type) => loader!.getCredential(type).type, values));
}

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

async function workflowOf(
	{ node, parameters, settings, timezone, asTool = false }: NodeRun,
	staticData?: IDataObject,
) {
	const packageNodes = await packageLoader();
	const typeOf = (fullName: string) => {
		const name = fullName.replace(`${PACKAGE}.`, '').replace(/Tool$/, '');
		const type = executable(others.get(name) ?? (packageNodes.getNode(name).type as INodeType));
		return fullName.endsWith('Tool') ? tool(type) : type;
	};
	const nodeTypes: INodeTypes = {
		getByName: typeOf,
		getByNameAndVersion: typeOf,
		getKnownTypes: () => packageNodes.known.nodes as unknown as IDataObject,
	};
	const definition: INode = {
		id: 'node-under-test',
		name: 'Node Under Test',
		type: `${PACKAGE}.${node}${asTool ? 'Tool' : ''}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { siteManagementApi: { id: '1', name: 'Sandbox' } },
		...settings,
	};
	return new Workflow({
		id: 'workflow-under-test',
		nodes: [definition],
		connections: {},
		active: false,
		nodeTypes,
		staticData,
		settings: { timezone: timezone ?? 'UTC', executionOrder: 'v1' },
	});
}

/** Gives a declarative node its `execute`, as n8n does when it looks a type up. */
function executable(type: INodeType): INodeType {
	if (!type.description.requestDefaults) return type;
	type.execute ??= async function () {
		return (await new RoutingNode(this as ExecuteContext, type).runNode()) ?? [];
	};
	return type;
}

/** As n8n makes a tool of a node, but for its connections: it is run like any other. */
function tool(type: INodeType): INodeType {
	const { description } = type;
	const named = { name: { value: `${description.name}Tool`, enumerable: true } };
	return Object.create(type, {
		description: { value: Object.create(description, named) },
	}) as INodeType;
}

export interface NodeResult {
	/** Items of the main output. */
	items: INodeExecutionData[];
	/** Items of the error output, with `onError: 'continueErrorOutput'`. */
	errors: INodeExecutionData[];
	/** The JSON of the items. */
	json: IDataObject[];
	/** The error that ended the run, if one did. */
	error?: Error & { description?: string; httpCode?: string; context?: IDataObject };
	run: IRun;
}

/** A run of an operation of the node that is named after its resource. */
export const operationRun = (
	resource: string,
	operation: string,
	parameters: object,
	more: Partial<NodeRun> = {},
): NodeRun => ({ node: resource, parameters: { resource, operation, ...parameters }, ...more });

/** Runs one node over its input items with n8n's `WorkflowExecute`. */
export async function runNode(access: Access, run: NodeRun): Promise<NodeResult> {
	return await startNode(access, run).then(({ result }) => result);
}

/** Runs a node on a service that answers by route. */
export async function runOn(answers: Answers, run: NodeRun) {
	const service = await startWayward((_, __, route) => {
		const given = answers[route] ?? { status: 404 };
		return typeof given === 'function' ? given() : given;
	});
	try {
		return { ...(await runNode(service, run)), routes: service.routes() };
	} finally {
		await service.close();
	}
}

/** Starts a node; `cancel` stops the execution as the user would. */
export async function startNode(
	access: Access,
	run: NodeRun,
): Promise<{ result: Promise<NodeResult>; cancel: () => void }> {
	const workflow = await workflowOf(run);
	const [node] = Object.values(workflow.nodes);
	const binary = binaryOf(run);
	const items = (run.items ?? [{}]).map((json, item) => ({
		json,
		...(binary && { binary }),
		pairedItem: { item },
	}));
	const data = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node: node!, data: { main: [items] }, source: null }],
		},
	});
	executions += 1;
	const executionId = run.isOutside ? undefined : String(executions);
	const additional = { ...dataFor(access), executionId };
	const execution = new WorkflowExecute(additional, 'manual', data);
	const running = execution.processRunExecutionData(workflow);
	const result = running.then((finished): NodeResult => {
		const { resultData } = finished.data;
		const [task] = resultData.runData[node!.name] ?? [];
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

function binaryOf({ binary }: NodeRun): IBinaryKeyData | undefined {
	if (!binary) return undefined;
	const entries = Object.entries(binary).map(([field, { content, ...about }]) => [
		field,
		{ ...about, data: content.toString('base64') },
	]);
	return Object.fromEntries(entries) as IBinaryKeyData;
}

/** The content of a binary field of an output item. */
export function contentOf(item: INodeExecutionData, field = 'data'): Buffer {
	return Buffer.from(item.binary![field]!.data, 'base64');
}

/** Calls a list search of a node as the editor does. */
export async function searchList(
	access: Access,
	run: NodeRun & { method: string; filter?: string; page?: string },
): Promise<INodeListSearchResult> {
	const search = (await nodeType(run.node)).methods?.listSearch?.[run.method];
	return await search!.call(await optionsContext(access, run), run.filter, run.page);
}

/** Calls a loader of options of a node as the editor does. */
export async function loadOptions(
	access: Access,
	run: NodeRun & { method: string },
): Promise<INodePropertyOptions[]> {
	const load = (await nodeType(run.node)).methods?.loadOptions?.[run.method];
	return await load!.call(await optionsContext(access, run));
}

async function optionsContext(access: Access, run: NodeRun): Promise<LoadOptionsContext> {
	const workflow = await workflowOf(run);
	const [node] = Object.values(workflow.nodes);
	// The editor sends what is set in it, saved or not.
	const data = { ...dataFor(access), currentNodeParameters: run.parameters };
	return new LoadOptionsContext(workflow, node!, data, '');
}

/**
 * An activated polling trigger: each `poll` is one tick, over the same saved state.
 * @param saved the state of a trigger that was active and has been edited since
 */
export async function activate(access: Access, run: NodeRun, saved?: IDataObject) {
	let workflow = await workflowOf(run, saved);
	const type = await nodeType(run.node);
	const contextFor = (mode: WorkflowExecuteMode, activation: WorkflowActivateMode) =>
		new PollContext(workflow, Object.values(workflow.nodes)[0]!, dataFor(access), mode, activation);
	let context = contextFor('trigger', saved ? 'update' : 'activate');
	const told = toldEvents.get(run.node) ?? new Set();
	toldEvents.set(run.node, told);
	const tick = async (functions: PollContext) => {
		const output = await type.poll!.call(functions);
		return output?.[0]?.map(({ json }) => json) ?? null;
	};
	const state = () => JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	return {
		poll: async () => {
			const items = await tick(context);
			for (const { event } of items ?? []) told.add(event);
			if ((run.parameters.output ?? 'simplified') === 'simplified') keepRules(items ?? []);
			return items;
		},
		/** A tick with the items as they are, files included. */
		pollItems: async () => (await type.poll!.call(context))?.[0] ?? null,
		/** A test run in the editor. */
		test: async () => await tick(contextFor('manual', 'manual')),
		/** Stops n8n and starts it again, perhaps with other parameters: only what it has saved is left. */
		restart: async (parameters = run.parameters) => {
			workflow = await workflowOf({ ...run, parameters }, state());
			context = contextFor('trigger', 'init');
		},
		/** Saves the active workflow with other parameters: what it remembers stays. */
		change: async (parameters: INodeParameters) => {
			workflow = await workflowOf({ ...run, parameters }, state());
			context = contextFor('trigger', 'update');
		},
		/** Switches the workflow off and on again. */
		reactivate: () => void (context = contextFor('trigger', 'activate')),
		/** As an n8n that did not save the state of the first poll, and polls with a context of its own. */
		forgetState: () => {
			for (const key of Object.keys(workflow.staticData)) delete workflow.staticData[key];
			context = contextFor('trigger', 'update');
		},
		state,
	};
}
