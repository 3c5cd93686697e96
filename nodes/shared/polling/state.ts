import { randomBytes } from 'crypto';
import type { IDataObject, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';
import { clock } from '../lib';
import { triggerKey } from '../n8n/context';
import type { Cursor } from './cursor';
import type { DueMemory } from './due';
import type { Members } from './members';

/** The state of a feed; one of `cursor`, `members` and `due`, by its kind. */
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
	/** Whether the last poll read only details: then the next one reads the lists first. */
	hasRested?: true;
}

/** A state, and the epoch that it follows from. */
interface Continuation {
	base: string;
	state: State;
	/** When it was stored, in epoch milliseconds. */
	at?: number;
}

/**
 * What this process knows of a trigger. An upgrade in the editor loads all modules of the package again, while
 * workflows stay active. So n8n's own objects hold it, under symbols that all versions share.
 */
interface Memory {
	/** The running poll: until when it counts, in epoch milliseconds, and the settings when it started, as JSON. */
	underWay?: { until: number; settings: string; ended: Promise<void> };
	/** The state of the last poll without events, and the epoch that it follows from. */
	continued?: Continuation;
	/** When the last poll with events returned them, by the steady clock, and the epochs that it replaces. */
	handedOn?: { bases: string[]; at: number };
	/** The last state, with events or without. */
	last?: State;
}

/** In the class of n8n's contexts. Change the number when the shape of the memory changes. */
const MEMORY = Symbol.for('n8n-nodes-site-management.triggers.2');

function memoryOf(context: IPollFunctions): Memory {
	const all = keptBy(context.constructor, MEMORY, () => new Map<string, Memory>());
	const memory = all.get(triggerKey(context)) ?? {};
	all.set(triggerKey(context), memory);
	return memory;
}

/** Shared by all versions of the package, so more fields can only be optional. */
const ACTIVATION = Symbol.for('n8n-nodes-site-management.activation');

/** What is known of an activation: whether a poll has stored a state, and whether one has ended, even without reading. */
export const activationOf = (context: IPollFunctions) =>
	keptBy(context, ACTIVATION, () => ({ hasBegun: false, hasPolled: false }));

function keptBy<T extends object>(owner: object, name: symbol, create: () => T): T {
	const kept = owner as Record<symbol, T>;
	// Not enumerable: n8n copies and logs contexts.
	if (!Object.hasOwn(kept, name)) Object.defineProperty(kept, name, { value: create() });
	return kept[name]!;
}

/*
 * How n8n saves the state of a trigger (source: the code of n8n 2.41):
 * - By default, it has the state in memory, and saves it with events and after an activation. After a poll without
 *   events, a restart or an edit falls back to the saved state.
 * - With durable cursors, each poll gets a copy, which n8n saves. It does not save that of a poll that took too long, nor
 *   of the first one after an activation or an edit if that has no events.
 *
 * So n8n's state is the basis, because only that matches the events that started the workflow. This process continues it
 * with its own states without events that follow from exactly that one. The first poll after an activation or an edit,
 * perhaps in another process, continues it with the state in the workflow's static data.
 * That has it by the node's ID, as durable cursors do: a node's own static data follows its name, which can change.
 */

/** Time within which n8n saves a state, if at all; in milliseconds. */
const SAVED_WITHIN_MS = 60_000;

/** Whether this is the first poll since an activation of this kind. */
const isFirstAfter = (context: IPollFunctions, mode: WorkflowActivateMode) =>
	context.getActivationMode() === mode && !activationOf(context).hasBegun;

/** Whether the workflow was switched on; after a start of n8n or an edit, the trigger continues. */
export const isBeginning = (context: IPollFunctions) => isFirstAfter(context, 'activate');

const PREFIX = 'siteManagementTrigger:';

const epochOf = ({ epoch = '' }: State) => epoch;

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

/** The current state; empty if the trigger starts. Undefined while n8n may be saving events, which the poll would repeat. */
export function currentState(context: IPollFunctions): State | undefined {
	if (isBeginning(context)) return {};
	const { continued, handedOn, last } = memoryOf(context);
	const given = givenTo(context);
	const left = leftIn(context);
	const saved = given.epoch === undefined ? (left?.state ?? {}) : further(given, left);
	// The state of this process is old if another one was the main process meanwhile.
	const own = isFirstAfter(context, 'leadershipChange') ? undefined : last;
	// Use the state of this process if n8n's state was deleted.
	const state = saved.epoch === undefined ? (own ?? saved) : saved;
	const isSaving = handedOn && clock.steady() - handedOn.at < SAVED_WITHIN_MS;
	// Each job has its own context. One that polls again has its state in memory.
	const mayBeOld = !activationOf(context).hasPolled;
	if (isSaving && mayBeOld && handedOn.bases.includes(epochOf(state))) return undefined;
	// Copy the state, because a poll that is dropped may have changed it.
	return JSON.parse(JSON.stringify(further(state, continued))) as State;
}

/** Stores the state for n8n. @param hasEvents whether the poll returns events */
export function keepState(
	context: IPollFunctions,
	before: State,
	next: Omit<State, 'epoch' | 'step'>,
	hasEvents: boolean,
): void {
	const memory = memoryOf(context);
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
	const from = begins ? given : before;
	// The epoch that n8n's state may still have, until it saves the next one.
	const earlier = memory.continued;
	const base = earlier && earlier.state.epoch === from.epoch ? earlier.base : epochOf(from);
	// With durable cursors, n8n stores the state by the node's ID: needed only after an activation or an edit.
	if (sharesWorkflow(context) || isChanged) leave(context, { base: epochOf(given), state });
	const bases = [epochOf(given), epochOf(before)];
	if (hasEvents) memory.handedOn = { bases, at: clock.steady() };
	else memory.continued = { base, state };
	const ofNode = context.getWorkflowStaticData('node');
	for (const name of Object.keys(ofNode)) delete ofNode[name];
	if (!sharesWorkflow(context)) Object.assign(ofNode, state);
	memory.last = state;
	activationOf(context).hasBegun = true;
}

const choiceOf = ({ feeds = {} }: State) =>
	JSON.stringify(Object.entries(feeds).map(([name, { of, events }]) => [name, of, events]));

/** Whether all polls share one state of the workflow, whose changes n8n tracks; not so with durable cursors. */
const sharesWorkflow = (context: IPollFunctions) =>
	'__dataChanged' in context.getWorkflowStaticData('node');

/**
 * Runs a poll; null if one is running: n8n does not wait for it, and two with the same state report all events twice.
 * After an activation or an edit, a poll replaces one that started before.
 * @param until when the poll counts as lost, in epoch milliseconds
 * @param work its argument returns whether the poll still counts; false after another one has replaced it
 */
export async function withPollLock<T>(
	context: IPollFunctions,
	until: number,
	work: (counts: () => boolean) => Promise<T>,
): Promise<T | null> {
	const memory = memoryOf(context);
	const { name, parameters, credentials } = context.getNode();
	const settings = JSON.stringify([name, parameters, credentials]);
	const other = memory.underWay;
	const isNew = isBeginning(context) || other?.settings !== settings;
	if (other && !isNew && clock.now() < other.until) {
		// The end of a poll disables n8n's expressions for all polls of the workflow, and the running one needs them.
		if (sharesWorkflow(context)) await other.ended;
		return null;
	}
	let end = () => {};
	const turn = { until, settings, ended: new Promise<void>((resolve) => (end = resolve)) };
	memory.underWay = turn;
	const counts = () => memory.underWay === turn;
	try {
		return await work(counts);
	} finally {
		end();
		if (counts()) memory.underWay = undefined;
	}
}
