import {
	type Access,
	mustSucceed,
	type NodeRun,
	operationRun,
	runNode,
	runOf,
	runOn,
} from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { startGate } from '../../support/gate';
import { locator } from '../../support/locator';
import { withoutWaiting } from '../../support/transportClock';

/** Adding to the lists of records and taking out of them, while others do the same. */

const fleet = fleetEach({ sites: 30 });
let sites: string[];
let client: string;

beforeAll(withoutWaiting);
beforeEach(async () => {
	const all = await fleet.sites(30);
	sites = all.filter((site) => site.client === null).map(({ id }) => id);
	expect(sites.length).toBeGreaterThan(5);
	const own = { email: 'own@example.com', site_ids: sites.slice(0, 2) };
	client = (await fleet.api.post('/clients', { client: own })).data.client.id;
	fleet.forget();
});

const run = (operation: string, siteIds?: unknown, more: object = {}): NodeRun =>
	operationRun('client', operation, { clientId: locator(client), siteIds, ...more });

const sitesNow = async (): Promise<string[]> =>
	(await fleet.api.get(`/clients/${client}`)).data.client.site_ids;
const setSites = async (ids: string[]) =>
	await fleet.api.post(`/clients/${client}/update`, { client: { site_ids: ids } });
const posts = () => fleet.changes().filter((route) => route.startsWith('POST'));

/** Has another process do something before a request of ours goes on, by its number from 1 on. */
async function meanwhile(at: number, before: () => Promise<unknown>): Promise<Access> {
	let count = 0;
	return await startGate(fleet, async (_route, forward) => {
		count += 1;
		if (count === at) await before();
		await forward();
	});
}

describe('the requested entries', () => {
	it.each<[string, () => unknown]>([
		['addSites', () => sites.slice(0, 2)],
		['removeSites', () => sites.slice(2, 4)],
	])('%s sends nothing where nothing is left to do', async (operation, ids) => {
		const { json } = await runNode(fleet, run(operation, ids()));
		expect(fleet.routes()).toEqual([`GET /clients/${client}`]);
		expect(json).toMatchObject([{ site_count: 2 }]);
		expect(Object.values(json[0]!)).toContain(0);
	});

	it('are returned in the chosen output, with the result of the change', async () => {
		const chosen = { output: 'selected', outputFields: ['email'] };
		const { json } = await runNode(fleet, run('addSites', [sites[2]], chosen));
		expect(json).toEqual([{ email: 'own@example.com', added_count: 1, already_there: [] }]);
	});

	it.each(['={{ [] }}', '={{ $json.gone }}', '={{ null }}'])('cannot be %s', async (ids) => {
		const { error } = await runNode(fleet, run('addSites', ids));
		expect(error?.message).toMatch(/^The parameter "Site Names or IDs"/);
		expect(fleet.sent()).toEqual([]);
	});

	it('of items that change nothing are not counted as changes before one that fails', async () => {
		const gone = 'f0f0f0f0f0f0f0f0f0f0f0f0';
		const placeAfter = async (...ids: string[]) => {
			const items = [...ids, gone].map((id) => ({ id }));
			const { error } = await runNode(fleet, { ...run('addSites', '={{ [$json.id] }}'), items });
			return error?.message.slice(error.message.lastIndexOf('('));
		};
		const none = await placeAfter(sites[0]!, sites[1]!);
		expect(none).toBe('(item 3 of 3; nothing was changed before it)');
		const one = await placeAfter(sites[2]!, sites[0]!);
		expect(one).toBe('(item 3 of 3; 1 change was made before it: run again from item 3)');
	});

	it('of items after one that fails are not sent', async () => {
		// It goes out as an ID, and is none.
		const items = [sites[2], 'f0f0f0f0f0f0f0f0f0f0f0f0', sites[3]].map((id) => ({ id }));
		const { error } = await runNode(fleet, { ...run('addSites', '={{ [$json.id] }}'), items });
		const again = '(item 2 of 3; 1 change was made before it: run again from item 2)';
		expect(error?.message).toContain(again);
		expect(error?.context?.details).toMatchObject({ outcome: 'refused', status: 422, item: 2 });
		expect((await sitesNow()).sort()).toEqual(sites.slice(0, 3).sort());
	});
});

describe('another process that changes the list', () => {
	it.each<[string, string, () => string, () => string[], string]>([
		['without our sites', 'addSites', () => sites[2]!, () => sites.slice(0, 2), 'missing'],
		[
			'with what was removed',
			'removeSites',
			() => sites[1]!,
			() => sites.slice(0, 2),
			'still there',
		],
	])('%s: that is an error with both lists, and nothing is sent again', async (...row) => {
		const [, operation, entry, others, state] = row;
		const access = await meanwhile(3, async () => await setSites(others()));
		const { error, json } = await runNode(access, run(operation, [entry()]));
		expect(json).toEqual([]);
		const sent = operation === 'addSites' ? sites.slice(0, 3) : sites.slice(0, 1);
		expect(error?.message).toBe(
			`Another process changed the sites of the client ${client} at the same time: site ${entry()} is ${state} (sent: ${sent.join(', ')}; now: ${others().join(', ')}). Check /clients/${client}`,
		);
		const details = { outcome: 'unknown', verifyAt: `/clients/${client}` };
		expect(error?.context?.details).toMatchObject(details);
		expect(error?.description).not.toContain('Nothing was changed');
		// One of the two updates is that of the other process.
		expect(posts()).toHaveLength(2);
		expect(await sitesNow()).toEqual(others());
	});

	it('without what was there before: that is an error', async () => {
		const access = await meanwhile(3, async () => await setSites(sites.slice(1, 3)));
		const { error } = await runNode(access, run('addSites', [sites[2]]));
		expect(error?.message).toContain(`site ${sites[0]} was there before and is missing`);
	});

	it('while our change waits for the rate limit: nothing is sent', async () => {
		// The third request of a window waits for the next one.
		const access = await meanwhile(3, async () => await setSites([sites[1]!]));
		const capped = { ...access, requestsPerMinute: 2 };
		await runNode(capped, run('get'));
		const { error } = await runNode(capped, run('addSites', [sites[2]]));
		expect(error?.message).toBe('Add Sites was refused: another process changed the record');
		expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
		expect(await sitesNow()).toEqual([sites[1]]);
	});

	it('and deletes the record: the error does not read as if nothing was changed', async () => {
		const remove = async () => await fleet.api.post('/clients/delete', { ids: [client] });
		const { error } = await runNode(await meanwhile(3, remove), run('addSites', [sites[2]]));
		expect(error?.message).toContain('The sites were added, but the check afterwards failed: ');
		expect(error?.description).not.toContain('Nothing was changed');
		expect(error?.context?.details).toMatchObject({ outcome: 'unknown' });
	});
});

