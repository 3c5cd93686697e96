import type { Operation, Resource } from '../operation';

/** Keys are in one object without another in it: n8n ends an expression at the first `}}`. */
export const wordsOf = (words: Array<[string, string]>) =>
	`(${JSON.stringify(Object.fromEntries(words)).replaceAll('}}', '} }')})`;

/** An expression, without its braces, for the text of the operation that is chosen. */
export const byOperation = (
	resources: Resource[],
	textOf: (operation: Operation, resource: Resource) => string,
): string => {
	const words = resources.flatMap((resource) =>
		resource.operations.map((operation): [string, string] => [
			`${resource.value} ${operation.labels.value}`,
			textOf(operation, resource),
		]),
	);
	return ofOperation(wordsOf(words));
};

/** Of words by resource and operation, those of what is chosen. */
export const ofOperation = (words: string) =>
	`${words}[$parameter["resource"] + " " + $parameter["operation"]]`;
