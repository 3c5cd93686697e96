import { DateTime } from 'luxon';
import { choicesOf, LIST_KINDS, type Kind, type Slot } from './parameters';
import { anyCharacter, fc } from './effort';

/** Values of each kind of parameter that are plainly right or plainly wrong, and values of any form. */

export const SECRET = 'S3CR3T-VALUE';

/** The file in the binary field `logo` of every item. */
export const LOGO = { mimeType: 'image/png', content: Buffer.from('an image') };

/** Two texts without meaning, which are found again in a request. */
const WORDS = ['some text', 'other words'];

/** IDs of the form that is taken for one without a look, and those of two tags: a number may be the name of one. */
const idsFor = (name: string) =>
	/tagIds?$/i.test(name) ? ['1', '2'] : ['5f0c2a9d41', '77ab03ce12'];

/** The first two are literals that the editor could hold. Source: Part A, 1 and 2, and Part B, 2. */
const RIGHT: Partial<Record<Kind, unknown[]>> = {
	texts: ['./a', './b c', ['./a ', './b,c'], '["./d"]', 'a\r\nb', 7],
	paths: [['name'], ['connection.status'], 'id, name'],
	emails: ['owner@example.com', 'a@example.com', 'a@example.com, b@example.org', ['a@b.example']],
	boolean: [true, false, 'true', 'false', 'True', 'FALSE'],
	time: [
		'2026-03-01T12:00:00Z',
		'2026-04-02T06:30:00Z',
		'2026-03-01',
		'2026-03-01T12:00',
		'2026-03-01T12:00:00+05:30',
		'2026-03-01T12:00:00.123456Z',
		'2024-02-29T23:59:59-11:00',
	],
	day: ['2026-03-01', '2026-04-02', '2024-02-29', '2026-03-01T23:30:00-05:00'],
	color: ['#2f80ed', '#00aa11', '#2F80ED', ' #ffffff ', '#fff'],
	json: [{ a: 1 }, { b: 2 }, { a: { b: [1, null, 'x'] } }, '{"a":{"b":[1,null,"x"]}}'],
	text: [...WORDS, ' a b ', '日本 😀', 8.2, true, false, 'null', 'x'.repeat(400)],
	email: ['owner@example.com', 'other@example.org', ' a.b+c@mail.example.co.uk ', 'ö@example.com'],
	url: ['https://www.example.com/a', 'http://other.example.org', 'HTTPS://A.EXAMPLE.COM'],
	ip: ['203.0.113.7', '198.51.100.9', '::1', '2001:db8::1', ' 10.0.0.1 '],
	php: ['8.2', '7.4', '8', '8.2.14', 8.2, 8],
	clock: ['03:30:00Z', '21:15:00Z', '00:00:00Z', ' 23:59:59Z '],
	digits: ['3', '42', 7, '007'],
	dataUri: ['data:image/png;base64,YQ==', 'data:image/gif;base64,YWJj'],
	binary: ['logo', 'other'],
};

const WRONG: Partial<Record<Kind, unknown[]>> = {
	id: ['.', ' .. ', ', ,', 1.5, 2 ** 53, true, '\ud800', '{"id":1}', '["a"]'],
	ids: ['..', ['a', '.'], [2 ** 53], true, ['a', { id: 1 }], [['a']], '{"id":1}', '["a",null]'],
	texts: [['a', null], ['a', undefined], [{ path: 'a' }], [['a']], ['a', '\ud800'], '{"a":1}'],
	paths: ['a..b', ['a b'], ['a', null], [{ name: 'a' }]],
	emails: [['a@example.com', 'nobody'], 'a@example.com, nobody', ['a@b', null], 'a b@c.com', 7],
	choices: [['a', null], [{ id: 'a' }], [['a']]],
	choice: [Infinity, '\ud800'],
	boolean: ['yes', 'on', 1, 0, 'maybe', '1'],
	number: ['many', '1,5', '7px', '0x10', '1e3', NaN, Infinity, '-Infinity', true, [1]],
	time: ['noon', '2026-02-30', '2026-13-01', '12:00', 1_772_323_200_000, '01.03.2026', true],
	day: ['noon', '2026-02-30', '2026-3-1', 20260301, '01.03.2026', '2026-03-01x'],
	color: ['red', '2f80ed', '#2f80e', '#2f80eg', '#2f80ed;', 123456],
	json: ['{"a":', '[]', '"a"', 'null', 7, { a: NaN }, { a: [undefined] }, '{"__proto__":{"a":1}}'],
	text: [NaN, Infinity, '\ud800', 'a\udfffb'],
	email: ['owner', 'a@b', 'a@@b.com', 'a b@c.com', 'a@b.com,c@d.com', 'Owner <o@example.com>'],
	url: ['www.example.com', 'ftp://a.example.com', 'javascript:alert(1)', 'https://', 'a b'],
	ip: ['256.1.1.1', '1.2.3', '1.2.3.4/24', 'localhost', '[::1]', '01.2.3.4'],
	php: ['v8.2', '8.', '8,2', '8.2.14.1', -8, '8.2-beta'],
	clock: ['24:00:00Z', '12:60:00Z', 'noon', '12:30', '12:30:00', '1:2:3'],
	digits: ['12a', -3, 3.5, '+3', '３'],
	dataUri: ['https://a.example.com/a.png', 'data:text/plain;base64,YQ==', 'data:image/png;base64,'],
	binary: ['data', '__proto__', 'constructor', 'toString', 'logo.data'],
};