it('a list that Update replaces in the same process meanwhile keeps the replacement', async () => {
	let update: Promise<unknown> | undefined;
	// It waits for the lock of the record.
	const access: Access = await meanwhile(2, async () => {
		update = runNode(access, run('update', undefined, { updateFields: { siteIds: [sites[4]!] } }));
	});
	mustSucceed(await runNode(access, run('addSites', [sites[2]])));
	await update;
	expect(await sitesNow()).toEqual([sites[4]]);
});

it.each([{}, { site_ids: { total: 3 } }, { site_ids: '7,8' }])(
	'a record with %j for its list is refused, since entries would be lost',
	async (record) => {
		const answer = { body: { client: { id: client, ...record } } };
		const { error } = await runOn(
			{ [`GET /clients/${client}`]: answer },
			run('addSites', [sites[2]]),
		);
		expect(error?.message).toBe(
			`Add Sites was refused: the client ${client} was returned without its list of sites (site_ids)`,
		);
		expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
	},
);

describe('records that are for all sites', () => {
	const member = async (access: object) => {
		const body = { name: 'A', email: 'a@example.com', role: 'collaborator', ...access };
		return (await fleet.api.post('/team-members', { team_member: body })).data.team_member.id;
	};
	const schedule = async () => {
		const scope = { sites: { selection: 'all' }, updates: { cms_core: true } };
		const body = { name: 'All', schedule: 'daily', started_at: '2030-01-01T00:00:00Z', scope };
		const { data } = await fleet.api.post('/auto-update-schedules', { auto_update_schedule: body });
		return data.auto_update_schedule.id;
	};
	const onMember = (id: string, operation: string, siteIds: unknown): NodeRun =>
		operationRun('teamMember', operation, { teamMemberId: locator(id), siteIds });

	it.each<[string, () => Promise<string>, (id: string, operation: string) => NodeRun]>([
		[
			'team member',
			async () => await member({ all_sites_access: true }),
			(id, operation) => onMember(id, operation, [sites[0]]),
		],
		[
			'schedule',
			schedule,
			(id, operation) => {
				const set = { scheduleId: locator(id), siteIds: [sites[0]] };
				return runOf(`autoUpdate/schedule/${operation}`, set);
			},
		],
	])('a %s: nothing is added, and nothing can be taken out', async (what, make, runOf) => {
		const id = await make();
		fleet.forget();
		const added = await runNode(fleet, runOf(id, 'addSites'));
		expect(added.json).toMatchObject([{ added_count: 0, already_there: [sites[0]] }]);
		const { error } = await runNode(fleet, runOf(id, 'removeSites'));
		expect(error?.message).toContain(
			`Remove Sites was refused: the ${what === 'schedule' ? '' : 'team member '}`,
		);
		expect(error?.message).toContain(`${id} applies to all sites, not to a list of them`);
		expect(fleet.changes()).toEqual([]);
	});

	it('an invitation gets another ID with each change, and the next one still finds it', async () => {
		const id = await member({ site_ids: [] });
		const items = sites.slice(0, 3).map((site) => ({ site }));
		const each = onMember(id, 'addSites', '={{ [$json.site] }}');
		const { json } = mustSucceed(await runNode(fleet, { ...each, items }));
		const last = json.at(-1)!.id as string;
		expect(last).not.toBe(id);
		const { data } = await fleet.api.get(`/team-members/${last}`);
		expect(data.team_member.site_ids).toEqual(sites.slice(0, 3));
	});
});

it('Preview shows the whole list that would be sent, and sends nothing', async () => {
	const preview = async (id: unknown) =>
		(await runNode(fleet, run('addSites', [id], { preview: true }))).json;
	expect(await preview(sites[2])).toMatchObject([
		{
			operation: 'Client: Add Sites',
			request: { method: 'POST', path: `/clients/${client}/update` },
			replaces: { site_ids: { dropped: [], added: [{ id: sites[2] }], dropped_count: 0 } },
		},
	]);
	expect(await preview(sites[0])).toMatchObject([{ preview: true, request: null }]);
	expect(posts()).toEqual([]);
});

it('what is taken out counts as harmful', async () => {
	const limits = { maxHarmful: 1 };
	const { error } = await runNode({ ...fleet, limits }, run('removeSites', sites.slice(0, 2)));
	expect(error?.message).toContain('Harmful');
	expect((await sitesNow()).sort()).toEqual(sites.slice(0, 2).sort());
});
