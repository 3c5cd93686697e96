import type { IDataObject } from 'n8n-workflow';
import { OF_SERVICE } from '../../support/apiNode';
import { operationRun, runNode, type NodeRun } from '../../support/engine';
import { locator } from '../../support/locator';
import { STATES } from '../../support/proofs';
import { reference } from '../../support/reference';
import { useClock } from '../../support/transportClock';
import { startWayward, type Answer, type Wayward } from '../../support/wayward';

/**
 * Whether an answer is about what was asked. Each operation's own proof is tried in test/contract/operations with
 * answers of the service into which another one was planted; here is what they have in common.
 */

let service: Wayward;
let answer: (url: URL, count: number) => Answer;
let now: number;

beforeAll(async () => {
	service = await startWayward((url, count) => answer(url, count));
});
beforeEach(() => {
	service.requests.length = 0;
	now = Date.parse('2026-03-01T12:00:00Z');
	useClock({ now: () => now, sleep: (ms) => void (now += ms) });
});

it.each(
	reference.filter(({ id }) =>
		/^(enable|disable|pause|resume|cancel|accept|reject|reset)/.test(id),
	),
)('$id orders a state that is proven', ({ id }) => expect(STATES).toHaveProperty(id));

const tagOf = (more: IDataObject = {}): Answer => ({
	body: { tag: { id: '7', name: 'A', color: null, site_ids: [], ...more } },
});
const onTag = (operation: string, more = {}) =>
	operationRun('tag', operation, { output: 'raw', tagId: locator('7'), ...more });
const update = (fields: IDataObject): NodeRun => onTag('update', { updateFields: fields });

describe('an answer about another record', () => {
	it('says which was asked for and which came, and where to look', async () => {
		answer = () => tagOf({ id: '8' });
		const read = await runNode(service, onTag('get'));
		expect(read.error?.message).toBe(
			'The response is about another record: 7 was requested, 8 was returned',
		);
		const change = await runNode(service, update({ name: 'A' }));
		expect(change.error?.message).toBe(
			'The response is about another record: 7 was requested, 8 was returned; the change may have been applied: check /tags/7 (Tag: Get) before you repeat it',
		);
		expect(change.error?.context?.details).toEqual({
			outcome: 'unknown',
			item: 1,
			verifyAt: '/tags/7 (Tag: Get)',
		});
	});

	it('does not repeat the token, and cuts a long ID', async () => {
		for (const before of [0, 90, 95, 495]) {
			answer = () => tagOf({ id: `${'y'.repeat(before)}${service.token}${'x'.repeat(1_000)}` });
			const { error } = await runNode(service, onTag('get'));
			expect(error!.message).toContain('another record: 7 was requested, ');
			expect(error!.message).not.toContain(service.token.slice(0, 4));
			expect(error!.message.length).toBeLessThan(200);
		}
	});

	const resume = operationRun('stagingSite', 'resume', { stagingSiteId: locator('7') });
	const note = { siteId: locator('s1'), noteId: locator('3') };
	const deleteNote = operationRun('note', 'delete', note);
	const inOtherForm = (record: object) => ({ headers: OF_SERVICE, body: { data: record } });

	it.each<[what: string, run: NodeRun, found: Answer, message: string]>([
		[
			...(['another staging site', resume] as const),
			...([{ body: { staging_site: { id: '8', site_id: 's1' } } }, '7 was requested, 8'] as const),
		],
		['a site', resume, inOtherForm({ id: '7', site_id: 's2' }), 'the site s2 is not in its'],
		['a tag', deleteNote, inOtherForm({ id: '8', site_ids: ['s1'] }), 'does not match the API'],
		['another', deleteNote, { body: { id: '7', site_ids: ['s1'] } }, 'does not match the API'],
	])('does not prove which sites a change concerns: %s', async (_, run, found, message) => {
		const isLook = (path: string) => /\/(tags|staging-sites)\/7$/.test(path);
		const right = { note: { id: '3', site_id: 's1' }, staging_site: { id: '7', status: 'active' } };
		answer = ({ pathname }) => (isLook(pathname) ? found : { headers: OF_SERVICE, body: right });
		const [onlySites, onlyTags] = run === resume ? ['s1', ''] : ['', '7'];
		const limits = { siteAccess: 'selected', onlySites, onlyTags };
		const { error } = await runNode({ ...service, limits }, run);
		expect(error?.message).toContain(message);
		expect(service.requests.filter((each) => !isLook(each))).toEqual([]);
	});

	it('is not the end of a task that is waited for', async () => {
		const task = (id: string, status: string) => ({
			body: { task: { id, status, created_at: '2026-03-01T12:00:00Z', details: { sites: [] } } },
		});
		const snapshot = { body: { snapshot: { id: 'n1', status: 'succeeded' } } };
		answer = ({ pathname }, count) => {
			if (pathname.endsWith('/snapshots/n1')) return snapshot;
			if (!pathname.includes('/tasks/')) return task('t1', 'initializing');
			return task(count < 5 ? 't2' : 't1', 'completed');
		};
		const ids = { siteId: locator('s1'), snapshotId: locator('n1') };
		const restore = operationRun('backup', 'restore', { waitForCompletion: true, ...ids });
		const { json } = await runNode(service, restore);
		expect(json).toMatchObject([{ task_id: 't1', task_status: 'completed' }]);
		// The last one is for the title of the site.
		expect(service.requests).toHaveLength(6);
	});
});

it('records that are made of a list are as many', async () => {
	answer = () => ({ status: 201, body: { custom_works: [{ id: '1', title: 'A' }] } });
	const work = ['A', 'B'].map((title) => ({ title, performedOn: '2026-02-27T00:00:00' }));
	const parameters = { siteId: locator('s1'), customWorks: { work } };
	const { error } = await runNode(service, operationRun('customWork', 'create', parameters));
	expect(error?.message).toContain(
		'The response does not contain all records that were sent: 1 of 2; the change may',
	);
});

it('a state that the node does not know, or that is missing, is passed on', async () => {
	const cancel = operationRun('task', 'cancel', { output: 'raw', taskId: locator('7') });
	for (const task of [{ id: '7', status: 'Cancelling' }, { id: '7' }]) {
		answer = () => ({ body: { task } });
		expect((await runNode(service, cancel)).json).toEqual([task]);
	}
});
