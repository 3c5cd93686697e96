import type { INodeTypeDescription, NodeHint } from 'n8n-workflow';
import type { Field } from '../input/field';
import { optionsOf } from '../input/field';
import type { Operation, Resource } from '../operation';
import { describedWithCosts } from '../operation';
import { byOperation, wordsOf } from './byOperation';

/** The text below the name of a node: `Restore · Backup`. */
export const subtitle = (...resources: Resource[]): string =>
	`={{ ${byOperation(resources, ({ labels }, { name }) => `${labels.name} · ${name}`)} }}`;

/** The text below the name of a trigger: `Backup Failed, Backup Overdue`. */
export function eventsSubtitle(events: Field): string {
	const words = optionsOf(events).map(({ name, value }): [string, string] => [String(value), name]);
	return `={{ [$parameter["events"]].flat().map((event) => ${wordsOf(words)}[event] ?? event).join(", ") }}`;
}

/**
 * The text of each operation for n8n's AI workflow builder, which otherwise shows that of the first resource with an
 * operation of this value. n8n repeats all fields with each operation, so shared texts must be short.
 */
export const builderHint = (resources: Resource[]): INodeTypeDescription['builderHint'] => ({
	extraTypeDefContent: resources.flatMap(({ value: resource, operations }) =>
		operations.map((one) => ({
			content: describedWithCosts(one),
			displayOptions: { show: { resource: [resource], operation: [one.labels.value] } },
		})),
	),
});

/** The hint below the panel while a required group of fields is empty. */
export const hints = (resources: Resource[]): NodeHint[] =>
	resources.flatMap(({ value, operations }) =>
		operations.flatMap((operation) =>
			operation.fields.filter(isNeeded).map((field) => hint(value, operation, field)),
		),
	);

/** n8n marks blank required fields, but not empty groups. */
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
