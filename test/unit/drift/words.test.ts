import { isStandIn, WordFinder } from '../../../tools/drift/words';
import type { Json } from './support';
import { answerIn, bodyIn, compared, servedDocument } from './support';

/** The words of the service in the place of the stand-ins of the reference. */

function proposed(...met: Array<[missing: string[], unknown: string[]]>) {
	const finder = new WordFinder();
	for (const [missing, unknown] of met) finder.meet(missing, unknown);
	return finder.proposal();
}

it('knows names that hold a stand-in', () => {
	expect(['cms', 'cms_core', 'shop_product', 'cloudstore_a'].every(isStandIn)).toBe(true);
	expect(['core', 'workshop', 'shopping', 'cloudstore', 'cmsx'].some(isStandIn)).toBe(false);
});

it.each<[what: string, met: Array<[string[], string[]]>, words: object, inDoubt: string[]]>([
	['the word alone', [[['cloudstore_a'], ['skybox']]], { cloudstore_a: 'skybox' }, []],
	['the word in a name', [[['cms_core'], ['press_core']]], { cms: 'press' }, []],
	['a name of other parts', [[['cms_core'], ['press_kernel']]], { cms_core: 'press_kernel' }, []],
	[
		'one among others by the rest of its name',
		[
			[
				['shop_product', 'shop_order'],
				['till_product', 'till_order', 'license'],
			],
		],
		{ shop: 'till' },
		[],
	],
	[
		'none where two would do',
		[
			[
				['cloudstore_a', 'cloudstore_b'],
				['skybox', 'drivebox'],
			],
		],
		{},
		['cloudstore_a', 'cloudstore_b'],
	],
	[
		'none where two places say different words',
		[
			[['cms_core'], ['press_core']],
			[['cms_core'], ['site_core']],
		],
		{},
		['cms'],
	],
	['none where nothing is missing', [[['name'], ['title']]], {}, []],
	['none where nothing is new', [[['cms_core'], []]], {}, []],
])('proposes %s', (_, met, words, inDoubt) => {
	expect(proposed(...met)).toEqual({ words, inDoubt });
});

/** Gives keys and words other names, everywhere in the document. */
function renamed(document: Json, change: (text: string) => string): Json {
	const walk = (value: unknown): unknown => {
		if (typeof value === 'string') return change(value);
		if (Array.isArray(value)) return value.map(walk);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, each]) => [change(key), walk(each)]),
		);
	};
	return walk(document) as Json;
}

it('check:api proposes them from a document that has them everywhere', async () => {
	const document = renamed(await servedDocument(), (text) =>
		text
			.replace(/^shop_/, 'till_')
			.replace(/^cms_/, 'press_')
			.replace(/^cloudstore_a$/, 'skybox'),
	);
	const { words, findings } = await compared(document);
	expect(words).toEqual({
		words: { shop: 'till', cms: 'press', cloudstore_a: 'skybox' },
		inDoubt: [],
	});
	expect(findings.length).toBeGreaterThan(0);
});

it('check:api says where several words fit', async () => {
	const document = renamed(await servedDocument(), (text) =>
		text.replace(/^cloudstore_a$/, 'skybox').replace(/^cloudstore_b$/, 'drivebox'),
	);
	const { words } = await compared(document);
	expect(words).toEqual({ words: {}, inDoubt: ['cloudstore_a', 'cloudstore_b'] });
});

it('check:api proposes none from the document of the sandbox', async () => {
	const document = await servedDocument();
	bodyIn(document, 'POST /tags', 'tag').properties.icon = { type: 'string' };
	answerIn(document, 'GET /tags/{tag_id}', 'tag').properties.icon = { type: 'string' };
	expect((await compared(document)).words).toEqual({ words: {}, inDoubt: [] });
});
