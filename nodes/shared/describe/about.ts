import { type Field, wireName } from '../input/field';

/** Words that say more about a field: where its value goes, when it is shown, and that it is required. */

/** Sets the place of a body field below the wrapper, such as `sync.daily_sync_time`. */
export const at = (wire: string, field: Field): Field => ({ ...field, wire });

const placeOf = ({ wire, name }: Field) => wire ?? wireName(name);

/** Fields below a place: `email` and `subject` give `email.subject`. */
export const below = (place: string, fields: Field[]) =>
	fields.map((field) => at(`${place}.${placeOf(field)}`, field));

/** Shows a field with one choice in another field. With another one, which an expression can make, the run refuses it. */
export const onlyWith = (choice: Field, value: string | boolean, field: Field): Field => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, [choice.name]: [value] } },
	belongsTo: { choice, value },
});

/** Marks fields that few people set. */
export const seldom = (fields: Field[]): Field[] =>
	fields.map((field) => ({ ...field, isSeldom: true }));

/** As `onlyWith`, but with another choice the field is ignored. */
export const readWith: typeof onlyWith = (choice, value, field) => ({
	...onlyWith(choice, value, field),
	belongsTo: { choice, value, mayStand: true },
});

/** Fields that go into the body, below the wrapper object if there is one. */
export const inBody = (wrapper: string | undefined, fields: Field[]): Field[] =>
	fields.map((field) => {
		const property = wrapper ? `${wrapper}.${placeOf(field)}` : placeOf(field);
		return { target: { type: 'body', property }, ...field };
	});

export const asRequired = (field: Field): Field => ({ ...field, required: true });

export const inQuery = (key: string, field: Field): Field => ({
	...field,
	target: { type: 'query', property: key },
});
