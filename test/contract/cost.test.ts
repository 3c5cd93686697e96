import { readText } from '../support/reference';
import { runNode, type NodeRun } from '../support/engine';
import { inStep, startFleet, type Fleet } from '../support/fleet';
import { locator } from '../support/locator';
import { startTaskNow } from '../../sandbox/service/engine/tasks';

/** What operations cost of the account's limit, as docs/queue.md tells it; of polls see triggers/cost.test.ts. */

const TASK_MS = 600_000;

let fleet: Fleet;

beforeAll(async () => {
	fleet = await startFleet({ sites: 1_000 });
	inStep(fleet);
});

const sites = () => fleet.world.store.sites.peek();

const onSites = (parameters: NodeRun['parameters'], count: number): NodeRun => ({
	node: 'site',
	parameters: { resource: 'site', siteId: locator('={{ $json.id }}'), ...parameters },
	items: sites()
		.slice(-count)
		.map(({ id, url }) => ({ id, url })),
});

/** Waits for so many tasks that have just begun. */
function waitFor(count: number): NodeRun {
	const order = { type: 'restore' as const, siteIds: [sites()[0]!.id], durationMs: TASK_MS };
	return {
		node: 'task',
		parameters: { resource: 'task', operation: 'wait', taskId: locator('={{ $json.id }}') },
		items: Array.from({ length: count }, () => ({ id: startTaskNow(fleet.world, order).id })),
	};
}

const byUrl = { __rl: true, mode: 'url', value: '={{ $json.url }}' };

const costs: Record<string, () => NodeRun> = {
	'*Get* of ten sites': () => onSites({ operation: 'get' }, 10),
	'*Get* of ten sites chosen *By URL*': () => onSites({ operation: 'get', siteId: byUrl }, 10),
	'*Get Many* of 1,000 sites with *Return All*': () =>
		onSites({ operation: 'getAll', returnAll: true }, 1),
	'*Delete* of ten sites with *Only If*': () =>
		onSites({ operation: 'delete', onlyIf: 'url', onlyIfUrl: '={{ $json.url }}' }, 10),
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
	const run = costs[what]!();
	fleet.forget();
	const { error } = await runNode(fleet, run);
	expect(error).toBeUndefined();
	expect(fleet.sent().length).toBe(told.get(what));
});
