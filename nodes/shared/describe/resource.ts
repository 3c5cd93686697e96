import type { IHttpRequestMethods, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Effect } from '../access/effects';
import { longestResult } from '../input/controls';
import type { Field } from '../input/field';
import { locators } from '../input/locators';
import { allowHacked } from '../input/snapshot';
import { wireName } from '../input/field';
import { omit } from '../lib/omit';
import type {
	Adds,
	Answer,
	Labels,
	Operation,
	Output,
	Place,
	RecordAnswer,
	Resource,
	Route,
	TaskResult,
} from '../operation';
import { describedAs, describedWithCosts, idsOf, judged, onlyReads, partsOf } from '../operation';
import { collectionOf, recordNameOf } from '../vocabulary/collections';
import { counting } from './composed';
import type { Clearable } from './fields';
import {
	additionalFields,
	answerFields,
	described,
	inBody,
	queryOptions,
	routingOf,
	updateFields,
	warning,
} from './fields';
import type { Filters } from './filters';
import { listFields, timezone } from './filters';
import { safetyFields } from './safety';
import { ofOperation, wordsOf } from './byOperation';
import { toolDescription } from './tool';

/** An answer as the tables write it. Without a kind it is the record that the path is about. */
type Given = Answer | (Omit<RecordAnswer, 'kind'> & { kind?: undefined });

/** Labels of an operation named by its verb: `Enable backups` is Enable with the value `enable`. */
export function verb(action: string, description?: string): Labels {
	const [name = ''] = action.split(' ');
	return { name, value: name.toLowerCase(), action, description };
}

