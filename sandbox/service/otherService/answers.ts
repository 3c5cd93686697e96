import type { FastifyInstance } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import { basePath } from '../http/options';

/** How a running service answers, where it differs from the reference. */
export interface Answers {
	/** By method and path of the reference: `GET /tags/{tag_id}`. */
	routes?: Record<string, ProfileRoute>;
	/** What the bodies of errors look like, by status; `*` for all others. */
	errors?: Record<string, ProfileError>;
}

export interface ProfileRoute {
	/** How long an answer takes, and how much longer for each record of a list, in milliseconds. */
	ms?: number;
	msPerRecord?: number;
	/** By place: `tags[].color`. */
	keys?: Record<string, ProfileKey>;
}

export interface ProfileKey {
	/** How often what it is in was there, and how often it was there, by type: `{ string: 4, null: 1 }`. */
	of: number;
	types: Record<string, number>;
	/** Of an enum: how often each word was there, and which are none of the reference's. */
	words?: Record<string, number>;
	newWords?: string[];
	is?: 'extra' | 'missing';
}

export interface ProfileError {
	keys: Record<string, Pick<ProfileKey, 'types'>>;
	/** The codes of its errors by status; else they stay as they are. */
	codes?: Record<string, string>;
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Has the operations answer so. @param speed how many times as fast; 0 for at once */
export function answerLike(api: FastifyInstance, profile: Answers, speed: number): void {
	api.addHook('onSend', async (request, reply, payload) => {
		const isJson = String(reply.getHeader('Content-Type')).startsWith('application/json');
		const body: unknown = isJson && typeof payload === 'string' ? JSON.parse(payload) : undefined;
		const { method, routeOptions } = request;
		const path = (routeOptions.url ?? '').slice(basePath.length).replace(/:(\w+)/g, '{$1}');
		const route = `${method} ${path}`;
		if (speed > 0) await sleep(delayOf(profile, route, body) / speed);
		if (typeof body !== 'object' || body === null) return payload;
		const isError = reply.statusCode >= 400;
		if (isError) return JSON.stringify(changeError(profile, reply.statusCode, body as Json));
		changeAnswer(profile, route, body as Json);
		return JSON.stringify(body);
	});
}

/** How long an answer takes, in milliseconds. */
export function delayOf({ routes }: Answers, route: string, body: unknown): number {
	const { ms = 0, msPerRecord = 0 } = routes?.[route] ?? {};
	const lists = isObject(body) ? Object.values(body).filter(Array.isArray) : [];
	return ms + msPerRecord * Math.max(0, ...lists.map(({ length }) => length));
}

/** Changes the body of a success to what the profile says of its route. */
export function changeAnswer({ routes }: Answers, route: string, body: Json): void {
	const keys = Object.entries(routes?.[route]?.keys ?? {});
	const isList = (place: string) => keys.some(([other]) => other === `${place}[]`);
	// What is around others first.
	for (const [place, key] of keys.sort(([one], [other]) => one.length - other.length)) {
		const names = place.split('.');
		const name = names.pop()!;
		if (!/^\w+$/.test(name) || name === '__proto__') continue;
		for (const holder of objectsAt(body, names)) {
			changeKey(holder, name, key, isList(place) ? [{}] : []);
		}
	}
}

/** A record, or what is in it: with the id of the record, for the same record always has the same. */
interface Holder {
	object: Json;
	id: string;
}

/** The objects in a place; in each entry of a list, where its name ends with `[]`. */
function objectsAt(body: Json, names: string[]): Holder[] {
	const own = ({ object, id }: Holder): Holder => ({ object, id: String(object.id ?? id) });
	return names.reduce<Holder[]>(
		(holders, name) =>
			holders.flatMap(({ object, id }) => {
				const value = object[name.replace(/(\[\])+$/, '')];
				const entries = name.endsWith('[]') ? [value].flat(Infinity) : [value];
				return entries.filter(isObject).map((entry) => own({ object: entry, id }));
			}),
		[own({ object: body, id: '' })],
	);
}

function changeKey({ object, id }: Holder, name: string, key: ProfileKey, list: unknown[]): void {
	const { is, of, types, words = {}, newWords = [] } = key;
	const count = sumOf(types);
	const share = shareOf(id, name);
	if (is === 'missing') {
		delete object[name];
		return;
	}
	const { null: nulls = 0, ...others } = types;
	const [type] = Object.keys(others);
	if (is === 'extra' && !(name in object) && share < count / of)
		object[name] = sampleOf(type, list);
	if (!(name in object)) return;
	if (share < nulls / of) object[name] = null;
	if (typeof object[name] === 'string' && newWords.length > 0) {
		const news = newWords.map((word) => words[word] ?? 1);
		const isNew = shareOf(id, `${name} `) < sumOf(news) / Math.max(sumOf(words), sumOf(news));
		if (isNew) object[name] = newWords[Math.floor(share * newWords.length)];
	}
	if (Object.keys(others).length === 1) object[name] = converted(object[name], type!);
}

const sumOf = (counts: Record<string, number> | number[]) =>
	Object.values(counts).reduce((sum, count) => sum + count, 0);

/** A number from 0 to 1 that is always the same for a place of a record. */
function shareOf(id: string, name: string): number {
	let hash = 0x811c9dc5;
	for (const char of `${name}/${id}`) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
	// Neighbours get numbers far from each other.
	hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
	return ((hash ^ (hash >>> 12)) >>> 0) / 2 ** 32;
}

function sampleOf(type: string | undefined, list: unknown[]): unknown {
	const samples: Record<string, unknown> = {
		string: 'a text',
		number: 1,
		boolean: true,
		object: {},
		array: list,
	};
	return samples[type ?? ''] ?? null;
}

/** The same in another type, where it can be that. */
function converted(value: unknown, type: string): unknown {
	if (type === 'string' && ['number', 'boolean'].includes(typeof value)) return String(value);
	const isNumeric = typeof value === 'string' && value.trim() !== '' && !Number.isNaN(+value);
	return type === 'number' && isNumeric ? Number(value) : value;
}

/** The body of an error in the form of the profile, or as it is where that has none. */
export function changeError({ errors }: Answers, status: number, body: Json): Json {
	const form = errors?.[status] ?? errors?.['*'];
	if (!form || !isObject(body.error)) return body;
	const { code, message, details = [] } = body.error;
	const [detail] = details as Json[];
	const told = { status, code: form.codes?.[status] ?? code, message, detail };
	const changed: Json = {};
	for (const [place, { types }] of Object.entries(form.keys)) {
		const names = place.split('.');
		const name = names.pop()!;
		if (!/^\w+$/.test(name) || name === '__proto__') continue;
		// Details are there where there is something to detail.
		const isList = `${place}[]` in form.keys;
		for (const { object } of objectsAt(changed, names)) {
			object[name] = isList
				? detail
					? [entryOf(form, place, told)]
					: []
				: partOf(name, types, told, names);
		}
	}
	return changed;
}

interface Told {
	status: number;
	code: unknown;
	message: unknown;
	detail?: Json;
}

const entryOf = ({ keys }: ProfileError, place: string, { detail }: Told): unknown =>
	keys[`${place}[]`]?.types.object ? {} : detail?.message;

function partOf(name: string, types: Record<string, number>, told: Told, names: string[]): unknown {
	const { status, code, message, detail } = told;
	const isDetail = names.some((each) => each.endsWith('[]'));
	if (types.object) return {};
	if (types.number) return status;
	if (types.boolean) return true;
	if (!types.string) return null;
	if (/^(code|type)$|_code$/.test(name)) return isDetail ? detail?.code : code;
	if (/param|field|path|pointer|source/.test(name)) return detail?.param ?? '';
	return isDetail ? detail?.message : message;
}
