import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { deleteSite } from '../../../sandbox/service/domain/sites/rules';
import { takeViolations } from '../../support/checkAnswers';
import { activate, loadOptions, searchList, everyEventHasExample } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { startWayward } from '../../support/wayward';
import { isFlat } from '../../support/operationCases';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

const HOUR_MS = 3_600_000;

let fleet: Fleet;
let rows: SiteRow[];

/** A fleet in which nothing is wrong yet. */
beforeEach(async () => {
	fleet = await startFleet({ sites: 6 });
	inStep(fleet);
	useClock({ now: () => fleet.clock.now(), sleep: () => {} });
	const { sites } = fleet.world.store;
	rows = sites.all().map(({ id }) => sites.get(id)!);
	for (const site of rows) {
		site.connection.status = 'connected';
		site.uptime = { enabled: true, status: 'up' };
		site.security.enabled = true;
		site.security.scanner.status = 'clean';
	}
	fleet.clock.advance(HOUR_MS);
});
afterEach(async () => await fleet.close());

const trigger = async (events: string[], parameters: INodeParameters = {}) =>
	await activate(fleet, {
		node: 'siteTrigger',
		parameters: { events, output: 'raw', ...parameters },
	});

/** What came out, as `down s1`. */
const told = (items: IDataObject[] | null) =>
	(items ?? []).map(({ event, id }) => `${String(event)} ${String(id)}`).sort();

const setBad: Record<string, (site: SiteRow) => void> = {
	disconnected: (site) => (site.connection.status = 'disconnected'),
	malwareFound: (site) => (site.security.scanner.status = 'hacked'),
	down: (site) => (site.uptime.status = 'down'),
};

const setGood: Record<string, (site: SiteRow) => void> = {
	disconnected: (site) => (site.connection.status = 'connected'),
	malwareFound: (site) => (site.security.scanner.status = 'clean'),
	down: (site) => (site.uptime.status = 'up'),
};

describe.each([
	['disconnected', 'reconnected', 'filters[connection_status:eq]', 'disconnected'],
	['malwareFound', 'malwareCleared', 'filters[scanner_status:eq]', 'hacked'],
	['down', 'up', 'filters[uptime:eq]', 'down'],
])('%s and %s', (entered, left, filter, value) => {
	const makeBad = setBad[entered]!;
	const makeGood = setGood[entered]!;

	it('are emitted once each, with the site', async () => {
		const [old, site] = rows as [SiteRow, SiteRow];
		makeBad(old);
		const { poll } = await trigger([entered, left]);
		expect(await poll()).toBeNull();
		expect(await poll()).toBeNull();

		makeBad(site);
		const [item, ...others] = (await poll())!;
		expect(item).toMatchObject({ event: entered, id: site.id, url: site.url, sync: site.sync });
		expect(others).toEqual([]);
		expect(await poll()).toBeNull();

		makeGood(site);
		makeGood(old);
		expect(told(await poll())).toEqual([`${left} ${old.id}`, `${left} ${site.id}`].sort());
		expect(await poll()).toBeNull();

		makeBad(site);
		expect(told(await poll())).toEqual([`${entered} ${site.id}`]);
	});

	it('share one request a poll', async () => {
		const { poll } = await trigger([entered, left]);
		await poll();
		fleet.forget();
		await poll();
		expect(fleet.sent()).toEqual([
			{
				route: 'GET /sites',
				query: { [filter]: value, sort: 'updated_at,desc', page: '1', perPage: '100' },
				body: undefined,
			},
		]);
	});

	it('a deleted site has not left the state', async () => {
		const [site] = rows as [SiteRow];
		const { poll } = await trigger([entered, left]);
		await poll();
		makeBad(site);
		await poll();
		deleteSite(fleet.world, site);
		expect(await poll()).toBeNull();
		expect(await poll()).toBeNull();
	});
});

