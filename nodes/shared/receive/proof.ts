import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../lib/isRecord';
import type { Answer, Operation, RecordAnswer, States } from '../operation';
import { idsOf } from '../operation';
import { recordNameOf } from '../vocabulary/collections';
import { statusClass, statusWord } from '../vocabulary/statusWords';
import { inText, isWithoutRecord } from './answer';
import type { Mismatch } from './messages';
import { valueAt } from '../lib/valueAt';
import { cut } from './reason';

/** An answer about another record than the one asked for, or of the contrary of what was ordered. */
export class Mismatched extends Error {
	constructor(readonly mismatch: Mismatch) {
		super(mismatch.of);
	}
}

const mismatch = (found: Mismatch): never => {
	throw new Mismatched(found);
};

/** What an operation was asked to do. */
export interface Order {
	/** The ids of the route, by their names, as they are before they are encoded. */
	ids: Record<string, string>;
	/** The ids that a bulk operation is for. */
	asked: string[];
	body: IDataObject;
}

/** A state that was ordered, and came as a word that the API reference does not have, or not at all. */
export interface UnknownState {
	place: string;
	state?: string;
}

/**
 * Holds an answer against what was asked. What it does not say proves nothing, and is no error here: whether it may be
 * missing is for `recordsOf` to say.
 * @param given the whole body, and the records that were read from it
 * @returns the ordered states of which the answer does not tell whether they have come
 * @throws Mismatched
 */
export function prove(
	{ route, answer }: Pick<Operation, 'route' | 'answer'>,
	{ ids, asked, body }: Order,
	given: { body: unknown; records: IDataObject[] },
): UnknownState[] {
	const { records } = given;
	const names = idsOf(route);
	const lastId = ids[names.at(-1) ?? ''];
	if (answer.kind === 'nothing') {
		if (lastId !== undefined) proveDeleted(given.body, recordNameOf(route), lastId);
		return [];
	}
	if (answer.kind === 'bulk') {
		proveOutcomes(asked, records);
		return [];
	}
	if (answer.kind === 'records') proveCount(body[answer.wrapper], records);
	const isOfPath = lastId !== undefined && wrapperOf(answer) === recordNameOf(route);
	const about = answer.kind === 'record' ? answer : {};
	const states = ('proves' in answer && answer.proves) || {};
	return records.flatMap((record) => {
		if (isWithoutRecord(record)) return [];
		proveParents(record, ids);
		if (isOfPath) proveRecord(record, lastId, about);
		return proveStates(record, states);
	});
}

const wrapperOf = (answer: Answer) => {
	if (answer.kind === 'wait') return 'task';
	return answer.kind === 'record' ? answer.wrapper : undefined;
};

/**
 * @param asked its id, or what else stands for it
 * @throws Mismatched where the record is another one
 */
export function proveRecord(
	record: IDataObject,
	asked: string,
	{ alsoBy, newIdIf }: Pick<RecordAnswer, 'alsoBy' | 'newIdIf'> = {},
): void {
	const { id } = record;
	if (isMissing(id) || isSameId(id, asked)) return;
	if (alsoBy !== undefined && isSameId(record[alsoBy], asked)) return;
	if (newIdIf && Object.entries(newIdIf).every(([place, state]) => says(record, place, state))) {
		return;
	}
	mismatch({ of: 'record', asked, came: textOf(id) });
}

/** The id that a path ends with. */
export function idIn(path: string): string {
	const id = path.slice(path.lastIndexOf('/') + 1);
	try {
		return decodeURIComponent(id);
	} catch {
		return id;
	}
}

/** Whether a record has a state, or one that is not known. */
const says = (record: IDataObject, place: string, state: string | boolean) => {
	const came = valueAt(record, place);
	return !isMissing(came) && !isContrary(came, state);
};

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

/** All ids are texts, whatever a JSON library makes of them; large numbers lose their last digits. */
const isSameId = (came: unknown, asked: string) =>
	typeof came === 'number'
		? came === Number(asked)
		: typeof came === 'string' && formOf(came) === formOf(asked);

const formOf = (id: string) => id.trim().toLowerCase();

/** A site's note says perhaps of which site it is. */
function proveParents(record: IDataObject, ids: Record<string, string>): void {
	for (const [name, asked] of Object.entries(ids)) {
		const place = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
		const came = record[place];
		if (!isMissing(came) && !isSameId(came, asked)) {
			mismatch({ of: 'state', place, asked, came: textOf(came) });
		}
	}
}

