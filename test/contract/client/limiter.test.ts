import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { activate, runNode, searchList, startNode } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

/** The service's limit, with a window that passes only when the transport sleeps. */

const fleet = fleetEach({ sites: 30, rateLimit: { limit: 20, windowMs: 60_000 } });
let slept: number[];

beforeEach(async () => {
	slept = [];
	useClock({
		now: () => fleet.clock.now(),
		sleep: (ms) => {
			slept.push(ms);
			fleet.clock.advance(ms);
		},
	});
});

const getTags = (count: number) => ({
	node: 'tag',
	parameters: {
		resource: 'tag',
		operation: 'get',
		tagId: locator('1'),
	},
	items: Array.from({ length: count }, () => ({})),
});
const createTags = (count: number) => ({
	node: 'tag',
	parameters: { resource: 'tag', operation: 'create', name: '={{ $json.name }}' },
	items: Array.from({ length: count }, (_, index) => ({ name: `Tag ${index}` })),
});

const statuses = () => fleet.requests.map(({ status }) => status);

/** Requests per window of the service's clock, as its headers count them. */
const refused = () => statuses().filter((status) => status === 429).length;

it('fifty reads pass through a limit of twenty: none is refused, none fails', async () => {
	const { error, json } = await runNode(fleet, getTags(50));
	expect(error).toBeUndefined();
	expect(json).toHaveLength(50);
	expect(refused()).toBe(0);
	expect(statuses()).toHaveLength(50);
});

it('fifty changes pass through a limit of twenty, in order and each once', async () => {
	const { error } = await runNode(fleet, createTags(50));
	expect(error).toBeUndefined();
	expect(refused()).toBe(0);
	const names = fleet.sent().map(({ body }) => (body as { tag: { name: string } }).tag.name);
	expect(names).toEqual(createTags(50).items.map(({ name }) => name));
});

it('it waits for the reset of the window, and no longer', async () => {
	await runNode(fleet, createTags(50));
	const [start, end] = [Date.parse('2026-03-01T12:00:00Z'), fleet.clock.now()];
	expect(end - start).toBe(2 * 60_000);
});

it('a refused request is sent again after the reset, whatever its method', async () => {
	// Someone else uses the account up between the requests of this client.
	await runNode(fleet, createTags(1));
	for (let count = 0; count < 19; count++) await fleet.api.get('/tags');
	fleet.forget();
	// It is one change all the same.
	const { error } = await runNode({ ...fleet, limits: { maxChanges: 1 } }, createTags(1));
	expect(error).toBeUndefined();
	expect(fleet.requests.map(({ method, status }) => [method, status])).toEqual([
		['POST', 429],
		['POST', 201],
	]);
	expect(slept.some((ms) => ms >= 59_000)).toBe(true);
});

it('pages of a list are paced as well', async () => {
	for (let count = 0; count < 19; count++) await fleet.api.get('/tags');
	fleet.forget();
	await runNode(fleet, getTags(1));
	const { json } = await runNode(fleet, {
		node: 'site',
		parameters: { resource: 'site', operation: 'getAll', returnAll: true },
	});
	expect(json).toHaveLength(30);
	expect(refused()).toBe(0);
});

it('the cap of the credential is kept', async () => {
	const sent = [0];
	useClock({
		now: () => fleet.clock.now(),
		sleep: (ms) => {
			if (ms > 0) sent.push(fleet.requests.length);
			fleet.clock.advance(ms);
		},
	});
	const { json } = await runNode({ ...fleet, requestsPerMinute: 5 }, getTags(12));
	expect(json).toHaveLength(12);
	// Time passes here while requests are under way, so that they end later than in truth.
	const inAMinute = sent.slice(1).map((count, index) => count - sent[index]!);
	expect(inAMinute.length).toBeGreaterThanOrEqual(2);
	expect(Math.max(...inAMinute)).toBeLessThanOrEqual(5);
});

it('a cancelled execution sends nothing more', async () => {
	let cancel = () => {};
	useClock({
		now: () => fleet.clock.now(),
		sleep: (ms) => {
			if (ms > 0) cancel();
			fleet.clock.advance(ms);
		},
	});
	const run = await startNode(fleet, createTags(50));
	cancel = run.cancel;
	await run.result;
	expect(statuses()).toHaveLength(20);
});

it('a request under way is ended when the execution is cancelled', async () => {
	let cancel = () => {};
	const closed = new Promise<void>((resolve) => {
		// It never answers.
		const server = createServer((request) => {
			request.socket.once('close', () => {
				server.close();
				resolve();
			});
			cancel();
		});
		const start = async () => {
			const { port } = server.address() as AddressInfo;
			const access = { baseUrl: `http://127.0.0.1:${port}/api/v6`, token: 'token' };
			const run = await startNode(access, getTags(1));
			cancel = run.cancel;
			await run.result;
		};
		server.listen(0, '127.0.0.1', () => void start());
	});
	await closed;
});

it('a list search and a poll go before the items that wait', async () => {
	const { poll } = await activate(fleet, {
		node: 'taskTrigger',
		parameters: { events: ['completed'] },
	});
	await poll();
	fleet.forget();
	const items = runNode(fleet, getTags(60));
	// By then the items have filled the window, and the others come after them.
	while (fleet.sent().length < 10) await new Promise((resolve) => setImmediate(resolve));
	const search = { node: 'site', method: 'searchSites', parameters: {} };
	await Promise.all([poll(), searchList(fleet, search), items]);
	const routes = fleet.sent().map(({ route }) => route);
	expect(routes).toHaveLength(62);
	expect(routes.slice(0, 40)).toEqual(expect.arrayContaining(['GET /tasks', 'GET /sites']));
});
