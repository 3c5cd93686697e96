import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import type { Field } from '../../../nodes/shared/input/field';
import { toIds, toTexts } from '../../../nodes/shared/input/convert';
import { readFields } from '../../../nodes/shared/input/request';
import { itemsOf, triggerOf } from '../../support/items';

/** What n8n makes of an expression before a node gets it, in n8n's own contexts. */

const field = (type: Field['type'], more: Partial<Field> = {}): Field => ({
	displayName: 'Field',
	name: 'field',
	type,
	default: type === 'collection' || type === 'fixedCollection' ? {} : '',
	...more,
});
const list = field('string', { as: toTexts('path') });
const ids = field('string', { as: toIds });
const text = field('string');
const json = field('json');
const collection = field('collection', { options: [{ ...list, displayName: 'A', name: 'a' }] });
const rows = field('fixedCollection', {
	typeOptions: { multipleValues: true },
	options: [
		{ displayName: 'Row', name: 'row', values: [{ ...list, displayName: 'A', name: 'a' }] },
	],
});

const given = (value: unknown) => ({ field: value }) as INodeParameters;
const options = (of: Field, value: unknown) => ({
	properties: [of] as INodeProperties[],
	parameters: given(value),
});
const valueOf = (of: Field, value: unknown) =>
	readFields(itemsOf(options(of, value)).item, [of])[0]?.value;

const names = '["Müller, Söhne", "b"]';

describe('an expression with only blanks around its braces keeps the type of its result', () => {
	it.each([
		'={{ % }} ',
		'= {{ % }}',
		'=\n{{ % }}\n',
		'={{ % }}\u00a0',
		'={{ % }}\u200b',
		'=\ufeff{{ % }}\t ',
	])('%j', (form) => {
		const of = (code: string) => form.replace('%', code);
		expect(valueOf(list, of(names))).toEqual(['Müller, Söhne', 'b']);
		expect(valueOf(json, of('({ a: 1 })'))).toEqual({ a: 1 });
		expect(valueOf(field('boolean'), of('true'))).toBe(true);
		expect(valueOf(field('number'), of('7'))).toBe(7);
		expect(valueOf(field('resourceLocator'), { __rl: true, mode: 'id', value: of('7') })).toBe('7');
		expect(valueOf(collection, { a: of(names) })).toEqual(['Müller, Söhne', 'b']);
		const row = [{ a: ['Müller, Söhne', 'b'] }];
		expect(valueOf(rows, { row: [{ a: of(names) }] })).toEqual(row);
		for (const wrong of ['["7", "8"]', '({ id: 1 })']) {
			const id = { __rl: true, mode: 'id', value: of(wrong) };
			expect(() => valueOf(field('resourceLocator'), id)).toThrow(
				/is (a list|an object), not one ID/,
			);
			expect(() => valueOf(text, of(wrong))).toThrow(/is (a list|an object), not a text/);
		}
		for (const nothing of ['null', 'undefined', '[]', '({})']) {
			expect(() => valueOf(list, of(nothing))).toThrow(/has no value|is an empty list|is empty/);
			expect(() => valueOf({ ...text, maySkip: true }, of(nothing))).toThrow(
				/has no value|is empty/,
			);
		}
	});

	it('and a text keeps its blanks', () => {
		expect(valueOf(text, '={{ "a" }}\n')).toBe('a\n');
		expect(valueOf(text, '={{ "a" }} {{ "b" }} ')).toBe('a b ');
	});

	it('of its own item', () => {
		const { items } = itemsOf({ ...options(list, '={{ [$itemIndex] }} '), count: 3 });
		expect(items.map((item) => readFields(item, [list])[0]?.value)).toEqual([['0'], ['1'], ['2']]);
	});

	it('in a trigger, too', () => {
		const { context } = triggerOf(options(list, `={{ ${names} }} `));
		expect(readFields(context, [list])[0]!.value).toEqual(['Müller, Söhne', 'b']);
	});
});

