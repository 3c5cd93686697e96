import { isAxiosError, type AxiosResponse } from 'axios';
import { once } from 'node:events';
import { join } from 'node:path';
import { Random } from '../../../sandbox/service/engine/random';
import { casesOf, seed } from '../../support/effort';
import { clientsOf } from '../../support/fleet';
import { newFolder } from '../../support/ending';
import { readableByOthers } from '../../support/readable';
import { minute, runCli } from './support';

/** `ROUNDS=2000` kills the service more often. */
const rounds = casesOf('ROUNDS', { quick: 8, long: 200 });
const random = new Random(seed);

jest.setTimeout((rounds + 4) * 20_000);

type Running = Awaited<ReturnType<typeof run>>;

async function run(data: string) {
	const options = ['--sites', '6', '--rate-limit', '1000000', '--json', '--data', data];
	const child = runCli(...options);
	let errors = '';
	child.stderr.on('data', (text) => (errors += String(text)));
	const started = once(child.stdout, 'data');
	const ended = once(child, 'close').then(() => undefined);
	const [line] = (await Promise.race([started, ended])) ?? [];
	if (line === undefined) throw new Error(`The service did not start: ${errors}`);
	return { child, ...clientsOf(JSON.parse(String(line)), () => true) };
}

/** What the record at each path is like, as the service has told; nothing where it was deleted. */
const records = new Map<string, object | undefined>();
/** The paths of the round that is under way. */
const changed = new Set<string>();
const ids = new Set<string>();
let now = 0;

function note(path: string, record: object | undefined): void {
	records.set(path, record);
	changed.add(path);
}

type Answer = Promise<AxiosResponse>;

/** The data of an answer; an error of the service is no acknowledgement, but a failure. */
async function acknowledged(answer: Answer): Promise<any> {
	const { status, data, config } = await answer;
	if (status < 300) return data;
	throw new Error(`${config.method} ${config.url}: ${status} ${JSON.stringify(data)}`);
}

/** Takes in what the lists show: also what was made, but not acknowledged. */
async function see({ api }: Running): Promise<void> {
	for (const kind of ['tags', 'clients', 'tasks']) {
		for (const { id } of (await acknowledged(api.get(`/${kind}`)))[kind]) {
			ids.add(id);
			// A fleet forgets its tasks some day.
			const path = `/${kind}/${id}`;
			if (kind !== 'tasks' && !records.has(path)) records.set(path, { id });
		}
	}
}

/** Changes of different kinds at once, each noted when it is acknowledged. */
function change({ api, admin }: Running, name: string, [site, other]: string[]) {
	const pick = (kind: string) =>
		random.pick([...records].filter(([path, record]) => record && path.startsWith(kind)))[0];
	const create = async (path: string, key: string, record: object, answer?: Answer) => {
		const { id } = (await acknowledged(answer ?? api.post(path, { [key]: record })))[key];
		if (ids.has(id)) throw new Error(`The id ${id} of ${path} was given out before`);
		ids.add(id);
		note(`${path}/${id}`, { id, ...record });
	};
	/** What becomes of the record is unknown until its change is acknowledged. */
	const settle = async (path: string, answer: Answer, record?: object) => {
		records.delete(path);
		await acknowledged(answer);
		note(path, record);
	};
	const update = async (path: string, key: string, record: object) =>
		await settle(path, api.post(`${path}/update`, { [key]: record }), record);
	const tag = pick('/tags/');
	const client = pick('/clients/');
	const time = new Date(random.integer(0, 86_399) * 1000).toISOString().slice(11, 19);
	const task = { type: 'speed', site_ids: [site], duration_ms: 3 * minute };
	return [
		create('/tags', 'tag', { name }),
		create('/tags', 'tag', { name }),
		create('/clients', 'client', { email: `${name}@example.com` }),
		create(`/sites/${other}/notes`, 'note', { content: name }),
		update(`/sites/${site}`, 'site', { sync: { daily_sync_time: `${time}Z` } }),
		settle(tag, api.delete(tag)),
		update(pick('/tags/'), 'tag', { name: `${name} again` }),
		settle(client, api.post('/clients/delete', { ids: [client.slice('/clients/'.length)] })),
		create('/tasks', 'task', {}, admin.post('/tasks', task)),
		acknowledged(admin.post('/clock/advance', { ms: minute })).then((moved) => {
			now = Math.max(now, Date.parse(moved.now));
		}),
	];
}

/** All that was acknowledged is there, and the time has not gone back. */
async function check({ api, admin }: Running, paths: Iterable<string>) {
	for (const path of paths) {
		const { status, data } = await api.get(path);
		const record = records.get(path);
		expect([path, status]).toEqual([path, record ? 200 : 404]);
		if (record) expect(Object.values(data)[0]).toMatchObject(record);
	}
	const moved = await acknowledged(admin.post('/clock/advance', { ms: 0 }));
	expect(Date.parse(moved.now)).toBeGreaterThanOrEqual(now);
}

it('a killed service loses nothing that it has acknowledged, and reuses no ID', async () => {
	const folder = newFolder('service-killed');
	let running = await run(join(folder, 'fleet'));
	try {
		const { sites } = await acknowledged(running.api.get('/sites'));
		const siteIds: string[] = sites.map(({ id }: { id: string }) => id);
		for (let round = 1; round <= rounds; round++) {
			await see(running);
			changed.clear();
			const answers = change(running, `round${round}`, siteIds);
			const last = random.integer(1, answers.length);
			const ended = once(running.child, 'exit');
			let answered = 0;
			const results = await Promise.allSettled(
				answers.map(async (answer) => {
					await answer;
					if (++answered === last) running.child.kill('SIGKILL');
				}),
			);
			for (const result of results) {
				if (result.status === 'rejected' && !isAxiosError(result.reason)) throw result.reason;
			}
			await ended;

			running = await run(join(folder, 'fleet'));
			await check(running, changed);
			siteIds.push(siteIds.shift()!);
		}
		await check(running, records.keys());
		expect(readableByOthers(folder)).toEqual([]);
		await acknowledged(running.admin.post('/clock/advance', { ms: 4 * minute }));
		for (const path of [...records.keys()].filter((each) => each.startsWith('/tasks/'))) {
			const { task } = await acknowledged(running.api.get(path));
			expect([path, task.status]).toEqual([path, 'completed']);
		}
	} finally {
		running.child.kill('SIGKILL');
	}
});
