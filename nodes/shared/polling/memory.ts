import type { IPollFunctions } from 'n8n-workflow';
import type { Continuation, State } from './remembered';

/*
 * An upgrade in the editor loads all modules of the package anew, while n8n and its active workflows go on. What the
 * triggers of a process have to know of each other is therefore kept by n8n's own objects, under symbols that all
 * versions share: what concerns an activation by its context, and all else by the class of these contexts.
 */

/** A poll that is under way. */
export interface UnderWay {
	/** When it counts as lost, in epoch milliseconds. */
	until: number;
	/** What the trigger was set to when it began. */
	settings: string;
	ended: Promise<void>;
}

/** What is known in this process, by trigger. */
export interface ProcessMemory {
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
