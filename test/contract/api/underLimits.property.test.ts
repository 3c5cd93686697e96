import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { OF_SERVICE, on } from '../../support/apiNode';
import { runNode } from '../../support/engine';
import { casesOf, fc, PATIENCE_MS } from '../../support/effort';
import { savedRequests } from '../../support/savedNodes';
import { withoutWaiting } from '../../support/transportClock';
import { startWayward, type Wayward } from '../../support/wayward';

/**
 * Requests under limits, made from valid ones by moving, doubling, nesting and re-typing keys. The judge is a service
 * that takes an id wherever and however it is written; it knows the reference and no table of the nodes.
 */

jest.setTimeout(PATIENCE_MS);

const RUNS = casesOf('LIMITED_REQUESTS', { quick: 600, long: 10_000 });

/** How many changes a credential with a count allows. */
const MOST = 2;

type Json = Record<string, unknown>;

/** The records of the account with the sites that each has; ids are unique among all kinds. */
const SITES: Record<string, string[]> = {
	...{ own1: ['own1'], own2: ['own2'], far1: ['far1'], far2: ['far2'] },
	...{ 'client-own': ['own1'], 'client-far': ['far1'], 'client-both': ['own2', 'far2'] },
	...{ 'client-none': [], 71: ['own1'], 72: ['far1'], 73: ['own1', 'far2'] },
	...{ 'template-own': ['own1'], 'template-far': ['far1'], 'template-none': [] },
	...{ 'report-own': ['own1'], 'report-far': ['far1'] },
	...{ 'scheduled-own': ['own2'], 'scheduled-far': ['far2'] },
	...{ 'staging-own': ['own1'], 'staging-far': ['far1'] },
	...{ 'schedule-own': ['own1', 'own2'], 'schedule-far': ['own1', 'far1'] },
	...{ 'task-own': ['own1'], 'task-far': ['far1'] },
};

function recordOf(id: string): Json {
	const sites = SITES[id]!;
	const scope = { sites: { selection: 'specific', ids: sites } };
	const lists = sites.map((site) => ({ id: site }));
	return {
		...{ id, url: `https://${id}.example.com`, site_ids: sites, site: lists[0], site_id: sites[0] },
		...{ scope, input: { sites: lists }, details: { sites: lists } },
	};
}

const ONE: Record<string, string> = {
	...{ sites: 'site', clients: 'client', tags: 'tag', 'report-templates': 'report_template' },
	...{ reports: 'report', 'scheduled-reports': 'scheduled_report', tasks: 'task' },
	...{ 'staging-sites': 'staging_site', 'auto-update-schedules': 'auto_update_schedule' },
};

/** What the names of records in saved nodes stand for here; all others have no sites. */
const RECORDS: Array<[name: RegExp, id: string]> = [
	[/^(site|clientSite|pausedSite|freeSite|freeSites\.0)$/, 'own1'],
	[/^(otherSite|freeSites\.1)$/, 'own2'],
	[/^(url|siteUrl)$/, 'https://own1.example.com'],
	[/^otherUrl$/, 'https://own2.example.com'],
	[/^tag$/, '71'],
	[/^unusedTemplate$/, 'template-own'],
	[/^pausedScheduled$/, 'scheduled-own'],
	[/^pausedStaging$/, 'staging-own'],
	[/^(pausedSchedule|idleSchedule)$/, 'schedule-own'],
	[/^(client|template|report|scheduled|staging|schedule|task)$/, '$1-own'],
	[/^.*$/, '9'],
];

const idOf = (name: string) => {
	const [pattern, id] = RECORDS.find(([each]) => each.test(name))!;
	return name.replace(pattern, id);
};

/** Every change of the reference with a valid body, as the saved nodes of contract/saved send them. */
const CHANGES = savedRequests(['account', 'backups', 'content', 'fleet', 'reports'], idOf)
	.filter(({ route }) => !route.startsWith('GET '))
	.map(({ route, body }) => [route, body] as [route: string, body?: Json]);

/** Reads, whose query can make a change of them, or name sites. Source: also Part D. */
const READS: Array<[route: string, query: Json]> = [
	['GET /sites', { page: 1 }],
	['GET /tags', { 'filters[name:eq]': 'A' }],
	['GET /clients/client-own', {}],
	['GET /sites/own1/snapshots', { sort: 'created_at,desc' }],
	['GET /sites/wp/plugins', { site_ids: ['own1'], include_vulnerabilities: true }],
	['GET /sites/wp/users', { site_ids: ['own1', 'own2'] }],
];

