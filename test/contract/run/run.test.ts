import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import {
	type Access,
	mustSucceed,
	type NodeRun,
	operationRun,
	runNode,
	startNode,
} from '../../support/engine';
import { fleetEach, inStep } from '../../support/fleet';
import { locator } from '../../support/locator';
import { startWayward, type Answer, type Wayward } from '../../support/wayward';

/** The items of one run: their order, what a failure leaves, and what is known of it, in every way n8n hands it on. */

const fleet = fleetEach({ sites: 3 });
let service: Wayward;
let answer: Answering;
let onSleep: (ms: number) => void;

type Answering = (url: URL, count: number) => Answer;

beforeEach(async () => {
	const snapshot = { body: { snapshot: { id: 's1', status: 'succeeded' } } };
	service = await startWayward((url, count) =>
		// What a restore looks at before.
		url.pathname.endsWith('/snapshots/s1') ? snapshot : answer(url, count),
	);
	onSleep = () => {};
	inStep(fleet, (ms) => onSleep(ms));
});

const onTag = (operation: string, more = {}, tagId: unknown = '7') =>
	operationRun('tag', operation, { tagId: locator(tagId), ...more });
const named = (...names: Array<string | null>) => names.map((name) => ({ name }));
const create = operationRun('tag', 'create', { name: '={{ $json.name }}' }, { items: named('A') });
const update = onTag('update', { updateFields: { name: '={{ $json.name }}' } }, '={{ $json.id }}');
const get = onTag('get');
const onlyIf = onTag('delete', { onlyIfName: 'A' });
const onBackup = (operation: string, more = {}) =>
	operationRun('backup', operation, { siteId: locator('1'), waitForCompletion: true, ...more });
const restore = onBackup('restore', { snapshotId: locator('s1') });
const sync = onBackup('sync');
const retried = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
const continues = { onError: 'continueRegularOutput' as const };

const refused: Answer = { status: 422, body: {} };
const tag: Answer = { status: 201, body: { tag: { id: '1', name: 'A' } } };
const task = (more: IDataObject = {}): Answer => ({
	body: { task: { id: 't1', status: 'running', created_at: '2026-03-01T12:00:00Z', ...more } },
});
const always = (given: Answer) => () => given;
/** A task is started, and then looks like this. */
const startsThen =
	(given: Answer): Answering =>
	({ pathname }) =>
		pathname.includes('/tasks/') ? given : task();
const restoreGoesOn = always(task({ details: {} }));
const syncGoesOn: Answering = ({ pathname }) =>
	pathname.endsWith('/sync')
		? { body: { sync: { snapshot_id: 's', in_progress: true } } }
		: { body: { snapshot: { id: 's', status: 'in_progress' } } };

const sentNames = () => fleet.sent().map(({ body }: any) => body.tag.name as string);
const tagIds = () => fleet.world.store.tags.peek().map(({ id }) => id);

