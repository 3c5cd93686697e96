import { runNode, runOn, type Access, type NodeRun } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { startGate, type Gate } from '../../support/gate';
import { locator } from '../../support/locator';
import { withoutWaiting } from '../../support/transportClock';

/** Adding to the lists of records and taking out of them, while others do the same. */

const fleet = fleetEach({ sites: 30 });
let gate: Gate | undefined;
let sites: string[];
let client: string;

beforeAll(withoutWaiting);
beforeEach(async () => {
	const all = await fleet.sites(30);
	sites = all.filter((site) => site.client === null).map(({ id }) => id);
	expect(sites.length).toBeGreaterThan(5);
	const { data } = await fleet.api.post('/clients', {
		client: { email: 'own@example.com', site_ids: sites.slice(0, 2) },
	});
	client = data.client.id;
	fleet.forget();
});
afterEach(async () => {
	await gate?.close();
	gate = undefined;
});

const run = (operation: string, siteIds: unknown, more: object = {}): NodeRun => ({
	node: 'client',
	parameters: {
		resource: 'client',
		operation,
		clientId: locator(client),
		siteIds: siteIds as string[],
		...more,
	},
});

const sitesNow = async (): Promise<string[]> =>
	(await fleet.api.get(`/clients/${client}`)).data.client.site_ids;

const setSites = async (ids: string[]) =>
	await fleet.api.post(`/clients/${client}/update`, { client: { site_ids: ids } });

const sent = () => fleet.sent().map(({ route }) => route.replace(client, '7'));

/** Has another process do something before a request of ours goes on, by its number from 1 on. */
async function meanwhile(before: (number: number) => Promise<unknown>): Promise<Access> {
	let count = 0;
	gate = await startGate(fleet, async (_route, forward) => {
		count += 1;
		await before(count);
		await forward();
	});
	return gate;
}

describe('the requested entries', () => {
	it('are added, and the rest of the list is kept', async () => {
		const { json, error } = await runNode(fleet, run('addSites', [sites[1], sites[2], sites[3]]));
		expect(error).toBeUndefined();
		expect((await sitesNow()).sort()).toEqual(sites.slice(0, 4).sort());
		expect(json).toMatchObject([
			{ id: client, site_count: 4, added_count: 2, already_there: [sites[1]] },
		]);
	});

	it('are removed, and the rest of the list is kept', async () => {
		const { json } = await runNode(fleet, run('removeSites', [sites[1], sites[2]]));
		expect(await sitesNow()).toEqual([sites[0]]);
		expect(json).toMatchObject([
			{ id: client, site_count: 1, removed_count: 1, not_there: [sites[2]] },
		]);
	});

	it.each<[string, () => unknown]>([
		['addSites', () => sites.slice(0, 2)],
		['removeSites', () => sites.slice(2, 4)],
	])('%s sends nothing where nothing is left to do', async (operation, ids) => {
		const { json } = await runNode(fleet, run(operation, ids()));
		expect(sent()).toEqual(['GET /clients/7']);
		expect(json).toMatchObject([{ site_count: 2 }]);
		expect(Object.values(json[0]!)).toContain(0);
	});

	it('are returned in the chosen output, with the result of the change', async () => {
		const chosen = { output: 'selected', outputFields: ['email'] };
		const { json } = await runNode(fleet, run('addSites', [sites[2]], chosen));
		expect(json).toEqual([{ email: 'own@example.com', added_count: 1, already_there: [] }]);
	});

	it('cannot be empty', async () => {
		for (const ids of ['={{ [] }}', '={{ $json.gone }}', '={{ null }}']) {
			const { error } = await runNode(fleet, run('addSites', ids));
			expect(error?.message).toMatch(/^The parameter "Site Names or IDs"/);
		}
		expect(sent()).toEqual([]);
	});
});

