import { randomBytes } from 'crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Cursor } from './cursor';
import type { Members } from './members';

/*
 * What n8n keeps of a trigger, and when (seen in n8n 2.41's own code):
 *
 * - By default it keeps the state in memory and saves it with events that it hands on, and after an activation. After
 *   a poll without events, a restart or an edit falls back to what was saved.
 * - With durable cursors it gives each poll a copy, and saves it together with the events, or after a poll without
 *   any; only the poll of the activation is not saved when it has no events. What it saves may be refused, when the
 *   poll took too long.
 *
 * So what n8n gives is the truth, because only that goes with the events that it has handed on. It is continued by
 * what this process knows to follow from exactly that state without events in between, and the first poll after an
 * activation, perhaps in another process, by what that left in the workflow's own static data.
 */

/** What is remembered of a list. */
export type Remembered = { cursor: Cursor } | { members: Members };

/** What is remembered of a feed. */
export type Memory = {
	/** Of which list and choice: a trigger whose choice was changed begins anew with the feeds that it touches. */
	of: string;
	/** The events that are told; those that were chosen later begin when the list has been read once more. */
	events?: readonly string[];
} & Remembered;

/** An event that waits for its details. */
export interface Waiting {
	json: IDataObject;
	/** In epoch milliseconds. */
	since: number;
}

/** What n8n keeps of a trigger between polls. Plain JSON. */
export interface State {
	/** Another one with each poll that gives events, and each activation. */
	epoch?: string;
	/** Counts the polls of an epoch. */
	step?: number;
	/** A hash of the account: another one is a new beginning. */
	account?: string;
	feeds?: Record<string, Memory>;
	/** The feed that the next poll begins with, where not all had their turn. */
	turn?: string;
	awaited?: Waiting[];
}

/** The state of the last poll without events, of each trigger of this process, and the epoch that it follows from. */
const continued = new Map<string, { base: string; state: State }>();

/** Activations by the user whose first poll has been made. */
const activated = new WeakSet<IPollFunctions>();

/** A start of n8n or an edit of the workflow goes on where it was; switching it on begins anew. */
export const isBeginning = (context: IPollFunctions) =>
	context.getActivationMode() === 'activate' && !activated.has(context);

/** Names a trigger within this process. */
export const keyOf = (context: IPollFunctions) =>
	`${String(context.getWorkflow().id)}/${context.getNode().id}`;

/** Where an activation leaves its state for the first poll after it. */
const startKey = (context: IPollFunctions) => `siteManagementTrigger:${context.getNode().id}`;

const idOf = ({ epoch = '' }: State) => epoch;

interface Start {
	/** The epoch that n8n had until then. */
	replaces: string;
	state: State;
}

/** What is known now; empty where the trigger begins. */
export function currentState(context: IPollFunctions): State {
	if (isBeginning(context)) return {};
	const given = context.getWorkflowStaticData('node') as State;
	const start = context.getWorkflowStaticData('global')[startKey(context)] as Start | undefined;
	const state = start?.replaces === idOf(given) ? start.state : given;
	const later = continued.get(keyOf(context));
	if (!later) return state;
	const { epoch, step = 0 } = later.state;
	const isFurther = epoch === state.epoch ? step > (state.step ?? 0) : later.base === idOf(state);
	return isFurther ? later.state : state;
}

/** Leaves the state to n8n. @param hasEvents whether the poll hands any on */
export function keepState(
	context: IPollFunctions,
	before: State,
	next: Omit<State, 'epoch' | 'step'>,
	hasEvents: boolean,
): void {
	const given = context.getWorkflowStaticData('node') as State;
	const begins = isBeginning(context) || before.epoch === undefined;
	const isSame = !hasEvents && !begins;
	const state: State = {
		epoch: isSame ? before.epoch : randomBytes(6).toString('base64url'),
		step: isSame ? (before.step ?? 0) + 1 : 0,
		...next,
	};
	const base = baseOf(context, begins ? given : before);
	if (isBeginning(context) && !isSavedAtActivation(given)) {
		const start: Start = { replaces: idOf(given), state };
		context.getWorkflowStaticData('global')[startKey(context)] = start as unknown as IDataObject;
	}
	for (const key of Object.keys(given)) delete given[key as keyof State];
	Object.assign(given, state);
	if (!hasEvents) continued.set(keyOf(context), { base, state });
	activated.add(context);
}

/** What n8n may still give, as long as it has not saved what follows. */
function baseOf(context: IPollFunctions, before: State): string {
	const known = continued.get(keyOf(context));
	return known && known.state.epoch === before.epoch ? known.base : idOf(before);
}

/** n8n watches what it saves after an activation; a copy, as with durable cursors, it does not watch. */
const isSavedAtActivation = (given: State) => '__dataChanged' in given;
