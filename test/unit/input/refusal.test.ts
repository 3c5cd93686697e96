import { naming, refuse, shown, within } from '../../../nodes/shared/input/refusal';
import { itemsOf } from '../../support/items';

/** How a refused value is shown, and which parameter is named. */

const long = 'x'.repeat(60);

it.each([
	['a text', '"a text"'],
	[7, '7'],
	[true, '"true"'],
	[null, '"null"'],
	[undefined, '"undefined"'],
	[{ a: [1] }, '"{"a":[1]}"'],
	[7n, '"7"'],
	// Cut, on one line, and without half of a character.
	[long, `"${long}"`],
	[`${long}y`, `"${long.slice(1)}…"`],
	['a\n\t\u0000b', '"a b"'],
	['a\ud800\udbffb', '"a b"'],
	['a😀b', '"a😀b"'],
	// Who may sign in with a URL is no matter of a log.
	['https://me:secret@example.com/a', '"https://…@example.com/a"'],
	['//me@example.com //you@example.com', '"//…@example.com //…@example.com"'],
	['https://example.com/@name?a=b@c#d@e', '"https://example.com/@name?a=b@c#d@e"'],
])('%p is shown as %s', (value, text) => {
	expect(shown(value)).toBe(text);
});

it('a user and password longer than what is shown are left out as well', () => {
	expect(shown(`https://me:${'s'.repeat(200)}@example.com`)).toBe('"https://…@example.com"');
});

it('describes a value that cannot be shown by its type', () => {
	const loop: Record<string, unknown> = {};
	loop.loop = loop;
	expect(shown(loop)).toBe('"object"');
});

const reader = itemsOf({ count: 4 }).items[3]!;

it('the parameter is named, with the part of it that is refused', () => {
	const work = () =>
		naming(reader, 'Sites', () =>
			within(['2'], () => within(['Scope', 'Title'], () => refuse('is empty'))),
		);
	expect(work).toThrow('The parameter "Sites > 2 > Scope > Title" is empty');
});

it('names only the parameter where all of it is refused', () => {
	expect(failureOf('Limit', () => refuse('is empty'))).toMatchObject({
		message: 'The parameter "Limit" is empty',
		description:
			'Nothing was sent. If the parameter is an expression, check its value for this item.',
		context: { itemIndex: 3 },
	});
});

it('names only the parameter for other errors, and keeps the code of a network error as text', () => {
	const broken = () => {
		throw new Error('secret');
	};
	expect(failureOf('Name', broken)).toMatchObject({
		message: 'The parameter "Name" cannot be used',
	});
	expect(failureOf('Name', () => refuse('is "ECONNREFUSED"'))).toMatchObject({
		message: 'The parameter "Name" is "ECONNREFUSED"',
	});
});

it('returns the result of work that is not refused', () => {
	expect(naming(reader, 'Name', () => within(['1'], () => 7))).toBe(7);
});

function failureOf(displayName: string, work: () => never): unknown {
	try {
		return naming(reader, displayName, work);
	} catch (error) {
		return error;
	}
}
