import { refuse, shown } from './refusal';
import { isDate } from './time';

/** What a text is for, such as `one ID`, and for the messages what to pick of an object, where it is, and of a list. */
type TextRule = [what: string, part: string, inObject: string, inList: string];

const A_TEXT: TextRule = ['a text', 'a field', 'client.id', 'sites[0].id'];

/**
 * A value as text: numbers and booleans become theirs, dates their ISO text, as n8n itself has it in collections.
 * @throws Refusal for lists, objects, NaN, and text that cannot be sent as it is
 */
export function toText(value: unknown, rule = A_TEXT): string {
	const [what, part, inObject, inList] = rule;
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
			if (rule === A_TEXT && isDate(value))
				return value.toJSON() ?? refuse('is not a date and time');
			if (Array.isArray(value)) {
				return refuse(`is a list, not ${what}: select one entry, such as {{ $json.${inList} }}`);
			}
			return refuse(`is an object, not ${what}: select ${part}, such as {{ $json.${inObject} }}`);
	}
}

/** Half of a character pair can be neither in a URL nor in UTF-8. */
function wellFormed(text: string): string {
	if (!/\p{Surrogate}/u.test(text)) return text;
	const problem = 'contains a broken character (half of a surrogate pair)';
	return refuse(`${problem}: ${shown(text)}`, problem);
}
