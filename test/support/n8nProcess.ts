import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
	ActiveWorkflowTriggers,
	PollContext,
	PollTriggerExecutor,
	TriggersAndPollers,
} from 'n8n-core';
import type { ICredentialType, IDataObject, INodeType, INodeTypes } from 'n8n-workflow';
import type { VirtualTime } from './virtualTime';

/** A process of n8n 2.41.1: its registry of triggers, its schedule, and the package's modules as it has loaded them. */

const DIST = path.resolve(__dirname, '../../dist');

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
			// Data, which no process changes.
			if (found.endsWith('.json')) return require(found) as unknown;
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
export class Jobs {
	private readonly workflows = new Set<string>();

	register = async (workflowId: string) => {
		const inserted = !this.workflows.has(workflowId);
		this.workflows.add(workflowId);
		return { inserted };
	};

	remove = async (workflowId: string) => void this.workflows.delete(workflowId);
}

/** What the processes of an installation have in common. */
export interface Machine {
	timeline: VirtualTime;
	/** Such as `taskTrigger`. */
	node: string;
	/** How far the clock is ahead of the true time, in milliseconds. */
	clock: { ahead: number };
	/** Where the scheduler sets off the polls. */
	jobs?: Jobs;
}

export class Main {
	/** Each process has classes of its own. */
	readonly Context = class extends PollContext {};

	readonly schedule = new Schedule();

	readonly runner = new TriggersAndPollers();

	readonly triggers: ActiveWorkflowTriggers;

	/** The trigger and the credential of the package that is installed now. */
	private loaded?: { type: INodeType; credential: ICredentialType };

	/** Whether it still runs; what it does after its end reaches no database. */
	isAlive = true;

	/** Polls under way, abandoned ones too, and their workflows. */
	private readonly polls = new Map<Promise<unknown>, string>();

	constructor(private readonly machine: Machine) {
		this.install();
		const reporter = { error: silent, warn: silent };
		const executor = construct(PollTriggerExecutor, logger, this.runner, tracing, reporter);
		const create = executor.create.bind(executor);
		executor.create = (...args) => {
			const run = create(...args);
			return async (isFirst) => await this.track(String(args[0].id), run(isFirst));
		};
		this.triggers = construct(
			ActiveWorkflowTriggers,
			logger,
			this.schedule,
			this.runner,
			reporter,
			executor,
		);
		Object.assign(this.triggers, { getPollJobManager: () => machine.jobs });
	}

	/**
	 * Loads the package: at the start, and with each upgrade in the editor. n8n drops its modules from `require.cache` and
	 * loads them anew; workflows that are active keep their contexts and objects, and look the type up for each poll.
	 * Source: `unloadPackage` and `loadPackage` of `load-nodes-and-credentials`, `runPollFunction` of n8n-core.
	 */
	install(): void {
		const { timeline, node, clock: of } = this.machine;
		const load = freshModules();
		const file = node[0]!.toUpperCase() + node.slice(1);
		const folder = file.replace('Trigger', '');
		const Type = load(`nodes/${folder}/${file}.node.js`)[file] as new () => INodeType;
		const credential = load('credentials/SiteManagementApi.credentials.js');
		this.loaded = {
			type: withPollTimes(new Type()),
			credential: new (credential.SiteManagementApi as new () => ICredentialType)(),
		};
		const { clock } = load('nodes/shared/lib/index.js') as { clock: IDataObject };
		Object.assign(clock, {
			now: () => timeline.now() + of.ahead,
			steady: () => timeline.now(),
			sleep: async (ms: number, signal?: AbortSignal) => await timeline.sleep(ms, signal),
			// What only watches does not move the time.
			guard: async (ms: number, signal?: AbortSignal) => await timeline.sleep(ms, signal, true),
		});
	}

	uninstall(): void {
		this.loaded = undefined;
	}

	private get package() {
		if (!this.loaded) throw new Error('Unrecognized node type');
		return this.loaded;
	}

	readonly nodeTypes: INodeTypes = {
		getByName: () => this.package.type,
		getByNameAndVersion: () => this.package.type,
		getKnownTypes: () => ({}),
	};

	readonly credentialType = (): ICredentialType => this.package.credential;

	pollsOf(workflowId: string): Array<Promise<unknown>> {
		return [...this.polls].filter(([, id]) => id === workflowId).map(([poll]) => poll);
	}

	async track<T>(workflowId: string, poll: Promise<T>): Promise<T> {
		this.polls.set(poll, workflowId);
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
