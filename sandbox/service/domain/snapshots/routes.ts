import { failing, resource } from '../../http/kit';
import { fields } from '../../http/paging';
import { boolean, integer, nullable, oneOf, string, timestamp, object } from '../../http/schema';
import { scannerStatuses } from '../sites/rows';
import { ofSite, siteOf } from '../sites/rules';
import { type SnapshotRow, snapshotStatuses } from './rows';
import { requireBackups } from './rules';

/** The window of the list without bounds (Part B 4.5). */
const windowMs = 7 * 24 * 60 * 60 * 1000;

const amounts = object({ total: integer, synced: integer, ignored: integer });
const kind = object({ count: amounts, size: amounts });
const scan = object({ total: integer, scanned: integer });
const common = {
	id: string,
	created_at: timestamp,
	status: oneOf(...snapshotStatuses),
	note: nullable(string),
	error_message: nullable(string),
	backups: object({ enabled: boolean, real_time: boolean, files: kind, database: kind }),
};
const scanner = {
	status: oneOf(...scannerStatuses),
	detections: object({ files: integer, scripts: integer, cron_jobs: integer }),
};
const figure = nullable(integer);

const rowsOfSite = ofSite((store) => store.snapshots);
const view = ({ site_id: _site, ...snapshot }: SnapshotRow) => snapshot;

/** Part B 2.5 and 4.5. */
const snapshots = resource<SnapshotRow>({
	name: 'snapshot',
	plural: 'snapshots',
	path: '/sites/{site_id}/snapshots',
	rows(context) {
		requireBackups(context.world, siteOf(context));
		return rowsOfSite(context);
	},
	view,
	listView(row) {
		const { security, performance, ...snapshot } = view(row);
		const { status, detections } = security.scanner;
		return {
			...snapshot,
			security: { enabled: security.enabled, scanner: { status, detections } },
			performance: { enabled: performance.enabled },
		};
	},
	schema: object({
		...common,
		security: object({
			enabled: boolean,
			scanner: object({ ...scanner, files: scan, database: scan }),
		}),
		performance: object({
			enabled: boolean,
			score: figure,
			load_time: figure,
			page_size: figure,
			total_requests: figure,
		}),
	}),
	listSchema: object({
		...common,
		security: object({ enabled: boolean, scanner: object(scanner) }),
		performance: object({ enabled: boolean }),
	}),
});

export const snapshotRoutes = [
	failing(
		[422],
		snapshots.list('listSiteSnapshots', {
			filters: {
				created_at: {
					type: 'timestamp',
					operators: ['gte', 'lte'],
					value: (snapshot) => snapshot.created_at,
				},
				status: {
					type: snapshotStatuses,
					operators: ['eq'],
					value: (snapshot) => snapshot.status,
				},
				scanner_status: {
					type: scannerStatuses,
					operators: ['eq'],
					value: (snapshot) => snapshot.security.scanner.status,
				},
				note: { type: 'string', operators: ['present'], value: (snapshot) => snapshot.note },
			},
			defaults: ({ world }) => ({
				'filters[created_at:gte]': world.timestamp(world.now - windowMs),
				'filters[created_at:lte]': world.timestamp(),
			}),
			sort: {
				...fields('created_at'),
				files_synced: ({ backups }) => backups.files.count.synced,
				tables_synced: ({ backups }) => backups.database.count.synced,
			},
			defaultSort: 'created_at,desc',
			timezone: false,
		}),
	),
	failing([422], snapshots.show('showSiteSnapshot')),
];
