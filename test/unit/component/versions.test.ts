import { compareVersions, isAmong, versionsIn } from '../../../nodes/Component/versions';
import { Refusal } from '../../../nodes/shared/input/refusal';

/** What PHP documents of `version_compare`: parts, words and numbers in their order. */
const OLDEST_FIRST = [
	'0.9-unknown',
	'0.9-dev',
	'0.9-alpha1',
	'0.9-alpha.2',
	'0.9-beta.2',
	'0.9b10',
	'0.9-RC1',
	'0.9',
	'0.9.0',
	'0.9.1',
	'0.9pl1',
	'1.0.0-rc.1',
	'1.0.0',
	'1.0.0.1',
	'1.9',
	'1.10',
	'v2.0',
	'10.0',
	'2023.11.4',
	'20240101',
	'90071992547409931',
	'90071992547409932',
];

it('orders versions as PHP does, over any distance', () => {
	for (const [index, older] of OLDEST_FIRST.entries()) {
		expect(compareVersions(older, older)).toBe(0);
		for (const newer of OLDEST_FIRST.slice(index + 1)) {
			const both = [compareVersions(older, newer) < 0, compareVersions(newer, older) > 0];
			expect({ older, newer, both }).toEqual({ older, newer, both: [true, true] });
		}
	}
});

it.each([
	['v1.2', '1.2'],
	['1.2-Beta', '1.2beta'],
	['1_2+3', '1.2.3'],
	[' 1.2 ', '1.2'],
])('%s and %s are the same', (one, other) => expect(compareVersions(one, other)).toBe(0));

const WORDS = { true: 'affected', false: 'not affected', undefined: 'not known' };

const exclusive = { from_inclusive: false, to_inclusive: false };
const between = { from_version: '1.0', to_version: '2.0', ...exclusive };

it.each<[versions: unknown, affected: string[], notAffected: string[], notKnown: string[]]>([
	['< 2.3.1', ['2.3.0', '0.1', '2.3.1-beta', 'v2.3'], ['2.3.1', '2.10'], ['trunk']],
	['<2.3.0', ['2.2.9'], ['2.3.0'], ['2.3', '2.3.0.0', '2.3-hotfix']],
	['<= 2.3.1', ['2.3.1', 'v2.3.1', '2.3.1.0'], ['2.3.2', '2.3.1.1'], ['@@ver@@']],
	[
		'>= 1.0, <= 1.4.2',
		['1.0', '1.4.2', '1.2'],
		['0.9', '1.4.3', '1.0-rc1', '1.10'],
		['Version 1.2'],
	],
	['>=1.0 <1.4', ['1.0', '1.3.9'], ['1.4'], ['1.4.0', '']],
	['1.0 - 1.4.2', ['1.0', '1.4.2'], ['0.9', '1.4.3'], ['1.x']],
	['* - 2.9.12', ['0.1', '2.9.12'], ['2.9.13'], ['']],
	['2.0 - *', ['2.0', '9'], ['1.9'], ['']],
	['2.9.11.1, 2.9.12', ['2.9.11.1', '2.9.12', '2.9.12.0'], ['2.9.11', '2.9.13'], ['2.9.12-custom']],
	['= 1.4.2', ['1.4.2', '1.4.2.0'], ['1.4.1', '1.4.20'], ['']],
	['< 3, != 2.5', ['2.4', '2.6'], ['2.5', '2.5.0', '3'], ['3.0']],
	['< 1.2 or >= 2.0, < 2.3', ['1.1', '2.2'], ['1.2', '1.9', '2.3'], ['1.2.0']],
	['*', ['0', '1.0', 'trunk', ''], [], []],
	[{ from_version: '*', to_version: '2.9.12', to_inclusive: true }, ['2.9.12'], ['2.9.13'], ['']],
	[{ any: between }, ['1.1'], ['1.0', '2.0'], ['1.0.0']],
])('versions %j', (versions, affected, notAffected, notKnown) => {
	const expected = { affected, 'not affected': notAffected, 'not known': notKnown };
	const understood = versionsIn(versions);
	for (const [answer, all] of Object.entries(expected)) {
		for (const version of all) {
			const found = WORDS[`${isAmong(version, understood)!}`];
			expect({ version, found }).toEqual({ version, found: answer });
		}
	}
});

it.each([
	['2.9.11.1, 2.9.12', 'exactly 2.9.11.1, or exactly 2.9.12'],
	['>=1.0 <2 || 3', 'from 1.0 and below 2, or exactly 3'],
	['*', 'all versions'],
])('%s is said in words', (text, words) => expect(versionsIn(text).words).toBe(words));

it.each([
	['2.9.12 - 2.9.1', 'from 2.9.12 and up to 2.9.1, which no version is'],
	[
		'>= 2.0, < 2.1.3, >= 2.2, < 2.2.4',
		'from 2.0 and below 2.1.3 and from 2.2 and below 2.2.4, which is not a single range',
	],
	['< 1.9.3, < 2.0.1', 'below 1.9.3 and below 2.0.1, which is not a single range'],
	['1.0, < 0.5', 'exactly 1.0 and below 0.5, which is not a single range'],
	['> 1.0 < 1.0', 'above 1.0 and below 1.0, which no version is'],
	['>= 1.0 <= 1.0 != 1.0', 'which no version is'],
	['< 0', 'below 0, which no version is'],
	['< 1.0 || 3 < 2', 'which is not a single range'],
	['', 'no versions'],
	[' ', 'no versions'],
	['< 1.0 ||', 'no versions'],
	['before 9', '"before", which is not a version'],
	['< ', '"<", which is not a version'],
	['<> 1.0', 'which is not a version'],
	['all', 'which is not a version'],
	['1.0 to 2.0', 'which is not a version'],
	['~1.2', 'which is not a version'],
	['^1.2', 'which is not a version'],
	['1.x', 'which is not a version'],
	['< 2.x', 'which is not a version'],
	['1.0-1.4.2', 'which is not a version'],
	['[1.0,2.0)', 'which is not a version'],
	['< latest', 'which is not a version'],
	['< 1.0-hotfix', 'which is not a version'],
	[undefined, 'no versions'],
	[null, 'no versions'],
	[{}, 'no versions'],
	[true, 'no versions'],
])('%j is refused with what was understood', (versions, understood) => {
	expect(() => versionsIn(versions)).toThrow(Refusal);
	expect(() => versionsIn(versions)).toThrow(understood);
});
