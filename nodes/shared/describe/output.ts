import { omit } from '../lib';
import type { Completion, Output, Simplified } from '../operation';

/** Fields and paths that Simplified returns under their own names: `site.id` is `site_id`. */
export const kept = (...fields: string[]): Simplified =>
	Object.fromEntries(fields.map((field) => [field.replaceAll('.', '_'), field]));

/** @param simplified in the order of the columns @param rest further fields and paths that Selected Fields offers */
export function outputOf(simplified: Simplified, rest: string[] = [], completion?: Completion) {
	const fields = Object.entries(simplified).map(([name, from]) =>
		typeof from === 'string' && !from.endsWith('.length') ? from : name,
	);
	return { fields: [...new Set([...fields, ...rest])], simplified, completion };
}

/** The output of a list with only these columns. Selected Fields offers all. */
export const fewer = ({ simplified, ...output }: Output, ...names: string[]): Output => ({
	...output,
	simplified: Object.fromEntries(names.map((name) => [name, simplified[name]!])),
	named: simplified,
});

/** The output of a list without these columns. Selected Fields offers all. */
export const lacking = (output: Output, ...names: string[]): Output =>
	fewer(output, ...Object.keys(omit(output.simplified, ...names)));

/** The output of a record made by other work: its ID goes into this column. */
export const madeAs = (id: string, { simplified, ...output }: Output): Output => {
	const { id: own, ...others } = simplified;
	return { ...output, simplified: { [id]: own!, ...others } };
};

/** The names of all fields of an output, and of those `added`. */
export const namesIn = (simplified: Simplified, ...added: string[]): string =>
	[...new Set([...added, ...Object.keys(simplified)])].join(', ');

/** Removes fields that lists do not have from Selected Fields. */
export const without = ({ fields, ...output }: Output, ...single: string[]): Output => ({
	...output,
	fields: fields.filter((field) => !single.includes(field)),
});