/** What an expression returns that found nothing: leaving it out would widen what is read or touched. */
export const NOTHING = [undefined, null, NaN, [], {}, [''], [null, ' ']];

const OBJECT = { id: 'a1', name: 'A', value: 'a1' };

/** Words of a list of choices that is only the editor's offer are for the service to judge. */
export const isOffer = ({ property, path }: Slot) =>
	path[0] === 'filters' || path[0] === 'sort' || property.name === 'provider';

function rightNumbers({ property: { typeOptions = {} } }: Slot): number[] {
	const { minValue = 0, maxValue = Infinity, numberPrecision } = typeOptions;
	const some = [minValue + 1, minValue + 2, minValue, ...(numberPrecision === 0 ? [] : [2.5])];
	return some.filter((number) => number <= maxValue);
}

function wrongNumbers({ property: { typeOptions = {} } }: Slot): unknown[] {
	const { minValue, maxValue, numberPrecision } = typeOptions;
	return [
		...(minValue === undefined ? [] : [minValue - 1, String(minValue - 1)]),
		...(maxValue === undefined ? [] : [maxValue + 1]),
		...(numberPrecision === 0 ? [1.5, 2 ** 53] : []),
	];
}

/** Values that have to be accepted; the first two, where there are two, make different requests. */
export function rightFor(slot: Slot): unknown[] {
	const { kind, property } = slot;
	const [first, second] = idsFor(property.name) as [string, string];
	// A list that is only an offer accepts any other word.
	const offered = isOffer(slot) ? ['another word'] : [];
	switch (kind) {
		case 'id':
			return [first, second, ` ${first} `, Number(/^\d+$/.test(first) ? first : 7041000001)];
		case 'ids':
			return [[first], [second], `${first}, ${second}`, `${first}\r\n${second}\n`, `["${second}"]`];
		case 'choice':
			return [...choicesOf(property).filter((value) => value !== ''), ...offered];
		case 'choices': {
			const choices = choicesOf(property);
			const lists = [choices, choices.join(', '), choices.join('\n')];
			return [...choices.map((each) => [each]), ...lists, ...offered.map((each) => [each])];
		}
		case 'number':
			return [...rightNumbers(slot), ...rightNumbers(slot).map(String)];
		default:
			return RIGHT[kind]!;
	}
}

/** Values that must not be sent. */
export function wrongFor(slot: Slot): unknown[] {
	const { kind, maySkip } = slot;
	const isList = LIST_KINDS.includes(kind);
	const unknown = kind.startsWith('choice') && !isOffer(slot) ? ['no such choice'] : [];
	return [
		...NOTHING.filter((value) => value !== undefined || !isList),
		...(kind === 'text' && maySkip ? [] : ['', ' ']),
		...(isList ? [', ,'] : [['a', 'b']]),
		...(kind === 'json' ? [] : [OBJECT]),
		...(kind === 'number' ? wrongNumbers(slot) : []),
		...unknown,
		...WRONG[kind]!,
	];
}

// --- values of any form ---------------------------------------------------------------------------------------

const STRANGE =
	'.|..|../x|a/b?c#d&e=f|%2e%2e|a,b|a\nb| padded |__proto__|constructor|toString|null|undefined|NaN|true|FALSE|1|-0|0x10|1e3|1.5|007|Infinity|{}|[]|{"a":1}|[1]|[object Object]|x [object Object] y|{{ $json.v }}|<script>|2026-03-01';

/** Blanks, and signs that nobody sees. */
const BLANK = ['', ' ', '\n\t', '\u00a0', ', ,', ' \n,\r\n', '\u200b', 'a\u0000b\u001b', 'e\u0301'];

