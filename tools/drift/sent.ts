import type { IDataObject, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import * as tables from '../../nodes/resources';
import { wireName, type Convert, type Field } from '../../nodes/shared/input/field';
import { convertOf } from '../../nodes/shared/input/convert';
import { holderOf } from '../../nodes/shared/input/value';
import type { Operation, Resource } from '../../nodes/shared/operation/index';
import { MAX_PER_PAGE } from '../../nodes/shared/client/records';
import { routes } from '../../sandbox/service/modules';
import { anyId, filesIn, reference } from '../../test/support/reference';
import { answerOf, type ExpectedAnswer } from './answers';
import { listOf, put, textValue, withLimits, type Value } from './value';

const resources = Object.values(tables);

/** An operation of the nodes: what it sends, and what it takes as the answer. */
export interface NodeOperation {
	/** The table that it stands in: `nodes/Tag/resources/tag.ts`. */
	file: string;
	/** As in the editor: `Tag: Get Many`. */
	name: string;
	/** Its name in the API reference. */
	id?: string;
	/** `GET /tags/{}`: the names of ids do not matter. */
	route: string;
	/** Query parameters by their keys, without the `[]` of lists. */
	query: Map<string, Value>;
	/** None when nothing is sent. */
	body?: Value;
	answer: ExpectedAnswer;
	/** The status of a success, by the reference. */
	status: number;
}

const utc = { getTimezone: () => 'utc' };

const files = filesIn('nodes');

const fileOf = (resource: string) =>
	files.find((file) => file.endsWith(`/resources/${resource}.ts`)) ?? 'nodes/resources.ts';

/**
 * All operations of the action nodes that are one request, from the tables that their descriptions and requests are
 * made of; the others send requests of these.
 */
export const nodeOperations = (): NodeOperation[] =>
	resources.flatMap((resource) =>
		resource.operations
			.filter(({ composed }) => !composed)
			.map((one) => operationOf(resource, one)),
	);

function operationOf({ name, value }: Resource, one: Operation): NodeOperation {
	const route = anyId(one.route);
	const query = new Map<string, Value>();
	const body: Value = {};
	if (one.answer.kind === 'list') {
		query.set('page', { type: 'number', isAlways: true });
		query.set('perPage', { type: 'number', isAlways: true, maximum: MAX_PER_PAGE });
	}
	for (const field of one.fields) {
		const { belongsTo, required = false, type } = field;
		// With other choices, the operation may make the value itself.
		const isMade = one.looksUp !== undefined && belongsTo !== undefined && required;
		const asked = isMade ? { ...field, required: false } : field;
		if (type !== 'collection') place(asked, { query, body }, isAlways(field) || isMade);
		else for (const option of field.options as Field[]) place(option, { query, body });
		if (field.needsOne) for (const wrapper of body.parts!.values()) wrapper.isAlways = true;
	}
	const isSent = [...(body.parts?.values() ?? [])].some(({ isAlways: always }) => always);
	const described = routes.find(({ method, path: at }) => anyId(`${method} ${at}`) === route)!;
	for (const [key, sent] of query) {
		const schema = described.query?.[key] ?? described.query?.[`${key}[]`];
		if (schema) query.set(key, withLimits(sent, schema));
	}
	return {
		file: fileOf(value),
		name: `${name}: ${one.labels.name}`,
		id: reference.find((known) => anyId(known.route) === route)?.id,
		route,
		query,
		...(body.parts && { body: { ...withLimits(body, described.body), isAlways: isSent } }),
		answer: answerOf(one.answer),
		status: described.status,
	};
}

type Sent = Pick<Required<NodeOperation>, 'query' | 'body'>;

/** Puts what a field sends where it belongs. */
function place(field: Field, { query, body }: Sent, always = false): void {
	const { target } = field;
	if (!target) return;
	const { type, property } = target;
	switch (type) {
		case 'query':
			query.set(property, { ...queryValue(field, property), isAlways: always });
			break;
		case 'body':
			put(body, property, { ...valueOf(field), ...needOf(field, always) });
			break;
		case 'dataUri':
			put(body, property, textValue);
			break;
		case 'merge':
			put(body, property, { type: 'object', isOpen: true });
			break;
		case 'clear':
			for (const [name, empty] of Object.entries(target.empty)) {
				if (empty === null) put(body, `${property}.${name}`, { mayBeNull: true });
			}
	}
}

/** Kept apart from what stands at the place already, which may say that it is always there. */
const needOf = ({ required }: Field, isAlways: boolean): Value =>
	isAlways ? { isAlways, ...(required && { isDemanded: true }) } : {};

/** Types that always have a value in the editor. */
const NEVER_BLANK = ['boolean', 'number', 'options'];

function isAlways({ type, required, belongsTo, options = [] }: Field): boolean {
	if (belongsTo) return false;
	const canBeBlank = (options as INodePropertyOptions[]).some(({ value }) => value === '');
	return required === true || (NEVER_BLANK.includes(type) && !canBeBlank);
}

/** In a query all is text. */
function queryValue(field: Field, key: string): Value {
	const value = key === 'sort' ? sortValue(field) : valueOf(field);
	return value.type === 'boolean' ? { ...value, values: ['true', 'false'] } : value;
}

function sortValue(field: Field): Value {
	const [{ values }] = field.options as [INodePropertyCollection];
	const [keys, directions] = values.map(({ options }) => options as INodePropertyOptions[]);
	const orders = keys!.flatMap((key) =>
		directions!.map((direction) => field.as!({ key: key.value, direction: direction.value }, utc)),
	);
	return { ...textValue, values: orders.map(String) };
}

/** What a field makes of what the user sets. */
function valueOf(field: Field): Value {
	const { type, typeOptions } = field;
	switch (type) {
		case 'boolean':
		case 'number':
			return { type };
		case 'dateTime':
			return { ...textValue, format: typeOptions?.dateOnly ? 'date' : 'date-time' };
		case 'fixedCollection':
			return groupValue(field);
		case 'json':
			return { type: 'object', isOpen: true };
		case 'multiOptions':
			return listOf(choice(field));
		case 'options':
			return choice(field);
		default:
			return isList(field) ? listOf(textValue) : textValue;
	}
}

/** Options that are loaded from the service are ids, which are not known here. */
function choice({ typeOptions, options = [] }: Field): Value {
	if (typeOptions?.loadOptionsMethod) return textValue;
	const values = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	return { ...textValue, values: values.filter((value) => value !== '') };
}

/** Texts of which each conversion takes one. */
const samples = [
	...['owner@example.com', '7', 'https://example.com', '#2f80ed', '203.0.113.7', '03:30:00Z'],
	'data:image/png;base64,iVBORw0KGgo=',
];

/** Only the conversion knows whether a text becomes a list. */
function isList(field: Field): boolean {
	for (const sample of samples) {
		try {
			return Array.isArray(convertOf(field)(sample, utc));
		} catch {
			// It takes another form.
		}
	}
	throw new Error(
		`tools/drift/sent.ts: add a sample that the parameter "${field.displayName}" takes`,
	);
}

/** A group of fields, or rows of them. */
function groupValue({ options, typeOptions, as }: Field): Value {
	const [{ values }] = options as [INodePropertyCollection];
	const isRows = typeOptions?.multipleValues === true;
	const group: Value = { type: 'object' };
	for (const field of values as Field[]) {
		const value = { ...valueOf(field), isAlways: isAlways(field) };
		const name = field.wire ?? wireName(field.name);
		put(group, name, as && !isRows ? withoutDropped(value, name, as) : value);
	}
	// That holds within the group, which itself may be left out.
	delete group.isAlways;
	if (!isRows) return group;
	if (!as) return listOf(group);
	// Rows by their key, in which Clear empties other fields.
	for (const name of ['key', 'clear']) group.parts!.delete(name);
	return { type: 'object', parts: new Map([['*', group]]) };
}

/** Without the choices that the conversion of the group takes out: they are never sent. */
function withoutDropped(value: Value, name: string, as: Convert): Value {
	const stays = (text: string) => {
		const row: IDataObject = {};
		const [holder, key] = holderOf(row, name);
		holder[key] = text;
		return Object.keys(as(row, utc) as object).length > 0;
	};
	return value.values ? { ...value, values: value.values.filter(stays) } : value;
}
