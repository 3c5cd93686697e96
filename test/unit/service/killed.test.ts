import axios, { isAxiosError, type AxiosInstance, type AxiosResponse } from 'axios';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../../sandbox/service/engine/random';
import { casesOf, seed } from '../../support/effort';
import { readableByOthers } from '../../support/readable';

/** `ROUNDS=2000` kills the service more often. */
const rounds = casesOf('ROUNDS', { quick: 8, long: 200 });
const random = new Random(seed);
const minute = 60_000;

interface Running {
	child: ChildProcess;
	api: AxiosInstance;
	admin: AxiosInstance;
}

async function run(data: string): Promise<Running> {
	const root = join(__dirname, '../../..');
	const cli = join(root, 'sandbox/service/cli.ts');
	const options = ['--sites', '6', '--rate-limit', '1000000', '--json', '--data', data];
	// The command of tsx would be a process between, which the kill would meet instead of the service.
	const child = spawn(process.execPath, ['--import', 'tsx', cli, ...options], { cwd: root });
	let errors = '';
	child.stderr.on('data', (text) => (errors += String(text)));
	const started = once(child.stdout, 'data');
	const ended = once(child, 'close').then(() => undefined);
	const [line] = (await Promise.race([started, ended])) ?? [];
	if (line === undefined) throw new Error(`The service did not start: ${errors}`);
	const { baseUrl, token } = JSON.parse(String(line));
	const headers = { Authorization: `Bearer ${token}` };
	const validateStatus = () => true;
	return {
		child,
		api: axios.create({ baseURL: baseUrl, headers, validateStatus }),
		admin: axios.create({ baseURL: new URL('/_sandbox', baseUrl).href, validateStatus }),
	};
}

/** What the service has told, over all rounds. */
class Ledger {
	/** What the record at each path is like; nothing where it was deleted. */
	readonly records = new Map<string, object | undefined>();
	/** The paths of the round that is under way. */
	readonly changed = new Set<string>();
	readonly ids = new Set<string>();
	now = 0;

	note(path: string, record: object | undefined): void {
		this.records.set(path, record);
		this.changed.add(path);
	}

	create(path: string, id: string, record: object): void {
		if (this.ids.has(id)) throw new Error(`The id ${id} of ${path} was given out before`);
		this.ids.add(id);
		this.note(`${path}/${id}`, { id, ...record });
	}

	/** Takes in what a list shows: also what was made, but not acknowledged. */
	see(path: string, id: string): void {
		this.ids.add(id);
		if (!this.records.has(`${path}/${id}`)) this.records.set(`${path}/${id}`, { id });
	}

	/** One of the records of a kind. */
	pick(kind: string): string {
		const paths = [...this.records].filter(([path, record]) => record && path.startsWith(kind));
		return random.pick(paths)[0];
	}

	/** What becomes of the record is unknown until its change is acknowledged. */
	forget(path: string): void {
		this.records.delete(path);
	}
}

/** The data of an answer; an error of the service is no acknowledgement, but a failure. */
async function acknowledged(answer: Promise<AxiosResponse>): Promise<any> {
	const { status, data, config } = await answer;
	if (status < 300) return data;
	throw new Error(`${config.method} ${config.url}: ${status} ${JSON.stringify(data)}`);
}

/** Changes of different kinds at once, each noted when it is acknowledged. */
function change({ api, admin }: Running, ledger: Ledger, name: string, siteIds: string[]) {
	const create = async (path: string, key: string, record: object) => {
		const data = await acknowledged(api.post(path, { [key]: record }));
		ledger.create(path, data[key].id, record);
	};
	const update = async (path: string, key: string, record: object) => {
		ledger.forget(path);
		await acknowledged(api.post(`${path}/update`, { [key]: record }));
		ledger.note(path, record);
	};
	const remove = async (path: string, answer: Promise<AxiosResponse>) => {
		ledger.forget(path);
		await acknowledged(answer);
		ledger.note(path, undefined);
	};
	const [site, other] = siteIds as [string, string];
	const tag = ledger.pick('/tags/');
	const client = ledger.pick('/clients/');
	const time = new Date(random.integer(0, 86_399) * 1000).toISOString().slice(11, 19);
	return [
		create('/tags', 'tag', { name }),
		create('/tags', 'tag', { name }),
		create('/clients', 'client', { email: `${name}@example.com` }),
		create(`/sites/${other}/notes`, 'note', { content: name }),
		update(`/sites/${site}`, 'site', { sync: { daily_sync_time: `${time}Z` } }),
		remove(tag, api.delete(tag)),
		update(ledger.pick('/tags/'), 'tag', { name: `${name} again` }),
		remove(client, api.post('/clients/delete', { ids: [client.slice('/clients/'.length)] })),
		acknowledged(
			admin.post('/tasks', { type: 'speed', site_ids: [site], duration_ms: 3 * minute }),
		).then(({ task }) => ledger.create('/tasks', task.id, {})),
		acknowledged(admin.post('/clock/advance', { ms: minute })).then(({ now }) => {
			ledger.now = Math.max(ledger.now, Date.parse(now));
		}),
	];
}

/** All that was acknowledged is there, and the time has not gone back. */
async function check({ api, admin }: Running, ledger: Ledger, paths: Iterable<string>) {
	for (const path of paths) {
		const { status, data } = await api.get(path);
		const record = ledger.records.get(path);
		expect([path, status]).toEqual([path, record ? 200 : 404]);
		if (record) expect(Object.values(data)[0]).toMatchObject(record);
	}
	const { now } = await acknowledged(admin.post('/clock/advance', { ms: 0 }));
	expect(Date.parse(now)).toBeGreaterThanOrEqual(ledger.now);
}

it(
	'a killed service loses nothing that it has acknowledged, and reuses no ID',
	async () => {
		const folder = await mkdtemp(join(tmpdir(), 'service-killed-'));
		const ledger = new Ledger();
		let running = await run(join(folder, 'fleet'));
		try {
			const { sites } = await acknowledged(running.api.get('/sites'));
			const siteIds: string[] = sites.map(({ id }: { id: string }) => id);
			const look = async (kind: 'tags' | 'clients' | 'tasks') => {
				const data = await acknowledged(running.api.get(`/${kind}`));
				return data[kind].map(({ id }: { id: string }) => id) as string[];
			};
			for (let round = 1; round <= rounds; round++) {
				for (const kind of ['tags', 'clients'] as const) {
					for (const id of await look(kind)) ledger.see(`/${kind}`, id);
				}
				// A fleet forgets its tasks some day.
				for (const id of await look('tasks')) ledger.ids.add(id);
				ledger.changed.clear();
				const answers = change(running, ledger, `round${round}`, siteIds);
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
				await check(running, ledger, ledger.changed);
				siteIds.push(siteIds.shift()!);
			}
			await check(running, ledger, ledger.records.keys());
			expect(readableByOthers(folder)).toEqual([]);
			await acknowledged(running.admin.post('/clock/advance', { ms: 4 * minute }));
			for (const [path] of ledger.records) {
				if (!path.startsWith('/tasks/')) continue;
				const { task } = await acknowledged(running.api.get(path));
				expect([path, task.status]).toEqual([path, 'completed']);
			}
		} finally {
			running.child.kill('SIGKILL');
			await rm(folder, { recursive: true, force: true });
		}
	},
	(rounds + 4) * 20_000,
);
