import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../input/field';
import type { Resource } from '../operation';
import { byOperation, wordsOf } from './byOperation';

/** What the canvas shows below the name of a node: `Restore · Backup`. */
export const subtitle = (...resources: Resource[]): string =>
	`={{ ${byOperation(resources, ({ labels }, { name }) => `${labels.name} · ${name}`)} }}`;

/** What the canvas shows below the name of a trigger: `Backup Failed, Backup Overdue`. */
export function eventsSubtitle({ options }: Field): string {
	const words = (options as INodePropertyOptions[]).map(({ name, value }): [string, string] => [
		String(value),
		name,
	]);
	return `={{ [$parameter["events"]].flat().map((event) => ${wordsOf(words)}[event] ?? event).join(", ") }}`;
}
