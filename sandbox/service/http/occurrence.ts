import { Type } from '@sinclair/typebox';
import { oneOf, string, atLeast, optionals } from './schema';

/** Which requests a fault meets: without any of these all of them. */
export interface Occurrence {
	/** Only so many of the next requests that the rest of this fits; then the fault is over. */
	next?: number;
	/** The share of the requests, 0 to 1; which ones follows from the seed. */
	rate?: number;
	/** Only requests of this method. */
	method?: 'GET' | 'POST' | 'DELETE';
	/** Only requests whose path, below the base address, begins like this; `*` stands for one segment. */
	path?: string;
}

/** The properties of an occurrence in the schema of a fault. */
export const occurrence = optionals({
	next: atLeast(1),
	rate: Type.Number({ minimum: 0, maximum: 1 }),
	method: oneOf('GET', 'POST', 'DELETE'),
	path: string,
});

/** How WHEN is written on the command line. */
export const occurrenceUsage =
	'WHEN is "always", a share such as 0.05, or a number of next requests such as 3x. A method and the start of a path may follow, with * for any segment: "3x POST /tags"';

/** Reads WHEN. */
export function parseOccurrence(text: string): Occurrence {
	const [, often, count, method, path] =
		/^(always|(\d+)x|[01](?:\.\d+)?)(?: (GET|POST|DELETE))?(?: (\/\S*))?$/.exec(text) ?? [];
	if (often === undefined)
		throw new RangeError(`"${text}" is not a valid WHEN. ${occurrenceUsage}`);
	return {
		...(count !== undefined && { next: Number(count) }),
		...(count === undefined && often !== 'always' && { rate: Number(often) }),
		...(method !== undefined && { method: method as Occurrence['method'] }),
		...(path !== undefined && { path }),
	};
}

/** Reads `MS[-MS][,WHEN]`. */
export function withDuration(text: string): object {
	const [, ms, upTo, rest = 'always'] = /^(\d+)(?:-(\d+))?(?:,(.*))?$/.exec(text) ?? [];
	if (ms === undefined) throw new RangeError(`"${text}" does not start with milliseconds`);
	return {
		ms: Number(ms),
		...(upTo !== undefined && { upTo: Number(upTo) }),
		...parseOccurrence(rest),
	};
}

/** Reads `[STATUS,]WHEN`, with a status of these; `told` is how an error names them. */
export function withStatus(
	text: string,
	statuses: readonly number[],
	told = statuses.join(', '),
): object {
	const [, status, rest = 'always'] = /^(\d{3})(?:,(.*))?$/.exec(text) ?? [];
	if (status === undefined) return parseOccurrence(text);
	if (!statuses.includes(Number(status))) throw notOneOf(status, told);
	return { status: Number(status), ...parseOccurrence(rest) };
}

/** Reads `KIND[,WHEN]`, with a kind of these. */
export function withKind(text: string, kinds: readonly string[]): object {
	const [, kind = '', rest = 'always'] = /^([^,]*)(?:,(.*))?$/.exec(text) ?? [];
	return { kind: wordOf(kind, kinds), ...parseOccurrence(rest) };
}

/** The text, which must be one of the words. */
export function wordOf<W extends string>(text: string, words: readonly W[]): W {
	const found = words.find((word) => word === text);
	if (found === undefined) throw notOneOf(text, words.join(', '));
	return found;
}

const notOneOf = (text: string, choices: string) =>
	new RangeError(`"${text}" is unknown. Choose one of ${choices}`);
