import { allowHacked } from '../input/controls';
import { type Field, wireName } from '../input/field';
import { capital } from '../lib';
import type { Judged, ListChange, Operation, RecordAnswer, TaskResult } from '../operation';
import { judged } from '../operation';
import { collectionOf, recordNameOf, singular } from '../vocabulary/words';
import { asRequired, inBody } from './about';
import { additionalFields, type Clearable, queryOptions, updateFields } from './fields';
import { act, type Rest, type Word } from './resource';

/** Words for the usual operations that change something. */

interface Create extends Pick<Rest, 'adds' | 'sideEffect' | 'notice'> {
	required?: Field[];
	optional?: Field[];
	/** Optional fields that are open in a new node, because nearly everyone sets them. */
	opens?: string[];
	/** The result of the task that creates the record, if a task does. */
	task?: TaskResult;
}

/** A new record: required fields at the top, optional ones under Additional Fields. */
export const create: Word<[Create]> = (action, place, record) => {
	const { required = [], optional = [], opens = [], task: result, ...rest } = record;
	const about = judged(place);
	const wrapper = singular(collectionOf(about.route));
	return act(action, about, {
		...rest,
		name: 'Create',
		fields: [
			...inBody(wrapper, required.map(asRequired)),
			...additionalFields(wrapper, optional, required.length === 0).map((all) => ({
				...all,
				default: Object.fromEntries(opens.map((name) => [name, blankOf(name, optional)])),
			})),
		],
		renames: true,
		...(result ? { kind: 'task', result } : { wrapper }),
	});
};

/** The value with which an optional field is open in a new node: a text counts as not set, and a switch is off. */
const blankOf = (opened: string, fields: Field[]) =>
	fields.find(({ name }) => name === opened)?.type === 'boolean' ? false : '';

interface Update
	extends Omit<RecordAnswer, 'kind' | 'settles'>, Pick<Rest, 'description' | 'notice' | 'adds'> {
	fields: Field[];
	clear?: Clearable;
}

/** Changes a record. Only what the user adds is sent. */
export const update: Word<[Update]> = (action, place, { fields, clear, ...rest }) => {
	const about = judged(place);
	const { wrapper = recordNameOf(about.route), newIdIf } = rest;
	return act(action, about, {
		wrapper,
		...rest,
		fields: updateFields(wrapper, fields, clear),
		// A new ID is in the answer alone.
		settles: !newIdIf,
		renames: true,
		replacesLists: true,
	});
};

export const remove: Word<[rest?: Pick<Rest, 'irreversible' | 'notice'>]> = (action, place, rest) =>
	act(action, judged(place), {
		irreversible: `the ${action.replace(/^Delete /, '')} cannot be restored`,
		...rest,
		renames: true,
		kind: 'nothing',
	});

/** Marks an operation that uses a snapshot. It refuses a hacked one unless the user allows it. */
export const fromGoodSnapshot = (one: Operation, ...options: Field[]): Operation => ({
	...one,
	needsGoodSnapshot: true,
	beside: { snapshot_created_at: 'string', snapshot_scanner_status: 'string', ...one.beside },
	fields: [...one.fields, ...queryOptions([allowHacked, ...options])],
});

interface Lists extends Pick<RecordAnswer, 'newIdIf'> {
	/** The record, such as `client`. */
	of: string;
	entries: Field;
	change: Omit<ListChange, 'kind' | 'how' | 'from'>;
}

/** Adds entries to a list of a record, or removes them, and keeps all others. */
export function listChanges(place: Judged, { of, entries, change, newIdIf }: Lists): Operation[] {
	const several = `${change.entry}s`;
	const name = capital(several);
	const one = (how: ListChange['how'], verb: string, to: string): Operation => ({
		...act(`${verb} ${several} ${to} ${of}`, place, {
			name: `${verb} ${name}`,
			description: `${verb} ${several} ${to} a ${of}. All other ${several} are kept. Safe to repeat.`,
			fields: [asRequired(entries)],
			renames: true,
			replacesLists: true,
			settles: !newIdIf,
			newIdIf,
		}),
		composed: { kind: 'list', how, from: entries.name, ...change },
		beside:
			how === 'add'
				? { added_count: 'number', already_there: 'array' }
				: { removed_count: 'number', not_there: 'array' },
	});
	return [one('add', 'Add', 'to'), one('remove', 'Remove', 'from')];
}

interface CreateOrUpdate {
	/** The field that it is known by, and the filter of the list that finds it. */
	by: [field: Field, filter: string];
	optional: Field[];
	update: Judged;
}

/** Updates the record with this value of a field, or creates it. */
export const createOrUpdate: Word<[CreateOrUpdate]> = (action, place, { by, optional, update }) => {
	const [field, filter] = by;
	const about = judged(place);
	const wrapper = recordNameOf(about.route);
	const one = act(action, about, {
		name: 'Create or Update',
		value: 'upsert',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		fields: [...inBody(wrapper, [asRequired(field)]), ...additionalFields(wrapper, optional)],
		renames: true,
	});
	const composed = { kind: 'upsert' as const, by: field.name, filter, update };
	return { ...one, composed, beside: { created: 'boolean' } };
};

/** One request for many IDs. Each ID becomes an item that shows whether it succeeded. */
export const bulk: Word<[ids: Field, rest?: Omit<Rest, 'fields'>]> = (action, place, ids, rest) => {
	const about = judged(place);
	const description = `${ids.description} Each becomes an output item that shows whether it succeeded.`;
	return act(action, about, {
		...rest,
		fields: inBody(undefined, [{ ...ids, required: true, description }]),
		kind: 'bulk',
		wrapper: collectionOf(about.route),
		ids: ids.wire ?? wireName(ids.name),
	});
};
