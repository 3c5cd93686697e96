import { contentOf as fileContentOf } from '../../../sandbox/service/domain/content/fileContent';
import { contentOf, type NodeResult } from '../../support/engine';
import type { Fleet } from '../../support/fleet';
import {
	ofItsSite,
	operationCases,
	outcomes,
	startedTask,
	type OperationCases,
} from '../../support/operationCases';
import { locator } from '../../support/locator';
import type { Names } from '../../support/savedNodes';

const auth = { credentials: { username: 'guard', password: 'secret' } };

const ofSnapshot = ({ site, snapshot }: Names) => ({ site_id: site, snapshot_id: snapshot });

/** What the snapshot says, which is read before it is put to use. */
const ofScan = {
	snapshot_created_at: expect.stringContaining('2026-03-01T'),
	snapshot_scanner_status: 'clean',
};

const ofAll = { files: 'all', tables: 'all', scope_check: null };

/** A task on the snapshot. @param said what is said of its content; contract/scopeInSnapshot.test.ts has the forms */
const onSnapshot = (said: object, set: (ids: Names) => object = () => ({})) => ({
	set: (ids: Names) => ({ siteId: locator(ids.site), ...set(ids) }),
	output: startedTask('initializing', (ids) => ({ ...ofSnapshot(ids), ...said })),
});

const ofStaging = startedTask('queued', ({ staging }) => ({ staging_site_id: staging }));

const isFile = async ({ items }: NodeResult, { file }: Names) => {
	const [item] = items;
	const fileName = file.path.split('/').pop();
	const mimeType = 'application/octet-stream';
	expect(items).toHaveLength(1);
	expect(item!.binary!.data).toMatchObject({ fileName, mimeType });
	expect(item!.json).toMatchObject({
		id: file.id,
		file_name: fileName,
		mime_type: mimeType,
		size_bytes: file.size,
	});
	const bytes: Buffer[] = [];
	for await (const chunk of fileContentOf(file.id, file.size)) bytes.push(chunk as Buffer);
	expect(contentOf(item!).equals(Buffer.concat(bytes))).toBe(true);
};

const totals = (...all: string[]) =>
	Object.fromEntries(
		all.flatMap((of) => [
			[`${of}_total`, expect.any(Number)],
			[`${of}_synced`, expect.any(Number)],
			[`${of}_skipped`, 0],
		]),
	);

const ofSite = ({ site }: Names) => ({ site_id: site });

