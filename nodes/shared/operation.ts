import type { Field } from './input/field';
import type { LocatorName } from './input/locators';

/** What describe makes of the tables of the resources, and transport runs. */

/** Method and path as the API reference writes them; `{tagId}` becomes the locator of that name. */
export type Route = `${'GET' | 'POST' | 'DELETE'} /${string}`;

type IdsIn<R extends string> = R extends `${string}{${infer Id}}${infer Rest}`
	? Id | IdsIn<Rest>
	: never;

/** A route all of whose ids have a locator; any other does not compile. */
export type KnownRoute<R extends Route> = [IdsIn<R>] extends [LocatorName]
	? R
	: `There is no locator named ${Exclude<IdsIn<R>, LocatorName>}`;

/** The names of the ids in a route. */
export const idsOf = (route: Route) =>
	[...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as LocatorName);

/** Texts and value of one entry of the Operation dropdown. */
export interface Labels {
	name: string;
	value: string;
	/** Sentence case, such as `Create a tag`; shown in the node creator. */
	action: string;
	/** Says more than the action where that helps. */
	description?: string;
}

/** The fields of a simplified record: output name -> path in the record, such as `wp.core.current_version`. */
export type Simplified = Record<string, string>;

/** How a record of more than ten fields is returned: its top-level fields, and what Simplified keeps of them. */
export interface Output {
	fields: string[];
	simplified: Simplified;
}

/** What an operation's answer becomes, where that is not its records as they are. */
export interface Answer {
	output?: Output;
	/** New names of fields: `{ url: 'sso_login_url' }`. */
	renamed?: Record<string, string>;
	/** Whether it is a paged list. */
	isList?: boolean;
	/** Whether it is a file, which goes into a binary field. */
	file?: boolean;
	/** Whether it is a task, for whose end the operation can wait. */
	startsTask?: boolean;
	/** What else the operation waits for: the end of the task that it shows, or the snapshot of a sync. */
	waitsFor?: 'task' | 'sync';
}

export interface Operation {
	labels: Labels;
	route: Route;
	/** Without the ids of the route. */
	fields: Field[];
	answer: Answer;
}

/** A resource of a node: an entry of the Resource dropdown with its operations and their fields. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}
