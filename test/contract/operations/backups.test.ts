import { contentOf as fileContentOf } from '../../../sandbox/service/domain/content/fileContent';
import { between, changeCases, listCases, outcomes } from '../../support/caseKinds';
import { contentOf, type NodeResult } from '../../support/engine';
import type { Fleet } from '../../support/fleet';
import {
	having,
	idCases,
	list,
	operationCases,
	query,
	request,
	type OperationCase,
	type Called,
	type OperationCases,
} from '../../support/operationCases';
import { locator } from '../../support/locator';

interface Ids {
	site: string;
	/** The client of `site` alone. */
	client: string;
	url: string;
	otherUrl: string;
	snapshot: string;
	destination: string;
	file: { id: string; path: string; modified_at: string; size: number };
	staging: string;
	pausedStaging: string;
	stagingUrl: string;
}

const UNTIL = '2026-03-01T12:00:30';
const noEvents = { real_time_events: { enabled: false } };
const events = { real_time_events: { enabled: true, until: `${UNTIL}Z` } };
const everything = { include_files: true, include_database: true };
const auth = { username: 'guard', password: 'secret' };
const ftp = { server: { host: 'ftp.example.com' }, database: { name: 'shop' } };

/** @param above the ids of what it is started for */
const startedTask =
	(status: string, above: (ids: Ids) => object): OperationCase<Ids>['output'] =>
	({ json }, ids) =>
		expect(json).toEqual([
			{
				task_id: expect.any(String),
				task_status: status,
				task_started_at: expect.stringContaining('2026-03-01T'),
				...above(ids),
			},
		]);

const ofSnapshot = ({ site, snapshot }: Ids) => ({ site_id: site, snapshot_id: snapshot });

const ofStaging = ({ staging }: Ids) => ({ staging_site_id: staging });

/** What is read of a snapshot before it is put to use. */
const look = ({ site, snapshot }: Ids) => request(`GET /sites/${site}/snapshots/${snapshot}`);

/** What is read of a folder of the snapshot, or of its tables. */
const content = ({ site, snapshot }: Ids, what: 'files' | 'tables', folder?: string) =>
	query(`GET /sites/${site}/${what}`, {
		snapshot_id: snapshot,
		...(folder !== undefined && { path: folder }),
		page: '1',
		perPage: '100',
	});

const ofScan = {
	snapshot_created_at: expect.stringContaining('2026-03-01T'),
	snapshot_scanner_status: 'clean',
};

/** What the output says of the content: of the lists that are sent, or else of all. */
function ofScope({ scope }: { scope: Record<string, any> }) {
	const textOf = (isIncluded: boolean, names?: string[]) =>
		isIncluded ? (names?.join(', ') ?? 'all') : 'none';
	const { subsite_ids: subsites } = scope;
	return {
		files: textOf(scope.include_files, scope.paths),
		tables: textOf(scope.include_database, scope.tables),
		scope_check: subsites
			? 'not checked: the service chooses the content of subsites'
			: scope.paths || scope.tables
				? 'found'
				: null,
	};
}

/** An operation on the snapshot. */
interface OnSnapshot {
	set?: object;
	/** What is chosen of it; otherwise all. */
	scope?: Record<string, unknown>;
	/** What is sent besides. */
	more?: object;
	/** Whether real-time events are applied. */
	isLive?: boolean;
	/** The folders of the paths, which are read. */
	folders?: string[];
}

const onSnapshot = (verb: string, about: (ids: Ids) => OnSnapshot): OperationCase<Ids> => {
	const bodyOf = (ids: Ids) => {
		const { scope, more, isLive } = about(ids);
		const options = isLive ? events : noEvents;
		return { ...more, scope: { ...everything, ...scope }, options };
	};
	return {
		parameters: (ids) => {
			const { set, isLive } = about(ids);
			const live = isLive ? { realTimeEvents: true, until: UNTIL } : {};
			const { site, snapshot } = ids;
			return { siteId: locator(site), snapshotId: locator(snapshot), ...live, ...set };
		},
		sent: (ids) => [
			...(verb === 'download' ? [] : [look(ids)]),
			...(about(ids).folders ?? []).map((folder) => content(ids, 'files', folder)),
			...(about(ids).scope?.tables ? [content(ids, 'tables')] : []),
			request(`POST /sites/${ids.site}/backups/${ids.snapshot}/${verb}`, {
				[verb === 'migrate' ? 'migration' : verb]: bodyOf(ids),
			}),
		],
		output: startedTask('initializing', (ids) => ({
			...ofSnapshot(ids),
			...(verb !== 'download' && ofScan),
			...ofScope(bodyOf(ids)),
		})),
	};
};

