import { inspect, isDeepStrictEqual } from 'node:util';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SiteUrl } from '../../../nodes/shared/input/id';
import { valueAt } from '../../../nodes/shared/lib';
import { casesOf, fc, seed } from '../../support/effort';
import { actionNodes, activate, allNodes, runNode } from '../../support/engine';
import { type Moment, momentOf, putBack } from '../../../sandbox/service/engine/moment';
import { startFleet, type Fleet, type Sent } from '../../support/fleet';
import { composed } from '../../support/composed';
import { locator } from '../../support/locator';
import {
	choicesOf,
	conditionsOf,
	LIST_KINDS,
	parametersOf,
	slotsOf,
	type Kind,
	type Settings,
	type Slot,
} from '../../support/parameters';
import { anyValue, isOffer, LOGO, MADE, rightFor, SECRET, wrongFor } from '../../support/samples';
import { useClock } from '../../support/transportClock';

/**
 * Any value in any parameter of any operation and trigger: what is sent is what was set, or the error names the
 * parameter and nothing is sent. Where the value is in the request, two plain values show. `CASES` and `SEED` set how
 * many are tried, and which.
 */

const CASES = casesOf('CASES', { quick: 4_000, long: 40_000 });

jest.setTimeout(60_000 + CASES * 20);

/** A value as it reaches the node: typed into the editor, or the result of an expression. */
interface Given {
	how: 'literal' | 'expression';
	value: unknown;
	/** The expression, where it is not `$json.v`. */
	code?: string;
	/** For IDs: the mode of the locator, or none where the whole parameter is the value. */
	mode?: 'id' | 'list';
	/** Whether blank filters are to be left out. */
	ignoresBlank?: boolean;
	timezone?: string;
	/** Whether there is no doubt about it. */
	plainly?: 'right' | 'wrong';
}

interface Outcome {
	message?: string;
	error?: unknown;
	sent: Sent[];
}

let fleet: Fleet;
const slots = new Map<string, Slot[]>();
/** What is not sent itself, but keeps the request back. */
const guards = new Map<string, Slot[]>();
let total = 0;

// What the node for any request sends is in no description: `anyRequest.test.ts` tries it.
const isTried = ({ name }: { name: string }) => name !== 'api';
const isGuard = ({ path: [top] }: Slot) => top === 'preview' || top!.startsWith('onlyIf');
// What takes several requests or none, and what only a hacked snapshot shows, have tests in `contract/run`.
const isElsewhere = ({ name, path }: Slot) =>
	path.at(-1) === 'allowHackedSnapshot' ||
	composed.some(({ operation, takes }) => takes.length !== 1 && name.startsWith(`${operation} `));

// Operations that are tried also delete and rename tags.
let beginning: string;
beforeEach(() => putBack(fleet.world, JSON.parse(beginning) as Moment));

beforeAll(async () => {
	let now = Date.now();
	useClock({ now: () => now, sleep: (ms) => void (now += ms) });
	fleet = await startFleet({ sites: 1, rateLimit: { limit: 1_000_000_000 } });
	// Only what the service sees counts, and it is quicker with nothing to show.
	for (const [kind, records] of Object.entries(fleet.world.store) as Array<[string, any]>) {
		if (kind === 'tags') continue;
		for (const { id } of records.all?.() ?? []) records.delete(id);
	}
	beginning = momentOf(fleet.world);
	for (const node of (await allNodes()).filter(isTried)) {
		const all = slotsOf(node).filter((slot) => !isElsewhere(slot));
		slots.set(
			node.name,
			all.filter((slot) => !isGuard(slot)),
		);
		guards.set(node.name, all.filter(isGuard));
		total += slots.get(node.name)!.length;
	}
});

// --- runs -----------------------------------------------------------------------------------------------------

/** What a refusal begins with, that of the node and that of n8n. */
const REFUSAL = /^(The p|- P)arameter "/m;

/** What the refusal of a name begins with that was looked up: an empty account has none. */
const UNKNOWN = /^(No|More than one) [a-z ]+ (is called|has the ID|has the URL) /;

const binary = { logo: LOGO, other: { ...LOGO, content: Buffer.from('another image') } };

/** A value as the editor saves it. */
function literalOf({ kind, property: { type } }: Slot, value: unknown): unknown {
	if (kind === 'id') return locator(value);
	if (kind === 'json') return JSON.stringify(value);
	return Array.isArray(value) && type === 'string' ? value.join(', ') : value;
}

function leafOf({ kind }: Slot, { how, mode, value, code = '$json.v' }: Given): unknown {
	const leaf = how === 'literal' ? value : `={{ ${code} }}`;
	return kind === 'id' && mode ? locator(leaf, mode) : leaf;
}