describe.each([
	[
		'disconnected',
		'reconnected',
		(site: SiteRow) => Object.assign(site.connection, { status: 'connecting' }),
	],
	[
		'malwareFound',
		'malwareCleared',
		(site: SiteRow) => Object.assign(site.security.scanner, { status: 'scanning' }),
	],
	['down', 'up', (site: SiteRow) => Object.assign(site.uptime, { status: 'paused' })],
	['down', 'up', (site: SiteRow) => Object.assign(site.uptime, { enabled: false, status: null })],
])('a third state between %s and %s', (entered, left, makeThird) => {
	// Words that the service of the sandbox never says.
	afterEach(() => void takeViolations());

	const touched = (site: SiteRow, change: (site: SiteRow) => void) => {
		change(site);
		site.updated_at = fleet.world.timestamp();
	};
	const makeGood = (site: SiteRow) => {
		setGood[entered]!(site);
		site.uptime.enabled = true;
		site.security.enabled = true;
	};

	it.each([1, 40])(
		'of %i sites: they count as gone, and as new when they are back',
		async (count) => {
			fleet = await startFleet({ sites: count + 5 });
			inStep(fleet);
			const { sites } = fleet.world.store;
			const some = sites
				.all()
				.slice(0, count)
				.map(({ id }) => sites.get(id)!);
			for (const { id } of sites.all()) makeGood(sites.get(id)!);
			const { poll, restart } = await trigger([entered, left]);
			await poll();
			fleet.clock.advance(HOUR_MS);
			const ids = (event: string) => some.map(({ id }) => `${event} ${id}`).sort();
			for (const site of some) touched(site, setBad[entered]!);
			expect(told(await poll())).toEqual(ids(entered));
			for (const site of some) touched(site, makeThird);
			for (let times = 0; times < 6; times++) {
				fleet.clock.advance(60_000);
				if (times === 4) await restart();
				expect(await poll()).toBeNull();
			}
			for (const site of some) {
				makeGood(site);
				touched(site, setBad[entered]!);
			}
			fleet.clock.advance(60_000);
			expect(told(await poll())).toEqual(ids(entered));
			for (const site of some) touched(site, makeGood);
			expect(told(await poll())).toEqual(ids(left));
			expect(await poll()).toBeNull();
		},
	);

	it('of a deleted site is not reported', async () => {
		const [gone] = rows as [SiteRow];
		touched(gone, setBad[entered]!);
		const { poll } = await trigger([entered, left]);
		await poll();
		touched(gone, makeThird);
		for (let times = 0; times < 3; times++) expect(await poll()).toBeNull();
		deleteSite(fleet.world, gone);
		for (let times = 0; times < 3; times++) expect(await poll()).toBeNull();
	});
});

it('a check that is switched off does not report a site as recovered', async () => {
	const [site] = rows as [SiteRow];
	const { poll } = await trigger(['malwareCleared', 'up']);
	setBad.malwareFound!(site);
	setBad.down!(site);
	await poll();
	site.security.enabled = false;
	site.uptime.enabled = false;
	setGood.malwareFound!(site);
	setGood.down!(site);
	expect(await poll()).toBeNull();
	expect(await poll()).toBeNull();
});

describe('added sites', () => {
	const add = async () => {
		const count = fleet.world.store.sites.all().length;
		const site = { url: `https://added-${count}.example.com` };
		const { data } = await fleet.api.post('/sites', { site });
		return data.site.id as string;
	};
	const tagged = (site: string, tagId: string) =>
		fleet.world.store.sites.get(site)!.internal.tag_ids.push(tagId);

	it('with a tag, they are reported when they get it, except those from before the activation', async () => {
		const before = await add();
		fleet.clock.advance(60_000);
		const { data } = await fleet.api.post('/tags', { tag: { name: 'New' } });
		const tagId = data.tag.id as string;
		const { poll } = await trigger(['siteAdded'], { scope: 'tag', tagId: locator(tagId) });
		await poll();
		fleet.clock.advance(60_000);
		const [early, late, never] = [await add(), await add(), await add()] as const;
		tagged(early, tagId);
		expect(told(await poll())).toEqual([`siteAdded ${early}`]);
		fleet.clock.advance(5 * HOUR_MS);
		expect(await poll()).toBeNull();
		tagged(late, tagId);
		tagged(before, tagId);
		tagged(rows[0]!.id, tagId);
		expect(told(await poll())).toEqual([`siteAdded ${late}`]);
		fleet.clock.advance(30 * HOUR_MS);
		await poll();
		tagged(never, tagId);
		expect(await poll()).toBeNull();
	});
});

