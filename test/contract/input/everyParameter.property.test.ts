import { inspect } from 'node:util';
import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { activate, actionNodes, description, runNode } from '../../support/engine';
import { casesOf, fc, seed } from '../../support/effort';
import { startFleet, type Fleet, type Sent } from '../../support/fleet';
import {
	ANYTHING,
	example,
	choicesOf,
	noteGroups,
	parametersFor,
	requestFor,
	slotsOf,
	verdictOf,
	type Given,
	type Slot,
	type Verdict,
} from '../../support/inputModel';
import { composed } from '../../support/composed';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

/**
 * Any value in any parameter of any operation and trigger: what is sent is exactly what the rule of user input makes
 * of it, or the parameter is named and nothing is sent. `CASES` and `SEED` set how many, and which.
 */

const CASES = casesOf('CASES', { quick: 4_000, long: 40_000 });
/** Parts by node, so that a failure does not hide those of other nodes. */
const NODES = [
	'activityLog',
	'activityLogTrigger',
	'autoUpdate',
	'autoUpdateTrigger',
	'backup',
	'backupContent',
	'backupDestination',
	'backupTrigger',
	'branding',
	'client',
	'customWork',
	'importantPage',
	'managedAccount',
	'note',
	'report',
	'reportTemplate',
	'reportTrigger',
	'scheduledReport',
	'senderEmail',
	'site',
	'siteTrigger',
	'snapshot',
	'stagingSite',
	'stagingSiteTrigger',
	'tag',
	'task',
	'taskTrigger',
	'teamMember',
];

let fleet: Fleet;
const slots = new Map<string, Slot[]>();
/** What is not sent itself, but keeps the request back: it has a rule of its own. */
const guards = new Map<string, Slot[]>();
const isOfSeveral = (slot: string) =>
	composed.some(({ operation, takes }) => takes.length > 1 && slot.startsWith(`${operation} `));
const isGuard = ({ path: [top] }: Slot) => top === 'preview' || top!.startsWith('onlyIf');
let total = 0;

beforeAll(async () => {
	let now = Date.now();
	useClock({ now: () => now, sleep: (ms) => void (now += ms) });
	fleet = await startFleet({ sites: 1, rateLimit: { limit: 1_000_000_000 } });
	forgetRecords();
	for (const name of NODES) {
		const node = await description(name);
		noteGroups(node);
		// What takes several requests has tests of its own: `transport/composed`.
		// Whether a hacked snapshot is taken shows only where there is one: `transport/lookup/newestSnapshot`.
		const all = slotsOf(node).filter(
			({ name: slot, path }) => !isOfSeveral(slot) && path.at(-1) !== 'allowHackedSnapshot',
		);
		slots.set(
			name,
			all.filter((slot) => !isGuard(slot)),
		);
		guards.set(name, all.filter(isGuard));
		total += slots.get(name)!.length;
	}
});

/** Only what the service sees counts, and it is quicker with nothing to show. */
function forgetRecords(): void {
	interface Records {
		all?: () => Array<{ id: string }>;
		delete: (id: string) => void;
	}
	for (const records of Object.values(fleet.world.store) as unknown as Records[]) {
		for (const { id } of records.all?.() ?? []) records.delete(id);
	}
}

it('every node is tried', async () => {
	// What the node for any request sends stands in no description: `anyRequest.test.ts` tries it.
	const actions = (await actionNodes()).map(({ name }) => name).filter((name) => name !== 'api');
	const file = 'test/contract/input/everyParameter.property.test.ts';
	const missing = actions.filter((name) => !NODES.includes(name));
	expect(missing.map((name) => `${file}: add ${name} to NODES`)).toEqual([]);
	expect(NODES.filter((name) => !name.endsWith('Trigger'))).toEqual(actions);
	expect(total).toBeGreaterThan(700);
});

// --- values ---------------------------------------------------------------------------------------------------

const SECRET = 'S3CR3T-VALUE';

const record = {
	id: 'a1',
	name: 'A',
	path: './a',
	key: 'a',
	email: 'a@example.com',
	url: 'https://a.example.com',
};

