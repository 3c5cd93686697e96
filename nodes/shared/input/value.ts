import { displayParameter, type IDataObject } from 'n8n-workflow';
import { isRecord, omit, recordIn } from '../lib';
import { choicesOf, convertOf, siteByUrl, toNamed, toNameOrId, toTime } from './convert';
import type { Field, Zoned } from './field';
import {
	groupOf,
	hasExpression,
	isBlank,
	isByModel,
	isLeftBlank,
	isMissing,
	optionsOf,
	wireName,
} from './field';
import { heldIn, isAddress, type LocatorMode, looksLikeId, Named, NewestSnapshot } from './id';
import { refuse, shown, within } from './refusal';

/** A parameter of an item, after and before the evaluation of its expressions. */
interface GivenValue {
	value: unknown;
	raw: unknown;
}

export interface ValueScope {
	context: Zoned;
	/** Returns another parameter; within a group another field of it. */
	read: (name: string) => unknown;
	/** A blank filter from an expression: `agent` is for a model, which fills every field and leaves texts blank. */
	filter?: 'refused' | 'ignored' | 'agent';
	/** Whether a blank text leaves a field unchanged: a model fills in every field of an update. */
	keepsBlank?: boolean;
	/** Whether the node is a tool: a model leaves the options blank that it does not set. */
	isTool?: boolean;
	/** Whether the field is an option of a collection, which the user has added. */
	isOption?: boolean;
}

/**
 * The value of a field in the form of the service, with names of what has to be looked up. Undefined if a person
 * left it blank. A blank result of an expression is refused: the sites of a client must not become all sites.
 */
export function valueOf(field: Field, given: GivenValue, scope: ValueScope): unknown {
	const chosen = isChosen(field, scope);
	const asked = chosen === 'unknown' ? omit(field, 'required') : field;
	const work = () => (chosen ? checked(asked, given, scope) : unset(field, given));
	return within([], work, field.secret || field.typeOptions?.password);
}

/** How to list without a filter: for people in the panel, for a model in its next call. */
const toListAll = ({ filter }: ValueScope) => {
	if (filter === undefined) return '';
	if (filter === 'agent') return '; to list without this filter, use an empty text';
	return '; to skip blank filters, turn on Options > Ignore Blank Filters';
};

function checked(field: Field, { value, raw }: GivenValue, scope: ValueScope): unknown {
	const code = heldIn(raw, raw).held;
	const located = field.type === 'resourceLocator' ? heldIn(value, raw) : undefined;
	const exactly = exact(located ? located.held : value, code, scope.context);
	if (scope.filter === 'agent' || isByModel(code)) refuseNothing(field, exactly, scope);
	const held = scope.filter === 'agent' ? meantByModel(field, exactly) : exactly;
	if (field.takesAll) return held;
	if (scope.filter === 'ignored' && isBlank(held)) return undefined;
	if (isMissing(held)) refuse(`has no value${toListAll(scope)}`);
	const broken = field.rule?.(held, scope.read, raw);
	if (broken) refuse(broken);
	if (field.type === 'fixedCollection') return grouped(field, { value, raw }, scope);
	// A choice can have a blank value: nothing is sent for it.
	if (held === '' && field.type === 'options' && choicesOf(field).includes('')) return undefined;
	if (isBlank(held)) return blank(field, held, raw, scope);
	const convert = located && isByModel(code) ? ofModel : converted;
	const result = convert(field, held, scope.context, located?.mode);
	if (hasExpression(code) && [held].flat().some((each) => isMadeOfObject(each, String(code)))) {
		const todo = 'select a field of the object, such as {{ $json.client.id }}';
		refuse(`contains "${OBJECT}": ${todo}`);
	}
	// n8n hides fields behind a switch that is a text.
	if (result === field.showsWith && typeof raw === 'string' && !hasExpression(raw)) {
		refuse(`is the text ${shown(raw)}, not true or false. Turn the switch on or off`);
	}
	return isBlank(result) ? blank(field, held, raw, scope) : result;
}

