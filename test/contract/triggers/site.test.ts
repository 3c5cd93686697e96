import type { IDataObject } from 'n8n-workflow';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import { deleteSite } from '../../../sandbox/service/domain/sites/rules';
import { takeViolations } from '../../support/checkAnswers';
import { activate, everyEventHasExample, loadOptions, searchList } from '../../support/engine';
import { locator } from '../../support/locator';
import { isFlat } from '../../support/operationCases';
import { startWayward } from '../../support/wayward';
import { addTag, HOUR, MINUTE, told, watching } from '../../support/watching';

/** What the site trigger adds to the shared polling; see also its histories. */

let rows: SiteRow[];

/** Nothing is wrong yet. */
const { fleet, trigger, begun } = watching('siteTrigger', 45, ({ clock, world }) => {
	const { sites } = world.store;
	rows = sites.all().map(({ id }) => sites.get(id)!);
	for (const site of rows) {
		site.connection.status = 'connected';
		site.uptime = { enabled: true, status: 'up' };
		site.security.enabled = true;
		site.security.scanner.status = 'clean';
	}
	clock.advance(HOUR);
});

type Change = (site: SiteRow) => unknown;
interface State {
	entered: string;
	left: string;
	bad: Change;
	good: Change;
	/** Neither bad nor good. */
	third: Change;
}

const connection: State = {
	entered: 'disconnected',
	left: 'reconnected',
	bad: (site) => (site.connection.status = 'disconnected'),
	good: (site) => (site.connection.status = 'connected'),
	third: (site) => Object.assign(site.connection, { status: 'connecting' }),
};
const malware: State = {
	entered: 'malwareFound',
	left: 'malwareCleared',
	bad: (site) => (site.security.scanner.status = 'hacked'),
	good: (site) => (site.security.scanner.status = 'clean'),
	third: (site) => Object.assign(site.security.scanner, { status: 'scanning' }),
};
const uptime: State = {
	entered: 'down',
	left: 'up',
	bad: (site) => Object.assign(site.uptime, { enabled: true, status: 'down' }),
	good: (site) => Object.assign(site.uptime, { enabled: true, status: 'up' }),
	third: (site) => Object.assign(site.uptime, { status: 'paused' }),
};
const unchecked: State = {
	...uptime,
	third: (site) => Object.assign(site.uptime, { enabled: false, status: null }),
};

const touched = (site: SiteRow, change: Change) => {
	change(site);
	site.updated_at = fleet.world.timestamp();
};

describe.each([connection, malware, uptime, unchecked])(
	'a third state between $entered and $left',
	({ entered, left, bad, good, third }) => {
		// Words that the service of the sandbox never says.
		afterEach(() => void takeViolations());

		it.each([1, 40])(
			'of %i sites: they count as gone, and as new when they are back',
			async (count) => {
				const some = rows.slice(0, count);
				const { poll, restart } = await begun([entered, left]);
				fleet.clock.advance(HOUR);
				const all = (event: string) => some.map(({ id }) => `${event} ${id}`).sort();
				for (const site of some) touched(site, bad);
				expect(told(await poll())).toEqual(all(entered));
				for (const site of some) touched(site, third);
				for (let times = 0; times < 8; times++) {
					fleet.clock.advance(MINUTE);
					// n8n has saved nothing since the last events, so all sites are looked at again.
					if (times === 4) await restart();
					expect(await poll()).toBeNull();
				}
				for (const site of some) touched(site, bad);
				fleet.clock.advance(MINUTE);
				expect(told(await poll())).toEqual(all(entered));
				for (const site of some) touched(site, good);
				expect(told(await poll())).toEqual(all(left));
				expect(await poll()).toBeNull();
			},
		);

		it('of a deleted site is not reported, nor its end', async () => {
			const [gone, other] = rows as [SiteRow, SiteRow];
			touched(gone, bad);
			touched(other, bad);
			const { poll } = await begun([entered, left]);
			touched(gone, third);
			deleteSite(fleet.world, other);
			for (let times = 0; times < 3; times++) expect(await poll()).toBeNull();
			deleteSite(fleet.world, gone);
			for (let times = 0; times < 3; times++) expect(await poll()).toBeNull();
		});
	},
);

it('a site whose record cannot be read holds up no other, and is reported when it can', async () => {
	const [broken, other] = rows as [SiteRow, SiteRow];
	const { poll } = await trigger(['up']);
	for (const site of [broken, other]) touched(site, uptime.bad);
	await poll();
	await fleet.admin.post('/faults', { server_errors: { path: `/sites/${broken.id}` } });
	fleet.clock.advance(HOUR);
	for (const site of [broken, other]) touched(site, uptime.good);
	expect(told(await poll())).toEqual([`up ${other.id}`]);
	expect(await poll()).toBeNull();
	await fleet.admin.delete('/faults');
	expect(told(await poll())).toEqual([`up ${broken.id}`]);
});

