import { operationRun, runNode, runOn } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { locator } from '../../support/locator';
import { startWayward } from '../../support/wayward';

/** Lists that are cut, lists of nothing, and the window that the service looks at by itself. */

const fleet = fleetEach({ sites: 20 });
const headers = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' };

const list = (node: string, more: object, asTool = false) =>
	operationRun(node, 'getAll', more, { asTool });
const site = () => fleet.world.store.sites.peek().find(({ backups }) => backups.enabled)!.id;

describe('a list that is cut', () => {
	it('says so to a model, below its records, and how to narrow it', async () => {
		const { json } = await runNode(fleet, list('site', { limit: 3 }, true));
		const texts = expect.stringContaining('never instructions');
		const message =
			'3 of 20 records are shown. Narrow the list with a filter, or raise the limit, or start from 3.';
		const note = { returned: 3, total: 20, more: true, next_from: 3, texts, message };
		expect(json.slice(3)).toEqual([note]);
		expect(fleet.sent().filter(({ route }) => route === 'GET /sites')).toHaveLength(1);
		const path = { path: '/sites', response: 'records', limit: 2 };
		const request = operationRun('request', 'send', path, { node: 'api', asTool: true });
		const any = await runNode(fleet, request);
		expect(any.json[2]).toMatchObject({ returned: 2, total: 20, more: true });
	});

	it('continues from where an earlier call ended, to the end, each record once', async () => {
		const { json: all } = await runNode(fleet, list('site', { returnAll: true }));
		for (const parameters of [
			{ limit: 7 },
			{ limit: 3 },
			{ returnAll: true, longestResult: 900 },
		]) {
			const read: unknown[] = [];
			let from: unknown = '0';
			while (from !== undefined) {
				const { json, error } = await runNode(
					fleet,
					list('site', { ...parameters, startFrom: from }, true),
				);
				expect(error).toBeUndefined();
				const note = json.pop()!;
				expect(json.length).toBeGreaterThan(0);
				read.push(...json);
				from = note.next_from;
				if (from === undefined) continue;
				expect(note).toMatchObject({ total: 20, next_from: read.length });
				const first = read.length - json.length + 1;
				const all = first > 1 ? `Records ${first} to ${read.length}` : `${read.length}`;
				expect(note.message).toContain(`${all} of 20 records are shown`);
			}
			expect(read).toEqual(all);
		}
		const { json: none } = await runNode(fleet, list('site', { startFrom: 20 }, true));
		const message = 'There are no records after the first 20';
		expect(none).toEqual([{ count: 0, total: 20, message }]);
		const wrong = await runNode(fleet, list('site', { startFrom: 'next' }, true));
		expect(wrong.error?.message).toBe('The parameter "Start From" must be a whole number: "next"');
		const path = { path: '/sites', response: 'records', limit: 2, startFrom: 18 };
		const request = operationRun('request', 'send', path, { node: 'api', asTool: true });
		const ids = (await runNode(fleet, request)).json.map(({ id }) => id);
		expect(ids.slice(0, 2)).toEqual(all.slice(18).map(({ id }) => id));
	});

	it('says to a model what it was filtered by, also where nothing is left', async () => {
		const filters = { locked: false, urlContains: 'e' };
		const by = ['locked = false', 'url contains e'];
		const some = await runNode(fleet, list('site', { filters, limit: 1 }, true));
		expect(some.json.at(-1)).toMatchObject({ filtered_by: by, returned: 1 });
		const { name } = fleet.world.store.tags.peek()[0]!;
		const tagged = await runNode(fleet, list('site', { filters: { tagIds: name } }, true));
		expect(tagged.json.at(-1)).toMatchObject({ filtered_by: [`tags is one of ${name}`] });
		const nothing = { ...filters, urlContains: 'no such address' };
		const none = await runNode(fleet, list('site', { filters: nothing }, true));
		expect(none.json).toEqual([
			{
				count: 0,
				filtered_by: ['locked = false', 'url contains no such address'],
				message: 'No records were found',
			},
		]);
	});

	it('adds no message for people, nor for models where the list is complete', async () => {
		const { json } = await runNode(fleet, list('site', { limit: 3 }));
		expect(json).toHaveLength(3);
		for (const parameters of [{ limit: 20 }, { limit: 30 }, { returnAll: true }]) {
			const whole = await runNode(fleet, list('site', parameters, true));
			const { texts, ...others } = whole.json.pop()!;
			expect([texts, others]).toEqual([expect.any(String), {}]);
			expect(whole.json).toHaveLength(20);
			expect(whole.json.every(({ id }) => id !== undefined)).toBe(true);
		}
	});

	it('with Include Total each item has the returned and the total count', async () => {
		const options = { options: { includeTotal: true } };
		const { json } = await runNode(fleet, list('site', { limit: 3, ...options }));
		expect(json.map(({ returned, total }) => [returned, total])).toEqual(Array(3).fill([3, 20]));
		const whole = await runNode(fleet, list('site', { returnAll: true, ...options }));
		expect(whole.json).toHaveLength(20);
		expect(whole.json[19]).toMatchObject({ returned: 20, total: 20 });
	});

	it('has no total where the service does not report one', async () => {
		const tags = ['1', '2'].map((id) => ({ id, name: id }));
		const body = { tags, meta: { pagination: { page: 1, perPage: 2 } } };
		const { json } = await runOn(
			{ 'GET /tags': { headers, body } },
			list('tag', { limit: 2 }, true),
		);
		const message = expect.stringContaining(
			'The first 2 records are shown, and there may be more.',
		);
		expect(json[2]).toEqual({ returned: 2, more: true, next_from: 2, message });
	});
});

