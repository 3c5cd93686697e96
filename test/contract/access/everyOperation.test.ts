import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EFFECTS } from '../../../nodes/shared/access/effects';
import { valueAt } from '../../../nodes/shared/lib';
import { mustSucceed, type NodeRun, runNode } from '../../support/engine';
import { type Fleet, inStep, type Sent, startFleet } from '../../support/fleet';
import { allFamilies, caseOf, FAMILIES } from '../../support/operationCases';
import { reach, sitesIn, sitesOf } from '../../support/reach';
import {
	allOperations,
	anyId,
	asksSomething,
	effectsOf,
	isComposed,
	rowOf,
} from '../../support/reference';
import { addedBy } from '../../support/safetyCases';
import type { Names } from '../../support/savedNodes';

/** Each operation with each limit of a credential: what is sent is what the reference makes of the limits. */

const families = allFamilies();

/** What empties a list, and what names all sites or a record without any. */
const further: Record<string, Record<string, object | ((ids: Names) => object)>> = {
	account: {
		'client/client/update clears-sites': { updateFields: { clear: ['site_ids'] } },
		'teamMember/teamMember/update clears-sites': { updateFields: { clear: ['site_ids'] } },
		'teamMember/teamMember/update ends-access-to-all-sites': {
			updateFields: { allSitesAccess: false },
		},
		'teamMember/teamMember/update gives-access-to-all-sites': {
			updateFields: { allSitesAccess: true },
		},
	},
	reports: {
		'reportTemplate/reportTemplate/delete of-a-site': ({ template }) => ({
			reportTemplateIds: template,
		}),
		'autoUpdate/schedule/create for-all': {
			name: 'All',
			recurrence: 'daily',
			startedAt: '2026-03-05T02:00:00',
			sites: { scope: { selection: 'all' } },
			updates: { categories: { cmsCore: true, plugins: 'all', themes: 'all' } },
		},
	},
};

const isChange = ({ route }: Sent) => !route.startsWith('GET ');

const collectionOf = (route: string) => route.split('/')[1]!;

const idOf = (route: string) => route.split('/')[2]!;

/** What a request is about, as the reference says; `/files/versions` is no file of that id. */
function formOf({ route }: Sent): string {
	const [form] = Object.keys(reach)
		.filter((each) => new RegExp(`^${each.replaceAll('{}', '[^/]+')}$`).test(route))
		.sort((a, b) => a.split('{}').length - b.split('{}').length);
	return form!;
}

const about = (sent: Sent) => reach[formOf(sent)]!.split(' ');

const at = (words: string[], word: string) =>
	words.filter((each) => each.startsWith(`${word}:`)).map((each) => each.split(':')[1]!);

async function recordsAt({ api }: Fleet, path: string): Promise<any[]> {
	const records: any[] = [];
	for (let page = 1; ; page++) {
		const { data } = await api.get(path, { params: { page, perPage: 100 } });
		const [[, found]] = Object.entries<any>(data).filter(([name]) => name !== 'meta') as any;
		records.push(...[found].flat());
		if (page >= (data.meta?.pagination?.totalPages ?? 1)) return records;
	}
}

/** The sites that a request is about, before and after it. */
async function touchedBy(fleet: Fleet, sent: Sent) {
	const words = about(sent);
	const body = (sent.body ?? {}) as IDataObject;
	const collection = collectionOf(sent.route);
	const inRecords = ['record', 'shown'].some((word) => words.includes(word))
		? [idOf(sent.route)]
		: words.includes('records')
			? (body.ids as string[])
			: [];
	const before = await Promise.all(
		inRecords.map(async (id) =>
			sitesOf[collection]!((await recordsAt(fleet, `/${collection}/${id}`))[0]),
		),
	);
	const after = at(words, 'body').map((place) => sitesIn(valueAt(body, place)));
	const written = at(words, 'to').flatMap((place) => {
		const { destination_url: url, type, connection } = body[place] as any;
		if (type === 'external' || connection?.method === 'ftp') return ['elsewhere'];
		const sites = fleet.world.store.sites.all().filter((site) => site.url === url);
		return sites.map(({ id }) => id);
	});
	const ofPath = words.includes('path') ? [idOf(sent.route)] : [];
	const all = [...before, ...after];
	const sites = [
		...new Set([...ofPath, ...written, ...all.filter((each) => each !== 'all').flat()]),
	];
	// In a bulk, one without a site would hide behind those that have one.
	const isWithout = words.includes('records') && before.some((each) => each.length === 0);
	/** Refused whatever sites are allowed. */
	const isBeyond =
		words.includes('account') ||
		all.includes('all') ||
		written.includes('elsewhere') ||
		isWithout ||
		(sites.length === 0 && !words.includes('new'));
	return { sites, isBeyond: isBeyond && isChange(sent) };
}