const hostileText = fc.oneof(
	fc.constantFrom(
		'',
		' ',
		'\n\t',
		'\u00a0',
		',',
		', ,',
		' \n,\r\n',
		'.',
		'..',
		' .. ',
		'../x',
		'a/b?c#d&e=f',
		'%2e%2e',
		'a,b',
		'a\nb',
		' padded ',
		'__proto__',
		'constructor',
		'prototype',
		'toString',
		'hasOwnProperty',
		'null',
		'undefined',
		'NaN',
		'[object Object]',
		'x [object Object] y',
		'\ud800',
		'a\udfffb',
		'😀',
		'\u0000',
		'a\u0000b\u001b',
		'\u200b',
		'e\u0301',
		'true',
		'FALSE',
		' true ',
		'1',
		'-0',
		'0x10',
		'1e3',
		'1.5',
		'007',
		'Infinity',
		'{}',
		'[]',
		'{"a":1}',
		'{"__proto__":{"a":1}}',
		'{"a":{"__proto__":1}}',
		'{"constructor":{"prototype":1}}',
		'[1]',
		'{{ $json.v }}',
		'<script>',
		"'; --",
		'2026-02-30',
		'2026-03-01',
		'12',
		'x'.repeat(61),
		'y'.repeat(400),
	),
	fc.string({ maxLength: 12 }),
	fc.string({ unit: 'binary', maxLength: 8 }),
);

const hostileNumber = fc.oneof(
	fc.constantFrom(
		0,
		-0,
		1,
		-1,
		1.5,
		8.2,
		NaN,
		Infinity,
		-Infinity,
		1e300,
		2 ** 53,
		2 ** 53 - 1,
		1e21,
		5e-324,
	),
	fc.integer({ min: -5, max: 200 }),
	fc.double(),
);

const scalar = fc.oneof(hostileText, hostileNumber, fc.boolean(), fc.constantFrom(null, undefined));

const ownProto = () => JSON.parse('{"__proto__":{"polluted":true},"a":1}') as unknown;

const hostile: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 5, arbitrary: scalar },
	{ weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
	{
		weight: 2,
		arbitrary: fc.constantFrom<unknown>(
			[],
			[[]],
			{},
			[{}],
			[null],
			[''],
			['', ' '],
			['a', ''],
			['a', null],
			['a', undefined],
			['a', NaN],
			['a', 'a', ' a '],
			['a', ['b']],
			['a', true],
			['..'],
			['a', '.'],
			['a,b'],
			[1, 2, 1],
			record,
			[record],
			['a', record],
			locator('a1'),
			{ value: 'a1' },
			{ a: NaN },
			{ a: undefined },
			{ a: [undefined] },
			{ toString: 'x' },
			{ length: 0 },
		),
	},
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
	{ weight: 1, arbitrary: fc.constant(null).map(ownProto) },
);

