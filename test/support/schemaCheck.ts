import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OutputSchema } from '../../tools/build/outputSchemas';

const nodes = path.resolve(__dirname, '../../dist/nodes');

/** The schema that the package holds for an operation: `tag/tag/getAll`. */
export function builtSchema(operation: string): OutputSchema {
	const [node, resource, name] = operation.split('/') as [string, string, string];
	const folder = path.join(nodes, node[0]!.toUpperCase() + node.slice(1), '__schema__');
	return JSON.parse(
		readFileSync(path.join(folder, 'v1.0.0', resource, `${name}.json`), 'utf8'),
	) as OutputSchema;
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

/** Where a value is not what a schema says, by its paths; what is null may be anything. */
export function strangers(schema: OutputSchema, value: unknown, place = 'json'): string[] {
	if (value === null) return [];
	const type = typeOf(value);
	if (type !== schema.type) return [`${place} is of the type ${type}, not ${schema.type}`];
	if (Array.isArray(value)) {
		return value.flatMap((entry, index) =>
			schema.items ? strangers(schema.items, entry, `${place}[${index}]`) : [],
		);
	}
	const { properties } = schema;
	// An object without properties is one that the service leaves open.
	if (type !== 'object' || !properties) return [];
	return Object.entries(value as object).flatMap(([name, each]) =>
		properties[name]
			? strangers(properties[name], each, `${place}.${name}`)
			: [`${place}.${name} is not there`],
	);
}
