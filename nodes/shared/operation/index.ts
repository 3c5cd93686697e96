import type { IDataObject, IExecuteSingleFunctions, IHttpRequestMethods } from 'n8n-workflow';
import type { Effect } from '../access/effects';
import type { Touches } from '../access/touches';
import { accountWide } from '../access/touches';
import type { Field, Settings } from '../input/field';
import { wireName } from '../input/field';
import type { LocatorName } from '../input/locators';
import { valueAt } from '../lib/records';
import type { CallContext } from '../n8n/context';
import type { FileAnswer } from '../vocabulary/fileAnswer';

/** What describe makes of the tables of the resources, and transport runs. */

/**
 * Method and path as the API reference writes them; `{tagId}` becomes the locator of that name. `ANY /` stands for
 * whatever the user sets.
 */
export type Route = `${Verb} /${string}`;

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';

type IdsIn<R extends string> = R extends `${string}{${infer Id}}${infer Rest}`
	? Id | IdsIn<Rest>
	: never;

/** A route all of whose ids have a locator; any other does not compile. */
export type KnownRoute<R extends Route> = [IdsIn<R>] extends [LocatorName]
	? R
	: `There is no locator named ${Exclude<IdsIn<R>, LocatorName>}`;

type SiteRoute = `${Verb} /sites/{siteId}${string}`;

/** A route with the sites that it is about: what is below a site says it by its path. */
export interface Judged {
	route: Route;
	touches: Touches;
}

/** What the builders take; a route that says nothing of sites does not compile. */
export type Place<R extends Route> = (R & SiteRoute & KnownRoute<R>) | Judged;

export const on = <R extends Route>(route: R & KnownRoute<R>, touches: Touches): Judged => ({
	route,
	touches,
});

/** A route of records that name their sites. */
export const withSites = <R extends Route>(route: R & KnownRoute<R>) => on<R>(route, 'listed');

/** A route about the sites of the record that it names. */
export const ofRecord = <R extends Route>(route: R & KnownRoute<R>) =>
	on<R>(route, { record: true });

/** A route about what no choice of sites allows. */
export const ofAccount = <R extends Route>(route: R & KnownRoute<R>) => on<R>(route, accountWide);

export const judged = (place: Route | Judged): Judged =>
	typeof place === 'string' ? { route: place, touches: {} } : place;

/** What an operation does besides, where a place of its body has another value than these. */
export interface Adds {
	effect: Effect;
	place: string;
	unless: readonly unknown[];
}

/** The method and the path of a route; the ids in the path are names in braces. */
export function partsOf(route: Route): { method: IHttpRequestMethods; template: string } {
	const [method, template = ''] = route.split(' ');
	return { method: method as IHttpRequestMethods, template };
}

/** The names of the ids in a route. */
export const idsOf = (route: Route) =>
	[...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as LocatorName);

const ID = /\{(\w+)\}/g;

/** Puts ids into a path such as `/sites/{siteId}`, percent-encoded. */
export const fillPath = (template: string, ids: Record<string, string>): string =>
	template.replace(ID, (_, name: string) => encodeURIComponent(ids[name]!));

/** Texts and value of one entry of the Operation dropdown. */
export interface Labels {
	name: string;
	value: string;
	/** Sentence case without articles, such as `Create tag`; the name of a new node, and of a tool. */
	action: string;
	/** A sentence, where the action with an article is none or says too little. */
	description?: string;
	/** What it brings about besides, as a clause: `overwrites the live site`. */
	consequence?: string;
}

/** `Create tag` as a sentence: `Create a tag`. What ends with an s are several, without an article. */
const asSentence = (action: string) =>
	action.endsWith('s')
		? action
		: action.replace(/ (?=([aeiou]?))/, (_, vowel: string) => (vowel ? ' an ' : ' a '));

/** What an operation does, in a sentence. */
export const describedAs = ({ action, description = asSentence(action) }: Labels) => description;

/** The same with what its default output costs besides. */
export function describedWithCosts({ labels, answer }: Operation): string {
	const { completion } = ('output' in answer && answer.output) || {};
	return [describedAs(labels), completion?.costs].filter(Boolean).join('; ');
}

