import type { Effect } from '../access/effects';
import * as controls from '../input/controls';
import { type Field, fieldsOf, wireName } from '../input/field';
import { warning } from '../input/kinds';
import { capital } from '../lib';
import type { Answer, Operation, Output, Place, RecordAnswer, Resource, Route } from '../operation';
import { idsOf, judged, onlyReads } from '../operation';
import { checkedBy } from '../operation/targets';
import { collectionOf, recordNameOf } from '../vocabulary/words';
import { inQuery } from './about';
import { answerFields } from './fields';
import { type Filters, listFields, timezone } from './filters';

/** An answer as the tables write it. Without a kind it is the record of the path, which settles if it proves a state. */
type Given =
	| Exclude<Answer, { kind: 'record' | 'made' }>
	| (Omit<RecordAnswer, 'kind'> & { kind?: undefined });

/** Parts of an operation other than its action, route and answer. */
export interface Rest
	extends
		Partial<Pick<Operation['labels'], 'name' | 'value' | 'description'>>,
		Pick<Operation, 'adds' | 'renames' | 'replacesLists' | 'overwrites' | 'guards'> {
	fields?: Field[];
	/** A consequence as a clause, for the description and the notice. */
	sideEffect?: string;
	/** The same for what cannot be undone, such as `overwrites the live site`. Only If can guard it. */
	irreversible?: string;
	/** One or two sentences above the fields. */
	notice?: string;
}

/** A word of the tables. A route without its affected sites, or with an ID that has no locator, does not compile. */
export type Word<More extends unknown[]> = <R extends Route>(
	action: string,
	place: Place<R>,
	...more: More
) => Operation;

/** An operation of any form, named by its verb unless it has a name. The words below are for the common ones. */
export const act: Word<[rest?: Rest & Given]> = (action, place, rest = {}) => {
	const [verb = ''] = action.split(' ');
	const { name = verb, value = valueOf(name), description = asSentence(action), ...others } = rest;
	const { fields = [], sideEffect, irreversible, notice, ...parts } = others;
	const { adds, renames, replacesLists, overwrites, guards, ...given } = parts;
	const { route, touches } = judged(place);
	const answer: Answer = given.kind
		? given
		: { wrapper: recordNameOf(route), settles: !!given.proves, ...given, kind: 'record' };
	const consequence = irreversible ?? sideEffect;
	const end = description.endsWith('.') ? ` ${sentence(consequence)}` : `: ${consequence}`;
	const labels = {
		...{ name, value, action },
		description: consequence ? description + end : description,
	};
	const changes: Effect[] = irreversible ? ['destroys'] : [];
	const notices = [consequence && sentence(consequence), notice].filter(Boolean).join(' ');
	return {
		labels,
		route,
		touches,
		effects: route.startsWith('GET ') ? ['reads'] : changes,
		isFinal: irreversible !== undefined,
		consequence,
		...{ adds, renames, replacesLists, overwrites, guards },
		fields: [...(notices ? [warning('notice', notices)] : []), ...fields],
		answer,
	};
};

/** The value of a resource or an operation by its name: `Rotate DKIM` is `rotateDkim`. */
const valueOf = (name: string) =>
	name.toLowerCase().replace(/ (.)/g, (_, letter: string) => letter.toUpperCase());

/** `Create tag` as a sentence: `Create a tag`. Plurals, ending with s, get no article. */
const asSentence = (action: string) =>
	action.endsWith('s')
		? action
		: action.replace(/ (?=([aeiou]?))/, (_, vowel: string) => (vowel ? ' an ' : ' a '));

const sentence = (clause = '') => `${capital(clause)}.`;

interface List extends Pick<Rest, 'description'>, Pick<RecordAnswer, 'output' | 'renamed'> {
	filters?: Filters;
	sortBy?: string[];
	/** Whether the list takes the `timezone` parameter; most do. */
	timezone?: boolean;
	options?: Field[];
}

/** A paged list with Return All, Limit, Filters and Sort. */
export const getMany: Word<[list?: List]> = (action, place, list = {}) => {
	const { filters = {}, sortBy = [], timezone: takesZone = true, options = [], ...answer } = list;
	const query = takesZone ? [...options, inQuery('timezone', timezone)] : options;
	const about = judged(place);
	return act(action, about, {
		name: 'Get Many',
		value: 'getAll',
		fields: listFields(filters, sortBy, query),
		kind: 'list',
		wrapper: collectionOf(about.route),
		...answer,
	});
};

export const get = act;

interface Reads
	extends
		Pick<Rest, 'name' | 'value' | 'description' | 'fields'>,
		Omit<Extract<Operation['composed'], { kind: 'reads' }>, 'kind'> {
	answer: Answer;
}

