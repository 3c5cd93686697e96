import { Readable } from 'node:stream';
import { collectionOf, keyIn, singular, wordsOf } from '../../../nodes/shared/vocabulary/words';
import filled from '../../support/filledWords.json';

/** What the seam makes of requests and answers; with the nodes around it: `test/contract/words`. */

const { sent, received } = wordsOf(filled);

it('an empty table returns the same object', () => {
	const words = wordsOf({});
	const asked = { url: '/backup-destinations/cloudstore_a', body: { cms_core: true } };
	expect(words.sent(asked)).toBe(asked);
	expect(words.received(asked.body)).toBe(asked.body);
});

it.each<[reference: object, service: object]>([
	[{ scope: { updates: { cms_core: true } } }, { scope: { updates: { pressway_core: true } } }],
	[
		{ settings: { shop_db_upgrade: { enabled: true }, wp_auto_updates: { enabled: false } } },
		{ settings: { cartly_db_upgrade: { enabled: true }, wp_auto_updates: { enabled: false } } },
	],
	[{ destination: { provider: 'cloudstore_a' } }, { destination: { provider: 'boxfall' } }],
	[
		{ provider: 'cloudstore_b', id: 'bkd_1' },
		{ provider: 'sky-drive', id: 'bkd_1' },
	],
	[
		{ provider: 'cloudstore_b', id: 'cloudstore_b' },
		{ provider: 'sky-drive', id: 'sky-drive' },
	],
	[
		{ activity_logs: [{ object_type: 'shop_order' }, { object_type: 'shop_tax_rate' }] },
		{ activity_logs: [{ object_type: 'cartly_order' }, { object_type: 'cartly_vat' }] },
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

it.each<[string, string]>([
	['/backup-destinations/cloudstore_a', '/backup-destinations/boxfall'],
	['/backup-destinations/cloudstore_b/test', '/backup-destinations/sky-drive/test'],
	['/backup-destinations/bkd_1/disconnect', '/backup-destinations/bkd_1/disconnect'],
	['/backup-destinations', '/backup-destinations'],
	['/tags/cloudstore_a', '/tags/cloudstore_a'],
])('the path %s is %s', (path, real) => {
	expect(sent({ url: path })).toEqual({ url: real });
});

it.each<[object, object]>([
	[{ 'filters[object_type:eq]': 'shop_order' }, { 'filters[object_type:eq]': 'cartly_order' }],
	[
		{ 'filters[object_type:in]': ['shop_order', 'post'] },
		{ 'filters[object_type:in]': ['cartly_order', 'post'] },
	],
	[{ 'filters[shop_db_upgrade:eq]': true }, { 'filters[cartly_db_upgrade:eq]': true }],
	[
		{ sort: 'cms_core,desc', page: 1 },
		{ sort: 'pressway_core,desc', page: 1 },
	],
	[{ 'filters[search:contains]': 'shop_order' }, { 'filters[search:contains]': 'shop_order' }],
])('the query %j is %j', (qs, real) => {
	expect(sent({ qs })).toEqual({ qs: real });
});

it.each([
	{ title: 'cartly_order', content: 'boxfall', url: 'https://boxfall.example.com/cartly_order' },
	{ username: 'boxfall', event_details: { name: 'cartly_order', slug: 'pressway' } },
	{ id: 'boxfall', name: 'boxfall' },
	{ filenames: ['cartly/cartly.php', 'pressway_core'] },
	{ param: 'settings.cartly_db_upgrade' },
])('%j is not a word of the service and does not change', (record) => {
	expect(received(record)).toEqual(record);
});

it('a refusal names the parameter as the reference does', () => {
	const details = (param: string) => ({ error: { details: [{ code: 'invalid', param }] } });
	expect(received(details('scope.updates.pressway_core'), true)).toEqual(
		details('scope.updates.cms_core'),
	);
});

it('keeps fields that exist under both names', () => {
	const both = { pressway_core: true, cms_core: false };
	expect(received(both)).toEqual(both);
});

it('keeps a field that could reach a prototype plain', () => {
	const body = JSON.parse('{"__proto__":{"pressway_core":1},"constructor":{"cartly":1}}') as object;
	const read = received(body);
	expect(JSON.stringify(read)).toBe('{"__proto__":{"cms_core":1},"constructor":{"cartly":1}}');
	expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});

it('leaves text that is not JSON unchanged', () => {
	const stream = Readable.from(['"cartly_order"']);
	expect(received(stream)).toBe(stream);
	const content = Buffer.from('boxfall');
	expect(received(content)).toBe(content);
	expect(received('cartly_order')).toBe('cartly_order');
	expect(received(null)).toBe(null);
	const date = new Date(0);
	expect(sent({ body: { at: date } }).body.at).toBe(date);
});

it.each([
	['/tags', 'tags', 'tag'],
	['/sites/7/custom-works', 'custom_works', 'custom_work'],
	['/sites/7/custom-works/{customWorkId}', 'custom_works', 'custom_work'],
	['/sites/7/snapshots/64a0c3/tables', 'tables', 'table'],
	['/7', '', ''],
])('%s is about %s, each a %s', (path, collection, one) => {
	expect(collectionOf(path)).toBe(collection);
	expect(singular(collection)).toBe(one);
});

it('records have an ID, except two kinds', () => {
	expect(['tags', 'tables', 'auto_update_history'].map(keyIn)).toEqual([
		'id',
		'name',
		'performed_on',
	]);
});
