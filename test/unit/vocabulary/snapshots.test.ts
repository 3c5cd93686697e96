import { detectionsOf, scanOf } from '../../../nodes/shared/vocabulary/snapshots';

const none = { files: 0, scripts: 0, cron_jobs: 0 };
const some = { files: 2, scripts: 0, cron_jobs: 1 };

const snapshot = (scanner: unknown, status: unknown = 'succeeded', enabled: unknown = true) =>
	({ status, security: { enabled, scanner } }) as never;

it.each<[string, unknown, string]>([
	['that is clean', snapshot({ status: 'clean', detections: none }), 'clean'],
	['that is hacked', snapshot({ status: 'Hacked', detections: some }), 'hacked'],
	['that failed and reports clean', snapshot({ status: 'clean' }, 'failed'), 'not scanned'],
	['that runs', snapshot({ status: 'clean' }, 'in_progress'), 'not scanned'],
	['in a status that is not known', snapshot({ status: 'clean' }, 'archived'), 'not scanned'],
	['that failed and is hacked', snapshot({ status: 'hacked' }, 'failed'), 'hacked'],
	['without security', { status: 'succeeded' }, 'not scanned'],
	['with security that is null', { status: 'succeeded', security: null }, 'not scanned'],
	['without a scanner', snapshot(null), 'not scanned'],
	['without a state of the scan', snapshot({ status: null, detections: none }), 'not scanned'],
	['with security off', snapshot({ status: 'clean' }, 'succeeded', false), 'not scanned'],
	['hacked with security off', snapshot({ status: 'hacked' }, 'succeeded', false), 'hacked'],
	['of no scanned file', snapshot({ status: 'clean', files: { scanned: 0 } }), 'not scanned'],
	['of scanned files', snapshot({ status: 'clean', files: { scanned: 9 } }), 'clean'],
	['that is clean with detections', snapshot({ status: 'clean', detections: some }), 'not known'],
	['with detections alone', snapshot({ detections: some }), 'hacked'],
	['with another word', snapshot({ status: 'pending' }), 'pending'],
	['infected, with detections', snapshot({ status: 'infected', detections: some }), 'hacked'],
])('the scan of a snapshot %s', (_, given, scan) => {
	expect(scanOf(given as never)).toBe(scan);
});

it.each<[unknown, number]>([
	[some, 3],
	[none, 0],
	[{}, NaN],
	[null, NaN],
	[undefined, NaN],
])('of %j the detections are %s', (detections, count) => {
	expect(detectionsOf(snapshot({ status: 'hacked', detections }))).toBe(count);
});
