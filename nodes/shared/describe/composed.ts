import type { Field } from '../input/field';
import { fieldsOf, wireName } from '../input/field';
import * as controls from '../input/controls';
import type { Judged, ListChange, Operation, Place, RecordAnswer, Route } from '../operation';
import { idsOf, judged } from '../operation';
import { recordNameOf } from '../vocabulary/words';
import { additionalFields, inBody, outputFields } from './fields';

/** Builders for operations that take several requests. */

/** What Count leaves out of Get Many, because it returns no records. */
const OF_RECORDS = [
	controls.returnAll,
	controls.limit,
	controls.output,
	controls.includeTotal,
	controls.whenNone,
].map(({ name }) => name);

/** Leaves fields out, also of collections, and collections that would be empty. */
const withoutFields = (names: string[], fields: Field[]): Field[] =>
	fields
		.filter(({ name }) => !names.includes(name))
		.map((field) =>
			field.type === 'collection'
				? { ...field, options: withoutFields(names, fieldsOf(field)) }
				: field,
		)
		.filter(({ type, options }) => type !== 'collection' || options!.length > 0);

/** Counts the records of a list, with its filters. */
export function counting(list: Operation): Operation {
	const { labels, route, fields } = list;
	const ids = idsOf(route).map((name) => [wireName(name), 'string' as const]);
	return {
		...list,
		labels: {
			name: 'Count',
			value: 'count',
			action: labels.action.replace(/^Get many/, 'Count'),
			description: 'Count the records that match the filters of Get Many. Costs one request.',
		},
		composed: { kind: 'count' },
		fields: withoutFields([...OF_RECORDS, 'sort', 'outputFields'], fields),
		answer: { kind: 'made', fields: { ...Object.fromEntries(ids), count: 'number' } },
	};
}

interface Lists extends Pick<RecordAnswer, 'output' | 'newIdIf'> {
	/** The record, such as `client`. */
	of: string;
	/** The parameter with the entries. */
	entries: Field;
	change: Omit<ListChange, 'kind' | 'how' | 'from'>;
}

/** Adds entries to a list of a record, or removes them, and keeps all others. */
export function listChanges<R extends Route>(
	place: Place<R>,
	{ of, entries, change, output, newIdIf }: Lists,
): Operation[] {
	const { entry } = change;
	const at = judged(place);
	const several = `${entry}s`;
	const name = `${several[0]!.toUpperCase()}${several.slice(1)}`;
	const one = (how: ListChange['how'], verb: string, to: string): Operation => ({
		labels: {
			name: `${verb} ${name}`,
			value: `${how}${name}`,
			action: `${verb} ${several} ${to} ${of}`,
			description: `${verb} ${several} ${to} a ${of}. All other ${several} are kept. Safe to repeat. The list is read again after the change: an entry that another process removed or put back is an error.`,
		},
		...at,
		composed: { kind: 'list', how, from: entries.name, ...change },
		beside:
			how === 'add'
				? { added_count: 'number', already_there: 'array' }
				: { removed_count: 'number', not_there: 'array' },
		effects: [],
		isFinal: false,
		renames: true,
		replacesLists: true,
		fields: [{ ...entries, required: true }, ...(output ? outputFields(output.fields) : [])],
		answer: {
			kind: 'record',
			wrapper: recordNameOf(at.route),
			output,
			settles: !newIdIf,
			...(newIdIf && { newIdIf }),
		},
	});
	return [one('add', 'Add', 'to'), one('remove', 'Remove', 'from')];
}

interface CreateOrUpdate extends Pick<RecordAnswer, 'output'> {
	/** The object in the body that holds the fields. */
	wrapper: string;
	/** The field that it is known by, and the filter of the list that finds it. */
	by: [field: Field, filter: string];
	optional: Field[];
	update: Judged;
}

/** Updates the record with this value of a field, or creates it. */
export function createOrUpdate<R extends Route>(
	action: string,
	place: Place<R>,
	{ wrapper, by: [field, filter], optional, update, output }: CreateOrUpdate,
): Operation {
	return {
		labels: {
			name: 'Create or Update',
			value: 'upsert',
			action,
			description: 'Create a new record, or update the current one if it already exists (upsert)',
		},
		...judged(place),
		composed: { kind: 'upsert', by: field.name, filter, update },
		beside: { created: 'boolean' },
		effects: [],
		isFinal: false,
		renames: true,
		fields: [
			inBody(wrapper, { ...field, required: true }),
			...(output ? outputFields(output.fields) : []),
			...additionalFields(wrapper, optional),
		],
		answer: { kind: 'record', wrapper, output },
	};
}
