import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { accountOf } from '../client/request';
import { confirmation, confirmedCode, confirmedWhat } from '../input/controls';
import { naming, refuse, shown } from '../input/refusal';
import { clock, hash, isRecord, omit, recordIn } from '../lib';
import type { ItemContext } from '../n8n/context';
import { isTool } from '../n8n/context';
import type { Item } from '../receive/output';

/** A change by a model in two calls: the first says what would happen, the second has to repeat it letter for letter. */

const VALID_MS = 300_000;

/** Codes that were used, with the time at which they expire. An update of the package forgets them. */
const used = new Map<string, number>();

/** Characters of a hash in a code. */
const HASH = 12;

const text = (context: ItemContext, { name }: { name: string }) =>
	String(context.getNodeParameter(name, '') ?? '').trim();

/**
 * Checks the code of a call of a tool, unless its author has turned that off.
 * @param asked the operation and all that it sends
 * @param preview what the call would change, read now
 * @returns what to return instead of the change, in the first of two calls; undefined if the change is confirmed
 * @throws NodeOperationError for a code that does not fit, which names what to do
 */
export async function confirmed(
	context: ItemContext,
	asked: unknown[],
	preview: () => Promise<IDataObject>,
): Promise<Item[] | undefined> {
	if (!isTool(context) || text(context, confirmation) === 'none') return undefined;
	const [what, code] = [text(context, confirmedWhat), text(context, confirmedCode)];
	// Before the preview, which replaces names in it.
	const call = hash(JSON.stringify(asked), HASH);
	const now = await preview();
	const words = inWords(now);
	const whatNow = words.join('; ');
	const stateNow = hash(JSON.stringify(now), HASH);
	const { apiToken, baseURL } = await accountOf(context);
	const signed = (time: string, whatHash: string, state: string) => {
		const about = JSON.stringify([baseURL, call, whatHash, state, time]);
		return createHmac('sha256', apiToken).update(about).digest('base64url').slice(0, 22);
	};
	const next = () => {
		const time = clock.now().toString(36);
		const hashed = hash(whatNow, HASH);
		return {
			what: whatNow,
			code: [time, hashed, stateNow, signed(time, hashed, stateNow)].join('.'),
		};
	};
	if (what === '' && code === '') {
		const message =
			'Nothing was changed. To do it, call again with the same arguments, this "what" letter for letter, and this "code", within five minutes.';
		return [{ json: { confirmed: false, ...next(), message } }];
	}
	const again = 'Nothing was changed. Call without both to get new ones';
	naming(context, confirmedCode.displayName, () => {
		const [time = '', hashed = '', state = '', signature] = code.split('.');
		if (signature !== signed(time, hashed, state)) {
			refuse(`is not the code for these arguments. ${again}`);
		}
		if (hash(what, HASH) !== hashed) refuse(`is for another "what". Repeat it letter for letter`);
		if (state !== stateNow) {
			const changed = words.filter((each) => !what.includes(each)).join('; ');
			refuse(`is for an earlier state${changed && `. Now: ${changed}`}. ${again}`);
		}
		const until = Number.parseInt(time, 36) + VALID_MS;
		if (clock.now() > until) refuse(`is older than five minutes. ${again}`);
		for (const [each, end] of used) if (end < clock.now()) used.delete(each);
		if (used.has(code)) refuse(`was used. ${again}`);
		used.set(code, until);
	});
	return undefined;
}

/** Characters of a body or a query in `what`. */
const MAX_SENT = 300;

/** Maximum records of a list in `what`. */
const MAX_LISTED = 10;

/** A preview in words: what is done, to which records, and what a list loses. */
function inWords(preview: IDataObject): string[] {
	const { operation, does, request, target, source, replaces, checked } = preview;
	const { query, body, body_length: length } = recordIn(request);
	// The snapshot is among the records.
	const others = omit(recordIn(checked), 'snapshot_id', 'snapshot_created_at');
	return [
		`${String(operation)} (${[does].flat().join(', ')})`,
		...recordsIn(target),
		...recordsIn(source).map((each) => `from ${each}`),
		...(query ? [`for ${sent(query)}`] : []),
		...(body ? [`with ${sent(body, Number(length ?? 0))}`] : []),
		...Object.entries(omitBy(others)).map(([name, each]) => `${spaced(name)} ${String(each)}`),
		...Object.entries(recordIn(replaces)).map(([place, lists]) => {
			const { dropped, dropped_count: count } = recordIn(lists);
			const all = dropped ? `: ${listed(dropped)}` : '';
			return `${spaced(place)} loses ${count === null ? 'an unknown number' : String(count)}${all}`;
		}),
	];
}

/** JSON, and how long all of it is if that is more. */
function sent(value: unknown, length = 0): string {
	const all = JSON.stringify(value);
	const count = Math.max(length, all.length);
	return count > MAX_SENT
		? `${all.slice(0, MAX_SENT)}… (the first ${MAX_SENT} of ${count} characters)`
		: all;
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

/** Titles and addresses are quoted: they are written by others. */
function named({ id, type, created_at: created, status, sites, ...names }: IDataObject): string {
	const known = Object.values(omitBy(names)).reverse().map(quoted);
	const [first = String(created ?? ''), ...others] = known;
	const beside = [...others, type, status, sites, id].filter(Boolean);
	return `${first} (${beside.map(String).join(', ')})`.trim();
}

/** Without quotes inside, with which a title could continue the sentence. */
const quoted = (value: unknown) => shown(value).replace(/(?<!^)"(?!$)/g, "'");
