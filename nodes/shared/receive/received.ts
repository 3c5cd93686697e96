import { isRecord } from '../lib/isRecord';

/** As many keys of an object are named; the rest says nothing more. */
const MAX_KEYS = 12;

/** Longer keys are cut. */
const MAX_KEY = 40;

/** The keys of an answer, two levels of them and no values: `tag {name, color}, meta`; empty where there are none. */
export function keysReceived(body: unknown): string {
	if (!isRecord(body) || Object.getPrototypeOf(body) !== Object.prototype) return '';
	return keyList(body, (key, value) => {
		const inside: unknown = Array.isArray(value) ? (value as unknown[])[0] : value;
		if (!isRecord(inside)) return key;
		const keys = keyList(inside, (each) => each);
		return Array.isArray(value) ? `${key} [{${keys}}]` : `${key} {${keys}}`;
	});
}

function keyList(record: object, word: (key: string, value: unknown) => string): string {
	const entries = Object.entries(record);
	const words = entries
		.slice(0, MAX_KEYS)
		.map(([key, value]) => word(key.slice(0, MAX_KEY), value as unknown));
	return [...words, ...(entries.length > MAX_KEYS ? ['…'] : [])].join(', ');
}
