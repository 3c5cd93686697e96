import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { shown } from '../input/refusal';
import { cut } from '../receive/messages';
import { flattened } from '../receive/output';
import { isRecord, omit, recordIn, valueAt } from '../lib';

/** Previews in words, for people and for models. */

/** Characters of a body, a query or a list of names in words. */
const MAX_SENT = 1_000;

const MAX_LISTED = 10;

/** A preview in words: what is done, to which records, and what a list loses. @param write a query or a body */
export function inWords(preview: IDataObject, write = sent): string[] {
	const { operation, does, request, target, source, replaces, checked } = preview;
	const { query, body, body_length: length } = recordIn(request);
	// The snapshot is among the records.
	const others = omit(recordIn(checked), 'snapshot_id', 'snapshot_created_at');
	return [
		`${String(operation)}${harm(does)}`,
		...recordsIn(target),
		...recordsIn(source).map((each) => `from ${each}`),
		...lead('for', query && write(query)),
		...lead('with', body && write(body, Number(length ?? 0))),
		...Object.entries(omitBy(others)).map(
			([name, each]) => `${spaced(name)} ${beginning([each].flat().join(', '))}`,
		),
		...Object.entries(recordIn(replaces)).map(([place, lists]) => {
			const { dropped, dropped_count: count } = recordIn(lists);
			const all = dropped ? `: ${listed(dropped)}` : '';
			return `${spaced(place)} loses ${count === null ? 'an unknown number' : String(count)}${all}`;
		}),
	];
}

const lead = (word: string, text: unknown) => (text ? [`${word} ${String(text)}`] : []);

const harm = (does: unknown) => {
	const all = [does].flat().join(', ');
	return all ? ` (${all})` : '';
};

/** The sentence at the beginning of a preview. @param verb what would be done, such as `Delete tag` */
export const sentenceOf = (verb: string, preview: IDataObject): string => {
	// The check already says which files and tables are restored.
	const isChecked = valueAt(preview, 'checked.files') !== undefined;
	const write = (value: unknown) =>
		plainly(value, (name) => !isChecked || !name.startsWith('scope_'));
	const [, ...words] = inWords(preview, write);
	const what = words.length > 0 ? `: ${words.join('; ').replace(INSTANT, minuteOf)}` : '';
	return `Would ${verb.charAt(0).toLowerCase()}${verb.slice(1)}${harm(preview.does)}${what}. Nothing was sent`;
};

/** Matches the times of records, but no quoted text: it shows the exact value that is sent. */
const INSTANT = /(?<![\w"])\d{4}-\d\d-\d\dT[\d:.]+Z/g;

const minuteOf = (time: string) =>
	DateTime.fromISO(time, { zone: 'utc' }).toFormat("d LLL yyyy, HH:mm 'UTC'");

/** JSON, and how long all of it is if that is more. */
const sent = (value: unknown, length = 0) => beginning(JSON.stringify(value), length);

function beginning(all: string, length = 0): string {
	const count = Math.max(length, all.length);
	return count > MAX_SENT
		? `${all.slice(0, MAX_SENT)}… (the first ${MAX_SENT} of ${count} characters)`
		: all;
}

/** Fields as words, such as `include files: yes`; records of IDs are named already, and the request is shown whole. */
function plainly(value: unknown, isMeant: (name: string) => boolean): string {
	const [inner, ...others] = Object.values(recordIn(value));
	const fields = flattened(isRecord(inner) && others.length === 0 ? inner : recordIn(value));
	const isWord = ([name, each]: [string, unknown]) =>
		!/(^|_)ids?$/.test(name) && isMeant(name) && !isRecord(each);
	const words = Object.entries(fields)
		.filter(isWord)
		.map(([name, each]) => {
			const label = spaced(name.replace(/^(scope|options)_/, '').replace(/_enabled$/, ''));
			return typeof each === 'boolean'
				? `${label}: ${each ? 'yes' : 'no'}`
				: `${label} ${listed(each)}`;
		});
	return cut(words.join(', '), MAX_SENT);
}

const spaced = (name: string) => name.replaceAll('_', ' ');

const omitBy = (values: IDataObject) =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const recordsIn = (records: unknown): string[] =>
	Object.entries(recordIn(records)).map(
		([name, each]) =>
			`${spaced(name)} ${Array.isArray(each) ? `(${each.length}) ` : ''}${listed(each)}`,
	);

function listed(value: unknown): string {
	const all = [value].flat();
	const some = all.slice(0, MAX_LISTED).map((each) => (isRecord(each) ? named(each) : shown(each)));
	const more = all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} more` : '';
	return some.join(', ') + more;
}

/** A record as people know it: its name, then the rest. Titles and addresses are quoted: they are written by others. */
export function named({ id, type, created_at: created, status, sites, ...names }: IDataObject) {
	const isOther = ([place]: [string, unknown]) => Number(!/(name|title)$/.test(place));
	const places = Object.entries(omitBy(names)).sort((a, b) => isOther(a) - isOther(b));
	const known = places.map(([, value]) => quoted(value));
	const all = [...(known.length > 0 ? known : [created]), type, status, sites, id];
	const [first, ...beside] = all.filter(Boolean).map(String);
	return `${first}${beside.length > 0 ? ` (${beside.join(', ')})` : ''}`;
}

/** Without quotes inside, with which a title could continue the sentence. */
const quoted = (value: unknown) => shown(value).replace(/(?<!^)"(?!$)/g, "'");