/** Values that are right, or nearly. */
function fitting({ kind, property }: Slot): fc.Arbitrary<unknown> {
	const usual = example(property) as unknown;
	const sound = kind === 'id' ? (usual as IDataObject).value : usual;
	const two = fc.integer({ min: 0, max: 99 });
	switch (kind) {
		case 'choice':
			return fc.constantFrom(...choicesOf(property));
		case 'choices': {
			const some = fc.subarray(choicesOf(property), { minLength: 1 });
			return fc.oneof(
				some,
				some.map((chosen) => chosen.join(', ')),
				some.map((chosen) => [...chosen, chosen[0]]),
				some.map((chosen) => [...chosen, 'unknown']),
				some.map((chosen) => chosen.join().toUpperCase()),
			);
		}
		case 'ids':
		case 'texts': {
			const word = fc.constantFrom(
				'a',
				'b1',
				'./c d/',
				'-',
				'x.y',
				'__proto__',
				'constructor',
				'7',
			);
			const usual = fc.constantFrom('5f0c2a9d41', '77AB03CE12', '41');
			const words = fc.array(fc.oneof(word, usual, fc.integer({ min: -2, max: 9 })), {
				minLength: 1,
				maxLength: 4,
			});
			return fc.oneof(
				words,
				words.map((some) => some.join(', ')),
				words.map((some) => some.join('\r\n')),
				words.map((some) => [...some, ' ']),
				fc.array(fc.constantFrom('a', 'b'), { minLength: 300, maxLength: 320 }),
			);
		}
		case 'emails':
			return fc.constantFrom<unknown>(
				'a@example.com',
				'a@example.com,b@example.com\n',
				['a@example.com', 'a@example.com'],
				['a@example.com', 'nobody'],
				['a@example.com', ''],
				'nobody',
			);
		case 'boolean':
			return fc.constantFrom<unknown>(true, false, 'true', 'False', 'TRUE', 'yes', 1, 0, 'on');
		case 'number':
			return fc.oneof(
				fc.integer({ min: 0, max: 40 }),
				fc.integer({ min: 0, max: 40 }).map(String),
				fc.constantFrom<unknown>(
					0.5,
					'0.5',
					'1,5',
					'１',
					' 7 ',
					'7px',
					'-1',
					'30',
					30.000001,
					'0b1',
				),
			);
		case 'time':
		case 'day':
			return fc.oneof(
				fc
					.tuple(
						fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
						fc.constantFrom('', 'Z', '+05:30', '-11:00'),
						fc.constantFrom(10, 16, 19, 23),
					)
					.map(
						([at, offset, length]) =>
							at.toISOString().slice(0, length) + (length > 10 ? offset : ''),
					),
				fc.constantFrom<unknown>(
					'2026-03-29T02:30:00',
					'2024-02-29',
					'2026-02-29',
					'2026-13-01',
					'2026-03-01T25:00',
					'2026-3-1',
					'20260301',
					'2026-W10',
					'2026',
					'01.03.2026',
					1_772_323_200_000,
					'1772323200',
					' 2026-03-01 ',
					'2026-03-01T12:00:00 Z',
					'2026-03-01Tnoon',
					'2026-03-01x',
				),
			);
		case 'color':
			return fc.constantFrom<unknown>(
				'#2F80ED',
				'#000000',
				' #ffffff ',
				'#fff',
				'red',
				'2f80ed',
				'#2f80eg',
				'#2f80ed00',
				123456,
				'#2f80ed;',
			);
		case 'json':
			return fc.constantFrom<unknown>(
				{ a: { b: [1, null, 'x'] } },
				'{"a":{"b":[1,null,"x"]}}',
				'{"a":',
				{ a: { b: NaN } },
				[{ a: 1 }],
				'null',
				'"a"',
				'{ }',
				{ constructor: 1 },
				'{"a":{"prototype":1}}',
				{ password: SECRET, a: NaN },
				[SECRET],
				`{"password":"${SECRET}"`,
				'{"toString":1}',
				{ a: Infinity },
				'{"a":1}\n',
			);
		case 'php':
			return fc.oneof(
				fc.tuple(two, two).map(([a, b]) => `${a}.${b}`),
				fc.constantFrom<unknown>(
					8,
					8.2,
					'8',
					'8.2.14',
					'8.2.14.1',
					'v8.2',
					'8.',
					'.2',
					'8,2',
					' 8.2 ',
					-8,
					'8.2-beta',
					'８.２',
				),
			);
		case 'clock':
			return fc.constantFrom(
				'00:00:00Z',
				'23:59:59Z',
				' 12:30:00Z ',
				'24:00:00Z',
				'12:60:00Z',
				'12:30',
				'12:30:00',
				'12:30:00+01:00',
				'noon',
				'1:2:3',
			);
		case 'ip':
			return fc.constantFrom(
				'203.0.113.7',
				'::1',
				'2001:db8::1',
				' 10.0.0.1 ',
				'256.1.1.1',
				'1.2.3',
				'1.2.3.4/24',
				'01.2.3.4',
				'localhost',
				'1.2.3.4:80',
				'[::1]',
			);
		case 'url':
			return fc.constantFrom(
				'https://www.example.com',
				' http://a.example.com/b ',
				'https://a.example.com/ b',
				'javascript:alert(1)',
				'file:///etc/passwd',
				'ftp://a.example.com',
				'www.example.com',
				'https://',
				'//a.example.com',
				'https://user:pw@a.example.com',
				'HTTPS://A.EXAMPLE.COM',
				'example',
			);
		case 'email':
			return fc.constantFrom(
				'owner@example.com',
				' owner@example.com ',
				'a@b',
				'a@@b.com',
				'@b.com',
				'a@',
				'a b@c.com',
				'a@b.com,c@d.com',
				'Owner <owner@example.com>',
				'a@b..com',
				'ö@example.com',
			);
		case 'digits':
			return fc.constantFrom<unknown>(
				'3',
				3,
				'0',
				0,
				-3,
				'3.0',
				3.5,
				'+3',
				'３',
				' 3 ',
				1e21,
				'12a',
			);
		case 'binary':
			return fc.constantFrom(
				'logo',
				'data',
				'__proto__',
				'constructor',
				'toString',
				'logo.data',
				'hasOwnProperty',
			);
		default: {
			const texts = fc.constantFrom<unknown>(7, 8.2, true, false, 'a b', ' a ', '日本');
			// A query has no room for it.
			const isInBody = property.routing?.send?.type === 'body';
			return fc.oneof(fc.constant(sound), texts, fc.constant(isInBody ? 'z'.repeat(5_000) : 'z'));
		}
	}
}

