import { ClassicLevel } from 'classic-level';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expectError, list, listIds, second, start, startTime, type TestService } from './support';

const hour = 60 * 60 * second;
const day = 24 * hour;

let folder: string;
let data: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'service-data-'));
	data = join(folder, 'fleet');
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

/** All that a service remembers. */
const everything = ({ world }: TestService) => ({
	rows: world.store.collections().map(([name, collection]) => [name, collection.all()]),
	sequences: world.store.sequences,
	account: world.account,
	random: world.random.state,
	events: [...world.timeline.all()]
		.sort((a, b) => a.order - b.order)
		.map(({ order: _order, ...event }) => event),
});

/** The service once more, after it was stopped. */
async function restart(service: TestService, options: Parameters<typeof start>[0] = {}) {
	await service.close();
	return await start({ data, at: service.clock.now(), sites: undefined, ...options });
}

describe('a service with a data folder', () => {
	it('has everything again after a restart', async () => {
		const before = await start({ data });
		await before.api.post('/tags', { tag: { name: 'Kept' } });
		const [site] = await list(before, '/sites');
		await before.api.post(`/sites/${site.id}/update`, { site: { url: 'https://kept.test' } });
		await before.api.delete('/tags/1');
		before.world.account.active = false;
		const kept = structuredClone(everything(before));
		expect(everything(await restart(before))).toEqual(kept);
	});

	it('keeps what happens by itself, too', async () => {
		const before = await start({ data, living: true });
		before.clock.advance(5 * hour);
		before.world.settle();
		const kept = structuredClone(everything(before));
		expect(everything(await restart(before))).toEqual(kept);
	});

	it('continues as if it had never been stopped', async () => {
		const [one, other] = [await start({ living: true }), await start({ data, living: true })];
		for (const service of [one, other]) {
			service.clock.advance(3 * hour);
			service.world.settle();
		}
		const again = await restart(other, { living: true });
		for (const service of [one, again]) {
			service.clock.advance(3 * hour);
			service.world.settle();
			await service.api.post('/tags', { tag: { name: 'New' } });
		}
		expect(everything(again)).toEqual(everything(one));
	});

	it('runs events that were due while it was stopped', async () => {
		const before = await start({ data });
		const site = before.world.store.sites.all().find(({ locked }) => !locked)!;
		await before.api.post(`/sites/${site.id}/sync`);
		const at = startTime + hour;
		const after = await restart(before, { at });
		const { sync } = (await after.api.get(`/sites/${site.id}`)).data.site;
		expect(sync).toMatchObject({
			in_progress: false,
			last_sync_at: new Date(startTime + after.world.settings.syncMs).toISOString(),
		});
	});

	it('lives through the end of a long pause only', async () => {
		const before = await start({ data, living: true });
		const known = await listIds(before, '/tasks');
		const at = startTime + 3650 * day;
		const after = await restart(before, { at, living: true });
		const first = at - after.world.settings.catchUpMs;
		const started = after.world.store.tasks.all().filter(({ id }) => !known.includes(id));
		expect(started.length).toBeGreaterThan(0);
		for (const task of started) expect(Date.parse(task.created_at)).toBeGreaterThanOrEqual(first);
	});

	it('does not repeat past events', async () => {
		const begun = await start({ data });
		const { id } = begun.world.store.sites
			.all()
			.find(({ locked, backups }) => !locked && backups.enabled)!;
		await begun.api.post(`/sites/${id}/sync`);
		const ended = await restart(begun, { at: startTime + hour });
		const count = ({ world }: TestService) =>
			world.store.sites.get(id)!.backups.available_snapshots;
		const counted = count(ended);
		expect(count(await restart(ended, { at: startTime + 2 * hour }))).toBe(counted);
	});

	it('does not restore what had ended when it continued', async () => {
		const options = { data, settings: { snapshotsPerSite: 1 } };
		const begun = await start(options);
		const { id } = begun.world.store.sites
			.all()
			.find(({ locked, backups }) => !locked && backups.enabled)!;
		await begun.api.post(`/sites/${id}/sync`);
		const ended = await restart(begun, { ...options, at: startTime + hour });
		const kept = structuredClone(everything(ended));
		// Of those that failed as many are kept.
		const usable = ended.world.store.snapshots
			.ofSite(id)
			.filter(({ status }) => status === 'succeeded');
		expect(usable).toHaveLength(1);
		expect(everything(await restart(ended, options))).toEqual(kept);
	});

	it('keeps changes of what an earlier run has made', async () => {
		const made = await start({ data });
		const [site] = await listIds(made, '/sites');
		const path = `/sites/${site}/notes`;
		const { data: created } = await made.api.post(path, { note: { content: 'First' } });
		const changed = await restart(made);
		await changed.api.post(`${path}/${created.note.id}/update`, { note: { content: 'Second' } });
		const { data: kept } = await (await restart(changed)).api.get(`${path}/${created.note.id}`);
		expect(kept.note.content).toBe('Second');
	});

	it('never goes back in time', async () => {
		const before = await start({ data });
		before.clock.advance(day);
		before.world.settle();
		const after = await restart(before, { at: startTime });
		expect(after.clock.now()).toBe(startTime + day);
		expect(after.world.now).toBe(startTime + day);
	});

	it('keeps the order of the rows', async () => {
		const before = await start({ data, sites: 0 });
		const ids = () => before.world.store.tags.all().map(({ id }) => id);
		await before.api.delete('/tags/3');
		for (const name of ['A', 'B', 'C']) await before.api.post('/tags', { tag: { name } });
		const kept = ids();
		const after = await restart(before);
		expect(after.world.store.tags.all().map(({ id }) => id)).toEqual(kept);
		await after.api.post('/tags', { tag: { name: 'D' } });
		expect(after.world.store.tags.all().at(-1)!.name).toBe('D');
	});

	it('does not reuse an ID after a restart', async () => {
		const before = await start({ data, sites: 0 });
		const { data: made } = await before.api.post('/tags', { tag: { name: 'Last' } });
		await before.api.delete(`/tags/${made.tag.id}`);
		const after = await restart(before);
		const { data: next } = await after.api.post('/tags', { tag: { name: 'Next' } });
		expect(Number(next.tag.id)).toBeGreaterThan(Number(made.tag.id));
	});

	it('refuses the fleet of another seed or size, and continues with it when none is requested', async () => {
		await (await start({ data, sites: 3, seed: 7 })).close();
		await expect(start({ data, sites: 3, seed: 8 })).rejects.toThrow(
			'created with seed 7, not 8. Leave that option out',
		);
		await expect(start({ data, sites: 4 })).rejects.toThrow('created with sites 3, not 4');
		expect(await list(await start({ data, sites: undefined }), '/sites')).toHaveLength(3);
	});

	it('refuses a folder of another format', async () => {
		await (await start({ data, sites: 0 })).close();
		const database = new ClassicLevel(data);
		await database.put('origin', JSON.stringify({ format: 0, seed: 1, sites: 0 }));
		await database.close();
		await expect(start({ data, sites: 0 })).rejects.toThrow('another version of the service');
	});

	it('refuses a folder that is in use', async () => {
		await start({ data });
		await expect(start({ data })).rejects.toThrow('is in use by another service');
	});

	it('leaves the folder free after it could not start', async () => {
		const other = await start();
		const port = Number(new URL(other.baseUrl).port);
		await expect(start({ data, port })).rejects.toThrow('EADDRINUSE');
		await start({ data });
	});
});

