import { isStandIn, type WordFinder } from '../drift/words';
import { HIDDEN_KEY, namedParts, shownWord } from './hide';
import { countOf, isMap, type Shape } from './shape';

export interface Finding {
	/** Whether a node would refuse it, would take and report it, or it only differs from the reference. */
	is: 'refused' | 'taken' | 'differs';
	/** `GET /tags`; several routes have the same finding told once. */
	route: string;
	/** `tags[].color`; nothing for the answer itself. */
	place: string;
	what: string;
}

/** A place of an answer as a report has it, and a profile of the sandbox. */
export interface Key {
	/** How often what it is in was there. */
	of: number;
	/** How often it was there, by type. */
	types: Record<string, number>;
	/** Of an enum of the reference: how often each word was there, and which are none of the reference's. */
	words?: Record<string, number>;
	newWords?: string[];
	/** What the reference does not have, or what it has and is never there. */
	is?: 'extra' | 'missing';
}

export type Keys = Record<string, Key>;

interface Judged {
	keys: Keys;
	findings: Array<Omit<Finding, 'route' | 'is'>>;
}

interface Context extends Judged {
	finder: WordFinder;
}

/** Tells the keys and types of what was seen, and what of it is not as the reference has it. */
export function judge(shape: Shape, finder: WordFinder): Judged {
	const context: Context = { keys: {}, findings: [], finder };
	judgePlace(shape, '', countOf(shape.types), context);
	return { keys: context.keys, findings: context.findings };
}

function judgePlace(shape: Shape, place: string, of: number, context: Context): void {
	const { said, types, each } = shape;
	const { keys, findings } = context;
	const key: Key = { of, types: Object.fromEntries(types) };
	if (place !== '') keys[place] = key;
	const expected = said?.types;
	for (const [type, count] of types) {
		if (!expected || expected.has(type)) continue;
		const wanted = [...expected].filter((each) => each !== 'null').join(' or ');
		const what = type === 'null' ? 'null' : `of the type ${type}`;
		findings.push({ place, what: `is ${what} in ${count} of ${of}, not ${wanted}` });
	}
	judgeWords(shape, key, place, context);
	if (each) judgePlace(each, `${place}[]`, countOf(each.types), context);
	if ((types.get('object') ?? 0) > 0) judgeObject(shape, place, context);
}

function judgeWords({ said, words }: Shape, key: Key, place: string, context: Context): void {
	const known = said?.values;
	if (!known || words.size === 0) return;
	const shown = [...words].map(([word, count]) => [shownWord(word, known), count] as const);
	key.words = {};
	for (const [word, count] of shown) key.words[word] = (key.words[word] ?? 0) + count;
	const unknown = Object.keys(key.words).filter((word) => !known.includes(word));
	if (unknown.length === 0) return;
	key.newWords = unknown;
	context.finder.meet(
		known.filter((word) => !words.has(word)),
		unknown,
	);
	context.findings.push({
		place,
		what: `has ${unknown.map((word) => `"${word}"`).join(', ')}, which the reference does not have`,
	});
}

function judgeObject(shape: Shape, place: string, context: Context): void {
	const { said, types } = shape;
	const objects = types.get('object')!;
	const below = (name: string) => (place ? `${place}.${name}` : name);
	const parts = new Map(namedParts(shape));
	const isClosed = said !== undefined && said.parts.size > 0;
	const missing = isClosed ? [...said.parts.keys()].filter((name) => !parts.has(name)) : [];
	const extra = isClosed ? [...parts.keys()].filter((name) => !said.parts.has(name)) : [];
	for (const [name, part] of parts) {
		const at = below(name);
		judgePlace(part, at, objects, context);
		const count = countOf(part.types);
		if (extra.includes(name)) {
			context.keys[at]!.is = 'extra';
			context.findings.push({ place: at, what: 'is not in the reference' });
		} else if (isClosed && said.required.has(name) && count < objects) {
			context.findings.push({ place: at, what: `is missing in ${objects - count} of ${objects}` });
		} else if (!isClosed && !isMap(shape)) context.keys[at]!.is = 'extra';
	}
	for (const name of missing.filter((each) => said!.required.has(each))) {
		context.keys[below(name)] = { of: objects, types: {}, is: 'missing' };
		context.findings.push({ place: below(name), what: 'is never there' });
	}
	context.finder.meet(
		missing.filter(isStandIn),
		extra.filter((name) => name !== HIDDEN_KEY),
	);
}