/** What an expression can give that an item cannot hold. */
const coded = fc.constantFrom<{ code: string; value: unknown }>(
	{ code: 'undefined', value: undefined },
	{ code: 'NaN', value: NaN },
	{ code: '$json.gone', value: undefined },
	{ code: 'new Date("2026-03-01T12:00:00.000Z")', value: new Date('2026-03-01T12:00:00.000Z') },
	{ code: 'new Date("never")', value: new Date('never') },
	{ code: '[undefined]', value: [undefined] },
	{ code: '["a", undefined]', value: ['a', undefined] },
	{ code: '({})', value: {} },
	{ code: '[[], {}]', value: [[], {}] },
	{ code: '({ a: () => 1 })', value: { a: () => 1 } },
	{ code: '({ a: 10n })', value: { a: 10n } },
	{ code: '10n', value: 10n },
	{ code: '({ a: new Date("never") })', value: { a: new Date('never') } },
	{ code: 'new Map([["a", 1]])', value: new Map([['a', 1]]) },
	{ code: 'new Set(["a"])', value: new Set(['a']) },
	{ code: '/a/', value: /a/ },
	{ code: 'new String("a")', value: new String('a') },
	{ code: '[new Date("2026-03-01T12:00:00.000Z")]', value: [new Date('2026-03-01T12:00:00.000Z')] },
	{
		code: 'DateTime.fromISO("2026-03-01T12:00:00Z")',
		value: DateTime.fromISO('2026-03-01T12:00:00Z'),
	},
	{ code: '["a", , "b"]', value: ['a', undefined, 'b'] },
);

const isJson = (value: unknown): boolean =>
	value === null ||
	['string', 'boolean'].includes(typeof value) ||
	(typeof value === 'number' && Number.isFinite(value)) ||
	(Array.isArray(value) && value.every(isJson)) ||
	(typeof value === 'object' &&
		!(value instanceof Date) &&
		// n8n itself drops these names from what is typed.
		Object.entries(value).every(
			([key, inner]) => !['__proto__', 'constructor', 'prototype'].includes(key) && isJson(inner),
		));

/** Text that n8n takes for an expression. */
const hasExpression = (value: unknown): boolean =>
	typeof value === 'string'
		? value.startsWith('=')
		: typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);

/** What is tried in one run: values that the items of an expression have are many, others one. */
function givensFor(slot: Slot): fc.Arbitrary<Given[]> {
	const value = fc.oneof(
		{ weight: 3, arbitrary: hostile },
		{ weight: 4, arbitrary: fitting(slot) },
	);
	const isFilter = slot.place === 'filters' && slot.route !== undefined;
	const around = fc.record({
		mode: slot.kind === 'id' ? fc.constantFrom('id', 'list', undefined) : fc.constant(undefined),
		ignoresBlank: isFilter ? fc.constantFrom(false, false, true) : fc.constant(false),
		timezone: fc.constantFrom('UTC', 'UTC', 'America/New_York'),
	}) as fc.Arbitrary<Omit<Given, 'how' | 'value'>>;
	const literal = fc
		.tuple(value, around)
		.filter(([typed, { mode }]) => canBeTyped(slot, typed, mode))
		.map(([typed, rest]): Given[] => [{ ...rest, how: 'literal', value: typed }]);
	const byItem = fc
		.tuple(fc.array(value, { minLength: 4, maxLength: slot.route ? 8 : 4 }), around)
		.map(([values, rest]) =>
			values.map((each): Given => ({ ...rest, how: 'expression', value: each })),
		);
	const byCode = fc
		.tuple(coded, around)
		// A trigger has no items.
		.filter(([{ code }]) => slot.route !== undefined || !code.includes('$json'))
		.map(([made, rest]): Given[] => [{ ...rest, ...made, how: 'expression' }]);
	return fc.oneof(
		{ weight: 3, arbitrary: literal },
		{ weight: 2, arbitrary: byItem },
		{ weight: 1, arbitrary: byCode },
	);
}