/** What no choice of sites covers. */
const BEYOND_SITES =
	/^(team-members|backup-destinations|sender-emails|whitelabel|managed-accounts)(\/|$)|^sites$/;

/** Makes a record that needs to have no site. */
const MAY_HAVE_NONE = /^(clients|tags|report-templates)$/;

/** The lenient service. */

const lower = (text: string) => text.toLowerCase();

/** Names in the order from outside: `a.b[0]` and `a[b][]` are the same to it. */
const namesIn = (key: string) =>
	key.split(/[^a-zA-Z0-9_-]+/).map((each) => lower(each).replace(/[_-]/g, ''));

interface Leaf {
	names: string[];
	value: string;
}

/** All values of a body with the names above them, also of JSON and of lists in a text. */
function leavesOf(value: unknown, names: string[] = []): Leaf[] {
	if (typeof value === 'object' && value !== null) {
		return Object.entries(value).flatMap(([key, below]) =>
			leavesOf(below, [...names, ...namesIn(key)]),
		);
	}
	const text = String(value).trim();
	try {
		const inner: unknown = /^["[{]/.test(text) ? JSON.parse(text) : undefined;
		if (inner !== undefined) return leavesOf(inner, names);
	} catch {
		// It is a text.
	}
	return text.split(/[\s,;|]+/).map((part) => ({ names, value: lower(part) }));
}

const ID_NAMES = /^(ids?|sites?|siteids?|siteidlist)$/;

interface Seen {
	method: string;
	/** All that a change would be about; `all` for every site. */
	ids: Set<string>;
	isAll: boolean;
	/** Where a copy of a site is written to. */
	destinations: string[];
	path: string;
	works: number;
}

interface Request {
	method: string;
	url: URL;
	body?: unknown;
}

const isTrue = (value: string) =>
	!['', '0', 'false', 'no', 'off', 'null', 'undefined'].includes(value);

/** What the lenient service understands of a request. */
function seen({ method, url, body }: Request): Seen {
	let path = url.pathname;
	for (let again = 0; again < 3; again++) path = decodeURIComponent(path);
	path = lower(path)
		.replace(/\/+/g, '/')
		.replace('/api/v6/', '')
		.replace(/\.json$|\/$/g, '');
	const query = [...url.searchParams].map(([key, value]) => ({ [key]: value }));
	const leaves = leavesOf([...query, body ?? {}]);
	const last = ({ names }: Leaf) =>
		names.filter((name) => name && !/^\d+$/.test(name)).at(-1) ?? '';
	const override = leaves.find(
		(leaf) =>
			/^(method|xhttpmethodoverride|httpmethod)$/.test(last(leaf)) &&
			/^(post|put|patch|delete)$/.test(leaf.value),
	);
	const isFilter = ({ names }: Leaf) => names.includes('filters');
	/** Which entry of a list of works a value is of. */
	const workOf = ({ names }: Leaf) => /(^|,)customworks(,\d+)*/.exec(names.join())?.[0];
	const about = leaves.filter((leaf) => !isFilter(leaf));
	const isId = (leaf: Leaf) => ID_NAMES.test(last(leaf)) && !leaf.names.includes('senderemail');
	const named = about.filter(isId).map(({ value }) => value);
	// A tag that is put on a site is not itself changed.
	const above = /^tags\/[^/]+\/(assign|remove)$/.test(path) ? [] : path.split('/');
	const ids = [...named, ...above].filter(isTrue);
	const selectsAll = (leaf: Leaf) =>
		/^(selection|sites?|siteids?)$/.test(last(leaf)) &&
		leaf.value === 'all' &&
		!leaf.names.some((name) => /^(plugins|themes)$/.test(name));
	const isAll = about.some(
		(leaf) => selectsAll(leaf) || (last(leaf) === 'allsitesaccess' && isTrue(leaf.value)),
	);
	return {
		method: override ? override.value.toUpperCase() : method,
		ids: new Set(ids),
		isAll,
		destinations: about.filter((leaf) => last(leaf) === 'destinationurl').map(({ value }) => value),
		path,
		works: new Set(about.flatMap((leaf) => workOf(leaf) ?? [])).size,
	};
}

const OWN = ['own1', 'own2'];

/** Why a change is about more than the own sites. */
function strayed(request: Request): string | undefined {
	const { ids, isAll, destinations, path } = seen(request);
	if (BEYOND_SITES.test(path)) return 'it is about more than sites';
	if (isAll) return 'all sites';
	const known = [...ids].filter((id) => id in SITES);
	// A record without sites may get own ones; among others it must not hide.
	const isNew = (id: string) => path.split('/').includes(id) && known.length > 1;
	const isOther = (id: string) =>
		SITES[id]!.length === 0 ? !isNew(id) : SITES[id]!.some((site) => !OWN.includes(site));
	const other = known.find(isOther);
	if (other) return `${other} is not its own`;
	if (known.length === 0 && !MAY_HAVE_NONE.test(path)) return 'no site';
	const far = destinations.find((url) => !/^https?:\/\/own[12]\.example\.com\/?$/.test(url));
	if (far) return `written to ${far}`;
	const text = JSON.stringify(request.body ?? {});
	return /"(ftp|external)"/i.test(text) && path.includes('/backups/')
		? 'written elsewhere'
		: undefined;
}

/** How many records a change is about at least. */
function countOf(request: Request): number {
	const { ids, isAll, path, works } = seen(request);
	const below = path.split('/');
	const inBody = [...ids].filter((id) => !below.includes(id)).length;
	return isAll ? Infinity : Math.max(1, inBody, works);
}

/** Whether a read of components is about the own sites alone. */
const isOfOwn = ({ url }: Request) => {
	const named = leavesOf([...url.searchParams].map(([key, value]) => ({ [key]: value })))
		.filter(({ names }) => names.some((name) => ID_NAMES.test(name)) && !names.includes('filters'))
		.map(({ value }) => value);
	return named.length > 0 && named.every((id) => OWN.includes(id));
};

type Place = [parent: Json, key: string];

function placesIn(value: unknown): Place[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.keys(value).flatMap((key) => [
		[value as Json, key] as Place,
		...placesIn((value as Json)[key]),
	]);
}

const NAMES = [
	...['site_ids', 'site_id', 'sites', 'ids', 'id', 'siteIds', 'SITE_IDS', 'Ids', 'site-ids'],
	...['site_ids[]', 'site_ids[0]', 'ids[0]', 'site.id', 'scope.sites.ids', 'client[site_ids]'],
	...['all_sites_access', 'allSitesAccess', 'selection', 'destination_url', 'destinationUrl'],
	...['client', 'tag', 'site', 'scope', 'connection', 'credentials', 'server', 'custom_works'],
	...['_method', 'X-HTTP-Method-Override', '__proto__', 'toJSON', 'a', '0', ''],
	...['report_template', 'team_member', 'auto_update_schedule', 'migration', 'restore', 'sections'],
];

const threeWorks = ['A', 'B', 'C'].map((title) => ({ title }));
const threeSites = ['own1', 'own2', 'own3'];
const { stringify } = JSON;

const OF_FAR: unknown[] = [
	...['far1', ['far1'], ['own1', 'far1'], { 0: 'far1' }, [['far1']], '["far1"]', 'own1,far1'],
	...['own1 far1', { id: 'far1' }, [{ id: 'far1' }], { ids: ['far1'], selection: 'specific' }],
	...[{ selection: 'all' }, { selection: 'ALL', ids: [] }, 'all', true, 'true', 1, '1', 'yes'],
	...[[true], 'client-far', ['client-own', 'client-far'], '["client-own","client-far"]'],
	...['client-none', 'template-far', ['template-own', 'template-far'], [], null, '', {}],
	...['DELETE', 'FAR1', ' far1 ', 'https://far1.example.com', 'https://elsewhere.example', 'ftp'],
	...['external', ['own1', 'own2'], threeSites, stringify(threeSites), threeSites.join()],
	...[['["own1","own2"]', 'own3'], { ...threeSites }, [threeSites], ['client-own', 'a', 'b', 'c']],
	...[threeWorks, [threeWorks], stringify(threeWorks), [stringify(threeWorks)]],
];

const copy = <T>(value: T): T =>
	value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);

