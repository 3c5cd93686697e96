import { isIP } from 'node:net';
import { DateTime } from 'luxon';
import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { placeOf } from './places';

/**
 * What the rule of user input wants for any value of any parameter, worked out from the built descriptions alone:
 * none of the code that is judged by it is used here.
 */

/** What kind of value a parameter takes. */
export type Kind =
	| 'id'
	| 'ids'
	| 'texts'
	| 'paths'
	| 'emails'
	| 'choice'
	| 'choices'
	| 'boolean'
	| 'number'
	| 'time'
	| 'day'
	| 'color'
	| 'json'
	| 'text'
	| 'email'
	| 'url'
	| 'ip'
	| 'php'
	| 'clock'
	| 'digits'
	| 'dataUri'
	| 'binary';

/** Where a parameter stands, which decides what a blank one means. */
export type Place = 'top' | 'filters' | 'additionalFields' | 'updateFields' | 'options' | 'row';

/** One parameter of one operation or trigger. */
export interface Slot {
	/** Such as `backup/backup/restore paths`. */
	name: string;
	node: string;
	/** The route of the operation; undefined for triggers. */
	route?: string;
	/** Names from the top down, such as `['sort', 'by', 'field']`. */
	path: string[];
	property: INodeProperties;
	kind: Kind;
	place: Place;
	/** Whether a blank one is refused even where a person has left it blank. */
	needed: boolean;
	secret: boolean;
	/** The other parameters of the operation, all valid, and what is sent for them. */
	others: Other[];
	/** Resource and operation. */
	fixed: INodeParameters;
}

/** A parameter that keeps one valid value while another is tried. */
interface Other {
	property: INodeProperties;
	literal: unknown;
	/** The collection that it is an option of. */
	under?: string;
}

/** A value as it reaches the node. */
export interface Given {
	/** Typed into the editor, an expression, or in a locator: as a whole by expression. */
	how: 'literal' | 'expression';
	/** For ids: the mode of the locator, or none where the whole parameter is the value. */
	mode?: 'id' | 'list';
	value: unknown;
	/** The expression, where it is not `$json.v`. */
	code?: string;
	/** Whether blank filters are to be left out. */
	ignoresBlank?: boolean;
	timezone?: string;
}

/** Not part of the request. */
export const ABSENT = Symbol('absent');

/** What may come of it: one of these values is sent, or it is refused under one of these names. */
export interface Verdict {
	sends: unknown[];
	refuses: boolean;
	names: string[];
}

type Judged = Pick<Verdict, 'sends' | 'refuses'>;

const send = (...sends: unknown[]): Judged => ({ sends, refuses: false });
const refuse: Judged = { sends: [], refuses: true };
/** The rule leaves it open. */
const open = (...sends: unknown[]): Judged => ({ sends, refuses: true });

// --- the parameters -------------------------------------------------------------------------------------------

/** Text fields with a form, by name: descriptions do not tell it. */
const forms: Record<string, Kind> = {
	email: 'email',
	userEmail: 'email',
	onlyIfEmail: 'email',
	url: 'url',
	destinationUrl: 'url',
	authorUrl: 'url',
	stickyIp: 'ip',
	phpVersion: 'php',
	phpVersionAbove: 'php',
	phpVersionBelow: 'php',
	dailySyncTime: 'clock',
	wpObjectId: 'digits',
	logoDataUri: 'dataUri',
	logoBinaryField: 'binary',
};

const types: Partial<Record<INodeProperties['type'], Kind>> = {
	resourceLocator: 'id',
	options: 'choice',
	boolean: 'boolean',
	number: 'number',
	color: 'color',
	json: 'json',
};

export function kindOf({ name, type, typeOptions, description = '' }: INodeProperties): Kind {
	if (name === 'outputFields') return 'paths';
	if (type === 'multiOptions') return typeOptions?.loadOptionsMethod ? 'ids' : 'choices';
	if (type === 'dateTime') return typeOptions?.dateOnly ? 'day' : 'time';
	const simple = types[type];
	if (simple) return simple;
	if (!description.includes('separated by commas or lines')) return forms[name] ?? 'text';
	if (name.endsWith('Ids')) return 'ids';
	return name === 'recipients' ? 'emails' : 'texts';
}

/** An ID of the form that is taken for one without a look: digits for a tag, hexadecimal ones for all else. */
const usualId = (path: string) =>
	/tagIds?$/i.test(path) ? '41' : Buffer.from(`${path}-1`).toString('hex').slice(-16);

/** A valid value of each kind, as the editor would save it. */
export function example(property: INodeProperties, path = property.name): unknown {
	const kind = kindOf(property);
	switch (kind) {
		case 'id':
			return { __rl: true, mode: 'id', value: usualId(path) };
		case 'ids':
			return property.type === 'multiOptions' ? [usualId(path)] : usualId(path);
		case 'choice':
			return property.default || choicesOf(property)[0];
		case 'paths':
		case 'choices':
			return [choicesOf(property)[0]];
		case 'boolean':
			return property.default;
		case 'number':
			return property.default || property.typeOptions?.minValue || 0;
		case 'time':
			return '2026-03-01T12:00:00Z';
		case 'day':
			return '2026-03-01';
		case 'color':
			return '#2f80ed';
		case 'json':
			return '{"a":1}';
		case 'email':
		case 'emails':
			return 'owner@example.com';
		case 'url':
			return 'https://www.example.com/a';
		case 'ip':
			return '203.0.113.7';
		case 'php':
			return '8.2';
		case 'clock':
			return '03:30:00Z';
		case 'digits':
			return '3';
		case 'dataUri':
			return 'data:image/png;base64,YQ==';
		case 'binary':
			return 'logo';
		default:
			return 'some text';
	}
}

