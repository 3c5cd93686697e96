import type { IDataObject, IExecuteSingleFunctions, IHttpRequestMethods } from 'n8n-workflow';
import { accountWide, type Effect, HARMFUL, type Touches } from '../access/effects';
import type { Field, Settings } from '../input/field';
import type { LocatorName } from '../input/locators';
import { valueAt } from '../lib';
import type { CallContext } from '../n8n/context';

/** Method and path as in the API reference; `{tagId}` becomes the locator of that name. `ANY /`: set by the user. */
export type Route = `${Verb} /${string}`;

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';

type IdsIn<R extends string> = R extends `${string}{${infer Id}}${infer Rest}`
	? Id | IdsIn<Rest>
	: never;

/** A route whose IDs all have a locator. */
type KnownRoute<R extends Route> = [IdsIn<R>] extends [LocatorName]
	? R
	: `There is no locator named ${Exclude<IdsIn<R>, LocatorName>}`;

/** A route with the sites that it affects; a path below a site names that site. */
export interface Judged {
	route: Route;
	touches: Touches;
}

/** Route argument of the builders; a route without its affected sites does not compile. */
export type Place<R extends Route> =
	(R & `${Verb} /sites/{siteId}${string}` & KnownRoute<R>) | Judged;

export const on = <R extends Route>(route: R & KnownRoute<R>, touches: Touches): Judged => ({
	route,
	touches,
});

/** A route of records that name their sites. */
export const withSites = <R extends Route>(route: R & KnownRoute<R>) => on<R>(route, 'listed');

/** A route that affects the sites of its record. */
export const ofRecord = <R extends Route>(route: R & KnownRoute<R>) =>
	on<R>(route, { record: true });

/** A route that Only Sites never allows. */
export const ofAccount = <R extends Route>(route: R & KnownRoute<R>) => on<R>(route, accountWide);

export const judged = (place: Route | Judged): Judged =>
	typeof place === 'string' ? { route: place, touches: {} } : place;

/** An extra effect, unless a place of the body has one of these values. */
export interface Adds {
	effect: Effect;
	place: string;
	/** `undefined` is for a body without the place. */
	unless: readonly unknown[];
}

/** Method and path template of a route, with names of IDs in braces. */
export function partsOf(route: Route): { method: IHttpRequestMethods; template: string } {
	const [method, template = ''] = route.split(' ');
	return { method: method as IHttpRequestMethods, template };
}

const ID = /\{(\w+)\}/g;

export const idsOf = (route: Route) =>
	[...route.matchAll(ID)].map(([, name]) => name as LocatorName);

/** Puts percent-encoded IDs into a path such as `/sites/{siteId}`. */
export const fillPath = (template: string, ids: Record<string, string>): string =>
	template.replace(ID, (_, name: string) => encodeURIComponent(ids[name]!));

/** Texts and value of an option in the Operation dropdown. */
export interface Labels {
	name: string;
	value: string;
	/** Sentence case without articles, such as `Create tag`; the name of a new node and of a tool. */
	action: string;
	/** A sentence. */
	description: string;
}

/** The description, with the extra requests of its default output. */
export function describedWithCosts({ labels, answer }: Operation): string {
	const { completion } = ('output' in answer && answer.output) || {};
	return [labels.description, completion?.costs].filter(Boolean).join('; ');
}

/** Whether a text begins with an action, ignoring articles. */
export const beginsWith = (action: string, text: string) =>
	text.replace(/\b(?:an?|the) /g, '').startsWith(action);

/** Fields of a simplified record: output name -> path, such as `wp.core.current_version`, or function of the record. */
export type Simplified = Record<string, string | ((record: IDataObject) => unknown)>;

/** Output modes of a record with more than ten fields or an unbounded list. */
export interface Output {
	/** Fields and paths for Selected Fields. */
	fields: string[];
	simplified: Simplified;
	/** Named fields for Selected Fields. @default those of Simplified */
	named?: Simplified;
	completion?: Completion;
}

/** Fields read with extra requests: never for Raw, and for Selected Fields only if one of them is selected. */
export interface Completion {
	fields: readonly string[];
	/** A clause of the description's first sentence, the only one that n8n's builder gives a model. */
	costs: string;
	/** Adds the fields to the records that lack them. */
	read: (context: CallContext, records: IDataObject[]) => Promise<IDataObject[]>;
}

