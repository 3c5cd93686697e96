import axios from 'axios';
import { importWorkflow } from '../../sandbox/lib/content';
import { ManualClock, startService, type Service } from '../../sandbox/service';
import { ends } from '../support/ending';
import { ended, output, startRun, startTestN8n } from '../support/n8n';
import { until } from '../support/until';
import { chain, nodeOf, saveAccount } from '../support/workflow';

/** Component: Update Now, of an n8n that is killed while the schedule of an update is there. */

const FILE = 'page-cache/page-cache.php';
const TICK_MS = 250;

/** What passes at the service in that time, which is less than a new schedule has to its start. */
const PASSES_MS = 30_000;

const TIMEOUT_MS = 10 * 60_000;

const clock = new ManualClock(Date.parse('2026-03-01T12:00:00Z'));
let service: Service;
let n8n: Awaited<ReturnType<typeof startTestN8n>>;
/** Two sites with an update of the plugin. */
let ids: [string, string];

beforeAll(async () => {
	service = ends(await startService({ sites: 3, clock }));
	n8n = ends(await startTestN8n('e2e-update-now'));
	const { baseUrl, world } = service;
	const credentialId = await saveAccount(n8n, service);
	ids = world.store.sites
		.peek()
		.filter(({ locked }) => !locked)
		.slice(0, 2)
		.map(({ id }) => id) as [string, string];
	for (const [at, id] of ids.entries()) {
		const plugins = new URL(`/_sandbox/sites/${id}/plugins`, baseUrl).href;
		await axios.post(plugins, { name: 'page-cache', version: '1.0.0' }, { proxy: false });
		const update = nodeOf(credentialId, 'Update', 'component', {
			...{ resource: 'component', operation: 'updateNow', siteIds: id },
			...{ updateWhat: 'some', updateFiles: FILE },
		});
		const start = nodeOf('', 'Start', 'n8n-nodes-base.manualTrigger', {});
		await importWorkflow(n8n.rest, chain(`update${at}`, start, update));
	}
});

const schedulesOfNow = () =>
	service.world.store.autoUpdateSchedules
		.peek()
		.filter(({ name }) => name.startsWith('Update Now'));

/** Runs the update of a site, for which time passes at the service. */
async function updated(at: number) {
	const ticking = setInterval(() => clock.advance(PASSES_MS), TICK_MS);
	try {
		const id = await startRun(n8n.rest, `update${at}`, 'Start');
		const execution = await ended(n8n.rest, id, TIMEOUT_MS);
		expect(execution.status).toBe('success');
		return output(execution, 'Update');
	} finally {
		clearInterval(ticking);
	}
}

it('what a killed n8n has left is removed by the next update after its run', async () => {
	// Time stands still at the service, so the schedule is there when n8n ends.
	const execution = await startRun(n8n.rest, 'update0', 'Start');
	const left = await until('the schedule', () => schedulesOfNow()[0], TIMEOUT_MS);
	await n8n.kill();
	const deleted = () => service.requests.filter(({ method }) => method === 'DELETE');
	expect(deleted()).toEqual([]);
	expect(left.name).toBe(`Update Now, execution ${execution}, site ${ids[0]}`);

	n8n = ends(await n8n.again());
	expect(await updated(1)).toMatchObject([
		{ site_id: ids[1], name: 'Page Cache', result: 'updated', schedules_left: null },
	]);
	expect(schedulesOfNow().map(({ id }) => id)).toEqual([left.id]);

	const again = await updated(0);
	expect(again.map(({ schedules_left: named }) => named)).toEqual([null]);
	expect(schedulesOfNow()).toEqual([]);
	expect(deleted().map(({ path }) => path)).toContain(`/api/v6/auto-update-schedules/${left.id}`);
});
