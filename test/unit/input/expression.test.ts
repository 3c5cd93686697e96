import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import type { Field } from '../../../nodes/shared/input/field';
import { toTexts } from '../../../nodes/shared/input/convert';
import { readFields } from '../../../nodes/shared/input/request';
import { itemsOf, triggerOf } from '../../support/engine/contexts';

/** What n8n makes of an expression before a node gets it, in n8n's own contexts. */

const field = (type: Field['type'], more: Partial<Field> = {}): Field => ({
	...{ displayName: 'Field', name: 'field', type, default: '' },
	...more,
});
const list = field('string', { as: toTexts('path') });
const text = field('string');
const json = field('json');
const id = field('resourceLocator');
const inner = { ...list, displayName: 'A', name: 'a' };
const collection = field('collection', { default: {}, options: [inner] });
const rows = field('fixedCollection', {
	default: {},
	typeOptions: { multipleValues: true },
	options: [{ displayName: 'Row', name: 'row', values: [inner] }],
});

const options = (of: Field, value: unknown) => ({
	properties: [of] as INodeProperties[],
	parameters: { field: value } as INodeParameters,
});
const valueOf = (of: Field, value: unknown, data: object = {}) => {
	const { item } = itemsOf(options(of, value));
	Object.assign(item.getInputData().json, data);
	return readFields(item, [of])[0]?.value;
};
const inTrigger = (of: Field, value: unknown) =>
	readFields(triggerOf(options(of, value)).context, [of])[0]?.value;

const code = '["Müller, Söhne", "b"]';
const names = ['Müller, Söhne', 'b'];

describe('an expression with only blanks around its braces keeps the type of its result', () => {
	it.each(['={{ % }} ', '=\n{{ % }}\n', '={{ % }}\u00a0', '={{ % }}\u200b', '=\ufeff{{ % }}\t '])(
		'%j',
		(form) => {
			const of = (inside: string) => form.replace('%', inside);
			const idOf = (inside: string) => ({ __rl: true, mode: 'id', value: of(inside) });
			expect(valueOf(list, of(code))).toEqual(names);
			expect(valueOf(json, of('({ a: 1 })'))).toEqual({ a: 1 });
			expect(valueOf(field('boolean'), of('true'))).toBe(true);
			expect(valueOf(field('number'), of('7'))).toBe(7);
			expect(valueOf(id, idOf('7'))).toBe('7');
			expect(valueOf(collection, { a: of(code) })).toEqual(names);
			expect(valueOf(rows, { row: [{ a: of(code) }] })).toEqual([{ a: names }]);
			for (const wrong of ['["7", "8"]', '({ id: 1 })']) {
				expect(() => valueOf(id, idOf(wrong))).toThrow(/is (a list|an object), not one ID/);
				expect(() => valueOf(text, of(wrong))).toThrow(/is (a list|an object), not a text/);
			}
			const mayBeLeft = { ...text, maySkip: true };
			for (const nothing of ['null', 'undefined', '[]', '({})']) {
				expect(() => valueOf(list, of(nothing))).toThrow(/has no value|is an empty list|is empty/);
				expect(() => valueOf(mayBeLeft, of(nothing))).toThrow(/has no value|is empty/);
			}
		},
	);

	it('and a text keeps its blanks', () => {
		expect(valueOf(text, '={{ "a" }}\n')).toBe('a\n');
		expect(valueOf(text, '={{ "a" }} {{ "b" }} ')).toBe('a b ');
	});

	it('of its own item, and in a trigger', () => {
		const { items } = itemsOf({ ...options(list, '={{ [$itemIndex] }} '), count: 2 });
		expect(items.map((item) => readFields(item, [list])[0]?.value)).toEqual([['0'], ['1']]);
		expect(inTrigger(list, `={{ ${code} }} `)).toEqual(names);
	});
});

it('a list as a part of a text is its entries with commas', () => {
	expect(valueOf(text, '=Tags: {{ ["a", "b"] }}')).toBe('Tags: a,b');
	expect(valueOf(list, '=a, {{ ["b", "c"] }}')).toEqual(['a', 'b', 'c']);
	expect(valueOf(list, '={{ ["a"] }}, {{ "b" }}')).toEqual(['a', 'b']);
});

describe('"[object Object]"', () => {
	const data = { client: { id: 1 } };
	const quoting = 'It says [object Object] there';
	const refusal =
		'contains "[object Object]": select a field of the object, such as {{ $json.client.id }}';

	it.each([
		'=Of {{ $json.client }}',
		'={{ "Of " + $json.client }}',
		'={{ `Of ${$json.client}` }}',
		'={{ ["Of", $json.client].join(" ") }}',
		'={{ String($json.client) }}',
		'={{ "[object Object]" }}',
		'=Of {{ [$json.client] }}',
	])('is refused where an expression made it of an object: %s', (made) => {
		expect(() => valueOf(text, made, data)).toThrow(`The parameter "Field" ${refusal}`);
	});

	it.each(['={{ $json.text }} ', '={{ $json["text"].trim() }}'])(
		'is accepted where the data quotes it: %s',
		(quoted) => {
			expect(valueOf(text, quoted, { text: quoting })).toContain(quoting);
		},
	);

	it('is refused in JSON, in a list and in a trigger, and accepted where it is typed', () => {
		expect(() => valueOf(json, '={ "a": "{{ ({ b: 1 }) }}" }')).toThrow(refusal);
		expect(valueOf(json, `{ "a": "${quoting}" }`)).toEqual({ a: quoting });
		expect(() => valueOf(list, '={{ ["a" + {}] }}')).toThrow(refusal);
		expect(() => valueOf(list, '={{ ["[object Object]"] }}')).toThrow(refusal);
		expect(valueOf(list, quoting)).toEqual([quoting]);
		expect(() => inTrigger(text, '=a {{ ({}) }}')).toThrow(refusal);
	});
});

it('a date in a text is its ISO text, as n8n itself has it in a collection', () => {
	const noon = '={{ DateTime.fromISO("2026-03-01T12:00:00Z") }}';
	expect(valueOf(text, noon)).toBe('2026-03-01T12:00:00.000Z');
	const inside = field('collection', { default: {}, options: [{ ...text, name: 'a' }] });
	expect(valueOf(inside, { a: noon })).toBe('2026-03-01T12:00:00.000Z');
});