/** How many records a request changes. */
function countOf(sent: Sent): number {
	const words = about(sent);
	const body = (sent.body ?? {}) as IDataObject;
	const places = [
		...at(words, 'body'),
		...at(words, 'many'),
		...(words.includes('records') ? ['ids'] : []),
	];
	const lengths = places.map((place) => {
		const named = sitesIn(valueAt(body, place));
		return named === 'all' ? Infinity : named.length;
	});
	return Math.max(1, ...lengths);
}

/** The same of an update of a record: sites that it adds to its list, and those that it drops. */
async function movedBy(fleet: Fleet, sent: Sent): Promise<number> {
	const [, collection = '', id] = sent.route.split('/');
	const [wrapped] = Object.values(sent.body ?? {}) as IDataObject[];
	const after = wrapped?.site_ids;
	// All sites of a schedule are updated, also those that stay.
	if (!/\/update$/.test(sent.route) || !Array.isArray(after)) return countOf(sent);
	const { data } = await fleet.api.get(`/${collection}/${id}`);
	const [record] = Object.values(data) as IDataObject[];
	const before = record!.site_ids as unknown[];
	const moved = [...before, ...after].filter(
		(site) => !(before.includes(site) && after.includes(site)),
	);
	return Math.max(1, new Set(moved).size);
}

/** Gives a record these sites besides those that it has, or none at all; whether that can be done. */
const setSites: Record<string, (fleet: Fleet, id: string, sites: string[]) => Promise<unknown>> = {
	clients: async ({ api }, id, sites) =>
		await api.post(`/clients/${id}/update`, { client: { site_ids: sites } }),
	tags: async ({ api }, id, sites) => {
		const { data } = await api.get(`/tags/${id}`);
		await api.post(`/tags/${id}/remove`, { site_ids: data.tag.site_ids });
		await api.post(`/tags/${id}/assign`, { site_ids: sites });
	},
	'auto-update-schedules': async ({ api }, id, ids) =>
		await api.post(`/auto-update-schedules/${id}/update`, {
			auto_update_schedule: { scope: { sites: { selection: 'specific', ids } } },
		}),
	'report-templates': async ({ world }, id, sites) => {
		for (const scheduled of world.store.scheduledReports.all()) {
			if (sites.includes(scheduled.site_id)) scheduled.template_id = id;
			else if (scheduled.template_id === id) scheduled.template_id = '';
		}
	},
	tasks: async ({ world }, id, sites) => {
		const task = world.store.tasks.get(id)!;
		task.input = { sites: sites.map((site) => ({ id: site })) };
		if (sites.length === 0) task.details.sites = [];
	},
};

const cases = families.flatMap(({ prepare, cases: own }, index) => {
	const more = Object.entries(further[FAMILIES[index]!] ?? {}).map(
		([name, set]) => [name, caseOf(name, { set }, { teamMember: 'member' })] as const,
	);
	return Object.entries({ ...own, ...Object.fromEntries(more) }).map(([name, each]) => ({
		name,
		prepare,
		...each,
	}));
});

const tried = new Set<string>();
const shortened = new Set<string>();

const only = (sites: string[], more: IDataObject = {}) => ({
	siteAccess: 'selected',
	onlySites: sites.join(),
	...more,
});

/** Whether a record exists is no matter of limits. */
const GONE = /(, |\\n)?f0f0f0f0f0f0f0f0f0f0f0f0/;

