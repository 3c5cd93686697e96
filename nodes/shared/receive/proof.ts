import type { IDataObject } from 'n8n-workflow';
import { isList, isRecord, valueAt } from '../lib/records';
import type { Operation, RecordAnswer, States } from '../operation';
import { idsOf } from '../operation';
import { wireName } from '../input/field';
import { recordNameOf } from '../vocabulary/words';
import { statusClass, statusWord } from '../vocabulary/statusWords';
import { inText, isWithoutRecord } from './answer';
import type { Mismatch } from './messages';
import { isOwn } from './output';
import { isEmpty } from './rateHeaders';

/** A response about another record than the one asked for, or with the contrary of an ordered state. */
export class Mismatched extends Error {
	constructor(readonly mismatch: Mismatch) {
		super(mismatch.of);
	}
}

const mismatch = (found: Mismatch): never => {
	throw new Mismatched(found);
};

/** What an operation was asked to do. */
interface Order {
	/** The ids of the route, by their names, before they are encoded. */
	ids: Record<string, string>;
	/** The ids that a bulk operation is for. */
	asked: string[];
	body: IDataObject;
}

/**
 * Compares a response with what was asked. What it does not say is no error here: `recordsOf` checks what may be
 * missing.
 * @param given the whole body, and the records that were read from it
 * @throws Mismatched
 */
export function prove(
	{ route, answer }: Pick<Operation, 'route' | 'answer'>,
	{ ids, asked, body }: Order,
	given: { body: unknown; records: IDataObject[] },
): void {
	const { records } = given;
	const lastId = ids[idsOf(route).at(-1) ?? ''];
	if (answer.kind === 'bulk') return proveOutcomes(asked, records);
	if (answer.kind === 'nothing') {
		return lastId === undefined ? undefined : proveDeleted(given.body, recordNameOf(route), lastId);
	}
	if (answer.kind === 'records') proveCount(body[answer.wrapper], records);
	const isOfPath = lastId !== undefined && isOwn({ route, answer });
	for (const record of records.filter((each) => !isWithoutRecord(each))) {
		proveParents(record, ids);
		if (isOfPath) proveRecord(record, lastId, answer.kind === 'record' ? answer : {});
		if ('proves' in answer && answer.proves) proveStates(record, answer.proves);
	}
}

/**
 * @param asked its id, or what else it is known by
 * @throws Mismatched where the record is another one
 */
export function proveRecord(
	record: IDataObject,
	asked: string,
	{ alsoBy, newIdIf }: Pick<RecordAnswer, 'alsoBy' | 'newIdIf'> = {},
): void {
	const { id } = record;
	if (isEmpty(id) || isSameId(id, asked)) return;
	if (alsoBy !== undefined && isSameId(record[alsoBy], asked)) return;
	if (newIdIf && Object.entries(newIdIf).every(([place, state]) => says(record, place, state))) {
		return;
	}
	mismatch({ of: 'record', asked, came: inText(id) });
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
	return !isEmpty(came) && !isContrary(came, state);
};

/** Ids are text. Some JSON libraries make numbers of them, and large numbers lose their last digits. */
const isSameId = (came: unknown, asked: string) =>
	typeof came === 'number'
		? came === Number(asked)
		: typeof came === 'string' && idForm(came) === idForm(asked);

const idForm = (id: string) => id.trim().toLowerCase();

/** A record can say what it belongs to: a note has the `site_id` of the path. */
function proveParents(record: IDataObject, ids: Record<string, string>): void {
	for (const [name, asked] of Object.entries(ids)) {
		const place = wireName(name);
		const came = record[place];
		if (!isEmpty(came) && !isSameId(came, asked)) {
			mismatch({ of: 'state', place, asked, came: inText(came) });
		}
	}
}

function proveStates(record: IDataObject, states: States): void {
	for (const [place, asked] of Object.entries(states)) {
		const came = valueAt(record, place);
		if (isContrary(came, asked)) {
			mismatch({ of: 'state', place, asked: String(asked), came: inText(came) });
		}
	}
}

/** The words of states in the reference. One that was not ordered is a contrary. Source: Part A, 2 and 3. */
const WORDS = new Set(
	[
		['pending', 'connected', 'rejected', 'disconnected'],
		['active', 'inactive', 'paused', 'suspended'],
		['queued', 'initializing', 'running', 'completed', 'cancelled', 'failed', 'aborted'],
		['default', 'custom', 'hidden'],
	].flat(),
);

const TRUE = ['true', '1'];
const FALSE = ['false', '0'];

/** A word that the reference does not have is no contrary. */
function isContrary(came: unknown, asked: string | boolean): boolean {
	if (typeof asked === 'boolean') {
		return (asked ? FALSE : TRUE).includes(String(came).toLowerCase());
	}
	return statusWord(came) !== asked && WORDS.has(statusWord(came));
}

/** A delete need not say what it deleted, and may name the task that does it. */
function proveDeleted(body: unknown, name: string, asked: string): void {
	const named = deletedIn(body, name).map(inText);
	if (named.some((id) => idForm(id) !== idForm(asked))) {
		mismatch({ of: 'record', asked, came: listed(named) });
	}
}

function deletedIn(body: unknown, name: string): unknown[] {
	if (!isRecord(body)) return [];
	const isTask = statusClass('task', body.status) !== 'unknown';
	const places = [body[name], body.delete, body.deleted, body.data];
	return [...(isTask ? [] : [{ id: body.id, ids: body.ids }]), ...places].flatMap(idsIn);
}

/** The ids in a record, in a list, or in a record with a list of ids. */
function idsIn(value: unknown): unknown[] {
	if (isList(value)) return value.flatMap(idsIn);
	if (isRecord(value)) return [value.id, value.ids].flatMap(idsIn);
	return typeof value === 'string' || typeof value === 'number' ? [value] : [];
}

/** Each id has one outcome; an outcome without an id counts for one that is missing. */
function proveOutcomes(asked: string[], outcomes: IDataObject[]): void {
	const open = new Map(asked.map((id) => [outcomeForm(id), id]));
	const wanted = new Set(open.keys());
	const others: string[] = [];
	let unnamed = 0;
	for (const outcome of outcomes) {
		const said = leavesOf(isEmpty(outcome.id) ? outcome : outcome.id).map(String);
		const id = said.map(outcomeForm).find((each) => wanted.has(each));
		if (id !== undefined && open.delete(id)) continue;
		if (isEmpty(outcome.id) && id === undefined) unnamed += 1;
		else others.push(inText(id ?? said[0]));
	}
	if (others.length > 0 || open.size > unnamed) {
		mismatch({ of: 'ids', added: listed(others), lacking: listed([...open.values()]) });
	}
}

const leavesOf = (value: unknown): unknown[] => (isRecord(value) ? Object.values(value) : [value]);

/** Paths come back with or without `./` and the last slash, and addresses in lower case. */
const outcomeForm = (id: string) => idForm(id).replace(/^\.\//, '').replace(/\/$/, '');

/** As many records come back as were sent. */
function proveCount(sent: unknown, { length }: IDataObject[]): void {
	if (isList(sent) && sent.length !== length) {
		mismatch({ of: 'count', asked: String(sent.length), came: String(length) });
	}
}

/** Ids that a message names. */
const FIRST_IDS = 5;

const listed = (ids: string[]) =>
	[...ids.slice(0, FIRST_IDS), ...(ids.length > FIRST_IDS ? ['…'] : [])].join(', ');
