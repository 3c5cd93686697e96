import { runNode, type NodeRun } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { locator } from '../../support/locator';
import { startWayward } from '../../support/wayward';

/** Count: how many there are, by the filters of the list. */

const fleet = fleetEach({ sites: 230 });

const sites = (more: object = {}): NodeRun => ({
	node: 'site',
	parameters: { resource: 'site', operation: 'count', ...more },
});

const allOf = async (params: object = {}) =>
	(await fleet.api.get('/sites', { params: { perPage: 1, ...params } })).data.meta.pagination
		.totalItems as number;

it('takes one request, however many there are', async () => {
	const { json } = await runNode(fleet, sites());
	expect(json).toEqual([{ count: 230 }]);
	expect(fleet.sent()).toHaveLength(1);
});

it('by a filter counts those, and 0 where there are none', async () => {
	const wanted = await allOf({ 'filters[connection_status:eq]': 'disconnected' });
	const filters = { connectionStatus: 'disconnected' };
	expect((await runNode(fleet, sites({ filters }))).json).toEqual([{ count: wanted }]);
	const none = { urlContains: 'no-such-site' };
	expect((await runNode(fleet, sites({ filters: none }))).json).toEqual([{ count: 0 }]);
	const tool = { ...sites({ filters: none }), asTool: true };
	expect((await runNode(fleet, tool)).json).toEqual([{ count: 0 }]);
});

it('refuses an empty filter, as Get Many does', async () => {
	const { error } = await runNode(fleet, sites({ filters: { urlContains: '={{ $json.gone }}' } }));
	expect(error?.message).toMatch(/^The parameter "URL Contains" has no value/);
});

it('has the IDs of its path', async () => {
	const [site] = await fleet.sites(1);
	const { json } = await runNode(fleet, {
		node: 'note',
		parameters: { resource: 'note', operation: 'count', siteId: locator(site!.id) },
	});
	expect(json).toEqual([{ site_id: site!.id, count: expect.any(Number) }]);
});

it('reads the list where the service does not say how many there are', async () => {
	const all = Array.from({ length: 130 }, (_, id) => ({ id: `site-${id}` }));
	const wayward = await startWayward(
		(url) => {
			const page = Number(url.searchParams.get('page'));
			const perPage = Number(url.searchParams.get('perPage'));
			const records = all.slice((page - 1) * perPage, page * perPage);
			const pagination = { page, perPage, totalPages: Math.ceil(all.length / perPage) };
			return { body: { sites: records, meta: { pagination } } };
		},
		{ 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' },
	);
	const { json, error } = await runNode(wayward, sites());
	expect(error).toBeUndefined();
	expect(json).toEqual([{ count: 130 }]);
	expect(wayward.requests).toHaveLength(3);
	await wayward.close();
});