const isFile: OperationCase<Ids>['output'] = async ({ items }, { file }) => {
	const [item] = items;
	const fileName = file.path.split('/').pop();
	const mimeType = 'application/octet-stream';
	expect(items).toHaveLength(1);
	expect(item!.binary!.data).toMatchObject({ fileName, mimeType });
	expect(item!.json).toMatchObject({
		file_name: fileName,
		mime_type: mimeType,
		size_bytes: file.size,
	});
	const bytes: Buffer[] = [];
	for await (const chunk of fileContentOf(file.id, file.size)) bytes.push(chunk as Buffer);
	expect(contentOf(item!).equals(Buffer.concat(bytes))).toBe(true);
};

const totals = (of: 'files' | 'folders' | 'tables' | 'bytes') => ({
	[`${of}_total`]: expect.any(Number),
	[`${of}_synced`]: expect.any(Number),
	[`${of}_skipped`]: 0,
});

const stagingParameters = ({ staging }: Ids) => ({ stagingSiteId: locator(staging) });

/** The records of `Ids` that are not called as in a path. */
const called: Called<Ids> = { stagingSite: 'staging', backupDestination: 'destination' };

/** Operations that take nothing but ids, on other records, or of which the answer has other names. */
const onIds = idCases<Ids>(called, {
	'backup/backup/enable': { record: ({ site }) => ({ site_id: site, backups_enabled: true }) },
	'backup/backup/disable': { record: ({ site }) => ({ site_id: site, backups_enabled: false }) },
	'stagingSite/stagingSite/resume': { on: ['pausedStaging'] },
});

const lists = listCases<Ids>(called, {
	'snapshot/snapshot/getAll': {
		filters: {
			...between({ created: 'created_at' }),
			status: ['status:eq', 'succeeded'],
			scannerStatus: ['scanner_status:eq', 'clean'],
			hasNote: ['note:present', true],
		},
		sort: 'files_synced,asc',
	},
	'backupContent/file/getAll': {
		filters: {
			nameContains: ['name:contains', 'debug'],
			status: ['status:eq', 'synced'],
			...between({ modified: 'modified_at' }),
			sizeMin: ['size:gte', 0],
			sizeMax: ['size:lte', 1_000_000],
		},
		options: ({ snapshot }) => ({
			folder: ['path', './wp-content/'],
			snapshotId: ['snapshot_id', locator(snapshot)],
		}),
		output: ({ json }) =>
			expect(json).toEqual([having({ path: './wp-content/debug.log', type: 'file' })]),
	},
	'backupContent/table/getAll': {
		filters: {
			nameContains: ['name:contains', 'POSTS'],
			status: ['status:eq', 'synced'],
			rowsMin: ['rows:gte', 0],
			rowsMax: ['rows:lte', 1_000_000],
			sizeMin: ['size:gte', 1],
			sizeMax: ['size:lte', 1_000_000_000],
		},
		sort: 'rows,desc',
		options: ({ snapshot }) => ({ snapshotId: ['snapshot_id', locator(snapshot)] }),
		output: ({ json }) =>
			expect(json).toContainEqual(having({ name: 'wp_posts', status: 'synced' })),
	},
});

/** Paths or tables of the site, each with what becomes of it. */
const onContent = (
	of: 'path' | 'name',
	done: string,
	set: string,
	...became: Array<[id: string, code?: string]>
) => ({
	set: { [of === 'path' ? 'paths' : 'tables']: set },
	sent: { [of === 'path' ? 'paths' : 'tables']: became.map(([id]) => id) },
	output: ({ json }: NodeResult, { site }: Ids) =>
		expect(json).toEqual(outcomes({ site_id: site }, of, done, ...became)),
});