function proveStates(record: IDataObject, states: States): UnknownState[] {
	return Object.entries(states).flatMap(([place, asked]) => {
		const came = valueAt(record, place);
		if (isContrary(came, asked)) {
			mismatch({ of: 'state', place, asked: String(asked), came: textOf(came) });
		}
		if (isMissing(came)) return [{ place }];
		return isKnown(came, asked) ? [] : [{ place, state: textOf(came) }];
	});
}

/** The words of states in the reference, of which the one that was not asked for is the contrary. Part A, 2 and 3. */
const WORDS = new Set(
	[
		['pending', 'connected', 'rejected', 'disconnected'],
		['active', 'inactive', 'paused', 'suspended'],
		['queued', 'initializing', 'running', 'completed', 'cancelled', 'failed', 'aborted'],
		['default', 'custom', 'hidden'],
	].flat(),
);

const BOOLEANS: Record<string, boolean> = { true: true, false: false, 1: true, 0: false };

const isKnown = (came: unknown, asked: string | boolean) =>
	typeof asked === 'boolean'
		? Object.hasOwn(BOOLEANS, String(came).toLowerCase())
		: statusWord(came) === asked || WORDS.has(statusWord(came));

function isContrary(came: unknown, asked: string | boolean): boolean {
	if (isMissing(came) || !isKnown(came, asked)) return false;
	return typeof asked === 'boolean'
		? BOOLEANS[String(came).toLowerCase()] !== asked
		: statusWord(came) !== asked;
}

/** What a delete says of itself: it need not say anything, and may name the task that does it. */
function proveDeleted(body: unknown, name: string, asked: string): void {
	const named = deletedIn(body, name).map(textOf);
	if (named.some((id) => formOf(id) !== formOf(asked))) {
		mismatch({ of: 'record', asked, came: listed(named) });
	}
}

function deletedIn(body: unknown, name: string): unknown[] {
	if (!isRecord(body)) return [];
	const isTask = statusClass('task', body.status) !== 'unknown';
	const places = [body[name], body.delete, body.deleted, body.data];
	return [...(isTask ? [] : idsIn({ id: body.id, ids: body.ids })), ...places.flatMap(idsIn)];
}

/** The ids that a record, a list, or a record with a list of ids says. */
function idsIn(value: unknown): unknown[] {
	if (Array.isArray(value)) return (value as unknown[]).flatMap(idsIn);
	if (isRecord(value)) return [value.id, ...[value.ids].flat()].flatMap(idsIn);
	return typeof value === 'string' || typeof value === 'number' ? [value] : [];
}

/** Each id has one outcome; one that does not say its id stands for one that is not told of. */
function proveOutcomes(asked: string[], outcomes: IDataObject[]): void {
	const open = new Map(asked.map((id) => [outcomeForm(id), id]));
	const wanted = new Set(open.keys());
	const others: string[] = [];
	let unnamed = 0;
	for (const outcome of outcomes) {
		const said = leavesOf(isMissing(outcome.id) ? outcome : outcome.id).map(String);
		const id = said.map(outcomeForm).find((each) => wanted.has(each));
		if (id !== undefined && open.delete(id)) continue;
		if (isMissing(outcome.id) && id === undefined) unnamed += 1;
		else others.push(textOf(id ?? said[0]));
	}
	if (others.length > 0 || open.size > unnamed) {
		mismatch({ of: 'ids', added: listed(others), lacking: listed([...open.values()]) });
	}
}

const leavesOf = (value: unknown): unknown[] => (isRecord(value) ? Object.values(value) : [value]);

/** Paths come back with or without what says that they are one, and addresses in lower case. */
const outcomeForm = (id: string) => formOf(id).replace(/^\.\//, '').replace(/\/$/, '');

/** What is made of a list is as many. */
function proveCount(sent: unknown, { length }: IDataObject[]): void {
	if (Array.isArray(sent) && sent.length !== length) {
		mismatch({ of: 'count', asked: String(sent.length), came: String(length) });
	}
}

/** More characters than a message has: no half of a secret is left when that is cut. */
const MAX_TEXT = 500;
const FIRST_IDS = 5;

function textOf(value: unknown): string {
	return cut(inText(value), MAX_TEXT);
}

const listed = (ids: string[]) =>
	[...ids.slice(0, FIRST_IDS).map(textOf), ...(ids.length > FIRST_IDS ? ['…'] : [])].join(', ');
