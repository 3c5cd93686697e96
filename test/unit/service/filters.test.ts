import { routes } from '../../../sandbox/service/modules';
import { anyId, filterKeys, lists as paged, wordsOf, type List } from '../../support/reference';
import { fleetOnce } from '../../support/fleet';

/**
 * Every filter and sort key of every list over the demo fleet: a filter finds the records that have the value, which
 * are read from the records themselves, and none by a value that no record has.
 */

type Json = Record<string, any>;

const kindsOf = ({ scope }: Json) => {
	const { cms_core: core, plugins, themes } = scope.updates;
	const isAny = ({ selection, filenames }: Json) => selection === 'all' || filenames.length > 0;
	return [core && 'core', isAny(plugins) && 'plugin', isAny(themes) && 'theme'].filter(Boolean);
};

const sitesOf = ({ scope }: Json) =>
	scope.sites.selection === 'specific' ? scope.sites.ids : sites.map(({ id }) => id);

/** Where a record has what a filter is about, unless in a field of that name; several where each of them may match. */
const values: Record<string, Record<string, string[] | ((record: Json) => unknown)>> = {
	listAutoUpdateHistory: {
		auto_update_schedule_id: ['auto_update_schedule.id'],
		auto_update_schedule_name: ['auto_update_schedule.name'],
	},
	listAutoUpdateSchedules: {
		has_backup: ['options.backup'],
		has_vr: ['options.visual_regression'],
		update_types: kindsOf,
		site_id: sitesOf,
	},
	listClients: { search: ['first_name', 'last_name', 'email', 'company_name'] },
	listReports: {
		site_id: ['site.id'],
		client_id: ['client.id'],
		sender_email: ['email.sender_email.email'],
		recipient_status: ['email.recipients.status'],
	},
	listReportTemplates: { site_id: ['site_ids'] },
	listScheduledReports: { site_id: ['site.id'] },
	listSenderEmails: {
		domain_dkim_verified: ['domain.dkim.verified'],
		domain_return_path_verified: ['domain.return_path.verified'],
	},
	listSiteActivityLogs: {
		search: ({ username, ip_address, object_type, event_type, event_details: details }) =>
			[username, ip_address, object_type, event_type].concat(Object.values(details as Json)),
	},
	listSiteCustomWorks: { search: ['title', 'description'] },
	listSiteNotes: { user_email: ['user.email'] },
	listSites: {
		paused: ['sync.paused'],
		security: ['security.enabled'],
		backups: ['backups.enabled'],
		performance: ['performance.enabled'],
		connection_status: ['connection.status'],
		client_id: ['client.id'],
		uptime: ['uptime.enabled', 'uptime.status'],
		scanner_status: ['security.scanner.status'],
		php_version: ['server.php_version'],
		last_sync_at: ['sync.last_sync_at'],
		tags: ['tags.id'],
	},
	listSiteSnapshots: {
		scanner_status: ['security.scanner.status'],
		files_synced: ['backups.files.count.synced'],
		tables_synced: ['backups.database.count.synced'],
	},
	listTags: { site_id: ['site_ids'] },
};

/** What is at a path such as `tags.id`, of all tags. */
const at = (record: Json, path: string) =>
	path
		.split('.')
		.reduce<any[]>((found, key) => found.flatMap((each) => each?.[key] as unknown), [record]);

const lists = paged.filter((list) => filterKeys(list).length > 0 || list.sortBy);

const fleet = fleetOnce({ sites: 40 });
let sites: Json[];

beforeAll(async () => {
	sites = await fleet.sites(40);
	// By chance, they are the same for all snapshots of a site.
	fleet.world.store.snapshots.all().forEach(({ backups }, index) => {
		backups.files.count.synced += index % 5;
		backups.database.count.synced += index % 3;
	});
});

/** All records of a list, as texts; of a list of a site by the path of the site. */
async function recordsOf(path: string, query: object = {}): Promise<string[]> {
	const found: string[] = [];
	for (let page = 1, last = 1; page <= last; page++) {
		const { data } = await fleet.api.get<Json>(path, { params: { ...query, page, perPage: 100 } });
		const [records] = Object.values(data).filter(Array.isArray) as Json[][];
		found.push(...records!.map((record) => JSON.stringify(record)));
		last = data.meta.pagination.totalPages;
	}
	return found;
}

/** The list with the most records, of those of all sites where each has one; a plan may leave a site without. */
async function fullest({ route }: List): Promise<{ path: string; records: string[] }> {
	const path = route.replace('GET ', '');
	if (!path.includes('{')) return { path, records: await recordsOf(path) };
	const all = await Promise.all(
		sites.map(async ({ id }) => {
			const ofSite = path.replace(/\{\w+\}/, String(id));
			return { path: ofSite, records: await recordsOf(ofSite).catch((): string[] => []) };
		}),
	);
	return all.sort((a, b) => b.records.length - a.records.length)[0]!;
}

/** Times as numbers, versions as parts; what is nothing is none. */
const known = (value: unknown) =>
	[value].flat().filter((each) => each !== null && each !== undefined && each !== '');

const comparable = (value: unknown): number[] | string => {
	const text = String(value);
	if (/^\d{4}-\d\d-\d\d/.test(text)) return [Date.parse(text)];
	return /^\d+(\.\d+)*$/.test(text) ? text.split('.').map(Number) : text;
};

