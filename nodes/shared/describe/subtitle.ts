import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../input/field';
import type { Resource } from '../operation';

/** Keys are in one object without another in it: n8n ends an expression at the first `}}`. */
const wordsOf = (words: Array<[string, string]>) =>
	`(${JSON.stringify(Object.fromEntries(words))})`;

/** What the canvas shows below the name of a node: `Restore · Backup`. */
export function subtitle(resources: Resource[]): string {
	const words = resources.flatMap(({ name, value, operations }) =>
		operations.map(({ labels }): [string, string] => [
			`${value} ${labels.value}`,
			`${labels.name} · ${name}`,
		]),
	);
	return `={{ ${wordsOf(words)}[$parameter["resource"] + " " + $parameter["operation"]] }}`;
}

/** What the canvas shows below the name of a trigger: `Backup Failed, Backup Overdue`. */
export function eventsSubtitle({ options }: Field): string {
	const words = (options as INodePropertyOptions[]).map(({ name, value }): [string, string] => [
		String(value),
		name,
	]);
	return `={{ [$parameter["events"]].flat().map((event) => ${wordsOf(words)}[event] ?? event).join(", ") }}`;
}
