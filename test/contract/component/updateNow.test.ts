import type { TaskRow } from '../../../sandbox/service/engine/taskRows';
import type { Profile } from '../../../sandbox/service/otherService';
import { mustSucceed, type NodeRun, operationRun, runNode, startNode } from '../../support/engine';
import { fleetEach, inStep, START, startFleet } from '../../support/fleet';

const fleet = fleetEach({ sites: 3, at: START });

let ids: string[];
const FILE = 'page-cache/page-cache.php';

beforeEach(async () => {
	inStep(fleet);
	ids = fleet.world.store.sites.peek().map(({ id }) => id);
	for (const id of ids.slice(0, 2)) {
		await fleet.admin.post(`/sites/${id}/plugins`, { name: 'page-cache', version: '1.0.0' });
	}
	fleet.forget();
});

const updateNow = (more: object = {}) =>
	operationRun('component', 'updateNow', {
		...{ siteIds: ids.slice(0, 2).join(', '), updateWhat: 'some', updateFiles: FILE, ...more },
	});

const schedules = () => fleet.world.store.autoUpdateSchedules.peek();
const noHistory = { wrong_answers: { kind: 'html', path: '/auto-update-history' } };
const noDeletion = { server_errors: { method: 'DELETE' } };
const namesOfNow = () => schedules().filter(({ name }) => name.startsWith('Update Now'));

it('updates the chosen components of the chosen sites, and leaves no schedule behind', async () => {
	const before = schedules().length;
	const { json } = mustSucceed(await runNode(fleet, updateNow()));
	expect(fleet.changes()).toEqual([
		'POST /auto-update-schedules',
		expect.stringMatching(/^DELETE \/auto-update-schedules\/\w+$/),
	]);
	expect(schedules()).toHaveLength(before);
	expect(json).toEqual(
		ids.slice(0, 2).map((id) =>
			expect.objectContaining({
				...{ site_id: id, site_title: expect.stringMatching(/ /), name: 'Page Cache' },
				...{
					version_before: expect.stringMatching(/^1[.]/),
					version_after: '3.2.1',
					result: 'updated',
					reason: null,
					schedules_left: null,
				},
			}),
		),
	);
	const [created] = fleet.sent().filter(({ route }) => route === 'POST /auto-update-schedules');
	expect(created!.body).toEqual({
		auto_update_schedule: {
			name: expect.stringMatching(
				new RegExp(`^Update Now, execution \\w+, site ${ids[0]} and 1 more$`),
			),
			...{ schedule: 'monthly_on_date', started_at: expect.any(String), options: { backup: true } },
			scope: {
				sites: { selection: 'specific', ids: ids.slice(0, 2) },
				updates: { cms_core: false, plugins: { selection: 'specific', filenames: [FILE] } },
			},
		},
	});
});

it('says where each component is, as a restore takes it', async () => {
	const { json } = await runNode(fleet, updateNow());
	expect(json[0]).toMatchObject({
		...{ kind: 'plugin', folder: 'page-cache', file: FILE },
		path: './wp-content/plugins/page-cache/',
	});
	const { json: all } = await runNode(fleet, updateNow({ updateWhat: 'all', updateFiles: '' }));
	for (const { kind, file, path } of all) {
		const place = String(file).includes('/') ? String(file).split('/')[0] : file;
		if (kind === 'plugin' || kind === 'theme') expect(path).toContain(`/${kind}s/${place}`);
		else expect(path).toBeNull();
	}
});

it('says of each chosen component what was not updated', async () => {
	const { json, error } = await runNode(fleet, updateNow({ updateFiles: `${FILE}, plain-paper` }));
	expect(error).toBeUndefined();
	expect(json.filter(({ name }) => name === 'plain-paper')).toEqual([
		expect.objectContaining({
			result: 'no update',
			reason: expect.stringMatching(/did not include/),
		}),
		expect.objectContaining({ result: 'no update' }),
	]);
});

it('has no version after an update that failed', async () => {
	await fleet.admin.post('/tasks/failures', { type: 'wp_site_update', site_id: ids[0] });
	const { json } = await runNode(fleet, updateNow());
	const reason = expect.stringMatching(/^The update ended as failed: The step \w+ could not/);
	expect(json[0]).toMatchObject({ result: 'failed', reason, version_after: null });
});

