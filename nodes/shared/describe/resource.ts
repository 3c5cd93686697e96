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
	Judged,
	Labels,
	Operation,
	Output,
	Place,
	RecordAnswer,
	Resource,
	Route,
	TaskResult,
} from '../operation';
import { describedAs, describedWithCosts, idsOf, judged, onlyReads } from '../operation';
import { collectionOf, recordNameOf } from '../vocabulary/collections';
import { counting } from './composed';
import type { Clearable } from './fields';
import {
	additionalFields,
	described,
	fileFields,
	filterFields,
	inBody,
	listControls,
	outputFields,
	pageFields,
	queryOptions,
	routingOf,
	sortFields,
	timezone,
	updateFields,
	waitedFields,
	syncWaitFields,
	waitFields,
	waitOptions,
} from './fields';
import type { Filters } from './filters';
import { safetyFields } from './safety';
import { ofOperation, wordsOf } from './byOperation';
import { toolDescription } from './tool';

/** An answer as the tables write it: without a kind it is a record, by default the one that the path is about. */
type Given = Answer | (Omit<RecordAnswer, 'kind'> & { kind?: undefined });

/** An operation of any form; the builders below are short words for the usual ones. */
export const operation = <R extends Route>(
	labels: Labels,
	place: Place<R>,
	fields: Field[] = [],
	answer: Given = {},
): Operation => built(labels, place, fields, answer);

function built(labels: Labels, place: Route | Judged, fields: Field[], given: Given): Operation {
	const { route, touches } = judged(place);
	const answer: Answer = given.kind
		? given
		: { wrapper: recordNameOf(route), ...given, kind: 'record' };
	const output = 'output' in answer ? answer.output : undefined;
	const result = 'result' in answer ? answer.result : undefined;
	const optional = fields.findIndex(({ type }) => type === 'collection');
	const end = optional < 0 ? fields.length : optional;
	return {
		labels,
		route,
		touches,
		effects: route.startsWith('GET ') ? ['reads'] : [],
		isFinal: false,
		// What most people leave alone comes last.
		fields: [
			...fields.slice(0, end),
			...(answer.kind === 'task' ? waitFields : []),
			...(answer.kind === 'sync' ? syncWaitFields : []),
			...(result ? waitedFields(result.output.fields) : []),
			...(answer.kind === 'wait' ? waitOptions : []),
			...(output ? outputFields(output.fields) : []),
			...(answer.kind === 'file' ? fileFields : []),
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
	return built(
		{ name: 'Get Many', value: 'getAll', action },
		place,
		[
			...pageFields,
			...filterFields(filters),
			...sortFields(sortBy),
			...queryOptions({ ...options, ...(takesZone && { timezone }) }, listControls(filters)),
		],
		{ kind: 'list', wrapper: collectionOf(judged(place).route), output, renamed },
	);
}

/** A single record by its id. */
export function get<R extends Route>(
	action: string,
	place: Place<R>,
	{ description, ...answer }: Given & Pick<Labels, 'description'> = {},
): Operation {
	return built({ name: 'Get', value: 'get', action, description }, place, [], answer);
}

interface Create extends Pick<RecordAnswer, 'output' | 'unshown' | 'openBody'> {
	/** What its body can add to what it does. */
	adds?: readonly Adds[];
	/** The object in the body that holds the fields. */
	wrapper: string;
	required: Field[];
	optional?: Field[];
	/** What comes of the task that makes the record, where one does. */
	task?: TaskResult;
}

/** A new record: required fields at the top, optional ones under Additional Fields. */
export function create<R extends Route>(
	action: string,
	place: Place<R>,
	{ required, optional = [], task: result, adds, ...answer }: Create,
): Operation {
	const { wrapper, openBody } = answer;
	const one = built(
		{ name: 'Create', value: 'create', action },
		place,
		[
			...required.map((field) => inBody(wrapper, { ...field, required: true })),
			...additionalFields(wrapper, optional, { openBody, needsOne: required.length === 0 }),
		],
		result ? { kind: 'task', result } : answer,
	);
	return { ...one, adds };
}

interface Update extends Omit<RecordAnswer, 'kind'> {
	/** What its body can add to what it does. */
	adds?: readonly Adds[];
	/** The object in the body that holds the fields. */
	wrapper: string;
	fields: Field[];
	/** What can be emptied. */
	clear?: Clearable;
	notice?: string;
	description?: string;
}

/** Changes of a record: only what the user adds is sent. */
export function update<R extends Route>(
	action: string,
	place: Place<R>,
	{ fields, clear, notice, description, adds, ...answer }: Update,
): Operation {
	const { wrapper, openBody } = answer;
	const one = built(
		{ name: 'Update', value: 'update', action, description },
		place,
		[...(notice ? [warning(notice)] : []), ...updateFields(wrapper, fields, { clear, openBody })],
		answer,
	);
	return { ...one, adds };
}

/** Deletes a record. @param consequence see `irreversible` */
export function remove<R extends Route>(
	action: string,
	place: Place<R>,
	consequence = `the ${action.replace(/^Delete /, '')} cannot be restored`,
	hint?: string,
): Operation {
	const labels = { name: 'Delete', value: 'delete', action };
	return irreversible(consequence, built(labels, place, [], { kind: 'nothing' }), hint);
}

/**
 * Marks what cannot be taken back. The consequence is in the description and in a notice, and Only If guards it.
 * @param consequence a clause such as `overwrites the live site`
 * @param hint a sentence for the notice alone
 */
export const irreversible = (consequence: string, one: Operation, hint?: string): Operation => ({
	...withSideEffect(consequence, one, hint),
	effects: one.effects.length > 0 ? one.effects : ['destroys'],
	isFinal: true,
});

/** Marks what puts a snapshot to use: it takes no hacked one unless the user wants that. @param options further ones */
export const fromGoodSnapshot = (one: Operation, ...options: Field[]): Operation => ({
	...one,
	needsGoodSnapshot: true,
	beside: { snapshot_created_at: 'string', snapshot_scanner_status: 'string', ...one.beside },
	fields: [...one.fields, ...queryOptions({}, [allowHacked, ...options])],
});

/** Says what an operation brings about besides what its name tells. @param consequence see `irreversible` */
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
 * One call for many ids; each id becomes an item that tells whether it succeeded.
 * @param ids a list
 */
export function bulk<R extends Route>(labels: Labels, place: Place<R>, ids: Field): Operation {
	const description = `${ids.description} Each becomes an output item that shows whether it succeeded.`;
	return built(labels, place, [inBody(undefined, { ...ids, required: true, description })], {
		kind: 'bulk',
		wrapper: collectionOf(judged(place).route),
		ids: ids.wire ?? wireName(ids.name),
	});
}

/** A line above the fields that says what an operation does to a live site. */
export function warning(text: string): Field {
	return { displayName: text, name: 'notice', type: 'notice', default: '' };
}

/** What the operations of a resource do: its usual changes, and those by their value that do another thing. */
type Does = Effect | ({ usual: Effect } & Readonly<Record<string, Effect | readonly Effect[]>>);

/** A resource with its operations, each with what keeps it from doing harm; with a list comes its Count. */
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

/** The first is the one that a new node starts with. */
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
		...shared(resources).flatMap((field) => shown(field, resources)),
	];
}

