import type { IDataObject } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { instantOf, recordsIn, valueAt } from '../lib';
import { knownError } from '../receive/errors';
import { taskSites } from '../receive/task';
import { listAll, recordOf } from '../client/records';
import { PRIORITY } from '../client/queue';
import { pollUntil } from './pollUntil';

interface Creation {
	context: ItemContext;
	kind: keyof typeof createdKinds;
	/** In full; it has succeeded. */
	task: IDataObject;
	/** Fields of the request; empty if they are not known. */
	sent: IDataObject;
	/** Whether the task has only just ended: the record may be missing from its list for a moment. */
	isFresh: boolean;
}

/**
 * Records that a task creates without naming them, by its type: found by their time of creation and `expected` values
 * of the request, by place in the record. `fields` names the record in the task's output: name -> place in the record.
 * Source: Part A, 2.9, 2.10, 2.16, 4.9 and 4.14.
 */
export const createdKinds = {
	report: {
		label: 'report',
		list: '/reports',
		verifyBy: 'Report: Get Many',
		expected: { 'site.id': 'site_id', start_date: 'start_date', end_date: 'end_date' },
		fields: { report_id: 'id', report_title: 'title' },
	},
	staging: {
		label: 'staging site',
		list: '/staging-sites',
		verifyBy: 'Staging Site: Get Many',
		expected: { site_id: 'site_id', 'snapshot.id': 'snapshot_id' },
		fields: { staging_site_id: 'id', staging_site_url: 'url' },
	},
};

/** Milliseconds between the times of a task and of its record: each has its own clock and parts of a second. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Milliseconds after which a new record is in its list at the latest. */
const MAX_DELAY_MS = 30_000;

/** The record that a task has created; undefined for a task of several sites, or an old one if no record matches. */
export async function findCreated(creation: Creation) {
	const { context, kind, task, sent, isFresh } = creation;
	const { label, list, verifyBy } = createdKinds[kind];
	const sites = recordsIn(valueAt(task, 'details.sites')).map(({ id }) => id);
	const siteId = String(sent.site_id ?? (sites.length === 1 ? sites[0] : ''));
	if (siteId === '') return undefined;
	const look = async () => {
		const matching = await candidates(creation, siteId);
		return matching.length > 0 ? matching : undefined;
	};
	const poll = { look, limitMs: isFresh ? MAX_DELAY_MS : 0 };
	const found = (await pollUntil(context, poll)) ?? [];
	const [record, other] = found;
	if (!other && (record || !isFresh)) return record;
	const id = String(task.id);
	const ids = found.map((each) => String(each.id)).join(', ');
	const which = other
		? `${found.length} ${label}s match it: ${ids}`
		: `the ${label} that it created was not found`;
	throw knownError(
		context.getNode(),
		{ outcome: 'started', taskId: id, verifyAt: `${list} (${verifyBy})` },
		`The task ${id} has ended, but ${which}`,
		`Look with ${verifyBy} for a ${label} of the site ${siteId} that was created while the task ran. The work was not started again.`,
	);
}

/** Records of the site that were created while the task ran and have the expected values. */
async function candidates({ context, kind, task, sent }: Creation, siteId: string) {
	const { list: url, expected } = createdKinds[kind];
	const from = instantOf(task.created_at) - CLOCK_TOLERANCE_MS;
	const to = instantOf(task.updated_at) + CLOCK_TOLERANCE_MS;
	const qs = {
		sort: 'created_at,asc',
		'filters[site_id:eq]': siteId,
		'filters[created_at:gte]': new Date(from).toISOString(),
	};
	const about = { priority: PRIORITY.waits };
	const listed = await listAll(context, { url, qs }, about);
	const inTime = listed.filter((record) => !(instantOf(record.created_at) > to));
	const full = inTime.map(
		async ({ id }) => await recordOf(context, `${url}/${encodeURIComponent(String(id))}`, about),
	);
	// A task shows the snapshot that it was asked for.
	const { snapshot_id } = taskSites(task)[0] ?? {};
	const asked: IDataObject = { snapshot_id, ...sent, site_id: siteId };
	return (await Promise.all(full)).filter((record) =>
		Object.entries(expected).every(([place, name]) => mayHave(record, place, asked[name])),
	);
}

/** Whether a record has a value, does not show it, or has a time on that day. */
function mayHave(record: IDataObject, place: string, value: unknown): boolean {
	const found = valueAt(record, place) ?? undefined;
	if (found === undefined || (value ?? undefined) === undefined) return true;
	return String(found) === String(value) || String(found).startsWith(`${String(value)}T`);
}
