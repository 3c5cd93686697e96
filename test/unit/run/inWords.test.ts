import type { IDataObject } from 'n8n-workflow';
import { inWords, sentenceOf } from '../../../nodes/shared/run/inWords';

it('has the beginning of long lists, which a model has to repeat', () => {
	const tables = Array.from({ length: 900 }, (_, index) => `wp_table_${index}`);
	const words = inWords({
		...{ operation: 'Backup: Restore', does: ['overwrites the live site'] },
		...{ target: { site: { title: 'Shop', id: '1' } }, checked: { files: 'none', tables } },
		request: { body: { scope: { tables } } },
	});
	const all = tables.join(', ');
	expect(words.slice(-2)).toEqual([
		'files none',
		`tables ${all.slice(0, 1000)}… (the first 1000 of ${all.length} characters)`,
	]);
	expect(words.join('; ').length).toBeLessThan(2_500);
});

it.each<[what: string, preview: IDataObject, sentence: string]>([
	['alone', {}, 'Would sync site. Nothing was sent'],
	[
		'with what it harms, and records by name',
		{ does: ['cannot be undone'], target: { site: { title: 'A "b"', id: '1' } } },
		`Would sync site (cannot be undone): site "A 'b'" (1). Nothing was sent`,
	],
	[
		'with the time of a record, and the first ten of a list',
		{
			target: { snapshot: { created_at: '2026-03-01T12:00:00Z', id: '7' } },
			replaces: { site_ids: { dropped_count: 12, dropped: [...'abcdefghijkl'] } },
		},
		`Would sync site: snapshot 1 Mar 2026, 12:00 UTC (7); site ids loses 12: ${[...'abcdefghij'].map((id) => `"${id}"`).join(', ')} and 2 more. Nothing was sent`,
	],
])('says in a sentence what would be done: %s', (_, preview, sentence) => {
	expect(sentenceOf('Sync site', { operation: 'Backup: Sync', ...preview })).toBe(sentence);
});