/** Other types of a value that a lenient service takes for the same. */
const RETYPED: Array<(value: unknown) => unknown> = [
	(value) => (Array.isArray(value) ? { ...value } : [value]),
	(value) => (Array.isArray(value) ? value.join(',') : { 0: value }),
	(value) => JSON.stringify(value),
	(value) => (Array.isArray(value) ? value.map((each) => [each]) : { id: value }),
	(value) => (Array.isArray(value) ? value.map((id) => ({ id })) : String(value)),
	(value) => (typeof value === 'string' ? value.toUpperCase() : `${String(value)} `),
	(value) =>
		Array.isArray(value) ? [...value, ...value.map((each) => `${each}x`), 'own3'] : [[value]],
];

interface Step {
	kind: 'move' | 'double' | 'nest' | 'retype' | 'add' | 'set' | 'respell';
	at: number;
	to: number;
	what: number;
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

function mutate(tree: Json, { kind, at, to, what }: Step): void {
	const places = placesIn(tree);
	const objects = [tree, ...places.map(([parent, key]) => parent[key])].filter(
		(each): each is Json => typeof each === 'object' && each !== null,
	);
	const target = pick(objects, to);
	const put = (object: Json, name: string, value: unknown) =>
		Object.defineProperty(object, name, {
			value,
			enumerable: true,
			configurable: true,
			writable: true,
		});
	if (kind === 'add' || places.length === 0)
		return void put(target, pick(NAMES, what), copy(pick(OF_FAR, at)));
	const [parent, key] = pick(places, at);
	const value = parent[key];
	if (kind === 'set') parent[key] = copy(pick(OF_FAR, what));
	if (kind === 'retype') parent[key] = pick(RETYPED, what)(value);
	if (kind === 'nest') parent[key] = what % 3 === 0 ? [value] : { [pick(NAMES, what)]: value };
	if (kind === 'double') put(target, pick(NAMES, what), copy(value));
	if (kind === 'move') {
		const moved = copy(value);
		delete parent[key];
		put(target, key, moved);
	}
	if (kind === 'respell') {
		delete parent[key];
		const spelt = [key.toUpperCase(), key.replace(/_(\w)/g, (_, a: string) => a.toUpperCase())];
		put(
			parent,
			pick([...spelt, `${key}[]`, `${key}.0`, ` ${key}`, key.replace('_', '-')], what),
			value,
		);
	}
}

const PATHS: Array<(path: string) => string> = [
	(path) => path.toUpperCase(),
	(path) => path.replace(/\w/, (letter) => letter.toUpperCase()),
	(path) => `${path}.json`,
	(path) => `${path}/`,
	(path) => path.replace('/', '//'),
	(path) => path.replace(/\/(?=[^/]*$)/, '//'),
	(path) => path.replace(/s/, '%73'),
	(path) => path.replace(/(?<=.)\//, '%2F'),
	(path) => `${path} `,
	(path) => path.replace(/own(?!\d)/, 'far'),
	(path) => path.replace(/own(?!\d)/, 'none'),
	(path) => path.replace('own1', 'far1'),
	(path) => path.replace(/71/, '73'),
	(path) => path.replace('own1', 'own1/../far1'),
	(path) => path.replace('own1', 'own1;far1'),
	(path) => path.replace('own1', 'own1,far1'),
	(path) => `${path}?site_ids[]=far1&_method=DELETE`,
	(path) => `/sites/own1/..${path}`,
];

const many = fc.nat({ max: 9_999 });
const step = fc.record<Step>({
	kind: fc.constantFrom('move', 'double', 'nest', 'retype', 'add', 'set', 'respell'),
	...{ at: many, to: many, what: many },
});
const steps = (maxLength: number) => fc.array(step, { maxLength });

/** One request of a run: which one, and what is changed in it. */
const variant = fc.record({
	inBody: steps(4),
	inQuery: fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: steps(2) }),
	path: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: many }),
});
const cases = fc.record({
	which: many,
	isRead: fc.nat({ max: 5 }).map((each) => each === 0),
	limits: fc.constantFrom<IDataObject>(
		{ siteAccess: 'selected', onlySites: OWN.join(',') },
		{ siteAccess: 'selected', onlySites: OWN.join(',') },
		{ siteAccess: 'selected', onlyTags: '71', onlySites: 'own2' },
		{ maxChanges: MOST },
		{ maxHarmful: MOST },
		{ access: 'readOnly' },
	),
	variants: fc.array(variant, { minLength: 1, maxLength: 3 }),
});

