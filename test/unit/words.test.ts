import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FILE, problemsIn, setWords } from '../../tools/words/cli';
import { newFolder } from '../support/ending';

/** `npm run words`, by which whoever publishes fills the table. */

const folder = newFolder('words');
const file = path.join(folder, 'realWords.json');
const report = path.join(folder, 'report.json');

beforeEach(() => writeFileSync(file, '{}'));

const run = async (...args: string[]) => await setWords(args, file);
const written = () => JSON.parse(readFileSync(file, 'utf8')) as unknown;

it('the published table can be reversed: no two names are the same', () => {
	// Read, for jest puts an empty table in its place elsewhere.
	expect(problemsIn(JSON.parse(readFileSync(FILE, 'utf8')))).toEqual([]);
});

it('fills the table, and shows what that changes', async () => {
	expect(await run()).toMatch(/^No word is set/);
	const told = await run('--set', 'cms=pressway', '--set', 'cloudstore_a = box-fall');
	expect(told.split('\n').slice(0, 2)).toEqual([
		'+ cms_core → pressway_core',
		'+ cloudstore_a → box-fall',
	]);
	expect(written()).toEqual({ cloudstore_a: 'box-fall', cms: 'pressway' });
	expect(await run()).toContain('cms_core → pressway_core');
});

it('a name can have its own word, and a word can be reset', async () => {
	await run('--set', 'shop=cartly', '--set', 'shop_tax_rate=vat');
	const told = await run('--set', 'shop=');
	expect(told).toContain('- shop_order → cartly_order');
	expect(told).not.toContain('shop_tax_rate');
	expect(written()).toEqual({ shop_tax_rate: 'vat' });
	expect(await run('--set', 'shop_tax_rate=vat')).toMatch(/^Nothing changes/);
});

it('takes what a report proposes', async () => {
	writeFileSync(
		report,
		JSON.stringify({ operations: 3, words: { cms: 'pressway', shop: 'cartly' } }),
	);
	await run('--from', report, '--set', 'shop=basketly');
	expect(written()).toEqual({ cms: 'pressway', shop: 'basketly' });
});

it.each<[string[], RegExp]>([
	[['--set', 'plugin=addon'], /^Unknown stand-in word "plugin". Choose one of cloudstore_a, /],
	[['--set', 'cms=press way'], /^"cms" cannot be "press way": only letters/],
	[['--set', 'cms=__proto__'], /only letters/],
	[['--set', 'cms_core=plugins'], /^"cms_core" cannot be "plugins": the API reference has/],
	[['--set', 'cms_core=recipients'], /the API reference has that name already/],
	[['--set', 'shop_order=post'], /^"shop_order" cannot be "post": the API reference has/],
	[['--set', 'cloudstore_a=x', '--set', 'cloudstore_b=x'], /cannot both be "x"/],
	[['--set', 'cloudstore_a=cloudstore_b'], /cannot both be "cloudstore_b"/],
	[['--set', 'shop_order=shop_product'], /that name already/],
	[['--set', 'cms'], /^--set cms: write it as WORD=REAL$/],
	[['--words'], /^Unknown option/],
	[['--from', path.join(folder, 'none.json')], /none\.json cannot be read$/],
	[['--from', report], /^"words" in .*report\.json is not an object of words/],
])('%j is refused, and nothing is written', async (args, message) => {
	writeFileSync(report, JSON.stringify({ words: { cms: ['pressway'] } }));
	await expect(run('--set', 'shop=cartly', ...args)).rejects.toThrow(message);
	expect(written()).toEqual({});
});