describe('changes', () => {
	it('are sent one after the other, and give items that are paired', async () => {
		let [under, most] = [0, 0];
		const slow = await startWayward((_, count) => async (response) => {
			most = Math.max(most, ++under);
			for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
			under -= 1;
			response.writeHead(201, { 'Content-Type': 'application/json' });
			response.end(`{"tag":{"id":"${count}","name":"A"}}`);
		});
		const { items } = await runNode(slow, { ...create, items: named('A', 'B', 'C', 'D') });
		const paired = [0, 1, 2, 3].map((item) => [String(item + 1), { item }]);
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(paired);
		expect(most).toBe(1);
	});

	it('after a refused one are not sent', async () => {
		const [first, , third] = tagIds();
		const items = [first, 'unknown', third].map((id, at) => ({ id, name: 'ABC'[at] }));
		const { error } = await runNode(fleet, { ...update, items });
		expect(sentNames()).toEqual(['A', 'B']);
		expect(error?.message).toContain(
			'; list the IDs with Tag: Get Many (/tags/unknown/update) (item 2 of 3; 1 change was made before it: run again from item 2)',
		);
	});

	it.each<[string, NodeRun]>([
		['Name" has no value', { ...create, items: named('A', 'B', null) }],
		['Tag" is empty', { ...update, items: ['7', '8', ''].map((id) => ({ id, name: 'A' })) }],
	])('are all kept back by the bad input of one item: "%s', async (problem, run) => {
		const { error } = await runNode(fleet, run);
		expect(fleet.sent()).toEqual([]);
		expect(error?.message).toBe(`The parameter "${problem} (item 3 of 3)`);
	});

	it('are all kept back by an expression that fails for a later item', async () => {
		const unhandled: unknown[] = [];
		const note = (reason: unknown) => unhandled.push(reason);
		process.on('unhandledRejection', note);
		const name = '={{ $json.name ?? $("No Such Node").first().json.name }}';
		const items = named('A', 'B', null);
		const { error } = await runNode(fleet, operationRun('tag', 'create', { name }, { items }));
		expect(error?.message).toBe("Referenced node doesn't exist");
		// What the engine left behind has its turn before the service answers this.
		await fleet.api.get('/tags', { params: { perPage: 1 } });
		process.off('unhandledRejection', note);
		expect(fleet.routes()).toEqual(['GET /tags']);
		expect(unhandled).toEqual([]);
	});

	it('continue under Continue On Fail, and error items are paired too', async () => {
		const [first, , third] = tagIds();
		const names = named('A', 'B', 'C', null);
		const items = [first, 'unknown', third, first].map((id, at) => ({ id, ...names[at] }));
		const run = { ...update, items, settings: continues };
		const { items: output } = mustSucceed(await runNode(fleet, run));
		expect(sentNames()).toEqual(['A', 'B', 'C']);
		expect(output.map(({ json, pairedItem }) => [json.name ?? json.error, pairedItem])).toEqual([
			['A', { item: 0 }],
			[expect.stringContaining('found no such record'), { item: 1 }],
			['C', { item: 2 }],
			['The parameter "Name" has no value (item 4 of 4)', { item: 3 }],
		]);
	});

	it('of later batches are sent as well, and only the first item with Execute Once', async () => {
		answer = always(tag);
		const items = named('A', 'B');
		const all = await runNode(service, { ...batches(), items });
		expect([all.json.length, service.requests.length]).toEqual([2, 2]);
		const once = await runNode(service, { ...create, items, settings: { executeOnce: true } });
		expect([once.json.length, service.requests.length]).toEqual([1, 3]);
	});

	const batches = (batchSize = 1, batchInterval = 1) => {
		const requestOptions = { batching: { batch: { batchSize, batchInterval } } };
		return { ...create, parameters: { ...create.parameters, requestOptions } };
	};

	it('stop at bad input of a later batch, with the item from which to run again', async () => {
		answer = always(tag);
		// Long enough for the first change on any machine.
		const run = { ...batches(2, 500), items: named('A', 'B', null, 'D') };
		const { error } = await runNode(service, run);
		// n8n waits for its interval, and not for the changes of a batch.
		const made = service.requests.length;
		expect([1, 2]).toContain(made);
		expect(error?.message).toContain(` made before it: run again from item ${made + 1})`);
	});
});

it('reads of other items continue when one fails', async () => {
	const items = [{ id: 'unknown' }, { id: tagIds()[0] }];
	const { error } = await runNode(fleet, { ...onTag('get', {}, '={{ $json.id }}'), items });
	expect(error?.message).toMatch(/ \(item 1 of 2\)$/);
	expect(fleet.routes().sort()).toEqual([`GET /tags/${tagIds()[0]}`, 'GET /tags/unknown']);
});

describe('Retry On Fail', () => {
	it('sends again what was refused, not what was done, and gives the results of all tries', async () => {
		answer = (_, count) =>
			count === 2 ? { status: 409, body: {} } : { body: { tag: { id: '1', name: count } } };
		const items = ['A', 'B', 'C'].map((name) => ({ id: '1', name }));
		const { json } = mustSucceed(await runNode(service, { ...update, items, settings: retried }));
		expect(json.map(({ name }) => name)).toEqual([1, 3, 4]);
	});

	it('never repeats a change of which nobody knows whether it was made', async () => {
		answer = always({ status: 502 });
		const { error } = await runNode(service, { ...create, settings: retried });
		expect(service.requests).toHaveLength(1);
		expect(error?.description).toContain('may have been applied');
	});

	it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])(
		'does not send again after %s, which leaves the outcome of a sent change unknown',
		async (code) => {
			const sockets: Socket[] = [];
			const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
			subscribe('net.client.socket', note);
			// As Node.js ends a connection when reading from it fails.
			const failure = () => Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
			service.onRequest = () => sockets.forEach((socket) => socket.destroy(failure()));
			answer = always('drop');
			const { error } = await runNode(service, { ...create, settings: retried });
			unsubscribe('net.client.socket', note);
			expect(service.routes()).toEqual(['POST /tags']);
			expect(error?.context?.details).toMatchObject({ outcome: 'unknown' });
		},
	);
});

