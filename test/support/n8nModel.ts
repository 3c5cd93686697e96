import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
	ActiveWorkflowTriggers,
	ExecutionLifecycleHooks,
	PollContext,
	PollTriggerExecutor,
	runPollInStagingScope,
	commitStagedCursor,
	TriggersAndPollers,
} from 'n8n-core';
import {
	type ICredentialType,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	Workflow,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { additionalData, Credentials } from './n8nData';
import type { Timeline } from './serviceModel/timeline';

/**
 * n8n 2.41.1 around a polling trigger: its own workflow, context, executor and registry of triggers, with a database
 * in memory. What is written here follows n8n's `trigger-execution-context.factory`, `poll-trigger-task-handler`,
 * `poll-cursor.service` and `active-workflow-manager`.
 */

const DIST = path.resolve(__dirname, '../../dist');
const WORKFLOW = 'workflow';
const NODE = 'Trigger';
const PACKAGE = 'n8n-nodes-site-management';

/** Source: n8n's `scheduler.config`, and the budget that the factory makes of it. */
const POLL_TIMEOUT = 45_000;
const POLL_BUDGET = 36_000;

/** What passes between reading the cursor and the poll. */
const LOOKUPS = 1_500;

const compiled = new Map<string, (...scope: unknown[]) => void>();

/** Loads the built package anew: each process of n8n has its own modules, and what they remember. */
function freshModules(): (file: string) => Record<string, unknown> {
	const loaded = new Map<string, { exports: Record<string, unknown> }>();
	const load = (file: string): Record<string, unknown> => {
		const known = loaded.get(file);
		if (known) return known.exports;
		const module = { exports: {} };
		loaded.set(file, module);
		const run =
			compiled.get(file) ??
			// The text is that of the package's own files.
			(new Function(
				'exports',
				'require',
				'module',
				`${readFileSync(file, 'utf8')}\n//# sourceURL=${file}`,
			) as () => void);
		compiled.set(file, run);
		const here = (name: string): unknown => {
			if (!name.startsWith('.')) return require(name) as unknown;
			const found = path.resolve(path.dirname(file), name);
			return load([`${found}.js`, `${found}/index.js`].find(exists)!);
		};
		run(module.exports, here, module);
		return module.exports;
	};
	return (file) => load(path.join(DIST, file));
}

const known = new Map<string, boolean>();

function exists(file: string): boolean {
	if (!known.has(file)) known.set(file, existsSync(file));
	return known.get(file)!;
}

const silent = () => undefined;
const text = (value: unknown) => JSON.stringify(value);
const copy = <T>(value: T): T => JSON.parse(text(value)) as T;
const logger = { scoped: () => logger, debug: silent, info: silent, warn: silent, error: silent };
const span = { setStatus: silent };
const tracing = {
	startSpan: async (_about: unknown, run: (on: unknown) => Promise<unknown>) => await run(span),
	startNewTraceSpan: async (_about: unknown, run: (on: unknown) => Promise<unknown>) =>
		await run(span),
	pickWorkflowAttributes: () => ({}),
	pickNodeAttributes: () => ({}),
};

/** n8n's timer: it has the ticks that a test sets off. */
class Schedule {
	ticks: Array<() => void> = [];

	register = (_about: unknown, tick: () => void) => void this.ticks.push(tick);

	deregisterGroup = () => this.ticks.splice(0).length > 0;

	hasGroup = () => this.ticks.length > 0;

	hasTarget = () => false;

	deregisterTarget = silent;

	getTargetIds = () => new Set<string>();
}

/** A process of n8n. */
class Main {
	readonly schedule = new Schedule();

	readonly runner = new TriggersAndPollers();

	readonly triggers: ActiveWorkflowTriggers;

	readonly type: INodeType;

	readonly credential: ICredentialType;

	/** The workflow that its triggers have been registered with. */
	workflow?: Workflow;

	/** Whether it still runs; what it does after its end reaches no database. */
	isAlive = true;

	/** Polls under way, abandoned ones too. */
	readonly polls = new Set<Promise<unknown>>();

	constructor(n8n: N8n) {
		const { timeline, options } = n8n;
		const load = freshModules();
		const file = options.node[0]!.toUpperCase() + options.node.slice(1);
		const folder = file.replace('Trigger', '');
		const Type = load(`nodes/${folder}/${file}.node.js`)[file] as new () => INodeType;
		this.type = withPollTimes(new Type());
		const credential = load('credentials/SiteManagementApi.credentials.js');
		this.credential = new (credential.SiteManagementApi as new () => ICredentialType)();
		const { clock } = load('nodes/shared/transport/clock.js') as { clock: IDataObject };
		Object.assign(clock, {
			now: () => timeline.now + (options.skew ?? 0),
			sleep: async (ms: number, signal?: AbortSignal) => await timeline.sleep(ms, signal),
			// What only watches does not move the time.
			guard: async (ms: number, signal?: AbortSignal) => await timeline.sleep(ms, signal, true),
		});
		const reporter = { error: silent, warn: silent };
		const executor = construct(PollTriggerExecutor, logger, this.runner, tracing, reporter);
		const create = executor.create.bind(executor);
		executor.create = (...args) => {
			const run = create(...args);
			return async (isFirst) => await this.track(run(isFirst));
		};
		this.triggers = construct(
			ActiveWorkflowTriggers,
			logger,
			this.schedule,
			this.runner,
			reporter,
			executor,
		);
		Object.assign(this.triggers, {
			getPollJobManager: () => (options.isDurable ? n8n.jobs : undefined),
		});
	}

	async track<T>(poll: Promise<T>): Promise<T> {
		this.polls.add(poll);
		return await poll.finally(() => this.polls.delete(poll));
	}
}

/** n8n's classes take what they need by type, of which only this much is needed here. */
const construct = <T>(type: abstract new (...args: never[]) => T, ...args: unknown[]): T =>
	new (type as unknown as new (...given: unknown[]) => T)(...args);

function withPollTimes(type: INodeType): INodeType {
	const { commonPollingParameters } =
		require('n8n-core/dist/nodes-loader/constants') as typeof import('n8n-core/dist/nodes-loader/constants');
	type.description.properties.unshift(...commonPollingParameters);
	return type;
}

/** What a poll works on instead of what is saved; n8n has a storage for each context, which takes longer. */
const scope = new AsyncLocalStorage<{ staged?: { snapshot: IDataObject; seed: IDataObject } }>();

/** The lease of a durable job: who has lost it can commit nothing. */
interface Fence {
	isHeld: boolean;
}

export interface Options {
	/** Such as `taskTrigger`. */
	node: string;
	parameters: INodeParameters;
	token: string;
	/** Whether the cursors of polls are durable; if not, n8n works as it does by default. */
	isDurable: boolean;
	/** How far the clock of n8n's machine is ahead. */
	skew?: number;
}

/** n8n with one workflow of one trigger. */
export class N8n {
	/** What the executions of the workflow began with, in order. */
	readonly executions: IDataObject[][] = [];

	/** The column of the workflow, as text. */
	staticData = '{}';

	/** The row of `poller_state`, as text. */
	cursor?: string;

	/** The most characters that were saved of the trigger. */
	largestState = 0;

	isActive = false;

	/** Errors of polls, in order. */
	readonly errors: Error[] = [];

	/** Two processes; the first of them leads. */
	mains: Main[];

	private hasJob = false;

	readonly jobs = {
		register: async () => {
			const inserted = !this.hasJob;
			this.hasJob = true;
			return { inserted };
		},
		remove: async () => void (this.hasJob = false),
	};

	constructor(
		readonly timeline: Timeline,
		readonly options: Options,
	) {
		this.mains = [new Main(this), new Main(this)];
	}

	get leader(): Main {
		return this.mains[0]!;
	}

	/** Polls under way whose results may count. */
	get underWay(): Array<Promise<unknown>> {
		return this.mains.flatMap(({ polls }) => [...polls]);
	}

	/** Switches the workflow on, or goes on with it; polls at once unless a durable job is there already. */
	async activate(mode: WorkflowActivateMode): Promise<void> {
		const main = this.leader;
		const workflow = this.workflowOf(main);
		this.isActive = true;
		await main.triggers.remove(WORKFLOW);
		main.workflow = workflow;
		await main.triggers.addAllTriggers(
			WORKFLOW,
			workflow,
			this.additionalData(main),
			'trigger',
			mode,
			() => {
				throw new Error('It has pollers only');
			},
			(flow, node) => this.functions(main, flow, node, mode),
		);
		if (main.isAlive) this.saveStaticData(workflow);
	}

	/** Ends what is registered in the leader. */
	async deactivate({ saves = false, isEdit = false } = {}): Promise<void> {
		const { triggers, workflow } = this.leader;
		if (!isEdit) this.isActive = false;
		await triggers.remove(WORKFLOW);
		await this.jobs.remove();
		if (saves && workflow) this.saveStaticData(workflow);
	}

	/** Ends a process at once, and starts another in its place. */
	kill(index = 0): void {
		this.mains[index]!.isAlive = false;
		this.mains[index] = new Main(this);
	}

	/** The other process leads from now on; what this one has registered is removed. */
	async stepDown(): Promise<void> {
		await this.leader.triggers.remove(WORKFLOW);
		this.mains.reverse();
	}

	/** What the schedule sets off: a poll in the leader, or a durable job in any process. */
	async tick(index = 0): Promise<void> {
		if (this.options.isDurable) {
			if (this.isActive) await this.runJob(this.mains[index]!);
			return;
		}
		const before = new Set(this.leader.polls);
		for (const tick of this.leader.schedule.ticks) tick();
		await Promise.all([...this.leader.polls].filter((poll) => !before.has(poll)));
	}

	/** Takes the lease of a poll under way from it, as happens to a process that hangs. */
	loseLease?: () => void;

	private async runJob(main: Main): Promise<void> {
		const fence: Fence = { isHeld: true };
		this.loseLease = () => void (fence.isHeld = false);
		const workflow = this.workflowOf(main);
		const [node] = Object.values(workflow.nodes);
		// Read before the poll: n8n has other things to look up meanwhile.
		const prefetched = this.cursor;
		await main.track(this.timeline.sleep(LOOKUPS));
		const functions = this.functions(main, workflow, node!, 'update', fence, prefetched);
		await runPollInStagingScope(functions, async () => {
			const poll = main.track(main.runner.runPollFunction(workflow, node!, functions));
			poll.catch(silent);
			const timedOut = this.timeline
				.sleep(POLL_TIMEOUT, undefined, true)
				.then(() => 'late' as const);
			try {
				const outcome = await Promise.race([poll, timedOut]);
				if (outcome === 'late' || !main.isAlive || !this.isActive) return;
				if (outcome !== null) functions.__emit(outcome);
				else await commitStagedCursor(functions);
			} catch (error) {
				this.errors.push(error as Error);
			}
		});
	}

	private workflowOf({ type }: Main): Workflow {
		const { node, parameters } = this.options;
		const definition: INode = {
			id: 'node',
			name: NODE,
			type: `${PACKAGE}.${node}`,
			typeVersion: 1,
			position: [0, 0],
			parameters: { ...parameters, pollTimes: { item: [{ mode: 'everyMinute' }] } },
			credentials: { siteManagementApi: { id: '1', name: 'Account' } },
		};
		return new Workflow({
			id: WORKFLOW,
			nodes: [definition],
			connections: {},
			active: true,
			nodeTypes: {
				getByName: () => type,
				getByNameAndVersion: () => type,
				getKnownTypes: () => ({}),
			},
			staticData: JSON.parse(this.staticData) as IDataObject,
			settings: { timezone: 'UTC', executionOrder: 'v1' },
		});
	}

	private additionalData({ credential }: Main): IWorkflowExecuteAdditionalData {
		const token = () => this.options.token;
		const values = {
			baseUrl: 'http://127.0.0.1:1/api/v6',
			// Another account may be chosen meanwhile.
			get apiToken() {
				return token();
			},
			requestsPerMinute: 0,
		};
		return {
			...additionalData(new Credentials(() => credential, values)),
			hooks: new ExecutionLifecycleHooks('trigger', '1', { id: WORKFLOW } as IWorkflowBase),
		};
	}

	/** Source: `getExecutePollFunctions` of n8n's factory. */
	private functions(
		main: Main,
		workflow: Workflow,
		node: INode,
		activation: WorkflowActivateMode,
		fence?: Fence,
		prefetched?: string,
	): PollContext {
		const runPoll = async <T>(poll: () => Promise<T>): Promise<T> => {
			if (!this.options.isDurable) return await scope.run({}, poll);
			this.cursor ??= JSON.stringify(workflow.getStaticData('node', node));
			const seed = JSON.parse(prefetched ?? this.cursor) as IDataObject;
			return await scope.run({ staged: { snapshot: copy(seed), seed } }, poll);
		};
		const takeStaged = (): IDataObject | undefined => {
			const staged = scope.getStore()?.staged;
			if (!staged || text(staged.snapshot) === text(staged.seed)) return undefined;
			return (staged.seed = copy(staged.snapshot));
		};
		/** Whether the poll still holds its lease. */
		const commit = (cursor?: IDataObject): boolean => {
			if (!main.isAlive || fence?.isHeld === false) return false;
			if (cursor) this.measure((this.cursor = JSON.stringify(cursor)));
			return true;
		};
		const emit = (data: INodeExecutionData[][]) => {
			if (!main.isAlive) return;
			const cursor = takeStaged();
			this.saveStaticData(workflow);
			// Without a cursor there is no fence either.
			if (cursor && !commit(cursor)) return;
			this.executions.push((data[0] ?? []).map(({ json }) => copy(json)));
		};
		return new PollContext(
			workflow,
			node,
			this.additionalData(main),
			'trigger',
			activation,
			emit,
			(error) => void this.errors.push(error),
			async () => {
				const cursor = takeStaged();
				if (cursor) commit(cursor);
			},
			runPoll as never,
			() => {
				const store = scope.getStore();
				if (!store) throw new Error('Static data was read outside of a poll');
				return store.staged?.snapshot ?? workflow.getStaticData('node', node);
			},
			fence ? () => POLL_BUDGET : undefined,
		);
	}

	private saveStaticData(workflow: Workflow): void {
		if (workflow.staticData.__dataChanged !== true) return;
		this.measure((this.staticData = JSON.stringify(workflow.staticData)));
		workflow.staticData.__dataChanged = false;
	}

	private measure(state: string): void {
		this.largestState = Math.max(this.largestState, state.length);
	}
}
