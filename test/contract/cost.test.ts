import { readText } from '../support/reference';
import { mustSucceed, type NodeRun, operationRun, runNode } from '../support/engine';
import { fleetOnce, inStep } from '../support/fleet';
import { locator } from '../support/locator';
import { startTaskNow } from '../../sandbox/service/engine/tasks';

/** What operations cost of the account's limit, as docs/queue.md tells it; of polls see triggers/cost.test.ts. */

const TASK_MS = 600_000;

const fleet = fleetOnce({ sites: 1_000 });
beforeAll(() => inStep(fleet));

const sites = () => fleet.world.store.sites.peek();

const byUrl = { __rl: true, mode: 'url', value: '={{ $json.url }}' };

const onSites = (operation: string, more: object = {}, count = 10) => {
	const ofEach = { siteId: locator('={{ $json.id }}'), ...more };
	const items = sites()
		.slice(-count)
		.map(({ id, url }) => ({ id, url }));
	return operationRun('site', operation, ofEach, { items });
};

/** Waits for so many tasks that have just begun. */
const waitFor = (count: number) => {
	const order = { type: 'restore' as const, siteIds: [sites()[0]!.id], durationMs: TASK_MS };
	const items = Array.from({ length: count }, () => ({ id: startTaskNow(fleet.world, order).id }));
	return operationRun('task', 'wait', { taskId: locator('={{ $json.id }}') }, { items });
};

const guard = { onlyIfUrl: '={{ $json.url }}' };
const costs: Record<string, () => NodeRun> = {
	'*Get* of ten sites': () => onSites('get'),
	'*Get* of ten sites chosen *By URL*': () => onSites('get', { siteId: byUrl }),
	'*Get Many* of 1,000 sites with *Return All*': () => onSites('getAll', { returnAll: true }, 1),
	'*Delete* of ten sites with *Only If*': () => onSites('delete', guard),
	'A task of ten minutes, waited for': () => waitFor(1),
	'Twenty such tasks, waited for at once': () => waitFor(20),
};

const told = new Map(
	[...readText('docs/queue.md').matchAll(/^\| (.+?) +\| (\d+) +\|$/gm)].map(([, what, count]) => [
		what,
		Number(count),
	]),
);

it('the page lists all of them', () => {
	expect([...told.keys()]).toEqual(Object.keys(costs));
});

it.each(Object.keys(costs))('%s', async (what) => {
	mustSucceed(await runNode(fleet, costs[what]!()));
	expect(fleet.sent().length).toBe(told.get(what));
});
