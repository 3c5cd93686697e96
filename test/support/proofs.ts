import { lastAnswer } from './checkAnswers';
import { runNode, type NodeRun } from './engine';
import { type Fleet, isSiteRead } from './fleet';
import type { Row } from './operations';
import { isComposed, rowOf } from './reference';
import type { Answer, Wayward } from './wayward';

/** What an answer has to be about, by the reference: plants another record, the contrary, and other ids. */

type Body = Record<string, any>;

/** The states that operations order, and what is the contrary, by places in the record. Part A, 3 and 4; Part B, 3 and 4. */
export const STATES: Record<string, Record<string, unknown[]>> = {
	acceptManagedAccount: { status: ['pending', 'rejected'] },
	rejectManagedAccount: { status: ['pending', 'connected'] },
	disconnectBackupDestination: { status: ['active'], connected: [true] },
	rotateSenderEmailDkim: { 'domain.dkim.verified': [true] },
	resetPluginBranding: { type: ['custom', 'hidden'] },
	resetWpLogin: { type: ['custom'] },
	enableAutoUpdateSchedule: { status: ['paused'] },
	disableAutoUpdateSchedule: { status: ['active'] },
	pauseScheduledReport: { status: ['active'] },
	resumeScheduledReport: { status: ['paused'] },
	cancelTask: { status: ['queued', 'initializing', 'running', 'completed', 'failed', 'aborted'] },
	resumeStagingSite: { status: ['initializing', 'paused', 'suspended'] },
	syncSite: { in_progress: [false] },
	enableSiteActivityLogs: { enabled: [false, 'false', 0] },
	disableSiteActivityLogs: { enabled: [true, 'True', 1] },
	enableSiteBackups: { enabled: [false] },
	disableSiteBackups: { enabled: [true] },
};

/** Those that answer for many ids: what the ids are called. Part A, 4.1. */
const BULK: Record<string, string> = {
	deleteClients: 'ids',
	deleteReportTemplates: 'ids',
	assignTag: 'site_ids',
	removeTag: 'site_ids',
	syncSiteFiles: 'paths',
	skipSiteFiles: 'paths',
	syncSiteTables: 'tables',
	skipSiteTables: 'tables',
	sendReportEmail: 'recipients',
};

/** Whose path ends with an id, while the answer is something else. */
export const OTHERS: Record<string, string> = {
	downloadReport: 'a file',
	downloadStagingSite: 'a task with an id of its own',
	updateStagingSitePhpVersion: 'a task with an id of its own',
	startSiteBackupDownload: 'a task with an id of its own',
	startSiteBackupUpload: 'a task with an id of its own',
	startSiteBackupMigration: 'a task with an id of its own',
	startSiteBackupRestore: 'a task with an id of its own',
	listSiteNoteVersions: 'versions, with ids of their own',
	showSiteSettings: 'settings, which have no id',
	syncSite: 'a snapshot that is made',
};

/** Which may be about another id, and when. Part A, 3, 4.4 and 4.12. */
export const NEW_ID: Record<string, Body> = {
	updateTeamMember: { status: 'pending' },
	resendTeamMemberInvitation: { status: 'pending' },
};
const BY_PROVIDER = /BackupDestination$/;

/** The record whose id the answer must have: `tag` of `POST /tags/{tag_id}/update`. */
export function recordIn({ id, route, filters }: Row): string | undefined {
	if (route.startsWith('DELETE ') || filters || id.startsWith('create')) return undefined;
	if (id in OTHERS || id in BULK) return undefined;
	return /\{(\w+)_id\}(\/[a-z-]+)?$/.exec(route)?.[1];
}

/** An answer, and how it is told from the right one. */
interface Plant {
	what: string;
	body: Body;
}

function withValue(answer: Body, wrapper: string, place: string, value: unknown): Body {
	const body = structuredClone(answer);
	const keys = place.split('.');
	const last = keys.pop()!;
	const record = keys.reduce<Body>((within, key) => within[key], body[wrapper]);
	record[last] = value;
	return body;
}

const wrapperOf = (answer: Body) => Object.keys(answer).find((key) => key !== 'meta')!;