describe('items', () => {
	const each = (operation: string) => run(operation, '={{ [$json.id] }}');
	/** It goes out as an ID, and is none. */
	const GONE = 'f0f0f0f0f0f0f0f0f0f0f0f0';

	it('of one run are added one after the other', async () => {
		const items = sites.slice(2, 6).map((id) => ({ id }));
		const { json, error } = await runNode(fleet, { ...each('addSites'), items });
		expect(error).toBeUndefined();
		expect(json.map((item) => item.added_count)).toEqual([1, 1, 1, 1]);
		expect((await sitesNow()).sort()).toEqual(sites.slice(0, 6).sort());
	});

	it('after one that fails are not sent', async () => {
		const items = [{ id: sites[2] }, { id: GONE }, { id: sites[3] }];
		const { error } = await runNode(fleet, { ...each('addSites'), items });
		expect(error?.message).toContain(
			'(item 2 of 3; 1 change was made before it: run again from item 2)',
		);
		expect(error?.context?.details).toMatchObject({ outcome: 'refused', status: 422, item: 2 });
		expect((await sitesNow()).sort()).toEqual(sites.slice(0, 3).sort());
	});

	it('that fail are items of the error output', async () => {
		const items = [{ id: GONE }, { id: sites[3] }];
		const settings = { onError: 'continueErrorOutput' as const };
		const result = await runNode(fleet, { ...each('addSites'), items, settings });
		expect(result.json).toMatchObject([{ added_count: 1 }]);
		expect(result.errors.map(({ json }) => json)).toMatchObject([
			{ details: { outcome: 'refused', item: 1 } },
		]);
	});

	it('of many executions at once lose nothing', async () => {
		const all = await Promise.all([
			...sites.slice(2, 6).map(async (id) => await runNode(fleet, run('addSites', [id]))),
			...sites.slice(0, 2).map(async (id) => await runNode(fleet, run('removeSites', [id]))),
		]);
		expect(all.map(({ error }) => error)).toEqual(all.map(() => undefined));
		expect((await sitesNow()).sort()).toEqual(sites.slice(2, 6).sort());
	});
});

describe('another process that changes the list', () => {
	it.each<[string, string, () => string[], () => string[], string]>([
		['without our sites', 'addSites', () => [sites[2]!], () => [sites[0]!, sites[1]!], 'missing'],
		[
			'with what was removed',
			'removeSites',
			() => [sites[1]!],
			() => sites.slice(0, 2),
			'still there',
		],
	])('%s: that is an error with both lists, and nothing is sent again', async (...row) => {
		const [, operation, entries, others, state] = row;
		const access = await meanwhile(async (number) => {
			if (number === 3) await setSites(others());
		});
		const { error, json } = await runNode(access, run(operation, entries()));
		expect(json).toEqual([]);
		const sentList = operation === 'addSites' ? sites.slice(0, 3) : sites.slice(0, 1);
		expect(error?.message).toBe(
			`Another process changed the sites of the client ${client} at the same time: site ${entries()[0]} is ${state} (sent: ${sentList.join(', ')}; now: ${others().join(', ')}). Check /clients/${client}`,
		);
		expect(error?.context?.details).toMatchObject({
			outcome: 'unknown',
			verifyAt: `/clients/${client}`,
		});
		expect(error?.description).not.toContain('Nothing was changed');
		// One of the two updates is that of the other process.
		expect(sent().filter((route) => route.startsWith('POST'))).toHaveLength(2);
		expect(await sitesNow()).toEqual(others());
	});

	it('while our change waits for the rate limit: nothing is sent', async () => {
		// The third request of a window waits for the next one.
		const access = await meanwhile(async (number) => {
			if (number === 3) await setSites([sites[1]!]);
		});
		const capped = { ...access, requestsPerMinute: 2 };
		await runNode(capped, run('get', undefined));
		const { error } = await runNode(capped, run('addSites', [sites[2]]));
		expect(error?.message).toBe('Add Sites was refused: another process changed the record');
		expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
		expect(await sitesNow()).toEqual([sites[1]]);
	});

	it('without what was there before: that is an error', async () => {
		const access = await meanwhile(async (number) => {
			if (number === 3) await setSites(sites.slice(1, 3));
		});
		const { error } = await runNode(access, run('addSites', [sites[2]]));
		expect(error?.message).toContain(`site ${sites[0]} was there before and is missing`);
		expect(await sitesNow()).toEqual(expect.arrayContaining(sites.slice(1, 3)));
	});

	it('and deletes the record: the error does not read as if nothing was changed', async () => {
		const access = await meanwhile(async (number) => {
			if (number === 3) await fleet.api.post('/clients/delete', { ids: [client] });
		});
		const { error } = await runNode(access, run('addSites', [sites[2]]));
		expect(error?.message).toContain('The sites were added, but the check afterwards failed: ');
		expect(error?.description).not.toContain('Nothing was changed');
		expect(error?.context?.details).toMatchObject({ outcome: 'unknown' });
	});
});

describe('within the process', () => {
	it('what another execution takes out later does not come back', async () => {
		const [first] = await Promise.all([
			runNode(fleet, run('addSites', [sites[2]])),
			runNode(fleet, run('removeSites', [sites[2], sites[0]])),
		]);
		expect(first.error).toBeUndefined();
		expect(await sitesNow()).toEqual([sites[1]]);
	});

	it('a list that Update replaces meanwhile keeps the replacement', async () => {
		let update: Promise<unknown> | undefined;
		const access = await meanwhile(async (number) => {
			// It waits for the lock of the record.
			if (number === 2) {
				const updateFields = { siteIds: [sites[4]!] };
				update = runNode(gate!, run('update', undefined, { updateFields }));
			}
		});
		const { error } = await runNode(access, run('addSites', [sites[2]]));
		expect(error).toBeUndefined();
		await update;
		expect(await sitesNow()).toEqual([sites[4]]);
	});
});

