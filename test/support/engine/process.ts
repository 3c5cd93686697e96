import {
	ActiveWorkflowTriggers,
	PollContext,
	PollTriggerExecutor,
	TriggersAndPollers,
} from 'n8n-core';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import type { VirtualTime } from '../virtualTime';

/** Processes of n8n 2.41.1: each has its registry of triggers, its schedule, and the package as it has loaded it. */

export const silent = () => undefined;
const logger = { scoped: () => logger, debug: silent, info: silent, warn: silent, error: silent };
const span = { setStatus: silent };
const tracing = {
	startSpan: async (_about: unknown, run: (on: unknown) => Promise<unknown>) => await run(span),
	startNewTraceSpan: async (_about: unknown, run: (on: unknown) => Promise<unknown>) =>
		await run(span),
	pickWorkflowAttributes: () => ({}),
	pickNodeAttributes: () => ({}),
};

interface Group {
	id: string;
}

/** n8n's timer: it has the ticks that a test sets off, by workflow. */
class Schedule {
	private readonly ticks = new Map<string, Array<() => void>>();

	of = (workflowId: string) => this.ticks.get(workflowId) ?? [];

	register = ({ group: { id } }: { group: Group }, tick: () => void) =>
		void this.ticks.set(id, [...this.of(id), tick]);

	deregisterGroup = ({ id }: Group) => this.ticks.delete(id);

	hasGroup = ({ id }: Group) => this.ticks.has(id);

	hasTarget = () => false;

	deregisterTarget = silent;

	getTargetIds = () => new Set<string>();
}

/** The jobs of n8n's scheduler, by workflow; each has one node. */
class Jobs {
	private readonly workflows = new Set<string>();

	register = async (workflowId: string) => {
		const inserted = !this.workflows.has(workflowId);
		this.workflows.add(workflowId);
		return { inserted };
	};

	remove = async (workflowId: string) => void this.workflows.delete(workflowId);
}

export interface Installed {
	type: INodeType;
	credential: ICredentialType;
}

export class Main {
	/** Each process has classes of its own. */
	readonly Context = class extends PollContext {};

	readonly schedule = new Schedule();

	readonly runner = new TriggersAndPollers();

	readonly triggers: ActiveWorkflowTriggers;

	/** What is installed now. */
	private loaded?: Installed;

	/** Whether it still runs; what it does after its end reaches no database. */
	isAlive = true;

	/** Polls under way, abandoned ones too, and their workflows. */
	private readonly polls = new Map<Promise<unknown>, string>();

	/**
	 * @param load loads the package: at the start, and with each upgrade in the editor
	 * @param jobs where the scheduler sets off the polls
	 */
	constructor(
		private readonly load: () => Installed,
		jobs?: Jobs,
	) {
		this.install();
		const { schedule, runner } = this;
		const reporter = { error: silent, warn: silent };
		const executor = construct(PollTriggerExecutor, logger, runner, tracing, reporter);
		const create = executor.create.bind(executor);
		executor.create = (...args) => {
			const run = create(...args);
			return async (isFirst) => await this.track(String(args[0].id), run(isFirst));
		};
		this.triggers = construct(ActiveWorkflowTriggers, logger, schedule, runner, reporter, executor);
		Object.assign(this.triggers, { getPollJobManager: () => jobs });
	}

	/** Workflows that are active keep their contexts and objects, and look the type up for each poll. */
	install(): void {
		const { type, credential } = this.load();
		this.loaded = { type: withPollTimes(type), credential };
	}

	uninstall(): void {
		this.loaded = undefined;
	}

	private get package() {
		if (!this.loaded) throw new Error('Unrecognized node type');
		return this.loaded;
	}

	readonly typeOf = (): INodeType => this.package.type;

	readonly credentialType = (): ICredentialType => this.package.credential;

	pollsOf(workflowId: string): Array<Promise<unknown>> {
		return [...this.polls].filter(([, id]) => id === workflowId).map(([poll]) => poll);
	}

	async track<T>(workflowId: string, poll: Promise<T>): Promise<T> {
		this.polls.set(poll, workflowId);
		return await poll.finally(() => this.polls.delete(poll));
	}
}

/** Who sets off a poll, and what it works on; see `activeTrigger.ts`. */
export type Mode = 'default' | 'scheduled' | 'durable';

/** How n8n is set up. */
export interface Setup {
	/** Name of the trigger without the package, such as `taskTrigger`. */
	node: string;
	mode: Mode;
	install: () => Installed;
	/** How many processes there are; one by default. */
	processes?: number;
	/** The time by which jobs run; without one, there can be none. */
	timeline?: VirtualTime;
	/** What passes between reading the cursor and the poll, in milliseconds. */
	lookups?: number;
	/** Time that n8n gives a poll, in milliseconds, instead of its own; more is no loss then. */
	budget?: number;
}

/** The processes of n8n, which share a database. */
export class Installation {
	/** The first of them leads. */
	readonly mains: Main[];

	readonly jobs?: Jobs;

	constructor(readonly setup: Setup) {
		const { mode, processes = 1 } = setup;
		this.jobs = mode === 'default' ? undefined : new Jobs();
		this.mains = Array.from({ length: processes }, () => this.start());
	}

	private start(): Main {
		return new Main(this.setup.install, this.jobs);
	}

	get leader(): Main {
		return this.mains[0]!;
	}

	/** Ends a process at once, and starts another in its place. */
	kill(index = 0): void {
		this.mains[index]!.isAlive = false;
		this.mains[index] = this.start();
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

/** n8n's classes take what they need by type, of which only this much is needed here. */
const construct = <T>(type: abstract new (...args: never[]) => T, ...args: unknown[]): T =>
	new (type as unknown as new (...given: unknown[]) => T)(...args);

/** n8n's loader gives it to each trigger that polls. */
function withPollTimes(type: INodeType): INodeType {
	const { properties } = type.description;
	const { commonPollingParameters } =
		require('n8n-core/dist/nodes-loader/constants') as typeof import('n8n-core/dist/nodes-loader/constants');
	if (!properties.some(({ name }) => name === 'pollTimes'))
		properties.unshift(...commonPollingParameters);
	return type;
}
