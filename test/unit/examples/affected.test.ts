import { codeOf } from '../../support/codeOfExamples';

/** Example 02c says "not affected" only of sites of which everything was read and compared. */

const NOW = Date.parse('2026-03-01T12:00:00Z');

interface Answer {
	text: string;
	ids: string[];
	unknown: Array<{ id: string; reason: string }>;
}

const answer = codeOf<(asked: object) => Answer>(
	'02c-which-sites-have-it.json',
	'Find the affected sites',
	'const { slug, versions, old_days: oldDays = 3',
	'answer',
);

const plugin = (folder: string, version: string, name = 'Page Cache') => ({
	kind: 'plugin',
	path: `./wp-content/plugins/${folder}/`,
	file: `./wp-content/plugins/${folder}/${folder}.php`,
	...{ name, version, reason: '' },
});

const row = (id: string, ...components: object[]) => ({
	...{ site_id: id, title: id, url: `https://${id}.example.com`, reason: '' },
	snapshot_created_at: '2026-03-01T03:00:00Z',
	components: JSON.stringify(components),
});

const old = row('old', plugin('page-cache', '1.0.0'));
const current = row('current', plugin('page-cache', '3.2.1'));

const ask = (versions: string, { slug = 'page-cache', rows = [old, current], ...more } = {}) =>
	answer({ slug, versions, rows, now: NOW, ...more });

it('says which site has it, which has not, and how it was read', () => {
	const { text, ids } = ask('>= 1.0, < 2');
	expect([...ids]).toEqual(['old']);
	expect(text).toContain('1 site: not affected');
	expect(text).toContain('Looked up: the folder page-cache, with versions from 1.0 and below 2.');
});

it.each([
	['2.9.11.1, 2.9.12', 'exactly 2.9.11.1 and exactly 2.9.12, which is not a single range'],
	['< 1.9.3, < 2.0.1', 'below 1.9.3 and below 2.0.1, which is not a single range'],
	['>= 4.0 < 3.0', 'from 4.0 and below 3.0, which no version is'],
])('%s is not known, and the text says what was understood', (versions, understood) => {
	const { text, ids } = ask(versions);
	expect([...ids]).toEqual([]);
	expect(text).toMatch(/^❌ Nothing was looked up: .*it is not known which sites are affected/);
	expect(text).toContain(`Understood was ${understood}.`);
	expect(text).not.toContain('not affected');
});

it.each([
	['pagecache', 'Similar: page-cache'],
	['Page Cache', 'Similar: page-cache'],
	['page-cache/page-cache.php', 'Similar: page-cache'],
	['contact-forms', 'If that is its name, no backup has it'],
])('a name that no site has is not known: %s', (slug, hint) => {
	const { text } = ask('< 2', { slug });
	expect(text).toMatch(/^❓ Not known: no site of the inventory has a plugin or theme/);
	expect(text).toContain(hint);
	expect(text).not.toContain('not affected');
});

it.each([
	[
		'a version without a place in the order',
		plugin('page-cache', '3.2.1-hotfix'),
		'cannot be compared',
	],
	['a version that is no number', plugin('page-cache', 'trunk'), 'cannot be compared'],
	['the same plugin in another folder', plugin('cache-main', '1.0.0'), 'has the same name'],
])('a site is not known with %s', (_what, component, reason) => {
	const { ids, unknown, text } = ask('< 2', { rows: [current, row('odd', component)] });
	expect([...ids]).toEqual([]);
	expect(unknown.map(({ id }) => id).join()).toBe('odd');
	expect(unknown[0]!.reason).toContain(reason);
	expect(text).toContain('1 site: not affected');
});

it.each(['', 'soon', undefined])('a backup from %j proves nothing', (at) => {
	const { unknown } = ask('< 2', { rows: [{ ...current, snapshot_created_at: at as string }] });
	expect(unknown).toHaveLength(1);
});

it('after an update, only sites that are known to be good lose the tag', () => {
	const rows = [current, row('odd', plugin('page-cache', '4.0-custom'))];
	const { text } = ask('< 2', { rows, isAgain: true } as object);
	expect(text).toContain('🔒 After the update, 1 site no longer has page-cache < 2.');
	expect(text).toContain('❓ 1 site: not known');
});
