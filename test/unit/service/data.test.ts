import axios from 'axios';
import { ClassicLevel } from 'classic-level';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { list, listIds, second, start, startTime, type TestService } from './support';

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

	it('goes on as if it had never been stopped', async () => {
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

	it('lets happen what was due while it was stopped', async () => {
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

	it('does not let happen again what has happened', async () => {
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

	it('does not give an id out again after a restart', async () => {
		const before = await start({ data, sites: 0 });
		const { data: made } = await before.api.post('/tags', { tag: { name: 'Last' } });
		await before.api.delete(`/tags/${made.tag.id}`);
		const after = await restart(before);
		const { data: next } = await after.api.post('/tags', { tag: { name: 'Next' } });
		expect(Number(next.tag.id)).toBeGreaterThan(Number(made.tag.id));
	});

	it('refuses the fleet of another seed or size, and goes on with it when none is asked for', async () => {
		await (await start({ data, sites: 3, seed: 7 })).close();
		await expect(start({ data, sites: 3, seed: 8 })).rejects.toThrow(
			'begun with seed 7, not 8: leave that out',
		);
		await expect(start({ data, sites: 4 })).rejects.toThrow('begun with sites 3, not 4');
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

it('a service that is killed has lost nothing but its last moment', async () => {
	const root = join(__dirname, '../../..');
	const run = async () => {
		const cli = join(root, 'sandbox/service/cli.ts');
		const args = ['--import', 'tsx', cli, '--sites', '3', '--json', '--data', data];
		const child = spawn(process.execPath, args, { cwd: root });
		const [line] = await once(child.stdout, 'data');
		const { baseUrl: baseURL, token } = JSON.parse(String(line));
		const headers = { Authorization: `Bearer ${token}` };
		return { child, api: axios.create({ baseURL, headers }) };
	};
	const first = await run();
	await first.api.post('/tags', { tag: { name: 'Kept' } });
	await new Promise((resolve) => setTimeout(resolve, 500));
	first.child.kill('SIGKILL');
	await once(first.child, 'exit');

	const next = await run();
	try {
		const { data: answer } = await next.api.get('/tags');
		expect(answer.tags.map(({ name }: { name: string }) => name)).toContain('Kept');
	} finally {
		next.child.kill('SIGKILL');
	}
}, 30_000);
