import type { Effect } from '../access/effects';
import { allowHacked, checkFields, CHECKS, onlyIf, preview } from '../input/controls';
import type { Field } from '../input/field';
import { wireName } from '../input/field';
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
import { describedAs, judged, onlyReads } from '../operation';
import { checkedBy } from '../operation/targets';
import { collectionOf, recordNameOf } from '../vocabulary/words';
import { counting } from './composed';
import type { Clearable } from './fields';
import {
	additionalFields,
	answerFields,
	inBody,
	onlyWith,
	queryOptions,
	updateFields,
	warning,
} from './fields';
import type { Filters } from './filters';
import { listFields, timezone } from './filters';

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

/** Only If for irreversible operations, and Preview for all changes. */
function safetyFields(one: Operation): Field[] {
	if (onlyReads(one)) return [];
	return [...(one.isFinal ? guards(one) : []), preview];
}

function guards(one: Operation): Field[] {
	const checked = checkedBy(one);
	if (!checked) return [];
	const { label, target } = checked;
	const checks = CHECKS.filter((check) => target[check]);
	const choice = onlyIf(label, checks);
	const fields = checkFields(label, target.sharesNames);
	return [choice, ...checks.map((check) => onlyWith(choice, check, fields[check]))];
}