describe('a list as a part of a text', () => {
	it.each([
		`=a, {{ ${names} }}`,
		`={{ ${names} }}, {{ "c" }}`,
		`={{ ${names} }}\n{{ "c" }}`,
		`=${'{{ ["c"] }}'.repeat(2)}`,
	])('is refused where the text is a list: %s', (code) => {
		for (const kind of [list, ids]) {
			expect(() => valueOf(kind, code)).toThrow(
				'The parameter "Field" contains a list within text. Use one expression, such as {{ [...$json.ids, "7"] }}',
			);
		}
		expect(() => valueOf(collection, { a: code })).toThrow('contains a list within text');
		expect(() => valueOf(rows, { row: [{ a: code }] })).toThrow(
			'The parameter "Field > 1 > A" contains a list within text',
		);
	});

	it('is a text elsewhere, and texts become a list', () => {
		expect(valueOf(text, '=Tags: {{ ["a", "b"] }}')).toBe('Tags: a,b');
		expect(valueOf(list, '={{ "a" }}, {{ "b" }}')).toEqual(['a', 'b']);
	});
});

describe('"[object Object]"', () => {
	const quoting = 'It says [object Object] there';
	const value = (code: string) => {
		const { item } = itemsOf(options(text, code));
		Object.assign(item.getInputData().json, { text: quoting, client: { id: 1 } });
		return readFields(item, [text])[0]?.value;
	};

	it.each([
		quoting,
		'={{ $json.text }}',
		'={{ $json.text }} ',
		'={{ $json["text"].trim() }}',
		'=Re: {{ $json.text }}',
		'=Re: {{ "a" }} {{ $json.text }}',
		`=${quoting}: {{ "a" }}`,
	])('is accepted where it is quoted: %s', (code) => {
		expect(value(code)).toContain(quoting);
	});

	it.each([
		'=Of {{ $json.client }}',
		'={{ $json.text }} {{ $json.client }}',
		'={{ "Of " + $json.client }}',
		'={{ `Of ${$json.client}` }}',
		'={{ ["Of", $json.client].join(" ") }}',
		'={{ String($json.client) }}',
		'={{ "[object Object]" }}',
		'=Of {{ "a" + $json.client }}',
		'=Of {{ [$json.client] }}',
	])('is refused where an expression made it of an object: %s', (code) => {
		expect(() => value(code)).toThrow(
			'The parameter "Field" contains "[object Object]": select a field of the object, such as {{ $json.client.id }}',
		);
	});

	it('is refused in JSON from an expression, and in a list', () => {
		const object = '={ "a": "{{ ({ b: 1 }) }}" }';
		expect(() => valueOf(json, object)).toThrow('contains "[object Object]"');
		expect(valueOf(json, `{ "a": "${quoting}" }`)).toEqual({ a: quoting });
		expect(() => valueOf(list, '={{ ["a" + {}] }}')).toThrow('contains "[object Object]"');
		expect(() => valueOf(list, '={{ ["[object Object]"] }}')).toThrow('contains "[object');
		expect(valueOf(list, quoting)).toEqual([quoting]);
	});

	it('is refused in a trigger where an expression has it', () => {
		expect(() => readFields(triggerOf(options(text, '=a {{ ({}) }}')).context, [text])).toThrow(
			'contains "[object Object]"',
		);
	});
});

it('a date in a text is its ISO text, as n8n itself has it in a collection', () => {
	expect(valueOf(text, '={{ DateTime.fromISO("2026-03-01T12:00:00Z") }}')).toBe(
		'2026-03-01T12:00:00.000Z',
	);
	const inside = field('collection', { options: [{ ...text, name: 'a' }] });
	expect(valueOf(inside, { a: '={{ DateTime.fromISO("2026-03-01T12:00:00Z") }}' })).toBe(
		'2026-03-01T12:00:00.000Z',
	);
	expect(valueOf(text, '={{ $now }}')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});
