import { ClassicLevel } from 'classic-level';
import {
	existsSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../support/ending';
import {
	at,
	day,
	endedCli,
	expectError,
	hour,
	list,
	listIds,
	pass,
	start,
	startTime,
	type TestService,
} from './support';

let data: string;
beforeEach(() => void (data = join(newFolder('service-data'), 'fleet')));

const everything = ({ world }: TestService) =>
	structuredClone({
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

const create = ({ api }: TestService, name: string) => api.post('/tags', { tag: { name } });
const tagNames = async (service: TestService) =>
	(await list(service, '/tags')).map(({ name }) => name);

const idle = ({ world }: TestService) =>
	world.store.sites.all().find(({ locked, backups }) => !locked && backups.enabled)!;

describe('a service with a data folder', () => {
	it('continues after a restart as if it had never been stopped', async () => {
		const [one, other] = [await start({ living: true }), await start({ data, living: true })];
		for (const service of [one, other]) {
			pass(service, 3 * hour);
			await create(service, 'Kept');
			await service.api.delete('/tags/1');
		}
		const again = await restart(other, { living: true });
		expect(everything(again)).toEqual(everything(one));
		for (const service of [one, again]) {
			pass(service, 3 * hour);
			await create(service, 'New');
			await service.api.post('/tags/2/update', { tag: { name: 'Changed' } });
			service.world.account.active = false;
		}
		expect(everything(await restart(again, { living: true }))).toEqual(everything(one));
	});

	it('runs events that were due while it was stopped, once, and forgets what they end', async () => {
		const options = { data, settings: { snapshotsPerSite: 1 } };
		const before = await start(options);
		const { id } = idle(before);
		await before.api.post(`/sites/${id}/sync`);
		const after = await restart(before, { ...options, at: startTime + hour });
		expect((await after.api.get(`/sites/${id}`)).data.site.sync).toMatchObject({
			in_progress: false,
			last_sync_at: at(after.world.settings.syncMs),
		});
		const kept = everything(after);
		expect(everything(await restart(after, options))).toEqual(kept);
	});

	it('lives through the end of a long pause only', async () => {
		const before = await start({ data, living: true });
		const known = await listIds(before, '/tasks');
		const now = startTime + 3650 * day;
		const after = await restart(before, { at: now, living: true });
		const first = now - after.world.settings.catchUpMs;
		const started = after.world.store.tasks.all().filter(({ id }) => !known.includes(id));
		expect(started.length).toBeGreaterThan(0);
		for (const task of started) expect(Date.parse(task.created_at)).toBeGreaterThanOrEqual(first);
	});

	it('refuses the fleet of another seed or size, and continues with it when none is requested', async () => {
		await (await start({ data, sites: 3, seed: 7 })).close();
		await expect(start({ data, sites: 3, seed: 8 })).rejects.toThrow(
			'created with seed 7, not 8. Leave that option out',
		);
		await expect(start({ data, sites: 4 })).rejects.toThrow('created with sites 3, not 4');
		expect(await list(await start({ data, sites: undefined }), '/sites')).toHaveLength(3);
	});

	it('refuses a folder that is in use, and leaves one free that it could not start in', async () => {
		const other = await start({ data });
		await expect(start({ data })).rejects.toThrow('is in use by another service');
		await other.close();
		const port = Number(new URL((await start()).baseUrl).port);
		await expect(start({ data, port })).rejects.toThrow('EADDRINUSE');
		await start({ data });
	});
});

it('an answer is an error when its content cannot be written, and the next write makes up for it', async () => {
	const service = await start({ data });
	const [report] = await listIds(service, '/reports');
	const told = jest.spyOn(console, 'error').mockImplementation();
	const database = ClassicLevel.prototype as unknown as { batch: () => Promise<void> };
	jest.spyOn(database, 'batch').mockRejectedValue(new Error('The disk is full'));
	const refused = await create(service, 'First');
	expectError(refused, 500);
	expect(refused.data.error.message).toMatch(/cannot be written: The disk is full/);
	expectError(await service.api.get(`/reports/${report}/download`), 500);
	expect(told.mock.calls.length).toBeLessThanOrEqual(1);

	jest.restoreAllMocks();
	expect((await create(service, 'Second')).status).toBe(201);
	const kept = await tagNames(await restart(service));
	expect(kept).toEqual(expect.arrayContaining(['First', 'Second']));
});

describe('a damaged data folder', () => {
	const logFile = () => {
		const name = readdirSync(data).find((each) => each.endsWith('.log'));
		return join(data, name!);
	};
	const inDatabase = async (spoil: (database: ClassicLevel) => Promise<void>) => {
		const database = new ClassicLevel(data);
		await spoil(database);
		await database.close();
	};

	it.each<[lost: string, spoil: () => unknown]>([
		['half of its log', () => truncateSync(logFile(), statSync(logFile()).size >> 1)],
		['the last byte of its log', () => truncateSync(logFile(), statSync(logFile()).size - 1)],
		['all of its log', () => truncateSync(logFile(), 0)],
		['the file of its log', () => rmSync(logFile())],
		[
			'a part in the middle of its log',
			() => {
				const content = readFileSync(logFile());
				const [from, to] = [content.length / 3, content.length / 2].map(Math.floor);
				writeFileSync(logFile(), content.fill(7, from, to));
			},
		],
		['the file that names its others', () => rmSync(join(data, 'CURRENT'))],
		['its state', () => inDatabase((database) => database.del('state'))],
		['a record', () => inDatabase((database) => database.del('row/tags/1'))],
		['a part of a record', () => inDatabase((base) => base.put('row/tags/1', '{"order":'))],
		['what it was begun with', () => inDatabase((database) => database.put('origin', ''))],
	])('without %s is named, and no new fleet is started in it', async (_lost, spoil) => {
		await (await start({ data, sites: 3 })).close();
		await spoil();
		for (let tries = 0; tries < 2; tries++) {
			const started = start({ data, sites: undefined });
			await expect(started).rejects.toThrow(`The data folder ${data} `);
			await expect(started).rejects.toThrow(/is damaged|cannot be opened/);
		}
	});

	it('of another version is named, and of a first start that did not end is filled again', async () => {
		await (await start({ data, sites: 3 })).close();
		const origin = JSON.stringify({ format: 0, seed: 1, sites: 3 });
		await inDatabase((database) => database.put('origin', origin));
		await expect(start({ data, sites: 3 })).rejects.toThrow('another version of the service');
		await inDatabase((database) => database.del('origin'));
		rmSync(join(data, 'begun'));
		expect(await list(await start({ data, sites: 4 }), '/sites')).toHaveLength(4);
	});
});

it('a data folder that cannot be created ends the command line', async () => {
	writeFileSync(data, '');
	await expect(start({ data })).rejects.toThrow(`The data folder ${data} cannot be created`);
	// Below /proc a system says that the parent is missing, again and again.
	const place = existsSync('/proc/self') ? '/proc/fleet' : join(data, 'below', 'it');
	const { status, stderr } = endedCli('--data', place);
	expect([status, stderr]).toEqual([
		1,
		expect.stringContaining(`The data folder ${place} cannot be created`),
	]);
});
