import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { type Access, runNode, startNode, type NodeRun } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { startWayward, type Answer, type Wayward } from '../../support/wayward';
import { startTaskNow } from '../../../sandbox/service/engine/tasks';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

/** What is known of a failure, as data, in every way in which n8n hands it on. */

const fleet = fleetEach({ sites: 3 });
let service: Wayward;
let answer: Answering;
let onSleep: (ms: number) => void;

beforeEach(async () => {
	service = await startWayward((url, count) =>
		// What a restore looks at before.
		url.pathname.endsWith('/snapshots/s1')
			? { body: { snapshot: { id: 's1', status: 'succeeded' } } }
			: answer(url, count),
	);
	onSleep = () => {};
	useClock({
		now: () => fleet.clock.now(),
		sleep: (ms) => {
			fleet.clock.advance(ms);
			onSleep(ms);
		},
	});
	fleet.forget();
});
afterEach(async () => {
	await service.close();
});

const create: NodeRun = {
	node: 'tag',
	parameters: { resource: 'tag', operation: 'create', name: '={{ $json.name }}' },
	items: [{ name: 'A' }],
};
const onTag = (operation: string, more = {}): NodeRun => ({
	node: 'tag',
	parameters: { resource: 'tag', operation, tagId: locator('7'), ...more },
});
const get = onTag('get');
const onlyIf = onTag('delete', { onlyIf: 'name', onlyIfName: 'A' });
const onBackup = (operation: string, more = {}): NodeRun => ({
	node: 'backup',
	parameters: {
		...{ resource: 'backup', operation, siteId: locator('1') },
		...{ waitForCompletion: true, ...more },
	},
});
const restore = onBackup('restore', { snapshotId: locator('s1') });
const sync = onBackup('sync');
const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
const tag = { status: 201, body: { tag: { id: '1', name: 'A' } } };
const task = (more: IDataObject = {}) => ({
	body: { task: { id: 't1', status: 'running', created_at: '2026-03-01T12:00:00Z', ...more } },
});

type Answering = (url: URL, count: number) => Answer;
const always = (given: Answer) => () => given;
/** A task is started, and then looks like this. */
const startsThen =
	(given: Answer): Answering =>
	({ pathname }) =>
		pathname.includes('/tasks/') ? given : task();
const syncGoesOn: Answering = ({ pathname }) =>
	pathname.endsWith('/sync')
		? { body: { sync: { snapshot_id: 's', in_progress: true } } }
		: { body: { snapshot: { id: 's', status: 'in_progress' } } };
const restoreGoesOn = always(task({ details: {} }));
const failed = task({ status: 'failed', details: { sites: [] } });

const unknown = { outcome: 'unknown', verifyAt: '/tags (Tag: Get Many)' };
const notSent = { outcome: 'notSent' };
const started = { outcome: 'started', taskId: 't1', verifyAt: '/tasks/t1 (Task: Get)' };
const ended = (status: number, outcome = 'refused') => ({ outcome, status });
const limited = { status: 429, headers: { 'X-RateLimit-Reset': '7' }, body: {} };
const page = { body: '<!doctype html><html></html>' };

describe.each<
	[what: string, run: NodeRun, given: Answering, details: IDataObject, limits?: object]