describe('the sites', () => {
	const STATES = ['disconnected', 'reconnected'];
	const disconnect = setBad.disconnected!;
	const reconnect = setGood.disconnected!;

	it('by tag: one that gets the tag while it is disconnected does not start the workflow until it is reconnected', async () => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Care plan' } });
		const tagId = data.tag.id as string;
		const [site] = rows as [SiteRow];
		disconnect(site);
		const { poll } = await trigger(STATES, { scope: 'tag', tagId: locator(tagId, 'list') });
		await poll();
		for (const tags of [[tagId], [], [tagId]]) {
			site.internal.tag_ids = tags;
			fleet.clock.advance(60_000);
			expect(await poll()).toBeNull();
		}
		reconnect(site);
		expect(told(await poll())).toEqual([`reconnected ${site.id}`]);
	});

	it.each(['tag', 'client'])('by %s: one that loses it has not left the state', async (scope) => {
		const { data } = await fleet.api.post('/tags', { tag: { name: 'Care plan' } });
		const [client, other] = fleet.world.store.clients.all().map(({ id }) => id);
		const wanted = scope === 'tag' ? (data.tag.id as string) : client!;
		const put = ({ internal }: SiteRow, isIn: boolean) => {
			internal.tag_ids = isIn ? [data.tag.id] : [];
			internal.client_id = isIn ? client! : other!;
		};
		const [inside, leaver, outside] = rows as [SiteRow, SiteRow, SiteRow];
		for (const site of rows) put(site, site === inside || site === leaver);
		const { poll } = await trigger(STATES, { scope, [`${scope}Id`]: locator(wanted, 'list') });
		await poll();
		[inside, leaver, outside].forEach(disconnect);
		expect(told(await poll())).toEqual(
			[`disconnected ${inside.id}`, `disconnected ${leaver.id}`].sort(),
		);
		put(leaver, false);
		expect(await poll()).toBeNull();
		reconnect(leaver);
		reconnect(inside);
		expect(told(await poll())).toEqual([`reconnected ${inside.id}`]);
	});

	/** What a poll tells and which IDs it asks for once all sites are disconnected and down. */
	async function pollOf(siteIds: string | string[]) {
		const { poll } = await trigger([...STATES, 'down'], { scope: 'sites', siteIds });
		await poll();
		rows.forEach(disconnect);
		rows.forEach(setBad.down!);
		fleet.forget();
		const items = await poll();
		return { told: told(items), asked: fleet.sent().map(({ query }) => query['filters[id:eq]']) };
	}

	const bothOf = (...sites: SiteRow[]) =>
		sites.flatMap(({ id }) => [`disconnected ${id}`, `down ${id}`]).sort();

	it('chosen: a single one is asked for by its ID', async () => {
		const [one] = rows as [SiteRow];
		expect(await pollOf([one.id])).toEqual({ told: bothOf(one), asked: [one.id, one.id] });
	});

	it('chosen: the trigger filters by several', async () => {
		const [one, other] = rows as [SiteRow, SiteRow];
		expect(await pollOf(`${one.id}, ${other.id}`)).toEqual({
			told: bothOf(one, other),
			asked: [undefined, undefined],
		});
	});

	it('chosen: a change of them is a new start', async () => {
		const [one, other, third] = rows as [SiteRow, SiteRow, SiteRow];
		disconnect(third);
		const parameters = { scope: 'sites', siteIds: [one.id, other.id] };
		const { poll, change } = await trigger(STATES, parameters);
		await poll();
		await poll();
		await change({ events: STATES, ...parameters, siteIds: [one.id, third.id] });
		expect(await poll()).toBeNull();
		reconnect(third);
		expect(told(await poll())).toEqual([`reconnected ${third.id}`]);
	});
});

describe('sites with an excepted tag', () => {
	const MUTED = { options: { exceptTagIds: ['muted'] } };
	const mute = (site: SiteRow, isMuted: boolean) =>
		(site.internal.tag_ids = isMuted ? ['muted'] : []);

	beforeEach(() => {
		const at = fleet.world.timestamp();
		const tag = { id: 'muted', name: 'Muted', color: null, created_at: at, updated_at: at };
		fleet.world.store.tags.insert(tag);
	});

	it.each(Object.entries(setBad))(
		'do not start the workflow with %s, nor later without the tag',
		async (event, happen) => {
			const [muted, other] = rows as [SiteRow, SiteRow];
			mute(muted, true);
			const { poll } = await trigger([event], MUTED);
			await poll();
			fleet.clock.advance(60_000);
			happen(muted);
			happen(other);
			fleet.clock.advance(60_000);
			expect(told(await poll())).toEqual([`${event} ${other.id}`]);
			mute(muted, false);
			for (let round = 0; round < 3; round++) {
				fleet.clock.advance(HOUR_MS);
				expect(await poll()).toBeNull();
			}
		},
	);

	it('do not start the workflow when they are added, nor later without the tag', async () => {
		const { poll } = await trigger(['siteAdded'], {
			...MUTED,
			scope: 'tag',
			tagId: locator('41'),
		});
		await poll();
		fleet.clock.advance(60_000);
		const { data } = await fleet.api.post('/sites', { site: { url: 'https://new.example.com' } });
		const site = fleet.world.store.sites.get(data.site.id)!;
		site.internal.tag_ids = ['41', 'muted'];
		const tag = fleet.world.store.tags.get('muted')!;
		fleet.world.store.tags.insert({ ...tag, id: '41', name: 'Care' });
		expect(await poll()).toBeNull();
		site.internal.tag_ids = ['41'];
		fleet.clock.advance(60_000);
		expect(await poll()).toBeNull();
	});

	it('a change of them is not a new start', async () => {
		const [site, other] = rows as [SiteRow, SiteRow];
		const { poll, change } = await trigger(['disconnected', 'reconnected'], MUTED);
		await poll();
		setBad.disconnected!(site);
		expect(told(await poll())).toEqual([`disconnected ${site.id}`]);
		setBad.disconnected!(other);
		setGood.disconnected!(site);
		await change({ events: ['disconnected', 'reconnected'], output: 'raw' });
		expect(told(await poll())).toEqual([`disconnected ${other.id}`, `reconnected ${site.id}`]);
	});
});

