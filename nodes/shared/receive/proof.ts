import type { IDataObject } from 'n8n-workflow';
import { entryForm } from '../input/id';
import { isList, isRecord, recordIn, valueAt } from '../lib';
import { idsOf, type Operation, type States } from '../operation';
import { targets } from '../operation/targets';
import { statusWord } from '../vocabulary/values';
import { recordNameOf } from '../vocabulary/words';
import { firstOf, inText, isEmpty, outcomeForm } from './answer';
import type { Mismatch } from './messages';
import { idFields, isOwn, type AskedIds } from './output';

/** A response about a record that was not requested, or with the opposite of a requested state. */
export class Mismatched extends Error {
	constructor(readonly mismatch: Mismatch) {
		super(mismatch.of);
	}
}

/** Compares a response with its request; `recordsOf` requires fields. `asked`: IDs of a bulk operation. @throws Mismatched */
export function prove(
	{ route, answer }: Pick<Operation, 'route' | 'answer'>,
	{ ids, body, asked }: AskedIds & { asked: string[] },
	returned: { body: unknown; records: IDataObject[] },
): void {
	const { records } = returned;
	const last = idsOf(route).at(-1);
	const lastId = last && ids[last];
	const alsoBy = last && targets[last]?.alsoBy;
	if (answer.kind === 'bulk') return proveOutcomes(asked, records, outcomeForm(answer));
	if (answer.kind === 'nothing') {
		// A delete may leave out what it deleted.
		const said = recordIn(returned.body);
		const named = [said, recordIn(said[recordNameOf(route)])];
		if (lastId !== undefined) for (const each of named) proveRecord(each, lastId);
		return;
	}
	const sent = answer.kind === 'records' ? recordIn(body)[answer.wrapper] : undefined;
	if (isList(sent) && sent.length !== records.length) {
		throw new Mismatched({ of: 'count', asked: `${sent.length}`, came: `${records.length}` });
	}
	const states = ('proves' in answer && answer.proves) || {};
	for (const record of records) {
		proveFields(record, idFields(ids), isOtherId);
		if (lastId !== undefined && isOwn({ route, answer })) {
			proveRecord(record, lastId, { ...(answer.kind === 'record' && answer), alsoBy });
		}
		proveFields(record, states, isOpposite);
	}
}

/** @throws Mismatched for a record whose ID, or the value of `alsoBy`, is not `asked` */
export function proveRecord(
	record: IDataObject,
	asked: string,
	{ alsoBy, newIdIf }: { alsoBy?: string; newIdIf?: States } = {},
): void {
	const { id } = record;
	if (!isOtherId(id, asked)) return;
	if (alsoBy !== undefined && isSameId(record[alsoBy], asked)) return;
	const mayBeNew = ([place, state]: [string, string | boolean]) => {
		const value = valueAt(record, place);
		return !isEmpty(value) && !isOpposite(value, state);
	};
	if (newIdIf && Object.entries(newIdIf).every(mayBeNew)) return;
	throw new Mismatched({ of: 'record', asked, came: inText(id) });
}

/** Compares IDs as texts. Some JSON libraries return numbers, and large numbers lose their last digits. */
const isSameId = (value: unknown, asked: string) =>
	typeof value === 'number'
		? value === Number(asked)
		: typeof value === 'string' && idForm(value) === idForm(asked);

const isOtherId = (value: unknown, asked: string) => !isEmpty(value) && !isSameId(value, asked);

const idForm = (id: string) => id.trim().toLowerCase();

/** Refuses a record with a field that differs from the requested value, such as the `site_id` of a note. */
function proveFields<T extends string | boolean>(
	record: IDataObject,
	requested: Record<string, T>,
	differs: (value: unknown, asked: T) => boolean,
): void {
	for (const [place, asked] of Object.entries(requested)) {
		const value = valueAt(record, place);
		if (differs(value, asked)) {
			throw new Mismatched({ of: 'state', place, asked: String(asked), came: inText(value) });
		}
	}
}

/** Source: Part A, 2 and 3. */
const STATES = new Set([
	...['pending', 'connected', 'rejected', 'disconnected'],
	...['active', 'inactive', 'paused', 'suspended'],
	...['queued', 'initializing', 'running', 'completed', 'cancelled', 'failed', 'aborted'],
	...['default', 'custom', 'hidden'],
]);

/** Whether a value contradicts a requested state. Words that are not in the reference do not. */
function isOpposite(value: unknown, asked: string | boolean): boolean {
	if (typeof asked === 'boolean') {
		return (asked ? ['false', '0'] : ['true', '1']).includes(String(value).toLowerCase());
	}
	return statusWord(value) !== asked && STATES.has(statusWord(value));
}

/** Each ID has one outcome; an outcome without an ID counts for a missing one. */
function proveOutcomes(asked: string[], outcomes: IDataObject[], formOf: (id: string) => string) {
	const missing = new Map(asked.map((id) => [formOf(id), id]));
	const named = outcomes.flatMap(({ id }) => (isEmpty(id) ? [] : inText(id)));
	const added = named.filter((id) => !missing.delete(formOf(id)));
	if (added.length === 0 && missing.size <= outcomes.length - named.length) return;
	const left = [...missing.values()];
	throw new Mismatched({ of: 'ids', asked: firstOf(left), came: firstOf(added) });
}

/** The entries of a list that are not in the list that replaces it. A number equals its text. */
export const droppedFrom = (before: readonly unknown[], after: readonly unknown[]): unknown[] => {
	const kept = new Set(after.map((each) => entryForm(String(each))));
	return before.filter((each) => !kept.has(entryForm(String(each))));
};

/** The places of lists of sites. */
export const SITES = /(^|\.)(site_ids|sites\.ids)$/;

/** The entries of a list. A schedule no longer updates the kinds that are not sent. Source: Part A, 4.7. */
function entriesAt(place: string, value: unknown): unknown[] | undefined {
	if (isList(value)) return value;
	if (place !== 'scope.updates' || !isRecord(value)) return undefined;
	return Object.keys(value).filter((key) => Boolean(value[key]));
}

/** The lists that an update replaces, with their places, such as `scope.sites.ids`. */
export function listsIn(sent: unknown, place = ''): Array<[string, unknown[]]> {
	if (isList(sent) && sent.some(isRecord)) return [];
	const inner = Object.entries(recordIn(sent)).flatMap(([key, each]) =>
		listsIn(each, place ? `${place}.${key}` : key),
	);
	const entries = entriesAt(place, sent);
	return entries ? [...inner, [place, entries]] : inner;
}

/** A list of a record; null is empty. `all` for a selection of all, and for a person with access to all sites. */
function listAt(record: IDataObject, place: string): unknown[] | 'all' | undefined {
	const parent = place.includes('.') ? valueAt(record, place.replace(/\.[^.]*$/, '')) : record;
	const { selection = 'specific', all_sites_access: access } = recordIn(parent);
	// An unknown selection may mean every site.
	if (selection !== 'specific' || (access === true && SITES.test(place))) return 'all';
	const value = valueAt(record, place);
	return value === null ? [] : entriesAt(place, value);
}

/** The lists of a record before and after an update replaces them, by their places. */
export const replacedIn = (sent: IDataObject, record: IDataObject) =>
	Object.fromEntries(
		listsIn(sent).flatMap(([place, after]) => {
			const before = listAt(record, place);
			if (!before) return [];
			const [dropped, added] =
				before === 'all' ? [null, []] : [droppedFrom(before, after), droppedFrom(after, before)];
			return [[place, { before, after, dropped, added }] as const];
		}),
	);
