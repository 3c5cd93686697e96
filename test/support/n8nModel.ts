import { AsyncLocalStorage } from 'node:async_hooks';
import {
	commitStagedCursor,
	ExecutionLifecycleHooks,
	PollContext,
	runPollInStagingScope,
} from 'n8n-core';
import {
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	Workflow,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { filledIn } from './credential';
import { additionalData, Credentials } from './n8nData';
import { Jobs, type Machine, Main, silent } from './n8nProcess';
import type { VirtualTime } from './virtualTime';

/**
 * n8n 2.41.1 around polling triggers: its own workflow, context, executor and registry of triggers, with a database
 * in memory. What is written here follows n8n's `trigger-execution-context.factory`, `poll-trigger-task-handler`,
 * `poll-cursor.service`, `workflow-publication-applier` and `active-workflow-manager`.
 *
 * Who sets off a poll, and what it works on:
 * - by default: the leader's own schedule; the static data of the workflow as it was activated, in memory;
 * - with the scheduler for polls: a job, in any process; a workflow that is read from the database for this poll, of
 *   which nothing is saved unless the poll hands something on;
 * - with durable cursors as well: such a job; a copy of the row of `poller_state`, under the id of the node.
 */

const PACKAGE = 'n8n-nodes-site-management';

/** Source: n8n's `scheduler.config`, and the budget that the factory makes of it. */
const POLL_TIMEOUT = 45_000;
const POLL_BUDGET = 36_000;

/** What passes between reading the cursor and the poll. */
const LOOKUPS = 1_500;

const text = (value: unknown) => JSON.stringify(value);
const copy = <T>(value: T): T => JSON.parse(text(value)) as T;

/** What a poll works on instead of what is saved; n8n has a storage for each context, which takes longer. */
const scope = new AsyncLocalStorage<{ staged?: { snapshot: IDataObject; seed: IDataObject } }>();

/** Who sets off a poll, and what it works on; see above. */
export type Mode = 'default' | 'scheduled' | 'durable';

/** How n8n is set up. */
export interface Setup {
	/** Such as `taskTrigger`. */
	node: string;
	mode: Mode;
	/** How far the clock of n8n's machine is ahead, in milliseconds. */
	clock: { ahead: number };
}

/** The processes of n8n, which share a database. */
export class Installation {
	/** The first of them leads. */
	readonly mains: Main[];

	private readonly machine: Machine;

	constructor(
		readonly timeline: VirtualTime,
		readonly setup: Setup,
	) {
		const { node, clock, mode } = setup;
		const jobs = mode !== 'default' ? new Jobs() : undefined;
		this.machine = { timeline, node, clock, jobs };
		this.mains = [new Main(this.machine), new Main(this.machine)];
	}

	get jobs(): Jobs | undefined {
		return this.machine.jobs;
	}

	get leader(): Main {
		return this.mains[0]!;
	}

	/** Ends a process at once, and starts another in its place. */
	kill(index = 0): void {
		this.mains[index]!.isAlive = false;
		this.mains[index] = new Main(this.machine);
	}

	/** The other process leads from now on; what this one has registered is to be removed before. */
	stepDown(): void {
		this.mains.reverse();
	}

	/** The package is upgraded in the editor, or installed again: the other processes hear of it. */
	install(): void {
		for (const main of this.mains) main.install();
	}

	uninstall(): void {
		for (const main of this.mains) main.uninstall();
	}
}

/** What is saved of a workflow. */
export interface Options {
	id: string;
	/** The trigger's. */
	name: string;
	parameters: INodeParameters;
	token: string;
	/** The id of the credential that the trigger uses. */
	credential: string;
}

/** A workflow of one trigger. */
export class N8n {
	/** What the executions of the workflow began with, in order. */
	readonly executions: IDataObject[][] = [];

	/** The column of the workflow, as text. */
	staticData = '{}';

	/** The row of `poller_state`, as text. */
	cursor?: string;

	/** Whether a poll has committed a cursor since it was activated last: until then that is in the static data alone. */
	hasCommitted = false;

	/** The most characters that were saved of the trigger. */
	largestState = 0;

	isActive = false;

	/** Errors of polls, in order. */
	readonly errors: Error[] = [];

	private readonly id: string;

	/** The workflow that the triggers of a process have been registered with. */
	private readonly registered = new WeakMap<Main, Workflow>();

	constructor(
		readonly installation: Installation,
		readonly options: Options,
	) {
		this.id = options.id;
	}

	private get setup(): Setup {
		return this.installation.setup;
	}

	private get timeline(): VirtualTime {
		return this.installation.timeline;
	}

	/** Polls under way whose results may count. */
	get underWay(): Array<Promise<unknown>> {
		return this.installation.mains.flatMap((main) => main.pollsOf(this.id));
	}

	/** The process that is at a poll. */
	get busy(): number {
		return this.installation.mains.findIndex((main) => main.pollsOf(this.id).length > 0);
	}

	/** Switches the workflow on, or goes on with it; polls at once unless a job is there already. */
	async activate(mode: WorkflowActivateMode): Promise<void> {
		const main = this.installation.leader;
		const workflow = this.workflowOf(main);
		this.isActive = true;
		this.hasCommitted = false;
		await main.triggers.remove(this.id);
		this.registered.set(main, workflow);
		await main.triggers.addAllTriggers(
			this.id,
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
		const { leader, jobs } = this.installation;
		const workflow = this.registered.get(leader);
		if (!isEdit) this.isActive = false;
		await leader.triggers.remove(this.id);
		await jobs?.remove(this.id);
		if (saves && workflow) this.saveStaticData(workflow);
	}

	/** The leader ends what it has registered, because it leads no more. */
	async leave(): Promise<void> {
		await this.installation.leader.triggers.remove(this.id);
	}

	/** What the schedule sets off: a poll in the leader, or a job in any process. */
	async tick(index = 0): Promise<void> {
		const { leader, mains, jobs } = this.installation;
		if (jobs) {
			if (this.isActive) await this.runJob(mains[index]!);
			return;
		}
		const before = new Set(leader.pollsOf(this.id));
		for (const tick of leader.schedule.of(this.id)) tick();
		await Promise.all(leader.pollsOf(this.id).filter((poll) => !before.has(poll)));
	}

	private async runJob(main: Main): Promise<void> {
		let workflow: Workflow;
		try {
			workflow = this.workflowOf(main);
		} catch (error) {
			return void this.errors.push(error as Error);
		}
		const [node] = Object.values(workflow.nodes);
		// Read before the poll: n8n has other things to look up meanwhile.
		const prefetched = this.cursor;
		await main.track(this.id, this.timeline.sleep(LOOKUPS));
		const functions = this.functions(main, workflow, node!, 'update', { prefetched });
		await runPollInStagingScope(functions, async () => {
			const poll = main.track(this.id, main.runner.runPollFunction(workflow, node!, functions));
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

	private workflowOf({ nodeTypes }: Main): Workflow {
		const { parameters, name, credential } = this.options;
		const definition: INode = {
			id: 'node',
			name,
			type: `${PACKAGE}.${this.setup.node}`,
			typeVersion: 1,
			position: [0, 0],
			parameters: { ...parameters, pollTimes: { item: [{ mode: 'everyMinute' }] } },
			credentials: { siteManagementApi: { id: credential, name: 'Account' } },
		};
		return new Workflow({
			id: this.id,
			nodes: [definition],
			connections: {},
			active: true,
			nodeTypes,
			staticData: JSON.parse(this.staticData) as IDataObject,
			settings: { timezone: 'UTC', executionOrder: 'v1' },
		});
	}

	private additionalData({ credentialType }: Main): IWorkflowExecuteAdditionalData {
		const token = () => this.options.token;
		const values = {
			...filledIn({}),
			baseUrl: 'http://127.0.0.1:1/api/v6',
			// Another account may be chosen meanwhile.
			get apiToken() {
				return token();
			},
			requestsPerMinute: 0,
		};
		return {
			...additionalData(new Credentials(credentialType, values)),
			hooks: new ExecutionLifecycleHooks('trigger', '1', { id: this.id } as IWorkflowBase),
		};
	}

	/** Source: `getExecutePollFunctions` of n8n's factory. */
	private functions(
		main: Main,
		workflow: Workflow,
		node: INode,
		activation: WorkflowActivateMode,
		job?: { prefetched?: string },
	): PollContext {
		const runPoll = async <T>(poll: () => Promise<T>): Promise<T> => {
			if (this.setup.mode !== 'durable') return await scope.run({}, poll);
			this.cursor ??= JSON.stringify(workflow.getStaticData('node', node));
			const seed = JSON.parse(job?.prefetched ?? this.cursor) as IDataObject;
			return await scope.run({ staged: { snapshot: copy(seed), seed } }, poll);
		};
		const takeStaged = (): IDataObject | undefined => {
			const staged = scope.getStore()?.staged;
			if (!staged || text(staged.snapshot) === text(staged.seed)) return undefined;
			return (staged.seed = copy(staged.snapshot));
		};
		const commit = () => {
			const cursor = takeStaged();
			if (!cursor || !main.isAlive) return;
			this.measure((this.cursor = JSON.stringify(cursor)));
			this.hasCommitted ||= job !== undefined;
		};
		const emit = (data: INodeExecutionData[][]) => {
			if (!main.isAlive) return;
			this.saveStaticData(workflow);
			commit();
			this.executions.push((data[0] ?? []).map(({ json }) => copy(json)));
		};
		return new main.Context(
			workflow,
			node,
			this.additionalData(main),
			'trigger',
			activation,
			emit,
			(error) => void this.errors.push(error),
			async () => commit(),
			runPoll as never,
			() => {
				const store = scope.getStore();
				if (!store) throw new Error('Static data was read outside of a poll');
				return store.staged?.snapshot ?? workflow.getStaticData('node', node);
			},
			job ? () => POLL_BUDGET : undefined,
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
