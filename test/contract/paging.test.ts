import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../support/engine';
import { startFleet, type Fleet } from '../support/fleet';
import { startWayward } from '../support/wayward';

let fleet: Fleet;
beforeAll(async () => {
	fleet = await startFleet({ sites: 250 });
});
afterAll(async () => await fleet.service.close());
beforeEach(() => fleet.forget());

const sites = (parameters: INodeParameters) => ({
	node: 'site',
	parameters: {
		resource: 'site',
		operation: 'getAll',
		output: 'selected',
		outputFields: ['id'],
		...parameters,
	},
});

const pages = () =>
	fleet
		.sent()
		.map(({ query }) => `${String(query.page)} of ${String(query.perPage)}`)
		.sort();

it.each([
	[1, ['1 of 1']],
	[50, ['1 of 50']],
	[100, ['1 of 100']],
	[101, ['1 of 100', '2 of 100']],
	[150, ['1 of 100', '2 of 100']],
	[250, ['1 of 100', '2 of 100', '3 of 100']],
	[1000, ['1 of 100', '2 of 100', '3 of 100']],
])('a limit of %i takes no more requests than needed', async (limit, expected) => {
	const { json } = await runNode(fleet.service, sites({ limit }));
	expect(pages()).toEqual(expected);
	expect(json).toHaveLength(Math.min(limit, 250));
});

it('Return All gives every record once, in the order of the service', async () => {
	const { json } = await runNode(
		fleet.service,
		sites({ returnAll: true, sort: { by: { field: 'url', direction: 'asc' } } }),
	);
	expect(pages()).toEqual(['1 of 100', '2 of 100', '3 of 100']);
	const ids: unknown[] = [];
	for (const page of [1, 2, 3]) {
		const { data } = await fleet.api.get('/sites', { params: { page, sort: 'url,asc' } });
		ids.push(...data.sites.map(({ id }: { id: string }) => ({ id })));
	}
	expect(json).toEqual(ids);
});

it('filters and sort are on every page', async () => {
	await runNode(
		fleet.service,
		sites({
			returnAll: true,
			filters: { connectionStatus: 'connected' },
			sort: { by: { field: 'url', direction: 'asc' } },
		}),
	);
	expect(fleet.sent().length).toBeGreaterThan(1);
	for (const { query } of fleet.sent()) {
		expect(query).toMatchObject({ 'filters[connection_status:eq]': 'connected', sort: 'url,asc' });
	}
});

it('a list without records gives no items', async () => {
	const { json, error } = await runNode(
		fleet.service,
		sites({ returnAll: true, filters: { siteId: 'unknown' } }),
	);
	expect(error).toBeUndefined();
	expect(json).toEqual([]);
});

const list = (ids: string[], totalPages: number) => ({
	body: {
		sites: ids.map((id) => ({ id })),
		meta: { pagination: { page: 1, perPage: 100, totalPages, totalItems: 0 } },
	},
});

it('a record that moved to the next page while reading comes once', async () => {
	const service = await startWayward((url) =>
		url.searchParams.get('page') === '1' ? list(['a', 'b', 'c'], 2) : list(['c', 'd'], 2),
	);
	const { json } = await runNode(service, sites({ returnAll: true }));
	await service.close();
	expect(json.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

it('pages that appear while reading are read as well', async () => {
	const service = await startWayward((url) => {
		const page = Number(url.searchParams.get('page'));
		return list([`site ${page}`], page === 1 ? 2 : 3);
	});
	const { json } = await runNode(service, sites({ returnAll: true }));
	await service.close();
	expect(json.map(({ id }) => id)).toEqual(['site 1', 'site 2', 'site 3']);
});