/** Whether a text begins with an action; in a sentence the action has articles. */
export const beginsWith = (action: string, text: string) =>
	text.replace(/\b(?:an?|the) /g, '').startsWith(action);

/** The fields of a simplified record: output name -> path, such as `wp.core.current_version`, or what it comes from. */
export type Simplified = Record<string, string | ((record: IDataObject) => unknown)>;

/**
 * How a record that has more than ten fields or a list without bounds is returned: the fields and paths that Selected
 * Fields offers, and what Simplified keeps. All others come without nesting.
 */
export interface Output {
	fields: string[];
	simplified: Simplified;
	/** What Selected Fields knows by name, where that is more than Simplified has. */
	named?: Simplified;
	completion?: Completion;
}

/** What records lack and is read besides; Raw costs nothing, and Selected Fields only with one of the fields. */
export interface Completion {
	fields: readonly string[];
	/** What is added to the sentence that describes the operation: n8n's builder hands a model the first one alone. */
	costs: string;
	/** The records with it: those that lack nothing as they are. */
	read: (context: CallContext, records: IDataObject[]) => Promise<IDataObject[]>;
}

/**
 * What the reference promises as the answer of an operation; anything else is an error, never a success.
 * Source: Part A, 4.1.
 */
export type Answer =
	/** `{ tags: […], meta: { pagination } }`: a paged list, of which Return All reads all pages. */
	| { kind: 'list'; wrapper: string; output?: Output; renamed?: Renamed }
	/** `{ versions: […] }`: records without paging. */
	| { kind: 'records'; wrapper: string; output?: Output; renamed?: Renamed }
	/** `{ tag: { id, … } }` */
	| RecordAnswer
	/** `{ assign: { site_ids: […], errors: […] }, meta }`: what became of each id. */
	| { kind: 'bulk'; wrapper: string; ids: string }
	/** `{ task: { id, status, created_at } }`: work that has begun; the operation can wait for its end. */
	| { kind: 'task'; result: TaskResult }
	/** `{ task: {…} }`: a task as it is; the operation waits for its end. */
	| { kind: 'wait'; output?: Output }
	/** `{ sync: { snapshot_id, in_progress } }`: a sync that has begun; the operation can wait for its snapshot. */
	| { kind: 'sync'; proves: States; result: Pick<TaskResult, 'output'> }
	/** A file, which goes into a binary field. */
	| { kind: 'file'; file: FileAnswer }
	/** 204: no content. */
	| { kind: 'nothing' }
	/** What the node makes of several answers, with these fields in each item. */
	| { kind: 'made'; fields: Record<string, FieldType> }
	/** Whatever the service answers. */
	| { kind: 'any' };

/** New names of fields: `{ url: 'sso_login_url' }`. */
type Renamed = Record<string, string>;

/** The output once the task of an operation has ended well. Without `from` it is the task. */
export interface TaskResult {
	output: Output;
	/** The type of a task that creates a record, or the route of the record that the task changes. */
	from?: 'report' | 'staging' | Route;
	/** Fields of the request beside the task: name -> place in the body. */
	sent?: Record<string, string>;
	/** Whether the site is read, for its title and its URL. */
	namesSite?: boolean;
}

/** The type of a field that the node adds. */
export type FieldType = 'string' | 'number' | 'boolean' | 'array';

export interface RecordAnswer {
	kind: 'record';
	/** The object around the record; none for `{ url }`. */
	wrapper?: string;
	/** A field that each such record has: its id, unless it has none. */
	needs?: string;
	output?: Output;
	renamed?: Renamed;
	/** The states that the operation orders. */
	proves?: States;
	/** Whether its request says all that comes of it, so that it can be believed without its record. */
	settles?: boolean;
	/** A field that the path can name in the place of the id. */
	alsoBy?: string;
	/** In which state it may have another id than the path: it then has replaced the one asked for. */
	newIdIf?: States;
	/** Whether the reference leaves field names open: users add fields as JSON, and what answers call them is not known. */
	openBody?: boolean;
}