const saying = (word: string) => ({
	...{ of: 1, types: { string: 1 }, words: { [word]: 1 }, newWords: [word] },
});

/** The rows of an update of one site, at a service whose answers to a route have other keys. */
async function rowsWith(route: string, keys: object, more: object = {}) {
	const profile = { routes: { [route]: { keys } } } as Profile;
	const strange = await startFleet({ sites: 3, at: START, profile });
	inStep(strange);
	await strange.admin.post(`/sites/${ids[0]}/plugins`, { name: 'page-cache', version: '1.0.0' });
	await strange.admin.post('/tasks/failures', { type: 'wp_site_update' });
	return mustSucceed(await runNode(strange, updateNow({ siteIds: ids[0], ...more }))).json;
}

it('does not know how a site was updated that counts as completed with a failed step', async () => {
	const keys = { 'task.details.sites[].status': saying('completed') };
	expect(await rowsWith('GET /tasks/{task_id}', keys)).toMatchObject([
		{ result: 'not known', reason: expect.stringMatching(/ended as completed: The step/) },
	]);
});

it.each([
	['failed', 'failed', /^The update ended as failed, without a task$/],
	['cancelled', 'failed', /^The update ended as cancelled, /],
	['completed', 'not known', /^The update ended as completed, /],
	['no_updates', 'no update', /^The update did not include it: /],
])('of a run that ended as %s without a task, each row says "%s"', async (status, result, why) => {
	const keys = {
		'auto_update_history[].status': saying(status),
		'auto_update_history[].task_id': { of: 1, types: { null: 1 } },
	};
	const files = { updateFiles: `${FILE}, other/other.php` };
	const rows = await rowsWith('GET /auto-update-history', keys, files);
	const row = { result, reason: expect.stringMatching(why) };
	expect(rows).toEqual([expect.objectContaining(row), expect.objectContaining(row)]);
});

it('says that the folder of a plugin counts as a theme', async () => {
	const { json } = await runNode(fleet, updateNow({ updateFiles: 'page-cache' }));
	expect(json[0]).toMatchObject({
		result: 'no update',
		reason: expect.stringMatching(/counts as a theme, because a plugin is named by its main file$/),
	});
});

it.each([
	['', /"Components" is empty/],
	['={{ $json.gone }}', /"Components" has no value/],
	['./wp-content/plugins/cache/cache.php', /"Components" contains the path .*: use the main file/],
	['cache\\cache.php', /"Components" contains the path/],
])('refuses to update without a component: "%s"', async (updateFiles, message) => {
	const { error } = await runNode(fleet, updateNow({ updateFiles }));
	expect(error?.message).toMatch(message);
	expect(fleet.sent()).toEqual([]);
});

it('shows in a preview what would be updated, and changes nothing', async () => {
	const { json } = mustSucceed(await runNode(fleet, updateNow({ preview: true })));
	expect(fleet.changes()).toEqual([]);
	const [lacking, other] = fleet.world.store.sites.peek().map(({ url }) => `${FILE} on ${url}`);
	expect(json[0]).toMatchObject({
		preview: true,
		operation: 'Component: Update Now',
		checked: { now: [`${lacking}: not in its newest backup`, `${other}: "1.10.0"`] },
		request: { body: { auto_update_schedule: { scope: { updates: { cms_core: false } } } } },
		target: { sites: ids.slice(0, 2).map((id) => expect.objectContaining({ id })) },
		does: ['the live sites are updated'],
	});
});

it('asks a model with the versions that the sites have, and does what was confirmed', async () => {
	const call = async (run: NodeRun, given = {}) => {
		return await runNode(fleet, { ...run, asTool: true, items: [given] });
	};
	const run = updateNow({ updateFiles: `${FILE}, plain-paper` });
	const [{ what, code }] = (await call(run)).json as [{ what: string; code: string }];
	expect(what).toContain(`now ${FILE} on `);
	fleet.clock.advance(1_000);
	const { json } = mustSucceed(await call(run, { what, code }));
	expect(json[0]).toMatchObject({ version_before: '1.0.0', result: 'updated' });
});

