import type { IDataObject } from 'n8n-workflow';
import { listAll, recordOf } from '../shared/client/records';
import { inQuery } from '../shared/describe/about';
import { queryOptions } from '../shared/describe/fields';
import { timeFilters } from '../shared/describe/filters';
import { reads } from '../shared/describe/resource';
import { type Composing, fillPath, made } from '../shared/operation';
import { instantOf, recordIn, valueAt } from '../shared/lib';
import { orUnread } from '../shared/receive/errors';
import { EVER, isGood, scanOf } from '../shared/vocabulary/snapshots';

/** Since when a site is hacked, judged from the scans of its snapshots. */

const NO_TIME = 'without a time';

/** A snapshot; `scan` is `clean`, `hacked`, or why neither is known. */
function seenIn(snapshot: IDataObject) {
	const { id, created_at: created, status } = snapshot;
	const isComplete = isGood(status);
	const scan = isComplete ? scanOf(snapshot) : String(status);
	const at = instantOf(created);
	return { id: String(id), at, created, isComplete, scan: Number.isNaN(at) ? NO_TIME : scan };
}

type Seen = ReturnType<typeof seenIn>;

/** Such as `2 failed, 1 not scanned`. */
function counted(all: Seen[]): string {
	const scans = [...new Set(all.map(({ scan }) => scan))];
	return scans.map((scan) => `${all.filter((one) => one.scan === scan).length} ${scan}`).join(', ');
}

/** What only the whole record says: whether a snapshot that is reported as clean was scanned, and how much of it. */
async function lookedAt({ context, url }: Composing, one: Seen) {
	const whole = await orUnread(recordOf(context, `${url}/${encodeURIComponent(one.id)}`));
	if (!whole) return { ...one, scan: 'not read', partly: '' };
	const partly = Object.entries({ files: 'files', database: 'tables' }).flatMap(([kind, name]) => {
		const { scanned, total } = recordIn(valueAt(whole, `security.scanner.${kind}`));
		return Number(scanned) < Number(total) ? `${String(scanned)} of ${String(total)} ${name}` : [];
	});
	return { ...seenIn(whole), partly: partly.join(' and ') };
}

async function firstHacked(at: Composing): Promise<IDataObject[]> {
	const { context, ids, url, qs } = at;
	const site = await recordOf(context, fillPath('/sites/{siteId}', ids));
	const list = { url, qs: { ...EVER, ...qs, sort: 'created_at,asc' } };
	const seen = (await listAll(context, list)).map(seenIn).sort((a, b) => (a.at || 0) - (b.at || 0));
	let first = seen.findIndex(({ scan }) => scan === 'hacked');
	let clean = (first < 0 ? seen.length : first) - 1;
	let partly = '';
	for (; clean >= 0; clean--) {
		if (seen[clean]!.scan !== 'clean') continue;
		({ partly, ...seen[clean] } = await lookedAt(at, seen[clean]!));
		if (seen[clean]!.scan === 'clean') break;
		partly = '';
		if (seen[clean]!.scan === 'hacked') first = clean;
	}
	// Only a whole scan shows that the site is clean now.
	const newest = seen.filter(({ isComplete }) => isComplete).at(-1);
	const isUnread = newest !== seen[clean] && newest?.scan === 'clean';
	const now = isUnread ? await lookedAt(at, newest) : { ...newest, partly };
	const hacked = seen[first];
	const later = hacked ? seen.slice(first).filter(({ scan }) => scan === 'clean') : [];
	// Without a hacked one, any other could be hacked.
	const isOpen = ({ scan }: Seen, index: number) =>
		!/^(clean|hacked)$/.test(scan) &&
		(!hacked || scan === NO_TIME || (index > clean && index < first));
	const open = seen.filter(isOpen);
	const { scanner } = recordIn(site.security);
	const notKnown = [
		seen.length === 0 && 'There are no snapshots in this period',
		open.length > 0 && `Not known${hacked ? ' directly before it' : ''}: ${counted(open)}`,
		clean < 0 && seen.length > 0 && `No snapshot${hacked ? ' before it' : ''} is scanned clean`,
		!hacked &&
			scanOf({ security: { scanner } }) === 'hacked' &&
			'The site is reported as hacked, but none of these snapshots',
	].filter(Boolean);
	const hints = [
		partly && `Of the clean snapshot, only ${partly} were scanned`,
		later.length > 0 &&
			`${later.length} reported as clean after it: the scanner missed the malware, or it came back`,
	].filter(Boolean);
	const none = notKnown.length > 0 ? 'not_known' : 'none_hacked';
	return [
		{
			...{ site_title: site.title ?? null, site_url: site.url ?? null },
			result: hacked ? (clean < 0 ? 'no_clean_before' : 'found') : none,
			reason: [...notKnown, ...hints].map((each) => `${String(each)}.`).join(' '),
			...{ clean_at: seen[clean]?.created ?? null, hacked_at: hacked?.created ?? null },
			...{ later_clean_at: later.at(-1)?.created ?? null, oldest_at: seen[0]?.created ?? null },
			detected_at: recordIn(scanner).malware_detected_at ?? null,
			newest_scan: now.scan === 'clean' && now.partly ? 'partly scanned' : (now.scan ?? null),
			...{ newest_at: now.created ?? null, newest_snapshot_id: now.id ?? null },
			...{ snapshot_count: seen.length, unknown_count: open.length },
			...{ clean_snapshot_id: seen[clean]?.id ?? null, hacked_snapshot_id: hacked?.id ?? null },
			site_id: ids.siteId,
		},
	];
}

const period = Object.entries(timeFilters('created_at', 'Created'));

export const findFirstHacked = reads(
	'Find first hacked snapshot',
	'GET /sites/{siteId}/snapshots',
	{
		name: 'Find First Hacked',
		description: 'Find the first hacked snapshot and the last clean one before',
		fields: queryOptions(period.map(([key, field]) => inQuery(`filters[${key}]`, field))),
		read: firstHacked,
		costs: 'one request for every 100 snapshots, and three more',
		answer: made({
			string: `site_title site_url result reason clean_at hacked_at later_clean_at detected_at
				newest_scan newest_at oldest_at clean_snapshot_id hacked_snapshot_id
				newest_snapshot_id site_id`,
			number: 'snapshot_count unknown_count',
		}),
	},
);