>([
	['a refused change', create, always({ status: 422, body: {} }), ended(422), {}],
	['a change that the rate limit refused to the end', create, always(limited), ended(429), {}],
	['a change without an answer', create, always('drop'), unknown, {}],
	['a change that ends in 502', create, always({ status: 502 }), { ...unknown, status: 502 }, {}],
	['a change that a web page answers', create, always(page), unknown, {}],
	['bad input', { ...create, items: [{ name: null }] }, always(tag), notSent, {}],
	[
		'a change that the credential does not allow',
		create,
		always(tag),
		notSent,
		{ access: 'readOnly' },
	],
	[
		'a look-up for a change that is refused',
		onlyIf,
		always({ status: 404, body: {} }),
		ended(404, 'notSent'),
		{},
	],
	[
		'a look-up for a change that fails',
		onlyIf,
		always({ status: 503, body: {} }),
		ended(503, 'notSent'),
		{},
	],
	[
		'a preview whose record is gone',
		onTag('delete', { preview: true }),
		always({ status: 404, body: {} }),
		ended(404, 'notSent'),
		{},
	],
	['a refused read', get, always({ status: 404, body: {} }), ended(404), {}],
	['a read that fails', get, always({ status: 503, body: {} }), ended(503, 'unknown'), {}],
	['a restore that failed', restore, startsThen(failed), started, {}],
	['a restore that goes on after the time limit', restore, restoreGoesOn, started, {}],
	['a restore whose task cannot be seen', restore, startsThen({ status: 403 }), started, {}],
	[
		'a sync that goes on after the time limit',
		sync,
		syncGoesOn,
		{ outcome: 'started', verifyAt: '/sites/1/snapshots/s (Snapshot: Get)' },
		{},
	],
])('%s', (_, run, given, details, limits) => {
	const wanted = { ...details, item: 1 };
	beforeEach(() => void (answer = given));
	const access = () => ({ ...service, limits: limits as IDataObject });

	it('is data on the error that n8n keeps and hands to an error workflow', async () => {
		const { error, run: ended } = await runNode(access(), run);
		expect(error?.context?.details).toEqual(wanted);
		const kept = JSON.parse(JSON.stringify(ended.data.resultData.error)) as IDataObject;
		expect((kept.context as IDataObject).details).toEqual(wanted);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'is data on the item with %s',
		async (onError) => {
			const { items, errors } = await runNode(access(), { ...run, settings: { onError } });
			const [failed, others] = onError === 'continueErrorOutput' ? [errors, items] : [items, []];
			expect(failed).toHaveLength(1);
			expect(failed[0]!.json).toMatchObject({ error: expect.any(String), details: wanted });
			expect(others).toEqual([]);
		},
	);
});

it('an unreachable service has received nothing', async () => {
	await service.close();
	const { error } = await runNode(service, create);
	expect(error?.context?.details).toEqual({ outcome: 'notSent', item: 1 });
	const read = await runNode(service, get);
	expect(read.error?.context?.details).toEqual({ outcome: 'notSent', item: 1 });
});

it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])(
	'%s after the request was sent leaves the outcome unknown: it is not sent again',
	async (code) => {
		const sockets: Socket[] = [];
		const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
		subscribe('net.client.socket', note);
		// As Node.js ends a connection when reading from it fails.
		service.onRequest = () =>
			sockets.forEach((socket) =>
				socket.destroy(Object.assign(new Error(`read ${code}`), { code, syscall: 'read' })),
			);
		answer = () => 'drop';
		const { error } = await runNode(service, {
			...create,
			settings: retried,
		});
		unsubscribe('net.client.socket', note);
		expect(service.requests).toEqual(['POST /api/v6/tags']);
		expect(error?.message).toContain('may have been applied');
		expect(error?.context?.details).toMatchObject({ outcome: 'unknown' });
	},
);

describe('with batches', () => {
	const batches = (name: string, size = 1, batchInterval = 1) => ({
		...create,
		parameters: {
			...create.parameters,
			name,
			requestOptions: { batching: { batch: { batchSize: size, batchInterval } } },
		},
	});
	beforeEach(() => void (answer = () => tag));

	it('bad input of a later batch stops the rest, and says from which item to run again', async () => {
		const { error } = await runNode(service, {
			// Long enough for the first change on any machine.
			...batches('={{ $json.name }}', 2, 500),
			items: [{ name: 'A' }, { name: 'B' }, { name: null }, { name: 'D' }],
		});
		// n8n waits for its interval, and not for the changes of a batch.
		const made = service.requests.length;
		expect([1, 2]).toContain(made);
		expect(error?.message).toContain(` made before it: run again from item ${made + 1})`);
	});

	it('bad input of the same batch comes before its first change', async () => {
		const { error } = await runNode(service, {
			...batches('={{ $json.name }}', 2),
			items: [{ name: 'A' }, { name: null }, { name: 'C' }],
		});
		expect(service.requests).toEqual([]);
		expect(error?.message).toBe('The parameter "Name" has no value (item 2 of 3)');
	});

	it('good input of all items is sent', async () => {
		const { json } = await runNode(service, {
			...batches('={{ $json.name }}'),
			items: [{ name: 'A' }, { name: 'B' }],
		});
		expect(json).toHaveLength(2);
		expect(service.requests).toHaveLength(2);
	});
});

