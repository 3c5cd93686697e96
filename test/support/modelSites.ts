import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { SiteTrigger } from '../../nodes/Site/SiteTrigger.node';
import { valueAt } from '../../nodes/shared/receive/output';

/** A site as the service shows it. */
export type Site = IDataObject & { id: string };

const PAGE = 3;
const EPOCH = '1970-01-01T00:00:00Z';

/** The fields that the filters of the list look at. Source: Part B, 4.1. */
const paths: Record<string, string> = {
	id: 'id',
	backups: 'backups.enabled',
	connection_status: 'connection.status',
	scanner_status: 'security.scanner.status',
	uptime: 'uptime.status',
	client_id: 'client.id',
	created_at: 'created_at',
	last_sync_at: 'sync.last_sync_at',
};

const time = (value: unknown) => Date.parse(String(value ?? EPOCH));

/** The sites of an account in memory: the list with its filters, its order and small pages, and the single record. */
export class ModelSites {
	now = Date.parse('2026-03-01T12:00:00.250Z');

	/** What happens after each request, in order, until there is no more. */
	meanwhile: Array<() => void> = [];

	/** Requests that succeed before all others fail. */
	failAfter = Infinity;

	private changes = 0;

	private readonly versions = new Map<string, Array<{ site: Site; visibleFrom: number }>>();

	/** @param lateMs how much later the list shows it */
	write(site: Site, lateMs = 0): void {
		const versions = this.versions.get(site.id) ?? [];
		// The order of the changes: a page of this model is much smaller than that of the service.
		const changed = { ...structuredClone(site), updated_at: ++this.changes };
		versions.push({ site: changed, visibleFrom: this.now + lateMs });
		this.versions.set(site.id, versions);
	}

	remove(id: string): void {
		this.versions.set(id, []);
	}

	/** The newest state of each site, shown or not. */
	latest(): Site[] {
		return [...this.versions.values()].flatMap((versions) => versions.at(-1)?.site ?? []);
	}

	/** How many there have been ever. */
	count(): number {
		return this.versions.size;
	}

	/** What the service shows now. */
	shown(): Site[] {
		return [...this.versions.values()].flatMap((versions) => {
			const visible = versions.filter(({ visibleFrom }) => visibleFrom <= this.now);
			return visible.at(-1)?.site ?? [];
		});
	}

	/** The time as a header of an answer tells it. */
	seconds(): number {
		return Math.floor(this.now / 1_000) * 1_000;
	}

	async request({ url, qs = {} }: { url: string; qs?: IDataObject }) {
		if (this.failAfter-- <= 0) throw new Error('The connection broke');
		const [, , id] = url.split('/');
		const body = id === undefined ? this.list(qs) : this.single(id);
		this.meanwhile.shift()?.();
		return { body: structuredClone(body), statusCode: 200, headers: {} };
	}

	private single(id: string): IDataObject {
		const site = this.shown().find((each) => each.id === id);
		if (site) return { site };
		const node = { name: 'Trigger' } as never;
		throw new NodeApiError(node, { message: 'Not found' }, { httpCode: '404' });
	}

	private list(qs: IDataObject): IDataObject {
		const filters = Object.entries(qs).filter(([key]) => key.startsWith('filters['));
		const [field = '', direction] = String(qs.sort ?? 'created_at,desc').split(',');
		const sites = this.shown()
			.filter((site) => filters.every(([key, value]) => fits(site, key, value)))
			.sort((a, b) => timeAt(a, field) - timeAt(b, field) || a.id.localeCompare(b.id));
		if (direction === 'desc') sites.reverse();
		const page = Number(qs.page ?? 1);
		const totals = { totalPages: Math.ceil(sites.length / PAGE), totalItems: sites.length };
		return { sites: sites.slice((page - 1) * PAGE, page * PAGE), meta: { pagination: totals } };
	}
}

const timeAt = (site: Site, field: string) =>
	field === 'updated_at' ? Number(site.updated_at) : time(valueAt(site, paths[field]!));

function fits(site: Site, key: string, wanted: unknown): boolean {
	const [, field = '', operator] = /^filters\[(\w+):(\w+)\]$/.exec(key) ?? [];
	if (field === 'tags') {
		return (site.tags as IDataObject[]).some(({ id }) => (wanted as unknown[]).includes(id));
	}
	const path = paths[field];
	if (path === undefined) throw new Error(`The service has no filter ${key}`);
	const value = valueAt(site, path);
	if (operator === 'eq') return String(value) === String(wanted);
	if (value === null || value === undefined) return false;
	return operator === 'gte' ? time(value) >= time(wanted) : time(value) <= time(wanted);
}

let workflows = 0;

/** The trigger over a model; what n8n keeps between polls goes through JSON, and only when a poll has succeeded. */
export class ModelSiteTrigger {
	private saved = '{}';

	private context: IPollFunctions;

	private readonly parameters: IDataObject;

	/** How long a poll may take, by the clock that the transport has. */
	budgetMs = Infinity;

	constructor(parameters: IDataObject) {
		this.parameters = { output: 'raw', ...parameters };
		this.context = this.newContext('activate');
	}

	/** A poll whose outcome n8n saves. */
	async poll(): Promise<IDataObject[]> {
		const state = JSON.parse(this.saved) as IDataObject;
		this.state = state;
		const output = await SiteTrigger.prototype.poll.call(this.context);
		this.saved = JSON.stringify(state);
		return (output?.[0] ?? []).map(({ json }) => json);
	}

	/** A poll after which n8n dies before it has saved anything. */
	async pollAndCrash(): Promise<void> {
		const { saved } = this;
		await this.poll().catch(() => {});
		this.saved = saved;
		this.restart();
	}

	/** What was only in memory is lost. */
	restart(): void {
		this.context = this.newContext('init');
	}

	private state: IDataObject = {};

	private newContext(activation: string): IPollFunctions {
		const id = String(++workflows);
		return {
			getMode: () => 'trigger',
			getActivationMode: () => activation,
			getWorkflow: () => ({ id }),
			getNode: () => ({ id: 'node', name: 'Trigger', parameters: this.parameters }),
			getWorkflowStaticData: () => this.state,
			getNodeParameter: (name: string, fallback: unknown) => this.parameters[name] ?? fallback,
			getPollBudgetMs: () => this.budgetMs,
		} as unknown as IPollFunctions;
	}
}