/** The fewest values that such runs have on average. */
const VALUES_A_RUN = 2.5;

function canBeTyped({ kind }: Slot, typed: unknown, mode: Given['mode']): boolean {
	const isObject = typeof typed === 'object' && typed !== null;
	if (kind === 'id' && !mode && typed === null) return false;
	if (kind === 'id' && isObject) {
		// Without a mode it is no locator, and n8n itself fails for one whose value has no `toString`.
		if (!mode || typeof typed.toString !== 'function') return false;
	}
	return isJson(typed) && !hasExpression(typed);
}

// --- runs -----------------------------------------------------------------------------------------------------

interface Outcome {
	message?: string;
	error?: unknown;
	sent: Sent[];
}

/** What a refusal begins with, that of the node and that of n8n. */
const REFUSAL = /^(The p|- P)arameter "/m;

/** What the refusal of a name begins with that was looked up; several are called so that earlier cases have made. */
const UNKNOWN = /^(No|More than one) [a-z ]+ (is called|has the ID|has the URL) /;

const isText = (value: unknown): value is string => typeof value === 'string';

const binary = { logo: { mimeType: 'image/png', content: Buffer.from('an image') } };

/** What puts a snapshot to use looks at it and into it first, and refuses one that the service does not show. */
const USES_SNAPSHOT = /^POST (\/sites\/.*\/(restore|migrate|upload|download)|\/staging-sites)$/;
const LOOK = /^GET \/sites\/[^/]+\/(snapshots\/[^/]+|files|tables)$/;

const onAnySnapshot = ({ route = '' }: Slot, { options, ...set }: INodeParameters) => ({
	...set,
	...(USES_SNAPSHOT.test(route)
		? { options: { ...(options as INodeParameters), allowHackedSnapshot: true } }
		: options !== undefined && { options }),
});

const besideLooks = ({ route = '' }: Slot) =>
	fleet.sent().filter((sent) => !(USES_SNAPSHOT.test(route) && LOOK.test(sent.route)));

/** What comes of each value; a request that belongs to no value counts for the first. */
async function outcomesOf(slot: Slot, givens: Given[]): Promise<Outcome[]> {
	if (slot.route === undefined) {
		const outcomes: Outcome[] = [];
		for (const given of givens) outcomes.push(await polled(slot, given));
		return outcomes;
	}
	fleet.forget();
	const [first] = givens as [Given];
	const run = {
		node: slot.node,
		parameters: onAnySnapshot(slot, parametersFor(slot, first)),
		timezone: first.timezone,
		items: givens.map(({ value }) => ({ v: value })) as IDataObject[],
		...(slot.kind === 'binary' && { binary }),
	};
	if (givens.length === 1) {
		const ran = runNode(fleet, run).then(({ error }) => error);
		const error = await ran.catch((thrown: unknown) => thrown as Error);
		return [{ message: error?.message, error, sent: besideLooks(slot) }];
	}
	const settings = { onError: 'continueRegularOutput' as const };
	const { items, error } = await runNode(fleet, { ...run, settings });
	const left = besideLooks(slot);
	return givens.map((given, index) => {
		const of = items.find(({ pairedItem }) => (pairedItem as { item?: number })?.item === index);
		const told = of?.error ?? of?.json.error;
		const message = error?.message ?? (isText(told) ? told : (told as Error | undefined)?.message);
		const isRefused = message !== undefined && (REFUSAL.test(message) || UNKNOWN.test(message));
		if (isRefused) return { message, error: told, sent: [] };
		const sent = take(left, slot, given);
		return { message, error: told, sent: sent ? [sent] : left.splice(0, 1) };
	});
}

/** Takes the request that is wanted for a value out of those that were seen. */
function take(left: Sent[], slot: Slot, given: Given): Sent | undefined {
	const { sends } = verdictOf(slot, given);
	const wanted = sends
		.filter((value) => value !== ANYTHING)
		.map((value) => canonical(requestFor(slot, value)));
	const index = left.findIndex((sent) => wanted.includes(canonical(withoutPages(sent))));
	return index < 0 ? undefined : left.splice(index, 1)[0];
}