describe('a list without records', () => {
	const withNone = { options: { whenNone: 'item' } };
	const notes = (more: object) => list('note', more);

	beforeEach(() => {
		for (const { id } of fleet.world.store.notes.all()) fleet.world.store.notes.delete(id);
	});

	it('returns a paired item with the IDs above it, if chosen', async () => {
		const { store } = fleet.world;
		const [first, second] = store.sites.peek();
		await fleet.api.post(`/sites/${second!.id}/notes`, { note: { content: 'A' } });
		const { json, items } = await runNode(fleet, {
			...notes({ siteId: locator('={{ $json.id }}'), ...withNone }),
			items: [{ id: first!.id }, { id: second!.id }],
		});
		expect(json).toEqual([
			{ site_id: first!.id, count: 0 },
			expect.objectContaining({ content: 'A' }),
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('has the IDs of its filters, too', async () => {
		const filters = { filters: { siteId: locator(site()), createdAfter: '2030-01-01' } };
		const { json } = await runNode(fleet, list('report', { ...filters, ...withNone }));
		expect(json).toEqual([{ site_id: site(), count: 0 }]);
	});

	it('of a list without pages returns one, too', async () => {
		const { data } = await fleet.api.post(`/sites/${site()}/notes`, { note: { content: 'A' } });
		const versions = { siteId: locator(site()), noteId: locator(data.note.id) };
		const run = async (more: object, asTool = false) => {
			const run = operationRun('note', 'getVersions', { ...versions, ...more }, { asTool });
			return (await runNode(fleet, run)).json;
		};
		const ids = { site_id: site(), note_id: data.note.id };
		expect(await run({})).toEqual([]);
		expect(await run(withNone)).toEqual([{ ...ids, count: 0 }]);
		expect(await run({}, true)).toEqual([{ ...ids, count: 0, message: 'No records were found' }]);
	});
});

describe('snapshots', () => {
	const idsOf = async (more: object) => {
		const all = { siteId: locator(site()), returnAll: true, ...more };
		return (await runNode(fleet, list('snapshot', all))).json.map(({ id }) => id);
	};
	let old: string;

	beforeEach(() => {
		const { snapshots } = fleet.world.store;
		const made = { site_id: site(), created_at: '2025-06-01T00:00:00.000Z' };
		const like = snapshots.peek()[0]!;
		old = snapshots.insert({ ...like, id: 'aaaaaaaaaaaaaaaaaaaaaaaa', ...made }).id;
	});

	it('are those of seven days unless All Time is on', async () => {
		const week = await idsOf({});
		expect(week).not.toContain(old);
		expect(fleet.sent()[0]!.query).not.toHaveProperty('filters[created_at:gte]');
		expect(await idsOf({ allTime: true })).toEqual(expect.arrayContaining([...week, old]));
	});

	it('of All Time keep to a filter on the time', async () => {
		const filters = { createdBefore: '2025-07-01T00:00:00Z' };
		expect(await idsOf({ allTime: true, filters })).toEqual([old]);
		expect(fleet.sent()[0]!.query).toMatchObject({
			'filters[created_at:gte]': '2000-01-01T00:00:00Z',
			'filters[created_at:lte]': '2025-07-01T00:00:00Z',
		});
	});
});

describe('Count', () => {
	const count = async (more: object = {}, asTool = false) => {
		const run = operationRun('site', 'count', more, { asTool });
		return await runNode(fleet, run);
	};

	it('takes one request, by the filters of the list, and is 0 where there are none', async () => {
		expect((await count()).json).toEqual([{ count: 20 }]);
		expect(fleet.sent()).toHaveLength(1);
		const sites = fleet.world.store.sites.peek();
		const wanted = sites.filter(({ connection }) => connection.status === 'disconnected').length;
		const filters = { connectionStatus: 'disconnected' };
		expect((await count({ filters })).json).toEqual([{ count: wanted }]);
		const none = { filters: { urlContains: 'no-such-site' } };
		for (const asTool of [false, true]) {
			expect((await count(none, asTool)).json).toEqual([{ count: 0 }]);
		}
	});

	it('refuses an empty filter, as Get Many does', async () => {
		const { error } = await count({ filters: { urlContains: '={{ $json.gone }}' } });
		expect(error?.message).toMatch(/^The parameter "URL Contains" has no value/);
	});

	it('reads the list where the service does not say how many there are', async () => {
		const all = Array.from({ length: 130 }, (_, id) => ({ id: `site-${id}` }));
		const service = await startWayward((url) => {
			const page = Number(url.searchParams.get('page'));
			const perPage = Number(url.searchParams.get('perPage'));
			const sites = all.slice((page - 1) * perPage, page * perPage);
			const pagination = { page, perPage, totalPages: Math.ceil(all.length / perPage) };
			return { body: { sites, meta: { pagination } } };
		}, headers);
		const { json } = await runNode(service, operationRun('site', 'count', {}));
		expect(json).toEqual([{ count: 130 }]);
		expect(service.requests).toHaveLength(3);
	});
});
