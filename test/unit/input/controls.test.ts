import type { INodePropertyOptions } from 'n8n-workflow';
import * as controls from '../../../nodes/shared/input/controls';
import type { Field } from '../../../nodes/shared/input/field';

/** The parameters that decide what a node does: what a person sees of them, and what is saved. */

const isField = (each: [string, unknown]): each is [string, Field] =>
	Object.hasOwn(Object(each[1]) as object, 'displayName');

/** Those that are made for a record. */
const made = Object.entries(controls.checkFields('site')).map(([check, field]): [string, Field] => [
	`onlyIf${check[0]!.toUpperCase()}${check.slice(1)}`,
	field,
]);

const fields = [...Object.entries(controls).filter(isField), ...made];

/** Saved under another name than in the code. */
const savedAs: Record<string, string> = {
	allowHacked: 'allowHackedSnapshot',
	binaryField: 'binaryPropertyName',
};

it.each(fields)('%s says what it is, and is saved under its name', (key, field) => {
	expect(field.name).toBe(savedAs[key] ?? key);
	expect(field.displayName).toMatch(/^[A-Z]\S*( [(A-Z]|$| \w)/);
	expect(field.description ?? field.hint).toMatch(/^[A-Z].{15}/);
	expect(['boolean', 'number', 'options', 'string']).toContain(field.type);
	const ofType = { boolean: 'boolean', number: 'number' }[field.type as string] ?? 'string';
	expect(typeof field.default).toBe(ofType);
});

it.each(fields.filter(([, { type }]) => type === 'options'))(
	'the choices of %s say what they are, and one of them is the default',
	(_, field) => {
		const options = field.options as INodePropertyOptions[];
		expect(options.map(({ value }) => value)).toContain(field.default);
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
		for (const { name, value, description } of options) {
			expect(name).toMatch(/^[A-Z]/);
			expect(value).toMatch(/^[a-z]+$/);
			expect(description).toMatch(/^[A-Z].{15}/);
		}
	},
);