/** One poll of a new trigger, whose parameters hold the value itself: a trigger has no items. */
async function polled(slot: Slot, given: Given): Promise<Outcome> {
	fleet.forget();
	const code = given.code ?? literalOf(given.value);
	const parameters = parametersFor(slot, { ...given, code });
	try {
		const { node } = slot;
		const { timezone } = given;
		await (await activate(fleet, { node, parameters, timezone })).poll();
		return { sent: fleet.sent() };
	} catch (error) {
		return { message: (error as Error).message, error, sent: fleet.sent() };
	}
}

/** A value as JavaScript. */
function literalOf(value: unknown): string {
	if (value === undefined || typeof value === 'number')
		return Object.is(value, -0) ? '-0' : String(value);
	if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
	if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
		return `({${Object.entries(value)
			.map(([key, inner]) => `[${JSON.stringify(key)}]: ${literalOf(inner)}`)
			.join(', ')}})`;
	}
	return value instanceof Date
		? `new Date(${value.getTime()})`
		: JSON.stringify(value).replace(/}}/g, '}\\u007d');
}

/** The same text for what is the same as JSON. */
function canonical(value: unknown): string {
	return (
		JSON.stringify(value, (_key, inner: unknown) =>
			typeof inner === 'object' && inner !== null && !Array.isArray(inner)
				? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
				: inner,
		) ?? 'undefined'
	);
}

const withoutPages = ({ route, query, body }: Sent): Sent => {
	const { page: _page, perPage: _perPage, ...rest } = query;
	return { route, query: rest, body };
};

/** Where a name may stand for an ID. */
const isNameable = ({ modes = [], typeOptions, name }: INodeProperties) =>
	modes.some((mode) => mode.name === 'name') ||
	typeOptions?.loadOptionsMethod !== undefined ||
	['siteIds', 'clientIds', 'reportTemplateIds'].includes(name);

/** Whether a value was looked for as a name, which nobody has in an empty account; usual IDs are not. */
function isUnknownName(
	{ property }: Slot,
	{ sends }: Verdict,
	{ message = '', sent }: Outcome,
): boolean {
	const isNamed = message.includes(`(parameter "${property.displayName}")`);
	if (!isNameable(property) || !UNKNOWN.test(message) || !isNamed) return false;
	// A number in a list of tags may be the name of one.
	const digits = property.name === 'tagId' ? /^\d+$/ : /^$/;
	const usual = /tagIds?$/i.test(property.name) ? digits : /^(?=.*\d)[\da-f]{10,}$/i;
	const isUsual = sends.some((value) => [value].flat().every((id) => usual.test(String(id))));
	return !isUsual && sent.every(({ route }) => route.startsWith('GET '));
}

/** What is wrong with an outcome, or nothing. */
function faultOf(
	slot: Slot,
	given: Given,
	verdict: Verdict,
	{ message, error, sent }: Outcome,
): string | undefined {
	if (isUnknownName(slot, verdict, { message, sent })) return undefined;
	const isRefusal = message !== undefined && REFUSAL.test(message);
	if (message !== undefined && sent.length === 0) {
		if (!isRefusal) return `is refused without naming a parameter: ${message}`;
		// n8n takes less for set than an editor can leave.
		if (given.how === 'literal' && message.includes('\n- Parameter "')) return undefined;
		if (!verdict.refuses) return `is refused: ${message}`;
		if (
			!verdict.names.some((name) =>
				new RegExp(`^(The p|- P)arameter "([^"]* > )?${escaped(name)}"`, 'm').test(message),
			)
		) {
			return `is refused by another name: ${message}`;
		}
		const quoted = textsOf(given.value).find(
			(text) => text.length > 60 && message.includes(text.slice(0, 61)),
		);
		if (quoted) return `quotes more than 60 characters: ${message.slice(0, 200)}`;
		if (slot.secret) {
			const { description, context, cause } = error as Error & IDataObject;
			const told = `${message}\n${inspect({ description, context, cause })}`;
			if (told.includes(SECRET)) return `tells a secret: ${told}`;
		}
		return undefined;
	}
	if (isRefusal) return `is refused after something was sent: ${message} ${canonical(sent)}`;
	if (sent.length === 0) return 'gives neither a request nor an error';
	if (verdict.sends.length === 0) return `is sent: ${canonical(sent[0])}`;
	if (verdict.sends.includes(ANYTHING)) return undefined;
	return slot.route ? requestFault(slot, verdict, sent) : pollFault(slot, verdict, sent);
}

