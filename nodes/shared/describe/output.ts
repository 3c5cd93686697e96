import type { Output, Simplified } from '../operation';

/** Fields that Simplified keeps under their names. */
export const kept = (...fields: string[]): Simplified =>
	Object.fromEntries(fields.map((field) => [field, field]));

/**
 * The output of a record.
 * @param simplified in the order of the columns
 * @param rest further fields and paths that Selected Fields offers
 */
export const outputOf = (simplified: Simplified, rest: string[] = []): Output => {
	const fields = Object.entries(simplified).map(([name, from]) =>
		typeof from === 'string' && !from.endsWith('.length') ? from : name,
	);
	return { fields: [...new Set([...fields, ...rest])], simplified };
};

/** The output of a list, which has fewer columns than single records; Selected Fields offers the same. */
export const fewer = ({ fields, simplified }: Output, ...names: string[]): Output => ({
	fields,
	simplified: Object.fromEntries(names.map((name) => [name, simplified[name]!])),
	named: simplified,
});

/** The output of a record that something else has made: its id is that of another record than the item's own. */
export const madeAs = (id: string, { fields, simplified }: Output): Output => {
	const { id: own, ...others } = simplified;
	return { fields, simplified: { [id]: own!, ...others } };
};

/** The same for Selected Fields without what only single records have. */
export const without = ({ fields, simplified }: Output, ...single: string[]): Output => ({
	fields: fields.filter((field) => !single.includes(field)),
	simplified,
});