const changes = changeCases<Ids>(called, {
	'backup/backup/sync': {
		wrapper: 'sync',
		set: { additionalFields: { message: 'Before the redesign' } },
		output: ({ json }, { site }) =>
			expect(json).toEqual([{ site_id: site, snapshot_id: expect.any(String), in_progress: true }]),
	},
	'backupContent/file/sync': onContent(
		'path',
		'synced',
		'./wp-content/cache/\n./gone/, ./wp-admin/',
		['./wp-content/cache/'],
		['./gone/', 'not_found'],
		['./wp-admin/', 'core_path'],
	),
	'backupContent/file/skip': onContent('path', 'skipped', '={{ ["./wp-content/cache/"] }}', [
		'./wp-content/cache/',
	]),
	'backupContent/table/sync': onContent(
		'name',
		'synced',
		'wp_posts, wp_gone',
		['wp_posts'],
		['wp_gone', 'not_found'],
	),
	'backupContent/table/skip': onContent('name', 'skipped', 'wp_options', ['wp_options']),
	'stagingSite/stagingSite/create': {
		wrapper: 'staging_site',
		before: (ids) => [look(ids)],
		set: ({ site, snapshot }) => ({
			siteId: locator(site),
			snapshotId: locator(snapshot),
			realTimeEvents: true,
			until: UNTIL,
			additionalFields: { phpVersion: '8.3' },
		}),
		as: { real_time_events: undefined, until: undefined, options: events },
		output: startedTask('queued', (ids) => ({ ...ofSnapshot(ids), ...ofScan })),
	},
	'stagingSite/stagingSite/create least': {
		wrapper: 'staging_site',
		before: (ids) => [look(ids)],
		set: ({ site, snapshot }) => ({ siteId: locator(site), snapshotId: locator(snapshot) }),
		as: { options: noEvents },
		output: startedTask('queued', (ids) => ({ ...ofSnapshot(ids), ...ofScan })),
	},
	'stagingSite/stagingSite/extendExpiry': {
		set: { days: '={{ "3" }}' },
		as: { days: 3 },
	},
	'stagingSite/stagingSite/updatePhpVersion': {
		wrapper: 'staging_site',
		set: { phpVersion: '8.3' },
		output: startedTask('queued', ofStaging),
	},
	'stagingSite/stagingSite/download': {
		wrapper: 'download',
		set: { includeFiles: false },
		sent: { scope: { include_files: false, include_database: true } },
		output: startedTask('queued', ofStaging),
	},
});