function requestFault(slot: Slot, { sends }: Verdict, sent: Sent[]): string | undefined {
	const seen = canonical(withoutPages(sent[0]!));
	const wanted = sends.map((value) => canonical(requestFor(slot, value)));
	if (wanted.includes(seen)) return undefined;
	return `is sent: ${seen}\n  instead of ${wanted[0]}`;
}

/** The filter of the poll that a parameter of a trigger stands for; others are told apart by the trigger itself. */
const pollFilters: Record<string, string> = {
	'activityLogTrigger username': 'filters[username:eq]',
	'activityLogTrigger ipAddress': 'filters[ip_address:eq]',
	'activityLogTrigger search': 'filters[search:contains]',
	'activityLogTrigger eventTypes': 'filters[event_type:eq]',
	'activityLogTrigger objectTypes': 'filters[object_type:eq]',
	'taskTrigger taskTypes': 'filters[type:eq]',
	'reportTrigger clientId': 'filters[client_id:eq]',
	'reportTrigger siteId': 'filters[site_id:eq]',
	'reportTrigger type': 'filters[type:eq]',
	'autoUpdateTrigger scheduleId': 'filters[auto_update_schedule_id:eq]',
	'backupTrigger siteIds': 'filters[id:eq]',
	'siteTrigger siteIds': 'filters[id:eq]',
};

