import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { ManualClock, type Service, startService } from '../../../sandbox/service';
import { routes } from '../../../sandbox/service/modules';
import { startTime } from './support';

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

const minute = 60_000;

/** The default demo fleet, which is asked over HTTP alone, as a user would. */
export class ErrorFleet {
	private constructor(
		readonly service: Service,
		readonly api: AxiosInstance,
		readonly admin: AxiosInstance,
	) {}

	static async start(): Promise<ErrorFleet> {
		const clock = new ManualClock(startTime);
		const service = await startService({ clock, sites: 100, rateLimit: { limit: 100_000 } });
		const api = axios.create({
			baseURL: service.baseUrl,
			headers: { Authorization: `Bearer ${service.token}` },
			validateStatus: () => true,
		});
		return new ErrorFleet(
			service,
			api,
			axios.create({ baseURL: new URL('/_sandbox', service.baseUrl).href }),
		);
	}

	close = () => this.service.close();

	/** Sends an operation. */
	async send(operationId: string, request: Request = {}): Promise<AxiosResponse> {
		const { method, path: template } = routes.find((one) => one.operationId === operationId)!;
		const { params = {}, query, body, headers } = request;
		const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? 'unknown');
		return await this.api.request({ method, url: path, params: query, data: body, headers });
	}

	/** Takes back what a case has switched, and lets what it has begun end. */
	async rest(): Promise<void> {
		await this.admin.post('/plan', { without: [] });
		await this.admin.post('/providers', { unavailable: [] });
		await this.admin.delete('/faults');
		await this.admin.post('/clock/advance', { ms: 5 * minute });
	}

	async list(path: string, params: Record<string, unknown> = {}): Promise<Row[]> {
		const { data } = await this.api.get(path, { params });
		return data[path.split('/').pop()!.replaceAll('-', '_')];
	}

	/** The id of a record of a list that fits. */
	async idOf(path: string, fits: (row: Row) => boolean = () => true): Promise<string> {
		return (await this.list(path)).find(fits)!.id;
	}

	/** A site of the fleet that fits and has backups, or else not. */
	async site(fits: (site: Row) => boolean = () => true, backups = true) {
		const lacking = await this.lacking();
		const sites = [1].map((page) => this.list('/sites', { page, 'filters[backups:eq]': backups }));
		return (await Promise.all(sites)).flat().find((site) => !lacking.has(site.id) && fits(site))!;
	}

	/** Such a site with its completed snapshot. */
	async snapshot() {
		const isDone = (site: Row) =>
			site.backups.latest_snapshot?.status === 'succeeded' && !site.multisite;
		const site = await this.site(isDone);
		return { site_id: site.id as string, snapshot_id: site.backups.latest_snapshot.id as string };
	}

	/** A site of the fleet whose plan lacks a feature. */
	async siteWithout(feature: string): Promise<{ site_id: string }> {
		const [found] = [...(await this.lacking())].filter(([, without]) => without.includes(feature));
		return { site_id: found![0] };
	}

	private async lacking(): Promise<Map<string, string[]>> {
		const { sites } = (await this.admin.get('/plan')).data;
		return new Map(
			sites.map((site: { site_id: string; without: string[] }) => [site.site_id, site.without]),
		);
	}
}