const unknown = { outcome: 'unknown', verifyAt: '/tags (Tag: Get Many)' };
const notSent = { outcome: 'notSent' };
const started = { outcome: 'started', taskId: 't1', verifyAt: '/tasks/t1 (Task: Get)' };
const syncStarted = { outcome: 'started', verifyAt: '/sites/1/snapshots/s (Snapshot: Get)' };
const ended = (status: number, outcome = 'refused') => ({ outcome, status });
const limited = { status: 429, headers: { 'X-RateLimit-Reset': '7' }, body: {} };
const page = { body: '<!doctype html><html></html>' };
const gone = always({ status: 404, body: {} });
const fails = always({ status: 503, body: {} });
const endsAsFailed = startsThen(task({ status: 'failed', details: { sites: [] } }));
const readOnly = { ...create, limits: { access: 'readOnly' } };
const preview = onTag('delete', { preview: true });

describe.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
	'what is known of a failure is data with %s:',
	(onError) => {
		it.each<[string, NodeRun & Pick<Access, 'limits'>, Answering, details: IDataObject]>([
			['a refused change', create, always(refused), ended(422)],
			['a change that the rate limit refused to the end', create, always(limited), ended(429)],
			['a change without an answer', create, always('drop'), unknown],
			['a change that ends in 502', create, always({ status: 502 }), { ...unknown, status: 502 }],
			['a change that a web page answers', create, always(page), unknown],
			['bad input', { ...create, items: named(null) }, always(tag), notSent],
			['a change that the credential does not allow', readOnly, always(tag), notSent],
			['a look-up for a change that is refused', onlyIf, gone, ended(404, 'notSent')],
			['a look-up for a change that fails', onlyIf, fails, ended(503, 'notSent')],
			['a preview whose record is gone', preview, gone, ended(404, 'notSent')],
			['a refused read', get, gone, ended(404)],
			['a read that fails', get, fails, ended(503, 'unknown')],
			['a restore that failed', restore, endsAsFailed, started],
			['a restore that goes on after the time limit', restore, restoreGoesOn, started],
			['a restore whose task cannot be seen', restore, startsThen({ status: 403 }), started],
			['a sync that goes on after the time limit', sync, syncGoesOn, syncStarted],
		])('%s', async (_, { limits, ...run }, given, details) => {
			answer = given;
			const asked = { ...run, settings: { onError } };
			const { items, errors, error, run: ended } = await runNode({ ...service, limits }, asked);
			const wanted = { ...details, item: 1 };
			if (onError === 'stopWorkflow') {
				expect(error?.context?.details).toEqual(wanted);
				// As n8n keeps it and hands it to an error workflow.
				const kept = JSON.parse(JSON.stringify(ended.data.resultData.error)) as IDataObject;
				return expect((kept.context as IDataObject).details).toEqual(wanted);
			}
			const [failed, others] = onError === 'continueErrorOutput' ? [errors, items] : [items, []];
			expect(failed.map(({ json }) => json)).toEqual([
				{ error: expect.any(String), details: wanted },
			]);
			expect(others).toEqual([]);
		});
	},
);

it.each([create, get])('an unreachable service has received nothing', async (run) => {
	await service.close();
	const { error } = await runNode(service, run);
	expect(error?.context?.details).toEqual({ ...notSent, item: 1 });
});

describe('the place in a message', () => {
	const items = named('A', 'B', 'C');
	const UNSURE = ' if this one was not applied';

	it.each<[at: number, failure: Answer, place: string]>([
		[1, refused, '; nothing was changed before it'],
		[2, refused, '; 1 change was made before it: run again from item 2'],
		[2, 'drop', `; 1 change was made before it: run again from item 3, or from item 2${UNSURE}`],
		[3, 'drop', `; 2 changes were made before it: run again from item 3${UNSURE}`],
	])('says from which item to run again: after %i, %j', async (at, failure, place) => {
		answer = (_, count) => (count === at ? failure : tag);
		const { error } = await runNode(service, { ...create, items });
		expect(error?.message).toMatch(/ \(item [^()]*\)$/);
		expect(error?.message.endsWith(` (item ${at} of 3${place})`)).toBe(true);
		// n8n's panel appends its own index, of 0 or more, when it finds one.
		expect(error?.context?.itemIndex).toBeUndefined();
	});

	it('stays the same when n8n tries again', async () => {
		answer = (_, count) => (count === 1 ? tag : refused);
		const { error } = await runNode(service, { ...create, items, settings: retried });
		expect(error?.message.match(/item 2 of 3/g)).toHaveLength(1);
		expect(error?.message).toContain('1 change was made before it: run again from item 2');
	});

	it('of a read does not mention changes, and says that nothing was sent for this item', async () => {
		answer = always({ body: { tag: { id: '7' } } });
		const run = onTag('get', {}, '={{ $json.id }}');
		const { error } = await runNode(service, { ...run, items: [{ id: '7' }, { id: '' }] });
		expect(service.requests).toHaveLength(1);
		expect(error?.message).toBe('The parameter "Tag" is empty (item 2 of 2)');
		expect(error?.description).toContain('Nothing was sent for this item.');
	});

	it('names each item that shares a failed lookup', async () => {
		answer = always({ status: 403, body: {} });
		const siteId = locator('https://a.example.com', 'url');
		const more = { items: [{}, {}, {}], settings: continues };
		const { json } = await runNode(service, operationRun('site', 'get', { siteId }, more));
		expect(service.requests).toHaveLength(1);
		expect(json).toEqual(
			[1, 2, 3].map((item) => ({
				error: `The service does not allow this (item ${item} of 3)`,
				details: { ...ended(403), item },
			})),
		);
	});

	it('has the total of started changes when one ends as failed', async () => {
		answer = ({ pathname }, count) =>
			pathname.includes('/tasks')
				? task({ id: pathname.split('/').pop(), status: 'failed', details: {} })
				: task({ id: `t${count}` });
		const { error } = await runNode(service, { ...restore, items: [{}, {}, {}] });
		expect(error?.message).toContain(
			'(item 1 of 3; 3 changes were made in total: do not run those items again)',
		);
	});
});

