import { heldIn, SiteUrl } from '../../../nodes/shared/input/id';
import { toId, siteByUrl } from '../../../nodes/shared/input/convert';

/** Ids and the URLs of sites, as expressions give them. */

const idOf = (value: unknown) => toId(value);

it.each([
	['5f0c2a9d41', '5f0c2a9d41'],
	[' 42\n', '42'],
	[42, '42'],
	[Number.MAX_SAFE_INTEGER, '9007199254740991'],
	['...', '...'],
	['a,b', 'a,b'],
	['[broken', '[broken'],
	['see https://example.com', 'see https://example.com'],
])('reads %j as the ID %s', (value, id) => {
	expect(idOf(value)).toBe(id);
});

it.each([
	[true, 'is true, not an ID'],
	[false, 'is false, not an ID'],
	[1.5, 'is not an ID: 1.5'],
	[2 ** 53, 'is not an ID: 9007199254740992'],
	['.', 'is not an ID: "."'],
	[' .. ', 'is not an ID: ".."'],
	[' , ,', 'is not an ID: ","'.replace(',', ', ,')],
	[
		'HTTPS://example.com',
		'is a URL, not an ID: "HTTPS://example.com". To use the URL of a site, choose By URL',
	],
	['http://example.com', /^is a URL, not an ID/],
	[{ id: '1' }, 'is an object, not one ID: select its ID, such as {{ $json.client.id }}'],
	['{ "id": "1" }', 'is an object, not one ID: select its ID, such as {{ $json.client.id }}'],
	[['1'], 'is a list, not one ID: select one entry, such as {{ $json.sites[0].id }}'],
	[' ["1"]', 'is a list, not one ID: select one entry, such as {{ $json.sites[0].id }}'],
])('%j is refused', (value, message) => {
	expect(() => idOf(value)).toThrow(message);
});

describe('the URL of a site', () => {
	it.each([
		['https://www.example.com', 'www.example.com', ''],
		['WWW.Example.com/', 'www.example.com', ''],
		['http://example.com/Blog//', 'example.com', '/Blog'],
		[' https://example.com:8443/a/b ', 'example.com:8443', '/a/b'],
		['HTTP://example.com', 'example.com', ''],
	])('%s', (text, host, path) => {
		expect(siteByUrl(text)).toMatchObject({ host, path, text: text.trim() });
	});

	it.each([
		[7, 'is not a URL: 7'],
		[true, 'is not a URL: "true"'],
		['', 'is not a URL: ""'],
		['https://', 'is not a URL: "https://"'],
		['https://example.com?a', /^is not a URL/],
		['https://example.com#a', /^is not a URL/],
		['https://example.com/a b', /^is not a URL/],
		['https://me@example.com', /^is not a URL/],
		['https://:secret@example.com', /^is not a URL/],
		[
			['https://example.com'],
			'is a list, not one URL: select one entry, such as {{ $json.sites[0].url }}',
		],
		[{ url: 'a' }, 'is an object, not one URL: select its URL, such as {{ $json.site.url }}'],
	])('%j is refused', (value, message) => {
		expect(() => siteByUrl(value)).toThrow(message);
	});

	it('is that of a site with the same host and path, whatever the protocol', () => {
		const url = siteByUrl('https://example.com/blog');
		expect(url.isOf(SiteUrl.parse('http://EXAMPLE.com/blog/'))).toBe(true);
		expect(url.isOf(SiteUrl.parse('https://example.com'))).toBe(false);
		expect(url.isOf(SiteUrl.parse('https://www.example.com/blog'))).toBe(false);
		expect(url.isOf(SiteUrl.parse(undefined))).toBe(false);
		expect(url.isOf(undefined)).toBe(false);
	});
});

describe('what a locator holds', () => {
	const record = { value: 'not an id', name: 'A record of the service' };

	it.each([
		['an id from the list', { __rl: true, mode: 'list', value: '7' }, undefined, '7', 'id'],
		['a URL', { __rl: true, mode: 'url', value: 'a.example' }, undefined, 'a.example', 'url'],
		['a name', { __rl: true, mode: 'name', value: 'Shop' }, undefined, 'Shop', 'name'],
		['a locator in n8n without its mark', { mode: 'id', value: '7' }, { mode: 'id' }, '7', 'id'],
		['a text by expression', '7', '={{ $json.id }}', '7', 'id'],
		['a record by expression', record, '={{ $json }}', record, 'id'],
		['a locator without a value', { __rl: true }, undefined, { __rl: true }, 'id'],
		['nothing', null, null, null, 'id'],
	])('%s', (_, value, raw, held, mode) => {
		expect(heldIn(value, raw)).toEqual({ held, mode });
	});
});
