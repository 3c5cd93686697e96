import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyOptions,
	INodePropertyRouting,
} from 'n8n-workflow';
import type { Simplified } from '../receive/output';
import { renamed, simplified } from '../receive/output';
import { fileSender, sender } from '../transport/send';
import type { Finish } from '../transport/wait';
import { endOfTask } from '../transport/wait';
import type { Field } from './checks';
import type { Clearable } from './fields';
import {
	additionalFields,
	fileFields,
	filterFields,
	inBody,
	listOf,
	outputFields,
	pageFields,
	sortFields,
	timezone,
	queryOptions,
	updateFields,
	waitFields,
} from './fields';
import type { Filters } from './filters';
import { locators } from './locators';

/** Method and path as the API reference writes them; `{tagId}` becomes the locator of that name. */
export type Route = `${'GET' | 'POST' | 'DELETE'} /${string}`;

/** Texts and value of one entry of the Operation dropdown. */
export interface Labels {
	name: string;
	value: string;
	/** Sentence case, such as `Create a tag`; shown in the node creator. */
	action: string;
	/** Says more than the action where that helps. */
	description?: string;
}

/** How a record of more than ten fields is returned: its top-level fields, and what Simplified keeps of them. */
export interface Output {
	fields: string[];
	simplified: Simplified;
}

/** What an operation's answer becomes, where that is not its records as they are. */
interface Answer {
	output?: Output;
	/** New names of fields: `{ url: 'sso_login_url' }`. */
	renamed?: Record<string, string>;
	/** Whether it is a file, which goes into a binary field. */
	file?: boolean;
	/** Whether it is a task, for whose end the operation can wait. */
	startsTask?: boolean;
	/** What else the operation waits for. */
	finish?: Finish;
}

export interface Operation {
	labels: Labels;
	route: Route;
	fields: INodeProperties[];
	answer: Answer;
}

/** An operation of any form; the builders below are short words for the usual ones. */
export function operation(
	labels: Labels,
	route: Route,
	fields: INodeProperties[] = [],
	answer: Answer = {},
): Operation {
	const { output, file, startsTask } = answer;
	const optional = fields.findIndex(({ type }) => type === 'collection');
	const end = optional < 0 ? fields.length : optional;
	return {
		labels,
		route,
		// What most people leave alone comes last.
		fields: [
			...fields.slice(0, end),
			...(startsTask ? waitFields : []),
			...(output ? outputFields(output.fields) : []),
			...(file ? fileFields : []),
			...fields.slice(end),
		],
		answer,
	};
}

interface List {
	filters?: Filters;
	sortBy?: string[];
	/** Whether the list takes the `timezone` parameter; most do. */
	timezone?: boolean;
	/** Further query parameters by their keys. */
	options?: Record<string, Field>;
	output?: Output;
}

/** A paged list with Return All, Limit, Filters and Sort. */
export function getMany(
	action: string,
	route: Route,
	{ filters = {}, sortBy = [], timezone: takesZone = true, options = {}, output }: List = {},
): Operation {
	return operation(
		{ name: 'Get Many', value: 'getAll', action },
		route,
		[
			...pageFields,
			...filterFields(filters),
			...sortFields(sortBy),
			...queryOptions({ ...options, ...(takesZone && { timezone }) }),
		],
		{ output },
	);
}

/** A single record by its id. */
export function get(action: string, route: Route, output?: Output): Operation {
	return operation({ name: 'Get', value: 'get', action }, route, [], { output });
}

interface Create {
	/** The object in the body that holds the fields. */
	wrapper: string;
	required: Field[];
	optional?: Field[];
	/** Whether the reference leaves field names open, so that the user can add fields as JSON. */
	openBody?: boolean;
	/** Whether the record is made by a task. */
	startsTask?: boolean;
	notice?: string;
}

/** A new record: required fields at the top, optional ones under Additional Fields. */
export function create(
	action: string,
	route: Route,
	{ wrapper, required, optional = [], openBody, startsTask, notice }: Create,
): Operation {
	return operation(
		{ name: 'Create', value: 'create', action },
		route,
		[
			...(notice ? [warning(notice)] : []),
			...required.map((field) => inBody(wrapper, { ...field, required: true })),
			...additionalFields(wrapper, optional, { openBody }),
		],
		{ startsTask },
	);
}

interface Update {
	/** The object in the body that holds the fields. */
	wrapper: string;
	fields: Field[];
	/** What can be emptied. */
	clear?: Clearable;
	/** As for a create. */
	openBody?: boolean;
	notice?: string;
}

/** Changes of a record: only what the user adds is sent. */
export function update(
	action: string,
	route: Route,
	{ wrapper, fields, notice, ...more }: Update,
): Operation {
	return operation({ name: 'Update', value: 'update', action }, route, [
		...(notice ? [warning(notice)] : []),
		...updateFields(wrapper, fields, more),
	]);
}

