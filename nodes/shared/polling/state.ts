import { randomBytes } from 'crypto';
import type { IDataObject, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';
import { clock } from '../client/clock';
import type { Cursor } from './cursor';
import type { DueMemory } from './due';
import type { Members } from './members';
import type { UnderWay } from './pollLock';

/** What is remembered of a list. */
export type Remembered = { cursor: Cursor } | { members: Members } | { due: DueMemory };

/** What is remembered of a feed. */
export type FeedMemory = {
	/** Of which list and choice: a trigger whose choice was changed begins anew with the feeds that it touches. */
	of: string;
	/** The events that were chosen when it was read last. */
	events?: readonly string[];
} & Remembered;

/** An event that waits for its details. */
export interface AwaitedEvent {
	json: IDataObject;
	/** In epoch milliseconds. */
	since: number;
	/** How often they were asked for. */
	tries?: number;
}

/** What n8n keeps of a trigger between polls. Plain JSON. */
export interface State {
	/** The id of the node that it belongs to. */
	node?: string;
	/** Another one with each poll that gives events, and each activation. */
	epoch?: string;
	/** Counts the polls of an epoch. */
	step?: number;
	/** A hash of the account: another one is a new beginning. */
	account?: string;
	feeds?: Record<string, FeedMemory>;
	/** The feed that the next poll begins with, where not all had their turn. */
	turn?: string;
	awaited?: AwaitedEvent[];
	/** Whether the last poll had time for the details of what waits only: then the next one reads the lists first. */
	hasRested?: true;
}

/** A state, and the epoch that it follows from. */
export interface Continuation {
	base: string;
	state: State;
	/** When it was left, in epoch milliseconds. */
	at?: number;
}

/*
 * An upgrade in the editor loads all modules of the package anew, while n8n and its active workflows go on. What the
 * triggers of a process have to know of each other is therefore kept by n8n's own objects, under symbols that all
 * versions share: what concerns an activation by its context, and all else by the class of these contexts.
 */

/** What is known in this process, by trigger. */
interface ProcessMemory {
	underWay: Map<string, UnderWay>;
	/** The state of the last poll without events, and the epoch that it follows from. */
	continued: Map<string, Continuation>;
	/** When the last poll with events handed them on, by the steady clock, and the epochs that it replaces. */
	handedOn: Map<string, { bases: string[]; at: number }>;
	/** What was left last, with events or without. */
	last: Map<string, State>;
}

/** Another one when the shape of the memory changes. */
const MEMORY = Symbol.for('n8n-nodes-site-management.triggers.1');

/** What is known in this process. */
export const memoryOf = (context: IPollFunctions): ProcessMemory =>
	keptBy(context.constructor, MEMORY, () => ({
		underWay: new Map(),
		continued: new Map(),
		handedOn: new Map(),
		last: new Map(),
	}));

/** An activation, as the versions of the package know it. */
interface Activation {
	/** Whether its first poll has been made. */
	hasBegun: boolean;
	/** Whether there has been any poll of it, also one that read nothing. */
	hasPolled?: boolean;
}

/** It changes only by what may be missing: an activation that another version has begun goes on. */
const ACTIVATION = Symbol.for('n8n-nodes-site-management.activation');

/** What is known of the activation that a context belongs to. */
export const activationOf = (context: IPollFunctions): Activation =>
	keptBy(context, ACTIVATION, () => ({ hasBegun: false }));

function keptBy<T extends object>(owner: object, name: symbol, create: () => T): T {
	const kept = owner as Record<symbol, T>;
	// Not enumerable: n8n copies and logs contexts.
	if (!Object.hasOwn(kept, name)) Object.defineProperty(kept, name, { value: create() });
	return kept[name]!;
}

/*
 * What n8n keeps of a trigger, and when (seen in n8n 2.41's own code):
 *
 * - By default it keeps the state in memory and saves it with events that it hands on, and after an activation. After
 *   a poll without events, a restart or an edit falls back to what was saved.
 * - With durable cursors it gives each poll a copy, and saves it together with the events, or after a poll without
 *   any; only the poll of an activation or an edit is not saved when it has no events. What it saves may be refused, when the
 *   poll took too long.
 *
 * So what n8n gives is the truth, because only that goes with the events that it has handed on. It is continued by
 * what this process knows to follow from exactly that state without events in between, and the first poll after an
 * activation or an edit, perhaps in another process, by what that left in the workflow's own static data.
 *
 * By default n8n keeps what it gives a node under the name of the node. After a rename that is nothing, or belonged to
 * another node; so the state is in the workflow's own static data, under the node's id. Cursors are kept by id anyway.
 */

/** n8n has saved what was handed on by then, or it never will. */
const SAVED_WITHIN_MS = 60_000;

/** Whether this is the first poll since the trigger was activated in this way. */
const isFirstAfter = (context: IPollFunctions, mode: WorkflowActivateMode) =>
	context.getActivationMode() === mode && !activationOf(context).hasBegun;

/** A start of n8n or an edit of the workflow goes on where it was; switching it on begins anew. */
export const isBeginning = (context: IPollFunctions) => isFirstAfter(context, 'activate');

/** Names a trigger within this process. */
export const keyOf = (context: IPollFunctions) =>
	`${String(context.getWorkflow().id)}/${context.getNode().id}`;

const PREFIX = 'siteManagementTrigger:';

const epochOf = ({ epoch = '' }: State) => epoch;

/** What the trigger has left in the workflow's own static data. */
const leftIn = (context: IPollFunctions) =>
	context.getWorkflowStaticData('global')[PREFIX + context.getNode().id] as
		Continuation | undefined;

/** What a node that is no longer there has left is taken away after so long. */
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

/** The one of the two that has read on further: the later one of an epoch, or what follows from the other. */
function further(state: State, next: Continuation | undefined): State {
	if (!next) return state;
	const { epoch, step = 0 } = next.state;
	const isFurther =
		epoch === state.epoch
			? step > (state.step ?? 0)
			: state.epoch !== undefined && next.base === state.epoch;
	return isFurther ? next.state : state;
}

/** What n8n gives of the trigger; empty where it has nothing of this node. */
function givenTo(context: IPollFunctions): State {
	if (sharesWorkflow(context)) return leftIn(context)?.state ?? {};
	const given = context.getWorkflowStaticData('node') as State;
	return given.node === context.getNode().id ? given : {};
}

/** The same, or what an activation or an edit has left since. */
function savedOf(context: IPollFunctions): State {
	const [given, left] = [givenTo(context), leftIn(context)];
	return given.epoch === undefined ? (left?.state ?? {}) : further(given, left);
}

/**
 * What is known now; empty where the trigger begins.
 * @returns undefined when n8n may be saving what was handed on: a job reads the state for a poll a while before the
 * poll, and would have it told again
 */
export function currentState(context: IPollFunctions): State | undefined {
	if (isBeginning(context)) return {};
	const key = keyOf(context);
	const { continued, handedOn, last } = memoryOf(context);
	const saved = savedOf(context);
	// Where another process has led meanwhile, what this one left is old.
	const left = isFirstAfter(context, 'leadershipChange') ? undefined : last.get(key);
	// Somebody has emptied what n8n keeps.
	const state = saved.epoch === undefined ? (left ?? saved) : saved;
	const handed = handedOn.get(key);
	// Each job has a context of its own. One that polls again works on what it has in memory, and what it does not know
	// of was handed on to n8n by a poll from before an edit: n8n has dropped that.
	const mayBeSaving = activationOf(context).hasPolled !== true;
	const isSaving = handed && clock.steady() - handed.at < SAVED_WITHIN_MS;
	if (mayBeSaving && isSaving && handed.bases.includes(epochOf(state))) return undefined;
	// A copy: a poll writes into it, and may be abandoned.
	return JSON.parse(JSON.stringify(further(state, continued.get(key)))) as State;
}

/** Leaves the state to n8n. @param hasEvents whether the poll hands any on */
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
	// Steps of one epoch can be compared only where they are of the same choice.
	const isChanged = choiceOf(before) !== choiceOf(next);
	const isSame = !hasEvents && !begins && !isChanged;
	const state: State = {
		node: context.getNode().id,
		epoch: isSame ? before.epoch : randomBytes(6).toString('base64url'),
		step: isSame ? (before.step ?? 0) + 1 : 0,
		...next,
	};
	const base = baseOf(context, begins ? given : before);
	// With durable cursors only after what may be an activation or an edit: n8n keeps those by the node's id.
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

/** What n8n may still give, as long as it has not saved what follows. */
function baseOf(context: IPollFunctions, before: State): string {
	const known = memoryOf(context).continued.get(keyOf(context));
	return known && known.state.epoch === before.epoch ? known.base : epochOf(before);
}

const choiceOf = ({ feeds = {} }: State) =>
	JSON.stringify(Object.entries(feeds).map(([name, { of, events }]) => [name, of, events]));

/**
 * Whether all polls work on the same state of the same workflow, as by default; n8n watches that for changes. With
 * durable cursors each has a workflow and a state of its own.
 */
export const sharesWorkflow = (context: IPollFunctions) =>
	'__dataChanged' in context.getWorkflowStaticData('node');
