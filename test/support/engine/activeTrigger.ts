import { AsyncLocalStorage } from 'node:async_hooks';
import { commitStagedCursor, type PollContext, runPollInStagingScope } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import {
	type Access,
	additionalData,
	Credentials,
	nodeIn,
	type OneNode,
	workflowOf,
} from './oneNode';
import { type Installation, type Main, type Setup, silent } from './process';

/**
 * An active trigger in n8n 2.41.1: n8n's own workflow, context, executor and registry of triggers, with a database in
 * memory. What is written here follows n8n's `trigger-execution-context.factory`, `poll-trigger-task-handler`,
 * `poll-cursor.service`, `workflow-publication-applier` and `active-workflow-manager`.
 *
 * Who sets off a poll, and what it works on:
 * - by default: the leader's own schedule; the static data of the workflow as it was activated, in memory;
 * - with the scheduler for polls: a job, in any process; a workflow that is read from the database for this poll, of
 *   which nothing is saved unless the poll hands something on;
 * - with durable cursors as well: such a job; a copy of the row of `poller_state`, under the id of the node.
 */

/** Source: n8n's `scheduler.config`, and the budget that the factory makes of it. */
const POLL_TIMEOUT = 45_000;
const POLL_BUDGET = 36_000;

const text = (value: unknown) => JSON.stringify(value);
const copy = <T>(value: T): T => JSON.parse(text(value)) as T;

/** What a poll works on instead of what is saved; n8n has a storage for each context, which takes longer. */
const scope = new AsyncLocalStorage<{ staged?: { snapshot: IDataObject; seed: IDataObject } }>();

/** What is saved of a workflow. */
export interface Options extends Pick<OneNode, 'settings' | 'timezone'> {
	id: string;
	/** The account in the credential that the trigger uses; it can be changed. */
	access: Access;
}

/** What n8n has saved of the trigger's state. */
export interface Saved {
	/** The static data of the workflow. */
	workflow: IDataObject;
	/** The row of `poller_state`. */
	cursor?: IDataObject;
}

/** A workflow of one trigger. */
export class ActiveTrigger {
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

	readonly errors: Error[] = [];

	private emitted: INodeExecutionData[] | null = null;

	/** The job under way; how often another process has taken it over. */
	private job?: { epoch: number };

	/** What has been done to the workflow since the last poll of a test, which activates it then. */
	private due?: WorkflowActivateMode = 'activate';

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

	/** One poll: that of an activation, where one is due, or one by the schedule. Throws what n8n would report. */
	async poll(): Promise<INodeExecutionData[] | null> {
		const { due, errors } = this;
		const before = errors.length;
		this.emitted = null;
		if (!due) await this.tick();
		else {
			if (due !== 'init') await this.deactivate({ isEdit: true });
			await this.activate(due).catch((error: Error) =>
				errors.push((error.cause ?? error) as Error),
			);
		}
		if (errors.length > before) throw errors.at(-1)!;
		this.due = undefined;
		return this.emitted;
	}

	async test(): Promise<INodeExecutionData[] | null> {
		const main = this.installation.leader;
		const workflow = this.registered.get(main) ?? this.workflowOf(main);
		const data = this.additionalData(main);
		const context = new main.Context(workflow, nodeIn(workflow), data, 'manual', 'manual');
		return (await main.typeOf().poll!.call(context))?.[0] ?? null;
	}

	/** Stops n8n and starts it again: only what it has saved is left. */
	async restart(): Promise<void> {
		this.installation.kill();
		this.due = 'init';
	}

	/** Saves the active workflow, with other settings of the node. */
	async edit(settings?: Partial<INode>): Promise<void> {
		this.options.settings = { ...this.options.settings, ...settings };
		this.due = 'update';
	}

	/** Switches the workflow off and on again. */
	reactivate(): void {
		this.due = 'activate';
	}

	/** What n8n has of the workflow in memory. */
	state(): IDataObject {
		const workflow = this.registered.get(this.installation.leader);
		return workflow ? copy(workflow.staticData) : this.saved.workflow;
	}