/** A value as JavaScript: a trigger has no items. */
function codeOf(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(codeOf).join(', ')}]`;
	if (typeof value === 'object' && value !== null) {
		const fields = Object.entries(value).map(([key, each]) => `[${codeOf(key)}]: ${codeOf(each)}`);
		return `({${fields.join(', ')}})`;
	}
	if (typeof value === 'string') return JSON.stringify(value).replace(/}}/g, '}\\u007d');
	return Object.is(value, -0) ? '-0' : String(value);
}

const routeOf = ({ route }: Slot) => new RegExp(`^${route?.replace(/\{\w+\}/g, '[^/]+') ?? '.*'}$`);

const placeOf = ({ path }: Slot) => path.join('.');

/** The requests of the operation itself, without pages and without those that look something up. */
const ownOf = (slot: Slot) =>
	fleet
		.sent()
		.filter(({ route }) => routeOf(slot).test(route))
		.map(({ query: { page: _page, perPage: _perPage, ...query }, ...rest }) => ({
			...rest,
			query,
		}));

async function ranWith(slot: Slot, settings: Settings, givens: Given[]) {
	fleet.forget();
	const parameters = parametersOf(slot, settings);
	const { node } = slot;
	const { timezone } = givens[0]!;
	if (!slot.route) {
		const polled = activate(fleet, { node, parameters, timezone }).then(({ poll }) => poll());
		const error = await polled.then(
			() => undefined,
			(thrown: unknown) => thrown as Error,
		);
		return { error, items: [] };
	}
	const items = givens.map(({ value }) => ({ v: value })) as IDataObject[];
	const several = givens.length > 1 && { onError: 'continueRegularOutput' as const };
	const run = { node, parameters, timezone, items, binary, settings: several || undefined };
	return await runNode(fleet, run).catch((error: Error) => ({ error, items: [] }));
}

/** The request for one value, or the refusal. */
async function outcomeOf(slot: Slot, settings: Settings, given: Given): Promise<Outcome> {
	const { error } = await ranWith(slot, settings, [given]);
	const isRefused = error !== undefined && REFUSAL.test(error.message);
	return { message: error?.message, error, sent: isRefused ? fleet.sent() : ownOf(slot) };
}

// --- where a value is in a request ----------------------------------------------------------------------------

/** Kinds with few values, which may decide about more than one place. */
const FINITE: Kind[] = ['boolean', 'choice', 'choices'];

interface Plan {
	beside: Settings;
	/** Two plain values with their requests; the second is missing where there is no other. */
	first: { value: unknown; sent: Sent };
	second?: Sent;
	/** The request without the parameter, if that is allowed. */
	without?: Sent;
	/** Where the value is; undefined where it decides about the request as a whole, or is not sent. */
	place?: string[];
	/** What is around it in a text. */
	around: [before: string, behind: string];
}

/** An ID that no sample has. */
const otherId = ({ path, property: { name } }: Slot) =>
	name === 'tagId' ? '3' : Buffer.from(`${path.join()}-1`).toString('hex').slice(-16);

/** Sets what an error asks for, by its label. */
function fill(slot: Slot, settings: Settings, label: string): void {
	const fixed = conditionsOf(slot);
	const others = slot.all.filter((each) => each !== slot && !fixed.has(placeOf(each)));
	const named = (each: Slot) => each.labels.at(-1) === label || each.labels.includes(label);
	const rank = (each: Slot) =>
		(settings.has(placeOf(each)) && each.kind !== 'choice' ? 100 : 0) +
		(each.labels.at(-1) === label ? 0 : 10) +
		(each.property.required ? 0 : 1) +
		each.path.length;
	const isOwn = slot.labels.at(-1) === label;
	const [found] = others
		.filter((each) => (isOwn ? each.path[0] === 'type' : named(each)))
		.sort((a, b) => rank(a) - rank(b));
	if (!found) return;
	const plain = rightFor(found);
	const before = plain.findIndex((value) => value === settings.get(placeOf(found)));
	const next = found.kind === 'choice' ? plain[(before + 1) % plain.length] : plain[0];
	settings.set(placeOf(found), plainBeside(found, next));
}

/** A plain value of what is set beside a parameter. */
const plainBeside = (slot: Slot, value = rightFor(slot)[0]) =>
	literalOf(slot, slot.kind === 'id' ? otherId(slot) : value);

async function plainRequest(slot: Slot, settings: Settings, value: unknown): Promise<Sent> {
	const { sent } = await accepted(slot, settings, value, ({ sent: [own] }) => own !== undefined);
	return sent[0]!;
}

/** What comes of a plain value; what it needs beside, the node says. */
async function accepted(
	slot: Slot,
	settings: Settings,
	value: unknown,
	isDone: (outcome: Outcome) => boolean,
): Promise<Outcome> {
	let message = '';
	for (let turn = 0; turn < 12; turn++) {
		const literal: Given = { how: 'literal', value: literalOf(slot, value) };
		settings.set(placeOf(slot), literal.value);
		const outcome = await outcomeOf(slot, settings, literal);
		message = String(outcome.message);
		if (!REFUSAL.test(message) && isDone(outcome)) return outcome;
		for (const [, named] of message.matchAll(/arameter "([^"]+)"/g)) {
			fill(slot, settings, named!.split(' > ').at(-1)!);
		}
	}
	throw new Error(`${slot.name}: ${JSON.stringify([...settings])} is not accepted: ${message}`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The deepest place at which two requests differ. */
function differing(a: unknown, b: unknown, path: string[] = []): string[] | undefined {
	const [one, other] = [a, b].map((each) => (Array.isArray(each) ? { ...each } : each));
	if (!isObject(one) || !isObject(other)) return isDeepStrictEqual(a, b) ? undefined : path;
	const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
	const found = keys.filter((key) => !isDeepStrictEqual(one[key], other[key]));
	const [key] = found;
	if (found.length !== 1 || !(key! in one) || !(key! in other)) return key ? path : undefined;
	const isEntry = Array.isArray(a) && !isObject((a as unknown[])[0]);
	return isEntry ? path : differing(one[key!], other[key!], [...path, key!]);
}

const at = (request: unknown, path: string[]): any =>
	path.reduce<any>((value, key) => value?.[key], request);

/** The same text for what is the same request, without what is empty and perhaps without one place. */
function canonical(value: unknown, without?: string[]): string {
	const copy = JSON.parse(JSON.stringify(value), (_key, inner: unknown) => {
		if (!isObject(inner)) return inner;
		const kept = Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1));
		return Object.fromEntries(kept);
	}) as object;
	if (without) delete at(copy, without.slice(0, -1))?.[without.at(-1)!];
	return JSON.stringify(copy, (_key, inner: unknown) =>
		isObject(inner) && Object.keys(inner).length > 0
			? Object.fromEntries(
					Object.entries(inner).filter(([, each]) => JSON.stringify(each) !== '{}'),
				)
			: inner,
	);
}

const plans = new Map<string, Promise<Plan>>();

const planOf = (slot: Slot): Promise<Plan> => {
	const plan = plans.get(slot.name) ?? madePlan(slot);
	plans.set(slot.name, plan);
	return plan;
};

/** What is set beside a parameter from the start. */
function besideOf(slot: Slot): Settings {
	const beside = conditionsOf(slot);
	if (beside.get('connectionMethod') === 'ftp' && slot.all.some(({ path }) => path[0] === 'type')) {
		// An FTP connection is for external migrations only.
		beside.set('type', 'external');
	}
	if (slot.all.some((each) => placeOf(each) === 'options.allowHackedSnapshot')) {
		beside.set('options.allowHackedSnapshot', true);
	}
	// The node would ask for these one by one.
	for (const each of slot.all) {
		const { path, property, kind } = each;
		const isAsked = path.length === 1 && property.required && conditionsOf(each).size === 0;
		if (!isAsked || each === slot || [...FINITE, 'number'].includes(kind)) continue;
		beside.set(placeOf(each), plainBeside(each));
	}
	return beside;
}

async function madePlan(slot: Slot): Promise<Plan> {
	const beside = besideOf(slot);
	const [value, other] = rightFor(slot);
	const first = { value, sent: await plainRequest(slot, beside, value) };
	const second = other === undefined ? undefined : await plainRequest(slot, new Map(beside), other);
	const left = new Map(beside);
	left.delete(placeOf(slot));
	const { sent, message } = await outcomeOf(slot, left, { how: 'literal', value });
	const without = message === undefined ? sent[0] : undefined;
	const path = differing(first.sent, second ?? without);
	const leaf: unknown = path && at(first.sent, path);
	const isRoute = path?.[0] === 'route';
	const text = isRoute ? encodeURIComponent(String(value)) : String(value);
	const isTold = Array.isArray(leaf) || (!isObject(leaf) && String(leaf).includes(text));
	const place = isTold || !FINITE.includes(slot.kind) ? path : undefined;
	const isText = typeof leaf === 'string' && slot.kind !== 'binary';
	const around = isText && place ? (leaf.split(text) as [string, string]) : (['', ''] as const);
	return { beside, first, second, without, place, around: [around[0], around[1] ?? ''] };
}

// --- what must be true of it ----------------------------------------------------------------------------------

const isText = (value: unknown): value is string => typeof value === 'string';
const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** Some objects have no text. */
const textOf = (value: unknown) =>
	isScalar(value) || isExotic(value) ? String(value) : (JSON.stringify(value) ?? '');

/** n8n itself may have made text of these. */
const isExotic = (value: unknown) =>
	typeof value === 'bigint' || value instanceof Date || DateTime.isDateTime(value);

const jsonIn = (text: string): unknown => {
	try {
		return /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
	} catch {
		return undefined;
	}
};

/** The entries that a person means by a list. */
function entriesIn(given: unknown): string[] {
	const value = isText(given) ? (jsonIn(given) ?? given.split(/[,\n\r]/)) : given;
	const texts = [value].flat().map((entry) => textOf(entry).trim());
	return [...new Set(texts.filter((text) => !/^[\s,]*$/.test(text)))];
}

const sameTime = (value: unknown, wire: unknown, zone: string) => {
	const at = isText(value) ? DateTime.fromISO(value.trim(), { zone }) : isDateOf(value, zone);
	const fraction = isText(value) ? (/[.,](\d+)/.exec(value)?.[1] ?? '') : '';
	const isKept = /^0*$/.test(fraction) || String(wire).includes(`.${fraction}`);
	return isText(wire) && wire.endsWith('Z') && Date.parse(wire) === at?.toMillis() && isKept;
};

const isDateOf = (value: unknown, zone: string) =>
	value instanceof Date
		? DateTime.fromJSDate(value, { zone })
		: DateTime.isDateTime(value)
			? value
			: undefined;

const trimmed = (value: unknown, wire: unknown) => isScalar(value) && wire === String(value).trim();
/** `.` and `/` are the root folder, as in the snapshot. */
const asFolder = (text: string) => (/^(\.?\/)*\.?$/.test(text.trim()) ? './' : text.trim());

const sameList = (value: unknown, wire: unknown) => {
	const found = [wire].flat().map(String);
	const wanted = entriesIn(value).map(asFolder);
	return (
		found.length === new Set(found).size &&
		isDeepStrictEqual(new Set(found.map(asFolder)), new Set(wanted))
	);
};

type Law = (value: unknown, wire: unknown, zone: string) => boolean;

/** When what is sent is what was set. */
const laws: Record<Kind, Law> = {
	text: (value, wire) => isScalar(value) && wire === String(value),
	id: trimmed,
	choice: (value, wire) =>
		isScalar(value) && [String(value), String(value).trim()].includes(wire as string),
	boolean: (value, wire) => String(wire) === String(value).trim().toLowerCase(),
	number: (value, wire) => isScalar(value) && value !== '' && Number(wire) === Number(value),
	time: sameTime,
	day: (value, wire, zone) =>
		wire === (isText(value) ? value.trim().slice(0, 10) : isDateOf(value, zone)?.toISODate()),
	json: (value, wire) => {
		const object: unknown = isText(value) ? JSON.parse(value) : value;
		const isExact = isDeepStrictEqual(JSON.parse(JSON.stringify(object)), object);
		return isExact && JSON.stringify(wire) === JSON.stringify(object);
	},
	binary: (value, wire) =>
		isText(value) &&
		Object.hasOwn(binary, value) &&
		wire ===
			`data:image/png;base64,${binary[value as keyof typeof binary].content.toString('base64')}`,
	...{ ids: sameList, texts: sameList, paths: sameList, emails: sameList, choices: sameList },
	...{ color: trimmed, email: trimmed, url: trimmed, ip: trimmed, php: trimmed },
	...{ clock: trimmed, digits: trimmed, dataUri: trimmed },
};

/** What a person leaves blank in the editor. */
function isLeftBlank(value: unknown): boolean {
	if (isText(value)) return value.trim() === '';
	return value === null || (typeof value === 'object' && Object.keys(value!).length === 0);
}

/** Nothing in it: what is not there, blank text, an empty list or object, or a list of such. */
function isNothing(value: unknown, kind: Kind): boolean {
	if (value === undefined || Number.isNaN(value)) return true;
	if (isText(value) && LIST_KINDS.includes(kind)) return value.replace(/,/g, '').trim() === '';
	if (Array.isArray(value)) return value.every((entry) => isNothing(entry, kind));
	return isLeftBlank(value) && [Object.prototype, null, undefined].includes(protoOf(value) as null);
}

const protoOf = (value: unknown): unknown =>
	isObject(value) ? Object.getPrototypeOf(value) : undefined;

/** What must be sent, whatever else is open. */
function isSurelyRight({ kind, property, path }: Slot, { how, value, plainly }: Given): boolean {
	if (plainly) return plainly === 'right';
	if (how === 'literal' || isNothing(value, kind)) return false;
	const isFine = isText(value) && !/\p{Surrogate}|\[object Object\]/u.test(value);
	if (kind === 'text') return (isFine || Number.isFinite(value)) && path.at(-1) !== 'key';
	if (kind === 'boolean') return typeof value === 'boolean' && path.length > 1;
	if (kind === 'id') return isText(value) && /^[\da-f]{10}$/.test(value) && /\d/.test(value);
	if (kind !== 'number' || !Number.isFinite(value)) return false;
	const { minValue = 0, maxValue = Infinity, numberPrecision } = property.typeOptions ?? {};
	const number = value as number;
	const isWhole = numberPrecision !== 0 || Number.isSafeInteger(number);
	return number >= minValue && number <= maxValue && isWhole;
}

/** The choices that a value stands for, if it has no other. */
function plainChoice({ kind, property }: Slot, value: unknown): unknown {
	if (kind === 'boolean') return isScalar(value) ? /^\s*true\s*$/i.test(String(value)) : undefined;
	const choices = choicesOf(property);
	const entries = kind === 'choice' ? [textOf(value).trim()] : entriesIn(value);
	if (!entries.every((entry) => choices.includes(entry))) return undefined;
	return kind === 'choice' ? entries[0] : choices.filter((each) => entries.includes(String(each)));
}

const likes = new Map<string, Promise<Sent>>();

const likeOf = (slot: Slot, { beside }: Plan, choice: unknown) => {
	const key = `${slot.name} ${JSON.stringify(choice)}`;
	const like = likes.get(key) ?? plainRequest(slot, new Map(beside), choice);
	likes.set(key, like);
	return like;
};

/** What is wrong with a request that was sent for a value, or nothing. */
async function sentFault(slot: Slot, given: Given, sent: Sent): Promise<string | undefined> {
	const { kind, property } = slot;
	const { value, how, timezone = 'UTC' } = given;
	if (given.plainly === 'wrong') return 'is sent though it is plainly wrong';
	const plan = await planOf(slot);
	const { place, first, around, without } = plan;
	// What is in a collection was added to it.
	const isDefault = slot.path.length === 1 && value === property.default;
	const isLeft = how === 'literal' && (isLeftBlank(value) || isDefault);
	const isChoice = value === '' && choicesOf(property).includes('');
	const maySkip = given.ignoresBlank || (slot.maySkip && kind === 'text' && isText(value));
	if (isLeft || isChoice || isNothing(value, kind)) {
		if (!isLeft && !isChoice && !maySkip) return 'is left out though it was set';
		const isAbsent = !without || canonical(sent) === canonical(without);
		return isAbsent || property.type === 'json' ? undefined : 'is sent though it is blank';
	}
	const isMade = how === 'expression' && [value].flat().includes('[object Object]');
	if (isMade) return 'is sent though n8n made it of an object';
	if (isExotic(value) && !['time', 'day'].includes(kind)) return undefined;
	// A trigger sends one value, and tells several apart by itself.
	if (!slot.route && LIST_KINDS.includes(kind) && entriesIn(value).length !== 1) return undefined;
	if (!place) {
		const isDecisive = FINITE.includes(kind) && (plan.second !== undefined || isOffer(slot));
		const wanted = isDecisive ? plainChoice(slot, value) : first.value;
		if (wanted === undefined && isOffer(slot) && isScalar(value)) {
			const inText = (text: unknown) => JSON.stringify(String(text)).slice(1, -1);
			const like = canonical(first.sent).replace(inText(first.value), () => inText(value));
			return canonical(sent) === like ? undefined : 'is not the word that was set';
		}
		if (wanted === undefined) return 'is sent though it is no choice';
		const like = isDecisive ? await likeOf(slot, plan, wanted) : first.sent;
		return canonical(sent) === canonical(like) ? undefined : `differs from ${canonical(like)}`;
	}
	if (canonical(sent, place) !== canonical(first.sent, place)) {
		return `changes more than its own place: ${canonical(first.sent, place)}`;
	}
	const wire = wireOf(slot, at(sent, place), at(first.sent, place), around, first.value);
	const isSame = property.name === 'key' ? trimmed : laws[kind];
	return isSame(value, wire, timezone) ? undefined : 'is not what was set';
}

/** The value in its place, without what is around it. */
function wireOf(
	{ kind, property }: Slot,
	found: unknown,
	plain: unknown,
	[before, behind]: Plan['around'],
	first: unknown,
): unknown {
	if (property.name === 'key') return Object.keys(found as object).join();
	if (kind === 'json') {
		// Beside it may be what other parameters set.
		const others = Object.keys(plain as object).filter(
			(key) => !Object.hasOwn(first as object, key),
		);
		const own = Object.entries(found as object).filter(([key]) => !others.includes(key));
		return Object.fromEntries(own);
	}
	if (!isText(found) || before + behind === '') return found;
	const isAround = found.startsWith(before) && found.endsWith(behind);
	const inner = isAround ? found.slice(before.length, found.length - behind.length) : '';
	return before.includes(' /') ? decodeURIComponent(inner) : inner;
}

function refusalFault(slot: Slot, given: Given, { message = '', error }: Outcome) {
	if (!REFUSAL.test(message)) return `is refused without naming a parameter: ${message}`;
	// n8n takes less for set than an editor can leave.
	if (given.how === 'literal' && message.includes('\n- Parameter "')) return undefined;
	const named = [...message.matchAll(/arameter "([^"]+)"/g)].map(([, name]) => name!);
	const labels = named.map((name) => name.split(' > ').at(-1)!);
	const isAsking = FINITE.includes(slot.kind) && plainChoice(slot, given.value) !== undefined;
	const [collection] = slot.labels;
	const isNamed = labels.some(
		(label) =>
			label === slot.labels.at(-1) || (label === collection && !isSurelyRight(slot, given)),
	);
	if (!isNamed && !isAsking) return `is refused by another name: ${message}`;
	if (isSurelyRight(slot, given) && !isAsking) return `is refused: ${message}`;
	const quoted = [given.value]
		.flat()
		.find((text) => isText(text) && text.length > 60 && message.includes(text.slice(0, 61)));
	if (quoted) return `quotes more than 60 characters: ${message.slice(0, 200)}`;
	const { description, context, cause } = (error ?? {}) as IDataObject;
	const told = `${message}\n${inspect({ description, context, cause })}`;
	return slot.secret && told.includes(SECRET) ? `tells a secret: ${told}` : undefined;
}

/** Nobody has the name of any value, but an ID of the usual form is no name. */
const lookedUp = ({ plainly }: Given) => plainly === 'right' && 'is taken for a name';

/** Takes the request of a value out of those that were seen: the first that is right, or the first of all. */
async function taken(slot: Slot, given: Given, left: Sent[]) {
	for (const [index, sent] of left.entries()) {
		if (await sentFault(slot, given, sent)) continue;
		left.splice(index, 1);
		return [undefined, sent] as const;
	}
	const fault = left[0] && (await sentFault(slot, given, left[0]));
	return [fault, left.shift()] as const;
}

/** What is wrong with what came of some values, by value. */
async function faultsOf(slot: Slot, givens: Given[]): Promise<Array<string | false | undefined>> {
	const plan = await planOf(slot);
	const settingsFor = (given: Given) => {
		const settings = new Map(plan.beside).set(placeOf(slot), leafOf(slot, given));
		return given.ignoresBlank ? settings.set('options.ignoreBlankFilters', true) : settings;
	};
	if (!slot.route || givens.length === 1) {
		const faults: Array<string | false | undefined> = [];
		for (const given of givens) {
			const by = slot.route ? given : { ...given, code: given.code ?? codeOf(given.value) };
			const { message, error, sent } = await outcomeOf(slot, settingsFor(by), given);
			const isRefused = message !== undefined && REFUSAL.test(message);
			if (isRefused && sent.length > 0) faults.push(`is refused after ${canonical(sent)}`);
			else if (isRefused) faults.push(refusalFault(slot, given, { message, error, sent }));
			else if (UNKNOWN.test(message ?? '')) faults.push(lookedUp(given));
			else
				faults.push(
					sent[0] ? await sentFault(slot, given, sent[0]) : 'is neither sent nor refused',
				);
		}
		return faults;
	}
	const { items, error } = await ranWith(slot, settingsFor(givens[0]!), givens);
	const left = ownOf(slot);
	const faults: Array<string | false | undefined> = [];
	const matched = new Set<string>();
	let isLooked = false;
	for (const [index, given] of givens.entries()) {
		const of = items.find(({ pairedItem }) => (pairedItem as { item?: number })?.item === index);
		const told = of?.error ?? of?.json.error;
		const message = error?.message ?? (isText(told) ? told : (told as Error | undefined)?.message);
		if (message !== undefined && UNKNOWN.test(message)) {
			isLooked = true;
			faults.push(lookedUp(given));
		} else if (message !== undefined && REFUSAL.test(message)) {
			faults.push(refusalFault(slot, given, { message, error: told ?? error, sent: [] }));
		} else {
			const [fault, sent] = await taken(slot, given, left);
			if (sent) matched.add(canonical(sent));
			faults.push(sent ? fault && `${fault}: ${canonical(sent)}` : 'is neither sent nor refused');
		}
	}
	// Reads are repeated, and look names up.
	const further = left.filter(
		(sent) => !sent.route.startsWith('GET ') || !(isLooked || matched.has(canonical(sent))),
	);
	return further.length > 0 ? [...faults, `sends more: ${canonical(further)}`] : faults;
}

// --- tests ----------------------------------------------------------------------------------------------------

const isJson = (value: unknown): boolean =>
	value === null ||
	['string', 'boolean'].includes(typeof value) ||
	Number.isFinite(value) ||
	(Array.isArray(value) && value.every(isJson)) ||
	// n8n itself drops these names from what is typed.
	(isObject(value) &&
		Object.entries(value).every(
			([key, inner]) => !['__proto__', 'constructor', 'prototype'].includes(key) && isJson(inner),
		));

/** Text that n8n takes for an expression. */
const hasExpression = (value: unknown): boolean =>
	isText(value)
		? value.startsWith('=')
		: typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);

function canBeTyped({ kind }: Slot, typed: unknown, mode: Given['mode']): boolean {
	// Without a mode it is no locator, and n8n itself fails for one whose value has no `toString`.
	const isNoLocator =
		typeof typed === 'object' &&
		(!mode || (typed !== null && typeof typed.toString !== 'function'));
	return !(kind === 'id' && isNoLocator) && isJson(typed) && !hasExpression(typed);
}

/** What is tried in one run: values that the items of an expression have are many, others one. */
function givensFor(slot: Slot): fc.Arbitrary<Given[]> {
	const value = anyValue(slot).map((each) =>
		slot.secret && isText(each) && each.trim() !== '' ? `${SECRET}${each}` : each,
	);
	const isFilter = slot.path[0] === 'filters' && slot.route !== undefined;
	const around = fc.record({
		mode: slot.kind === 'id' ? fc.constantFrom('id', 'list', undefined) : fc.constant(undefined),
		ignoresBlank: isFilter ? fc.constantFrom(false, false, true) : fc.constant(false),
		timezone: fc.constantFrom('UTC', 'UTC', 'America/New_York'),
	}) as fc.Arbitrary<Omit<Given, 'how' | 'value'>>;
	const literal = fc
		.tuple(value, around)
		.filter(([typed, { mode }]) => canBeTyped(slot, typed, mode))
		.map(([typed, rest]): Given[] => [{ ...rest, how: 'literal', value: typed }]);
	const byItem = fc
		.tuple(
			fc.array(
				value,
				slot.route ? { minLength: 8, maxLength: 16 } : { minLength: 4, maxLength: 4 },
			),
			around,
		)
		.map(([values, rest]) =>
			values.map((each): Given => ({ ...rest, how: 'expression', value: each })),
		);
	const byCode = fc
		.tuple(fc.constantFrom(...MADE), around)
		// A trigger has no items.
		.filter(([{ code }]) => slot.route !== undefined || !code.includes('$json'))
		.map(([made, rest]): Given[] => [{ ...rest, ...made, how: 'expression' }]);
	return fc.oneof(
		{ weight: 3, arbitrary: literal },
		{ weight: 1, arbitrary: byItem },
		{ weight: 1, arbitrary: byCode },
	);
}

/** The fewest values that such runs have on average. */
const VALUES_A_RUN = 3;

let cases = 0;

/** Parameters that only the node reads: nothing of them is in a request. */
const READ: Record<string, string> = {
	activityLogTrigger: 'output outputFields',
	autoUpdateTrigger: 'events itemsPer output outputFields',
	backupTrigger:
		'checkEveryMinutes clientId events exceptTagIds includeSitesWithoutBackups output outputFields overdueHours tagId',
	actions:
		'binaryPropertyName clear ignoreBlankFilters includeTotal leaveOutMissing limit onFailure output outputFields returnAll timeLimit waitForCompletion whenNone',
	reportTrigger: 'attachPdf events followDays output outputFields',
	siteTrigger: 'clientId exceptTagIds output outputFields tagId',
	stagingSiteTrigger: 'events hoursBefore output outputFields',
	taskTrigger: 'events includeStepDetails output outputFields siteId',
};

const nodes = require('../../../package.json').n8n.nodes.map((file: string) => {
	const name = file.split('/').at(-1)!.replace('.node.js', '');
	return name[0]!.toLowerCase() + name.slice(1);
}) as string[];
const NODES = nodes.filter((name) => isTried({ name }));

const givensOfAny = (own: Slot[]) =>
	fc.constantFrom(...own).chain((slot) => fc.tuple(fc.constant(slot), givensFor(slot)));

it('every node is tried', async () => {
	expect([...slots.keys()].sort()).toEqual([...NODES].sort());
	expect((await actionNodes()).length).toBeGreaterThan(15);
	expect(total).toBeGreaterThan(700);
});

/** Of an ID that nobody has: with Preview nothing changes, and Only If never lets it through. */
function guardFault(slot: Slot, { value }: Given, { message = '', sent }: Outcome) {
	const changes = sent.filter(({ route }) => !route.startsWith('GET '));
	if (REFUSAL.test(message)) return sent.length > 0 ? `is refused after ${canonical(sent)}` : '';
	const isOff = /^\s*(false|none)?\s*$/i.test(isScalar(value) ? String(value) : '');
	// Of a migration, the URL itself is compared.
	const destination = changes.map(({ body }) => valueAt(body, 'migration.destination_url'));
	const isMeant = SiteUrl.parse(value)?.isOf(SiteUrl.parse(destination[0])) === true;
	if (!isOff && !isMeant && changes.length > 0) return `lets through ${canonical(changes)}`;
	const isDone = changes.length > 0 || slot.route!.startsWith('GET ') || message !== '';
	return isOff && !isDone ? 'keeps back what is to be done' : '';
}

const plainly =
	(word: Given['plainly']) =>
	(value: unknown): Given => ({ how: 'expression', value, plainly: word });

/** Parameters of which nothing is in a request. */
const read = new Set<string>();

describe.each(NODES)('%s', (node) => {
	it('accepts what is plainly right, and nothing that is plainly wrong', async () => {
		const faults: string[] = [];
		const forms = new Set<string>();
		for (const slot of slots.get(node)!) {
			const { property, path } = slot;
			// The same parameter of another operation is tried below.
			const { displayOptions: _, ...described } = property;
			const form = JSON.stringify([path, described, slot.maySkip, slot.route?.split(' ')[0]]);
			if (forms.has(form)) continue;
			forms.add(form);
			const plan = await planOf(slot);
			const differs = plan.second ?? plan.without;
			if (differs && canonical(differs) === canonical(plan.first.sent))
				read.add(`${slot.route ? 'actions' : node} ${path.at(-1)}`);
			else if (path.length === 2 && plan.without) {
				// What was added to a collection is sent, also a switch that is off.
				const isSent = (sent?: Sent) => !sent || canonical(sent) !== canonical(plan.without);
				if (!isSent(plan.first.sent) || !isSent(plan.second))
					faults.push(`${slot.name}: one of two plain values is not sent`);
			}
			// n8n takes the code for the value.
			if (property.noDataExpression) continue;
			const isHere = (value: unknown) => slot.route !== undefined || isJson(value);
			const right = rightFor(slot).filter(isHere).map(plainly('right'));
			const wrong = wrongFor(slot).filter(isHere).map(plainly('wrong'));
			const found = await faultsOf(slot, [...right, ...wrong]);
			found.forEach((fault, index) => {
				const given = [...right, ...wrong][index];
				if (fault) faults.push(`${slot.name} ${fc.stringify(given?.value)} ${fault}`);
			});
		}
		expect(faults.slice(0, 10).map((fault) => fault.slice(0, 600))).toEqual([]);
	});
});

describe.each(NODES)('%s', (node) => {
	it('sends exactly what is set, or names it', async () => {
		const own = slots.get(node)!;
		// All of its operations take several requests or none.
		if (own.length === 0) return;
		const share = Math.max(own.length * 8, (CASES * own.length) / total);
		const faults = new Set<string>();
		await fc.assert(
			fc.asyncProperty(givensOfAny(own), async ([slot, givens]) => {
				const found = await faultsOf(slot, givens);
				cases += givens.length;
				found.forEach((fault, index) => {
					if (fault) faults.add(`${slot.name} ${fc.stringify(givens[index])} ${fault}`);
				});
			}),
			{ numRuns: Math.ceil(share / VALUES_A_RUN) },
		);
		const shown = [...faults].map((fault) => fault.slice(0, 600));
		expect({ seed, faults: shown.slice(0, 10) }).toEqual({ seed, faults: [] });
	});
});

it('as many values are tried as are asked for', () => {
	expect(cases).toBeGreaterThanOrEqual(CASES);
});

describe.each(NODES.filter((name) => !name.endsWith('Trigger')))('%s', (node) => {
	it('nothing takes Preview or Only If away', async () => {
		const own = guards.get(node)!;
		if (own.length === 0) {
			// A node that only reads has neither.
			const changing = slots.get(node)!.filter(({ route }) => !route!.startsWith('GET '));
			return expect(changing).toEqual([]);
		}
		const faults = new Set<string>();
		const acceptable = new Map<Slot, Settings>();
		await fc.assert(
			fc.asyncProperty(givensOfAny(own), async ([slot, [given]]) => {
				const done = acceptable.get(slot) ?? besideOf(slot);
				if (!acceptable.has(slot)) await accepted(slot, done, rightFor(slot)[0], () => true);
				acceptable.set(slot, done);
				const settings = new Map(done).set(placeOf(slot), leafOf(slot, given!));
				const { error } = await ranWith(slot, settings, [given!]);
				const outcome = { message: error?.message, sent: fleet.sent() };
				const fault = guardFault(slot, given!, outcome);
				if (fault) faults.add(`${slot.name} ${fc.stringify(given)} ${fault}`);
			}),
			{ numRuns: own.length * 6 },
		);
		expect({ seed, faults: [...faults].slice(0, 10) }).toEqual({ seed, faults: [] });
	});
});

it('only what the node itself reads is in no request', () => {
	const wanted = Object.entries(READ).flatMap(([of, names]) =>
		names.split(' ').map((name) => `${of} ${name}`),
	);
	expect([...read].sort()).toEqual(wanted.sort());
});
