import { once } from 'node:events';
import { mustSucceed, operationRun, runNode, startNode } from '../../support/engine';
import { fleetEach, inStep } from '../../support/fleet';
import { locator } from '../../support/locator';
import { startWayward } from '../../support/wayward';

/** The service's limit, with a window that passes only when the transport sleeps. */

const fleet = fleetEach({ sites: 30, rateLimit: { limit: 20, windowMs: 60_000 } });
beforeEach(() => inStep(fleet));

const getTags = (count: number) =>
	operationRun('tag', 'get', { tagId: locator('1') }, { items: Array(count).fill({}) });
const names = Array.from({ length: 50 }, (_, index) => ({ name: `Tag ${index}` }));
const createTags = (count: number) =>
	operationRun('tag', 'create', { name: '={{ $json.name }}' }, { items: names.slice(0, count) });

const statuses = () => fleet.requests.map(({ status }) => status);

it('fifty changes pass through a limit of twenty, in order and each once, and wait no longer than for two resets', async () => {
	const start = fleet.clock.now();
	mustSucceed(await runNode(fleet, createTags(50)));
	expect(statuses()).toEqual(Array(50).fill(201));
	expect(fleet.sent().map(({ body }) => body)).toEqual(names.map((tag) => ({ tag })));
	expect(fleet.clock.now() - start).toBe(2 * 60_000);
});

it('a refused request is sent again after the reset, whatever its method', async () => {
	// Someone else uses the account up between the requests of this client.
	await runNode(fleet, createTags(1));
	for (let count = 0; count < 19; count++) await fleet.api.get('/tags');
	fleet.forget();
	const start = fleet.clock.now();
	// It is one change all the same.
	mustSucceed(await runNode({ ...fleet, limits: { maxChanges: 1 } }, createTags(1)));
	expect(fleet.requests.map(({ method, status }) => [method, status])).toEqual([
		['POST', 429],
		['POST', 201],
	]);
	expect(fleet.clock.now() - start).toBeGreaterThanOrEqual(59_000);
});

it('a cancelled execution sends nothing more', async () => {
	let cancel = () => {};
	inStep(fleet, (ms) => {
		if (ms > 0) cancel();
	});
	const run = await startNode(fleet, createTags(50));
	cancel = run.cancel;
	await run.result;
	expect(statuses()).toHaveLength(20);
});

it('a request under way is ended when the execution is cancelled', async () => {
	let cancel = () => {};
	let closed: Promise<unknown> | undefined;
	const service = await startWayward(() => (response) => {
		closed = once(response, 'close');
		cancel();
	});
	const run = await startNode(service, getTags(1));
	cancel = run.cancel;
	await run.result;
	await closed;
	expect(service.requests).toHaveLength(1);
});