/** A schedule as a killed execution leaves it. */
async function leave(siteId: string) {
	const { data } = await fleet.api.post('/auto-update-schedules', {
		auto_update_schedule: {
			name: `Update Now, execution 17, site ${siteId}`,
			schedule: 'monthly_on_date',
			started_at: new Date(fleet.clock.now() + 120_000).toISOString(),
			scope: { sites: { selection: 'specific', ids: [siteId] }, updates: { cms_core: true } },
			options: { backup: true },
		},
	});
	return data.auto_update_schedule.id as string;
}

it('waits for what a killed execution has started on the same site, and removes its schedule', async () => {
	await leave(ids[0]!);
	fleet.forget();
	const { json } = mustSucceed(await runNode(fleet, updateNow()));
	expect(namesOfNow()).toEqual([]);
	expect(json.every(({ result }) => result === 'updated')).toBe(true);
	const [first, second] = fleet.changes();
	expect([first, second]).toEqual([
		expect.stringMatching(/^DELETE/),
		'POST /auto-update-schedules',
	]);
});

it('changes nothing where it is not known whether another update of the same site has ended', async () => {
	const id = await leave(ids[0]!);
	fleet.forget();
	await fleet.admin.post('/faults', noHistory);
	const { error } = await runNode(fleet, updateNow());
	expect(error?.message).toContain(
		`Nothing was updated: another update of these sites, Update Now, execution 17, site ${ids[0]} (${id}), may not have ended: `,
	);
	expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
	expect(fleet.changes()).toEqual([]);
});

it('names the schedule of another site only when no execution can wait for it any more', async () => {
	const id = await leave(ids[2]!);
	const leftOf = async () => (await runNode(fleet, updateNow())).json[0]!.schedules_left;
	expect(await leftOf()).toBeNull();
	fleet.clock.advance(20 * 3_600_000);
	fleet.world.settle();
	const { autoUpdateHistory, tasks } = fleet.world.store;
	const run = autoUpdateHistory.peek().find(({ auto_update_schedule: of }) => of.id === id)!;
	const [task] = tasks.peek() as [TaskRow];
	run.task_id = task.id;
	task.status = 'running';
	expect(await leftOf()).toBeNull();
	fleet.clock.advance(5 * 3_600_000);
	expect(await leftOf()).toContain(`site ${ids[2]} (${id}): its run has not ended`);
	expect(namesOfNow().map((each) => each.id)).toEqual([id]);
	task.status = 'completed';
	expect(await leftOf()).toBeNull();
	expect(namesOfNow()).toEqual([]);
});

it('names a schedule that it could not delete', async () => {
	await fleet.admin.post('/faults', noDeletion);
	const { json } = mustSucceed(await runNode(fleet, updateNow()));
	const [left] = namesOfNow();
	expect(json[0]!.schedules_left).toContain(`${left!.name} (${left!.id}): `);
	expect(json[0]!.result).toBe('updated');
});

it('deletes the schedule and says that the end is not known where the history cannot be read', async () => {
	await fleet.admin.post('/faults', noHistory);
	const { json, error } = await runNode(fleet, updateNow());
	expect(json).toEqual([]);
	expect(error?.message).toMatch(/^The update was scheduled, but it is not known how it ended: /);
	expect(error?.context?.details).toMatchObject({ outcome: 'started' });
	expect(namesOfNow()).toEqual([]);
});

it('says in the message which schedule is left where neither the end nor the deletion is known', async () => {
	await fleet.admin.post('/faults', { ...noHistory, ...noDeletion });
	const { error } = await runNode(fleet, updateNow());
	const [left] = namesOfNow();
	expect(error?.message).toContain(
		`. Delete the schedule, or it runs again next month: ${left!.name} (${left!.id}): `,
	);
});

it('does not update again on a retry of an update that was started', async () => {
	await fleet.admin.post('/faults', noHistory);
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
	const { error } = await runNode(fleet, { ...updateNow(), settings });
	expect(error?.message).toContain('it is not known how it ended');
	expect(fleet.changes().filter((route) => route.startsWith('POST'))).toHaveLength(1);
});

it('leaves a trace of its schedule when the execution is cancelled', async () => {
	const started = await startNode(fleet, updateNow());
	inStep(fleet, () => {
		if (namesOfNow().length > 0) started.cancel();
	});
	const { run } = await started.result;
	const [left] = namesOfNow();
	expect(run.data.resultData.metadata).toEqual({
		siteManagementSchedules: `${left!.name} (${left!.id})`,
	});
});

