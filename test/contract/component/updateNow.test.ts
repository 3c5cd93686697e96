import { type NodeRun, runNode } from '../../support/engine';
import { fleetEach, inStep, START } from '../../support/fleet';

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

const updateNow = (more: object = {}): NodeRun => ({
	node: 'component',
	parameters: {
		...{ resource: 'component', operation: 'updateNow', siteIds: ids.slice(0, 2).join(', ') },
		...{ updateWhat: 'some', updateFiles: FILE, ...more },
	},
});

const schedules = () => fleet.world.store.autoUpdateSchedules.peek();
const namesOfNow = () => schedules().filter(({ name }) => name.startsWith('Update Now'));

it('updates the chosen components of the chosen sites, and leaves no schedule behind', async () => {
	const before = schedules().length;
	const { json, error } = await runNode(fleet, updateNow());
	expect(error).toBeUndefined();
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
			...{ schedule: 'weekly_on_day', started_at: expect.any(String), options: { backup: true } },
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

it.each([
	['', /"Components" is empty/],
	['={{ $json.gone }}', /"Components" has no value/],
])('refuses to update without a component: "%s"', async (updateFiles, message) => {
	const { error } = await runNode(fleet, updateNow({ updateFiles }));
	expect(error?.message).toMatch(message);
	expect(fleet.sent()).toEqual([]);
});

it('shows in a preview what would be updated, and changes nothing', async () => {
	const { json, error } = await runNode(fleet, updateNow({ preview: true }));
	expect(error).toBeUndefined();
	expect(fleet.changes()).toEqual([]);
	expect(json[0]).toMatchObject({
		preview: true,
		operation: 'Component: Update Now',
		request: { body: { auto_update_schedule: { scope: { updates: { cms_core: false } } } } },
	});
});

/** A schedule as a killed execution leaves it. */
async function leave(siteId: string) {
	const { data } = await fleet.api.post('/auto-update-schedules', {
		auto_update_schedule: {
			name: `Update Now, execution 17, site ${siteId}`,
			schedule: 'weekly_on_day',
			started_at: new Date(fleet.clock.now() + 120_000).toISOString(),
			scope: { sites: { selection: 'specific', ids: [siteId] }, updates: { cms_core: true } },
			options: { backup: true },
		},
	});
	return data.auto_update_schedule.id as string;
}

it('waits for what a killed execution has begun on the same site, and removes its schedule', async () => {
	await leave(ids[0]!);
	fleet.forget();
	const { json, error } = await runNode(fleet, updateNow());
	expect(error).toBeUndefined();
	expect(namesOfNow()).toEqual([]);
	expect(json.every(({ result }) => result === 'updated')).toBe(true);
	const [first, second] = fleet.changes();
	expect([first, second]).toEqual([
		expect.stringMatching(/^DELETE/),
		'POST /auto-update-schedules',
	]);
});

it('leaves the schedule of another site alone that another execution may still wait for, and names it', async () => {
	const id = await leave(ids[2]!);
	const { json } = await runNode(fleet, { ...updateNow() });
	expect(namesOfNow().map((each) => each.id)).toEqual([id]);
	expect(json[0]!.schedules_left).toContain(`site ${ids[2]} (${id}): its run has not ended`);
	fleet.clock.advance(4_000_000);
	const again = await runNode(fleet, updateNow());
	expect(again.json[0]!.schedules_left).toBeNull();
	expect(namesOfNow()).toEqual([]);
});

it('names a schedule that it could not delete', async () => {
	await fleet.admin.post('/faults', { server_errors: { method: 'DELETE' } });
	const { json, error } = await runNode(fleet, updateNow());
	expect(error).toBeUndefined();
	const [left] = namesOfNow();
	expect(json[0]!.schedules_left).toContain(`${left!.name} (${left!.id}): `);
	expect(json[0]!.result).toBe('updated');
});

it('deletes the schedule and says that the end is not known where the history cannot be read', async () => {
	await fleet.admin.post('/faults', {
		wrong_answers: { kind: 'html', path: '/auto-update-history' },
	});
	const { json, error } = await runNode(fleet, updateNow());
	expect(json).toEqual([]);
	expect(error?.message).toMatch(/^The update was scheduled, but it is not known how it ended: /);
	expect(error?.context?.details).toMatchObject({ outcome: 'started' });
	expect(namesOfNow()).toEqual([]);
});
