import type { IDataObject } from 'n8n-workflow';
import { runNode, type NodeRun } from '../../support/engine';
import { locator } from '../../support/locator';
import { hasProof, recordIn, STATES } from '../../support/proofs';
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
afterAll(async () => await service.close());
beforeEach(() => {
	service.requests.length = 0;
	now = Date.parse('2026-03-01T12:00:00Z');
	useClock({ now: () => now, sleep: (ms) => void (now += ms) });
});

describe('the operations with a proof', () => {
	it('are those that the reference has', () => {
		const withState = Object.keys(STATES);
		expect(withState.filter((id) => !reference.some((row) => row.id === id))).toEqual([]);
		expect(reference.filter(({ operation }) => hasProof(operation))).toHaveLength(58);
		expect(reference.filter((row) => recordIn(row))).toHaveLength(42);
	});

	it.each(
		reference.filter(({ id }) =>
			/^(enable|disable|pause|resume|cancel|accept|reject|reset)/.test(id),
		),
	)('$id orders a state', ({ id }) => expect(STATES).toHaveProperty(id));
});

/** What shows that the service itself answers. */
const LIMIT = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' };

const tagOf = (more: IDataObject = {}): Answer => ({
	body: { tag: { id: '7', name: 'A', color: null, site_ids: [], ...more } },
});
const onTag = (operation: string, more = {}): NodeRun => ({
	node: 'tag',
	parameters: { resource: 'tag', operation, output: 'raw', tagId: locator('7'), ...more },
});
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

	it('does not satisfy Only If: nothing is deleted', async () => {
		const pagination = { page: 1, perPage: 100, totalPages: 1, totalItems: 1 };
		const tags = { body: { tags: [{ id: '7', name: 'A' }], meta: { pagination } } };
		answer = ({ pathname }) => (pathname.endsWith('/tags') ? tags : tagOf({ id: '8' }));
		const run = onTag('delete', { onlyIf: 'name', onlyIfName: 'A' });
		const { error } = await runNode(service, run);
		expect(error?.message).toContain('another record: 7 was requested, 8 was returned');
		// That no other tag has the name is looked up first.
		expect(service.requests.at(-1)).toBe('GET /api/v6/tags/7');
		expect(service.requests).toHaveLength(2);
		expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
	});

	/** Resumes a staging site with a credential that is for one site alone. */
	async function resumeLimited() {
		const parameters = { resource: 'stagingSite', operation: 'resume' };
		const limits = { siteAccess: 'selected', onlySites: 's1', onlyTags: '' };
		return await runNode(
			{ ...service, limits },
			{ node: 'stagingSite', parameters: { ...parameters, stagingSiteId: locator('7') } },
		);
	}

	it('does not prove which sites a staging site belongs to: nothing is sent', async () => {
		answer = ({ pathname }) =>
			pathname.endsWith('/resume')
				? { body: { staging_site: { id: '7', status: 'active' } } }
				: { body: { staging_site: { id: '8', site_id: 's1' } } };
		const { error } = await resumeLimited();
		expect(error?.message).toContain('another record: 7 was requested, 8 was returned');
		expect(service.requests).toEqual(['GET /api/v6/staging-sites/7']);
	});

	it.each(['s1', 's2'])('the sites of a record in another form count: %s', async (siteId) => {
		const staging = { id: '7', site_id: siteId, status: 'active' };
		answer = ({ pathname }) => ({
			headers: LIMIT,
			body: pathname.endsWith('/resume') ? { staging_site: staging } : { data: staging },
		});
		const { error } = await resumeLimited();
		if (siteId === 's1') expect(error).toBeUndefined();
		else expect(error?.message).toContain('the site s2 is not in its Only Sites');
	});

	it.each<[what: string, body: object]>([
		['another tag', { data: { id: '8', name: 'B', site_ids: ['s1'] } }],
		['a tag without its wrapper, from somebody else', { id: '7', name: 'A', site_ids: ['s1'] }],
	])('%s does not prove which sites a tag has', async (what, tag) => {
		const headers = what === 'another tag' ? LIMIT : {};
		answer = ({ pathname }) =>
			pathname.endsWith('/tags/7')
				? { headers, body: tag }
				: { headers: LIMIT, body: { note: { id: '3', site_id: 's1' } } };
		const limits = { siteAccess: 'selected', onlySites: '', onlyTags: '7' };
		const ids = { siteId: locator('s1'), noteId: locator('3') };
		const parameters = { resource: 'note', operation: 'delete', ...ids };
		const { error } = await runNode({ ...service, limits }, { node: 'note', parameters });
		expect(error?.message).toContain('The response does not match the API');
		expect(service.requests).toEqual(['GET /api/v6/tags/7']);
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
		const { json } = await runNode(service, {
			node: 'backup',
			parameters: {
				...{ resource: 'backup', operation: 'restore', waitForCompletion: true },
				...{ siteId: locator('s1'), snapshotId: locator('n1') },
			},
		});
		expect(json).toMatchObject([{ task_id: 't1', task_status: 'completed' }]);
		// The last one is for the title of the site.
		expect(service.requests).toHaveLength(6);
	});
});

it('what a delete says must be of the record that was asked for', async () => {
	answer = () => ({ status: 200, headers: LIMIT, body: { tag: { id: '8', name: 'B' } } });
	const { error, items } = await runNode(service, onTag('delete'));
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/^The response is about another record: 7 was requested, 8 /);
	expect(error?.message).toContain('the change may have been applied: check /tags');
	answer = () => ({ status: 200, headers: LIMIT, body: { id: 7, message: 'It was deleted' } });
	expect((await runNode(service, onTag('delete'))).json).toEqual([{ deleted: true, id: '7' }]);
});

it('a response without the record of a change proves nothing', async () => {
	answer = () => ({ status: 204, headers: LIMIT });
	const { error, json } = await runNode(service, update({ name: 'A', color: '#00ff00' }));
	expect(error).toBeUndefined();
	expect(json).toEqual([{ success: true, id: '7' }]);
});

it('records that are made of a list are as many', async () => {
	answer = () => ({ status: 201, body: { custom_works: [{ id: '1', title: 'A' }] } });
	const work = ['A', 'B'].map((title) => ({ title, performedOn: '2026-02-27T00:00:00' }));
	const { error } = await runNode(service, {
		node: 'customWork',
		parameters: {
			...{ resource: 'customWork', operation: 'create' },
			...{ siteId: locator('s1'), customWorks: { work } },
		},
	});
	expect(error?.message).toContain(
		'The response does not contain all records that were sent: 1 of 2; the change may',
	);
});

it('a state that the node does not know, or that is missing, is passed on', async () => {
	const cancel: NodeRun = {
		node: 'task',
		parameters: { resource: 'task', operation: 'cancel', output: 'raw', taskId: locator('7') },
	};
	for (const task of [{ id: '7', status: 'Cancelling' }, { id: '7' }]) {
		answer = () => ({ body: { task } });
		const { json } = await runNode(service, cancel);
		expect(json).toEqual([task]);
	}
});
