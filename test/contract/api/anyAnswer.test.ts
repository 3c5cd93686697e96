import type { IDataObject } from 'n8n-workflow';
import { answered, apiFleet, JSON_TYPE, on } from '../../support/apiNode';
import { contentOf, mustSucceed, runNode } from '../../support/engine';
import type { Answer } from '../../support/wayward';
import { EFFECTS } from '../../../nodes/shared/access/effects';

const { fleet, run } = apiFleet({ sites: 130 });

describe('the output', () => {
	it.each([
		['an object', { body: { a: { b: null } } }, { a: { b: null } }],
		['an object without an error', { body: { error: {}, id: 1 } }, { error: {}, id: 1 }],
		['a bare list', { body: [{ id: '1' }] }, { answer: [{ id: '1' }] }],
		['a number', { headers: JSON_TYPE, body: '7' }, { answer: 7 }],
		['a text as JSON', { headers: JSON_TYPE, body: '"done"' }, { answer: 'done' }],
		['an empty object', { body: {} }, {}],
		['no content', { status: 204 }, { status: 204 }],
		['an empty answer', { status: 202 }, { status: 202 }],
	] as Array<[string, Answer, IDataObject]>)('%s', async (_what, answer, wanted) => {
		const { json } = mustSucceed(await answered(answer));
		expect(json).toEqual([wanted]);
	});

	it.each([
		['a web page', { headers: { 'Content-Type': 'text/html' }, body: '<!DOCTYPE html>' }],
		['text', { body: 'OK' }],
		['cut off or broken JSON', { headers: JSON_TYPE, body: '{"tags":[' }],
		['a redirect to ', { status: 302, headers: { Location: 'https://www.example.com/login' } }],
		['an error: {"message":"no"}', { body: { error: { message: 'no' } } }],
		['an error: "no"', { body: { success: false, message: 'no', error: {} } }],
	] as Array<[string, Answer]>)('%s is refused', async (what, answer) => {
		for (const method of ['GET', 'POST']) {
			const { items, error, requests } = await answered(answer, { method });
			expect(error?.message).toContain(what);
			expect(items).toEqual([]);
			expect(requests).toHaveLength(1);
			const isUnknown = error!.message.includes('the change may have been applied: check /things');
			expect([method, isUnknown]).toEqual([method, method === 'POST']);
		}
	});

	it('is nothing where the response does not show that the service sent it', async () => {
		const { error } = await answered({ status: 200 }, {}, { common: {} });
		expect(error?.message).toContain('The response does not match the API: it is empty');
	});

	it('has the reason of a refusal, and no secret that was sent', async () => {
		const answer = { status: 422, body: { error: { message: 'weak: hush hush' } } };
		const body = '{"user":{"password":"hush hush"}}';
		const { error } = await answered(answer, { method: 'POST', body });
		expect(error?.message).toContain('The service rejected this: weak: ');
		expect(JSON.stringify([error?.message, error?.description])).not.toContain('hush');
		expect(error?.context!.details).toEqual({ outcome: 'refused', status: 422, item: 1 });
	});

	it('only a GET is sent again when the service fails', async () => {
		for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
			const { error, requests } = await answered({ status: 503 }, { method });
			expect([method, requests.length]).toEqual([method, method === 'GET' ? 4 : 1]);
			expect(error?.context!.details).toMatchObject({
				outcome: 'unknown',
				status: 503,
				...(method !== 'GET' && { verifyAt: '/things' }),
			});
		}
	});

	it('an unknown outcome says where to check a known change', async () => {
		const asked = { method: 'DELETE', path: '/tags/7' };
		const { error } = await answered({ status: 500 }, asked);
		expect(error?.message).toContain('check /tags/7 (Tag: Get) before you repeat it');
	});

	it('under Continue On Fail an error is an item, and other items continue', async () => {
		const { json, items } = await run(
			{ path: '=/tags/{{ $json.id }}' },
			{ items: [{ id: '1' }, { id: 'gone' }], settings: { onError: 'continueRegularOutput' } },
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(json[1]).toMatchObject({ details: { outcome: 'refused', status: 404 } });
	});
});

