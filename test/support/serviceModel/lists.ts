import type { IDataObject } from 'n8n-workflow';
import { rowsIn } from '../operations';

/** Where records without a time are: as if it was less or greater than any other, or first or last in either order. */
export type Nulls = 'low' | 'high' | 'first' | 'last';

/** The order of two times in a list. */
export function inOrder(a: number | null, b: number | null, sign: number, nulls: Nulls): number {
	if (a !== null && b !== null) return sign * (a - b);
	if (a === b) return 0;
	const isFirst = nulls === 'first' || nulls === (sign > 0 ? 'low' : 'high');
	return (a === null) === isFirst ? -1 : 1;
}

/** What the reference promises of a list, as far as triggers ask for it. */
export type ListSpec = ReturnType<typeof list>;

export const list = (path: string, wrapper: string, filters: string, times: string) => ({
	matches: new RegExp(`^${path}$`),
	wrapper,
	/** As `type:eq`. */
	filters: filters.split(' '),
	/** Those that it can be sorted by, and read from and up to. */
	times: times.split(' '),
});

/** Source: Part A, 4.7-4.9 and 4.14; Part B, 4.1, 4.4 and 4.5. */
const LISTS = `
path | wrapper | filters | times
/tasks | tasks | status:eq type:eq | created_at updated_at
/auto-update-history | auto_update_history | auto_update_schedule_id:eq status:eq status:in | performed_on
/reports | reports | type:eq site_id:eq client_id:eq | created_at
/sites | sites | id:eq connection_status:eq client_id:eq uptime:eq scanner_status:eq backups:eq tags:in | created_at updated_at last_sync_at
/sites/[^/]+/activity-logs | activity_logs | object_type:eq event_type:eq username:eq ip_address:eq | timestamp
/sites/[^/]+/snapshots | snapshots | status:eq | created_at
/staging-sites | staging_sites | | created_at updated_at expires_at
`;

export const lists = rowsIn(LISTS).map((row) => list(...(row as Parameters<typeof list>)));

/** Where a record has what a filter or an order names, if not under that name. */
const places: Record<string, string> = {
	auto_update_schedule_id: 'auto_update_schedule.id',
	site_id: 'site.id',
	client_id: 'client.id',
	connection_status: 'connection.status',
	uptime: 'uptime.status',
	scanner_status: 'security.scanner.status',
	backups: 'backups.enabled',
	last_sync_at: 'sync.last_sync_at',
};

const valueOf = (record: IDataObject, name: string): unknown =>
	(places[name] ?? name)
		.split('.')
		.reduce<unknown>((value, key) => (value as IDataObject | null)?.[key], record);

/** Null where the record has none. */
export const timeIn = (record: IDataObject, name: string) =>
	Date.parse(String(valueOf(record, name) ?? '')) || null;

/** A time that is asked for: in ISO 8601, or as the service tells it, in epoch seconds or milliseconds. */
function asked(value: string): number {
	if (!/^\d+$/.test(value)) return Date.parse(value);
	return value.length > 10 ? Number(value) : Number(value) * 1_000;
}

/** Whether a filter, such as `type:eq`, lets a record through. */
export function fits(record: IDataObject, filter: string, values: string[]): boolean {
	const [name = '', operator] = filter.split(':');
	if (operator === 'gte') return (timeIn(record, name) ?? NaN) >= asked(values[0]!);
	if (operator === 'lte') return (timeIn(record, name) ?? NaN) <= asked(values[0]!);
	const found = valueOf(record, name) ?? '';
	const all = Array.isArray(found) ? found.map(({ id }: IDataObject) => id) : [found];
	return all.some((each) => values.includes(String(each)));
}

/** A record alone, in its wrapper, with what only that shows. */
export function single(collection: string, record: IDataObject): IDataObject {
	const name = collection.replace(/^.*\//, '').replace(/s$/, '');
	if (name !== 'task') return { [name]: record };
	const { sites } = record.input as { sites: IDataObject[] };
	const about = { status: 'completed', progress: { percent: 100 }, steps: [] };
	return { task: { ...record, details: { sites: sites.map(({ id }) => ({ id, ...about })) } } };
}
