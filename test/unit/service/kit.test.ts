import { routes } from '../../../sandbox/service/modules';
import { startErrorFleet, type ErrorFleet } from './errorFleet';
import { expectError } from './support';

let fleet: ErrorFleet;

beforeEach(async () => void (fleet = await startErrorFleet()));

const served = (method: string, path: string) =>
	routes.find((route) => route.method === method && route.path === path)?.operationId;

/** The path of a record, the list that it is in, and the parameters of one, of a site that has some. */
async function recordOf(path: string) {
	const [, list, name] = /^(.*)\/\{(\w+)\}$/.exec(path)!;
	const sites = list!.includes('{site_id}')
		? (await fleet.list('/sites')).map(({ id }) => id)
		: [''];
	for (const site_id of sites) {
		const place = list!.replace('{site_id}', site_id);
		const records = await fleet.list(place).catch(() => undefined);
		// An invitation gives no access that can be left.
		const fits = records?.find(({ status }) => status !== 'pending' && status !== 'rejected');
		if (fits) return { place, params: { site_id, [name!]: String(fits.id) }, record: fits };
	}
	throw new Error(`No record of ${path}`);
}

const shown = routes.filter(
	({ method, path }) =>
		method === 'GET' && path.endsWith('_id}') && served('GET', path.replace(/\/\{\w+\}$/, '')),
);

it.each(shown.map(({ operationId, path }) => [operationId, path]))(
	'%s shows a record of the list, and none of another site',
	async (operationId, path) => {
		const { params, record } = await recordOf(path);
		const { status, data } = await fleet.send(operationId, { params });
		expect(status).toBe(200);
		const [found] = Object.values<any>(data);
		expect(found.id).toBe(record.id);
		for (const field of ['created_at', 'updated_at', 'name', 'url'])
			expect(found[field]).toEqual(record[field]);
		if (!path.startsWith('/sites/{site_id}/')) return;
		const other = (await fleet.list('/sites')).find(
			({ id, backups }) => id !== params.site_id && backups.enabled,
		)!;
		expectError(await fleet.send(operationId, { params: { ...params, site_id: other.id } }), 404);
	},
);

const removed = routes.filter(({ method }) => method === 'DELETE');

it.each(removed.map(({ operationId, path }) => [operationId, path]))(
	'%s answers without a body, and the record is gone',
	async (operationId, path) => {
		const { params, place, record } = await recordOf(path);
		const { status, data } = await fleet.send(operationId, { params });
		expect([status, data]).toEqual([204, '']);
		expect((await fleet.list(place)).map(({ id }) => id)).not.toContain(record.id);
		expectError(await fleet.send(operationId, { params }), 404);
		const show = served('GET', path);
		if (show) expectError(await fleet.send(show, { params }), 404);
	},
);
