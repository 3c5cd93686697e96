import type { Operation, Resource } from '../operation';

/** One flat object: n8n ends an expression at the first `}}`. */
export const wordsOf = (words: Array<[string, string]>) =>
	`(${JSON.stringify(Object.fromEntries(words)).replaceAll('}}', '} }')})`;

/** An expression, without its braces, for the text of the chosen operation. */
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

/** Picks the text of the chosen operation. */
export const ofOperation = (words: string) =>
	`${words}[$parameter["resource"] + " " + $parameter["operation"]]`;