export const choicesOf = ({ options }: INodeProperties): unknown[] =>
	((options ?? []) as INodePropertyOptions[]).map(({ value }) => value);

/** Needed although the description does not say so: they are so only with one choice in another field. */
const neededWith = [
	'until',
	'backupDestinationId',
	'fileId',
	'path',
	'modifiedAt',
	'size',
	'ftpCredentials',
	'onlyIfUrl',
	'onlyIfName',
	'onlyIfEmail',
	'clientId',
	'tagId',
	'siteIds',
	'pluginFileNames',
	'themeFileNames',
];

const onlyShown = ({ name, displayOptions }: INodeProperties) =>
	!displayOptions?.show?.['@tool'] &&
	!['resource', 'operation', 'notice', 'requestOptions', 'pollTimes', 'pollNotice'].includes(name);

/** Every parameter of every operation of an action node. */
export function slotsOf(node: INodeTypeDescription): Slot[] {
	if (node.polling) return triggerSlots(node);
	return node.properties
		.filter(({ name }) => name === 'operation')
		.flatMap((selector) => {
			const resource = String(selector.displayOptions!.show!.resource![0]);
			return (selector.options as INodePropertyOptions[]).flatMap((operation) =>
				operationSlots(node, resource, operation),
			);
		});
}

function operationSlots(
	node: INodeTypeDescription,
	resource: string,
	{ value: operation, routing }: INodePropertyOptions,
): Slot[] {
	const { method, url } = routing!.request!;
	const properties = node.properties.filter(onlyShown).filter(({ displayOptions }) => {
		const { resource: resources, operation: operations } = displayOptions?.show ?? {};
		return (
			(!resources || resources.includes(resource)) &&
			(!operations || operations.includes(operation as string))
		);
	});
	const fixed = { resource, operation } as INodeParameters;
	return within({
		name: `${node.name}/${resource}/${String(operation)}`,
		node: node.name,
		route: `${method} ${url}`,
		fixed,
		properties,
	});
}

function triggerSlots(node: INodeTypeDescription): Slot[] {
	const properties = node.properties.filter(onlyShown);
	return within({ name: node.name, node: node.name, fixed: {}, properties });
}

interface Whole extends Pick<Slot, 'name' | 'node' | 'route' | 'fixed'> {
	properties: INodeProperties[];
}

function within({ properties, ...whole }: Whole): Slot[] {
	const slots: Slot[] = [];
	const add = (
		path: string[],
		property: INodeProperties,
		place: Place,
		group?: INodeProperties,
	) => {
		const [top] = path;
		const isOfTrigger = whole.route === undefined;
		slots.push({
			...whole,
			name: `${whole.name} ${path.join('.')}`,
			path,
			property,
			kind: kindOf(property),
			place,
			needed:
				property.required === true ||
				place === 'updateFields' ||
				(place === 'additionalFields' && isNewClient(whole.fixed)) ||
				(place === 'filters' && isOfTrigger && property.type === 'resourceLocator') ||
				(place === 'options' && isOfTrigger && property.type === 'resourceLocator') ||
				property.name === 'additionalBodyFields' ||
				(neededWith.includes(property.name) && (place === 'top' || place === 'row')),
			secret: property.typeOptions?.password === true || property.name === 'ftpCredentials',
			others: othersOf(properties, top!, property, group),
		});
	};
	for (const property of properties) {
		const { name, type } = property;
		if (type === 'collection') {
			const place: Place =
				name === 'filters' || name === 'additionalFields' || name === 'updateFields'
					? name
					: 'options';
			for (const option of property.options as INodeProperties[]) {
				if (option.type !== 'fixedCollection') add([name, option.name], option, place);
				else rows([name, option.name], option);
			}
		} else if (type === 'fixedCollection') rows([name], property);
		else add([name], property, 'top');
	}
	return slots;

	function rows(path: string[], group: INodeProperties) {
		const [{ name, values }] = group.options as [INodePropertyCollection];
		for (const value of values) add([...path, name, value.name], value, 'row', group);
	}
}

/** Which fields a new client must have is not known, but it must have one. */
const isNewClient = ({ resource, operation }: INodeParameters) =>
	resource === 'client' && operation === 'create';