	get saved(): Saved {
		const { staticData, cursor } = this;
		const workflow = JSON.parse(staticData) as IDataObject;
		return { workflow, ...(cursor !== undefined && { cursor: JSON.parse(cursor) as IDataObject }) };
	}

	set saved({ workflow, cursor }: Saved) {
		this.staticData = text(workflow);
		this.cursor = cursor && text(cursor);
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

	/** The lease of the job under way has run out, and a process takes it over; the first one does not know. */
	async takeOver(index: number): Promise<void> {
		const { job } = this;
		if (job) await this.runJob(this.installation.mains[index]!, job);
	}

	private async runJob(main: Main, job = { epoch: 0 }): Promise<void> {
		const epoch = ++job.epoch;
		this.job = job;
		await this.pollOfJob(main, () => job.epoch === epoch);
		if (this.job === job && job.epoch === epoch) this.job = undefined;
	}

	private async pollOfJob(main: Main, holds: () => boolean): Promise<void> {
		let workflow: Workflow;
		try {
			workflow = this.workflowOf(main);
		} catch (error) {
			return void this.errors.push(error as Error);
		}
		const node = nodeIn(workflow);
		const { timeline, lookups = 0, budget } = this.setup;
		// Read before the poll: n8n has other things to look up meanwhile.
		const prefetched = this.cursor;
		await main.track(this.id, timeline!.sleep(lookups));
		const functions = this.functions(main, workflow, node, 'update', { prefetched, holds });
		await runPollInStagingScope(functions, async () => {
			const poll = main.track(this.id, main.runner.runPollFunction(workflow, node, functions));
			poll.catch(silent);
			const late = async () => {
				await timeline!.sleep(POLL_TIMEOUT, undefined, true);
				return 'late' as const;
			};
			try {
				const outcome = budget === undefined ? await Promise.race([poll, late()]) : await poll;
				if (outcome === 'late' || !main.isAlive || !this.isActive) return;
				if (outcome !== null) functions.__emit(outcome);
				else await commitStagedCursor(functions);
			} catch (error) {
				this.errors.push(error as Error);
			}
		});
	}

	private workflowOf({ typeOf }: Main): Workflow {
		const { id, settings, timezone } = this.options;
		const pollTimes = { item: [{ mode: 'everyMinute' }] };
		return workflowOf({
			...{ node: this.setup.node, typeOf, id, timezone },
			settings: { ...settings, parameters: { pollTimes, ...settings?.parameters } },
			staticData: JSON.parse(this.staticData) as IDataObject,
		});
	}

	private additionalData({ credentialType }: Main) {
		return additionalData(new Credentials(credentialType, this.options.access));
	}

	/** Source: `getExecutePollFunctions` of n8n's factory. */
	private functions(
		main: Main,
		workflow: Workflow,
		node: INode,
		activation: WorkflowActivateMode,
		job?: { prefetched?: string; holds: () => boolean },
	): PollContext {
		const { budget = job && POLL_BUDGET } = this.setup;
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
		/** Whether what the poll gives counts: a cursor is saved only by the holder of the job. */
		const commit = () => {
			const cursor = takeStaged();
			if (!cursor || !main.isAlive) return main.isAlive;
			if (job && !job.holds()) return false;
			this.measure((this.cursor = JSON.stringify(cursor)));
			this.hasCommitted ||= job !== undefined;
			return true;
		};
		const emit = (data: INodeExecutionData[][]) => {
			if (!main.isAlive) return;
			this.saveStaticData(workflow);
			if (!commit()) return;
			this.emitted = data[0] ?? [];
			this.executions.push(this.emitted.map(({ json }) => copy(json)));
		};
		return new main.Context(
			workflow,
			node,
			this.additionalData(main),
			'trigger',
			activation,
			emit,
			(error) => void this.errors.push(error),
			async () => void commit(),
			runPoll as never,
			() => {
				const store = scope.getStore();
				if (!store) throw new Error('Static data was read outside of a poll');
				return store.staged?.snapshot ?? workflow.getStaticData('node', node);
			},
			budget === undefined ? undefined : () => budget,
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
