import type { Row } from '../../../nodes/Component/find';
import { found, rowsIn } from '../../../nodes/Component/find';
import { versionsIn } from '../../../nodes/Component/versions';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY_MS = 86_400_000;

const row = (site: string, folder: string, version: string, more: Partial<Row> = {}): Row => ({
	...{ site_id: site, site_title: `Title ${site}`, site_url: `https://${site}.example.com` },
	...{ kind: 'plugin', name: 'Page Cache', folder, file: `${folder}/${folder}.php`, version },
	...{ as_of: '2026-03-01T03:00:00Z', ...more },
});

const old = row('old', 'page-cache', '1.0.0');
const current = row('current', 'page-cache', '3.2.1');
const other = (site: string) => row(site, 'forms', '1', { name: 'Forms' });

const ask = (name: string, versions: string, rows: Row[]) =>
	found(rows, { name, versions: versionsIn(versions), maxAgeMs: 3 * DAY_MS, now: NOW });

const resultsOf = (name: string, versions: string, rows: Row[]) =>
	Object.fromEntries(ask(name, versions, rows).map(({ site_id: id, result }) => [id, result]));

it('says what was found where, and what was understood', () => {
	expect(ask('page-cache', '<= 1.0 || 3', [old])).toEqual([
		{
			site_title: 'Title old',
			site_url: 'https://old.example.com',
			result: 'affected',
			reason: null,
			name_problem: null,
			name: 'Page Cache',
			version: '1.0.0',
			file: 'page-cache/page-cache.php',
			update_files: ['page-cache/page-cache.php'],
			understood: 'up to 1.0, or exactly 3',
			site_id: 'old',
		},
	]);
});

it('says what the lists of the service lack, which may have the component', () => {
	const items = ask('page-cache', '< 2', [{ ...current, source: 'service' }]);
	const understood = 'below 2; must-use plugins and drop-ins were not read';
	expect(items).toMatchObject([{ result: 'not affected', understood }]);
});

it.each([
	['pagecache', '; near: Page Cache'],
	['page-cache-pro', '; near: Page Cache'],
	['newsletter', ''],
	['/', ''],
])('a name that no site has is not known: %s%s', (name, near) => {
	const reason = `None of the sites read (2) has a component named "${name}"${near}`;
	for (const item of ask(name, '< 2', [old, current])) {
		expect(item).toMatchObject({ result: 'not known', reason, name_problem: reason });
	}
});

it('reports a name that no site has also where a site is not known for another reason', () => {
	const aged = { ...other('aged'), as_of: '2026-02-20T00:00:00Z' };
	expect(ask('newsletter', '*', [aged])).toMatchObject([
		{
			reason: 'The components are as of 2026-02-20T00:00:00.000Z, which is too old',
			name_problem: 'None of the sites read (1) has a component named "newsletter"',
		},
	]);
});

it('does not report a name as wrong if a site has it, or if no site was read', () => {
	const unread = { site_id: 'odd', reason: 'It failed' };
	const rows = [old, other('odd')];
	for (const items of [ask('page-cache', '< 1', rows), ask('newsletter', '*', [unread])]) {
		expect(items.map(({ name_problem: problem }) => problem)).toEqual(items.map(() => null));
	}
});

it('does not say that no site has a component where a site could not be read', () => {
	const items = ask('newsletter', '< 2', [current, { site_id: 'odd', reason: 'It failed' }]);
	expect(items.map(({ result, reason }) => [result, reason])).toEqual([
		['not known', 'None of the sites read (1) has a component named "newsletter"'],
		['not known', 'It failed'],
	]);
});

