import { answered, apiFleet } from '../../support/apiNode';
import { operationRun, runNode } from '../../support/engine';
import { asSent } from '../../support/fleet';
import { locator } from '../../support/locator';

/** Requests that no operation is for: as far as the service is asked, they are like all others. */

const { fleet, run } = apiFleet({ sites: 5 });
describe('what is sent', () => {
	it.each<[string, object]>([
		['{"sort":"url,asc","perPage":2}', { sort: 'url,asc', perPage: '2' }],
		['{"ids":[1,"b"],"on":true}', { 'ids[]': ['1', 'b'], on: 'true' }],
		['={{ { filters: { "url:contains": $json.url } } }}', { 'filters[url:contains]': 'a&b=c' }],
	])('the query %s', async (query, sent) => {
		const items = [{ url: 'a&b=c' }];
		const { requests, json, error } = await answered({ body: { a: 1 } }, { query }, { items });
		expect(error).toBeUndefined();
		const [path, text] = requests[0]!.split('?');
		expect(path).toBe('GET /api/v6/things');
		expect(asSent({ method: 'GET', path: '', query: text! } as never).query).toEqual(sent);
		expect(json).toEqual([{ a: 1 }]);
	});

	it('POST with a body, from JSON or from an expression', async () => {
		const name = { name: 'Own' };
		for (const body of ['{ "tag": { "name": "Own" } }', '={{ { tag: $json } }}']) {
			const { json } = await run({ method: 'POST', path: '/tags', body }, { items: [name] });
			expect(json).toEqual([{ tag: expect.objectContaining(name) }]);
		}
		const wanted = { route: 'POST /tags', query: {}, body: { tag: name } };
		expect(fleet.sent()).toEqual([wanted, wanted]);
	});

	it('a change that has no body and no answer', async () => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Own' } });
		fleet.forget();
		const { json } = await run({ method: 'DELETE', path: `tags/${data.tag.id}` });
		expect(json).toEqual([{ status: 204 }]);
		expect(fleet.sent()).toEqual([
			{ route: `DELETE /tags/${data.tag.id}`, query: {}, body: undefined },
		]);
	});

	it.each(['PUT', 'PATCH', 'POST', 'DELETE'])('%s, with a query and a body', async (method) => {
		const asked = { method, path: '/things/1', query: '{"a":1}', body: '{"b":[null,""]}' };
		const { json, requests, bodies } = await answered({ body: { thing: { id: '1' } } }, asked);
		expect(json).toEqual([{ thing: { id: '1' } }]);
		expect(requests).toEqual([`${method} /api/v6/things/1?a=1`]);
		expect(bodies).toEqual(['{"b":[null,""]}']);
	});

	it('a path is encoded, so that it stays the one that was written', async () => {
		const { requests } = await answered({ body: {} }, { path: ' /things/a b/ö:1,2 ' });
		expect(requests).toEqual(['GET /api/v6/things/a%20b/%C3%B6%3A1%2C2']);
	});

	it('changes go in the order of the items, one at a time, and none after a failure', async () => {
		const names = ['A', 'B', '', 'D'];
		const { error } = await run(
			{ method: 'POST', path: '/tags', body: '={{ { tag: { name: $json.name } } }}' },
			{ items: names.map((name) => ({ name })) },
		);
		expect(fleet.sent().map(({ body }: any) => body.tag.name)).toEqual(['A', 'B', '']);
		expect(error?.message).toContain('item 3 of 4; 2 changes were made before it: run again from');
		expect(error?.context!.details).toMatchObject({ outcome: 'refused', item: 3 });
	});
});

describe('Preview', () => {
	it('of a request that another node can make shows the same as that node', async () => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Own' } });
		fleet.forget();
		const { id } = data.tag;
		const asked = await run({ method: 'DELETE', path: `/tags/${id}`, preview: true });
		const own = operationRun('tag', 'delete', { tagId: locator(id), preview: true });
		const same = await runNode(fleet, own);
		expect(asked.error).toBeUndefined();
		expect(asked.json).toEqual(same.json);
		expect(asked.json[0]).toMatchObject({
			operation: 'Tag: Delete',
			does: ['the tag is removed from all its sites and cannot be restored'],
			target: { tag: { id, name: 'Own' } },
		});
		expect(fleet.changes()).toEqual([]);
	});

	it('of a change that replaces a list shows the dropped entries', async () => {
		const site_ids = (await fleet.sites(2)).map(({ id }) => id);
		const person = { name: 'A', email: 'a@example.com', role: 'collaborator', site_ids };
		const { data } = await fleet.api.post('/team-members', { team_member: person });
		fleet.forget();
		const { json } = await run({
			method: 'POST',
			path: `/team-members/${data.team_member.id}/update`,
			body: JSON.stringify({ team_member: { site_ids: site_ids.slice(1) } }),
			preview: true,
		});
		expect(json[0]).toMatchObject({
			operation: 'Team Member: Update',
			does: ['gives access'],
			replaces: { site_ids: { dropped: [{ id: site_ids[0] }], dropped_count: 1 } },
		});
		expect(fleet.changes()).toEqual([]);
	});

	it('of anything else shows the request, without its secrets', async () => {
		const { json } = await run({
			method: 'PUT',
			path: '/things/1',
			query: '{"force":true}',
			body: '{"thing":{"password":"hush hush","name":"A"}}',
			preview: true,
		});
		expect(json).toEqual([
			{
				would: expect.stringMatching(
					/^Would send PUT \/things\/1 \(unknown to the nodes: .+\): for /,
				),
				preview: true,
				operation: 'Request: Send',
				does: [expect.stringMatching(/^unknown to the nodes/)],
				request: {
					method: 'PUT',
					path: '/things/1',
					query: { force: true },
					body: { thing: { password: '********', name: 'A' } },
				},
				target: {},
			},
		]);
		expect(fleet.sent()).toEqual([]);
	});
});