/** States by their places in a record: `{ status: 'paused' }`; an answer with the contrary is an error. */
export type States = Record<string, string | boolean>;

/** What an operation that takes several requests works with, for one item. */
export interface Composing {
	context: IExecuteSingleFunctions;
	/** By the names in the route. */
	ids: Record<string, string>;
	/** The path of the route. */
	url: string;
	qs: IDataObject;
	body: IDataObject;
	settings: Settings;
}

/** A list in a record to which entries are added, or from which they are taken, while all others stay. */
export interface ListChange {
	kind: 'list';
	how: 'add' | 'remove';
	/** Where the list is in the record: `scope.sites.ids`. */
	place: string;
	/** What the entries are called: `site`. */
	entry: string;
	/** The parameter that has the entries. */
	from: string;
	/** The state in which the record has every entry that there is, whatever is in its list. */
	all?: States;
	/** What is sent with the list, by places in the record. */
	along?: States;
	/** Whether the service takes entries in other cases for the same, as with email addresses. */
	ignoresCase?: boolean;
}

/** A record that is known by one of its fields: it is updated where it is there, and otherwise created. */
export interface Upsert {
	kind: 'upsert';
	/** The field, whose parameter has its name. */
	by: string;
	/** The filter of the list that finds it. */
	filter: string;
	/** The request that updates it; the route of the operation creates it. */
	update: Judged;
}

/** How an operation works that takes several requests. Its route is that of the main one. */
export type Composed =
	/** Says how many records its list has. */
	| { kind: 'count' }
	| ListChange
	| Upsert
	/** Makes records of what it reads. */
	| { kind: 'reads'; read: (at: Composing) => Promise<IDataObject[]>; costs: string };

/** What an operation gives beside the fields of its record. */
export function besideOf({
	composed,
	beside = {},
}: Pick<Operation, 'composed' | 'beside'>): Record<string, FieldType> {
	if (composed?.kind === 'upsert') return { created: 'boolean' };
	if (composed?.kind !== 'list') return beside;
	return composed.how === 'add'
		? { added_count: 'number', already_there: 'array' }
		: { removed_count: 'number', not_there: 'array' };
}

/** The ids of a route as items have them: `site_id`. */
export const idFieldsOf = (route: Route) =>
	Object.fromEntries(idsOf(route).map((name) => [wireName(name), name]));

export interface Operation extends Judged {
	labels: Labels;
	/** Where it takes several requests: how. */
	composed?: Composed;
	/** What it does, whatever is in its body; one that only reads has `reads` alone. */
	effects: readonly Effect[];
	/** What its body can add to that. */
	adds?: readonly Adds[];
	/** Whether what it does cannot be taken back, so that Only If can guard it. */
	isFinal: boolean;
	/** Where the body has the URL of the site that is overwritten, where that is not the one of the route. */
	overwrites?: string;
	/** Whether it may give a record of its resource another name or ID, add one or take one away. */
	renames?: true;
	/** Whether lists in its body take the place of those of its record. */
	replacesLists?: true;
	/** Without the ids of the route. */
	fields: Field[];
	answer: Answer;
	/** Whether it puts a snapshot to use, so that it takes no hacked one. */
	needsGoodSnapshot?: true;
	/** Looks up directly before the request what it names, and may correct it; what it gives is in the output. */
	looksUp?: (at: Composing) => Promise<IDataObject>;
	/** What it gives beside the fields of its answer. */
	beside?: Record<string, FieldType>;
}

/** A resource of a node: an entry of the Resource dropdown with its operations and their fields. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
}

/** Whether an operation changes nothing, and tells nobody a secret. */
export const onlyReads = ({ effects }: Pick<Operation, 'effects'>) =>
	effects.every((effect) => effect === 'reads');

/** All that an operation does, with what its body adds. */
export const effectsOf = ({ effects, adds = [] }: Operation, body: unknown): Effect[] => {
	const isAdded = ({ place, unless }: Adds) => {
		const value = valueAt(body, place);
		return value !== undefined && !unless.some((each) => sameJson(each, value));
	};
	return [...new Set([...effects, ...adds.filter(isAdded).map(({ effect }) => effect)])];
};

const sameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