it('a service without a data folder keeps nothing', async () => {
	const before = await start();
	await before.api.post('/tags', { tag: { name: 'Gone' } });
	await before.close();
	expect(existsSync(data)).toBe(false);
	expect((await list(await start(), '/tags')).map(({ name }) => name)).not.toContain('Gone');
});

describe('an answer of a service with a data folder', () => {
	interface Writer {
		batch(changes: unknown[]): Promise<void>;
	}
	const writes = () => jest.spyOn(ClassicLevel.prototype as unknown as Writer, 'batch');
	afterEach(() => jest.restoreAllMocks());
	const create = ({ api }: TestService, name: string) => api.post('/tags', { tag: { name } });
	const tagNames = async (service: TestService) =>
		(await list(service, '/tags')).map(({ name }) => name);

	it('waits until its content is written, and waiting responses share a write', async () => {
		const service = await start({ data });
		const batch = writes();
		let finish = () => {};
		const begun = new Promise<void>((resolve) => {
			batch.mockImplementationOnce(async () => {
				resolve();
				await new Promise<void>((done) => (finish = done));
			});
		});
		const answered: string[] = [];
		const send = async (name: string) => {
			await create(service, name);
			answered.push(name);
		};
		const first = send('First');
		await begun;
		const others = ['A', 'B', 'C'].map(send);
		while (service.world.store.tags.peek().length < 8 + 4) await nextTurn();
		await nextTurn();
		expect(answered).toEqual([]);
		finish();
		await Promise.all([first, ...others]);
		expect(batch).toHaveBeenCalledTimes(2);
	});

	it('is an error when that cannot be written, and the next write makes up for it', async () => {
		const service = await start({ data });
		const [report] = await listIds(service, '/reports');
		const told = jest.spyOn(console, 'error').mockImplementation();
		const batch = writes().mockRejectedValue(new Error('The disk is full'));
		const refused = await create(service, 'First');
		expectError(refused, 500);
		expect(refused.data.error.message).toMatch(/cannot be written: The disk is full/);
		const file = await service.api.get(`/reports/${report}/download`);
		expectError(file, 500);
		expect(file.headers['content-disposition']).toBeUndefined();
		expect(told.mock.calls.length).toBeLessThanOrEqual(1);

		batch.mockRestore();
		expect((await create(service, 'Second')).status).toBe(201);
		expect(await tagNames(await restart(service))).toEqual(
			expect.arrayContaining(['First', 'Second']),
		);
	});

	it('waits for what happened before a question, too, and for nothing else', async () => {
		const service = await start({ data });
		const site = service.world.store.sites.all().find(({ locked }) => !locked)!;
		await service.api.post(`/sites/${site.id}/sync`);
		const batch = writes();
		await service.api.get('/tags');
		expect(batch).not.toHaveBeenCalled();
		service.clock.advance(hour);
		await service.api.get('/tags');
		expect(batch).toHaveBeenCalledTimes(1);
	});

	it('waits when it has drawn something by chance', async () => {
		const service = await start({ data });
		const staging = service.world.store.stagingSites.all().find((row) => row.status === 'active')!;
		const batch = writes();
		const path = `/staging-sites/${staging.id}/wp/users/sso-login-url`;
		expect((await service.api.get(path)).status).toBe(200);
		expect(batch).toHaveBeenCalledTimes(1);
	});

	it("waits when its time is ahead of the machine's, which a restart would not come to", async () => {
		const service = await start({ data, at: Date.now() + day });
		const batch = writes();
		service.clock.advance(hour);
		await service.api.get('/tags');
		expect(batch).toHaveBeenCalledTimes(1);
	});
});