/** An operation of any form. The builders below are for the common ones. */
export function operation<R extends Route>(
	labels: Labels,
	place: Place<R>,
	fields: Field[] = [],
	given: Given = {},
): Operation {
	const { route, touches } = judged(place);
	const answer: Answer = given.kind
		? given
		: { wrapper: recordNameOf(route), ...given, kind: 'record' };
	const optional = fields.findIndex(({ type }) => type === 'collection');
	const end = optional < 0 ? fields.length : optional;
	return {
		labels,
		route,
		touches,
		effects: route.startsWith('GET ') ? ['reads'] : [],
		isFinal: false,
		// Collections come last: few people need them.
		fields: [...fields.slice(0, end), ...answerFields(answer), ...fields.slice(end)],
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
	/** New names of fields. */
	renamed?: Record<string, string>;
}

/** A paged list with Return All, Limit, Filters and Sort. */
export function getMany<R extends Route>(
	action: string,
	place: Place<R>,
	{
		filters = {},
		sortBy = [],
		timezone: takesZone = true,
		options = {},
		output,
		renamed,
	}: List = {},
): Operation {
	return operation<R>(
		{ name: 'Get Many', value: 'getAll', action },
		place,
		listFields(filters, sortBy, { ...options, ...(takesZone && { timezone }) }),
		{ kind: 'list', wrapper: collectionOf(judged(place).route), output, renamed },
	);
}

/** An operation that is named by its verb and has no fields of its own. */
export function act<R extends Route>(
	action: string,
	place: Place<R>,
	{ description, ...answer }: Given & Pick<Labels, 'description'> = {},
): Operation {
	return operation<R>(verb(action, description), place, [], answer);
}

/** A single record by its ID. */
export const get = act;

interface Create extends Pick<RecordAnswer, 'output' | 'openBody'> {
	/** Effects that its body can add. */
	adds?: readonly Adds[];
	/** The object in the body that holds the fields. */
	wrapper: string;
	required: Field[];
	optional?: Field[];
	/** The result of the task that creates the record, if a task does. */
	task?: TaskResult;
}

/** A new record: required fields at the top, optional ones under Additional Fields. */
export function create<R extends Route>(
	action: string,
	place: Place<R>,
	{ required, optional = [], task: result, adds, ...answer }: Create,
): Operation {
	const { wrapper, openBody } = answer;
	return {
		...operation<R>(
			{ name: 'Create', value: 'create', action },
			place,
			[
				...required.map((field) => inBody(wrapper, { ...field, required: true })),
				...additionalFields(wrapper, optional, { openBody, needsOne: required.length === 0 }),
			],
			result ? { kind: 'task', result } : answer,
		),
		adds,
		renames: true,
	};
}

interface Update extends Omit<RecordAnswer, 'kind'> {
	/** Effects that its body can add. */
	adds?: readonly Adds[];
	/** The object in the body that holds the fields. */
	wrapper: string;
	fields: Field[];
	/** Fields that can be emptied. */
	clear?: Clearable;
	notice?: string;
	description?: string;
}

/** Changes a record. Only what the user adds is sent. */
export function update<R extends Route>(
	action: string,
	place: Place<R>,
	{ fields, clear, notice, description, adds, ...answer }: Update,
): Operation {
	const { wrapper, openBody } = answer;
	return {
		...operation<R>(
			verb(action, description),
			place,
			[...(notice ? [warning(notice)] : []), ...updateFields(wrapper, fields, { clear, openBody })],
			// A new ID is in the answer alone.
			{ ...answer, settles: !answer.newIdIf },
		),
		adds,
		renames: true,
		replacesLists: true,
	};
}

/** Deletes a record. @param consequence see `irreversible` */
export function remove<R extends Route>(
	action: string,
	place: Place<R>,
	consequence = `the ${action.replace(/^Delete /, '')} cannot be restored`,
	hint?: string,
): Operation {
	return irreversible(consequence, renaming(act<R>(action, place, { kind: 'nothing' })), hint);
}

/**
 * Marks an operation as irreversible: its description and a notice say so, and Only If can guard it.
 * @param consequence a clause such as `overwrites the live site`
 * @param hint a sentence for the notice alone
 */
export const irreversible = (consequence: string, one: Operation, hint?: string): Operation => ({
	...withSideEffect(consequence, one, hint),
	effects: one.effects.length > 0 ? one.effects : ['destroys'],
	isFinal: true,
});

/**
 * Marks an operation that uses a snapshot. It refuses a hacked one unless the user allows it. @param options further
 * ones
 */
export const fromGoodSnapshot = (one: Operation, ...options: Field[]): Operation => ({
	...one,
	needsGoodSnapshot: true,
	beside: { snapshot_created_at: 'string', snapshot_scanner_status: 'string', ...one.beside },
	fields: [...one.fields, ...queryOptions({}, [allowHacked, ...options])],
});

/** Marks an operation that can give a record another ID, or remove a name. */
export const renaming = (one: Operation): Operation => ({ ...one, renames: true });

/** Adds a consequence to the description and a notice. @param consequence see `irreversible` */
export function withSideEffect(consequence: string, one: Operation, hint?: string): Operation {
	const { labels, fields } = one;
	const sentence = `${consequence[0]!.toUpperCase()}${consequence.slice(1)}.`;
	const what = describedAs(labels);
	return {
		...one,
		labels: {
			...labels,
			consequence,
			description: what.endsWith('.') ? `${what} ${sentence}` : `${what}: ${consequence}`,
		},
		fields: [warning([sentence, hint].filter(Boolean).join(' ')), ...fields],
	};
}

/**
 * One request for many IDs. Each ID becomes an item that shows whether it succeeded.
 * @param ids a list
 */
export function bulk<R extends Route>(labels: Labels, place: Place<R>, ids: Field): Operation {
	const description = `${ids.description} Each becomes an output item that shows whether it succeeded.`;
	return operation<R>(labels, place, [inBody(undefined, { ...ids, required: true, description })], {
		kind: 'bulk',
		wrapper: collectionOf(judged(place).route),
		ids: ids.wire ?? wireName(ids.name),
	});
}

/** The effects of a resource's changes: the usual one, and exceptions by operation. */
type Does = Effect | ({ usual: Effect } & Readonly<Record<string, Effect | readonly Effect[]>>);

/** A resource with its operations, their safety options, and Count for each list. */
export function resource(
	name: string,
	value: string,
	does: Does,
	operations: Operation[],
): Resource {
	const { usual, ...others } = typeof does === 'string' ? { usual: does } : does;
	const complete = (one: Operation): Operation => {
		const own = others[one.labels.value] ?? (one.effects.length > 0 ? one.effects : usual);
		const whole = { ...one, effects: [own].flat() };
		return { ...whole, fields: [...whole.fields, ...safetyFields(whole)] };
	};
	const all = operations.flatMap((one) =>
		one.answer.kind === 'list' ? [one, counting(one)] : [one],
	);
	return { name, value, operations: all.map(complete) };
}

/** A new node starts with the first. */
export type Resources = [Resource, ...Resource[]];

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

/** All properties of a node: Resource, Operation, and each operation's fields, in this order. */
export function properties(resources: Resources): INodeProperties[] {
	const { value: firstResource } = resources[0];
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(resourceOption).sort(byName),
			default: firstResource,
			routing: { send: { paginate: true } },
		},
		...resources.map(operationSelector),
		toolDescription(resources),
		...shared(resources).flatMap(shown),
	];
}

