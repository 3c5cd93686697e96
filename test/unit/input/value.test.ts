import type { Field } from '../../../nodes/shared/input/field';
import { heldIn, Named, NewestSnapshot } from '../../../nodes/shared/input/id';
import { Refusal } from '../../../nodes/shared/input/refusal';
import type { ValueScope } from '../../../nodes/shared/input/value';
import { valueOf } from '../../../nodes/shared/input/value';

/** What becomes of the value of a field: sent, left out because nobody has set it, or refused. */

const BY_EXPRESSION = '={{ $json.it }}';

interface Setting {
	value: unknown;
	/** What is set in the node; the value itself where that is no expression. */
	raw?: unknown;
	scope?: Partial<ValueScope>;
}

const typed = (value: unknown, scope?: Partial<ValueScope>): Setting => ({ value, scope });
const found = (value: unknown, scope?: Partial<ValueScope>): Setting => ({
	...{ value, scope },
	raw: BY_EXPRESSION,
});

const field = (more: Partial<Field> = {}): Field => ({
	...{ displayName: 'Name', name: 'name', type: 'string', default: '' },
	...more,
});

const given = (more: Partial<Field>, { value, raw = value, scope }: Setting) => {
	const context = { getTimezone: () => 'utc' };
	return valueOf(field(more), { value, raw }, { context, read: () => undefined, ...scope });
};

const locator = (value: unknown, mode = 'id') => ({ __rl: true, mode, value });
const ofModel = (value: string, mode: string): Setting => ({
	value: locator(value, mode),
	raw: locator("={{ $fromAI('Name') }}", mode),
});
const filter = (blanks: ValueScope['filter']) => ({ filter: blanks, isOption: true });
const many: Partial<Field> = { type: 'multiOptions' };
const id: Partial<Field> = { type: 'resourceLocator' };
const site = new Named('siteId', 'a.example/b', 'url', 'Name');
const noTagID = new Named('tagId', 'a', 'id', 'Name');
const until = new NewestSnapshot('2026-03-01T11:00:00Z');
const record = { value: 'not an id', name: 'A record of the service' };
const any: Partial<Field> = { type: 'options', options: [{ name: 'Any', value: '' }] };
const shows: Partial<Field> = { type: 'boolean', showsWith: false };

it.each<[what: string, field: Partial<Field>, setting: Setting, result: unknown]>([
	['a text left blank', {}, typed(' '), undefined],
	['a list left empty', many, typed([]), undefined],
	['a locator left blank', id, typed(locator('')), undefined],
	['only commas, as a default', { as: () => [], default: ',' }, typed(','), undefined],
	['nothing in an ignored filter', {}, found(undefined, filter('ignored')), undefined],
	['a list of blanks there', many, found([null, ''], filter('ignored')), undefined],
	['a blank text of a model in a filter', {}, found('', filter('agent')), undefined],
	['a blank text that may be skipped', { maySkip: true }, found(' '), undefined],
	['a choice with a blank value', { ...any, required: true }, typed(''), undefined],
	['a text', {}, typed(' a '), ' a '],
	['0', { type: 'number' }, typed(0), 0],
	['false', { type: 'boolean' }, typed(false), false],
	['an ID', id, typed(locator(' 7 ')), '7'],
	['an ID from the list', id, typed(locator('7', 'list')), '7'],
	['a locator without its mark', id, typed({ mode: 'id', value: '7' }), '7'],
	['an ID by expression', id, found(7), '7'],
	['a site By URL', id, typed(locator(' a.example/b ', 'url')), site],
	['a text that is no ID', { ...id, names: 'tagId' }, typed(locator('a')), noTagID],
	['a time of a model', id, ofModel('2026-03-01T12:00:00+01:00', 'before'), until],
	['a list with a blank', many, found(['', 'a']), ['a']],
	['what its rule allows', { rule: () => undefined }, typed('a'), 'a'],
	['a switch by expression that is a text', shows, found('false'), false],
])('%s is %j', (_, more, setting, result) => {
	expect(given(more, setting)).toEqual(result);
});

