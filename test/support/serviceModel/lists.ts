import type { IDataObject } from 'n8n-workflow';

type Filter = (record: IDataObject, value: string, values: string[]) => boolean;

/** Null where the record has none. */
type SortKey = (record: IDataObject) => string | number | null;

/** Where records without a key are: as if it was less or greater than any other, or first or last in either order. */
export type Nulls = 'low' | 'high' | 'first' | 'last';

type Key = ReturnType<SortKey>;

/** The order of two keys in a list. */
export function inOrder(a: Key, b: Key, sign: number, nulls: Nulls): number {
	if (a === null || b === null) {
		if (a === b) return 0;
		const isFirst = nulls === 'first' || nulls === (sign > 0 ? 'low' : 'high');
		return (a === null) === isFirst ? -1 : 1;
	}
	return a < b ? -sign : a > b ? sign : 0;
}

/** What the reference promises of a list, and nothing else. */
export interface ListSpec {
	matches: RegExp;
	wrapper: string;
	/** By `field:operator`. */
	filters: Record<string, Filter>;
	sorts: Record<string, SortKey>;
	/** Where none is asked for. */
	sort: string;
}

const at = (record: IDataObject, path: string): unknown =>
	path.split('.').reduce<unknown>((value, key) => (value as IDataObject | null)?.[key], record);

const text = (record: IDataObject, path: string) => String(at(record, path) ?? '');

const time = (record: IDataObject, path: string) => Date.parse(text(record, path));

export const eq =
	(path: string): Filter =>
	(record, value) =>
		text(record, path) === value;

const within =
	(path: string): Filter =>
	(record, _value, values) =>
		values.includes(text(record, path));

const contains =
	(...paths: string[]): Filter =>
	(record, value) =>
		paths.some((path) => text(record, path).includes(value));

/** A time that is asked for: in ISO 8601, or as the service tells it, in epoch seconds or milliseconds. */
function asked(value: string): number {
	if (!/^\d+$/.test(value)) return Date.parse(value);
	return value.length > 10 ? Number(value) : Number(value) * 1_000;
}

/** The filters on a time, and `sort` by it. */
export const range = (name: string, path = name): Record<string, Filter> => ({
	[`${name}:gte`]: (record, value) => time(record, path) >= asked(value),
	[`${name}:lte`]: (record, value) => time(record, path) <= asked(value),
});

export const byTime =
	(path: string): SortKey =>
	(record) =>
		time(record, path) || null;

const byText =
	(path: string): SortKey =>
	(record) =>
		text(record, path);

const tagsIn: Filter = ({ tags }, _value, values) =>
	(tags as IDataObject[]).some(({ id }) => values.includes(String(id)));

const recipient =
	(field: string): Filter =>
	(record, value) =>
		(at(record, 'email.recipients') as IDataObject[]).some((each) => each[field] === value);

/** Source: Part A, 4.7-4.9 and 4.14; Part B, 4.1, 4.4 and 4.5. */
export const lists: ListSpec[] = [
	{
		matches: /^\/tasks$/,
		wrapper: 'tasks',
		filters: {
			'status:eq': eq('status'),
			'type:eq': eq('type'),
			...range('created_at'),
			...range('updated_at'),
		},
		sorts: {
			created_at: byTime('created_at'),
			updated_at: byTime('updated_at'),
			status: byText('status'),
		},
		sort: 'created_at,desc',
	},
	{
		matches: /^\/auto-update-history$/,
		wrapper: 'auto_update_history',
		filters: {
			'auto_update_schedule_id:eq': eq('auto_update_schedule.id'),
			'auto_update_schedule_id:in': within('auto_update_schedule.id'),
			'auto_update_schedule_name:contains': contains('auto_update_schedule.name'),
			'status:eq': eq('status'),
			'status:in': within('status'),
			...range('performed_on'),
		},
		sorts: {
			performed_on: byTime('performed_on'),
			auto_update_schedule_name: byText('auto_update_schedule.name'),
		},
		sort: 'performed_on,desc',
	},
	{
		matches: /^\/reports$/,
		wrapper: 'reports',
		filters: {
			'type:eq': eq('type'),
			'site_id:eq': eq('site.id'),
			'client_id:eq': eq('client.id'),
			'sender_email:eq': eq('email.sender_email.email'),
			'recipient_status:eq': recipient('status'),
			...range('created_at'),
		},
		sorts: { created_at: byTime('created_at') },
		sort: 'created_at,desc',
	},
	{
		matches: /^\/sites$/,
		wrapper: 'sites',
		filters: {
			'id:eq': eq('id'),
			'paused:eq': eq('sync.paused'),
			'security:eq': eq('security.enabled'),
			'backups:eq': eq('backups.enabled'),
			'performance:eq': eq('performance.enabled'),
			'connection_status:eq': eq('connection.status'),
			'client_id:eq': eq('client.id'),
			'uptime:eq': eq('uptime.status'),
			'scanner_status:eq': eq('security.scanner.status'),
			'locked:eq': eq('locked'),
			'url:contains': contains('url'),
			'tags:in': tagsIn,
			...range('created_at'),
			...range('updated_at'),
			...range('last_sync_at', 'sync.last_sync_at'),
		},
		sorts: {
			created_at: byTime('created_at'),
			updated_at: byTime('updated_at'),
			url: byText('url'),
			last_sync_at: byTime('sync.last_sync_at'),
		},
		sort: 'created_at,desc',
	},
	{
		matches: /^\/sites\/[^/]+\/activity-logs$/,
		wrapper: 'activity_logs',
		filters: {
			'username:eq': eq('username'),
			'ip_address:eq': eq('ip_address'),
			'object_type:eq': eq('object_type'),
			'event_type:eq': eq('event_type'),
			'username:contains': contains('username'),
			'ip_address:contains': contains('ip_address'),
			'search:contains': contains('username', 'event_type', 'object_type'),
			...range('timestamp'),
		},
		sorts: {
			timestamp: byTime('timestamp'),
			object_type: byText('object_type'),
			event_type: byText('event_type'),
			username: byText('username'),
			ip_address: byText('ip_address'),
		},
		sort: 'timestamp,desc',
	},
	{
		matches: /^\/sites\/[^/]+\/snapshots$/,
		wrapper: 'snapshots',
		filters: { 'status:eq': eq('status'), ...range('created_at') },
		sorts: { created_at: byTime('created_at') },
		sort: 'created_at,desc',
	},
	{
		matches: /^\/staging-sites$/,
		wrapper: 'staging_sites',
		filters: { ...range('created_at'), ...range('updated_at'), ...range('expires_at') },
		sorts: {
			created_at: byTime('created_at'),
			updated_at: byTime('updated_at'),
			expires_at: byTime('expires_at'),
		},
		sort: 'created_at,desc',
	},
];

/** A record alone, in its wrapper, with what only that shows. */
export function single(collection: string, record: IDataObject): IDataObject {
	if (collection === '/tasks') {
		const { sites } = record.input as IDataObject;
		return { task: { ...record, details: { sites: (sites as IDataObject[]).map(withSteps) } } };
	}
	return { [collection.replace(/^.*\//, '').replace(/s$/, '')]: record };
}

const withSteps = ({ id }: IDataObject): IDataObject => ({
	id,
	status: 'completed',
	progress: { percent: 100 },
	steps: [],
});
