import { omit } from '../lib/omit';
import type { Completion, Output, Simplified } from '../operation';

/** Fields that Simplified keeps under their names. */
export const kept = (...fields: string[]): Simplified =>
	Object.fromEntries(fields.map((field) => [field, field]));

/**
 * The output of a record.
 * @param simplified in the order of the columns
 * @param rest further fields and paths that Selected Fields offers
 */
export const outputOf = (
	simplified: Simplified,
	rest: string[] = [],
	completion?: Completion,
): Output => {
	const fields = Object.entries(simplified).map(([name, from]) =>
		typeof from === 'string' && !from.endsWith('.length') ? from : name,
	);
	return { fields: [...new Set([...fields, ...rest])], simplified, completion };
};

/** The output of a list, which has fewer columns than single records; Selected Fields offers the same. */
export const fewer = ({ simplified, ...output }: Output, ...names: string[]): Output => ({
	...output,
	simplified: Object.fromEntries(names.map((name) => [name, simplified[name]!])),
	named: simplified,
});

/** The output of a list whose records leave out some columns; Selected Fields offers the same. */
export const lacking = (output: Output, ...names: string[]): Output =>
	fewer(output, ...Object.keys(omit(output.simplified, ...names)));

/** The output of a record that something else has made: its id is that of another record than the item's own. */
export const madeAs = (id: string, { simplified, ...output }: Output): Output => {
	const { id: own, ...others } = simplified;
	return { ...output, simplified: { [id]: own!, ...others } };
};

/** The same for Selected Fields without what only single records have. */
export const without = ({ fields, ...output }: Output, ...single: string[]): Output => ({
	...output,
	fields: fields.filter((field) => !single.includes(field)),
});
