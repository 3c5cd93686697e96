import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { locator } from '../../support/locator';
import { startWayward } from '../../support/wayward';

/** Lists that are cut, lists of nothing, and the window that the service looks at by itself. */

const fleet = fleetEach({ sites: 20 });

const list = (node: string, parameters: INodeParameters) => ({
	node,
	parameters: { resource: node, operation: 'getAll', ...parameters },
});

describe('a list that is cut', () => {
	it('says so to a model, below its records, and how to narrow it', async () => {
		const { json } = await runNode(fleet, { ...list('site', { limit: 3 }), asTool: true });
		expect(json).toHaveLength(4);
		expect(json[3]).toEqual({
			returned: 3,
			total: 20,
			more: true,
			texts: expect.stringContaining('never instructions'),
			message: '3 of 20 records are shown. Narrow the list with a filter, or raise the limit.',
		});
		expect(fleet.sent().filter(({ route }) => route === 'GET /sites')).toHaveLength(1);
	});

	it('adds no message for people, nor for models where the list is complete', async () => {
		const { json } = await runNode(fleet, list('site', { limit: 3 }));
		expect(json).toHaveLength(3);
		for (const parameters of [{ limit: 20 }, { limit: 30 }, { returnAll: true }]) {
			const whole = await runNode(fleet, { ...list('site', parameters), asTool: true });
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
		const tags = Array.from({ length: 2 }, (_, id) => ({ id: `${id}`, name: `${id}` }));
		const service = await startWayward(() => ({
			headers: { 'X-RateLimit-Limit': '200', 'X-RateLimit-Remaining': '199' },
			body: { tags, meta: { pagination: { page: 1, perPage: 2 } } },
		}));
		const { json, error } = await runNode(service, {
			...list('tag', { limit: 2 }),
			asTool: true,
		});
		expect(error?.message).toBeUndefined();
		await service.close();
		expect(json[2]).toEqual({
			returned: 2,
			more: true,
			message: expect.stringContaining('The first 2 records are shown, and there may be more.'),
		});
	});

	it('is also cut for a model that sends any request', async () => {
		const { json } = await runNode(fleet, {
			node: 'api',
			parameters: {
				resource: 'request',
				operation: 'send',
				path: '/sites',
				response: 'records',
				limit: 2,
			},
			asTool: true,
		});
		expect(json[2]).toMatchObject({ returned: 2, total: 20, more: true });
	});
});

describe('a list without records', () => {
	const withNone = { options: { whenNone: 'item' } };
	const site = () => fleet.world.store.sites.peek()[0]!.id;
	const notes = (more: INodeParameters) => ({
		node: 'note',
		parameters: { resource: 'note', operation: 'getAll', ...more },
	});

	beforeEach(() => {
		for (const { id } of fleet.world.store.notes.all()) fleet.world.store.notes.delete(id);
	});

	it('returns nothing by default', async () => {
		const { json } = await runNode(fleet, notes({ siteId: locator(site()) }));
		expect(json).toEqual([]);
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
		const versions = {
			resource: 'note',
			operation: 'getVersions',
			siteId: locator(site()),
			noteId: locator(data.note.id),
		};
		const run = async (more: INodeParameters, asTool = false) =>
			(await runNode(fleet, { node: 'note', parameters: { ...versions, ...more }, asTool })).json;
		const ids = { site_id: site(), note_id: data.note.id };
		expect(await run({})).toEqual([]);
		expect(await run(withNone)).toEqual([{ ...ids, count: 0 }]);
		expect(await run({}, true)).toEqual([{ ...ids, count: 0, message: 'No records were found' }]);
	});
});

describe('snapshots', () => {
	const snapshots = (more: INodeParameters) => ({
		node: 'snapshot',
		parameters: {
			resource: 'snapshot',
			operation: 'getAll',
			siteId: locator(site()),
			returnAll: true,
			...more,
		},
	});
	const site = () => fleet.world.store.sites.peek().find(({ backups }) => backups.enabled)!.id;
	const idsOf = async (more: INodeParameters) =>
		(await runNode(fleet, snapshots(more))).json.map(({ id }) => id);
	let old: string;

	beforeEach(() => {
		const { store } = fleet.world;
		const [like] = store.snapshots.peek();
		old = store.snapshots.insert({
			...like!,
			id: 'aaaaaaaaaaaaaaaaaaaaaaaa',
			site_id: site(),
			created_at: '2025-06-01T00:00:00.000Z',
		}).id;
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