const toList = '; to skip blank filters, turn on Options > Ignore Blank Filters';
const byEmptyText = '; to list without this filter, use an empty text';
const noID = 'is an object, not one ID: select its ID, such as {{ $json.client.id }}';
const isText = 'is the text "false", not true or false. Turn the switch on or off';
const forms = '2026-02-28T18:00:00Z or 2026-02-28T18:00:00+01:00';
const noZone = `has no time zone: "2026-03-01T12:00". Write it as ${forms}`;
const choiceOfA: Partial<Field> = { type: 'options', options: [{ name: 'A', value: 'a' }] };

it.each<[what: string, field: Partial<Field>, setting: Setting, message: string]>([
	['a blank by expression', {}, found(''), 'is empty'],
	['nothing by expression', {}, found(null), 'has no value'],
	['a required text', { required: true }, typed(''), 'is empty'],
	['a number', { type: 'number' }, typed(''), 'is empty'],
	['a boolean', { type: 'boolean' }, typed(''), 'is empty'],
	['a choice', choiceOfA, typed(''), 'is empty'],
	['an added option', { type: 'number' }, found('', { isOption: true }), 'is empty'],
	['an entry without a value', many, found([null]), 'has an entry without a value'],
	['text of commas', many, found(','), 'is empty'],
	['a record as an ID', id, found(record), noID],
	['a locator without a value', id, typed({ __rl: true }), noID],
	['a blank ID by expression', id, { value: locator(''), raw: locator(BY_EXPRESSION) }, 'is empty'],
	['nothing in a filter', {}, found(null, filter('refused')), `has no value${toList}`],
	['a blank in a filter', {}, found(' ', filter('refused')), `is empty${toList}`],
	['nothing of a model', {}, found(null, filter('agent')), `has no value${byEmptyText}`],
	['an empty list of a model', many, found([], filter('agent')), `is empty${byEmptyText}`],
	['a required filter', { required: true }, found('', filter('refused')), 'is empty'],
	['what its rule forbids', { rule: () => 'is too loud' }, typed('A'), 'is too loud'],
	['a switch that is a text', shows, typed('false'), isText],
	['a time of a model without a zone', id, ofModel('2026-03-01T12:00', 'before'), noZone],
])('%s is refused', (_, more, setting, message) => {
	expect(() => given(more, setting)).toThrow(new Error(message));
});

it('a locator is read by its mode, and anything else as an ID', () => {
	expect(heldIn(locator('7', 'url'), BY_EXPRESSION)).toEqual({ held: '7', mode: 'url' });
	expect(heldIn(locator('7', 'list'))).toEqual({ held: '7', mode: 'id' });
	expect(heldIn('7')).toEqual({ held: '7', mode: 'id' });
});

it('a rule gets the value and the other fields', () => {
	const rule: Field['rule'] = (value, read) =>
		`is ${String(value)} beside ${String(read('other'))}`;
	const setting = typed(7, { read: (name) => `the ${name}` });
	expect(() => given({ rule }, setting)).toThrow('is 7 beside the other');
});

it.each<Partial<Field>>([{ typeOptions: { password: true } }, { secret: true }])(
	'the value of a field with %j is not repeated',
	(more) => {
		const broken = 'contains a broken character (half of a surrogate pair)';
		expect(() => given(more, typed('me \ud800'))).toThrow(new Error(broken));
		expect(() => given({}, typed('me \ud800'))).toThrow(new Error(`${broken}: "me  "`));
	},
);

describe('a field that belongs to a choice', () => {
	const options = ['Some', 'All'].map((name) => ({ name, value: name.toLowerCase() }));
	const mode = field({ displayName: 'Mode', name: 'mode', type: 'options', options });
	const onSome = { belongsTo: { choice: mode, value: 'some' } };
	const refusal = 'is set, but "Mode" is not "Some"';
	const of = (chosen: unknown, more: Partial<Field>, { value, raw }: Setting) => {
		const read = (name: string) => (name === 'mode' ? chosen : undefined);
		return given(more, { value, raw, scope: { read } });
	};

	it('is sent with that choice', () => {
		expect(of('some', onSome, typed('a'))).toBe('a');
	});

	it.each(['all', undefined])('must not be set with %p', (chosen) => {
		expect(() => of(chosen, onSome, typed('a'))).toThrow(refusal);
		expect(() => of(chosen, { ...onSome, ...id }, typed(locator('7')))).toThrow(refusal);
		expect(of(chosen, onSome, typed(''))).toBeUndefined();
		expect(of(chosen, { ...onSome, default: 'a' }, typed('a'))).toBeUndefined();
	});

	it('may be set with an unknown word as the choice, and is not required then', () => {
		const needed = { ...onSome, required: true };
		expect(of('neither', needed, typed('a'))).toBe('a');
		expect(of('neither', needed, typed(''))).toBeUndefined();
		expect(() => of('neither', needed, found(null))).toThrow('has no value');
		const closed = { belongsTo: { choice: { ...mode, closed: 'form' as const }, value: 'some' } };
		expect(() => of('neither', closed, typed('a'))).toThrow(refusal);
	});

	it('is ignored where it may stay set', () => {
		const mayStand = { belongsTo: { ...onSome.belongsTo, mayStand: true } };
		expect(of('all', mayStand, typed({ not: 'a text' }))).toBeUndefined();
	});

	it('names a switch as a switch', () => {
		const on = field({ displayName: 'On', name: 'mode', type: 'boolean', default: false });
		const belongs = { belongsTo: { choice: on, value: true } };
		expect(() => of(false, belongs, typed('a'))).toThrow('is set, but "On" is not on');
		expect(of(true, belongs, typed('a'))).toBe('a');
	});
});