describe('a record that a change has only read', () => {
	/** The rows that count as changed after requests, by their kinds. */
	async function changed(act: (service: TestService) => Promise<unknown>) {
		const service = await start({ sites: 30 });
		const collections = service.world.store.collections();
		for (const [, collection] of collections) collection.watch(() => service.world.isReading);
		await act(service);
		const counts = collections.map(([name, rows]) => [name, rows.takeChanges().rows.length]);
		return Object.fromEntries(counts.filter(([, count]) => count !== 0));
	}
	const body = (name: string, fields: object) => ({ [name]: fields });
	const accepted = async (answer: Promise<{ status: number }>) =>
		expect((await answer).status).toBeLessThan(300);

	it.each<[string, (service: TestService) => Promise<unknown>, object]>([
		[
			'a new tag',
			({ api }) => accepted(api.post('/tags', body('tag', { name: 'A' }))),
			{ tags: 1 },
		],
		[
			'a changed tag',
			({ api }) => accepted(api.post('/tags/1/update', body('tag', { name: 'A' }))),
			{ tags: 1 },
		],
		[
			'a new site',
			({ api }) => accepted(api.post('/sites', body('site', { url: 'https://new.test' }))),
			{ sites: 1 },
		],
		[
			'a changed address',
			async ({ api, world }) => {
				const [site] = world.store.sites.peek();
				const changes = body('site', { url: 'https://new.test' });
				await accepted(api.post(`/sites/${site!.id}/update`, changes));
			},
			{ sites: 1 },
		],
		[
			'a cancelled task',
			async ({ api, world }) => {
				const task = world.store.tasks.peek().find(({ status }) => status === 'running')!;
				await accepted(api.post(`/tasks/${task.id}/cancel`));
			},
			{ tasks: 1 },
		],
		[
			'a client with a site',
			async ({ api, world }) => {
				const site = world.store.sites.peek().find(({ internal }) => !internal.client_id)!;
				const client = { email: 'a@b.example.com', site_ids: [site.id] };
				await accepted(api.post('/clients', { client }));
			},
			{ clients: 1, sites: 1 },
		],
	])('is not compared for %s', async (_case, act, expected) => {
		expect(await changed(act)).toEqual(expected);
	});
});

