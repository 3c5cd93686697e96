import { isStandIn, WordFinder } from '../../../tools/drift/words';
import { compared, type Json, servedDocument } from './support';

/** The words of the service in the place of the stand-ins of the reference. */

it('knows names that hold a stand-in', () => {
	expect(['cms', 'cms_core', 'shop_product', 'cloudstore_a'].every(isStandIn)).toBe(true);
	expect(['core', 'workshop', 'shopping', 'cloudstore', 'cmsx'].some(isStandIn)).toBe(false);
});

const two = ['skybox', 'drivebox'];
const ofShop = ['till_product', 'till_order', 'license'];

it.each<[what: string, met: Array<[string[], string[]]>, words: object, inDoubt?: string[]]>([
	['the word alone', [[['cloudstore_a'], ['skybox']]], { cloudstore_a: 'skybox' }],
	['the word in a name', [[['cms_core'], ['press_core']]], { cms: 'press' }],
	['a name of other parts', [[['cms_core'], ['press_kernel']]], { cms_core: 'press_kernel' }],
	['one of several', [[['shop_product', 'shop_order'], ofShop]], { shop: 'till' }],
	['none of two', [[['cloudstore_a'], two]], {}, ['cloudstore_a']],
	[
		'none of two places',
		[
			[['cms_core'], ['a_core']],
			[['cms_core'], ['b_core']],
		],
		{},
		['cms'],
	],
	['none where nothing is missing', [[['name'], ['title']]], {}],
	['none where nothing is new', [[['cms_core'], []]], {}],
])('proposes %s', (_, met, words, inDoubt = []) => {
	const finder = new WordFinder();
	for (const [missing, unknown] of met) finder.meet(missing, unknown);
	expect(finder.proposal()).toEqual({ words, inDoubt });
});

it('are proposed from a document that has them everywhere', async () => {
	const renamed = JSON.stringify(await servedDocument())
		.replaceAll('"shop_', '"till_')
		.replaceAll('"cms_', '"press_')
		.replaceAll('"cloudstore_a"', '"skybox"');
	const { words, findings } = await compared(JSON.parse(renamed) as Json);
	expect(words).toEqual({
		words: { shop: 'till', cms: 'press', cloudstore_a: 'skybox' },
		inDoubt: [],
	});
	expect(findings.length).toBeGreaterThan(0);
});
