import { randomBytes } from 'crypto';
import type { IDataObject, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';
import { clock } from '../client/clock';
import type { Cursor } from './cursor';
import type { DueMemory } from './due';
import type { Members } from './members';

/** The state of a feed, of which one list has one kind. */
export interface FeedMemory {
	/** Fingerprint of the list and the parameters: after a change of these, the feed starts again. */
	of: string;
	/** The events that were chosen at the last reading. */
	events?: readonly string[];
	cursor?: Cursor;
	members?: Members;
	due?: DueMemory;
}

/** An event that waits for its details. */
export interface AwaitedEvent {
	json: IDataObject;
	/** In epoch milliseconds. */
	since: number;
	/** Number of times that the details were requested. */
	tries?: number;
}

/** The state of a trigger that n8n stores between polls. Plain JSON. */
export interface State {
	/** ID of the node that it belongs to. */
	node?: string;
	/** Changes with each poll that has events, and each activation. */
	epoch?: string;
	/** Counts the polls of an epoch. */
	step?: number;
	/** A hash of the account: another one is a new start. */
	account?: string;
	feeds?: Record<string, FeedMemory>;
	/** The feed that the next poll begins with, if this one did not read all. */
	turn?: string;
	awaited?: AwaitedEvent[];
}

/** A running poll. */
interface UnderWay {
	/** When it counts as lost, in epoch milliseconds. */
	until: number;
	/** The settings of the trigger when the poll started, as JSON. */
	settings: string;
	ended: Promise<void>;
}

/** A state, and the epoch that it follows from. */
interface Continuation {
	base: string;
	state: State;
	/** When it was stored, in epoch milliseconds. */
	at?: number;
}

/*
 * An upgrade in the editor loads all modules of the package again, while n8n and its active workflows keep running.
 * So n8n's own objects hold the memory of the triggers of a process, under symbols that all versions share. The memory
 * of an activation is in its context, and the rest in the class of these contexts.
 */

/** The memory of this process, by trigger. */
interface ProcessMemory {
	underWay: Map<string, UnderWay>;
	/** The state of the last poll without events, and the epoch that it follows from. */
	continued: Map<string, Continuation>;
	/** When the last poll with events returned them, by the steady clock, and the epochs that it replaces. */
	handedOn: Map<string, { bases: string[]; at: number }>;
	/** The last state, with events or without. */
	last: Map<string, State>;
}

/** Change the number when the shape of the memory changes. */
const MEMORY = Symbol.for('n8n-nodes-site-management.triggers.1');

/** The memory of this process. */
const memoryOf = (context: IPollFunctions): ProcessMemory =>
	keptBy(context.constructor, MEMORY, () => ({
		underWay: new Map(),
		continued: new Map(),
		handedOn: new Map(),
		last: new Map(),
	}));

/** The memory of an activation, shared by all versions of the package. */
interface Activation {
	/** Whether its first poll has stored a state. */
	hasBegun: boolean;
	/** Whether any of its polls has ended, even one that read nothing. */
	hasPolled?: boolean;
}

/** Add only optional fields, because an activation continues with another version of the package. */
const ACTIVATION = Symbol.for('n8n-nodes-site-management.activation');

/** The memory of the activation that a context belongs to. */
export const activationOf = (context: IPollFunctions): Activation =>
	keptBy(context, ACTIVATION, () => ({ hasBegun: false }));

function keptBy<T extends object>(owner: object, name: symbol, create: () => T): T {
	const kept = owner as Record<symbol, T>;
	// Not enumerable: n8n copies and logs contexts.
	if (!Object.hasOwn(kept, name)) Object.defineProperty(kept, name, { value: create() });
	return kept[name]!;
}

/*
 * How n8n saves the state of a trigger (source: the code of n8n 2.41):
 *
 * - By default, n8n has the state in memory. It saves the state with events, and after an activation. After a poll
 *   without events, a restart or an edit falls back to the saved state.
 * - With durable cursors, each poll gets a copy. n8n saves it with the events, or after a poll without events. It does
 *   not save the first poll after an activation or an edit if that has no events, nor a poll that took too long.
 *
 * So n8n's state is the basis, because only that matches the events that started the workflow. This process continues
 * it with its own state that follows from exactly that one without events in between. The first poll after an
 * activation or an edit, perhaps in another process, continues it with the state in the workflow's static data.
 *
 * By default, n8n stores static data of a node under its name. After a rename, that is empty or of another node. So the
 * state is in the workflow's static data, under the node's ID. Durable cursors are stored by ID.
 */

/** Time within which n8n saves a state, if at all; in milliseconds. */
const SAVED_WITHIN_MS = 60_000;

/** Whether this is the first poll since the trigger was activated in this way. */
const isFirstAfter = (context: IPollFunctions, mode: WorkflowActivateMode) =>
	context.getActivationMode() === mode && !activationOf(context).hasBegun;

/** Whether the workflow was switched on; after a start of n8n or an edit, the trigger continues. */
export const isBeginning = (context: IPollFunctions) => isFirstAfter(context, 'activate');

/** Names a trigger within this process. */
export const keyOf = (context: IPollFunctions) =>
	`${String(context.getWorkflow().id)}/${context.getNode().id}`;

const PREFIX = 'siteManagementTrigger:';

const epochOf = ({ epoch = '' }: State) => epoch;

/** The trigger's state in the workflow's static data. */
const leftIn = (context: IPollFunctions) =>
	context.getWorkflowStaticData('global')[PREFIX + context.getNode().id] as
		Continuation | undefined;

/** Time after which the state of a deleted node is removed, in milliseconds. */
const LEFT_MS = 30 * 24 * 3_600_000;

function leave(context: IPollFunctions, left: Continuation): void {
	const data = context.getWorkflowStaticData('global');
	const now = clock.now();
	for (const key of Object.keys(data).filter((each) => each.startsWith(PREFIX))) {
		const { at = now } = data[key] as Continuation;
		if (now - at > LEFT_MS) delete data[key];
	}
	data[PREFIX + context.getNode().id] = { ...left, at: now } as unknown as IDataObject;
}

/** The newer of two states: the later step of an epoch, or the one that follows from the other. */
function further(state: State, next: Continuation | undefined): State {
	if (!next) return state;
	const { epoch, step = 0 } = next.state;
	const isFurther =
		epoch === state.epoch
			? step > (state.step ?? 0)
			: state.epoch !== undefined && next.base === state.epoch;
	return isFurther ? next.state : state;
}

/** n8n's state of the trigger; empty if it has none of this node. */
function givenTo(context: IPollFunctions): State {
	if (sharesWorkflow(context)) return leftIn(context)?.state ?? {};
	const given = context.getWorkflowStaticData('node') as State;
	return given.node === context.getNode().id ? given : {};
}

/** n8n's state, or a newer one of an activation or an edit. */
function savedOf(context: IPollFunctions): State {
	const [given, left] = [givenTo(context), leftIn(context)];
	return given.epoch === undefined ? (left?.state ?? {}) : further(given, left);
}

/**
 * The current state; empty if the trigger starts.
 * @returns undefined while n8n may be saving events: it may have read the state before that, and the poll would
 * report them again
 */
export function currentState(context: IPollFunctions): State | undefined {
	if (isBeginning(context)) return {};
	const key = keyOf(context);
	const { continued, handedOn, last } = memoryOf(context);
	const saved = savedOf(context);
	// The state of this process is old if another one was the main process meanwhile.
	const left = isFirstAfter(context, 'leadershipChange') ? undefined : last.get(key);
	// Use the state of this process if n8n's state was deleted.
	const state = saved.epoch === undefined ? (left ?? saved) : saved;
	const handed = handedOn.get(key);
	// Each job has its own context. One that polls again has its state in memory. A newer state is from a poll before
	// an edit, which n8n has dropped.
	const mayBeSaving = activationOf(context).hasPolled !== true;
	const isSaving = handed && clock.steady() - handed.at < SAVED_WITHIN_MS;
	if (mayBeSaving && isSaving && handed.bases.includes(epochOf(state))) return undefined;
	// Copy the state, because a poll that is dropped may have changed it.
	return JSON.parse(JSON.stringify(further(state, continued.get(key)))) as State;
}

/** Stores the state for n8n. @param hasEvents whether the poll returns events */
export function keepState(
	context: IPollFunctions,
	before: State,
	next: Omit<State, 'epoch' | 'step'>,
	hasEvents: boolean,
): void {
	const key = keyOf(context);
	const { continued, handedOn, last } = memoryOf(context);
	const given = givenTo(context);
	const begins = isBeginning(context) || before.epoch === undefined;
	// Steps of an epoch can be compared only with the same parameters.
	const isChanged = choiceOf(before) !== choiceOf(next);
	const isSame = !hasEvents && !begins && !isChanged;
	const state: State = {
		node: context.getNode().id,
		epoch: isSame ? before.epoch : randomBytes(6).toString('base64url'),
		step: isSame ? (before.step ?? 0) + 1 : 0,
		...next,
	};
	const base = baseOf(context, begins ? given : before);
	// With durable cursors, n8n stores the state by the node's ID: needed only after an activation or an edit.
	if (sharesWorkflow(context) || isChanged) {
		leave(context, { base: epochOf(given), state });
	}
	if (hasEvents) {
		const bases = [epochOf(given), epochOf(before)];
		handedOn.set(key, { bases, at: clock.steady() });
	}
	const ofNode = context.getWorkflowStaticData('node');
	for (const name of Object.keys(ofNode)) delete ofNode[name];
	if (!sharesWorkflow(context)) Object.assign(ofNode, state);
	if (!hasEvents) continued.set(key, { base, state });
	last.set(key, state);
	activationOf(context).hasBegun = true;
}

/** The epoch that n8n's state may still have, until it saves the next one. */
function baseOf(context: IPollFunctions, before: State): string {
	const known = memoryOf(context).continued.get(keyOf(context));
	return known && known.state.epoch === before.epoch ? known.base : epochOf(before);
}

const choiceOf = ({ feeds = {} }: State) =>
	JSON.stringify(Object.entries(feeds).map(([name, { of, events }]) => [name, of, events]));

/**
 * Whether all polls share one state of the workflow, as by default; n8n then tracks changes of it. With durable
 * cursors, each poll has its own workflow and state.
 */
export const sharesWorkflow = (context: IPollFunctions) =>
	'__dataChanged' in context.getWorkflowStaticData('node');

/**
 * Runs a poll, unless one is running. n8n does not wait for the last one, and two polls with the same state would
 * report all events twice. After an activation or an edit, a poll replaces one that started before.
 * @param until when the poll counts as lost, in epoch milliseconds
 * @param work its argument returns whether the poll still counts; false after another one has replaced it
 * @returns null if one is running
 */
export async function withPollLock<T>(
	context: IPollFunctions,
	until: number,
	work: (counts: () => boolean) => Promise<T>,
): Promise<T | null> {
	const { underWay } = memoryOf(context);
	const key = keyOf(context);
	const { name, parameters, credentials } = context.getNode();
	const settings = JSON.stringify([name, parameters, credentials]);
	const other = underWay.get(key);
	const isNew = isBeginning(context) || other?.settings !== settings;
	if (other && !isNew && clock.now() < other.until) {
		// The end of a poll disables n8n's expressions for all polls of the workflow, and the running one needs them.
		if (sharesWorkflow(context)) await other.ended;
		return null;
	}
	let end = () => {};
	const turn = { until, settings, ended: new Promise<void>((resolve) => (end = resolve)) };
	underWay.set(key, turn);
	const counts = () => underWay.get(key) === turn;
	try {
		return await work(counts);
	} finally {
		end();
		if (counts()) underWay.delete(key);
	}
}