/** What models write for a missing value. */
const NOTHING = /^\s*(null|none|undefined|nan|n\/a)\s*$/i;

/** Refuses a text that looks like a missing value: a filter would match all records, and a change would write it. */
function refuseNothing(field: Field, held: unknown, scope: ValueScope): void {
	const found = [held].flat().find((each) => typeof each === 'string' && NOTHING.test(each));
	if (found === undefined || choicesOf(field).includes(String(found).trim().toLowerCase())) return;
	const todo = scope.keepsBlank ? '; to leave it unchanged, use an empty text' : toListAll(scope);
	refuse(`is ${shown(found)}, which is not a value${todo}`);
}

/** The filter that a model means: it must give a switch or a number, so there are words for none, and 0 is one of them. */
function meantByModel(field: Field, held: unknown): unknown {
	const text = typeof held === 'string' ? held.trim().toLowerCase() : undefined;
	const meant: Record<string, unknown> = { any: '', yes: true, no: false };
	if (field.type === 'boolean' && text !== undefined) return meant[text] ?? held;
	return field.type === 'number' && (held === 0 || text === 'any') ? '' : held;
}

/** What JavaScript makes of an object in a text. */
const OBJECT = '[object Object]';

/** A single expression that reads a value and makes no text of others. */
const READS = /^=\s*\{\{(?!.*(?:[+`]|\}\}.|\b(?:join|concat|String)\b))/s;

/** Whether an expression has made a text of an object; a text that it reads may contain these words. */
const isMadeOfObject = (held: unknown, code: string): boolean =>
	typeof held === 'string' &&
	(held === OBJECT || (held.includes(OBJECT) && !READS.test(code.trimEnd())));

function converted(field: Field, held: unknown, context: Zoned, mode?: LocatorMode): unknown {
	const { names, displayName, target } = field;
	if (mode === 'url') return new Named('siteId', siteByUrl(held).text, mode, displayName);
	if (mode === 'before') return new NewestSnapshot(toTime(held, context));
	if (mode === 'name') {
		if (!names) return refuse('does not support names. Choose By ID');
		return toNamed(names, held, displayName);
	}
	const result = convertOf(field)(held, context);
	const isLocator = field.type === 'resourceLocator' && typeof result === 'string';
	// In a path or a body the service refuses a wrong ID; a list would be empty.
	const isRefused = target?.type === 'path' || target?.type === 'body';
	if (!names || !isLocator || isRefused || looksLikeId(names, result)) return result;
	return new Named(names, result, 'id', displayName);
}

/** A time that is the same wherever it is read. */
const ZONED = /T.*(Z|[+-]\d\d:?\d\d)\s*$/i;

/** A model cannot choose a mode: what it writes for a record that has a name is an ID, a name, an address or an email. */
function ofModel(field: Field, held: unknown, context: Zoned, mode?: LocatorMode): unknown {
	const { names, displayName } = field;
	if (mode === 'before' && typeof held === 'string' && !ZONED.test(held)) {
		refuse(
			`has no time zone: ${shown(held)}. Write it as 2026-02-28T18:00:00Z or 2026-02-28T18:00:00+01:00`,
		);
	}
	// No record with a time as its mode has names.
	const isUrl = mode === 'url' && typeof held === 'string' && isAddress(held.trim());
	return names && !isUrl
		? toNameOrId(names, held, displayName)
		: converted(field, held, context, mode);
}

/** A blank value: not set, or refused. */
function blank(field: Field, held: unknown, raw: unknown, scope: ValueScope): undefined {
	// The entry of a broken expression.
	if (Array.isArray(held) && held.some(isMissing)) return refuse('has an entry without a value');
	const isUnset = scope.keepsBlank || (scope.isOption && scope.isTool && isByModel(raw));
	if (isUnset && typeof held === 'string') return undefined;
	const isLeft = !hasExpression(raw) && (isLeftBlank(held) || held === field.default);
	const maySkip = typeof held === 'string' && (field.maySkip === true || scope.filter === 'agent');
	// They always have a value in the editor, unless they are an option that was added and left blank.
	const isFilled = !scope.isOption && ['boolean', 'number', 'options'].includes(field.type);
	const isNeeded = field.required || isFilled;
	if (!isNeeded && (isLeft || maySkip || scope.filter === 'ignored')) return undefined;
	return refuse(`is empty${isNeeded ? '' : toListAll(scope)}`);
}

/** Whether the choice that a field belongs to is made. With an unknown choice the field is sent, and not required. */
function isChosen({ belongsTo }: Field, { read, context }: ValueScope): boolean | 'unknown' {
	if (!belongsTo) return true;
	const { choice, value } = belongsTo;
	try {
		const found = convertOf(choice)(read(choice.name), context);
		const isUnknown = choice.type === 'options' && !choicesOf(choice).includes(found);
		return isUnknown ? 'unknown' : found === value;
	} catch {
		// The choice itself is refused.
		return false;
	}
}

/** Refuses a value that would be left out although the user set it. */
function unset(field: Field, { value, raw }: GivenValue): undefined {
	const { choice, value: wanted, mayStand } = field.belongsTo!;
	const { held } = heldIn(value, raw);
	if (!mayStand && !isBlank(held) && held !== field.default) {
		const option = optionsOf(choice).find((each) => each.value === wanted);
		refuse(`is set, but "${choice.displayName}" is not ${option ? `"${option.name}"` : 'on'}`);
	}
	return undefined;
}

/** The result of a single expression. For blanks around its braces n8n turns a list into text. */
function exact(value: unknown, raw: unknown, context: Zoned): unknown {
	if (typeof value !== 'string' || typeof raw !== 'string') return value;
	const [, code] = /^=[\s\p{Cf}]*(\{\{(?:(?!\}\}).)*\}\})[\s\p{Cf}]*$/su.exec(raw) ?? [];
	if (!code || raw === `=${code}`) return value;
	const result: unknown = context.evaluateExpression?.(code, context.getItemIndex?.() ?? 0);
	// A text keeps invisible characters around it.
	return typeof result === 'string' && !/\p{Cf}/u.test(raw) ? value : result;
}

/** A group of fields, or rows of them, under the names of the service. */
function grouped(field: Field, { value, raw }: GivenValue, { context }: ValueScope): unknown {
	const group = groupOf(field);
	const rows = partOf(value, group.name);
	const rawRows = partOf(raw, group.name);
	if (isBlank(rows)) {
		const isLeft = !hasExpression(raw) && isLeftBlank(value);
		return field.required || !isLeft ? refuse(`needs its "${group.displayName}"`) : undefined;
	}
	const numbered = (row: unknown, index: number) =>
		within([String(index + 1)], () =>
			rowOf(group, row, Array.isArray(rawRows) ? rawRows[index] : rawRows, context),
		);
	const built = Array.isArray(rows) ? rows.map(numbered) : rowOf(group, rows, rawRows, context);
	return field.as ? field.as(built, context) : built;
}

/** A part of a value; an expression stands for all its parts. */
export const partOf = (value: unknown, name: string): unknown =>
	isRecord(value) ? value[name] : value;

function rowOf(group: ReturnType<typeof groupOf>, row: unknown, raw: unknown, context: Zoned) {
	if (!isRecord(row)) return refuse(`is no "${group.displayName}"`);
	const read = (name: string) => row[name];
	const sent: IDataObject = {};
	for (const field of group.values) {
		// A choice by expression shows all that belongs to it.
		if (!displayParameter((isRecord(raw) ? raw : row) as never, field, null, null)) continue;
		const set = field.name in row ? row[field.name] : field.default;
		const given = { value: set, raw: partOf(raw, field.name) };
		const part = { ...field, maySkip: field.type === 'string' && !field.as };
		const value = within([field.displayName], () => valueOf(part, given, { context, read }));
		if (value !== undefined) {
			const [holder, key] = holderOf(sent, field.wire ?? wireName(field.name));
			holder[key] = value;
		}
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
