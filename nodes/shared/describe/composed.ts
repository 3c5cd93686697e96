import type { Field } from '../input/field';
import * as controls from '../input/controls';
import type { Judged, ListChange, Operation, Place, RecordAnswer, Route } from '../operation';
import { idFieldsOf, judged } from '../operation';
import { recordNameOf } from '../vocabulary/collections';
import { additionalFields, inBody, outputFields } from './fields';

/** Words for operations that take several requests. */

/** What Count has not of Get Many: it gives no records. */
const OF_RECORDS = [
	controls.returnAll,
	controls.limit,
	controls.output,
	controls.includeTotal,
	controls.whenNone,
].map(({ name }) => name);

/** Fields without some, of a collection as well. A collection that would be empty goes, too. */
const withoutFields = (names: string[], fields: Field[]): Field[] =>
	fields
		.filter(({ name }) => !names.includes(name))
		.map((field) =>
			field.type === 'collection'
				? { ...field, options: withoutFields(names, field.options as Field[]) }
				: field,
		)
		.filter(({ type, options }) => type !== 'collection' || options!.length > 0);

/** How many records a list has, by the filters that it has. */
export function counting(list: Operation): Operation {
	const { labels, route, fields } = list;
	const ids = Object.keys(idFieldsOf(route)).map((name) => [name, 'string' as const]);
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
	/** What it is called, as `client`. */
	of: string;
	/** The parameter with the entries. */
	entries: Field;
	change: Omit<ListChange, 'kind' | 'how' | 'from'>;
}

/** Adds entries to a list of a record, and takes them out, while all others stay. */
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
		effects: [],
		isFinal: false,
		fields: [{ ...entries, required: true }, ...(output ? outputFields(output.fields) : [])],
		answer: {
			kind: 'record',
			wrapper: recordNameOf(at.route),
			output,
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

/** Updates the record that a field names, or creates it. */
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
		effects: [],
		isFinal: false,
		fields: [
			inBody(wrapper, { ...field, required: true }),
			...(output ? outputFields(output.fields) : []),
			...additionalFields(wrapper, optional),
		],
		answer: { kind: 'record', wrapper, output },
	};
}
