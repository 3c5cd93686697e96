import { inWords } from '../../../nodes/shared/run/inWords';

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
