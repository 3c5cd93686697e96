import { naming, refuse, shown, within } from '../../../nodes/shared/input/refusal';
import { itemsOf } from '../../support/engine/contexts';

const long = 'x'.repeat(60);

it.each([
	[7, '7'],
	[7n, '"7"'],
	[true, '"true"'],
	[null, '"null"'],
	[undefined, '"undefined"'],
	[{ a: [1] }, '"{"a":[1]}"'],
	// Cut, on one line, and without half of a character.
	[long, `"${long}"`],
	[`${long}y`, `"${long.slice(1)}…"`],
	['a\n\t\u0000b', '"a b"'],
	['a\ud800\udbffb', '"a b"'],
	['a😀b', '"a😀b"'],
	// Who may sign in with a URL is no matter of a log, also beyond what is shown.
	[`https://me:${'s'.repeat(200)}@example.com`, '"https://…@example.com"'],
	['//me@example.com //you@example.com', '"//…@example.com //…@example.com"'],
	['https://example.com/@name?a=b@c#d@e', '"https://example.com/@name?a=b@c#d@e"'],
])('%p is shown as %s', (value, text) => {
	expect(shown(value)).toBe(text);
});

const item = itemsOf({ count: 4 }).items[3]!;
const named = (work: () => unknown) => () => naming(item, 'Sites', work);

it('the parameter is named, with its item and the part of it that is refused', () => {
	const inner = () => within(['Scope', 'Title'], () => refuse('is "ECONNREFUSED"'));
	expect(named(() => within(['2'], inner))).toThrow(
		expect.objectContaining({
			message: 'The parameter "Sites > 2 > Scope > Title" is "ECONNREFUSED"',
			description:
				'Nothing was sent. If the parameter is an expression, check its value for this item.',
			context: expect.objectContaining({ itemIndex: 3 }),
		}),
	);
});

it('of another error only the parameter is named', () => {
	const broken = () =>
		within(['1'], () => {
			throw new Error('secret');
		});
	expect(broken).toThrow(new Error('secret'));
	expect(named(broken)).toThrow(/^The parameter "Sites" cannot be used$/);
});

it('returns the result of work that is not refused', () => {
	expect(named(() => within(['1'], () => 7))()).toBe(7);
});
