import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Given, itemsOf } from '../../support/engine/contexts';
import type { ApiResponse } from '../../../nodes/shared/n8n/context';
import { download } from '../../../nodes/shared/client/request';

const BASE = 'https://api.example.com/api/v6';

describe('a file', () => {
	const FILE = `${BASE}/files/7`;
	const to = (location: string): Given => ({ status: 302, headers: { location } });

	const isRedirect = expect.stringContaining('a redirect') as unknown;

	const contentOf = async ({ body }: ApiResponse) =>
		body instanceof Readable ? await text(body) : body;

	/** Follows a redirect; `own` and `other` answer by the path. */
	async function follow(location: string, answers: Record<string, Given> = {}, from = FILE) {
		const asked: string[] = [];
		const answerOf = (url: string): Given => {
			asked.push(url);
			return answers[url] ?? { body: 'the file' };
		};
		const { item } = itemsOf({
			baseUrl: new URL('/api/v6', from).href,
			answer: ({ url }) => (url === '/files/7' ? to(location) : answerOf(`own ${url}`)),
			elsewhere: ({ url }) => answerOf(url),
		});
		const file = await download(item, { method: 'GET', url: '/files/7' }).catch(String);
		return { asked, ends: typeof file === 'string' ? file : await contentOf(file) };
	}

	it.each([
		['/api/v6/files/8', 'own https://api.example.com/api/v6/files/8'],
		['https://store.example.com/7', 'https://store.example.com/7'],
		['https://api.example.com:8443/7', 'https://api.example.com:8443/7'],
		['/files/8', 'https://api.example.com/files/8'],
	])('at %s is asked for with the token only below the base URL', async (location, asked) => {
		expect(await follow(location)).toEqual({ asked: [asked], ends: 'the file' });
	});

	it('stays without the token once it has left the service', async () => {
		const { asked } = await follow('https://store.example.com/7', {
			'https://store.example.com/7': to('https://store.example.com/8'),
			'https://store.example.com/8': to(`${BASE}/back`),
			[`${BASE}/back`]: to(`${BASE}/again`),
		});
		expect(asked).toEqual([
			'https://store.example.com/7',
			'https://store.example.com/8',
			`${BASE}/back`,
			`own ${BASE}/again`,
		]);
	});

	it('is not asked for without encryption, but by a service that has none itself', async () => {
		for (const location of [
			'http://store.example.com/7',
			'ftp://store.example.com/7',
			'nowhere:',
		]) {
			expect(await follow(location)).toEqual({ asked: [], ends: isRedirect });
		}
		const loopback = 'http://127.0.0.1:4010/api/v6/files/7';
		expect((await follow('http://127.0.0.1:4010/api/v6/8', {}, loopback)).asked).toEqual([
			'own http://127.0.0.1:4010/api/v6/8',
		]);
	});

	it('is followed for five places, not for ever', async () => {
		const round = { [`own ${BASE}/round`]: to(`${BASE}/round`) };
		const { asked, ends } = await follow(`${BASE}/round`, round);
		expect(asked).toHaveLength(5);
		expect(ends).toEqual(isRedirect);
	});

	it.each([
		['the file', { 'x-ratelimit-limit': '200' }],
		[expect.stringContaining('binary/octet-stream, not application/pdf'), {}],
	])('of any type ends as %s where the redirect had the headers %j', async (ends, ofService) => {
		const location = 'https://store.example.com/7';
		const { item } = itemsOf({
			answer: () => ({ status: 302, headers: { location, ...ofService } }),
			elsewhere: () => ({ body: 'the file', headers: { 'content-type': 'binary/octet-stream' } }),
		});
		const asked = download(item, { method: 'GET', url: '/files/7' }, 'application/pdf');
		expect(await asked.then(contentOf, String)).toEqual(ends);
	});
});
