import type { IDataObject } from 'n8n-workflow';
import { displayParameter } from 'n8n-workflow';
import { isRecord, omit, recordIn } from '../lib/records';
import { choicesOf, convertOf, newestBefore, siteByUrl, toNamed } from './convert';
import type { Field, Zoned } from './field';
import {
	groupOf,
	hasExpression,
	isBlank,
	isLeftBlank,
	isMissing,
	optionsOf,
	wireName,
} from './field';
import { heldIn, looksLikeId, Named } from './id';
import { Refusal, refuse, rethrow, shown, within } from './refusal';

/** A parameter as it is for an item: what its expressions gave, and what stands in the node. */
export interface GivenValue {
	value: unknown;
	/** Before its expressions were evaluated. */
	raw: unknown;
}

/** What else decides about a value. */
export interface ValueScope {
	context: Zoned;
	/** Gives other parameters; within a group its other fields. */
	read: (name: string) => unknown;
	/**
	 * What blanks that an expression gives mean in a filter of a list: `ignored` where the user wants that, `agent`
	 * where a model fills every slot and leaves texts blank. Elsewhere they are refused.
	 */
	filter?: 'refused' | 'ignored' | 'agent';
	/** Whether the field is an option of a collection, which the user has added. */
	isOption?: boolean;
}

/**
 * The value of a field as the service takes it, or undefined when it is not set. Only what a person left blank in
 * the editor is not set: what an expression gives is never "nothing", as the list of a client's sites must not
 * become the list of all sites.
 * @returns for a site By URL a SiteUrl, for what is or may be a name a Named, also in lists, and for a snapshot that has
 * to be looked up a NewestSnapshot
 * @throws Refusal
 */
export function valueOf(field: Field, given: GivenValue, scope: ValueScope): unknown {
	return hidingSecrets(field, () => checked(field, given, scope));
}

/** Runs `work` on the value of a field; what it refuses is not repeated where that may be a password. */
export function hidingSecrets<T>({ typeOptions, secret }: Field, work: () => T): T {
	try {
		return work();
	} catch (error) {
		if ((secret || typeOptions?.password) && error instanceof Refusal) error.hideValue();
		return rethrow(error);
	}
}

/** What only lists can be told: people in the panel, a model in its next call. */
const toListAll = ({ filter }: ValueScope) => {
	if (filter === undefined) return '';
	if (filter === 'agent') return '; to list without this filter, use an empty text';
	return '; to skip blank filters, turn on Options > Ignore Blank Filters';
};

function checked(field: Field, { value, raw }: GivenValue, scope: ValueScope): unknown {
	const chosen = isChosen(field, scope);
	if (chosen === 'other')
		return checked(omit(field, 'belongsTo', 'required'), { value, raw }, scope);
	if (!chosen) return field.belongsTo!.mayStand ? undefined : unset(field, { value, raw });
	const isLocator = field.type === 'resourceLocator';
	const { held: given, mode } = isLocator
		? heldIn(value, raw)
		: { held: value, mode: 'id' as const };
	const code = heldIn(raw, raw).held;
	const held = exact(given, code, scope.context);
	if (scope.filter === 'ignored' && isBlank(held)) return undefined;
	if (isMissing(held)) refuse(`has no value${toListAll(scope)}`);
	const broken = field.rule?.(held, scope.read, raw);
	if (broken) refuse(broken);
	if (field.type === 'fixedCollection') return grouped(field, { value, raw }, scope);
	// A choice can have a blank value: nothing is sent for it.
	if (held === '' && field.type === 'options' && choicesOf(field).includes('')) return undefined;
	if (isBlank(held)) return blank(field, held, raw, scope);
	const result = converted(field, { held, mode }, scope);
	checkParts(code, held, typeof held === 'string' && Array.isArray(result), scope.context);
	// n8n knows no switch by a text, and has dropped what this one shows.
	if (result === field.showsWith && typeof raw === 'string' && !hasExpression(raw)) {
		refuse(`is the text ${shown(raw)}, not true or false. Turn the switch on or off`);
	}
	return isBlank(result) ? blank(field, held, raw, scope) : result;
}

function converted(
	field: Field,
	{ held, mode }: ReturnType<typeof heldIn>,
	{ context }: ValueScope,
): unknown {
	const { names, displayName, target } = field;
	if (mode === 'url') return siteByUrl(held);
	if (mode === 'before') return newestBefore(held, context);
	if (mode === 'name') {
		return names
			? toNamed(names, held, displayName)
			: refuse('does not support names. Choose By ID');
	}
	const result = convertOf(field)(held, context);
	const isLocator = field.type === 'resourceLocator' && typeof result === 'string';
	// In a path or a body the service refuses what is no ID; a list would be empty.
	const isRefused = target?.type === 'path' || target?.type === 'body';
	if (!names || !isLocator || isRefused || looksLikeId(names, result)) return result;
	return new Named(names, result, 'id', displayName);
}

/** Types that always have a value in the editor, unless they are an option that was added and left blank. */
const NEVER_BLANK = ['boolean', 'number', 'options'];

/** What becomes of a value that says nothing: it is not set, or refused. */
function blank(field: Field, held: unknown, raw: unknown, scope: ValueScope): undefined {
	// The entry of a broken expression.
	if (Array.isArray(held) && held.some(isMissing)) return refuse('has an entry without a value');
	const isText = typeof held === 'string';
	const isLeft = !hasExpression(raw) && (isLeftBlank(held) || held === field.default);
	const isNotSet =
		isLeft ||
		scope.filter === 'ignored' ||
		(isText && (field.maySkip === true || scope.filter === 'agent'));
	const isNeeded = field.required || (!scope.isOption && NEVER_BLANK.includes(field.type));
	if (isNotSet && !isNeeded) return undefined;
	return refuse(`is empty${isNeeded ? '' : toListAll(scope)}`);
}

