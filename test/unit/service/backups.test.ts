import { addSite, day, expectError, list, minute, pass, startSnapshot, sync } from './support';

const scope = { include_files: true, include_database: true };
const credentials = { server: { host: 'ftp.example.org' }, database: { name: 'shop' } };
const ftp = { method: 'ftp', credentials };
const basic = { http_auth: { username: 'user', password: 'secret' } };
const other = 'https://two.example.com';

/** What each operation needs besides the scope, in its wrapper. */
const needed = {
	download: ['download', {}],
	upload: ['upload', { destination: { provider: 'cloudstore_a' } }],
	migrate: [
		'migration',
		{ destination_url: 'https://new.example.org', type: 'external', connection: ftp },
	],
	restore: ['restore', {}],
} as const;
type Verb = keyof typeof needed;

async function startBackups() {
	const service = await startSnapshot();
	const { api, path, snapshotId } = service;
	await addSite(service, other);
	return {
		...service,
		run: async (verb: Verb, body: object = {}) => {
			const [wrapper, more] = needed[verb];
			return await api.post(`${path}/backups/${snapshotId}/${verb}`, {
				[wrapper]: { scope, ...more, ...body },
			});
		},
		finish: () => pass(service, 2 * minute),
	};
}

const internal = { type: 'internal', destination_url: other, connection: undefined };
const until = 'options.real_time_events.until';
const events = { options: { real_time_events: { enabled: true } } };
const noDatabase = { credentials: { server: { host: 'x' }, database: {} } };
const toA = { provider: 'cloudstore_a', id: 'bkd_1' };

it.each<[Verb, object, string]>([
	['download', events, until],
	['download', { scope: { include_files: true, tables: ['wp_posts'] } }, 'scope.tables'],
	['upload', { destination: toA }, 'destination.id'],
	['upload', { destination: { provider: 'cloudstore_b' } }, 'destination.id'],
	['migrate', { connection: { method: 'http' } }, 'connection.method'],
	['migrate', { ...internal, destination_url: 'https://three.example.com' }, 'destination_url'],
	['restore', { scope: {} }, 'scope'],
	['restore', { connection: { method: 'ftp', ...noDatabase } }, 'connection.credentials.database'],
	['restore', { connection: { credentials } }, 'connection.credentials.server'],
	['restore', { scope: { ...scope, subsite_ids: ['2'] } }, 'scope.subsite_ids'],
])('%s is refused with %j', async (verb, body, param) => {
	const { run } = await startBackups();
	const [wrapper] = needed[verb];
	expect(expectError(await run(verb, body), 422)).toEqual([`${wrapper}.${param}`]);
});

it('an operation begins when the one before has ended or is cancelled', async () => {
	const { api, finish, run } = await startBackups();
	const http = { method: 'http', credentials: basic };
	for (const [verb, body] of [
		['download', {}],
		['migrate', { ...internal, connection: http }],
		['restore', { connection: ftp }],
		['restore', { connection: { credentials: basic } }],
	] as const) {
		expect((await run(verb, body)).status).toBe(201);
		expectError(await run('upload'), 409);
		finish();
	}
	const { data } = await run('download');
	await api.post(`/tasks/${data.task.id}/cancel`);
	expect((await run('upload')).status).toBe(201);
});

const files = { include_files: true };
const admin = { ...files, paths: ['./wp-admin/'] };
const nothing = { log: 'between', rows: 'between' } as const;

it.each([
	['all', 'completed', scope, { log: 'before', rows: 'before' }],
	['files', 'completed', files, { log: 'before', rows: 'between' }],
	['other files', 'completed', admin, nothing],
	['all', 'cancelled', scope, nothing],
] as const)('a restore of %s, %s, is in the next snapshot', async (_, end, restored, expected) => {
	const service = await startBackups();
	const { api, clock, finish, path, run, site } = service;
	const read = async () => ({
		log: (await list(service, `${path}/files`, { path: './wp-content/' })).find(
			({ name }) => name === 'debug.log',
		).modified_at,
		rows: (await list(service, `${path}/tables`)).reduce((sum, table) => sum + table.rows, 0),
	});
	const before = await read();
	clock.advance(4 * day);
	await sync(service, site.id);
	const between = await read();
	expect([between.log > before.log, between.rows > before.rows]).toEqual([true, true]);
	const { data } = await run('restore', { scope: restored });
	if (end === 'cancelled') await api.post(`/tasks/${data.task.id}/cancel`);
	finish();
	await sync(service, site.id);
	const states = { before, between };
	const { log, rows } = expected;
	expect(await read()).toEqual({ log: states[log].log, rows: states[rows].rows });
});