let service: Wayward;
let requests: Request[];

function answer(request: IncomingMessage, response: ServerResponse): void {
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.on('end', () => {
		const text = Buffer.concat(chunks).toString();
		const url = new URL(request.url!, 'http://127.0.0.1');
		requests.push({ method: request.method!, url, body: text ? JSON.parse(text) : undefined });
		const [collection = '', id] = lower(decodeURIComponent(url.pathname))
			.replace('/api/v6/', '')
			.split('/');
		const send = (body: unknown) => response.end(JSON.stringify(body));
		response.setHeader('Content-Type', 'application/json');
		for (const [name, value] of Object.entries(OF_SERVICE)) response.setHeader(name, value);
		const one = ONE[collection];
		if (!one || request.method !== 'GET') return void send({ done: { id: '9' } });
		if (id && id in SITES) return void send({ [one]: recordOf(id) });
		const sites = id ? [] : Object.keys(SITES).slice(0, 4).map(recordOf);
		const pagination = { page: 1, perPage: 100, totalPages: 1, totalItems: sites.length };
		send({ [collection]: sites, meta: { pagination } });
	});
}

beforeAll(async () => {
	withoutWaiting();
	let asked: IncomingMessage;
	service = await startWayward(() => (response) => answer(asked, response));
	service.onRequest = (request) => void (asked = request);
});

