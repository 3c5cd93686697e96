import { routes } from '../../../sandbox/service/modules';
import { list as listOf, start } from './support';

export interface Request {
	params?: Record<string, string>;
	query?: Record<string, unknown>;
	body?: unknown;
	headers?: Record<string, string>;
}

export type Row = Record<string, any>;

/** How a status of an operation comes about: what is done before, and then sent. */
export type ErrorCase = [
	operationId: string,
	status: 409 | 422 | 503,
	how: string,
	request: (fleet: ErrorFleet) => Promise<Request>,
	/** The parameter that a 422 names, by default the first ID of the request. */
	param?: string,
];

export type ErrorFleet = Awaited<ReturnType<typeof startErrorFleet>>;

/** The default demo fleet, which is asked over HTTP alone, as a user would. */
export async function startErrorFleet() {
	const service = await start({ sites: 100, rateLimit: { limit: 100_000 } });
	const { api, admin } = service;

	const list = async (path: string, params?: object): Promise<Row[]> =>
		await listOf(service, path, params);

	async function lacking(): Promise<Map<string, string[]>> {
		const { sites } = (await admin.get('/plan')).data;
		return new Map(sites.map(({ site_id: id, without }: Row) => [id, without]));
	}

	/** A site of the fleet that fits and has backups, or else not. */
	async function site(fits: (site: Row) => boolean = () => true, backups = true) {
		const lack = await lacking();
		const sites = await list('/sites', { 'filters[backups:eq]': backups });
		return sites.find((each) => !lack.has(each.id) && fits(each))!;
	}

	return {
		...service,
		list,
		site,
		async send(operationId: string, request: Request = {}) {
			const { method, path } = routes.find((one) => one.operationId === operationId)!;
			const { params: ids = {}, query: params, body: data, headers } = request;
			const url = path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'unknown');
			return await api.request({ method, url, params, data, headers });
		},
		/** A site with its completed snapshot. */
		async snapshot() {
			const isDone = (each: Row) =>
				each.backups.latest_snapshot?.status === 'succeeded' && !each.multisite;
			const { id, backups } = await site(isDone);
			return { site_id: String(id), snapshot_id: String(backups.latest_snapshot.id) };
		},
		async siteWithout(feature: string): Promise<{ site_id: string }> {
			const [found] = [...(await lacking())].filter(([, without]) => without.includes(feature));
			return { site_id: found![0] };
		},
	};
}
