import { Readable } from 'node:stream';
import { collectionOf, keyIn, singular, wordsOf } from '../../../nodes/shared/vocabulary/words';
import filled from '../../support/filledWords.json';

/** What the seam makes of requests and answers; of those of every operation: `test/contract/words`. */

const { sent, received } = wordsOf(filled);

it('an empty table returns the same object', () => {
	const words = wordsOf({});
	const asked = { url: '/backup-destinations/cloudstore_a', body: { cms_core: true } };
	expect(words.sent(asked)).toBe(asked);
	expect(words.received(asked.body)).toBe(asked.body);
});

it.each<[reference: object, service: object]>([
	[
		{ settings: { shop_db_upgrade: { enabled: true }, wp_auto_updates: { enabled: false } } },
		{ settings: { cartly_db_upgrade: { enabled: true }, wp_auto_updates: { enabled: false } } },
	],
	[
		{ provider: 'cloudstore_b', id: 'cloudstore_b' },
		{ provider: 'sky-drive', id: 'sky-drive' },
	],
	[{ object_type: ['post', 'shop_product_tag'] }, { object_type: ['post', 'cartly_product_tag'] }],
	[
		{ deep: [[{ cms_core: [{ cms_core: null }] }]] },
		{ deep: [[{ pressway_core: [{ pressway_core: null }] }]] },
	],
])('%j is %j at the service', (reference, service) => {
	expect(sent({ body: reference }).body).toEqual(service);
	expect(received(service)).toEqual(reference);
});

it.each<[object, object]>([
	[
		{ url: '/backup-destinations/cloudstore_b/test' },
		{ url: '/backup-destinations/sky-drive/test' },
	],
	[{ url: '/backup-destinations/bkd_1' }, { url: '/backup-destinations/bkd_1' }],
	[{ url: '/tags/cloudstore_a' }, { url: '/tags/cloudstore_a' }],
	[
		{ qs: { 'filters[object_type:in]': ['shop_order', 'post'] } },
		{ qs: { 'filters[object_type:in]': ['cartly_order', 'post'] } },
	],
	[
		{ qs: { 'filters[shop_db_upgrade:eq]': true, sort: 'cms_core,desc', page: 1 } },
		{ qs: { 'filters[cartly_db_upgrade:eq]': true, sort: 'pressway_core,desc', page: 1 } },
	],
	[
		{ qs: { 'filters[search:contains]': 'shop_order' } },
		{ qs: { 'filters[search:contains]': 'shop_order' } },
	],
])('the request %j is %j', (asked, real) => {
	expect(sent(asked)).toEqual(real);
});

it.each([
	{ title: 'cartly_order', content: 'boxfall', url: 'https://boxfall.example.com/cartly_order' },
	{ username: 'boxfall', event_details: { name: 'cartly_order', slug: 'pressway' } },
	{ id: 'boxfall', name: 'boxfall' },
	{ filenames: ['cartly/cartly.php', 'pressway_core'] },
	// A field that exists under both names.
	{ pressway_core: true, cms_core: false },
])('%j is not a word of the service and does not change', (record) => {
	expect(received(record)).toEqual(record);
});

it('keeps a field that could reach a prototype plain', () => {
	const body = JSON.parse('{"__proto__":{"pressway_core":1},"constructor":{"cartly":1}}') as object;
	const read = received(body);
	expect(JSON.stringify(read)).toBe('{"__proto__":{"cms_core":1},"constructor":{"cartly":1}}');
	expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});

it.each([Readable.from(['"cartly_order"']), Buffer.from('boxfall'), 'cartly_order', null])(
	'leaves what is not JSON unchanged',
	(content) => {
		expect(received(content)).toBe(content);
	},
);

it.each([
	['/sites/7/custom-works/{customWorkId}', 'custom_works', 'custom_work'],
	['/sites/7/snapshots/64a0c3/tables', 'tables', 'table'],
	['/7', '', ''],
])('%s is about %s, each a %s', (path, collection, one) => {
	expect(collectionOf(path)).toBe(collection);
	expect(singular(collection)).toBe(one);
});

it('records have an ID, except two kinds', () => {
	expect(['tags', 'tables', 'auto_update_history'].map(keyIn)).toEqual([
		...['id', 'name', 'performed_on'],
	]);
});
