import type { BackupDestinationRow } from '../../../sandbox/service/domain/backupDestinations/rows';
import type { Settings } from '../../../sandbox/service/engine/settings';
import { expectError, list, start, startTime, type TestService } from './support';

type Provider = BackupDestinationRow['provider'];

const at = (ms: number) => new Date(startTime + ms).toISOString();
const rowOf = ({ world }: TestService, provider: Provider) =>
	world.store.backupDestinations.all().find((row) => row.provider === provider)!;

/** A service whose clock has moved on by a second, with the saved destinations of its providers. */
async function startWithDestinations(settings?: Partial<Settings>) {
	const service = await start({ settings });
	service.clock.advance(1000);
	return { ...service, a: rowOf(service, 'cloudstore_a'), b: rowOf(service, 'cloudstore_b') };
}

/** Makes a destination that of a provider to which no account has given access yet. */
function unsave({ world }: TestService, row: BackupDestinationRow): void {
	world.store.backupDestinations.delete(row.id);
	world.store.backupDestinations.insert({ ...row, id: row.provider });
}

const show = async ({ api }: TestService, id: string) =>
	(await api.get(`/backup-destinations/${id}`)).data.backup_destination;
const act = ({ api }: TestService, id: string, verb: 'test' | 'disconnect') =>
	api.post(`/backup-destinations/${id}/${verb}`);

describe('backup destinations', () => {
	it('are listed with their saved details, without pages', async () => {
		const service = await startWithDestinations();
		const { data } = await service.api.get('/backup-destinations');
		expect(Object.keys(data)).toEqual(['backup_destinations']);
		const [a, b] = data.backup_destinations;
		expect(a).toMatchObject({ provider: 'cloudstore_a', provider_metadata: {}, config: {} });
		expect(b).toMatchObject({
			id: expect.stringMatching(/^bkd_[0-9a-f]+$/),
			provider: 'cloudstore_b',
			status: 'active',
			connected: true,
			provider_metadata: { folder_id: expect.any(String), folder_name: expect.any(String) },
			config: { folder_policy: 'app_folder', folder_name: expect.any(String) },
		});
	});

	it('are shown by the ID of the provider as by their own', async () => {
		const service = await startWithDestinations();
		const byId = await show(service, service.b.id);
		expect(byId.id).toBe(service.b.id);
		expect(await show(service, 'cloudstore_b')).toEqual(byId);
	});

	it('are shown by the ID of a provider that has none saved', async () => {
		const service = await startWithDestinations();
		unsave(service, service.a);
		expect((await show(service, 'cloudstore_a')).provider).toBe('cloudstore_a');
	});

	it('are hidden while their provider is disabled', async () => {
		const service = await startWithDestinations({ cloudstoreBEnabled: false });
		const providers = (await list(service, '/backup-destinations')).map((row) => row.provider);
		expect(providers).toEqual(['cloudstore_a']);
		for (const id of ['cloudstore_b', service.b.id]) {
			expectError(await service.api.get(`/backup-destinations/${id}`), 404);
			expectError(await act(service, id, 'test'), 404);
			expectError(await act(service, id, 'disconnect'), 404);
		}
	});

	it.each(['test', 'disconnect'] as const)(
		'can be addressed by their provider for %s once saved',
		async (verb) => {
			const service = await startWithDestinations();
			const { status, data } = await act(service, 'cloudstore_a', verb);
			expect([status, data.backup_destination.id]).toEqual([200, service.a.id]);
			unsave(service, service.b);
			expectError(await act(service, 'cloudstore_b', verb), 404);
		},
	);
});

describe('testing a backup destination', () => {
	it('refreshes its status, account and upload settings', async () => {
		const service = await startWithDestinations();
		const { b } = service;
		Object.assign(b, {
			status: 'inactive',
			email: 'old@example.com',
			last_error_code: 'x',
			last_error_message: 'x',
		});
		b.internal.access!.config.folder_name = 'Renamed';
		const { status, data } = await act(service, b.id, 'test');
		expect(status).toBe(200);
		expect(data.backup_destination).toMatchObject({
			status: 'active',
			connected: true,
			email: 'backups@fleet.example.com',
			config: { folder_policy: 'app_folder', folder_name: 'Renamed' },
			last_tested_at: at(1000),
			last_error_code: null,
			last_error_message: null,
			updated_at: at(1000),
		});
	});

	it('is refused without access at the provider, which the destination shows then', async () => {
		const service = await startWithDestinations();
		service.b.internal.access = null;
		expectError(await act(service, service.b.id, 'test'), 422);
		expect(await show(service, service.b.id)).toMatchObject({
			status: 'inactive',
			last_tested_at: at(1000),
			last_error_code: 'no_access',
			last_error_message: expect.any(String),
		});
	});

	it('is 503 while the provider is not available, and changes nothing', async () => {
		const service = await startWithDestinations({ unavailableProviders: ['cloudstore_b'] });
		const before = await show(service, service.b.id);
		expectError(await act(service, service.b.id, 'test'), 503);
		expect(await show(service, service.b.id)).toEqual(before);
		expect((await act(service, service.a.id, 'test')).status).toBe(200);
	});
});

describe('disconnecting a backup destination', () => {
	it('makes it inactive and clears the details of the provider', async () => {
		const service = await startWithDestinations();
		const before = await show(service, service.b.id);
		const { status, data } = await act(service, service.b.id, 'disconnect');
		expect(status).toBe(200);
		expect(data.backup_destination).toEqual({
			...before,
			status: 'inactive',
			connected: false,
			email: null,
			provider_account_id: null,
			provider_metadata: {},
			config: {},
			updated_at: at(1000),
		});
		expect(await show(service, 'cloudstore_b')).toEqual(data.backup_destination);
	});

	it('ends the access, and a test does not restore it', async () => {
		const service = await startWithDestinations();
		await act(service, service.b.id, 'disconnect');
		expectError(await act(service, service.b.id, 'test'), 422);
		expect((await show(service, service.b.id)).connected).toBe(false);
	});
});