/** Operations of which nothing is set or said but what is here; all others are of the reference. */
const cases: OperationCases = {
	'backup/backup/enable': {
		output: ofItsSite({ backups_enabled: true }),
	},
	'backup/backup/disable': {
		output: ofItsSite({ backups_enabled: false }),
	},
	'backup/backup/sync': {
		output: ofItsSite({ snapshot_id: expect.any(String), in_progress: true }),
	},
	'backup/backup/findSitesWithoutBackup': {
		set: ({ client }) => ({
			backupSince: '2026-03-01T12:04:00Z',
			filters: { clientId: locator(client) },
		}),
		output: ({ json }, { site, url, client }) =>
			expect(json).toMatchObject([
				{
					...{
						site_id: site,
						site_url: url,
						client_id: client,
						reason: 'last good backup too old',
					},
					last_backup_at: '2026-03-01T12:01:00.000Z',
				},
			]),
	},
	'backup/backup/download': onSnapshot(ofAll),
	'backup/backup/upload': onSnapshot({ ...ofScan, ...ofAll }, ({ destination }) => ({
		provider: 'cloudstore_b',
		backupDestinationId: locator(destination),
	})),
	'backup/backup/migrate': onSnapshot({ ...ofScan, ...ofAll }, ({ otherUrl }) => ({
		destinationUrl: otherUrl,
		connectionMethod: 'http',
		httpAuth: auth,
	})),
	'backup/backup/migrate external': onSnapshot({ ...ofScan, ...ofAll }, () => ({
		type: 'external',
		destinationUrl: 'https://new.example.org',
		connectionMethod: 'ftp',
		ftpCredentials: '{ "server": { "host": "ftp.example.com" }, "database": { "name": "shop" } }',
	})),
	'backup/backup/restore': onSnapshot({ ...ofScan, ...ofAll }),
	'backup/backup/restore subsites': onSnapshot(
		{
			...{ ...ofScan, files: 'none', tables: 'wp_2_posts' },
			scope_check: 'not checked: the service chooses the content of subsites',
		},
		() => ({
			...{ includeFiles: false, tables: 'wp_2_posts', options: { subsiteIds: '2' } },
			...{ connectionMethod: 'http', httpAuth: auth },
		}),
	),
	'backupContent/file/getAll': {
		set: { options: { folder: './wp-content/' } },
		output: ({ json }, { file }) =>
			expect(json).toContainEqual(expect.objectContaining({ path: file.path, type: 'file' })),
	},
	'backupContent/table/getAll': {
		output: ({ json }, ids) =>
			expect(json).toContainEqual(
				expect.objectContaining({ ...ofSite(ids), name: 'wp_posts', status: 'synced' }),
			),
	},
	'backupContent/file/getVersions': {
		set: ({ file }) => ({ fileId: locator(file.id) }),
		output: ({ json }, { site, file: { id, modified_at, size } }) =>
			expect(json).toContainEqual({ version_id: id, site_id: site, modified_at, size_bytes: size }),
	},
	'backupContent/file/getStats': {
		output: ({ json }, ids) =>
			expect(json).toEqual([{ ...ofSite(ids), ...totals('files', 'folders', 'bytes') }]),
	},
	'backupContent/file/download': {
		set: ({ file }) => ({ fileId: locator(file.id) }),
		output: isFile,
	},
	'backupContent/file/compare': {
		set: ({ snapshot, laterSnapshot }) => ({
			...{ snapshotId: locator(snapshot), laterSnapshotId: locator(laterSnapshot) },
			options: { folder: './wp-content', listAllFolders: true },
		}),
		output: ({ json }, ids) =>
			expect(json).toMatchObject([{ ...ofSite(ids), result: 'same', reason: '', files: [] }]),
	},
	'backupContent/file/sync': {
		set: { paths: './wp-content/cache/\n./gone/, ./wp-admin/' },
		output: outcomes(ofSite, 'path', 'synced', () => [
			['./wp-content/cache/'],
			['./gone/', 'not_found'],
			['./wp-admin/', 'core_path'],
		]),
	},
	'backupContent/file/skip': {
		set: { paths: '={{ ["./wp-content/cache/"] }}' },
		output: outcomes(ofSite, 'path', 'skipped', () => [['./wp-content/cache/']]),
	},
	'backupContent/table/getStats': {
		output: ({ json }, ids) => expect(json).toEqual([{ ...ofSite(ids), ...totals('tables') }]),
	},
	'backupContent/table/sync': {
		set: { tables: 'wp_posts, wp_gone' },
		output: outcomes(ofSite, 'name', 'synced', () => [['wp_posts'], ['wp_gone', 'not_found']]),
	},
	'backupContent/table/skip': {
		set: { tables: 'wp_options' },
		output: outcomes(ofSite, 'name', 'skipped', () => [['wp_options']]),
	},
	'snapshot/snapshot/getAll': {},
	'snapshot/snapshot/findFirstHacked': {
		output: ({ json }, { site, laterSnapshot }) =>
			expect(json).toMatchObject([
				{
					...{ result: 'none_hacked', reason: '', clean_snapshot_id: laterSnapshot },
					...{ newest_scan: 'clean', newest_snapshot_id: laterSnapshot, site_id: site },
				},
			]),
	},
	'stagingSite/stagingSite/create': {
		set: ({ site, snapshot }) => ({ siteId: locator(site), snapshotId: locator(snapshot) }),
		output: startedTask('queued', (ids) => ({ ...ofSnapshot(ids), ...ofScan })),
	},
	'stagingSite/stagingSite/extendExpiry': { set: { days: '={{ "3" }}' } },
	'stagingSite/stagingSite/resume': { on: ['pausedStaging'] },
	'stagingSite/stagingSite/updatePhpVersion': { set: { phpVersion: '8.3' }, output: ofStaging },
	'stagingSite/stagingSite/download': { set: { includeFiles: false }, output: ofStaging },
	'stagingSite/stagingSite/getSsoLoginUrl': {
		set: { options: { wpObjectId: '={{ 3 }}' } },
		output: ({ json }, { staging, stagingUrl }) =>
			expect(json).toEqual([
				{
					staging_site_id: staging,
					sso_login_url: expect.stringContaining(`${stagingUrl}/wp-login.php?user_id=3`),
				},
			]),
	},
};

/** A multisite with two snapshots, the older one with a note, and a staging copy of that. */
async function prepare({ api, clock, world, sites }: Fleet): Promise<Names> {
	const { store } = world;
	const url = 'https://own.example.com';
	const { data } = await api.post('/sites', { site: { url } });
	const site = data.site.id as string;
	store.sites.get(site)!.multisite = true;
	const sync = async (body?: object) => {
		const answer = await api.post(`/sites/${site}/sync`, body);
		clock.advance(60_000);
		return answer.data.sync.snapshot_id as string;
	};
	const snapshot = await sync({ sync: { message: 'Before the sale' } });
	const laterSnapshot = await sync();
	const [other] = await sites(2).then((all) => all.filter(({ id }) => id !== site));
	const saved = store.backupDestinations
		.all()
		.find(({ provider, connected }) => provider === 'cloudstore_b' && connected)!;
	const files = await api.get(`/sites/${site}/files`, {
		params: { path: './wp-content/', 'filters[name:contains]': 'debug.log' },
	});
	await api.post('/staging-sites', { staging_site: { site_id: site, snapshot_id: snapshot } });
	clock.advance(180_000);
	const stagings = (await api.get('/staging-sites')).data.staging_sites as Array<
		Record<'id' | 'site_id' | 'status' | 'url', string>
	>;
	const own = stagings.find(({ site_id }) => site_id === site)!;
	const { data: added } = await api.post('/clients', {
		client: { email: 'client@example.com', site_ids: [site] },
	});
	return {
		site,
		client: added.client.id,
		url,
		otherUrl: other!.url as string,
		snapshot,
		laterSnapshot,
		destination: saved.id,
		file: files.data.files[0],
		staging: own.id,
		pausedStaging: stagings.find(({ status }) => status === 'paused')!.id,
		stagingUrl: own.url,
	};
}

const called = { stagingSite: 'staging', backupDestination: 'destination' };

operationCases('backups', prepare, cases, called);