function pollFault(
	{ node, path, kind }: Slot,
	{ sends }: Verdict,
	sent: Sent[],
): string | undefined {
	const name = path.at(-1)!;
	if (node === 'activityLogTrigger' && name === 'siteId') {
		const wanted = sends.map((id) => `GET /sites/${encodeURIComponent(String(id))}/activity-logs`);
		return wanted.includes(sent[0]!.route)
			? undefined
			: `is sent: ${sent[0]!.route} instead of ${wanted[0]}`;
	}
	const key = pollFilters[`${node} ${name}`];
	if (!key) return undefined;
	const seen = canonical(sent[0]!.query[key]);
	const wanted = sends.map((value) => {
		if (typeof value === 'symbol') return 'undefined';
		if (!Array.isArray(value)) return canonical(String(value));
		// The service takes one value only.
		return value.length === 1 ? canonical(value[0]) : 'undefined';
	});
	return wanted.includes(seen)
		? undefined
		: `(${kind}) is sent: ${key} = ${seen} instead of ${wanted[0]}`;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function textsOf(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(textsOf);
}

/** A secret in any form, so that it is known again in a message. */
const withSecret = (slot: Slot, given: Given): Given => {
	if (!slot.secret || given.code) return given;
	const value = given.value;
	if (typeof value === 'string' && value.trim() !== '' && slot.kind === 'text')
		return { ...given, value: `${SECRET}${value}` };
	if (
		typeof value === 'string' &&
		value.length > 3 &&
		slot.kind === 'json' &&
		!/^\s*[{["n]/.test(value)
	)
		return { ...given, value: `${SECRET}${value}` };
	return given;
};

let cases = 0;

/** What is typed as text where n8n wants a switch: n8n hides, and drops, what the switch shows. */
it.each<[choice: string, typed: string, shown: INodeParameters, sent: object]>([
	['includeFiles', 'true', { paths: './a' }, { paths: ['./a'] }],
	['includeDatabase', 'TRUE', { tables: 'wp_posts' }, { tables: ['wp_posts'] }],
])('%s typed as the text %s loses nothing that it shows', async (choice, typed, shown, wanted) => {
	fleet.forget();
	const { error } = await runNode(fleet, {
		node: 'backup',
		parameters: {
			resource: 'backup',
			operation: 'restore',
			siteId: locator('s1'),
			snapshotId: locator('p1'),
			[choice]: typed,
			...shown,
			options: { allowHackedSnapshot: true },
		},
	});
	if (error && REFUSAL.test(error.message)) return expect(fleet.sent()).toEqual([]);
	const sent = fleet.sent().filter(({ route }) => !LOOK.test(route));
	expect(sent).toMatchObject([{ body: { restore: { scope: wanted } } }]);
});

/** The site of a URL is looked up first: a lookup is no change, and nothing else is sent without a site. */
it.each<[what: string, code: string]>([
	['nothing', 'undefined'],
	['blank text', '" "'],
	['a list', '["https://a.example.com"]'],
	['an object', '({ url: "https://a.example.com" })'],
	['true', 'true'],
	['a number that is none', 'NaN'],
	['text with a lone surrogate', '"https://a.example.com/\\ud800"'],
])('the URL of a site that is %s is refused', async (_what, code) => {
	for (const operation of ['get', 'delete']) {
		fleet.forget();
		const siteId = locator(`={{ ${code} }}`, 'url');
		const parameters = { resource: 'site', operation, siteId };
		const { error } = await runNode(fleet, { node: 'site', parameters });
		expect(error?.message).toContain('The parameter "Site"');
		expect(fleet.sent()).toEqual([]);
	}
});

it('the URL of a site goes no further when no site has it', async () => {
	fleet.forget();
	const siteId = locator('https://nowhere.example.com', 'url');
	const parameters = { resource: 'site', operation: 'delete', siteId };
	const { error } = await runNode(fleet, { node: 'site', parameters });
	expect(error).toBeDefined();
	expect(fleet.sent().map(({ route }) => route)).toEqual(['GET /sites']);
});

/** Of an id that nobody has: with Preview nothing may leave that changes something, and Only If never lets it through. */
function guardFault(slot: Slot, given: Given, { message, sent }: Outcome): string | undefined {
	const changes = sent.filter(({ route }) => !route.startsWith('GET '));
	const { sends, refuses } = verdictOf(slot, given);
	if (refuses && sends.length === 0) {
		if (message === undefined || !REFUSAL.test(message)) return 'is not refused by its name';
		return sent.length > 0 ? `is refused after ${canonical(sent)}` : undefined;
	}
	const keepsBack = !sends.includes(slot.path[0] === 'preview' ? false : 'none');
	if (keepsBack) return changes.length > 0 ? `lets through ${canonical(changes)}` : undefined;
	const isDone = changes.length > 0 || slot.route!.startsWith('GET ');
	return isDone || message !== undefined ? undefined : 'keeps back what is to be done';
}

describe.each(NODES.filter((node) => !node.endsWith('Trigger')))('%s', (node) => {
	it('nothing takes Preview or Only If away', async () => {
		const own = guards.get(node)!;
		if (own.length === 0) {
			// A node that only reads has neither.
			const changing = slots.get(node)!.filter(({ route }) => !route!.startsWith('GET '));
			return expect(changing).toEqual([]);
		}
		const faults = new Set<string>();
		const some = fc
			.constantFrom(...own)
			.chain((slot) => fc.tuple(fc.constant(slot), givensFor(slot)));
		await fc.assert(
			fc.asyncProperty(some, async ([slot, [given]]) => {
				const [outcome] = await outcomesOf(slot, [given!]);
				const fault = guardFault(slot, given!, outcome!);
				if (fault) faults.add(`${slot.name} ${fc.stringify(given)} ${fault}`);
			}),
			{ numRuns: own.length * 6 },
		);
		expect({ seed, faults: [...faults].slice(0, 10) }).toEqual({ seed, faults: [] });
	});
});

describe.each(NODES)('%s', (node) => {
	it(
		'sends exactly what is set, or names it',
		async () => {
			const own = slots.get(node)!;
			const share = Math.max(own.length * 8, (CASES * own.length) / total);
			const faults = new Map<string, string>();
			const some = fc
				.constantFrom(...own)
				.chain((slot) => fc.tuple(fc.constant(slot), givensFor(slot)));
			await fc.assert(
				fc.asyncProperty(some, async ([slot, drawn]) => {
					const givens = drawn.map((given) => withSecret(slot, given));
					const outcomes = await outcomesOf(slot, givens);
					cases += givens.length;
					givens.forEach((given, index) => {
						const fault = faultOf(slot, given, verdictOf(slot, given), outcomes[index]!);
						const kind = `${slot.name} ${typeof given.value} ${fault?.slice(0, 30)}`;
						if (fault) faults.set(kind, `${slot.name} ${fc.stringify(given)} ${fault}`);
					});
				}),
				{ numRuns: Math.ceil(share / VALUES_A_RUN) },
			);
			const shown = [...faults.values()].map((fault) => fault.slice(0, 600));
			expect({ seed, faults: shown.slice(0, 10) }).toEqual({ seed, faults: [] });
		},
		60_000 + CASES * 20,
	);
});

it('as many values are tried as are asked for', () => {
	expect(cases).toBeGreaterThanOrEqual(CASES);
});
