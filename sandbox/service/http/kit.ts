import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { notFound } from '../engine/errors';
import type { Collection, Row, Store } from '../engine/store';
import type { World } from '../engine/world';
import type { Context } from './context';
import { listProperties, type ListRules, selectPage } from './paging';
import { arrayOf, ids, integer, string, object, partial } from './schema';
import type { Readable } from 'node:stream';

/** One operation of the API. `path` is relative to the base address, with `{parameters}`. */
export interface Route<B extends TSchema = TSchema> {
	operationId: string;
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	/** What the document says of it; by its name and its path where that is left out. */
	summary?: string;
	tag?: string;
	description?: string;
	query?: Record<string, TSchema>;
	body?: B;
	status: number;
	/**
	 * The error statuses of its own rules, besides those that its request tells; [422] by default when it changes
	 * something (columns "Errors" of Parts A and B).
	 */
	errors?: number[];
	/** The response body of that status; none for a 204. */
	response?: TSchema;
	/** Media type of a response that is no JSON; `handle` returns an `Attachment` then. */
	mediaType?: string;
	/** Returns the response body; nothing for a 204. */
	handle(context: Context<Static<B>>): unknown;
}

/** A path with `{parameters}` as the router has it. */
export const urlOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** A route whose handler knows the type of its body. */
export const route = <B extends TSchema>(one: Route<B>): Route => one;

/** The same operation with the error statuses of its own rules. */
export const failing = (errors: number[], one: Route): Route => ({ ...one, errors });

/** A file as the response; its route has a `mediaType` and the response schema `binary`. */
export class Attachment {
	constructor(
		readonly name: string,
		readonly content: Buffer | Readable,
		/** The number of bytes of a stream. */
		readonly size?: number,
	) {}
}

const anything = Type.Unknown();

export const paginationMeta = object({
	pagination: object({ page: integer, perPage: integer, totalPages: integer, totalItems: integer }),
});

export const bulkResult = (verb: string, idsKey: string) =>
	object({
		[verb]: object({
			[idsKey]: ids,
			errors: arrayOf(partial({ id: string, code: string, message: string })),
		}),
		meta: partial({ requested: integer, succeeded: integer, failed: integer }),
	});

/** Why one item of a bulk operation failed. */
export interface ItemError {
	code: string;
	message: string;
}

/** A kind of record with its place in the API and its looks in a response. */
export interface ResourceOptions<T extends Row> {
	/** Name of the wrapper object of one record; the path parameter is `<name>_id`. */
	name: string;
	/** Name of the array in a list response. */
	plural: string;
	path: string;
	/** Where the records are kept; only who finds one by its id may change it. */
	kind?(store: Store): Collection<T>;
	/**
	 * The records of this path, by default all of the kind; fails with 404 when a parent of the path
	 * does not exist.
	 */
	rows?(context: Context): readonly T[];
	/** Whether the row answers to the id of a path; by default to its own only. */
	matches?(row: T, id: string): boolean;
	view(row: T, world: World): object;
	/** The shape in a list, when it differs from the single view. */
	listView?(row: T, world: World): object;
	/** What `view` and `listView` return. */
	schema?: TSchema;
	listSchema?: TSchema;
}