describe('a group of fields', () => {
	const title = field({ displayName: 'Title', name: 'pageTitle' });
	const count = field({ displayName: 'Count', name: 'count', type: 'number', default: 1 });
	const kind = field({ displayName: 'Kind', name: 'kind', default: 'a' });
	const displayOptions = { show: { kind: ['b'] } };
	const onlyB = field({ displayName: 'Only B', name: 'onlyB', wire: 'of.b', displayOptions });
	const group = (more: Partial<Field> = {}, first = title): Partial<Field> => ({
		type: 'fixedCollection',
		options: [{ displayName: 'Row', name: 'rows', values: [first, count, kind, onlyB] }],
		...more,
	});
	const row = (more = {}) => ({ pageTitle: 't', kind: 'b', onlyB: 'x', ...more });
	const sent = { page_title: 't', count: 1, kind: 'b', of: { b: 'x' } };
	const { of: _, ...ofA } = { ...sent, kind: 'a' };

	it.each<[what: string, field: Partial<Field>, setting: Setting, result: unknown]>([
		['its names at the service, and defaults', group(), typed({ rows: row() }), sent],
		['one of each row', group(), typed({ rows: [row(), row()] }), [sent, sent]],
		['what it is converted to', group({ as: (rows) => [rows] }), typed({ rows: row() }), [sent]],
		['nothing of a hidden field', group(), typed({ rows: row({ kind: 'a' }) }), ofA],
		[
			'what the value in the node shows, not that of its expression',
			group(),
			{ value: { rows: row() }, raw: { rows: row({ kind: 'a' }) } },
			{ ...ofA, kind: 'b' },
		],
		[
			'the rows of an expression, without blank texts',
			group(),
			found([row({ pageTitle: '' })]),
			[{ count: 1, kind: 'b', of: { b: 'x' } }],
		],
		['nothing where it was left empty', group(), typed({}), undefined],
	])('sends %s', (_what, more, setting, result) => {
		expect(given(more, setting)).toEqual(result);
	});

	it.each<[Partial<Field>, Setting, string]>([
		[group(), found({}), 'needs its "Row"'],
		[group(), { value: { rows: [] }, raw: { rows: BY_EXPRESSION } }, 'needs its "Row"'],
		[group(), typed({ rows: [] }), 'needs its "Row"'],
		[group({ required: true }), typed({}), 'needs its "Row"'],
		[group(), found(['a']), 'is no "Row"'],
	])('%j is refused with %j', (more, setting, message) => {
		expect(() => given(more, setting)).toThrow(message);
	});

	it('names the refused row and field', () => {
		const setting = typed({ rows: [row(), row({ count: 'x' })] });
		const refusal = Object.assign(new Refusal('is not a number: "x"', ''), {
			path: ['2', 'Count'],
		});
		expect(() => given(group(), setting)).toThrow(refusal);
		expect(() => given(group(), setting)).toThrow(expect.objectContaining({ path: refusal.path }));
	});

	it('lets a field of a row read the others', () => {
		const rule: Field['rule'] = (_value, read) => `is beside ${String(read('kind'))}`;
		const setting = typed({ rows: row() });
		expect(() => given(group({}, { ...title, rule }), setting)).toThrow('is beside b');
	});
});