function wrongOf(row: Row, answer: Body): Plant[] {
	const wrapper = wrapperOf(answer);
	const plants: Plant[] = [];
	const plant = (what: string, body: Body) => plants.push({ what, body });
	const record = recordIn(row);
	if (record) {
		expect(answer[record]).toBeDefined();
		const others = BY_PROVIDER.test(row.id)
			? { ...answer, [record]: { ...answer[record], provider: 'cloudstore_x' } }
			: answer;
		const old = row.id in NEW_ID ? withValue(others, record, 'status', 'connected') : others;
		plant('the record other-7', withValue(old, record, 'id', 'other-7'));
		plant('the record 987654321', withValue(old, record, 'id', 987654321));
	}
	for (const [place, values] of Object.entries(STATES[row.id] ?? {})) {
		for (const value of values) {
			plant(`${place} as ${String(value)}`, withValue(answer, wrapper, place, value));
		}
	}
	const ids = BULK[row.id];
	if (ids) {
		const { [ids]: done, errors } = answer[wrapper] as Record<string, unknown[]>;
		const outcome = (one: unknown[], other: unknown[]) => ({
			...answer,
			[wrapper]: { ...answer[wrapper], [ids]: one, errors: other },
		});
		const failed = { code: 'not_found', message: 'no' };
		expect(done).not.toEqual([]);
		plant('one id more', outcome([...done!, 'other-7'], errors!));
		plant('an error for one id more', outcome(done!, [...errors!, { id: 'other-7', ...failed }]));
		plant('another id', outcome(['other-7', ...done!.slice(1)], errors!));
		plant('other ids', outcome(['other-7', 'other-8', 'other-9'], []));
		plant('an id twice', outcome(done!, [...errors!, { id: done![0], ...failed }]));
	}
	return plants;
}

/** What says the same in another form. */
function rightOf(row: Row, answer: Body): Plant[] {
	const wrapper = wrapperOf(answer);
	const plants: Plant[] = [{ what: 'the right one', body: answer }];
	const plant = (what: string, body: Body) => plants.push({ what, body });
	const record = recordIn(row);
	const { id } = answer[wrapper] as Body;
	if (record && /^[1-9]\d{0,14}$/.test(id)) {
		plant('the id as a number', withValue(answer, wrapper, 'id', Number(id)));
	}
	if (row.id in NEW_ID) {
		const replaced = { ...answer[wrapper], ...NEW_ID[row.id], id: 'new-7' };
		plant('a new id', { ...answer, [wrapper]: replaced });
	}
	for (const [place, [contrary]] of Object.entries(STATES[row.id] ?? {})) {
		const right = place.split('.').reduce<any>((within, key) => within[key], answer[wrapper]);
		expect(right).not.toBe(contrary);
		plant(`${place} in capitals`, withValue(answer, wrapper, place, String(right).toUpperCase()));
		if (typeof right === 'string') {
			plant('a state that nobody knows', withValue(answer, wrapper, place, 'halfway'));
		}
	}
	const ids = BULK[row.id];
	if (ids) {
		const { [ids]: done, errors: failed } = answer[wrapper] as Record<string, unknown[]>;
		const errors = [...done!, ...failed!].map(() => ({ code: 'not_found' }));
		const other = { ...answer[wrapper], [ids]: [], errors };
		plant('errors without ids', { ...answer, [wrapper]: other });
	}
	return plants;
}

/** Whether a planted answer can be refused for this operation. */
export const hasProof = (operation: string): boolean => {
	const row = rowOf(operation);
	// Those that take several requests prove them as the operations that are these requests.
	if (isComposed(operation)) return false;
	return recordIn(row) !== undefined || row.id in STATES || row.id in BULK;
};

/** Runs an operation of the fleet once, and then with what is planted into its answer. */
export async function expectProof(
	operation: string,
	run: NodeRun,
	{ fleet, wayward }: { fleet: Fleet; wayward: Wayward & { answer: Answer } },
): Promise<void> {
	const row = rowOf(operation);
	fleet.forget();
	const result = await runNode(fleet, run);
	expect(result.error).toBeUndefined();
	const [own, ...others] = fleet.sent();
	expect(`${own!.route.split(' ')[0]} `).toBe(row.route.slice(0, row.route.indexOf('/')));
	expect(
		row.route.startsWith('GET ') ? others : others.filter((each) => !isSiteRead(each)),
	).toEqual([]);
	const answer = JSON.parse(lastAnswer(row.id)) as Body;
	const told = async ({ what, body }: Plant) => {
		wayward.answer = { body };
		wayward.requests.length = 0;
		const { error, items } = await runNode(wayward, run);
		return { error, items, text: `${operation} answered with ${what}: ${error?.message}` };
	};
	for (const plant of wrongOf(row, answer)) {
		const { error, items, text } = await told(plant);
		expect(text).toMatch(
			/: The response (is about another record|contradicts the request|is not about the requested IDs): /,
		);
		expect(items).toEqual([]);
		expect(wayward.requests).toHaveLength(1);
		expect(error!.context!.details).toMatchObject({ outcome: 'unknown' });
		if (row.route.startsWith('GET ')) expect(text).not.toMatch(/applied|changed/);
		else expect(text).toContain('may have been applied: check /');
	}
	for (const plant of rightOf(row, answer)) {
		const { text } = await told(plant);
		expect(text).toBe(`${operation} answered with ${plant.what}: undefined`);
	}
}