it('a check that is switched off does not report a site as recovered', async () => {
	const [site] = rows as [SiteRow];
	const { poll } = await trigger(['malwareCleared', 'up']);
	for (const { bad } of [malware, uptime]) bad(site);
	await poll();
	for (const { good } of [malware, uptime]) good(site);
	site.security.enabled = site.uptime.enabled = false;
	expect(await poll()).toBeNull();
	expect(await poll()).toBeNull();
});

it('added sites with a tag are reported when they get it, except those from before the activation', async () => {
	const add = async () => {
		const url = `https://added-${fleet.world.store.sites.peek().length}.example.com`;
		return (await fleet.api.post('/sites', { site: { url } })).data.site.id as string;
	};
	const tagged = (id: string) => fleet.world.store.sites.get(id)!.internal.tag_ids.push('41');
	const before = await add();
	fleet.clock.advance(MINUTE);
	const { poll } = await begun(['siteAdded'], {
		tagId: locator(addTag(fleet, '41')),
		options: { exceptTagIds: [addTag(fleet, 'muted')] },
	});
	fleet.clock.advance(MINUTE);
	const [early, late, never, muted] = [await add(), await add(), await add(), await add()] as const;
	fleet.world.store.sites.get(muted)!.internal.tag_ids = ['41', 'muted'];
	tagged(early);
	expect(told(await poll())).toEqual([`siteAdded ${early}`]);
	// Nor later without the excepted tag.
	fleet.world.store.sites.get(muted)!.internal.tag_ids = ['41'];
	fleet.clock.advance(5 * HOUR);
	expect(await poll()).toBeNull();
	for (const id of [late, before, rows[0]!.id]) tagged(id);
	expect(told(await poll())).toEqual([`siteAdded ${late}`]);
	fleet.clock.advance(30 * HOUR);
	await poll();
	tagged(never);
	expect(await poll()).toBeNull();
});

describe('the sites', () => {
	const { bad: disconnect, good: reconnect } = connection;
	const STATES = ['disconnected', 'reconnected'];

	it('by tag: one that gets the tag while it is disconnected does not start the workflow until it is reconnected', async () => {
		const tag = addTag(fleet, 'care');
		const [site] = rows as [SiteRow];
		disconnect(site);
		const { poll } = await begun(STATES, { tagId: locator(tag, 'list') });
		for (const tags of [[tag], [], [tag]]) {
			site.internal.tag_ids = tags;
			fleet.clock.advance(MINUTE);
			expect(await poll()).toBeNull();
		}
		reconnect(site);
		expect(told(await poll())).toEqual([`reconnected ${site.id}`]);
	});

	it.each(['tag', 'client'])('by %s: one that loses it has not left the state', async (scope) => {
		const tag = addTag(fleet, 'care');
		const [client, other] = fleet.world.store.clients.all().map(({ id }) => id);
		const put = ({ internal }: SiteRow, isInside: boolean) => {
			internal.tag_ids = isInside ? [tag] : [];
			internal.client_id = isInside ? client! : other!;
		};
		const [inside, leaver, outside] = rows as [SiteRow, SiteRow, SiteRow];
		for (const site of rows) put(site, site === inside || site === leaver);
		const wanted = locator(scope === 'tag' ? tag : client, 'list');
		const { poll } = await begun(STATES, { [`${scope}Id`]: wanted });
		[inside, leaver, outside].forEach(disconnect);
		const both = [inside, leaver].map(({ id }) => `disconnected ${id}`);
		expect(told(await poll())).toEqual(both.sort());
		put(leaver, false);
		expect(await poll()).toBeNull();
		reconnect(leaver);
		reconnect(inside);
		expect(told(await poll())).toEqual([`reconnected ${inside.id}`]);
	});

	it.each([1, 2])('chosen: of %i, a single one is asked for by its ID', async (count) => {
		const chosen = rows.slice(0, count).map(({ id }) => id);
		const parameters = { siteIds: chosen.join(' , ') };
		const { poll } = await begun([...STATES, 'down'], parameters);
		rows.forEach(disconnect);
		rows.forEach(uptime.bad);
		fleet.forget();
		const both = chosen.flatMap((id) => [`disconnected ${id}`, `down ${id}`]);
		expect(told(await poll())).toEqual(both.sort());
		const asked = fleet.sent().map(({ query }) => query['filters[id:eq]']);
		expect(asked).toEqual(Array(2).fill(count === 1 ? chosen[0] : undefined));
	});
});

it.each([
	[['siteAdded'], '"Site Added", which cannot happen to sites that you choose one by one'],
	[['exploded'], '"exploded", which is not one of '],
])('the events %j of chosen sites are refused, and nothing is sent', async (events, message) => {
	const { poll, test } = await trigger(events, { siteIds: [rows[0]!.id] });
	await expect(poll()).rejects.toThrow(message);
	await expect(test()).rejects.toThrow(message);
	expect(fleet.sent()).toEqual([]);
});