/** Items that the node creates from several reads, or from what it has. The description ends with the costs. */
export const reads: Word<[Reads]> = (action, place, { read, costs, answer, ...rest }) => {
	const texts = { ...rest, description: `${rest.description}. Costs ${costs}.` };
	const composed = { kind: 'reads' as const, read, costs };
	return { ...act(action, judged(place), { ...texts, kind: 'nothing' }), composed, answer };
};

/** What Count leaves out of Get Many, because it returns no records. */
const OF_RECORDS = ['returnAll', 'limit', 'startFrom', 'sort', 'includeTotal', 'whenNone'];

const forCount = (fields: Field[]): Field[] =>
	fields.flatMap((field) => {
		if (OF_RECORDS.includes(field.name)) return [];
		if (field.type !== 'collection') return [field];
		const options = forCount(fieldsOf(field));
		return options.length > 0 ? [{ ...field, options }] : [];
	});

function counting(list: Operation): Operation {
	const { labels, route, fields } = list;
	const ids = idsOf(route).map((name) => [wireName(name), 'string' as const]);
	const isUsual = labels.description === asSentence(labels.action);
	const what = isUsual
		? 'Count the records that match the filters of Get Many'
		: labels.description.replace(/^Get (many )?/, 'Count ').replace(/\.$/, '');
	return {
		...list,
		labels: {
			name: 'Count',
			value: 'count',
			action: labels.action.replace(/^Get many/, 'Count'),
			description: `${what}. Costs one request.`,
		},
		composed: { kind: 'count' },
		fields: forCount(fields),
		answer: { kind: 'made', fields: { ...Object.fromEntries(ids), count: 'number' } },
	};
}

/** The effects of a resource's changes: the usual one, and exceptions by operation. */
type Does = Effect | ({ usual: Effect } & Readonly<Record<string, Effect | readonly Effect[]>>);

/** A resource with its operations, all their fields in order, and Count for each list. */
export function resource(name: string, does: Does, operations: Operation[]): Resource {
	const { usual, ...others } = typeof does === 'string' ? { usual: does } : does;
	const complete = (one: Operation): Operation => {
		const own = others[one.labels.value] ?? (one.effects.length > 0 ? one.effects : usual);
		const whole = { ...one, effects: [own].flat() };
		return { ...whole, fields: inOrder(whole) };
	};
	const all = operations.flatMap((one) =>
		one.answer.kind === 'list' ? [one, counting(one)] : [one],
	);
	return { name, value: valueOf(name), operations: all.map(complete) };
}

/** A resource whose records have an output, also in lists, unless the operation has one of its own. */
export function resourceWith(
	output: Output,
	...[name, does, operations]: Parameters<typeof resource>
): Resource {
	const withOutput = (answer: Answer): Answer =>
		answer.kind === 'record' || answer.kind === 'list' || answer.kind === 'records'
			? { ...answer, output: answer.output ?? output }
			: answer;
	const all = operations.map((one) => ({ ...one, answer: withOutput(one.answer) }));
	return resource(name, does, all);
}

/** A resource with records that are in the backups of a site. */
export const resourceInBackups = (...parts: Parameters<typeof resource>): Resource => ({
	...resource(...parts),
	inBackups: true,
});

/** What nearly everyone sets, the fields of the answer, what few people set, safety, and what hardly anyone sets. */
function inOrder(one: Operation): Field[] {
	const [top, more] = apart(
		one.fields,
		({ type, needsOne, isSeldom }) => isSeldom || (type === 'collection' && !needsOne),
	);
	const [few, seldom] = apart(more, ({ isSeldom }) => isSeldom === true);
	return [...top, ...answerFields(one.answer), ...few, ...safetyFields(one), ...seldom];
}

/** The fields before the first that few people need, and the others. */
function apart(fields: Field[], isRare: (field: Field) => boolean): [Field[], Field[]] {
	const at = fields.findIndex(isRare);
	return at < 0 ? [fields, []] : [fields.slice(0, at), fields.slice(at)];
}

/** Only If for irreversible operations and those with guards, and Preview for all changes. */
function safetyFields(one: Operation): Field[] {
	if (onlyReads(one)) return [];
	const isSeveral = one.guards !== undefined;
	const checked = (one.isFinal || isSeveral) && checkedBy(one);
	if (!checked) return [controls.preview];
	const { label, target } = checked;
	const checks = controls.CHECKS.filter((check) => target[check]);
	const fields = controls.checkFields(label, target.sharesNames, isSeveral);
	return [...checks.map((check) => fields[check]), controls.preview];
}