describe('the output', () => {
	it('says since when a site is hacked', async () => {
		const [site] = rows as [SiteRow];
		const { poll } = await trigger(['malwareFound'], { output: 'simplified' });
		await poll();
		setBad.malwareFound!(site);
		site.security.scanner.malware_detected_at = fleet.world.timestamp();
		expect(await poll()).toEqual([
			expect.objectContaining({
				event: 'malwareFound',
				title: site.title,
				url: site.url,
				hacked_since: site.security.scanner.malware_detected_at,
			}),
		]);
	});

	const outOf = async (parameters: INodeParameters) => {
		const [site] = rows as [SiteRow];
		site.connection.http_auth = { username: 'deploy', password: 'not-for-chats' };
		setBad.disconnected!(site);
		const { poll } = await activate(fleet, {
			node: 'siteTrigger',
			parameters: { events: ['reconnected'], ...parameters },
		});
		await poll();
		setGood.disconnected!(site);
		const [item] = (await poll())!;
		return { item: item!, site };
	};

	it('is the whole record as Raw, without the password of the site', async () => {
		const { item, site } = await outOf({ output: 'raw' });
		expect(item).toMatchObject({ event: 'reconnected', id: site.id, sync: site.sync });
		expect(item.connection).toEqual({ status: 'connected' });
		expect(JSON.stringify(item)).not.toContain('not-for-chats');
	});

	it('is simplified by default', async () => {
		const { item, site } = await outOf({});
		expect(Object.values(item!).filter((value) => !isFlat(value))).toEqual([]);
		expect(item).toMatchObject({
			event: 'reconnected',
			id: site.id,
			title: site.title,
			url: site.url,
			connection_status: 'connected',
			last_sync_at: site.sync.last_sync_at,
			last_sync_status: site.sync.last_sync_status,
			core_version: site.wp.core.current_version,
			backups_enabled: site.backups.enabled,
			client_id: expect.any(String),
			client_name: expect.any(String),
			tag_names: expect.any(Array),
			hacked_since: null,
			scanner_status: 'clean',
			uptime_status: 'up',
		});
	});

	it('has the selected fields', async () => {
		const { item, site } = await outOf({ output: 'selected', outputFields: ['id', 'url'] });
		expect(item).toEqual({ event: 'reconnected', id: site.id, url: site.url });
	});
});

describe('a test run in the editor', () => {
	it('of Reconnected alone it shows a site that is connected', async () => {
		const [gone] = rows as [SiteRow];
		setBad.disconnected!(gone);
		const { test } = await trigger(['reconnected']);
		const shown = await test();
		expect(shown!.length).toBeGreaterThan(0);
		for (const { event, id, connection } of shown!) {
			expect({ event, connection }).toMatchObject({
				event: 'reconnected',
				connection: { status: 'connected' },
			});
			expect(id).not.toBe(gone.id);
		}
	});
});

it('offers tags, clients and sites to choose from', async () => {
	const run = { node: 'siteTrigger', parameters: {} };
	await fleet.api.post('/tags', { tag: { name: 'Watched' } });
	const tags = await searchList(fleet, { ...run, method: 'searchTags', filter: 'watch' });
	expect(tags.results.map(({ name }) => name)).toEqual(['Watched']);
	const clients = await searchList(fleet, { ...run, method: 'searchClients' });
	expect(clients.results.length).toBeGreaterThan(0);
	const sites = await loadOptions(fleet, { ...run, method: 'getSites' });
	expect(sites.map(({ value }) => value).sort()).toEqual(rows.map(({ id }) => id).sort());
});

it('a service that ignores the filters makes no site down', async () => {
	const site = (id: string, status: string) => ({ id, uptime: { enabled: true, status } });
	let sites = [site('a', 'up')];
	const service = await startWayward(() => ({
		body: { sites, meta: { pagination: { totalPages: 1 } } },
	}));
	const { poll } = await activate(service, {
		node: 'siteTrigger',
		parameters: { events: ['down'] },
	});
	await poll();
	sites = [site('a', 'up'), site('b', 'down')];
	expect(told(await poll())).toEqual(['down b']);
	await service.close();
});

everyEventHasExample('siteTrigger');
