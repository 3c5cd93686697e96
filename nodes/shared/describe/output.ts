import type { Output, Simplified } from '../operation';

/** Fields that Simplified keeps under their names. */
export const kept = (...fields: string[]): Simplified =>
	Object.fromEntries(fields.map((field) => [field, field]));

/**
 * The output of a record.
 * @param simplified in the order of the columns
 * @param rest top-level fields of the record that no path of it begins with
 */
export const outputOf = (simplified: Simplified, rest: string[] = []): Output => {
	const paths = Object.values(simplified).filter((from) => typeof from === 'string');
	return {
		fields: [...new Set([...paths.map((path) => path.split('.')[0]!), ...rest])],
		simplified,
	};
};