function order(a: unknown, b: unknown): number {
	const [left, right] = [comparable(a), comparable(b)];
	if (typeof left === 'string' || typeof right === 'string') {
		return String(a) < String(b) ? -1 : Number(String(a) > String(b));
	}
	const index = right.findIndex((part, place) => (left[place] ?? 0) !== part);
	return index < 0 ? 0 : (left[index] ?? 0) - right[index]!;
}

const holds: Record<string, (value: unknown, wanted: unknown) => boolean> = {
	eq: (value, wanted) => String(value) === String(wanted),
	in: (value, wanted) => (wanted as unknown[]).map(String).includes(String(value)),
	contains: (value, wanted) => String(value).toLowerCase().includes(String(wanted).toLowerCase()),
	exactly: (value, wanted) => String(value).includes(String(wanted)),
	gte: (value, wanted) => order(value, wanted) >= 0,
	lte: (value, wanted) => order(value, wanted) <= 0,
	gt: (value, wanted) => order(value, wanted) > 0,
	lt: (value, wanted) => order(value, wanted) < 0,
};

/** The words that the service takes for a filter, where not any. */
function wordsFor(route: string, key: string): string[] | undefined {
	const { query = {} } = routes.find(
		({ method, path }) => anyId(`${method} ${path}`) === anyId(route),
	)!;
	const schema = (query[key] ?? query[`${key}[]`]) as Json;
	return (schema.items ?? schema).enum as string[] | undefined;
}

/** Values that some records have and, as far as there can be any, none. */
function samples(operator: string, all: unknown[], words?: string[]) {
	const times = new Map<string, number>();
	for (const each of all) times.set(String(each), (times.get(String(each)) ?? 0) + 1);
	const rarest = [...times.keys()].sort((a, b) => times.get(a)! - times.get(b)!);
	const sorted = [...times.keys()].sort(order);
	const middle = sorted[Math.floor(sorted.length / 2)]!;
	const isTime = /^\d{4}-/.test(middle);
	const [least, most] = isTime ? ['1990-01-01', '2090-01-01'] : ['0', '999999999999'];
	const odd = isTime ? most : /^\d+(\.\d+)+$/.test(middle) ? '99.99' : 'No such value';
	const none = words ? words.filter((word) => !times.has(word))[0] : odd;
	const part = rarest[0]!.slice(1, 7);
	const of: Record<string, { some: unknown; none: unknown }> = {
		eq: { some: rarest[0], none },
		gte: { some: middle, none: most },
		gt: { some: sorted[0], none: most },
		lte: { some: middle, none: least },
		lt: { some: sorted.at(-1), none: least },
		// Not all that there are.
		in: { some: rarest.slice(0, rarest.length > 2 ? 2 : 1), none: none && [none] },
		contains: { some: part.toUpperCase(), none },
		exactly: { some: part, none: part.toUpperCase() },
	};
	return of[operator]!;
}

describe.each(lists)('$route', (list) => {
	let path: string;
	let records: string[];
	beforeAll(async () => ({ path, records } = await fullest(list)));

	const read = (record: string, field: string) => {
		const of = values[list.id]?.[field] ?? [field];
		const parsed = JSON.parse(record) as Json;
		return known(typeof of === 'function' ? of(parsed) : of.flatMap((path) => at(parsed, path)));
	};
	const textOf = async (key: string, value: unknown) => await recordsOf(path, { [key]: value });

	for (const key of filterKeys(list))
		it(key, async () => {
			const [field, operator] = key.slice('filters['.length, -1).split(':') as [string, string];
			const valuesOf = (record: string) => read(record, field);
			if (operator === 'present') {
				for (const isThere of [true, false]) {
					const wanted = records.filter((each) => valuesOf(each).length > 0 === isThere);
					expect(await textOf(key, isThere)).toEqual(wanted);
				}
				return;
			}
			// Names of files are the only texts with a case.
			const how = operator === 'contains' && list.id === 'listSiteFiles' ? 'exactly' : operator;
			const all = records.flatMap(valuesOf);
			const { some, none } = samples(how, all, wordsFor(list.route, key));
			const wanted = records.filter((record) =>
				valuesOf(record).some((value) => holds[how]!(value, some)),
			);
			expect(wanted).not.toEqual([]);
			expect(await textOf(key, some)).toEqual(wanted);
			if (none === undefined) expect(wanted.length).toBeLessThan(records.length);
			else expect(await textOf(key, none)).toEqual([]);
		});

	const sorts = wordsOf(list.sortBy).flatMap((key) => [`${key},asc`, `${key},desc`]);

	for (const sort of sorts)
		it(`sorted by ${sort}`, async () => {
			const [key, direction] = sort.split(',') as [string, string];
			const sorted = await recordsOf(path, { sort });
			const found = sorted.flatMap((record) => read(record, key));
			expect(new Set(found.map(String)).size).toBeGreaterThan(1);
			const sign = direction === 'asc' ? 1 : -1;
			// As texts, except numbers.
			const compare = (a: unknown, b: unknown) =>
				typeof a === 'number' ? order(a, b) : a! < b! ? -1 : Number(a! > b!);
			expect(found).toEqual([...found].sort((a, b) => sign * compare(a, b)));
			expect([...sorted].sort()).toEqual([...records].sort());
			if (key === 'created_at' && direction === 'desc') expect(records).toEqual(sorted);
		});
});
