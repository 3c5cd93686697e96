import { refuse, shown } from './refusal';

/** What a text is for, for the messages about a value that is none. */
interface TextRule {
	/** Such as `a text`. */
	what: string;
	/** What to pick of an object, and of a list. */
	ofObject: string;
	ofList: string;
}

const A_TEXT: TextRule = {
	what: 'a text',
	ofObject: 'select a field, such as {{ $json.client.id }}',
	ofList: 'select one entry, such as {{ $json.sites[0].id }}',
};

/**
 * A value as text: numbers and booleans become theirs.
 * @throws Refusal for lists, objects, NaN, and text that cannot be sent as it is
 */
export function toText(value: unknown, wanted = A_TEXT): string {
	switch (typeof value) {
		case 'string':
			return wellFormed(value);
		case 'boolean':
		case 'bigint':
			return String(value);
		case 'number':
			if (Number.isFinite(value)) return String(value);
			return refuse(`is ${value}, which is not a number`);
		default:
			if (Array.isArray(value)) return refuse(`is a list, not ${wanted.what}: ${wanted.ofList}`);
			return refuse(`is an object, not ${wanted.what}: ${wanted.ofObject}`);
	}
}

/** Half of a character pair can be neither in a URL nor in UTF-8; `[object Object]` was a record once. */
function wellFormed(text: string): string {
	if (/\p{Surrogate}/u.test(text)) {
		return refuse(
			`contains a broken character (half of a surrogate pair): ${shown(text)}`,
			'contains a broken character (half of a surrogate pair)',
		);
	}
	if (text.includes('[object Object]')) {
		return refuse(
			'contains "[object Object]": select a field of the object, such as {{ $json.client.id }}',
		);
	}
	return text;
}