const cases: OperationCases<Ids> = {
	'backup/backup/findSitesWithoutBackup': {
		parameters: ({ client }) => ({
			backupPeriod: 'since',
			backupSince: '2026-03-01T12:04:00Z',
			filters: { clientId: locator(client) },
		}),
		sent: ({ client }) => list('GET /sites', { perPage: '100', 'filters[client_id:eq]': client }),
		output: ({ json }, { site, url, client }) => {
			const found = { site_id: site, site_url: url, client_id: client };
			const last = { reason: 'too_old', last_backup_at: '2026-03-01T12:01:00.000Z' };
			expect(json).toEqual([having({ ...found, ...last })]);
		},
	},
	'backup/backup/download': onSnapshot('download', () => ({})),
	'backup/backup/download chosen': onSnapshot('download', () => ({
		set: { paths: './wp-content/uploads/, ./index.php', tables: '={{ ["wp_posts"] }}' },
		scope: { paths: ['./wp-content/uploads/', './index.php'], tables: ['wp_posts'] },
		folders: ['./wp-content/', './'],
		isLive: true,
	})),
	'backup/backup/upload': onSnapshot('upload', ({ destination }) => ({
		set: { provider: 'cloudstore_b', backupDestinationId: locator(destination) },
		more: { destination: { provider: 'cloudstore_b', id: destination } },
	})),
	'backup/backup/upload saved': onSnapshot('upload', ({ destination }) => ({
		set: {
			provider: 'cloudstore_b',
			backupDestinationId: locator(destination),
			paths: './index.php',
			tables: 'wp_posts\nwp_options',
		},
		more: { destination: { provider: 'cloudstore_b', id: destination } },
		scope: { paths: ['./index.php'], tables: ['wp_posts', 'wp_options'] },
		folders: ['./'],
		isLive: true,
	})),
	'backup/backup/upload expressions': onSnapshot('upload', () => ({
		set: {
			provider: '={{ "cloudstore_a" }}',
			includeFiles: '={{ "false" }}',
			realTimeEvents: '={{ false }}',
			until: '',
			paths: '={{ $json.paths }}',
			backupDestinationId: locator('={{ $json.destination }}'),
		},
		more: { destination: { provider: 'cloudstore_a' } },
		scope: { include_files: false },
	})),
	'backup/backup/migrate': onSnapshot('migrate', ({ otherUrl }) => ({
		set: { destinationUrl: otherUrl, connectionMethod: 'http', httpAuth: { credentials: auth } },
		more: {
			type: 'internal',
			destination_url: otherUrl,
			connection: { method: 'http', credentials: { http_auth: auth } },
		},
	})),
	'backup/backup/migrate external': onSnapshot('migrate', () => ({
		set: {
			type: 'external',
			destinationUrl: 'https://new.example.org',
			paths: './wp-content/',
			includeDatabase: true,
			tables: 'wp_posts',
			connectionMethod: 'ftp',
			ftpCredentials: JSON.stringify(ftp),
		},
		more: {
			type: 'external',
			destination_url: 'https://new.example.org',
			connection: { method: 'ftp', credentials: ftp },
		},
		scope: { paths: ['./wp-content/'], tables: ['wp_posts'] },
		folders: ['./'],
		isLive: true,
	})),
	'backup/backup/restore': onSnapshot('restore', () => ({})),
	'backup/backup/restore subsites': onSnapshot('restore', () => ({
		set: {
			includeFiles: false,
			tables: 'wp_2_posts',
			connectionMethod: 'http',
			httpAuth: { credentials: auth },
			additionalFields: { subsiteIds: '2' },
		},
		more: { connection: { method: 'http', credentials: { http_auth: auth } } },
		scope: { include_files: false, tables: ['wp_2_posts'], subsite_ids: ['2'] },
		isLive: true,
	})),
	'backup/backup/restore ftp': onSnapshot('restore', () => ({
		set: {
			includeDatabase: false,
			paths: './wp-content/uploads/',
			connectionMethod: '={{ "ftp" }}',
			ftpCredentials: `={{ ${JSON.stringify(ftp, null, 1)} }}`,
		},
		more: { connection: { method: 'ftp', credentials: ftp } },
		scope: { include_database: false, paths: ['./wp-content/uploads/'] },
		folders: ['./wp-content/'],
	})),
	'backupContent/file/getVersions': {
		parameters: ({ site, file }) => ({ siteId: locator(site), fileId: locator(file.id) }),
		sent: ({ site, file }) => query(`GET /sites/${site}/files/versions`, { id: file.id }),
		output: ({ json }, { site, file: { id, modified_at, size } }) =>
			expect(json).toContainEqual({
				version_id: id,
				site_id: site,
				modified_at,
				size_bytes: size,
			}),
	},
	'backupContent/file/getVersions by-path': {
		parameters: ({ site, file }) => ({ siteId: locator(site), findBy: 'path', path: file.path }),
		sent: ({ site, file }) => query(`GET /sites/${site}/files/versions`, { path: file.path }),
		output: ({ json }, { site, file: { id, modified_at, size } }) =>
			expect(json).toContainEqual({
				version_id: id,
				site_id: site,
				modified_at,
				size_bytes: size,
			}),
	},
	'backupContent/file/getStats': {
		parameters: ({ site, snapshot }) => ({
			siteId: locator(site),
			options: { folder: './wp-content/', snapshotId: locator(snapshot) },
		}),
		sent: ({ site, snapshot }) =>
			query(`GET /sites/${site}/files/stats`, { path: './wp-content/', snapshot_id: snapshot }),
		output: ({ json }, { site }) =>
			expect(json).toEqual([
				{ site_id: site, ...totals('files'), ...totals('folders'), ...totals('bytes') },
			]),
	},
	'backupContent/file/download': {
		parameters: ({ site, file }) => ({ siteId: locator(site), fileId: locator(file.id) }),
		sent: ({ site, file }) => query(`GET /sites/${site}/files/download`, { id: file.id }),
		output: async (result, ids) => {
			expect(result.json[0]!.id).toBe(ids.file.id);
			await isFile(result, ids);
		},
	},
	'backupContent/file/download by-path': {
		parameters: ({ site, file }) => ({
			siteId: locator(site),
			findBy: 'path',
			path: file.path,
			modifiedAt: file.modified_at,
			size: file.size,
		}),
		sent: ({ site, file }) =>
			query(`GET /sites/${site}/files/download`, {
				path: file.path,
				modified_at: file.modified_at.replace('.000Z', 'Z'),
				size: String(file.size),
			}),
		output: async (result, ids) => {
			expect(result.json[0]).not.toHaveProperty('id');
			await isFile(result, ids);
		},
	},
	'backupContent/table/getStats': {
		parameters: ({ site, snapshot }) => ({
			siteId: locator(site),
			options: { snapshotId: locator(snapshot) },
		}),
		sent: ({ site, snapshot }) =>
			query(`GET /sites/${site}/tables/stats`, { snapshot_id: snapshot }),
		output: ({ json }, { site }) => expect(json).toEqual([{ site_id: site, ...totals('tables') }]),
	},
	'stagingSite/stagingSite/getAll': {
		parameters: ({ url }) => ({
			output: 'simplified',
			filters: {
				status: 'active',
				siteId: locator(url, 'url'),
				createdAfter: '2026-02-01T00:00:00',
				createdBefore: '2026-03-02T00:00:00',
				updatedAfter: '2026-02-01T00:00:00',
				updatedBefore: '2026-03-02T00:00:00',
				expiresAfter: '2026-03-01T00:00:00',
				expiresBefore: '2026-04-01T00:00:00',
			},
			sort: { by: { field: 'php_version', direction: 'asc' } },
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: ({ site, url }) => [
			query('GET /sites', {
				'filters[url:contains]': new URL(url).host,
				page: '1',
				perPage: '100',
			}),
			list('GET /staging-sites', {
				'filters[status:eq]': 'active',
				'filters[site_id:eq]': site,
				'filters[created_at:gte]': '2026-02-01T00:00:00Z',
				'filters[created_at:lte]': '2026-03-02T00:00:00Z',
				'filters[updated_at:gte]': '2026-02-01T00:00:00Z',
				'filters[updated_at:lte]': '2026-03-02T00:00:00Z',
				'filters[expires_at:gte]': '2026-03-01T00:00:00Z',
				'filters[expires_at:lte]': '2026-04-01T00:00:00Z',
				sort: 'php_version,asc',
				timezone: 'Europe/Berlin',
			}),
			request(`GET /sites/${site}`),
		],
		output: ({ json }, { staging, site }) =>
			expect(json).toEqual([having({ id: staging, site_id: site, status: 'active' })]),
	},
	'stagingSite/stagingSite/getSsoLoginUrl': {
		parameters: (ids) => ({ ...stagingParameters(ids), options: { wpObjectId: '={{ 3 }}' } }),
		sent: ({ staging }) =>
			query(`GET /staging-sites/${staging}/wp/users/sso-login-url`, { wp_object_id: '3' }),
		output: ({ json }, { staging, stagingUrl }) =>
			expect(json).toEqual([
				{
					staging_site_id: staging,
					sso_login_url: expect.stringContaining(`${stagingUrl}/wp-login.php?user_id=3`),
				},
			]),
	},
	'stagingSite/stagingSite/getSsoLoginUrl default': {
		parameters: (ids) => ({ ...stagingParameters(ids), options: { wpObjectId: '' } }),
		sent: ({ staging }) => request(`GET /staging-sites/${staging}/wp/users/sso-login-url`),
		output: ({ json }, { staging }) =>
			expect(json).toEqual([{ staging_site_id: staging, sso_login_url: expect.any(String) }]),
	},
};

/** A multisite with two snapshots, the older one with a note, and a staging copy of that. */
async function prepare({ api, clock, world, sites }: Fleet): Promise<Ids> {
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
	await sync();
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
		destination: saved.id,
		file: files.data.files[0],
		staging: own.id,
		pausedStaging: stagings.find(({ status }) => status === 'paused')!.id,
		stagingUrl: own.url,
	};
}

operationCases('backups', prepare, { ...onIds, ...lists, ...changes, ...cases }, called);
