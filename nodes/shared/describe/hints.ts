import type { NodeHint } from 'n8n-workflow';
import type { Field } from '../input/field';
import type { Operation, Resource } from '../operation';

/** What the editor says below the panel while a group of fields is empty that an operation cannot do without. */
export function hints(resources: Resource[]): NodeHint[] {
	return resources.flatMap(({ value, operations }) =>
		operations.flatMap((operation) =>
			operation.fields.filter(isNeeded).map((field) => hint(value, operation, field)),
		),
	);
}

/** n8n itself marks what is required and blank, but not a group without fields. */
const isNeeded = ({ type, required, needsOne }: Field) =>
	needsOne === true || (type === 'fixedCollection' && required === true);

function hint(resource: string, { labels }: Operation, field: Field): NodeHint {
	const { displayName, name, placeholder, needsOne } = field;
	const why = needsOne ? 'set at least one of its fields' : 'this field is required';
	return {
		message: `Nothing is set under "${displayName}" yet: ${why}. Click "${placeholder}".`,
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ $parameter["resource"] === "${resource}" && $parameter["operation"] === "${labels.value}" && Object.keys($parameter["${name}"] ?? {}).length === 0 }}`,
	};
}