/** Response of an operation; any other is an error. Source: Part A, 4.1. */
export type Answer =
	/** `{ tags: […], meta: { pagination } }`: a paged list; or `{ versions: […] }`: records without pages. */
	| { kind: 'list' | 'records'; wrapper: string; output?: Output; renamed?: Record<string, string> }
	/** `{ tag: { id, … } }` */
	| RecordAnswer
	/** `{ assign: { site_ids: […], errors: […] }, meta }`: a result for each ID. */
	| { kind: 'bulk'; wrapper: string; ids: string }
	/** `{ task: { id, status, created_at } }`: a started task; the operation can wait for its end. */
	| { kind: 'task'; result: TaskResult }
	/** `{ task: {…} }`: an existing task; the operation waits for its end. */
	| { kind: 'wait'; output?: Output }
	/** `{ sync: { snapshot_id, in_progress } }`: a started sync; the operation can wait for its snapshot. */
	| { kind: 'sync'; proves: States; result: Pick<TaskResult, 'output'> }
	| { kind: 'file'; file: FileAnswer }
	/** 204: no content. */
	| { kind: 'nothing' }
	/** Items that the node creates from several responses, with these fields. */
	| { kind: 'made'; fields: Record<string, FieldType> }
	| { kind: 'any' };

/** Items that the node creates, by the types of their fields, such as `{ string: 'id title', number: 'count' }`. */
export const made = (names: Partial<Record<FieldType, string>>): Answer => {
	const types = Object.entries(names) as Array<[FieldType, string]>;
	const fields = types.flatMap(([type, of]) =>
		of.split(/\s+/).map((name) => [name, type] as const),
	);
	return { kind: 'made', fields: Object.fromEntries(fields) };
};

export interface FileAnswer {
	/** Name for a file that the service does not name: `report` becomes `report-7.pdf`. */
	name: string;
	extension?: string;
	/** The only media type that it can have. */
	mediaType?: string;
	/** The name for people, of the record, which is read for it; undefined if the record says too little. */
	called?: (record: IDataObject) => string | undefined;
}

/** Output after waiting for the end of a task. If `from` is not set, it is the task. */
export interface TaskResult {
	output: Output;
	/** Type of the record that the task created, or route of the record that it changed. */
	from?: 'report' | 'staging' | Route;
	/** Values of the request added to the task: name -> place in the body. */
	sent?: Record<string, string>;
}

/** Type of a field that the node adds. */
export type FieldType = 'string' | 'number' | 'boolean' | 'array';

export interface RecordAnswer {
	kind: 'record';
	/** Key of the object around the record; undefined for `{ url }`. */
	wrapper?: string;
	/** A required field of the record. @default its ID */
	needs?: string;
	output?: Output;
	/** New names of fields: `{ url: 'sso_login_url' }`. */
	renamed?: Record<string, string>;
	/** States that the response must show. */
	proves?: States;
	/** Whether the request determines the whole result, so that it counts without the record. */
	settles?: boolean;
	/** States in which the ID may differ from that in the path: the record has replaced the requested one. */
	newIdIf?: States;
}

/** States by place in a record, such as `{ status: 'paused' }`; a response with the opposite is an error. */
export type States = Record<string, string | boolean>;

/** Input for one item of an operation with several requests. */
export interface Composing {
	context: IExecuteSingleFunctions;
	/** By name in the route. */
	ids: Record<string, string>;
	url: string;
	qs: IDataObject;
	body: IDataObject;
	settings: Settings;
}

/** Adds entries to a list in a record, or removes them; other entries are kept. */
export interface ListChange {
	kind: 'list';
	how: 'add' | 'remove';
	/** Place of the list in the record, such as `scope.sites.ids`. */
	place: string;
	/** Name of an entry, such as `site`. */
	entry: string;
	/** Parameter with the entries. */
	from: string;
	/** States in which the record includes all entries, whatever its list contains. */
	all?: States;
	/** Values sent with the list, by place in the record. */
	along?: States;
}

/** Finds a record by a field, then updates it, or creates it if it does not exist. */
export interface Upsert {
	kind: 'upsert';
	/** Name of the field and of its parameter. */
	by: string;
	/** Filter of the list that finds it. */
	filter: string;
	/** Request that updates it; the route of the operation creates it. */
	update: Judged;
}

/** Sends one of several changes of an item. @param wrapper of the record in the response. @returns the record */
export type SendStep = (
	place: Judged,
	ids: Record<string, string>,
	body: IDataObject,
	wrapper?: string,
) => Promise<IDataObject>;