describe('records of a list', () => {
	const list = { path: '/sites', response: 'records' };
	const pages = () =>
		fleet
			.sent()
			.map(({ query }) => `${String(query.page)} of ${String(query.perPage)}`)
			.sort();

	it('all of them, page by page', async () => {
		const { json, items } = await run({ ...list, returnAll: true, query: '{"sort":"url,asc"}' });
		expect(pages()).toEqual(['1 of 100', '2 of 100']);
		expect(fleet.sent().every(({ query }) => query.sort === 'url,asc')).toBe(true);
		expect(new Set(json.map(({ id }) => id)).size).toBe(130);
		expect(items.every(({ pairedItem }) => (pairedItem as any).item === 0)).toBe(true);
	});

	it.each([
		[undefined, ['1 of 50'], 50],
		[3, ['1 of 3'], 3],
		[101, ['1 of 100', '2 of 100'], 101],
	])('up to a limit of %s', async (limit, asked, count) => {
		const { json } = await run({ ...list, ...(limit && { limit }) });
		expect(pages()).toEqual(asked);
		expect(json).toHaveLength(count);
	});

	it('a list without pages', async () => {
		const [site] = await fleet.sites(1);
		const path = `/sites/${site!.id}/tables`;
		const wanted = await fleet.api.get(path);
		const { json } = mustSucceed(await run({ ...list, path, returnAll: true }));
		expect(json).toEqual(wanted.data.tables);
	});

	const records = (count: number, from = 0) =>
		Array.from({ length: count }, (_, index) => ({ name: `${from + index}` }));

	it('under any name, without IDs, and as a bare list', async () => {
		const things = [{ name: 'a' }, { name: 'a' }];
		for (const body of [{ unheard_of: things, meta: { took: 3 } }, things]) {
			const { json } = await answered({ body }, { ...list, path: '/things', returnAll: true });
			expect(json).toEqual(things);
		}
		const { json } = await answered({ body: ['a', 1] }, { ...list, path: '/things' });
		expect(json).toEqual([{ answer: 'a' }, { answer: 1 }]);
	});

	it('pages of records without IDs', async () => {
		const { json } = await answered(
			(url) => {
				const page = Number(url.searchParams.get('page'));
				const pagination = { page, perPage: 100, totalItems: 650, totalPages: 7 };
				return { body: { rows: records(page === 7 ? 50 : 100), meta: { pagination } } };
			},
			{ ...list, path: '/rows', returnAll: true },
		);
		expect(json).toHaveLength(650);
	});

	it.each([
		['no list', { thing: {}, meta: {} }, 'not a single list: it contains "thing"'],
		['two lists', { a: [], b: [] }, 'not a single list: it contains "a", "b"'],
		['a list that may go on', { rows: records(100) }, 'a list without a number of pages'],
		[
			'a page that contradicts itself',
			{ rows: records(3), meta: { pagination: { totalPages: 3, totalItems: 3, perPage: 100 } } },
			'a list that contradicts itself',
		],
	])('%s is refused', async (_what, body, message) => {
		const { error } = await answered({ body }, { ...list, path: '/things', returnAll: true });
		expect(error?.message).toContain(message);
		// It is this node that shows answers as they come.
		expect(error?.message).not.toContain('the node "Site Management API"');
		expect(error?.description).toContain('Set "Response" to "Unchanged" to return any JSON');
	});

	it.each([
		['numbers as text', { pagination: { totalPages: '1', totalItems: '3', perPage: '100' } }],
		['numbers directly in meta', { total_pages: 1, per_page: 100 }],
	])('%s are taken from the service, and from nobody else', async (_what, meta) => {
		const asked = { ...list, path: '/things', returnAll: true };
		const body = { rows: records(3), meta };
		expect((await answered({ body }, asked)).json).toHaveLength(3);
		const { json, error } = await answered({ body }, asked, { common: {} });
		expect(error?.message ?? json.length).toEqual(
			'pagination' in meta ? expect.stringContaining('a list whose totalPages is 1') : 3,
		);
	});

	it('accepts a limit that a list without pages meets exactly', async () => {
		const asked = { ...list, path: '/things', limit: 100 };
		expect((await answered({ body: { rows: records(100) } }, asked)).json).toHaveLength(100);
	});

	it('an empty list is reported to a model', async () => {
		const asked = { ...list, query: '{"filters[url:contains]":"nowhere"}' };
		expect((await run(asked)).json).toEqual([]);
		expect((await run(asked, { asTool: true })).json).toEqual([
			{ count: 0, message: 'No records were found' },
		]);
	});
});

describe('a file', () => {
	it('goes into the binary field', async () => {
		const { data } = await fleet.api.get('/reports');
		const { id } = data.reports[0];
		fleet.forget();
		const { items, json } = await run({
			path: `/reports/${id}/download`,
			response: 'file',
			binaryPropertyName: 'report',
		});
		expect(contentOf(items[0]!, 'report').subarray(0, 5).toString()).toBe('%PDF-');
		expect(json[0]).toMatchObject({
			path: `/reports/${id}/download`,
			mime_type: 'application/pdf',
			file_name: expect.stringMatching(/\.pdf$/),
		});
		expect(fleet.sent().map(({ route }) => route)).toEqual([`GET /reports/${id}/download`]);
	});

	it.each([
		['JSON', { body: { a: 1 } }, 'JSON, not a file'],
		['a web page', { headers: { 'Content-Type': 'text/html' }, body: '<html>' }, 'a web page'],
		['nothing', { status: 204 }, 'empty'],
	] as Array<[string, Answer, string]>)('refuses %s', async (_what, answer, message) => {
		const { error } = await answered(answer, { response: 'file' });
		expect(error?.message).toContain(message);
	});

	it('does not bypass the passwords that a credential hides', async () => {
		const [site] = await fleet.sites(1);
		const path = `/sites/${site!.id}`;
		const limits = {
			access: 'selected',
			allowed: EFFECTS.filter((each) => each !== 'givesAccess'),
		};
		const { error } = await runNode({ ...fleet, limits }, on({ path, response: 'file' }));
		expect(error?.message).toContain('The parameter "Response" is "File"');
		expect(fleet.sent()).toEqual([]);
		const { json } = await runNode({ ...fleet, limits }, on({ path }));
		expect(json[0]).toMatchObject({ site: { id: site!.id } });
	});

	it('hides passwords in a bare list, too', async () => {
		const body = [{ ftp_password: 'hush' }];
		const limits = { access: 'readOnly' };
		const { json } = await answered({ body }, { path: '/sites' }, { limits });
		expect(json).toEqual([{ answer: [{ ftp_password: '********' }] }]);
	});
});