/** A resource, described by its operations. */
const resourceOption = ({ name, value, operations }: Resource) => ({
	name,
	value,
	description: operations.map(({ labels }) => labels.name).join(', '),
});

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

function optionOf(one: Operation): INodePropertyOptions {
	const { name, value, action } = one.labels;
	const { method: verb, template } = partsOf(one.route);
	// The request to any route takes both from parameters.
	const isAny = one.route.startsWith('ANY ');
	const method = (isAny ? '={{ $parameter["method"] }}' : verb) as IHttpRequestMethods;
	const url = isAny ? '={{ $parameter["path"] }}' : template;
	const routing = { request: { method, url } };
	return { name, value, action, description: describedWithCosts(one), routing };
}

/** A field, and the operations that have it with the place of the value. */
interface Shared {
	field: Field;
	uses: Array<{ resource: Resource; operation: string; place?: string }>;
}

/**
 * The fields of all operations, in their order. Equal fields are merged, wherever their values go, because n8n
 * evaluates every property for every item, also hidden ones.
 */
function shared(resources: Resource[]): Shared[] {
	const all: Array<Shared & { text: string }> = [];
	for (const resource of resources) {
		for (const one of resource.operations) {
			let next = 0;
			const ids = idsOf(one.route).map((name) => locators[name]);
			for (const field of [...(onlyReads(one) ? [longestResult] : []), ...ids, ...one.fields]) {
				const text = JSON.stringify(described(omit(field, 'target')));
				const same = all.findIndex((each, index) => index >= next && each.text === text);
				if (same < 0) all.splice(next, 0, { field, uses: [], text });
				else next = same;
				const place = routingOf(field.target).routing?.send?.property;
				all[next]!.uses.push({ resource, operation: one.labels.value, place });
				next += 1;
			}
		}
	}
	return all;
}

/** The properties of a field: one, unless n8n would show it with an operation without it. */
function shown({ field, uses }: Shared): INodeProperties[] {
	const parts: Array<{ resources: Resource[]; operations: string[] }> = [];
	const isUse = (resource: Resource, name: string) =>
		uses.some((use) => use.resource === resource && use.operation === name);
	for (const resource of new Set(uses.map((use) => use.resource))) {
		const operations = uses.filter((use) => use.resource === resource).map((use) => use.operation);
		const part = parts.find((each) => {
			const names = [...each.operations, ...operations];
			// n8n combines all names of operations with all resources.
			return [...each.resources, resource].every((one) =>
				one.operations.every(
					({ labels: { value } }) => !names.includes(value) || isUse(one, value),
				),
			);
		});
		if (part) {
			part.resources.push(resource);
			part.operations = [...new Set([...part.operations, ...operations])];
		} else parts.push({ resources: [resource], operations });
	}
	return parts.map(({ resources, operations }) => ({
		...described(field),
		...routingBy(field, uses),
		displayOptions: {
			...field.displayOptions,
			show: {
				resource: resources.map(({ value }) => value),
				operation: operations,
				...field.displayOptions?.show,
			},
		},
	}));
}

/** If the place depends on the operation, an expression names it. */
function routingBy({ target }: Field, uses: Shared['uses']): Pick<INodeProperties, 'routing'> {
	const send = routingOf(target).routing?.send;
	if (!send || uses.every(({ place }) => place === send.property)) return {};
	const places = wordsOf(
		uses.map(({ resource, operation, place = '' }): [string, string] => [
			`${resource.value} ${operation}`,
			place,
		]),
	);
	return { routing: { send: { ...send, property: `={{ ${ofOperation(places)} }}` } } };
}