/** Deletes a record; the notice says what that means for the live site or the account. */
export function remove(action: string, route: Route, notice?: string): Operation {
	const what = action.replace(/^Delete an? /, '');
	return operation({ name: 'Delete', value: 'delete', action }, route, [
		warning(notice ?? `This deletes the ${what}. ${forGood}`),
	]);
}

/** For notices of what cannot be undone. */
export const forGood = 'The service has no operation that brings it back.';

/** One call for many ids; each id becomes an item that tells whether it succeeded. */
export function bulk(labels: Labels, route: Route, ids: Field, notice?: string): Operation {
	const entries = listOf({ ...ids, required: true });
	const description = `${entries.description} Each becomes an item of output that tells whether it succeeded.`;
	return operation(labels, route, [
		...(notice ? [warning(notice)] : []),
		inBody(undefined, { ...entries, description }),
	]);
}

/** A line above the fields that says what an operation does to a live site. */
export function warning(text: string): INodeProperties {
	return { displayName: text, name: 'notice', type: 'notice', default: '' };
}

/** A resource of a node: an entry of the Resource dropdown with its operations and their fields. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}

export function resource(name: string, value: string, operations: Operation[]): Resource {
	return { name, value, operations };
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

/**
 * All properties of a node: Resource, Operation, and each operation's fields, in this order.
 * @param resources the first is the one that a new node starts with
 */
export function properties(resources: [Resource, ...Resource[]]): INodeProperties[] {
	const { value: firstResource } = resources[0];
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })).sort(byName),
			default: firstResource,
			routing: { send: { paginate: true } },
		},
		...resources.map(operationSelector),
		...commonLocators(resources),
		...resources.flatMap(fieldsOf),
	];
}

function operationSelector({ value, operations }: Resource): INodeProperties {
	const options = operations.map(optionOf).sort(byName);
	const usual = operations.find(({ labels }) => labels.value === 'getAll') ?? operations[0]!;
	const usualOperation = usual.labels.value;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options,
		default: usualOperation,
	};
}

function optionOf({ labels, route, answer }: Operation): INodePropertyOptions {
	const [method, url] = route.split(' ') as ['GET' | 'POST' | 'DELETE', string];
	return {
		description: labels.action,
		...labels,
		routing: {
			request: { method, url },
			...senderOf(answer),
		},
	};
}

function senderOf({ output, renamed: names, file, ...more }: Answer): INodePropertyRouting {
	if (file) return { operations: { pagination: fileSender() } };
	const shape = output ? simplified(output.simplified) : names && renamed(names);
	const finish = more.startsTask ? endOfTask : more.finish;
	return shape || finish ? { operations: { pagination: sender({ shape, finish }) } } : {};
}

/**
 * A locator that every operation of a resource asks for is one property for all such resources: n8n evaluates each
 * property of the name for each item, also those that are not shown.
 */
function commonLocators(resources: Resource[]): INodeProperties[] {
	const users = resources.flatMap(({ value, operations }) =>
		locatorsOf(operations)
			.filter(({ isCommon }) => isCommon)
			.map(({ name, used }) => ({ name, value, used })),
	);
	return [...new Set(users.map(({ name }) => name))].map((name) => {
		const same = users.filter((user) => user.name === name);
		const resource = same.map(({ value }) => value);
		const operation = [...new Set(same.flatMap(({ used }) => used))];
		return { ...locators[name]!, displayOptions: { show: { resource, operation } } };
	});
}

function fieldsOf({ value, operations }: Resource): INodeProperties[] {
	return [
		...locatorsOf(operations)
			.filter(({ isCommon }) => !isCommon)
			.map(({ name, used }) => shownFor(locators[name]!, value, used)),
		...operations.flatMap(({ labels, fields }) =>
			fields.map((field) => shownFor(field, value, [labels.value])),
		),
	];
}

/** Locators are shared by the operations whose paths ask for them, so that a chosen site stays chosen. */
function locatorsOf(operations: Operation[]) {
	const names = new Set(operations.flatMap(({ route }) => idsOf(route)));
	return [...names].map((name) => {
		const used = operations
			.filter(({ route }) => idsOf(route).includes(name))
			.map(({ labels }) => labels.value);
		return { name, used, isCommon: used.length === operations.length };
	});
}

const idsOf = (route: string) => [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

function shownFor(field: INodeProperties, resourceValue: string, used: string[]): INodeProperties {
	const show: IDisplayOptions['show'] = {
		resource: [resourceValue],
		operation: used,
		...field.displayOptions?.show,
	};
	return { ...field, displayOptions: { ...field.displayOptions, show } };
}
