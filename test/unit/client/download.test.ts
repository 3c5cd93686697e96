import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Given, itemsOf } from '../../support/engine/contexts';
import type { ApiRequest, ApiResponse } from '../../../nodes/shared/n8n/context';
import { read } from '../../../nodes/shared/client/request';
import { followed } from '../../../nodes/shared/client/download';

/** Which redirects a file is followed by, and with what. */

const BASE = 'https://api.example.com/api/v6';

describe('a file', () => {
	const FILE = `${BASE}/files/7`;
	const to = (location: string): Given => ({ status: 302, headers: { location } });

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
		let end = {} as ApiResponse;
		const settle: ApiRequest['settle'] = async (redirect, ask) =>
			(end = await followed(item, redirect, { from, baseURL: new URL('/api/v6', from).href }, ask));
		const asking = { method: 'GET' as const, url: '/files/7', encoding: 'stream' as const, settle };
		// A redirect that is left in the end is an error.
		await read(item, asking, () => undefined).catch(() => undefined);
		return { asked, status: end.statusCode, body: await contentOf(end) };
	}

	it.each([
		['/api/v6/files/8', 'own https://api.example.com/api/v6/files/8'],
		['https://store.example.com/7', 'https://store.example.com/7'],
		['https://api.example.com:8443/7', 'https://api.example.com:8443/7'],
		['/files/8', 'https://api.example.com/files/8'],
	])('at %s is asked for with the token only below the base URL', async (location, asked) => {
		expect(await follow(location)).toEqual({ asked: [asked], status: 200, body: 'the file' });
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
		expect(await follow('http://store.example.com/7')).toMatchObject({ asked: [], status: 302 });
		expect(await follow('ftp://store.example.com/7')).toMatchObject({ asked: [], status: 302 });
		expect(await follow('nowhere:')).toMatchObject({ asked: [], status: 302 });
		const loopback = 'http://127.0.0.1:4010/api/v6/files/7';
		expect((await follow('http://127.0.0.1:4010/api/v6/8', {}, loopback)).asked).toEqual([
			'own http://127.0.0.1:4010/api/v6/8',
		]);
	});

	it('is followed for five places, not for ever', async () => {
		const round = { [`own ${BASE}/round`]: to(`${BASE}/round`) };
		const { asked, status } = await follow(`${BASE}/round`, round);
		expect(asked).toHaveLength(5);
		expect(status).toBe(302);
	});
});
