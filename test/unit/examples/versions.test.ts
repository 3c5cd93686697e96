import { codeOf } from '../../support/codeOfExamples';

/** Example 02c reads ranges as feeds write them, and orders versions as the CMS does. */

interface Functions {
	compare: (a: string, b: string) => number;
	readRange: (range: unknown) => object | undefined;
	isWithin: (version: string, ranges: object) => boolean;
}

const { compare, readRange, isWithin } = codeOf<Functions>(
	'02c-which-sites-have-it.json',
	'Find the affected sites',
	'const { slug, versions, old_days: oldDays = 3',
	'{ compare, readRange, isWithin }',
);

const isVulnerable = (version: string, range: unknown) => {
	const ranges = readRange(range);
	return ranges && isWithin(version, ranges);
};

const OLDEST_FIRST = [
	...['0.9-dev', '0.9-alpha1', '0.9-alpha.2', '0.9-beta.2', '0.9b10', '0.9-RC1', '0.9', '0.9.1'],
	...['0.9pl1', '1.0.0-rc.1', '1.0.0', '1.0.0.1', '1.9', '1.10', 'v2.0', '10.0', '2023.11.4'],
	'20240101',
];

it('orders all versions', () => {
	for (const [index, older] of OLDEST_FIRST.entries()) {
		for (const newer of OLDEST_FIRST.slice(index + 1)) {
			const orders = [compare(older, newer), compare(newer, older), compare(newer, newer)];
			expect({ older, newer, orders }).toEqual({ older, newer, orders: [-1, 1, 0] });
		}
	}
});

it.each([
	['1.2', '1.2.0'],
	['1.2.0.0', '1.2'],
	['v1.2', '1.2'],
	['1.2-Beta', '1.2beta'],
	[' 1.2 ', '1.2'],
])('%s and %s are the same', (one, other) => expect(compare(one, other)).toBe(0));

it.each<[range: string, inside: string[], outside: string[]]>([
	['< 2.3.1', ['2.3.0', '0.1', '2.3.1-beta', 'v2.3'], ['2.3.1', '2.3.1.0', '2.10']],
	['<2.3.1', ['2.3'], ['2.3.1']],
	['<= 2.3.1', ['2.3.1', 'v2.3.1'], ['2.3.2', '2.3.1.1']],
	['>= 1.0 <= 1.4.2', ['1.0', '1.4.2', '1.2'], ['0.9', '1.4.3', '1.0-rc1', '1.10']],
	['>=1.0, <=1.4.2', ['1.0', '1.4.2'], ['0.9', '1.4.3']],
	['> 1.0 < 1.4', ['1.0.1'], ['1.0', '1.0.0', '1.4']],
	['1.0 - 1.4.2', ['1.0', '1.4.2', '1.3'], ['0.9', '1.4.3']],
	['1.4.2', ['1.4.2', '1.4.2.0'], ['1.4.1', '1.4.20']],
	['= 1.4.2', ['1.4.2'], ['1.4.3']],
	['== 1.4.2', ['1.4.2'], ['1.4.3']],
	['< 3 != 2.5', ['2.4', '2.6'], ['2.5', '3']],
	['< 1.2 || >= 2.0 < 2.3', ['1.1', '2.2'], ['1.2', '1.9', '2.3']],
	['*', ['0', '1.0', 'trunk'], []],
	['< 2.0-beta.2', ['2.0-alpha', '2.0-beta.1'], ['2.0-beta.2', '2.0-rc1', '2.0']],
])('%s has %j and not %j', (range, inside, outside) => {
	const found = (versions: string[]) => versions.map((version) => isVulnerable(version, range));
	expect([found(inside), found(outside)]).toEqual([
		inside.map(() => true),
		outside.map(() => false),
	]);
});

it.each([
	...['', ' ', 'before 9', '< ', '<> 1.0', 'all', '1.0 to 2.0', '< 1.0 ||', '~1.2', '^1.2'],
	...['1.x', '< 2.x', '1.0-1.4.2', '[1.0,2.0)', undefined, null, '< latest', '2.9.11.1, 2.9.12'],
	...['2.9.11.1 2.9.12', '= 1.0, = 1.1', '1.0, < 0.5', '< 1.9.3, < 2.0.1'],
	...['< 1.2, >= 2.0 < 2.3', '>= 2.0 < 1.0', '> 1.0 < 1.0', '2.0 - 1.0'],
	...['>= 1.0 <= 1.0 != 1.0', '< 0', '< 1.0 || 3 < 2', '< 1.0-hotfix'],
])('%j is not guessed', (range) => expect(isVulnerable('1.0', range)).toBeUndefined());