describe('a damaged data folder', () => {
	const logFile = () =>
		join(
			data,
			readdirSync(data).find((name) => name.endsWith('.log'))!,
		);
	const inDatabase = async (spoil: (database: ClassicLevel) => Promise<void>) => {
		const database = new ClassicLevel(data);
		await spoil(database);
		await database.close();
	};
	const cases: Record<string, () => unknown> = {
		'half of its log': () => truncateSync(logFile(), statSync(logFile()).size / 2),
		'the last byte of its log': () => truncateSync(logFile(), statSync(logFile()).size - 1),
		'all of its log': () => truncateSync(logFile(), 0),
		'the file of its log': () => rmSync(logFile()),
		'a part in the middle of its log': () => {
			const content = readFileSync(logFile());
			writeFileSync(
				logFile(),
				content.fill(7, Math.floor(content.length / 3), Math.floor(content.length / 2)),
			);
		},
		'the file that names its others': () => rmSync(join(data, 'CURRENT')),
		'its state': () => inDatabase((database) => database.del('state')),
		'a record': () => inDatabase((database) => database.del('row/tags/1')),
		'a part of a record': () => inDatabase((database) => database.put('row/tags/1', '{"order":')),
		'what it was begun with': () => inDatabase((database) => database.put('origin', '')),
	};

	it.each(Object.keys(cases))(
		'without %s is named, and no new fleet is started in it',
		async (lost) => {
			await (await start({ data, sites: 3 })).close();
			await cases[lost]!();
			for (let tries = 0; tries < 2; tries++) {
				const started = start({ data, sites: undefined });
				await expect(started).rejects.toThrow(`The data folder ${data} `);
				await expect(started).rejects.toThrow(/is damaged|cannot be opened/);
			}
		},
	);

	it('of a first start that did not come to its end is filled again', async () => {
		await (await start({ data, sites: 3 })).close();
		await inDatabase((database) => database.del('origin'));
		rmSync(join(data, 'begun'));
		expect(await list(await start({ data, sites: 4 }), '/sites')).toHaveLength(4);
	});
});

describe('a data folder that cannot be created', () => {
	it('is an error', async () => {
		writeFileSync(data, '');
		await expect(start({ data })).rejects.toThrow(`The data folder ${data} cannot be created`);
		const below = join(data, 'below', 'it');
		await expect(start({ data: below })).rejects.toThrow(`${below} cannot be created`);
	});

	it('ends the command line', async () => {
		const root = join(__dirname, '../../..');
		// Below /proc a system says that the parent is missing, again and again.
		const place = existsSync('/proc/self') ? '/proc/fleet' : join(__filename, 'fleet');
		const args = ['--import', 'tsx', join(root, 'sandbox/service/cli.ts'), '--data', place];
		const child = spawn(process.execPath, args, { cwd: root });
		try {
			let errors = '';
			child.stderr.on('data', (text) => (errors += String(text)));
			expect((await once(child, 'close'))[0]).toBe(1);
			expect(errors).toContain(`The data folder ${place} cannot be created`);
		} finally {
			child.kill('SIGKILL');
		}
	}, 20_000);
});