describe.each(cases)('$name', ({ name, prepare, parameters, binary, items }) => {
	const [operation] = name.split(' ') as [string];
	const [node, resource, what] = operation.split('/') as [string, string, string];
	const row = rowOf(operation);
	const [, collection] = row.route.split('/') as [string, string];
	const isList = reach[anyId(row.route)] === 'listed' && asksSomething(operation);
	const isPlainList = isList && what === 'getAll' && !isComposed(operation);
	let fleet: Fleet;
	let ids: Names;
	/** The requests of the operation itself, without what is read for it. */
	let asked: Sent[];

	const begin = async () => {
		await fleet?.close();
		fleet = await startFleet({ sites: 20 });
		ids = await prepare(fleet);
		inStep(fleet);
		fleet.forget();
	};
	beforeAll(async () => {
		await begin();
		mustSucceed(await runNode(fleet, run()));
		const own = new RegExp(`^${row.route.replace(/\{\w+\}/g, '[^/]+')}$`);
		const all = fleet.sent();
		// What follows the change itself takes back a part of it.
		const changes = all.filter(isChange).slice(0, isComposed(operation) ? 1 : undefined);
		asked = changes.length > 0 ? changes : all.filter(({ route }) => own.test(route));
	});
	beforeEach(begin);
	afterEach(async () => await fleet.close());

	const run = (more: IDataObject = {}): NodeRun => {
		const given = JSON.stringify(parameters(ids));
		return {
			node,
			parameters: {
				...{ resource, operation: what, output: 'raw' },
				...(JSON.parse(
					row.route.endsWith('/delete') ? given.replace(GONE, '') : given,
				) as INodeParameters),
				...(isPlainList && { returnAll: true, filters: {} }),
				...(more as INodeParameters),
			},
			binary,
			items,
		};
	};

	const outcome = async (limits: IDataObject, more?: IDataObject): Promise<string> => {
		fleet.forget();
		const { error, items } = await runNode({ ...fleet, limits }, run(more));
		const all = fleet.sent();
		const isSent = asked.every(({ route }) => all.some((each) => each.route === route));
		if (!error && !isSent) return 'nothing to do';
		if (!error) return items.length > 0 || isList ? 'sent' : 'nothing came out';
		if (!error.message.includes('the credential "Sandbox"')) return error.message;
		const isOut = isSent && !asked.some((each) => about(each).includes('shown'));
		return all.some(isChange) || isOut || items.length > 0
			? `sent, and then: ${error.message}`
			: 'refused';
	};

	const touched = async () => {
		const each = await Promise.all(asked.map(async (one) => await touchedBy(fleet, one)));
		return {
			sites: [...new Set(each.flatMap(({ sites }) => sites))],
			isBeyond: each.some(({ isBeyond }) => isBeyond),
		};
	};

	it('does what Access allows, and nothing more', async () => {
		const needed = [...effectsOf(operation), ...addedBy(asked)].filter((each) => each !== 'reads');
		const expected: Record<string, string> = {};
		const found: Record<string, string> = {};
		const expecting = async (level: string, allowed: string[], limits: IDataObject) => {
			const isEnough = needed.every((each) => allowed.includes(each));
			expected[level] = isEnough ? 'sent' : 'refused';
			found[level] = await outcome(limits);
			// Access is checked before anything is looked up.
			if (!isEnough) expect([level, fleet.sent()]).toEqual([level, []]);
			else if (asked.some(isChange)) await begin();
		};
		const effects = EFFECTS.filter((each) => each !== 'reads');
		await expecting('Read Only', [], { access: 'readOnly' });
		for (const effect of effects) {
			await expecting(effect, [effect], { access: 'selected', allowed: [effect] });
			if (!needed.includes(effect)) continue;
			const others = effects.filter((each) => each !== effect);
			await expecting(`all but ${effect}`, others, { access: 'selected', allowed: others });
		}
		await expecting('all that it needs', needed, { access: 'selected', allowed: needed });
		expect(found).toEqual(expected);
	});

	it('touches its own sites, and no others', async () => {
		for (const each of asked) tried.add(formOf(each));
		const words = asked.flatMap(about);
		const { sites, isBeyond } = await touched();
		const free = fleet.world.store.sites
			.all()
			.filter(({ id, internal }) => !sites.includes(id) && internal.client_id === null);
		const other = free[0]!.id;
		const isChanging = asked.some(isChange);
		const expected: Record<string, string> = {};
		const found: Record<string, string> = {};
		const expecting = async (which: string, isAllowed: boolean, limits: IDataObject) => {
			expected[which] = isAllowed ? 'sent' : 'refused';
			found[which] = await outcome(limits);
			if (!isChanging) return;
			if (isAllowed) return await begin();
			expected[`${which}, shown only`] = 'refused';
			found[`${which}, shown only`] = await outcome(limits, { preview: true });
		};
		await expecting('foreign', sites.length === 0 && !isBeyond, only([other]));
		// Of a record with several sites one is enough to read it, but not for what is got by its means.
		const isAnyEnough = words.includes('shown') && what !== 'wait';
		for (const site of sites.length > 1 ? sites : []) {
			const rest = sites.filter((each) => each !== site);
			await expecting(`without ${site}`, isAnyEnough, only(rest));
		}
		await expecting('own', !isBeyond, only([...sites, other]));
		if (words.includes('account')) {
			const isForAll = JSON.stringify(asked).includes('"all_sites_access":true');
			await expecting(
				'also allowed',
				!isForAll,
				only([...sites, other], { alsoAllowed: row.route }),
			);
		}
		const change = setSites[collection];
		if (change && ['record', 'records', 'shown'].some((word) => words.includes(word))) {
			const [{ route, body }] = asked as [Sent];
			const id = words.includes('records') ? (body as { ids: string[] }).ids[0]! : idOf(route);
			const [record] = await recordsAt(fleet, `/${collection}/${id}`);
			const before = sitesOf[collection]!(record) as string[];
			const reported = fleet.world.store.scheduledReports.all().map(({ site_id: site }) => site);
			const more =
				collection === 'report-templates'
					? reported.find((site) => !before.includes(site))!
					: other;
			await change(fleet, id, [...before, more]);
			await expecting(
				'mixed',
				isAnyEnough && before.length > 0,
				only(sites.filter((each) => each !== more)),
			);
			await change(fleet, id, []);
			const now = await touched();
			await expecting('emptied', !now.isBeyond, only([...sites, other]));
		}
		expect(found).toEqual(expected);
	});

	it('changes as many records as allowed', async () => {
		if (!asked.some(isChange)) return;
		const counts = await Promise.all(asked.map(async (each) => await movedBy(fleet, each)));
		const isOne = counts.every((each) => each === 1);
		expect(await outcome({ maxChanges: 1 })).toBe(isOne ? 'sent' : 'refused');
		if (!isOne) return;
		await begin();
		const twice = { ...run(), items: [{}, {}] };
		const { error } = await runNode({ ...fleet, limits: { maxChanges: 1 } }, twice);
		const count = 'Changes per Execution is 1. This execution has already made 1';
		// What takes a look first may have nothing to do for the second time.
		// An invitation has another ID after the first one.
		const isOther = name.endsWith('an-invitation') && what === 'update';
		if (!isComposed(operation)) expect(error?.message).toContain(isOther ? 'not found' : count);
		const made = fleet.sent().filter(({ route }) => asked.some((each) => each.route === route));
		expect(made).toHaveLength(1);
	});

	if (!isList) return;

	it('leaves out records that belong to other sites only', async () => {
		const all = await recordsAt(fleet, `/${collection}`);
		const shownTo = (site: string) =>
			all.filter((record) => {
				const sites = sitesOf[collection]!(record);
				return sites === 'all' || sites.length === 0 || sites.includes(site);
			});
		const [site, shown] = fleet.world.store.sites
			.all()
			.map(({ id }) => [id, shownTo(id)] as const)
			.filter(([, records]) => records.length > 0)
			.sort(([, a], [, b]) => a.length - b.length)[0]!;
		if (shown.length < all.length) shortened.add(collection);
		const { json } = mustSucceed(await runNode({ ...fleet, limits: only([site]) }, run()));
		const keys = (records: any[]) =>
			records.map((each) => each.id ?? each.site_id ?? each.performed_on).sort();
		if (what === 'count') expect(json).toMatchObject([{ count: shown.length }]);
		else if (isPlainList) expect(keys(json)).toEqual(keys(shown));
		else expect(keys(json).filter((each) => each !== site)).toEqual([]);
	});
});

it('every operation of the reference was tried, and every list was shortened', () => {
	const routes = [...new Set(allOperations.map(({ route }) => anyId(route)))].sort();
	expect(Object.keys(reach).sort()).toEqual(routes);
	expect(routes.filter((route) => !tried.has(route))).toEqual([]);
	const lists = routes.filter((route) => reach[route] === 'listed');
	expect(lists.map((route) => route.split('/')[1]).filter((each) => !shortened.has(each!))).toEqual(
		[],
	);
});