describe('refuses a change that would lose entries', () => {
	it.each<[string, object]>([
		['a record without the list', {}],
		['a record with something else there', { site_ids: { total: 3 } }],
		['a record with a text there', { site_ids: '7,8' }],
	])('%s', async (_what, record) => {
		const { error } = await runOn(
			{ [`GET /clients/${client}`]: { body: { client: { id: client, ...record } } } },
			run('addSites', [sites[2]]),
		);
		expect(error?.message).toBe(
			`Add Sites was refused: the client ${client} was returned without its list of sites (site_ids)`,
		);
		expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
	});
});

describe('of records that are for all sites', () => {
	const member = async (body: object) => {
		const { data } = await fleet.api.post('/team-members', {
			team_member: { name: 'A', email: 'a@example.com', role: 'collaborator', ...body },
		});
		fleet.forget();
		return data.team_member.id as string;
	};
	const ofMember = (id: string, operation: string, siteIds: string[]): NodeRun => ({
		node: 'teamMember',
		parameters: { resource: 'teamMember', operation, teamMemberId: locator(id), siteIds },
	});

	it('nothing is added, and nothing can be taken out', async () => {
		const id = await member({ all_sites_access: true });
		const added = await runNode(fleet, ofMember(id, 'addSites', sites.slice(0, 2)));
		expect(added.json).toMatchObject([{ added_count: 0, already_there: sites.slice(0, 2) }]);
		const { error } = await runNode(fleet, ofMember(id, 'removeSites', sites.slice(0, 2)));
		expect(error?.message).toBe(
			`Remove Sites was refused: the team member ${id} applies to all sites, not to a list of them`,
		);
		expect(fleet.sent().filter(({ route }) => route.startsWith('POST'))).toEqual([]);
	});

	it('a schedule works the same', async () => {
		const { data } = await fleet.api.post('/auto-update-schedules', {
			auto_update_schedule: {
				...{ name: 'All', schedule: 'daily', started_at: '2030-01-01T00:00:00Z' },
				scope: { sites: { selection: 'all' }, updates: { cms_core: true } },
			},
		});
		const scheduleId = locator(data.auto_update_schedule.id);
		const onSchedule = async (operation: string) =>
			await runNode(fleet, {
				node: 'autoUpdate',
				parameters: { resource: 'schedule', operation, scheduleId, siteIds: [sites[0]!] },
			});
		const { json } = await onSchedule('addSites');
		expect(json).toMatchObject([{ added_count: 0, already_there: [sites[0]] }]);
		expect((await onSchedule('removeSites')).error?.message).toContain('applies to all sites');
	});

	it('an invitation gets another ID with each change, and the next one still finds it', async () => {
		const id = await member({ site_ids: [] });
		const items = sites.slice(0, 3).map((site) => ({ site }));
		const each = ofMember(id, 'addSites', '={{ [$json.site] }}' as never);
		const { json, error } = await runNode(fleet, { ...each, items });
		expect(error).toBeUndefined();
		const last = json.at(-1)!.id as string;
		expect(last).not.toBe(id);
		const { data } = await fleet.api.get(`/team-members/${last}`);
		expect(data.team_member.site_ids).toEqual(sites.slice(0, 3));
	});
});

describe('is guarded', () => {
	it('Preview shows the whole list that would be sent, and sends nothing', async () => {
		const { json } = await runNode(fleet, run('addSites', [sites[2]], { preview: true }));
		expect(json).toMatchObject([
			{
				operation: 'Client: Add Sites',
				request: { method: 'POST', path: `/clients/${client}/update` },
				replaces: { site_ids: { dropped: [], added: [{ id: sites[2] }], dropped_count: 0 } },
			},
		]);
		const nothing = await runNode(fleet, run('addSites', [sites[0]], { preview: true }));
		expect(nothing.json).toMatchObject([{ preview: true, request: null }]);
		expect(sent().filter((route) => route.startsWith('POST'))).toEqual([]);
	});

	it('what it takes out counts as harmful', async () => {
		const limits = { maxHarmful: 1 };
		const { error } = await runNode({ ...fleet, limits }, run('removeSites', sites.slice(0, 2)));
		expect(error?.message).toContain('Harmful');
		expect((await sitesNow()).sort()).toEqual(sites.slice(0, 2).sort());
	});
});