describe('an execution that is cancelled', () => {
	const left = (run: { data: { resultData: { metadata?: Record<string, string> } } }) =>
		run.data.resultData.metadata;

	const cancelledAt = async (sleep: number, access: Access, run: NodeRun) => {
		const { cancel, result } = await startNode(access, run);
		let sleeps = 0;
		onSleep = (ms) => {
			if (ms > 0 && ++sleeps === sleep) cancel();
		};
		return left((await result).run);
	};

	it('keeps the path of a sync', async () => {
		answer = syncGoesOn;
		const kept = { siteManagementSyncs: '/sites/1/snapshots/s' };
		expect(await cancelledAt(2, service, sync)).toMatchObject(kept);
	});

	it('keeps each running task, as one does that goes on after the time limit', async () => {
		const order = { type: 'restore' as const, siteIds: ['1'], durationMs: 600_000 };
		const ids = [1, 2, 3].map(() => startTaskNow(fleet.world, order).id);
		const wait = operationRun('task', 'wait', { taskId: locator('={{ $json.id }}') });
		const kept = await cancelledAt(3, fleet, { ...wait, items: ids.map((id) => ({ id })) });
		expect(kept!.siteManagementTasks!.split('; ').sort()).toEqual([...ids].sort());
		answer = restoreGoesOn;
		onSleep = () => {};
		const { run } = await runNode(service, restore);
		expect(left(run)).toEqual({ siteManagementTasks: 't1' });
	});

	it('keeps what may have been applied, and how much was changed; otherwise nothing', async () => {
		answer = always(tag);
		const started = await startNode(service, { ...create, items: named('A', 'B', 'C') });
		service.onRequest = () => {
			if (service.requests.length === 1) started.cancel();
		};
		expect(left((await started.result).run)).toEqual({
			siteManagementUnknown: '/tags (Tag: Get Many) (item 2)',
			siteManagementChanges: 'Node Under Test: 1 of 3 made',
		});
		expect(left((await runNode(service, create)).run)).toBeUndefined();
	});
});

describe('a password that the service repeats', () => {
	it('is blanked in the text of a task that failed, which is cut', async () => {
		const message = `ftp://guard:hunter2hunter2@host ${'x'.repeat(1e4)}`;
		const sites = [{ id: '1', steps: [{ type: 'restore_files', error: { message } }] }];
		answer = startsThen(task({ status: 'failed', details: { sites } }));
		const { error } = await runNode(service, restore);
		expect(error?.message).toContain('step restore_files on site 1: ftp://…@host');
		expect(error?.message.length).toBeLessThan(600);
	});

	it('is blanked in all that n8n keeps, also where a long text is cut in it', async () => {
		const password = 'p"ss/wörd+1 %&';
		const details = `No: ${'x'.repeat(490)}${password}.`;
		answer = always({ status: 422, body: { error: { details } } });
		const additionalFields = { httpAuth: { credentials: { username: 'guard', password } } };
		const site = { url: 'https://a.example.com', additionalFields };
		const { error, run } = await runNode(service, operationRun('site', 'create', site));
		const settings = continues;
		const { json } = await runNode(service, operationRun('site', 'create', site, { settings }));
		const kept = JSON.stringify({ ...run.data.resultData.error, node: undefined });
		for (const text of [kept, error!.message, error!.stack, JSON.stringify(json)]) {
			expect(text).not.toMatch(/p"s|rd\+1/);
		}
		expect(error!.message).toContain('The service rejected this: No: ');
	});
});