/** An operation with several requests; its route is that of the main one. */
export type Composed =
	| { kind: 'count' }
	| ListChange
	| Upsert
	/** Makes several changes in the turn of its item, the first of which is that of its route. */
	| { kind: 'steps'; make: (item: Composing, send: SendStep) => Promise<IDataObject[]> }
	/** Creates records from several reads. */
	| { kind: 'reads'; read: (at: Composing) => Promise<IDataObject[]>; costs: string };

export interface Operation extends Judged {
	labels: Labels;
	composed?: Composed;
	/** Effects with any body; only `reads` if it changes nothing. */
	effects: readonly Effect[];
	/** Effects that depend on the body. */
	adds?: readonly Adds[];
	/** Whether it cannot be undone, so that Only If can guard it. */
	isFinal: boolean;
	/** What else happens, as a clause: `overwrites the live site`. */
	consequence?: string;
	/** Place in the body of the URL of the overwritten site, if that is not the site of the route. */
	overwrites?: string;
	/** The records that Only If checks, by the place of their IDs in the body, if the route names none. */
	guards?: { id: LocatorName; place: string };
	/** Whether it may add, rename or remove a record of its resource, or change its ID. */
	renames?: true;
	/** Whether lists in its body replace those of its record. */
	replacesLists?: true;
	/** Without the IDs of the route. */
	fields: Field[];
	answer: Answer;
	/** Whether it uses a snapshot and must refuse a hacked one. */
	needsGoodSnapshot?: true;
	/** Lookup directly before the request, which may correct the body; its result is added to the output. */
	looksUp?: (at: Composing) => Promise<IDataObject>;
	/** Output fields in addition to those of its record. */
	beside?: Record<string, FieldType>;
}

/** An option of the Resource dropdown. */
export interface Resource {
	name: string;
	value: string;
	/** Of a node with several. */
	description?: string;
	operations: Operation[];
	/** Whether its records are in the backups of a site. */
	inBackups?: true;
}

/** An operation as messages and docs name it, such as `Tag: Create`. */
export const fullName = ({ name }: Pick<Resource, 'name'>, { labels }: Operation): string =>
	`${name}: ${labels.name}`;

/** Whether the backups of its site must be on: it makes, reads or uses a snapshot. */
export const needsBackups = ({ inBackups }: Resource, { route, answer }: Operation): boolean =>
	inBackups === true || answer.kind === 'sync' || idsOf(route).includes('snapshotId');

/** Whether an operation changes nothing and returns no secret. */
export const onlyReads = ({ effects }: Pick<Operation, 'effects'>) =>
	effects.every((effect) => effect === 'reads');

/** Whether a model has to confirm it: it cannot be undone, or changes live sites or who has access, or sends emails. */
export function needsConfirmation({ route, isFinal }: Operation, effects: Effect[]): boolean {
	const risks: Effect[] = [...HARMFUL, 'givesAccess', 'sendsMail'];
	return isFinal || (!route.startsWith('GET ') && effects.some((each) => risks.includes(each)));
}

export const effectsOf = ({ effects, adds = [] }: Operation, body: unknown): Effect[] => {
	const isAdded = ({ place, unless }: Adds) => {
		const value = valueAt(body, place);
		return !unless.some((each) => JSON.stringify(each) === JSON.stringify(value));
	};
	return [...new Set([...effects, ...adds.filter(isAdded).map(({ effect }) => effect)])];
};

/**
 * Where the user can see whether a change was made: the operation that reads the record, or the nearest one above it.
 * `path` has names of IDs; `lists` are the operations that list them, such as `Site: Get Many and Note: Get Many`.
 */
export function whereToVerify(resources: Resource[], { route, answer }: Operation) {
	const reads = resources.flatMap((resource) =>
		resource.operations
			.filter((each) => each.route.startsWith('GET ') && !each.composed)
			.map((each) => ({ path: each.route.slice(4), label: fullName(resource, each) })),
	);
	const readsOf = (path: string) => reads.filter((each) => each.path === path);
	const { template } = partsOf(route);
	const parts = template.split('/');
	const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
	const lists = paths.filter((path) => template.startsWith(`${path}/{`)).flatMap(readsOf);
	const found = answer.kind === 'task' ? undefined : paths.reverse().flatMap(readsOf)[0];
	return {
		...(found ?? { path: '/tasks', label: 'Task: Get Many' }),
		lists: lists.map(({ label }) => label).join(' and '),
	};
}