const text = fc.oneof(
	fc.constantFrom(...STRANGE.split('|')),
	fc.constantFrom(...BLANK),
	fc.constantFrom('\ud800', 'a\udfffb', '😀', 'x'.repeat(61), 'y'.repeat(400)),
	fc.string({ maxLength: 12 }),
	fc.string({ unit: anyCharacter, maxLength: 8 }),
);

const number = fc.oneof(
	fc.constantFrom(0, -0, 1, -1, 1.5, 8.2, NaN, Infinity, -Infinity, 1e300, 2 ** 53, 1e21, 5e-324),
	fc.integer({ min: -5, max: 200 }),
	fc.double(),
);

const scalar = fc.oneof(text, number, fc.boolean(), fc.constantFrom(null, undefined));

const ofAnyForm: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 5, arbitrary: scalar },
	{ weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
	{
		weight: 2,
		arbitrary: fc.constantFrom<unknown>(
			...[[], [[]], {}, [{}], [null], [''], ['', ' '], ['a', ''], ['a', null], ['a', NaN]],
			...[['a', 'a', ' a '], ['a', ['b']], ['a', true], ['..'], ['a', '.'], ['a,b'], [1, 2, 1]],
			...[OBJECT, [OBJECT], ['a', OBJECT], { value: 'a1' }, { a: NaN }, { a: undefined }],
			...[{ a: [undefined] }, { toString: 'x' }, { length: 0 }, { password: SECRET, a: NaN }],
		),
	},
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
	{
		weight: 1,
		arbitrary: fc.constant(null).map(() => JSON.parse('{"__proto__":{"b":true},"a":1}') as unknown),
	},
);

/** A value that is right or nearly: as it is, with something around it, in a list, or cut. */
function near(slot: Slot): fc.Arbitrary<unknown> {
	const sample = fc.constantFrom(...rightFor(slot), ...wrongFor(slot));
	const changed = fc.tuple(sample, fc.constantFrom(' ', '\n', ',', '.', '0', 'a', '#'));
	const times = fc
		.tuple(
			fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
			fc.constantFrom('', 'Z', '+05:30', '-11:00'),
			fc.constantFrom(10, 16, 19, 23),
		)
		.map(([at, zone, length]) => at.toISOString().slice(0, length) + (length > 10 ? zone : ''));
	return fc.oneof(
		{ weight: 4, arbitrary: sample },
		changed.map(([value, more]) =>
			typeof value === 'object' ? [value] : `${more}${String(value)}`,
		),
		changed.map(([value, more]) => (typeof value === 'object' ? value : `${String(value)}${more}`)),
		sample.map((value) => (typeof value === 'string' ? value.toUpperCase() : [value].flat())),
		fc.array(sample, { minLength: 1, maxLength: 3 }).map((values) => values.flat()),
		...(['time', 'day'].includes(slot.kind) ? [times] : []),
		...(slot.kind === 'number' ? [fc.integer({ min: 0, max: 40 })] : []),
		...(LIST_KINDS.includes(slot.kind)
			? [fc.array(fc.constantFrom('a', 'b'), { minLength: 300, maxLength: 320 })]
			: []),
	);
}

export const anyValue = (slot: Slot): fc.Arbitrary<unknown> =>
	fc.oneof({ weight: 3, arbitrary: ofAnyForm }, { weight: 4, arbitrary: near(slot) });

const NOON = '2026-03-01T12:00:00.000Z';

/** What an expression can return that an item cannot hold, as its code. */
export const MADE: Array<{ code: string; value: unknown }> = [
	{ code: 'undefined', value: undefined },
	{ code: '$json.gone', value: undefined },
	{ code: `new Date("${NOON}")`, value: new Date(NOON) },
	{ code: `DateTime.fromISO("${NOON}")`, value: DateTime.fromISO(NOON) },
	{ code: 'new Date("never")', value: new Date('never') },
	{ code: '[undefined]', value: [undefined] },
	{ code: '["a", , "b"]', value: ['a', undefined, 'b'] },
	{ code: '[[], {}]', value: [[], {}] },
	{ code: '({ a: () => 1 })', value: { a: () => 1 } },
	{ code: '({ a: 10n })', value: { a: 10n } },
	{ code: '10n', value: 10n },
	{ code: '({ a: new Date("never") })', value: { a: new Date('never') } },
	{ code: 'new Map([["a", 1]])', value: new Map([['a', 1]]) },
	{ code: 'new Set(["a"])', value: new Set(['a']) },
	{ code: '/a/', value: /a/ },
	{ code: 'new String("a")', value: new String('a') },
	{ code: `[new Date("${NOON}")]`, value: [new Date(NOON)] },
];
