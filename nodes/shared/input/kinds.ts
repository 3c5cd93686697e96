import type { INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';
import type { Field } from './field';

/** Makes a word for fields of a type: the name, the label, and what else differs. */
const kind =
	(type: NodePropertyTypes, byDefault: Field['default']) =>
	(name: string, displayName: string, more: Partial<Field> = {}): Field => ({
		displayName,
		name,
		type,
		default: byDefault,
		...more,
	});

export const text = kind('string', '');
export const number = kind('number', 0);
export const toggle = kind('boolean', false);
/** A switch that is on in a new node. */
export const toggleOn = kind('boolean', true);
export const dateTime = kind('dateTime', '');
export const color = kind('color', '');
export const json = kind('json', '{}');
export const choice = kind('options', '');
export const choices = kind('multiOptions', []);
export const group = kind('fixedCollection', {});
export const warning = kind('notice', '');

/** Options by their values: a name, or a name and a description. */
export const optionsFrom = (
	options: Record<string, string | [name: string, description: string]>,
): INodePropertyOptions[] =>
	Object.entries(options).map(([value, label]) => {
		if (typeof label === 'string') return { name: label, value };
		const [name, description] = label;
		return { name, value, description };
	});

export const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

/** The fields of an entry of a group, as its options. */
export const entryOf = (name: string, displayName: string, values: Field[]) => [
	{ displayName, name, values },
];
