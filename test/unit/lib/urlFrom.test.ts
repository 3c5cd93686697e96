import { urlFrom } from '../../../nodes/shared/lib';

it.each(['https://müller.example', 'https://www.example.com/größe', 'https://日本.example'])(
	'%s is a URL however often it is asked',
	(text) => {
		const found = Array.from({ length: 50_000 }, () => urlFrom(text) !== undefined);
		expect(new Set(found)).toEqual(new Set([true]));
	},
);

it.each(['', 'tags', 'https://', 'https://a b.example'])('%j is not a URL', (text) => {
	expect(urlFrom(text)).toBeUndefined();
});
