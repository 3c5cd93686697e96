import { isRecord } from '../../nodes/shared/lib';
import { isMap, merged, type Shape } from './shape';

/** What of a name may be told: names are, data is not, and a name can be data. */

export const HIDDEN_KEY = '{key}';
export const HIDDEN_WORD = '{text}';

/** Words that names of APIs consist of, so that a new name made of them is a name. */
const COMMON =
	'active at available base bot bytes category code content count created cron current date days default description detail details fault field instance msg param problem reason trace detections display domain duration email enabled error errors expires external file files firewall first full groups has health high host href icon id ids image in info ip is items job jobs key kind label language last latest level limit link links list locale location locked low max medium message meta min mode monitor multisite name network next note number of off on option options order owner page pages parent path percentage period plan policy port position previous priority progress protection query rate reason region requested retention risk role roles scanner score screenshot scripts security server settings size slug snapshot sort source start state status step succeeded success summary sync table tag target task theme themes thumbnail time timeout timezone title token total type types unit updated updates uptime url user users value values version versions visible vulnerable wp zone'.split(
		' ',
	);

const vocabulary = new Set(COMMON);

/** Has the names of the reference count as names. */
export function learn(schema: unknown): void {
	if (Array.isArray(schema)) schema.forEach(learn);
	if (!isRecord(schema)) return;
	if (isRecord(schema.properties)) {
		for (const name of Object.keys(schema.properties))
			for (const part of name.split('_')) vocabulary.add(part);
	}
	Object.values(schema).forEach(learn);
}

const partsOf = (name: string) =>
	name
		.replace(/([a-z])([A-Z])/g, '$1_$2')
		.toLowerCase()
		.split(/[_-]/);

const SNAKE = /^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$/;
const CAMEL = /^[a-z][a-z0-9]*([A-Z][a-z0-9]+){0,4}$/;
const KEBAB = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/;

const isPlain = (text: string) =>
	text.length <= 40 && !/\d.*\d/.test(text) && !/^[0-9a-f]{8,}$/i.test(text);

/** Whether a text has the form of a name: no id, e-mail, URL, host, token or sentence. */
export const isName = (text: string) => (SNAKE.test(text) || CAMEL.test(text)) && isPlain(text);

const isWord = (text: string) => (SNAKE.test(text) || KEBAB.test(text)) && isPlain(text);

const isOfVocabulary = (text: string) => partsOf(text).every((part) => vocabulary.has(part));

/** The parts of a place under names that may be told; what may not is one part. */
export function namedParts(shape: Shape): Array<[string, Shape]> {
	const isTold = (key: string) => {
		if (shape.said?.parts.has(key)) return true;
		if (isMap(shape) || !isName(key)) return false;
		// In an object that the reference does not have, any key may be data, such as the name of a client.
		return (shape.said !== undefined && !shape.isMerged) || isOfVocabulary(key);
	};
	const told: Array<[string, Shape]> = [];
	const hidden: Shape[] = [];
	for (const [key, part] of shape.parts) {
		if (isTold(key)) told.push([key, part]);
		else hidden.push(part);
	}
	return hidden.length > 0 ? [...told, [HIDDEN_KEY, merged(hidden)]] : told;
}

/** A word of an enum field: as it is where the reference has it, or where it has the form of a name. */
export const shownWord = (word: string, known: string[]) =>
	known.includes(word) || isWord(word) ? word : HIDDEN_WORD;

/** Replaces what must not be told in a text of others, such as the message of a reader. */
export class Blinds {
	private readonly hidden: string[];

	/** @param secrets the token, the host */
	constructor(secrets: string[]) {
		this.hidden = secrets.filter((text) => text.length > 2).sort((a, b) => b.length - a.length);
	}

	/** @param values of the answer that the text is about */
	over(text: string, values: Iterable<string> = []): string {
		let told = text;
		const all = [...this.hidden, ...values].sort((a, b) => b.length - a.length);
		for (const each of all) told = told.replaceAll(each, '…');
		return told
			.replace(/[a-z][a-z\d+.-]*:\/\/[^\s"'<>)]+/gi, '{url}')
			.replace(/[^\s"'<>@]+@[^\s"'<>@]+/g, '{email}')
			.replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '{id}')
			.replace(/\b\d{4,}\b/g, '{number}');
	}
}

/** The values of an answer that a text about it could repeat: those of names that the reference has are none. */
export function valuesIn(body: unknown): string[] {
	if (typeof body === 'string') return body.length > 2 ? [body, body.slice(0, 20)] : [];
	if (typeof body === 'number') return body > 99 ? [String(body)] : [];
	if (typeof body !== 'object' || body === null) return [];
	return Object.entries(body).flatMap(([key, value]) => [
		...(Array.isArray(body) || isName(key) ? [] : [key]),
		...valuesIn(value),
	]);
}
