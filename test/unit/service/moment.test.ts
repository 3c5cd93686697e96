import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { momentOf, putBack } from '../../../sandbox/service/engine/moment';
import { routes } from '../../../sandbox/service/modules';
import { casesOf, fc, PATIENCE_MS } from '../../support/effort';
import { newFolder } from '../../support/ending';
import {
	day,
	expectError,
	hour,
	list,
	listIds,
	minute,
	start,
	startReal,
	type TestService,
} from './support';

type Moment = Record<string, any>;

const take = async ({ admin }: TestService): Promise<Moment> => (await admin.get('/snapshot')).data;

/** A fleet without the numbers that its rows and events have only by the way: their order counts. */
const inOrder = ({ rows, events, ...rest }: Moment) => ({
	...rest,
	rows: Object.values(rows).map((each: any) => each.map(({ row }: any) => row)),
	events: events.map(({ order: _order, ...event }: any) => event),
});

const put = async ({ admin }: TestService, moment: object | string) =>
	await admin.put('/snapshot', typeof moment === 'string' ? moment : JSON.stringify(moment), {
		headers: { 'Content-Type': 'application/json' },
		transformRequest: (text) => text,
	});

/** Answers to everything that can be asked, with a record of each list. */
async function answers({ admin }: TestService): Promise<Record<string, unknown>> {
	const given: Record<string, unknown> = {};
	const ask = async (path: string) => {
		if (!(path in given)) {
			const { status, data } = await admin.get(path);
			given[path] = { status, data };
		}
		return given[path] as { data: Record<string, unknown> };
	};
	/** The path with ids of records in the place of its parameters. */
	const filled = async (path: string): Promise<string[]> => {
		const [, before, after] = /^([^{]*)\/\{\w+\}(.*)$/.exec(path) ?? [];
		if (before === undefined) return [path];
		const { data } = await ask(before);
		const rows = Object.values(data).find(Array.isArray) ?? [];
		const each = rows.slice(0, 1).map(({ id }) => filled(`${before}/${id}${after}`));
		return (await Promise.all(each)).flat();
	};
	for (const { method, path } of routes) {
		if (method === 'GET') for (const each of await filled(`/api${path}`)) await ask(each);
	}
	for (const path of ['/plan', '/chat', '/tickets', '/clock']) await ask(path);
	return given;
}

type Act = (service: TestService, number: number) => Promise<{ status: number; data: unknown }>;

const one = <T>(rows: readonly T[], number: number) => rows[number % rows.length]!;
const siteAt = ({ world }: TestService, number: number) => one(world.store.sites.peek(), number).id;

/** What is done to a fleet by chance. */
const acts: Record<string, Act> = {
	advance: ({ admin }, number) => admin.post('/clock/advance', { ms: number * 10 * minute }),
	createTag: ({ api }, number) => api.post('/tags', { tag: { name: `New ${number}` } }),
	deleteTag: async (service, number) =>
		service.api.delete(`/tags/${one(await listIds(service, '/tags'), number)}`),
	createSite: ({ api }, number) =>
		api.post('/sites', { site: { url: `https://new-${number}.test` } }),
	deleteSite: (service, number) => service.api.delete(`/sites/${siteAt(service, number)}`),
	sync: (service, number) => service.api.post(`/sites/${siteAt(service, number)}/sync`),
	note: (service, number) =>
		service.api.post(`/sites/${siteAt(service, number)}/notes`, { note: { content: 'New' } }),
	state: (service, number) =>
		service.admin.post(`/sites/${siteAt(service, number)}/state`, { malware: 'hacked' }),
	task: (service, number) =>
		service.admin.post('/tasks', { type: 'restore', site_ids: [siteAt(service, number)] }),
	taskFailure: ({ admin }) => admin.post('/tasks/failures', { type: 'wp_site_update' }),
	plan: ({ admin }, number) => admin.post('/plan', { limits: { tags_per_site: number } }),
	sitePlan: (service, number) =>
		service.admin.post(`/sites/${siteAt(service, number)}/plan`, { without: ['notes'] }),
	chat: ({ admin }, number) => admin.post('/chat', { text: `New ${number}` }),
};

type Story = Array<[name: string, number: number]>;

async function live(service: TestService, story: Story) {
	const told = [];
	for (const [name, number] of story) {
		const { status, data } = await acts[name]!(service, number);
		told.push({ name, status, data });
	}
	return told;
}

const stories = fc.array(fc.tuple(fc.constantFrom(...Object.keys(acts)), fc.nat(40)), {
	minLength: 4,
	maxLength: 12,
});

describe('a fleet that is put back', () => {
	it(
		'has its earlier state, and the same future',
		async () => {
			const service = await start({ living: true, rateLimit: { limit: 1_000_000 } });
			await fc.assert(
				fc.asyncProperty(stories, stories, async (past, future) => {
					await live(service, past);
					const moment = await take(service);
					const before = await answers(service);
					const told = await live(service, future);
					const after = inOrder(await take(service));
					const { revision } = service.world;

					expect((await put(service, moment)).status).toBe(200);
					expect(service.world.revision).toBeGreaterThan(revision);
					expect(await take(service)).toEqual(moment);
					expect(await answers(service)).toEqual(before);
					expect(await live(service, future)).toEqual(told);
					expect(inOrder(await take(service))).toEqual(after);
				}),
				{ numRuns: casesOf('MOMENTS', { quick: 6, long: 200 }), endOnFailure: true },
			);
		},
		PATIENCE_MS,
	);

	it('is not changed by a request that came before, and changes no setting of the service', async () => {
		const hanging = { path: '/none' };
		const service = await start({ faults: { latency: { ms: 100, next: 1 }, hanging } });
		const moment = await take(service);
		const sent = service.api.post('/tags', { tag: { name: 'Late' } });
		while (service.requests.length === 0) await nextTurn();
		await put(service, moment);
		await expect(sent).rejects.toThrow('socket hang up');
		expect(await take(service)).toEqual(moment);
		expect((await service.admin.get('/faults')).data).toEqual({ faults: { hanging } });
		expect(service.requests).toHaveLength(1);
	});

	it('lives if the service does, even if it rested before', async () => {
		const resting = await take(await start());
		const service = await start({ living: true });
		const known = await listIds(service, '/tasks');
		await put(service, resting);
		service.clock.advance(3 * hour);
		expect((await listIds(service, '/tasks')).length).toBeGreaterThan(known.length);
	});

	it('leaves no window of the rate limit in the future', async () => {
		const service = await start({ rateLimit: { limit: 1 } });
		const moment = await take(service);
		service.clock.advance(hour);
		await service.api.get('/tags');
		expectError(await service.api.get('/tags'), 429);
		await put(service, moment);
		expect((await service.api.get('/tags')).status).toBe(200);
		expect((await service.admin.get('/rate-limit')).data.resets_in).toBe(60);
	});

	it('can be read if its records name unknown ones', async () => {
		const service = await start({ living: true, rateLimit: { limit: 1_000_000 } });
		const lost = (name: string, value: unknown) =>
			name === 'default_wp_object_id' || !/_ids?$/.test(name) || value === null
				? value
				: Array.isArray(value)
					? ['none']
					: 'none';
		const { status } = await put(service, JSON.stringify(await take(service), lost));
		expect(status).toBe(200);
		for (const ms of [0, 2 * day]) {
			await service.admin.post('/clock/advance', { ms });
			const statuses = Object.values(await answers(service)).map((each: any) => each.status);
			expect(statuses.filter((each) => each >= 500)).toEqual([]);
		}
	});

	it('is not moved by a move of the clock that was under way, nor by one that waited', async () => {
		const service = await start({ living: true });
		const moment = await take(service);
		const moves = [1, 2].map(() => service.admin.post('/clock/advance', { ms: 366 * day }));
		while ((await service.admin.get('/clock')).data.move === null);
		await put(service, moment);
		for (const answer of await Promise.all(moves)) expectError(answer, 409);
		expect((await take(service)).now).toBe(moment.now);
	});

	it('takes a running clock back as well', async () => {
		const { clock, world } = await startReal();
		const moment = JSON.parse(momentOf(world));
		clock.advance!(day);
		world.settle();
		putBack(world, moment);
		expect(clock.now() - moment.now).toBeLessThan(day / 2);
		expect(world.now).toBe(moment.now);
	});

	it('is in the data folder', async () => {
		const data = join(newFolder('service-moment'), 'fleet');
		const before = await start({ data, living: true });
		const moment = await take(before);
		for (const name of ['createTag', 'deleteTag', 'createSite', 'advance'])
			await acts[name]!(before, 40);
		await put(before, moment);
		const at = before.clock.now();
		await before.close();
		const after = await start({ data, living: true, at, sites: undefined });
		expect(await take(after)).toEqual(moment);
	});
});

describe('a service that is started again', () => {
	const options = {
		rateLimit: { limit: 30 },
		faults: { server_errors: { rate: 0.5 } },
		settings: { tagsPerSite: 3 },
	};

	/** All that can be seen of a service, by itself and in the answers of the next requests. */
	async function shown(service: TestService) {
		const told = [];
		for (let i = 0; i < 12; i++) {
			const { status, data, headers } = await service.api.post('/tags', { tag: { name: `T${i}` } });
			told.push({ status, data, left: headers['x-ratelimit-remaining'], at: headers.date });
		}
		const { world } = service;
		const controls = ['/plan', '/faults', '/rate-limit', '/clock'].map(
			async (path) => (await service.admin.get(path)).data,
		);
		return {
			...{ told, moment: momentOf(world), living: world.living, sent: service.sent() },
			admin: await Promise.all(controls),
		};
	}

	it('is as one that has just been started', async () => {
		const first = await start(options);
		const fresh = await shown(first);
		await live(first, [
			['plan', 0],
			['chat', 1],
			['createSite', 1],
		]);
		await first.admin.post('/faults', { token_expired: true });
		// Less than a window of the rate limit.
		first.clock.advance(1_000);
		first.world.living = true;
		first.world.onPage = undefined;
		await first.close();
		await expect(first.api.get('/tags')).rejects.toThrow(/ECONNREFUSED|hang up/);

		const again = await start(options);
		expect(again.world).toBe(first.world);
		expect(again.baseUrl).not.toBe(first.baseUrl);
		expect(await shown(again)).toEqual(fresh);
		expect(again.world.onPage).toBeDefined();
		expect((await start(options)).world).not.toBe(first.world);
	});

	it('releases requests that wait for a response', async () => {
		const first = await start({ faults: { hanging: {} } });
		const hanging = first.api.get('/tags');
		const stream = await first.admin.get('/changes', { responseType: 'stream' });
		while (first.requests.length === 0) await nextTurn();
		const ended = once(stream.data.resume(), 'error');
		await first.close();
		await expect(hanging).rejects.toThrow('socket hang up');
		await ended;
	});
});

describe('data that is not a fleet of this service', () => {
	/** What is wrong with a text, or with a fleet that is changed in place. */
	type Wrong = string | ((moment: Moment) => void);

	it.each<[message: string, status: number, text: Wrong]>([
		['not valid JSON', 400, '{"format":1,"rows":{"tags":['],
		['body', 400, ''],
		['format is required', 400, '{"tags":[]}'],
		['id is required', 400, ({ rows }) => (rows.tags[0].row = {})],
		['title is required', 400, ({ rows }) => (rows.sites[0].row = { id: 'a' })],
		['planet is not', 400, ({ rows }) => (rows.tags[0].row.planet = 1)],
		['content must be string', 400, ({ rows }) => (rows.notes[0].row.content = 1)],
		['status must be one of', 400, ({ rows }) => (rows.tasks[0].row.status = 'lost')],
		['payload is req', 400, ({ rows }) => (rows.tasks[0].row.internal = {})],
		['created_at', 400, ({ rows }) => (rows.tags[0].row.created_at = '+275760-09-13T00:00:00Z')],
		['now must be <=', 400, (moment) => (moment.now = 8.64e15)],
		['now must be >=', 400, (moment) => (moment.now = -1)],
		['at must be <=', 400, ({ events }) => (events[0].at = 8.64e15)],
		['the ID 1 twice', 400, ({ rows }) => (rows.tags[1].row.id = rows.tags[0].row.id)],
		['order \\d+ twice', 400, ({ rows }) => (rows.tags[1].order = rows.tags[0].order)],
		['order \\d+ twice', 400, ({ events }) => (events[1].order = events[0].order)],
		['tag must be >= 0', 400, ({ sequences }) => (sequences.tag = -1)],
		['taskMs must be number', 400, ({ settings }) => (settings.taskMs = 'long')],
		['format was taken from another version', 422, (moment) => (moment.format = 0)],
		['seed is 2, but .* was created with 1', 422, (moment) => (moment.seed = 2)],
		['sites is 3, but .* was created with 12', 422, (moment) => (moment.sites = 3)],
		['rows was taken from another version', 422, ({ rows }) => (rows.planets = [])],
		['rows was taken from another version', 422, (moment) => (moment.rows = {})],
		['settings was taken from another version', 422, (moment) => (moment.settings = {})],
		['events was taken from another version', 422, ({ events }) => (events[0].kind = 'planet')],
	])('is refused and changes nothing: %s, %d, %s', async (message, status, text) => {
		const service = await start();
		const moment = await take(service);
		if (typeof text !== 'string') text(moment);
		service.clock.advance(hour);
		await service.api.post('/tags', { tag: { name: 'Kept' } });
		const before = momentOf(service.world);
		const answer = await put(service, typeof text === 'string' ? text : moment);
		expectError(answer, status);
		expect(answer.data.error.message).toMatch(new RegExp(message));
		expect(momentOf(service.world)).toBe(before);
		expect(await list(service, '/tags')).toContainEqual(expect.objectContaining({ name: 'Kept' }));
	});

	it('is a fleet of another time where the clock cannot be moved', async () => {
		const { world } = await startReal({ clock: { now: () => day } });
		const moment = JSON.parse(momentOf(world));
		putBack(world, moment);
		expect(() => putBack(world, { ...moment, now: 0 })).toThrow('does not fit this clock');
		expect(world.now).toBe(day);
	});
});
