import type { Field } from '../input/field';
import type { Judged, ListChange, Operation, Place, RecordAnswer, Route } from '../operation';
import { judged } from '../operation';
import { recordNameOf } from '../vocabulary/words';
import { additionalFields, asRequired, inBody } from './fields';
import { act } from './resource';

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
	const several = `${change.entry}s`;
	const name = `${several[0]!.toUpperCase()}${several.slice(1)}`;
	const one = (how: ListChange['how'], verb: string, to: string): Operation => ({
		...act<R>(`${verb} ${several} ${to} ${of}`, place, {
			name: `${verb} ${name}`,
			description: `${verb} ${several} ${to} a ${of}. All other ${several} are kept. Safe to repeat. Fails if another process undoes it at the same time.`,
			fields: [asRequired(entries)],
			renames: true,
			replacesLists: true,
			output,
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

interface CreateOrUpdate extends Pick<RecordAnswer, 'output'> {
	/** The field that it is known by, and the filter of the list that finds it. */
	by: [field: Field, filter: string];
	optional: Field[];
	update: Judged;
}

/** Updates the record with this value of a field, or creates it. */
export function createOrUpdate<R extends Route>(
	action: string,
	place: Place<R>,
	{ by: [field, filter], optional, update, output }: CreateOrUpdate,
): Operation {
	const wrapper = recordNameOf(judged(place).route);
	const one = act<R>(action, place, {
		name: 'Create or Update',
		value: 'upsert',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		fields: [...inBody(wrapper, [asRequired(field)]), ...additionalFields(wrapper, optional)],
		renames: true,
		output,
	});
	const composed = { kind: 'upsert' as const, by: field.name, filter, update };
	return { ...one, composed, beside: { created: 'boolean' } };
}
