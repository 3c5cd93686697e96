import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { activate } from '../../support/engine';
import { START } from '../../support/fleet';
import { locator } from '../../support/locator';
import { pageOf, startWayward } from '../../support/wayward';
import { HOUR, MINUTE, watching } from '../../support/watching';

/** What all triggers have alike, and what a poll makes of lists that the service of the sandbox never gives. */

describe('a trigger', () => {
	const { fleet, trigger } = watching('taskTrigger', 2, ({ clock }) => clock.advance(HOUR));

	const start = async () => {
		const run = await trigger(['completed'], { filters: { taskTypes: ['test_restore'] } });
		const idsOf = (items: IDataObject[] | null) => items?.map(({ id }) => id) ?? null;
		const poll = async () => idsOf(await run.poll());
		return { ...run, poll, test: async () => idsOf(await run.test()) };
	};

	/** A task that ends between two polls. */
	const happens = () => {
		fleet.clock.advance(MINUTE);
		const siteIds = [fleet.world.store.sites.peek()[0]!.id];
		const order = { type: 'test_restore', siteIds, durationMs: 1_000 } as const;
		const { id } = startTaskNow(fleet.world, order);
		fleet.clock.advance(2_000);
		return id;
	};

	it('shows the newest event in a test run, which leaves the state alone', async () => {
		const { poll, test, state } = await start();
		await poll();
		const before = state();
		const all = Array.from({ length: 6 }, happens);
		expect(await test()).toEqual(all.slice(-1));
		expect(state()).toEqual(before);
		expect(await poll()).toEqual(all);
	});
});

it.each<[node: string, parameters: INodeParameters, name: string]>([
	['taskTrigger', { events: ['completed'] }, 'task'],
	['autoUpdateTrigger', { events: ['noUpdates'] }, 'run of automatic updates'],
	['reportTrigger', { events: ['created'] }, 'report'],
	['backupTrigger', { events: ['backupFailed'] }, 'backup'],
	['siteTrigger', { events: ['disconnected'] }, 'site'],
	['stagingSiteTrigger', { events: ['created'] }, 'staging site'],
	['activityLogTrigger', { siteId: locator('f0f0f0f0f0f0f0f0f0f0f0f0') }, 'log entry'],
])('a test run of the %s over an empty list: %j', async (node, parameters, name) => {
	const service = await startWayward(({ pathname }) =>
		pageOf(pathname.replace(/^.*\//, '').replaceAll('-', '_'), []),
	);
	const { test } = await activate(service, { node, parameters });
	await expect(test()).rejects.toThrow(`No ${name} to show yet`);
});

const taskAt = (id: string, updated_at: string) => ({ id, status: 'completed', updated_at });

/** A trigger of completed tasks, and the list that it reads. */
async function over(tasks: IDataObject[]) {
	const list = { tasks };
	const service = await startWayward(() => pageOf('tasks', list.tasks), {
		Date: 'Sun, 01 Mar 2026 12:00:01 GMT',
	});
	const parameters = { events: ['completed'] };
	const { poll, state } = await activate(service, { node: 'taskTrigger', parameters });
	await poll();
	const told = async () => (await poll())?.map(({ id }) => id) ?? null;
	return { list, told, state };
}

it('an account without tasks starts with the first one', async () => {
	const { list, told } = await over([]);
	list.tasks = [taskAt('first', new Date(START).toISOString())];
	expect(await told()).toEqual(['first']);
	expect(await told()).toBeNull();
});

it('times are compared as times, not as texts', async () => {
	const { list, told } = await over([taskAt('a', '2026-03-01T12:00:00Z')]);
	const later = ['2026-03-01T12:00:00.500Z', '2026-03-01T13:00:01+01:00'];
	list.tasks = [...list.tasks, ...later.map((at, index) => taskAt('bc'[index]!, at))];
	expect(await told()).toEqual(['b', 'c']);
	expect(await told()).toBeNull();
});

const SCRAMBLED = 'a list without the filter or the order that was asked for';

it.each<[string, string[], string]>([
	['not in order', ['12:00:02Z', '12:00:01Z'], SCRAMBLED],
	['with what is too early', ['11:00:00Z', '12:00:01Z'], SCRAMBLED],
	['without times', ['soon'], 'a list without times that can be read'],
])('a list %s is an error, after which nothing is lost', async (_, times, message) => {
	const { list, told, state } = await over([taskAt('a', '2026-03-01T12:00:00Z')]);
	const before = state();
	list.tasks = times.map((at) => taskAt(at, `2026-03-01T${at}`));
	await expect(told()).rejects.toThrow(message);
	expect(state()).toEqual(before);
	list.tasks = [taskAt('d', '2026-03-01T12:00:01Z')];
	expect(await told()).toEqual(['d']);
});
