import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../isRecord';

/**
 * The payload of an answer without its wrapper: `{ tag: {…} }` gives the tag, `{ tags: […], meta }` the tags.
 * An answer of another form is given back as it is. Source: Part A, 4.1.
 */
export function unwrap(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const keys = Object.keys(body).filter((key) => key !== 'meta');
	const [key] = keys;
	const payload = key === undefined ? undefined : body[key];
	// `{ url: "…" }` has no wrapper: its only value is a field.
	return keys.length === 1 && payload !== null && typeof payload === 'object' ? payload : body;
}

/** The records of a list, or the one record of a single answer. */
export function recordsOf(body: unknown): IDataObject[] {
	const payload = unwrap(body);
	return Array.isArray(payload) ? payload.map(asRecord) : [asRecord(payload)];
}

/** How long a list is, as each of its pages tells; undefined where the service does not. Source: Part A, 4.1. */
export function paginationOf(body: unknown): { totalPages?: number; totalItems?: number } {
	const { meta } = (body ?? {}) as {
		meta?: { pagination?: { totalPages?: number; totalItems?: number } };
	};
	return meta?.pagination ?? {};
}

function asRecord(value: unknown): IDataObject {
	return isRecord(value) ? value : { value: value as IDataObject[string] };
}