/** What is set besides the parameter that is tried, so that only that one decides. */
function othersOf(
	properties: INodeProperties[],
	tried: string,
	property: INodeProperties,
	group?: INodeProperties,
): Other[] {
	const wanted = new Map<string, unknown>();
	const triedTop = properties.find(({ name }) => name === tried)!;
	for (const shown of [triedTop, property, group]) {
		if (!shown || (shown !== triedTop && shown === property && group)) continue;
		for (const [name, values] of Object.entries(shown.displayOptions?.show ?? {})) {
			// In a collection `/events` is a parameter of the node.
			wanted.set(name.replace(/^\//, ''), (values as unknown[])[0]);
		}
	}
	// An FTP connection is for external migrations only.
	if (wanted.get('connectionMethod') === 'ftp' && properties.some(({ name }) => name === 'type')) {
		wanted.set('type', 'external');
	}
	const chosen = (name: string) =>
		wanted.has(name) ? wanted.get(name) : properties.find((other) => other.name === name)?.default;
	const others: Other[] = [];
	for (const other of properties) {
		const { name, type, required, default: usual, displayOptions } = other;
		if (name === tried) continue;
		if (type === 'collection') {
			// An update without a field is refused for that.
			const options = other.options as INodeProperties[];
			const option = options.find(({ type: kind }) => kind === 'string' || kind === 'boolean');
			const { resource, operation } = displayOptions?.show ?? {};
			const isOfNewClient =
				name === 'additionalFields' &&
				isNewClient({ resource: resource?.[0] as string, operation: operation?.[0] as string });
			if ((name !== 'updateFields' && !isOfNewClient) || !option) continue;
			others.push({ property: option, literal: example(option), under: name });
			continue;
		}
		const isShown = Object.entries(displayOptions?.show ?? {}).every(
			([by, values]) =>
				by === 'resource' ||
				by === 'operation' ||
				[chosen(by)].flat().some((value) => (values as unknown[]).includes(value)),
		);
		if (!isShown) continue;
		if (wanted.has(name)) {
			const value = type === 'multiOptions' ? [wanted.get(name)] : wanted.get(name);
			others.push({ property: other, literal: value });
		} else if (type === 'fixedCollection') {
			if (required) others.push({ property: other, literal: exampleGroup(other) });
		} else if (required || (displayOptions?.show && neededWith.includes(name))) {
			others.push({ property: other, literal: example(other) });
		} else if (type === 'boolean' || type === 'options') {
			others.push({ property: other, literal: usual });
		}
	}
	return others;
}

function exampleGroup(group: INodeProperties, tried?: string): IDataObject {
	const [{ name, values }] = group.options as [INodePropertyCollection];
	const row = exampleRow(group, values, tried);
	return { [name]: group.typeOptions?.multipleValues ? [row] : row } as IDataObject;
}

/** A row in which all but the tried field are valid; fields that only go with a choice are set with it. */
function exampleRow(
	group: INodeProperties,
	values: INodeProperties[],
	tried?: string,
): IDataObject {
	const needs = values.find(({ name }) => name === tried)?.displayOptions?.show ?? {};
	const row: IDataObject = {};
	for (const value of values) {
		if (value.name === tried) continue;
		if (needs[value.name]) row[value.name] = needs[value.name]![0] as string;
		else if (group.name === 'sites' && value.name === 'selection') row[value.name] = 'all';
		else if (value.required) row[value.name] = example(value) as string;
	}
	return row;
}

// --- values ---------------------------------------------------------------------------------------------------

const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isDate = (value: unknown): value is Date | DateTime =>
	value instanceof Date || DateTime.isDateTime(value);

/** Nothing in it: what is not there, blank text, an empty list or object, or a list of such. */
export function isBlank(value: unknown, kind?: Kind): boolean {
	if (value === undefined || value === null || Number.isNaN(value)) return true;
	if (isText(value)) {
		const isOfList =
			kind === 'ids' ||
			kind === 'texts' ||
			kind === 'emails' ||
			kind === 'paths' ||
			kind === 'choices';
		return (isOfList ? value.replace(/,/g, '') : value).trim() === '';
	}
	if (isList(value)) return value.every((entry) => isBlank(entry, kind));
	return isPlain(value) && Object.keys(value).length === 0;
}

const isPlain = (value: unknown): value is object =>
	isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

/** What a person leaves blank in the editor. */
function isLeftBlank(value: unknown): boolean {
	if (isText(value)) return value.trim() === '';
	if (isList(value)) return value.length === 0;
	return isObject(value) && Object.keys(value).length === 0;
}

const isBadText = (text: string) =>
	/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);

/** The text of a scalar, if it has one. */
function textOf(value: unknown): string | undefined {
	if (typeof value === 'boolean') return String(value);
	if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
	return isText(value) && !isBadText(value) ? value : undefined;
}

/** Switches that show other fields. */
const SHOWING = ['includeFiles', 'includeDatabase', 'realTimeEvents', 'returnAll'];

/** A value that is not blank. */
export function judge(slot: Pick<Slot, 'kind' | 'property'> & Partial<Slot>, given: Given): Judged {
	const { value } = given;
	const { kind, property } = slot;
	// n8n itself may have made text of these.
	const isTime = kind === 'time' || kind === 'day';
	if (typeof value === 'bigint' || (isDate(value) && !isTime && kind !== 'json')) {
		return { sends: [ANYTHING], refuses: true };
	}
	// A text that quotes it may be sent; as the whole value of an expression it was a record once.
	if (given.how === 'expression' && [value].flat().includes('[object Object]')) return refuse;
	switch (kind) {
		case 'text': {
			const text = textOf(value);
			// What only names a place, such as a section, is trimmed.
			if (text !== undefined && property.name === 'key') {
				const isUnsendable = ['__proto__', ...UNSENDABLE].includes(text.trim());
				return (isUnsendable ? open : send)(text, text.trim());
			}
			return text === undefined ? refuse : send(text);
		}
		case 'id':
			return idOf(value);
		case 'ids':
			return entries(value, idEntry);
		case 'texts':
			return entries(value, textEntry);
		case 'emails':
			return entries(value, emailEntry);
		case 'paths':
			return entries(value, pathEntry);
		case 'choice':
			return isOffer(slot) ? offered(property, value) : choice(property, value);
		case 'choices':
			return isOffer(slot) ? entries(value, textEntry) : choices(property, value);
		case 'boolean':
			// As a text n8n knows no switch, and drops the fields that it shows.
			if (given.how === 'literal' && SHOWING.includes(property.name) && isText(value)) {
				return { ...booleanOf(value), refuses: true };
			}
			return booleanOf(value);
		case 'number':
			return numberOf(property, value);
		case 'time':
		case 'day':
			return timeOf(value, kind, given.timezone ?? 'UTC');
		case 'json':
			return jsonOf(value);
		default:
			return formed(kind, value);
	}
}

const isPlainId = (text: string) => text !== '.' && text !== '..';

function idOf(value: unknown): Judged {
	// A locator as n8n has it, by expression: the rule does not tell it from other objects.
	if (isObject(value) && '__rl' in value) return { sends: [ANYTHING], refuses: true };
	if (typeof value === 'number') return Number.isSafeInteger(value) ? send(String(value)) : refuse;
	if (!isText(value) || isBadText(value) || inJson(value) !== undefined) return refuse;
	const id = value.trim();
	// In a path it is refused, in a query or a body it is sent.
	if (/[\p{Cc}%\\;?#/]/u.test(id)) return { sends: [id], refuses: true };
	// Separators are what is left of an empty list.
	return isPlainId(id) && !/^[\s,]+$/.test(id) ? send(id) : refuse;
}

/** An entry of a list: its text, or that it is refused or dropped. */
type Entry = (value: unknown) => string[] | 'refused' | 'open';

const idEntry: Entry = (value) => {
	if (typeof value === 'number') return Number.isSafeInteger(value) ? [String(value)] : 'refused';
	if (!isText(value) || isBadText(value)) return 'refused';
	const id = value.trim();
	if (id === '') return [];
	if (!isPlainId(id)) return 'refused';
	return /[,\n\r]/.test(id) ? 'open' : [id];
};

const textEntry: Entry = (value) => {
	// Whether a list of texts takes true and false, the rule does not say.
	if (typeof value === 'boolean') return 'open';
	const text = textOf(value);
	if (text === undefined) return 'refused';
	return text.trim() === '' ? [] : [text];
};

/** A field of a record, or a path into it: nobody knows all that the service has. */
const pathEntry: Entry = (value) => {
	const texts = textEntry(value);
	if (typeof texts === 'string') return texts;
	// Separators are what is left of an empty list.
	const read = texts.filter((text) => !/^[\s,]*$/.test(text));
	return read.every((text) => /^[^\s.,]+(\.[^\s.,]+)*$/.test(text.trim())) ? read : 'refused';
};

const emailEntry: Entry = (value) => {
	if (!isText(value)) return 'refused';
	if (value.trim() === '') return [];
	const judged = formed('email', value);
	if (judged.refuses) return judged.sends.length > 0 ? 'open' : 'refused';
	return [value.trim()];
};

/** The list or object that a text is in JSON. */
function inJson(value: unknown): unknown {
	try {
		return isText(value) && /^\s*[[{]/.test(value) ? JSON.parse(value) : undefined;
	} catch {
		return undefined;
	}
}

function entries(given: unknown, entry: Entry): Judged {
	const value = inJson(given) ?? given;
	if (isList(value) && value.length === 0) return refuse;
	const isOne = !isList(value);
	if (isOne && typeof value !== 'string' && typeof value !== 'number') {
		return typeof value === 'boolean' && (entry === textEntry || entry === pathEntry)
			? open(['true'], ['false'])
			: refuse;
	}
	const parts = isText(value) ? value.split(/[,\n\r]/).map((part) => part.trim()) : [value].flat();
	const read = (parts as unknown[]).map(entry);
	if (read.includes('refused')) return refuse;
	if (read.includes('open')) return { sends: [ANYTHING], refuses: true };
	const all = read.flat() as string[];
	const unique = [...new Set(all)];
	const trimmed = [...new Set(all.map((text) => text.trim()))];
	return send(unique, trimmed);
}

/** Any value is as good as another. */
export const ANYTHING = Symbol('anything');

/**
 * Whether a list is what the editor offers, and no wall: the words of what is read and looked for, which the service
 * itself refuses, and those that the API reference has only stand-ins of.
 */
const isOffer = ({ place, path = [], property }: Partial<Slot>) =>
	place === 'filters' || path[0] === 'sort' || property?.name === 'provider';

function offered(property: INodeProperties, value: unknown): Judged {
	if (choicesOf(property).includes(value)) return send(value);
	const text = textOf(value);
	return text === undefined ? refuse : send(text);
}

function choice(property: INodeProperties, value: unknown): Judged {
	const known = choicesOf(property);
	if (known.includes(value)) return send(value);
	const text = textOf(value)?.trim();
	return text !== undefined && known.includes(text) ? open(text) : refuse;
}

function choices(property: INodeProperties, given: unknown): Judged {
	const value = inJson(given) ?? given;
	const known = choicesOf(property);
	const parts = isText(value) ? value.split(/[,\n\r]/).map((part) => part.trim()) : value;
	if (!isList(parts) || parts.length === 0) return refuse;
	if (parts.some((part) => !isText(part))) return refuse;
	const texts = (parts as string[]).filter((part) => part.trim() !== '');
	const unique = [...new Set(texts)];
	const hasBlank = texts.length < parts.length;
	if (unique.every((text) => known.includes(text))) return hasBlank ? open(unique) : send(unique);
	const trimmed = [...new Set(texts.map((text) => text.trim()))];
	return trimmed.every((text) => known.includes(text)) ? open(trimmed) : refuse;
}

function booleanOf(value: unknown): Judged {
	if (typeof value === 'boolean') return send(value);
	if (!isText(value)) return refuse;
	const text = value.trim().toLowerCase();
	if (text !== 'true' && text !== 'false') return refuse;
	return text.length === value.length ? send(text === 'true') : open(text === 'true');
}

function numberOf({ typeOptions }: INodeProperties, value: unknown): Judged {
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = typeOptions ?? {};
	const fits = (number: number) =>
		Number.isFinite(number) &&
		number >= minValue &&
		number <= maxValue &&
		(numberPrecision !== 0 || Number.isInteger(number));
	if (typeof value === 'number') {
		if (!fits(value)) return refuse;
		// Beyond the safe integers a number is no longer the one that was meant.
		const exact = numberPrecision !== 0 || Number.isSafeInteger(value);
		return exact ? send(value === 0 ? 0 : value) : open(value);
	}
	if (!isText(value)) return refuse;
	const text = value.trim();
	if (!fits(Number(text)) || text === '') return refuse;
	const isDecimal = /^-?\d{1,15}(\.\d{1,10})?$/.test(value);
	return isDecimal ? send(Number(text) + 0) : open(Number(text));
}

const ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

function timeOf(value: unknown, kind: 'time' | 'day', zone: string): Judged {
	if (isDate(value)) {
		const at = value instanceof Date ? DateTime.fromJSDate(value, { zone }) : value;
		return at.isValid ? dated(at, kind) : refuse;
	}
	if (!isText(value)) return refuse;
	const text = value.trim();
	if (!/^\d{4}-\d\d-\d\d/.test(text)) {
		// Other notations of ISO 8601 are not for the rule to settle.
		return /^[+-]?\d{4,}/.test(text) && DateTime.fromISO(text).isValid
			? { sends: [ANYTHING], refuses: true }
			: refuse;
	}
	const at = DateTime.fromISO(text.replace(' ', 'T'), { zone });
	if (!at.isValid) return refuse;
	if (!ISO.test(text)) return { sends: [ANYTHING], refuses: true };
	// The date as it is written wins.
	if (kind === 'day') return text.includes(' ') ? open(text.slice(0, 10)) : send(text.slice(0, 10));
	const judged = dated(at, kind);
	const isPlain = !text.includes(' ') && !text.includes('.');
	return isPlain ? judged : open(...judged.sends, ...dated(at.startOf('second'), kind).sends);
}

function dated(at: DateTime, kind: 'time' | 'day'): Judged {
	if (kind === 'day') return send(at.toFormat('yyyy-MM-dd'));
	const utc = at.toUTC();
	return send(
		utc.toISO({ suppressMilliseconds: true }),
		utc.toISO(),
		utc.startOf('second').toISO({ suppressMilliseconds: true }),
	);
}

/** Whether JSON has what JSON has not, or a name that would reach a prototype. */
function isUnsafe(value: unknown): boolean {
	if (['undefined', 'function', 'bigint', 'symbol'].includes(typeof value)) return true;
	if (typeof value === 'number' && !Number.isFinite(value)) return true;
	if (!isObject(value)) return false;
	if (isDate(value)) return Number.isNaN(value.valueOf());
	return Object.entries(value).some(([key, inner]) => key === '__proto__' || isUnsafe(inner));
}

const UNSENDABLE = ['constructor', 'prototype'];

const hasName = (value: unknown, names: string[]): boolean =>
	isObject(value) &&
	Object.entries(value).some(([name, inner]) => names.includes(name) || hasName(inner, names));

function jsonOf(value: unknown): Judged {
	let object = value;
	if (isText(value)) {
		try {
			object = JSON.parse(value);
		} catch {
			return refuse;
		}
	}
	if (!isPlain(object)) return refuse;
	if (isUnsafe(object) || Object.keys(object).length === 0) return refuse;
	// n8n's HTTP client drops these names: it takes a refusal to not lose them.
	if (hasName(object, UNSENDABLE)) return open(object);
	const text = JSON.stringify(object);
	return isBadText(JSON.parse(`"${text.replace(/["\\]/g, '')}"`)) || /\\ud[89a-f]/i.test(text)
		? open(object)
		: send(object);
}

/** Texts with a form: sure ones are sent trimmed, sure not ones refused, and what the rule leaves open may do either. */
function formed(kind: Kind, value: unknown): Judged {
	const text = textOf(value)?.trim();
	if (text === undefined) return refuse;
	const surely = (yes: boolean, no: boolean) => (yes ? send(text) : no ? refuse : open(text));
	switch (kind) {
		case 'email':
			return surely(
				/^[a-z0-9]+@[a-z0-9]+(\.[a-z]{2,8})+$/.test(text) && text.length < 100,
				/[\s,]/.test(text) || text.split('@').length !== 2 || /^@|@$/.test(text),
			);
		case 'url':
			return surely(
				/^https?:\/\/[a-z0-9]+(\.[a-z0-9]+)+(\/[a-z0-9]*)*$/.test(text) &&
					!/\.\d+(\/|$)/.test(text),
				/\s/.test(text) || /^(javascript|data|file|ftp):/i.test(text) || !/[.:]/.test(text),
			);
		case 'ip':
			return surely(isIP(text) > 0 && !text.includes('%'), isIP(text) === 0);
		case 'php':
			return surely(
				/^\d{1,2}(\.\d{1,2}){1,2}$/.test(text) && !/(^|\.)0\d/.test(text),
				!/^\d+(\.\d+){0,2}$/.test(text),
			);
		case 'clock':
			return surely(
				/^([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/.test(text),
				!/^([01]?\d|2[0-3]):[0-5]\d/.test(text),
			);
		case 'digits':
			return surely(/^\d{1,15}$/.test(text), !/^\d+$/.test(text));
		case 'color': {
			const judged = surely(/^#[0-9a-f]{6}$/i.test(text), !/^#?[0-9a-f]{3,8}$/i.test(text));
			return {
				...judged,
				sends: judged.sends.flatMap((sent) => [sent, String(sent).toLowerCase()]),
			};
		}
		case 'dataUri':
			return surely(
				/^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]{4})+$/.test(text),
				!/^data:image\/[^,;]+(;[^,]*)?,./.test(text),
			);
		case 'binary':
			return text === 'logo' && value === 'logo' ? send(LOGO) : refuse;
		default:
			throw new Error(`test/support/inputModel.ts: say what texts the form ${kind} has`);
	}
}

/** The file in the binary field `logo` of every item. */
export const LOGO = 'data:image/png;base64,YW4gaW1hZ2U=';

// --- verdicts -------------------------------------------------------------------------------------------------

/** What a choice asks for that is not set here, as display names. */
const asksFor: Record<string, Record<string, string[]>> = {
	realTimeEvents: { true: ['Until'] },
	provider: { cloudstore_b: ['Backup Destination'] },
	findBy: { path: ['Path', 'File', 'Size', 'Modified At', 'Find By'] },
	selection: { specific: ['Site IDs or URLs'] },
	plugins: { specific: ['Plugins to Update'] },
	themes: { specific: ['Themes to Update'] },
	scope: { client: ['Client'], tag: ['Tag'], sites: ['Site Names or IDs'] },
};

export function verdictOf(slot: Slot, given: Given): Verdict {
	const judged = withoutOthers(slot, given);
	const names = [slot.property.displayName];
	// What is left blank is not set, so that the collection is named that wants one of its fields.
	if (slot.place === 'additionalFields' && slot.needed) names.push('Additional Fields');
	const needs = judged.sends.flatMap((value) => {
		const { name } = slot.property;
		if (name === 'connectionMethod' && value === 'ftp') return ['FTP Credentials', 'Connection'];
		if (name === 'type' && value === 'external') return ['Connection'];
		return asksFor[name]?.[String(value)] ?? [];
	});
	if (needs.length > 0) return { sends: [], refuses: true, names: [...names, ...needs] };
	return { ...judged, names };
}

function withoutOthers(slot: Slot, given: Given): Judged {
	const { property, place, kind, needed } = slot;
	let { value } = given;
	// n8n takes the code for the value.
	if (given.how === 'expression' && property.noDataExpression) return refuse;
	if (given.how === 'literal') {
		// n8n itself puts the default in the place of nothing.
		const keepsNull = ['boolean', 'number', 'options', 'resourceLocator'].includes(property.type);
		if (value === null && !given.mode && !keepsNull) value = property.default;
		if (isLeftBlank(value) && !(kind === 'choice' && choicesOf(property).includes(value))) {
			// The editor cannot leave these blank; n8n or the service may have a default.
			if (['choice', 'boolean', 'number'].includes(kind)) {
				return { sends: [ABSENT, property.default], refuses: true };
			}
			return needed ? refuse : send(ABSENT);
		}
		// The default of a JSON field is what it shows when nothing is set.
		if (property.type === 'json' && value === property.default)
			return needed ? refuse : send(ABSENT);
		if (value === null)
			return needed ? refuse : { sends: [ABSENT, property.default], refuses: true };
	}
	if (kind === 'choice' && choicesOf(property).includes(value) && value === '') return send(ABSENT);
	if (isBlank(value, kind)) {
		if (place === 'filters' && given.ignoresBlank) return send(ABSENT);
		const maySkip =
			(place === 'additionalFields' && !needed) || (place === 'row' && !property.required);
		return maySkip && kind === 'text' && isText(value) ? send(ABSENT) : refuse;
	}
	return judge(slot, { ...given, value });
}

// --- requests -------------------------------------------------------------------------------------------------

export interface Wanted {
	route: string;
	query: Record<string, string | string[]>;
	body: unknown;
}

/** What a cleared field becomes, where that is not null: by wrapper and path. */
const emptied: Record<string, unknown> = {
	'client.address': '',
	'client.note': '',
	'client.site_ids': [],
	'team_member.company_name': '',
	'team_member.note': '',
	'team_member.site_ids': [],
	'custom_work.description': '',
	'scheduled_report.report_template_data.email.recipients': [],
};

/** Wrappers of updates by node or resource; the descriptions do not tell where Clear and JSON go. */
const wrappers: Record<string, string> = {
	'branding/loginScreenBranding': 'wp_login',
	'client/client': 'client',
	'customWork/customWork': 'custom_work',
	'reportTemplate/reportTemplate': 'report_template',
	'scheduledReport/scheduledReport': 'scheduled_report',
	'senderEmail/senderEmail': 'sender_email',
	'site/site': 'site',
	'tag/tag': 'tag',
	'teamMember/teamMember': 'team_member',
};

/** The request when this value is sent for the tried parameter. */
export function requestFor(slot: Slot, value: unknown): Wanted {
	const wanted: Wanted = { route: slot.route!, query: {}, body: undefined };
	for (const { property, literal } of slot.others) {
		if (property.type === 'fixedCollection')
			putGroup(wanted, slot, property, firstRow(property, literal));
		else if (literal !== '') put(wanted, slot, property, sentFor(property, literal));
	}
	const { property } = slot;
	if (slot.place === 'row') putTriedRow(wanted, slot, value);
	else if (value !== ABSENT) put(wanted, slot, property, value);
	return wanted;
}

/** What is sent for a valid literal. */
const sentFor = (property: INodeProperties, literal: unknown) =>
	judge({ kind: kindOf(property), property }, { how: 'literal', value: valueIn(literal) }).sends[0];

const valueIn = (literal: unknown) =>
	isObject(literal) && '__rl' in literal ? (literal as unknown as IDataObject).value : literal;

function firstRow(group: INodeProperties, literal: unknown): IDataObject {
	const [{ name, values }] = group.options as [INodePropertyCollection];
	const row = [(literal as IDataObject)[name]].flat()[0] as IDataObject;
	return filledRow(values, row);
}

/** n8n fills a row up with the defaults of its fields. */
function filledRow(values: INodeProperties[], row: IDataObject): IDataObject {
	const filled: IDataObject = {};
	for (const value of values) {
		const isShown = Object.entries(value.displayOptions?.show ?? {}).every(([by, wanted]) =>
			(wanted as unknown[]).includes(row[by]),
		);
		const given = row[value.name] ?? value.default;
		if (!isShown || given === '' || given === '{}') continue;
		filled[value.name] = sentFor(value, given) as string;
	}
	return filled;
}

function putTriedRow(wanted: Wanted, slot: Slot, value: unknown) {
	const { property } = slot;
	const group = groupOf(slot);
	const [{ values }] = group.options as [INodePropertyCollection];
	const rest = values.filter(({ name }) => name !== property.name);
	const row = filledRow(rest, exampleRow(group, values, property.name));
	if (value !== ABSENT) row[property.name] = value as string;
	putGroup(wanted, slot, group, row);
}

const groups = new Map<string, INodeProperties>();

/** Notes the groups of a description, which their fields do not tell. */
export function noteGroups({ name: node, properties }: INodeTypeDescription): void {
	const note = (property: INodeProperties, path: string[]) => {
		if (property.type === 'fixedCollection') groups.set(`${node} ${path.join('.')}`, property);
		if (property.type !== 'collection') return;
		for (const option of property.options as INodeProperties[])
			note(option, [...path, option.name]);
	};
	for (const property of properties) {
		const { resource = [], operation = [] } = property.displayOptions?.show ?? {};
		for (const in1 of resource) {
			for (const op of operation) note(property, [`${String(in1)}/${String(op)}`, property.name]);
		}
	}
}

function groupOf({ node, fixed, path }: Pick<Slot, 'node' | 'fixed' | 'path'>): INodeProperties {
	const key = `${String(fixed.resource)}/${String(fixed.operation)}`;
	return groups.get(`${node} ${[key, ...path.slice(0, -2)].join('.')}`)!;
}

/** The names of a row as the service has them. */
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function putGroup(wanted: Wanted, { fixed }: Slot, group: INodeProperties, row: IDataObject) {
	if (group.name === 'sort') {
		wanted.query.sort = `${String(row.field)},${String(row.direction)}`;
		return;
	}
	const fields = Object.fromEntries(
		Object.entries(row).map(([name, value]) => [snake(name), value]),
	);
	setAt(wanted, placeOf(group, fixed)!, groupBody(group, row, fields));
}

function groupBody(group: INodeProperties, row: IDataObject, fields: IDataObject): unknown {
	switch (group.name) {
		case 'customWorks':
			return [fields];
		case 'sections': {
			const { key, clear = [], ...section } = fields;
			const cleared = Object.fromEntries((clear as string[]).map((name) => [name, '']));
			return Object.fromEntries([[String(key), { ...section, ...cleared }]]);
		}
		case 'sites':
			return { selection: row.selection, ...(row.siteIds !== undefined && { ids: row.siteIds }) };
		case 'updates': {
			const category = (name: 'plugins' | 'themes', files: unknown) =>
				row[name] !== 'none' && {
					[name]: {
						...(row[name] !== undefined && { selection: row[name] }),
						...(files !== undefined && { filenames: files }),
					},
				};
			return {
				...(row.cmsCore !== undefined && { cms_core: row.cmsCore }),
				...category('plugins', row.pluginFileNames),
				...category('themes', row.themeFileNames),
			};
		}
		default:
			return fields;
	}
}

function setAt(wanted: Wanted, path: string, value: unknown) {
	wanted.body ??= {};
	let at = wanted.body as Record<string, unknown>;
	const names = path.split('.');
	const last = names.pop()!;
	for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>;
	at[last] = value;
}

function put(wanted: Wanted, slot: Slot, property: INodeProperties, value: unknown) {
	const { name } = property;
	const placeholder = `{${name}}`;
	if (name === 'allTime' && value === true) {
		wanted.query['filters[created_at:gte]'] ??= '2000-01-01T00:00:00Z';
		wanted.query['filters[created_at:lte]'] ??= '2100-01-01T00:00:00Z';
	}
	const type = property.routing?.send?.type;
	const to = placeOf(property, slot.fixed);
	if (type === 'body') return setAt(wanted, to!, value);
	if (type === 'query') {
		if (isList(value)) wanted.query[`${to}[]`] = value.map(String);
		else wanted.query[to!] = String(value);
		// Without a lower bound the service would look at the last seven days only.
		if (wanted.route.endsWith('/snapshots') && to === 'filters[created_at:lte]') {
			wanted.query['filters[created_at:gte]'] ??= '2000-01-01T00:00:00Z';
		}
		// The scan of one that failed says nothing.
		if (wanted.route.endsWith('/snapshots') && to === 'filters[scanner_status:eq]') {
			wanted.query['filters[status:eq]'] ??= 'succeeded';
		}
		return;
	}
	if (property.type === 'resourceLocator' && wanted.route.includes(placeholder)) {
		const id = value === ANYTHING ? '*' : encodeURIComponent(String(value));
		wanted.route = wanted.route.replace(placeholder, () => id);
		return;
	}
	const wrapper = wrappers[`${slot.node}/${String(slot.fixed.resource)}`];
	if (name === 'clear') {
		for (const path of value as string[]) {
			const place = `${wrapper}.${path}`;
			setAt(wanted, place, place in emptied ? emptied[place] : null);
		}
	} else if (name === 'additionalBodyFields') {
		for (const [key, field] of Object.entries(value as object))
			setOwn(wanted, wrapper!, key, field);
	} else if (name === 'ftpCredentials') {
		const kind = String(slot.fixed.operation) === 'migrate' ? 'migration' : 'restore';
		for (const [key, field] of Object.entries(value as object)) {
			setOwn(wanted, `${kind}.connection.credentials`, key, field);
		}
	} else if (name === 'logoBinaryField') setAt(wanted, `${wrapper}.logo_file`, value);
}

/** As `setAt`, with a last name that is taken as it is. */
function setOwn(wanted: Wanted, path: string, key: string, value: unknown) {
	setAt(wanted, `${path}.__last`, undefined);
	let at = wanted.body as Record<string, unknown>;
	for (const name of path.split('.')) at = at[name] as Record<string, unknown>;
	delete at.__last;
	at[key] = value;
}

// --- parameters -----------------------------------------------------------------------------------------------

/** The parameters of a run in which this value is given. */
export function parametersFor(slot: Slot, given: Given): INodeParameters {
	const parameters: IDataObject = { ...slot.fixed };
	for (const { property, literal, under } of slot.others) {
		const { name } = property;
		if (under) parameters[under] = { [name]: literal } as IDataObject;
		else parameters[name] = literal as string;
	}
	const leaf = leafOf(slot, given);
	const { path, property } = slot;
	if (slot.place !== 'row') {
		const [top, option] = path as [string, string?];
		parameters[top] = (option ? { [option]: leaf } : leaf) as IDataObject;
	} else {
		const group = groupOf(slot);
		const [{ name, values }] = group.options as [INodePropertyCollection];
		const row = { ...exampleRow(group, values, property.name), [property.name]: leaf };
		const filled = { [name]: group.typeOptions?.multipleValues ? [row] : row };
		parameters[path[0]!] = (path.length > 3 ? { [path[1]!]: filled } : filled) as IDataObject;
	}
	if (given.ignoresBlank) parameters.options = { ignoreBlankFilters: true };
	return parameters as INodeParameters;
}

function leafOf({ kind }: Slot, { how, mode, value, code = '$json.v' }: Given): unknown {
	const leaf = how === 'literal' ? value : `={{ ${code} }}`;
	return kind === 'id' && mode ? { __rl: true, mode, value: leaf } : leaf;
}