describe('the place in a message', () => {
	const items = ['A', 'B', 'C'].map((name) => ({ name }));
	const failAt = (count: number, failure: Answer) => {
		answer = (_, number) => (number === count ? failure : tag);
	};

	it.each<[what: string, at: number, failure: Answer, place: string]>([
		[
			'first, refused',
			1,
			{ status: 422, body: {} },
			'(item 1 of 3; nothing was changed before it)',
		],
		[
			'second, refused',
			2,
			{ status: 422, body: {} },
			'(item 2 of 3; 1 change was made before it: run again from item 2)',
		],
		[
			'second, unknown',
			2,
			'drop',
			'(item 2 of 3; 1 change was made before it: run again from item 3, or from item 2 if this one was not applied)',
		],
		[
			'last, unknown',
			3,
			'drop',
			'(item 3 of 3; 2 changes were made before it: run again from item 3 if this one was not applied)',
		],
	])('says from which item to run again: %s', async (_, at, failure, place) => {
		failAt(at, failure);
		const { error } = await runNode(service, { ...create, items });
		expect(error?.message).toMatch(/ \(item [^()]*\)$/);
		expect(error?.message.endsWith(` ${place}`)).toBe(true);
		expect(error?.context?.details).toMatchObject({ item: at });
		// n8n's panel appends its own index, of 0 or more, when it finds one.
		expect(error?.context?.itemIndex).toBeUndefined();
	});

	it('stays the same when n8n tries again', async () => {
		answer = (_, count) => (count === 1 ? tag : { status: 422, body: {} });
		const { error } = await runNode(service, {
			...create,
			items,
			settings: retried,
		});
		expect(error?.message.match(/item 2 of 3/g)).toHaveLength(1);
		expect(error?.message).toContain('1 change was made before it: run again from item 2');
	});

	it('and the data stay the same where n8n retries and continues', async () => {
		answer = () => 'drop';
		const { json } = await runNode(service, {
			...create,
			settings: { ...retried, onError: 'continueRegularOutput' },
		});
		expect(service.requests).toHaveLength(1);
		expect(json).toEqual([
			{
				error: expect.stringContaining('may have been applied'),
				details: { outcome: 'unknown', item: 1, verifyAt: '/tags (Tag: Get Many)' },
			},
		]);
	});

	it('of a read does not mention changes, and says that nothing was sent for this item', async () => {
		answer = () => ({ body: { tag: { id: '7' } } });
		const { error } = await runNode(service, {
			...get,
			parameters: { ...get.parameters, tagId: locator('={{ $json.id }}') },
			items: [{ id: '7' }, { id: '' }],
		});
		expect(service.requests).toHaveLength(1);
		expect(error?.message).toBe('The parameter "Tag" is empty (item 2 of 2)');
		expect(error?.description).toContain('Nothing was sent for this item.');
	});

	it('names each item that shares a failed lookup', async () => {
		answer = () => ({ status: 403, body: {} });
		const { json } = await runNode(service, {
			node: 'site',
			parameters: {
				resource: 'site',
				operation: 'get',
				siteId: locator('https://a.example.com', 'url'),
			},
			items: [{}, {}, {}],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(service.requests).toHaveLength(1);
		expect(json).toEqual(
			[1, 2, 3].map((item) => ({
				error: `The service does not allow this (item ${item} of 3)`,
				details: { outcome: 'refused', status: 403, item },
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

	it('under Continue On Fail covers only the item, and no item says that nothing was sent in total', async () => {
		answer = () => tag;
		const { json } = await runNode(service, {
			...create,
			items: [{ name: 'A' }, { name: null }],
			settings: { onError: 'continueRegularOutput' },
		});
		expect(json[1]).toEqual({
			error: 'The parameter "Name" has no value (item 2 of 2)',
			details: { outcome: 'notSent', item: 2 },
		});
	});
});

describe('an execution that is cancelled', () => {
	const left = (run: { data: { resultData: { metadata?: Record<string, string> } } }) =>
		run.data.resultData.metadata;

	/** Cancels a run when it sleeps for the given time. */
	const cancelledAt = async (sleep: number, access: Access, run: NodeRun) => {
		const { cancel, result } = await startNode(access, run);
		let sleeps = 0;
		onSleep = (ms) => {
			if (ms > 0 && ++sleeps === sleep) cancel();
		};
		return left((await result).run);
	};

	it.each<[string, NodeRun, Answering, object]>([
		['the task of a restore', restore, restoreGoesOn, { siteManagementTasks: 't1' }],
		['a sync', sync, syncGoesOn, { siteManagementSyncs: '/sites/1/snapshots/s' }],
	])('keeps %s', async (_, run, given, kept) => {
		answer = given;
		expect(await cancelledAt(2, service, run)).toMatchObject(kept);
	});

	it('keeps each running task', async () => {
		const [site] = fleet.world.store.sites.peek();
		const order = { type: 'restore' as const, siteIds: [site!.id], durationMs: 600_000 };
		const ids = [1, 2, 3].map(() => startTaskNow(fleet.world, order).id);
		const kept = await cancelledAt(3, fleet, {
			node: 'task',
			parameters: { resource: 'task', operation: 'wait', taskId: locator('={{ $json.id }}') },
			items: ids.map((id) => ({ id })),
		});
		expect(kept!.siteManagementTasks!.split('; ').sort()).toEqual([...ids].sort());
	});

	it('keeps what may have been applied, and how much was changed', async () => {
		answer = () => tag;
		const started = await startNode(service, {
			...create,
			items: ['A', 'B', 'C'].map((name) => ({ name })),
		});
		service.onRequest = () => {
			if (service.requests.length === 1) started.cancel();
		};
		const { run } = await started.result;
		expect(left(run)).toEqual({
			siteManagementUnknown: '/tags (Tag: Get Many) (item 2)',
			siteManagementChanges: 'Node Under Test: 1 of 3 made',
		});
	});

	it('leaves nothing where nothing was under way', async () => {
		answer = () => tag;
		const { run } = await runNode(service, create);
		expect(left(run)).toBeUndefined();
	});
});

it('after the time limit the task is in the execution, too', async () => {
	answer = restoreGoesOn;
	const { run } = await runNode(service, restore);
	expect(run.data.resultData.metadata).toEqual({ siteManagementTasks: 't1' });
});

describe('a password that the service repeats', () => {
	const password = 'p"ss/wörd+1 %&';
	const site = (settings = {}): NodeRun => ({
		node: 'site',
		parameters: {
			resource: 'site',
			operation: 'create',
			url: 'https://a.example.com',
			additionalFields: { httpAuth: { credentials: { username: 'guard', password } } },
		},
		settings,
	});
	const forms: Record<string, string> = {
		'as it is': password,
		'in a long text': `${'x'.repeat(490)}${password}`,
	};

	it('is blanked in the text of a task that failed, which is cut', async () => {
		const step = (message: string) => ({ type: 'restore_files', error: { message } });
		const sites = [
			{ id: '1', steps: [step(`ftp://guard:hunter2hunter2@host ${'x'.repeat(1e4)}`)] },
		];
		answer = startsThen(task({ status: 'failed', details: { sites } }));
		const { error } = await runNode(service, restore);
		expect(error?.message).toContain('step restore_files on site 1: ftp://…@host');
		expect(error?.message.length).toBeLessThan(600);
	});

	it.each(Object.entries(forms))('is blanked in all that n8n keeps: %s', async (_, form) => {
		answer = () => ({ status: 422, body: { error: { details: `No: ${form}.` } } });
		const { error, run } = await runNode(service, site());
		const continued = await runNode(service, site({ onError: 'continueRegularOutput' }));
		const kept = JSON.stringify({ ...run.data.resultData.error, node: undefined });
		for (const text of [kept, error!.message, error!.stack, JSON.stringify(continued.json)]) {
			expect(text).not.toContain(form.slice(0, 499));
			expect(text).not.toContain('p"s');
			expect(text).not.toContain('rd+1');
		}
		expect(error!.message).toContain('The service rejected this: No: ');
	});
});
