import type { INodeParameters } from 'n8n-workflow';
import type { Sent } from './fleet';
import { locator } from './locator';
import {
	asAnswered,
	list,
	nameOf,
	request,
	type Called,
	type OperationCase,
	type OperationCases,
} from './operationCases';
import { rowOf } from './reference';

/** Kinds of cases: the reference has the route, what is sent is what is set, and what is answered comes out. */

type Given<Ids, T> = T | ((ids: Ids) => T);

const given = <Ids, T>(value: Given<Ids, T>, ids: Ids): T =>
	typeof value === 'function' ? (value as (ids: Ids) => T)(ids) : value;

interface Kind<Ids> extends Pick<OperationCase<Ids>, 'binary'> {
	/** The records of the path by their names in `Ids`, where they are not called as in the path. */
	on?: Array<keyof Ids>;
	/** What is read before. */
	before?: (ids: Ids) => Sent[];
	/** What comes out; without it what was answered. */
	output?: OperationCase<Ids>['output'];
}

/** What a parameter of a query is called there, what is set, and what is sent if that is not the same. */
type Parameter = [key: string, set: unknown, sent?: unknown];

interface ListKind<Ids> extends Kind<Ids> {
	/** By the names of the parameters, their keys without `filters[]`. */
	filters?: Given<Ids, Record<string, Parameter>>;
	options?: Given<Ids, Record<string, Parameter>>;
	/** As it is sent: `name,asc`. */
	sort?: string;
}

interface ChangeKind<Ids> extends Kind<Ids> {
	/** The object around what is sent. */
	wrapper?: string;
	set: Given<Ids, object>;
	/** What is sent besides, or in another form than it is set; `undefined` is not sent. */
	as?: Given<Ids, object>;
	/** All that is sent, where little of it is called as it is set. */
	sent?: Given<Ids, object>;
}

/** The route of the reference with the ids, and the parameters for these. */
function routeOf<Ids>(name: string, ids: Ids, called: Called<Ids>, on: Array<keyof Ids> = []) {
	const names = [...on];
	const parameters: INodeParameters = {};
	const [operation] = name.split(' ') as [string];
	const route = rowOf(operation).route.replace(/\{(?:auto_update_)?(\w+)_id\}/g, (_, word) => {
		const parameter = `${camelCase(word as string)}Id`;
		const id = String(ids[names.shift() ?? nameOf(parameter, called)]);
		parameters[parameter] = locator(id);
		return id;
	});
	return { route, parameters };
}

const camelCase = (name: string) =>
	name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A value as it is sent: the id of a record, and a time of the workflow, whose zone is UTC. */
function asSent(value: unknown): unknown {
	if (typeof value === 'string') return /T\d\d:\d\d:\d\d$/.test(value) ? `${value}Z` : value;
	const isRecord = typeof value === 'object' && value !== null && '__rl' in value;
	return isRecord ? (value as unknown as { value: unknown }).value : value;
}

const inQuery = (value: unknown) =>
	Array.isArray(value) ? value.map(String) : String(asSent(value));

const mapped = <T, R>(record: Record<string, T>, each: (key: string, value: T) => [string, R]) =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => each(key, value)));

const mapCases = <Ids, T>(
	kinds: Record<string, T>,
	each: (name: string, kind: T) => OperationCase<Ids>,
) => mapped(kinds, (name, kind) => [name, each(name, kind)]) as OperationCases<Ids>;

/** Lists with all filters that they have, or some. */
export const listCases = <Ids>(
	called: Called<Ids>,
	kinds: Record<string, ListKind<Ids>>,
): OperationCases<Ids> =>
	mapCases(kinds, (name, { filters = {}, options = {}, sort, on, before, output }) => {
		const [field, direction] = sort?.split(',') ?? [];
		const set = (parameters: Record<string, Parameter>) =>
			mapped(parameters, (key, [, value]) => [key, value]) as INodeParameters;
		return {
			parameters: (ids) => ({
				...routeOf(name, ids, called, on).parameters,
				filters: set(given(filters, ids)),
				options: set(given(options, ids)),
				...(field && { sort: { by: { field, direction: direction! } } }),
			}),
			sent: (ids) => [
				...(before?.(ids) ?? []),
				list(routeOf(name, ids, called, on).route, {
					...mapped(given(filters, ids), (_, [key, value, sent = inQuery(value)]) => [
						`filters[${key}]${Array.isArray(sent) ? '[]' : ''}`,
						sent,
					]),
					...mapped(given(options, ids), (_, [key, value]) => [key, inQuery(value)]),
					...(sort && { sort }),
				} as Sent['query']),
			],
			output:
				output ??
				((result) => {
					expect(result.json).not.toEqual([]);
					asAnswered(name)(result);
				}),
		};
	});

const GROUPS = ['additionalFields', 'updateFields', 'options'];

/** What is set, under the names of the reference; what is cleared is sent in a form of its own. */
function bodyOf(set: object): object {
	const rows = Object.entries(set).flatMap(([name, value]): Array<[string, unknown]> => {
		if (GROUPS.includes(name)) return Object.entries(bodyOf(value as object));
		return name === 'clear' ? [] : [[snakeCase(name), asSent(value)]];
	});
	return Object.fromEntries(rows);
}

/** Changes of a record, or of what the path names. */
export const changeCases = <Ids>(
	called: Called<Ids>,
	kinds: Record<string, ChangeKind<Ids>>,
): OperationCases<Ids> =>
	mapCases(kinds, (name, { wrapper, set, as = {}, sent, on, before, output, binary }) => ({
		parameters: (ids) => ({
			...routeOf(name, ids, called, on).parameters,
			...(given(set, ids) as INodeParameters),
		}),
		sent: (ids) => {
			const inner = sent ? given(sent, ids) : { ...bodyOf(given(set, ids)), ...given(as, ids) };
			// As it is sent, without what is undefined.
			const body = JSON.parse(JSON.stringify(wrapper ? { [wrapper]: inner } : inner)) as object;
			return [...(before?.(ids) ?? []), request(routeOf(name, ids, called, on).route, body)];
		},
		output: output ?? asAnswered(name),
		binary,
	}));

/** Both ends of ranges of times, each with a value of its own: `created: 'created_at'`. */
export const between = (fields: Record<string, string>): Record<string, Parameter> =>
	Object.fromEntries(
		Object.entries(fields).flatMap(([name, field], day): Array<[string, Parameter]> => [
			[`${name}After`, [`${field}:gte`, `2020-01-0${day + 1}T00:00:00`]],
			[`${name}Before`, [`${field}:lte`, `2030-01-0${day + 1}T00:00:00`]],
		]),
	);

/** An id that no record has. */
export const GONE = 'f0f0f0f0f0f0f0f0f0f0f0f0';

/** The items of a change of many records, in the order in which they were asked for, each with what became of it. */
export const outcomes = (
	above: object,
	idName: string,
	done: string,
	...became: Array<[id: string, code?: string]>
): object[] =>
	became.map(([id, code]) => ({
		...above,
		[idName]: id,
		[done]: code === undefined,
		success: code === undefined,
		...(code !== undefined && { code, message: expect.any(String) }),
	}));
