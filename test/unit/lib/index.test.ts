import { isPlain, urlFrom } from '../../../nodes/shared/lib';

class Thing {}

it('only objects without a class are plain', () => {
	const values = [{}, Object.create(null), new Thing(), new Date(0), [], null];
	expect(values.map(isPlain)).toEqual([true, true, false, false, false, false]);
});

it.each(['https://müller.example', 'https://www.example.com/größe', 'https://日本.example'])(
	'%s is a URL however often it is asked',
	(text) => {
		const found = Array.from({ length: 50_000 }, () => urlFrom(text) !== undefined);
		expect(new Set(found)).toEqual(new Set([true]));
	},
);
