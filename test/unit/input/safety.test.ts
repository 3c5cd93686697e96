import { siteByUrl } from '../../../nodes/shared/input/convert';
import {
	checkFields,
	checkName,
	CHECKS,
	onlyIf,
	preview,
} from '../../../nodes/shared/input/controls';
import { valueOf } from '../../../nodes/shared/input/value';

/** What a person sets to keep an operation from doing harm. */

const scope = { context: { getTimezone: () => 'utc' }, read: () => undefined };
const given = (check: (typeof CHECKS)[number], value: string) =>
	valueOf(checkFields('site')[check], { value, raw: value }, scope);

it.each([
	['url', 'onlyIfUrl', 'URL Is'],
	['name', 'onlyIfName', 'Name Is'],
	['email', 'onlyIfEmail', 'Email Is'],
] as const)('%s is saved as %s', (check, name, displayName) => {
	expect(checkName(check)).toBe(name);
	expect(checkFields('staging site')[check]).toMatchObject({
		name,
		displayName,
		type: 'string',
		default: '',
		required: true,
		placeholder: expect.stringMatching(/^e\.g\. ./),
		description: expect.stringContaining('that the staging site must have'),
	});
	expect(() => given(check, '')).toThrow('is empty');
});

it('reads a URL, a name and an email, and refuses others', () => {
	expect(given('url', 'https://a.example/b')).toEqual(siteByUrl('https://a.example/b'));
	expect(given('name', 'Harbour Bakery')).toBe('Harbour Bakery');
	expect(given('email', ' name@email.com ')).toBe('name@email.com');
	expect(() => given('url', 'not a url')).toThrow('is not a URL');
	expect(() => given('email', 'nobody')).toThrow('is not an email address');
});

it('the choice has what the record has, and None', () => {
	const choice = onlyIf('report', ['url', 'name']);
	expect(choice).toMatchObject({ name: 'onlyIf', default: 'none', noDataExpression: true });
	expect(choice.options!.map((each) => 'value' in each && each.value)).toEqual([
		'name',
		'none',
		'url',
	]);
	const chosen = (value: unknown, raw: unknown = value) => valueOf(choice, { value, raw }, scope);
	expect(chosen('url')).toBe('url');
	expect(() => chosen('none', "={{ $fromAI('check') }}")).toThrow('is an expression. Choose');
	expect(() => chosen('email')).toThrow('which is not one of');
});

it('refuses a text that a model fills in, by any of its names', () => {
	const check = (raw: string) => valueOf(checkFields('tag').name, { value: 'A', raw }, scope);
	expect(check("={{ $('From AI').item.json.fromAI }}")).toBe('A');
	for (const name of ['$fromAI', '$fromai', '$fromAi']) {
		expect(() => check(`=A {{ ${name}('name') }}`)).toThrow('is filled in by the model');
	}
});

it('Preview is off unless it is turned on', () => {
	expect(preview).toMatchObject({
		name: 'preview',
		type: 'boolean',
		default: false,
		required: true,
	});
	expect(preview.description).toMatch(/^Whether .*nothing is changed\.$/);
});