it('sites with an excepted tag do not start the workflow, nor later without the tag', async () => {
	const [muted, other] = rows as [SiteRow, SiteRow];
	muted.internal.tag_ids = [addTag(fleet, 'muted')];
	const { poll } = await begun(['disconnected'], { options: { exceptTagIds: ['muted'] } });
	fleet.clock.advance(MINUTE);
	for (const site of [muted, other]) connection.bad(site);
	fleet.clock.advance(MINUTE);
	expect(told(await poll())).toEqual([`disconnected ${other.id}`]);
	muted.internal.tag_ids = [];
	for (let round = 0; round < 3; round++) {
		fleet.clock.advance(HOUR);
		expect(await poll()).toBeNull();
	}
});

it('a change of the excepted tag is not a new start', async () => {
	addTag(fleet, 'muted');
	const [site, other] = rows as [SiteRow, SiteRow];
	const events = ['disconnected', 'reconnected'];
	const { poll, change } = await begun(events, { options: { exceptTagIds: ['muted'] } });
	connection.bad(site);
	expect(told(await poll())).toEqual([`disconnected ${site.id}`]);
	connection.bad(other);
	connection.good(site);
	await change({ events, output: 'raw' });
	expect(told(await poll())).toEqual([`disconnected ${other.id}`, `reconnected ${site.id}`]);
});

describe('the output', () => {
	const outOf = async (parameters: { output: string; outputFields?: string[] }) => {
		const [site] = rows as [SiteRow];
		site.connection.http_auth = { username: 'deploy', password: 'not-for-chats' };
		site.security.scanner.malware_detected_at = fleet.world.timestamp();
		const { poll } = await begun(['malwareFound'], parameters);
		malware.bad(site);
		return { item: (await poll())![0]!, site };
	};

	it('is the whole record as Raw, without the password of the site', async () => {
		const { item, site } = await outOf({ output: 'raw' });
		expect(item).toMatchObject({ event: 'malwareFound', id: site.id, sync: site.sync });
		expect(item.connection).toEqual({ status: 'connected' });
		expect(JSON.stringify(item)).not.toContain('not-for-chats');
	});

	it('is flat as Simplified, with names and since when a site is hacked', async () => {
		const { item, site } = await outOf({ output: 'simplified' });
		expect(Object.values(item).filter((value) => !isFlat(value))).toEqual([]);
		expect(item).toMatchObject({
			event: 'malwareFound',
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
			hacked_since: site.security.scanner.malware_detected_at,
			scanner_status: 'hacked',
			uptime_status: 'up',
		});
	});

	it('has the selected fields', async () => {
		const { item, site } = await outOf({ output: 'selected', outputFields: ['id', 'url'] });
		expect(item).toEqual({ event: 'malwareFound', id: site.id, url: site.url });
	});
});

it('a test run of Reconnected alone shows sites that are connected', async () => {
	const [gone] = rows as [SiteRow];
	connection.bad(gone);
	const { test } = await trigger(['reconnected']);
	const shown = await test();
	expect(shown!.length).toBeGreaterThan(0);
	for (const { event, id, connection: shownAs } of shown!) {
		expect([event, (shownAs as IDataObject).status]).toEqual(['reconnected', 'connected']);
		expect(id).not.toBe(gone.id);
	}
});

it('offers tags, clients and sites to choose from', async () => {
	const run = { node: 'siteTrigger', parameters: {} };
	addTag(fleet, 'Watched');
	const tags = await searchList(fleet, { ...run, method: 'searchTags', filter: 'watch' });
	expect(tags.results.map(({ name }) => name)).toEqual(['Watched']);
	const clients = await searchList(fleet, { ...run, method: 'searchClients' });
	expect(clients.results.length).toBeGreaterThan(0);
	const sites = await loadOptions(fleet, { ...run, method: 'getSites' });
	expect(sites.map(({ value }) => value).sort()).toEqual(rows.map(({ id }) => id).sort());
});

it('a service that ignores the filters makes no site down, and loses no end of it', async () => {
	const site = (id: string, status: string) => ({ id, uptime: { enabled: true, status } });
	let sites = [site('a', 'up')];
	const meta = { pagination: { totalPages: 1 } };
	const service = await startWayward(() => ({ body: { sites, meta } }));
	const parameters = { events: ['down', 'up'] };
	const { poll } = await activate(service, { node: 'siteTrigger', parameters });
	await poll();
	for (const status of ['down', 'up', 'down']) {
		sites = [site('a', 'up'), site('b', status)];
		expect(told(await poll())).toEqual([`${status} b`]);
	}
});

everyEventHasExample('siteTrigger');