/**
 * Whether the choice that a field belongs to is made: where that is an expression, the editor cannot tell. With a
 * word that is none of the choices nobody can: the field is taken, and not needed.
 */
function isChosen({ belongsTo }: Field, { read, context }: ValueScope): boolean | 'other' {
	if (!belongsTo) return true;
	const { choice, value } = belongsTo;
	try {
		const made = convertOf(choice)(read(choice.name), context);
		const isOther = choice.type === 'options' && !choicesOf(choice).includes(made);
		return isOther ? 'other' : made === value;
	} catch {
		// The choice itself is refused.
		return false;
	}
}

/** Refuses a value that would be left out although the user set it. */
function unset(field: Field, { value, raw }: GivenValue): undefined {
	const { choice, value: wanted } = field.belongsTo!;
	const { held } = heldIn(value, raw);
	if (!isBlank(held) && held !== field.default) {
		const option = optionsOf(choice).find((each) => each.value === wanted);
		refuse(`is set, but "${choice.displayName}" is not ${option ? `"${option.name}"` : 'on'}`);
	}
	return undefined;
}

/** One expression with nothing but blanks beside the braces. */
const LONE = /^=[\s\p{Cf}]*(\{\{(?:(?!\}\}).)*\}\})[\s\p{Cf}]*$/su;

const evaluated = (code: string, context: Zoned): unknown =>
	context.evaluateExpression?.(code, context.getItemIndex?.() ?? 0);

/** What an expression gives: for blanks beside the braces n8n makes a text of a list. A text keeps those that show. */
function exact(value: unknown, raw: unknown, context: Zoned): unknown {
	const code = typeof value === 'string' && typeof raw === 'string' && LONE.exec(raw)?.[1];
	if (!code || raw === `=${code}`) return value;
	const given = evaluated(code, context);
	return typeof given === 'string' && !/\p{Cf}/u.test(raw) ? value : given;
}

const OBJECT = '[object Object]';

/** Refuses a text into which n8n or JavaScript has put an object, or a list to be split; what is quoted may be sent. */
function checkParts(raw: unknown, held: unknown, isList: boolean, context: Zoned): void {
	const isObject = [held].flat().some((each) => typeof each === 'string' && each.includes(OBJECT));
	if (typeof raw !== 'string' || !hasExpression(raw) || !(isObject || isList)) return;
	const isWithin = !LONE.test(raw);
	for (const [code] of isObject || isWithin ? raw.matchAll(/\{\{(?:(?!\}\}).)*\}\}/gs) : []) {
		const given = evaluated(code, context);
		if (isList && isWithin && Array.isArray(given)) {
			refuse('contains a list within text. Use one expression, such as {{ [...$json.ids, "7"] }}');
		}
		const isJoined = isWithin ? typeof given === 'object' : [given].flat().includes(OBJECT);
		const isMade = isJoined || /[+`]|\b(join|concat|String)\b/.test(code);
		if (isObject && isMade && String(given).includes(OBJECT)) {
			refuse(`contains "${OBJECT}": select a field of the object, such as {{ $json.client.id }}`);
		}
	}
}

/** A group of fields, or rows of them, under the names that the service uses. */
function grouped(field: Field, { value, raw }: GivenValue, { context }: ValueScope): unknown {
	const group = groupOf(field);
	const partOf = (whole: unknown, key: string | number) =>
		typeof whole === 'object' && whole !== null ? Reflect.get(whole, key) : whole;
	const rows = isRecord(value) ? value[group.name] : value;
	const rawRows = partOf(raw, group.name);
	const build = (row: unknown, rawRow: unknown, part: string[] = []) =>
		within(part, () => rowOf(group, row, rawRow, context));
	if (isBlank(rows)) {
		const isLeft = !hasExpression(raw) && isLeftBlank(value);
		return field.required || !isLeft ? refuse(`needs its "${group.displayName}"`) : undefined;
	}
	const built = Array.isArray(rows)
		? rows.map((row, index) => build(row, partOf(rawRows, index), [String(index + 1)]))
		: build(rows, rawRows);
	return field.as ? field.as(built, context) : built;
}

function rowOf(
	{ displayName, values }: ReturnType<typeof groupOf>,
	row: unknown,
	raw: unknown,
	context: Zoned,
): IDataObject {
	if (!isRecord(row)) return refuse(`is no "${displayName}"`);
	const read = (name: string) => row[name];
	const sent: IDataObject = {};
	for (const field of values) {
		// A choice by expression shows what belongs to it whatever it gives.
		if (!displayParameter((isRecord(raw) ? raw : row) as never, field, null, null)) continue;
		const given = {
			value: field.name in row ? row[field.name] : field.default,
			raw: isRecord(raw) ? raw[field.name] : raw,
		};
		const part = { ...field, maySkip: field.type === 'string' && !field.as };
		const value = within([field.displayName], () => valueOf(part, given, { context, read }));
		if (value === undefined) continue;
		const [holder, key] = holderOf(sent, field.wire ?? wireName(field.name));
		holder[key] = value;
	}
	return sent;
}

/** The object that holds the last part of a path, and that part. */
export function holderOf(
	target: Record<string, unknown>,
	path: string,
): [Record<string, unknown>, string] {
	const parts = path.split('.');
	const key = parts.pop()!;
	return [parts.reduce((object, part) => (object[part] = recordIn(object[part])), target), key];
}
