import * as tables from '../../nodes/resources';
import type { Operation, Resource } from '../../nodes/shared/operation/index';
import { outputSchema } from './outputSchemas';

/** What each operation returns, for n8n's AI workflow builder, which does not read the schemas; made by `npm run build`. */

export const FILE = 'nodes/shared/describe/returned.json';

export function listed(): string {
	const entries = Object.values<Resource>(tables).flatMap(({ value, operations }) => {
		const get = operations.find(({ labels }) => labels.value === 'get');
		return operations
			.filter(({ answer }) => answer.kind !== 'any')
			.map((one) => [`${value} ${one.labels.value}`, returned(one, get === one ? undefined : get)]);
	});
	return `${JSON.stringify(Object.fromEntries(entries), null, '\t')}\n`;
}

/** The builder gets all operations of a node at once, so a record is listed once. */
function returned(operation: Operation, get?: Operation): string {
	const { answer } = operation;
	const fields = fieldsOf(operation);
	const known = get ? fieldsOf(get) : [];
	const isKnown = known.length > 0 && known.every((field) => fields.includes(field));
	const own = fields.filter((field) => !isKnown || !known.includes(field));
	const all = [...(isKnown ? ['all fields of get'] : []), ...own].join(', ');
	if (answer.kind !== 'task' && answer.kind !== 'sync') return all;
	return `${all}. After waiting: ${Object.keys(answer.result.output.simplified).join(', ')}`;
}

const fieldsOf = (operation: Operation) => Object.keys(outputSchema(operation).properties!);