/** A resource, by what can be done with it. */
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

/** A request of which the parameters say all. */
const PARAMETER = {
	method: '={{ $parameter["method"] }}' as IHttpRequestMethods,
	path: '={{ $parameter["path"] }}',
};

function optionOf(one: Operation): INodePropertyOptions {
	const { labels, route } = one;
	const { name, value, action } = labels;
	const [method, url] = route.split(' ') as [IHttpRequestMethods, string];
	const isAny = route.startsWith('ANY ');
	const request = isAny ? { method: PARAMETER.method, url: PARAMETER.path } : { method, url };
	return { name, value, action, description: describedWithCosts(one), routing: { request } };
}

/** What the panel shows of an operation. */
const panelFields = (one: Operation): Field[] => [
	...(onlyReads(one) ? [longestResult] : []),
	...idsOf(one.route).map((name) => locators[name]),
	...one.fields,
];

/** A field, and where the operations that have it put its value, by their resource. */
interface Shared {
	field: Field;
	used: Map<Resource, Array<[operation: string, field: Field]>>;
}

/**
 * The fields of all operations, each in the order of its operations. What several have alike is one of them, wherever
 * its value goes: n8n evaluates each property for each item, also those that are not shown.
 */
function shared(resources: Resource[]): Shared[] {
	const all: Array<Shared & { text: string }> = [];
	for (const resource of resources) {
		for (const one of resource.operations) {
			let place = 0;
			for (const field of panelFields(one)) {
				const text = JSON.stringify(described(omit(field, 'target')));
				const same = all.findIndex((each, index) => index >= place && each.text === text);
				if (same < 0) all.splice(place, 0, { field, used: new Map(), text });
				else place = same;
				const { used } = all[place]!;
				used.set(resource, [...(used.get(resource) ?? []), [one.labels.value, field]]);
				place += 1;
			}
		}
	}
	return all;
}

/** The properties for a field: one, unless it would show with an operation that does not have it. */
function shown({ field, used }: Shared, resources: Resource[]): INodeProperties[] {
	const parts: Array<{ resource: string[]; operation: string[] }> = [];
	for (const [{ value }, uses] of used) {
		const names = uses.map(([name]) => name);
		const part = parts.find(({ resource, operation }) => {
			const together = { resource: [...resource, value], operation: [...operation, ...names] };
			return isOnlyShownWith(used, together, resources);
		});
		if (part) {
			part.resource.push(value);
			part.operation = [...new Set([...part.operation, ...names])];
		} else parts.push({ resource: [value], operation: names });
	}
	return parts.map((part) => ({
		...described(field),
		...routingBy(used),
		displayOptions: {
			...field.displayOptions,
			show: { ...part, ...field.displayOptions?.show },
		},
	}));
}

/** Where operations put a value at different places, an expression names the place of the one that is chosen. */
function routingBy(used: Shared['used']): Pick<INodeProperties, 'routing'> {
	const uses = [...used].flatMap(([{ value }, each]) =>
		each.map(([operation, field]) => ({
			key: `${value} ${operation}`,
			...routingOf(field.target),
		})),
	);
	const routing = uses[0]!.routing;
	const placeOf = (use: (typeof uses)[number]) => use.routing?.send?.property ?? '';
	if (!routing?.send || uses.every((use) => placeOf(use) === placeOf(uses[0]!))) return {};
	const places = wordsOf(uses.map((use): [string, string] => [use.key, placeOf(use)]));
	return { routing: { send: { ...routing.send, property: `={{ ${ofOperation(places)} }}` } } };
}

/** n8n shows a property with each of its operations in each of its resources that has one of that name. */
const isOnlyShownWith = (
	used: Shared['used'],
	{ resource, operation }: { resource: string[]; operation: string[] },
	resources: Resource[],
) =>
	resources
		.filter(({ value }) => resource.includes(value))
		.every((one) =>
			one.operations
				.map(({ labels }) => labels.value)
				.filter((name) => operation.includes(name))
				.every((name) => used.get(one)?.some(([each]) => each === name)),
		);