const hasEntries = (value: object) => Object.keys(value).length > 0;

it(`of ${RUNS} bodies none touches another site, and none counts fewer than it changes`, async () => {
	const tally = { sent: 0, mutated: 0, refused: 0 };
	await fc.assert(
		fc.asyncProperty(cases, async ({ which, isRead, limits, variants }) => {
			const [route, given] = isRead ? pick(READS, which) : pick(CHANGES, which);
			const [method, path] = route.split(' ') as [string, string];
			const items = variants.map((each) => {
				const [body, query] = isRead ? [{}, copy(given!)] : [copy(given ?? {}), {}];
				if (!isRead) for (const one of each.inBody) mutate(body, one);
				for (const one of isRead ? each.inBody : each.inQuery) mutate(query, one);
				return {
					path: each.path === undefined ? path : pick(PATHS, each.path)(path),
					...{ body: JSON.stringify(body), query: JSON.stringify(query) },
				};
			});
			const has = (name: 'body' | 'query') => items.every(({ [name]: text }) => text !== '{}');
			requests = [];
			const { json, error } = await runNode(
				{ ...service, limits },
				on(
					{
						...{ method, path: '={{ $json.path }}' },
						...(has('body') && { body: '={{ $json.body }}' }),
						...(has('query') && { query: '={{ $json.query }}' }),
					},
					{ items, settings: { onError: 'continueRegularOutput' } },
				),
			);
			expect(error).toBeUndefined();
			const changes = requests.filter((each) => seen(each).method !== 'GET');
			tally.sent += changes.length;
			tally.refused += json.filter((each) => 'error' in each).length;
			if (variants.some(({ inBody }) => hasEntries(inBody))) tally.mutated += changes.length;
			const told = JSON.stringify(requests.map(({ url, body }) => [url.href, body]));
			if (limits.access === 'readOnly') expect([told, changes.length]).toEqual([told, 0]);
			if (limits.siteAccess) {
				const components = requests.filter(({ url }) => url.pathname.includes('/sites/wp/'));
				expect([told, changes.map(strayed).filter(Boolean)]).toEqual([told, []]);
				expect([told, components.every(isOfOwn)]).toEqual([told, true]);
			}
			if (limits.maxChanges) {
				const sum = changes.reduce((total, each) => total + countOf(each), 0);
				expect([told, sum <= MOST ? 'as allowed' : sum]).toEqual([told, 'as allowed']);
			}
		}),
		{ numRuns: RUNS },
	);
	// It says something only where enough is sent, also of what was changed.
	expect(tally.sent).toBeGreaterThan(RUNS / 20);
	expect(tally.mutated).toBeGreaterThan(RUNS / 50);
	expect(tally.refused).toBeGreaterThan(RUNS / 4);
});