describe('Only If', () => {
	const sites = () => fleet.world.store.sites.peek().slice(0, 2);

	it('lets an update of the sites that are meant through, whatever they become', async () => {
		const urls = sites().map(({ url }) => url);
		const guard = { onlyIfUrl: `${urls[1]}\n${urls[0]}` };
		// A site that moves while it is updated must not keep the schedule from being deleted.
		inStep(fleet, () => {
			if (fleet.changes().length > 0) sites()[0]!.url = 'https://moved.example.com';
		});
		const { json } = mustSucceed(await runNode(fleet, updateNow(guard)));
		expect(json.map(({ result }) => result)).toEqual(['updated', 'updated']);
		expect(namesOfNow()).toEqual([]);
	});

	it.each(['url', 'name'] as const)('refuses an update of sites with another %s', async (check) => {
		const [first, second] = sites();
		const given = check === 'url' ? { onlyIfUrl: first!.url } : { onlyIfName: first!.title };
		await leave(ids[0]!);
		fleet.forget();
		for (const preview of [false, true]) {
			const { error } = await runNode(fleet, updateNow({ ...given, preview }));
			expect(error?.message).toMatch(/^Update Now was refused by Only If: the site "/);
			const what = check === 'url' ? 'URL' : 'name';
			expect(error?.message).toContain(`, ${second!.id}) has another ${what} than `);
			expect(error?.description).toContain('Nothing was changed');
		}
		// Not even what a killed execution has left.
		expect(fleet.changes()).toEqual([]);
	});

	it('compares the titles of several sites with a list', async () => {
		const guard = { onlyIfName: '={{ $json.titles }}' };
		const titles = sites().map(({ title }) => title);
		mustSucceed(await runNode(fleet, { ...updateNow(guard), items: [{ titles }] }));
		const { error: other } = await runNode(fleet, {
			...updateNow(guard),
			items: [{ titles: ['Another', titles[0]!] }],
		});
		expect(other?.message).toContain(
			`the site "${titles[1]}" ("${sites()[1]!.url}", ${ids[1]}) has another name than "Another" or "${titles[0]}"`,
		);
	});
});

describe('with limits of the credential', () => {
	const limited = (limits: object) => ({ ...fleet, limits: limits as never });
	const own = (count: number, more = {}) => ({
		...{ siteAccess: 'selected', onlySites: ids.slice(0, count).join() },
		...more,
	});

	it.each<[what: string, limits: () => object, more: object, why: string]>([
		['without changes', () => ({ access: 'readOnly' }), {}, 'its Access is Read Only'],
		['of one of the sites', () => own(1), {}, 'the site  is not in its Only Sites'],
		[
			'of fewer changes than sites',
			() => ({ maxHarmful: 1 }),
			{},
			'Harmful Changes per Execution is 1',
		],
		[
			'that may not weaken protection',
			() => ({ access: 'selected', allowed: ['changesSites'] }),
			{ backup: false },
			'its Access does not include "Weaken Protection"',
		],
	])('%s nothing is sent, and a preview says so', async (_, limits, more, why) => {
		for (const preview of why.startsWith('Harmful') ? [false] : [false, true]) {
			const { error } = await runNode(limited(limits()), updateNow({ ...more, preview }));
			expect(error?.message).toContain(why.replace('site  is', `site ${ids[1]} is`));
		}
		expect(fleet.changes()).toEqual([]);
	});

	it('an update counts its sites, and its schedule is still deleted without Weaken Protection', async () => {
		const access = { access: 'selected', allowed: ['changesSites'] };
		const limits = { maxChanges: 2, maxHarmful: 2, ...own(2), ...access };
		const { json } = mustSucceed(await runNode(limited(limits), updateNow()));
		expect(json.map(({ schedules_left: left }) => left)).toEqual([null, null]);
		expect(namesOfNow()).toEqual([]);
	});

	it('says nothing of schedules of other sites', async () => {
		const id = await leave(ids[2]!);
		const { json } = mustSucceed(await runNode(limited(own(2)), updateNow()));
		expect(json[0]!.schedules_left).toBeNull();
		expect(namesOfNow().map((each) => each.id)).toEqual([id]);
	});
});