/** The usual operations of a resource, each as one route (Part A 4.1). */
export function resource<T extends Row>(options: ResourceOptions<T>) {
	const { name, plural, path, view, listView = view } = options;
	const { schema = anything, listSchema = schema } = options;
	const { kind, rows: rowsOf = ({ world }) => kind?.(world.store).peek() ?? [] } = options;
	const { matches = (row: T, id: string) => row.id === id } = options;
	const itemPath = `${path}/{${name}_id}`;

	const find = (context: Context): T => {
		const id = context.params[`${name}_id`]!;
		const row = rowsOf(context).find((candidate) => matches(candidate, id));
		if (!row) throw notFound(`The ${name.replaceAll('_', ' ')} ${id}`);
		return kind?.(context.world.store).get(row.id) ?? row;
	};
	const wrap = (row: T, world: World, show = view) => ({ [name]: show(row, world) });
	const wrapped = (fields: TSchema) => object({ [name]: fields });
	const unwrapped = <F extends TSchema>({ body }: Context) =>
		(body as Record<string, Static<F>>)[name]!;
	const single = wrapped(schema);

	return {
		find,

		list: (operationId: string, rules: ListRules<T>): Route => ({
			operationId,
			method: 'GET',
			path,
			query: listProperties(rules),
			status: 200,
			response: object({ [plural]: arrayOf(listSchema), meta: paginationMeta }),
			handle(context) {
				const { rows, next, meta } = selectPage(
					rowsOf(context),
					rules,
					{ ...rules.defaults?.(context), ...context.query },
					context.world,
				);
				const shown = rows.map((row) => listView(row, context.world));
				context.onPage?.(rows, next);
				return { [plural]: shown, meta };
			},
		}),

		create: <F extends TSchema>(
			operationId: string,
			fields: F,
			add: (context: Context, fields: Static<F>) => T,
			show = view,
			shown = schema,
		): Route => ({
			operationId,
			method: 'POST',
			path,
			body: wrapped(fields),
			status: 201,
			response: wrapped(shown),
			handle: (context) => wrap(add(context, unwrapped<F>(context)), context.world, show),
		}),

		show: (operationId: string): Route => ({
			operationId,
			method: 'GET',
			path: itemPath,
			status: 200,
			response: single,
			handle: (context) => wrap(find(context), context.world),
		}),

		update: <F extends TSchema>(
			operationId: string,
			fields: F,
			change: (row: T, fields: Static<F>, context: Context) => void,
			show = view,
			shown = schema,
		): Route => ({
			operationId,
			method: 'POST',
			path: `${itemPath}/update`,
			body: wrapped(fields),
			status: 200,
			response: wrapped(shown),
			handle(context) {
				const row = find(context);
				change(row, unwrapped<F>(context), context);
				return wrap(row, context.world, show);
			},
		}),

		delete: (operationId: string, remove: (row: T, context: Context) => void): Route => ({
			operationId,
			method: 'DELETE',
			path: itemPath,
			status: 204,
			handle: (context) => remove(find(context), context),
		}),

		/** `POST <item>/<verb>`; answers with what `act` returns, or else with the record. */
		action: <B extends TSchema>(
			operationId: string,
			verb: string,
			act: (row: T, context: Context<Static<B>>) => object | void,
			body?: B,
			response: TSchema = single,
		): Route<B> => ({
			operationId,
			method: 'POST',
			path: `${itemPath}/${verb}`,
			body,
			status: 200,
			response,
			handle(context) {
				const row = find(context);
				return act(row, context) ?? wrap(row, context.world);
			},
		}),
	};
}

/**
 * A bulk operation (Part A 4.1.7): `begin` prepares the request and returns what to do with one
 * item, which returns why the item failed, or nothing. An item that is sent twice is processed once.
 * The verb key of the result is the last part of the path. `read` turns what is sent into the item.
 */
export function bulk(
	operationId: string,
	path: string,
	idsKey: string,
	begin: (context: Context) => (id: string) => ItemError | undefined,
	read = (sent: string) => sent,
): Route {
	const verb = path.slice(path.lastIndexOf('/') + 1);
	return {
		operationId,
		method: 'POST',
		path,
		body: object({ [idsKey]: ids }),
		status: 200,
		response: bulkResult(verb, idsKey),
		handle(context) {
			const sent = (context.body as Record<string, string[]>)[idsKey]!;
			return bulkAnswer(verb, idsKey, sent.map(read), begin(context));
		},
	};
}

/** Performs the items of a bulk operation, and reports on them (Part A 4.1.7). */
export function bulkAnswer(
	verb: string,
	idsKey: string,
	sent: string[],
	perform: (id: string) => ItemError | undefined,
) {
	const requested = [...new Set(sent)];
	const results = requested.map((id) => ({ id, error: perform(id) }));
	const done = results.filter(({ error }) => !error).map(({ id }) => id);
	const errors = results.flatMap(({ id, error }) => (error ? [{ id, ...error }] : []));
	return {
		[verb]: { [idsKey]: done, errors },
		meta: { requested: requested.length, succeeded: done.length, failed: errors.length },
	};
}