const doubts: Record<string, [rows: Row[], reason: string]> = {
	'a version without a place in the order': [
		[row('odd', 'page-cache', '3.2.1-hotfix')],
		'page-cache/page-cache.php: the version "3.2.1-hotfix" cannot be compared with these',
	],
	'no number': [[row('odd', 'page-cache', '@@ver@@')], 'the version "@@ver@@" cannot be compared'],
	'no version': [[row('odd', 'page-cache', '')], 'the version "" cannot be compared'],
	'a version that a table stores as a number': [
		[{ ...row('odd', 'page-cache', ''), version: 5.1 }],
		'page-cache/page-cache.php: its version is stored as a number, so zeros may be missing. Store it as text',
	],
	'zeros that decide': [[row('odd', 'page-cache', '2')], 'the version "2" cannot be compared'],
	'another folder': [
		[row('odd', 'cache-main', '9')],
		'cache-main/cache-main.php has the same name',
	],
	'a component that was not read': [
		[row('odd', 'x', '', { name: '', reason: 'The file could not be read' })],
		'x/x.php: The file could not be read',
	],
	'no rows': [[{ site_id: 'odd', reason: 'It has no good backup' }], 'It has no good backup'],
	'an old backup': [
		[{ ...other('odd'), as_of: '2026-02-20T00:00:00Z' }],
		'The components are as of 2026-02-20T00:00:00.000Z, which is too old',
	],
	'no time': [
		[{ ...other('odd'), as_of: '' }],
		'The time when the components were read is not known',
	],
};

it.each(Object.entries(doubts))('a site is not known with %s', (_, [rows, reason]) => {
	const items = ask('page-cache', '< 2.0', [current, ...rows]);
	expect(items[0]).toMatchObject({ site_id: 'current', result: 'not affected' });
	expect(items[1]).toMatchObject({ site_id: 'odd', result: 'not known' });
	expect(items[1]!.reason).toContain(reason);
});

it('reads a time that a database returns as a date', () => {
	const dated = { ...current, as_of: new Date(NOW - DAY_MS) };
	expect(resultsOf('page-cache', '< 2', rowsIn([dated]))).toEqual({ current: 'not affected' });
});

it('judges all components in one folder, and copies of it', () => {
	const library = row('two', 'page-cache', '9.0', { name: 'Library', file: 'page-cache/lib.php' });
	const ofCopy = { file: 'page-cache-1.9.4/main.php', name: 'PC' };
	const copy = row('copy', 'page-cache-1.9.4', '1.9.4', ofCopy);
	const results = resultsOf('page-cache', '< 2', [library, row('two', 'page-cache', '1.0'), copy]);
	expect(results).toEqual({ two: 'affected', copy: 'affected' });
});

it.each([
	['page-cache-1.9.4', 'affected'],
	['page-cache-v2', 'affected'],
	['page-cache-1.9.4-beta2', 'affected'],
	['page-cache-360-image', 'not affected'],
	['page-cache-2go', 'not affected'],
])('takes a folder for a copy only if all that follows the name is a version: %s', (folder, is) => {
	const rows = [current, row('two', folder, '1.4', { name: 'Images' })];
	expect(resultsOf('page-cache', '< 2', rows)).toMatchObject({ two: is });
});

it('names what Update Now can update: plugins and themes that are affected', () => {
	const rows = [
		row('two', 'page-cache', '1.0'),
		row('two', 'page-cache', '1.1', { kind: 'theme', file: 'page-cache/style.css' }),
		row('two', '', '1.2', { kind: 'mustUse', file: 'page-cache.php' }),
		row('two', '', '1.3', { kind: 'dropIn', file: 'page-cache.php' }),
		row('two', 'page-cache-9', '9.0', { file: 'page-cache-9/page-cache.php' }),
		current,
	];
	expect(ask('page-cache', '< 2', rows).map((each) => each.update_files)).toEqual([
		['page-cache/page-cache.php', 'page-cache'],
		[],
	]);
});

it('an affected component counts although others could not be read', () => {
	const unread = row('old', 'x', '', { name: '', reason: 'The file could not be read' });
	expect(resultsOf('page-cache', '< 2', [unread, old])).toEqual({ old: 'affected' });
});
