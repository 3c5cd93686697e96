import { Readable } from 'node:stream';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { backup } from '../../../nodes/Backup/resources/backup';
import { managedAccount } from '../../../nodes/ManagedAccount/resources/managedAccount';
import { file } from '../../../nodes/BackupContent/resources/file';
import { report } from '../../../nodes/Report/resources/report';
import { site } from '../../../nodes/Site/resources/site';
import { tag } from '../../../nodes/Tag/resources/tag';
import { task } from '../../../nodes/Task/resources/task';
import { properties, type Resources } from '../../../nodes/shared/describe';
import { clock } from '../../../nodes/shared/lib';
import { sender } from '../../../nodes/shared/run/send';
import { itemsOf, type Given, type ItemsOptions, type Sent } from '../../support/items';

/** The way of an operation through the transport: what is asked for, in which order, and what comes out. */

const resources: Resources = [backup, file, managedAccount, report, site, tag, task];
const shown = properties(resources);

let now: number;
beforeEach(() => {
	now = Date.parse('2026-03-01T12:00:00Z');
	clock.now = () => now;
	clock.steady = () => now;
	clock.sleep = async (ms) => {
		now += ms;
		await new Promise((resolve) => setImmediate(resolve));
	};
});

const id = (value: string, mode = 'id') => ({ __rl: true, mode, value }) as never;

/** The ID of a site as the service makes them: no look is taken at it. */
const siteId = (at: number) => String(at).padStart(10, '0');
const SITES = [siteId(1), siteId(2)] as const;

/** The input of an item, to be changed behind n8n's back. */
const inputOf = (item: { getInputData(): unknown }) =>
	(item.getInputData() as INodeExecutionData).json;

type Answers = Record<string, Given | ((sent: Sent) => Given)>;

/** Runs all items of a node; `GET /tags/7` is answered as told, anything else with 404. */
async function run(parameters: INodeParameters, answers: Answers, options: ItemsOptions = {}) {
	const answer = (sent: Sent): Given => {
		const given = answers[`${sent.method} ${sent.url}`] ?? { status: 404 };
		return typeof given === 'function' ? given(sent) : given;
	};
	const { items, sent } = itemsOf({ parameters, properties: shown, answer, ...options });
	const send = sender(resources);
	const data = { options: {} } as never;
	const ended = await Promise.all(
		items.map((item) => send.call(item as never, data).catch((error: Error) => error)),
	);
	return { ended, sent: sent.map(({ method, url }) => `${method} ${url}`), requests: sent };
}

const jsonOf = (ended: INodeExecutionData[] | Error) => {
	if (ended instanceof Error) throw ended;
	return ended.map(({ json }) => json);
};
const one = async (parameters: INodeParameters, answers: Answers, options?: ItemsOptions) => {
	const { ended, ...more } = await run(parameters, answers, options);
	return { ...more, ended: ended[0]!, json: ended[0] instanceof Error ? [] : jsonOf(ended[0]!) };
};

/** As n8n adds it to each node with requests. */
const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	default: {},
	options: [
		{
			displayName: 'Batching',
			name: 'batching',
			type: 'fixedCollection',
			default: {},
			options: [
				{
					displayName: 'Batching',
					name: 'batch',
					values: [
						{ displayName: 'Size', name: 'batchSize', type: 'number', default: 50 },
						{ displayName: 'Interval', name: 'batchInterval', type: 'number', default: 0 },
					],
				},
			],
		},
	],
};

const raw = { output: 'raw' };
const tagAt = (tagId: string, more = {}) => ({ tag: { id: tagId, name: 'A', ...more } });

it('a record is read and paired with its item', async () => {
	const parameters = { resource: 'tag', operation: 'get', tagId: id('a b'), ...raw };
	const { ended, sent } = await run(
		parameters,
		{ 'GET /tags/a%20b': { body: tagAt('a b') } },
		{ count: 2 },
	);
	expect(ended).toEqual([0, 1].map((item) => [{ json: tagAt('a b').tag, pairedItem: { item } }]));
	expect(sent).toEqual(['GET /tags/a%20b', 'GET /tags/a%20b']);
});

it.each([
	[
		'the operation',
		{ resource: 'tag', operation: 'paint' },
		'The parameter "Operation" is unknown',
	],
	['the resource', { resource: 'paint', operation: 'get' }, 'The parameter "Resource" is unknown'],
])('%s has to be one of the node', async (_, parameters, message) => {
	const { ended, sent } = await one(parameters, {});
	expect((ended as Error).message).toContain(message);
	expect(sent).toEqual([]);
});

it('a failure is an item where the node continues, and ends the run otherwise', async () => {
	const parameters = { resource: 'tag', operation: 'get', tagId: id('7'), ...raw };
	const { ended } = await one(parameters, {});
	expect(ended).toMatchObject({ httpCode: '404' });
	const { json } = await one(parameters, {}, { continuesOnFail: true });
	expect(json).toEqual([
		{
			error: (ended as Error).message,
			details: { outcome: 'refused', status: 404, item: 1 },
		},
	]);
});

it('a list has as many records as requested, and a model gets a message for an empty one', async () => {
	const parameters = { resource: 'tag', operation: 'getAll', returnAll: false, limit: 2, ...raw };
	const page = (count: number): Given => ({
		body: {
			tags: Array.from({ length: count }, (_, index) => ({ id: `${index}` })),
			meta: { pagination: { perPage: 2, totalPages: Math.ceil(count / 2), totalItems: count } },
		},
	});
	const two = await one(parameters, { 'GET /tags': page(2) });
	expect(two.json).toEqual([{ id: '0' }, { id: '1' }]);
	expect(two.requests[0]!.qs).toMatchObject({ perPage: 2 });
	expect((await one(parameters, { 'GET /tags': page(0) })).json).toEqual([]);
	expect((await one(parameters, { 'GET /tags': page(0) }, { asTool: true })).json).toEqual([
		{ count: 0, message: 'No records were found' },
	]);
});

describe('a change', () => {
	const remove = { resource: 'tag', operation: 'delete', tagId: id('7') };
	const create = { resource: 'tag', operation: 'create', name: 'A', ...raw };

	it('is made one at a time, and none after a failure', async () => {
		let count = 0;
		const answers = {
			'POST /tags': () => {
				count += 1;
				return count === 2 ? { status: 422, body: {} } : { status: 201, body: tagAt('1') };
			},
		};
		const { ended, sent } = await run(create, answers, { count: 4 });
		expect(sent).toHaveLength(2);
		expect(jsonOf(ended[0]!)).toHaveLength(1);
		expect((ended[1] as Error).message).toMatch(
			/\(item 2 of 4; 1 change was made before it: run again from item 2\)$/,
		);
		expect(ended.slice(2).map((each) => jsonOf(each!))).toEqual([[], []]);
	});

	it('is not sent before the one before it has been answered, however long that takes', async () => {
		let [under, most] = [0, 0];
		const { items, sent } = itemsOf({
			parameters: { ...create, name: '={{ "A" }}' },
			properties: shown,
			count: 5,
			answer: async () => {
				most = Math.max(most, ++under);
				for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
				under -= 1;
				return { status: 201, body: tagAt('1') };
			},
		});
		const send = sender(resources);
		const data = { options: {} } as never;
		await Promise.all(items.map((item) => send.call(item as never, data)));
		expect([sent.length, most]).toEqual([5, 1]);
	});

	it('is not made before n8n has passed all items, since n8n may have stopped at one', async () => {
		const options = { parameters: create, properties: shown, answer: () => ({ body: tagAt('1') }) };
		const { item, sent } = itemsOf({ ...options, count: 2 });
		const send = sender(resources);
		expect(await send.call(item as never, { options: {} } as never)).toEqual([]);
		expect(sent).toEqual([]);
	});

	it('that fails first says that nothing was changed', async () => {
		const { ended } = await run(create, { 'POST /tags': { status: 422, body: {} } }, { count: 2 });
		expect((ended[0] as Error).message).toMatch(/\(item 1 of 2; nothing was changed before it\)$/);
		expect((ended[0] as { description?: string }).description).toMatch(/Nothing was changed\.$/);
		const single = await one(create, { 'POST /tags': { status: 422, body: {} } });
		expect((single.ended as Error).message).not.toContain('item 1');
		const unsure = await one(create, { 'POST /tags': { status: 500, body: {} } });
		expect((unsure.ended as { description?: string }).description).not.toMatch(
			/Nothing was changed/,
		);
	});

	it('that failed does not stop the others where the node continues', async () => {
		let count = 0;
		const answers = {
			'POST /tags': () => (count++ === 0 ? { status: 422, body: {} } : { body: tagAt('1') }),
		};
		const { ended, sent } = await run(create, answers, { count: 3, continuesOnFail: true });
		expect(sent).toHaveLength(3);
		expect(ended.map((each) => Object.keys(jsonOf(each!)[0]!))).toEqual([
			['error', 'details'],
			['id', 'name'],
			['id', 'name'],
		]);
	});

	it('whose input turns bad after others were made says what was made', async () => {
		const { items, sent } = itemsOf({
			parameters: {
				...create,
				name: '={{ $json.name ?? "A" }}',
				requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 1 } } },
			},
			properties: [...shown, requestOptions],
			count: 4,
			answer: () => ({ status: 201, body: tagAt('1') }),
		});
		const send = sender(resources);
		const sending = async (index: number) =>
			await send.call(items[index] as never, { options: {} } as never);
		await sending(0);
		await sending(1);
		inputOf(items[2]!).name = '';
		await expect(sending(2)).rejects.toMatchObject({
			message:
				'The parameter "Name" is empty (item 3 of 4; 2 changes were made before it: run again from item 3)',
			description: expect.stringMatching(/^Nothing was sent for this item\. /),
			context: { details: { outcome: 'notSent', item: 3 } },
		});
		expect(await sending(3)).toEqual([]);
		expect(sent).toHaveLength(2);
	});

	it('of a tool is reported without the items of the agent', async () => {
		const answers = { 'POST /tags': { status: 422, body: {} } };
		const { ended } = await one(create, answers, { asTool: true, count: 2 });
		expect((ended as Error).message).not.toContain('item');
	});

	it('that may have been made says where to look', async () => {
		const { ended } = await one(remove, { 'DELETE /tags/7': { status: 500, body: {} } });
		expect((ended as { description?: string }).description).toContain('/tags/7 (Tag: Get)');
		const restore = { resource: 'backup', operation: 'enable', siteId: id('1') };
		const enabled = await one(restore, {
			'POST /sites/1/backups/enable': { status: 500, body: {} },
		});
		expect((enabled.ended as { description?: string }).description).toContain(
			'/sites/1 (Site: Get)',
		);
		const started = {
			resource: 'backup',
			operation: 'download',
			siteId: id('1'),
			snapshotId: id('2'),
		};
		const task = await one(started, {
			'POST /sites/1/backups/2/download': { status: 500, body: {} },
		});
		expect((task.ended as { description?: string }).description).toContain(
			'/tasks (Task: Get Many)',
		);
	});

	it('for several is believed only when the answer is for these', async () => {
		const assign = { resource: 'tag', operation: 'assign', tagId: id('7'), siteIds: SITES.join() };
		const bodyOf = (ids: string[], errors: unknown[] = []): Answers => ({
			'POST /tags/7/assign': { body: { assign: { site_ids: ids, errors } } },
		});
		const right = await one(assign, bodyOf([...SITES].reverse()));
		expect(right.requests[0]!.body).toEqual({ site_ids: SITES });
		expect(right.json).toEqual([
			{ tag_id: '7', site_id: SITES[0], assigned: true, success: true },
			{ tag_id: '7', site_id: SITES[1], assigned: true, success: true },
		]);
		const failed = await one(assign, bodyOf([SITES[1]], [{ id: SITES[0], message: 'no' }]));
		expect(failed.json).toMatchObject([
			{ site_id: SITES[0], success: false },
			{ site_id: SITES[1] },
		]);
		const wrong = await one(assign, bodyOf([SITES[0]]));
		expect((wrong.ended as Error).message).toContain('it is a response for 1 of 2 IDs');
	});

	it('that removed something returns its ID', async () => {
		const { json } = await one(remove, { 'DELETE /tags/7': { status: 204, body: '' } });
		expect(json).toEqual([{ deleted: true, id: '7' }]);
	});
});

describe('a tool that is called again by Retry On Fail', () => {
	const create = { resource: 'tag', operation: 'create', name: 'A', ...raw };

	it.each([
		[true, 1],
		[false, 2],
	])(
		'with retry %p asks for a change that may have been made %i times',
		async (retryOnFail, times) => {
			const { item, sent } = itemsOf({
				parameters: create,
				properties: shown,
				asTool: true,
				node: { retryOnFail },
				answer: () => ({ status: 500, body: {} }),
			});
			const send = sender(resources);
			for (let call = 0; call < 2; call++) {
				await expect(send.call(item as never, { options: {} } as never)).rejects.toThrow();
			}
			expect(sent).toHaveLength(times);
		},
	);

	it('repeats one that was certainly not made', async () => {
		const { item, sent } = itemsOf({
			parameters: create,
			properties: shown,
			asTool: true,
			node: { retryOnFail: true },
			answer: () => ({ status: 422, body: {} }),
		});
		const send = sender(resources);
		for (let call = 0; call < 2; call++) {
			await expect(send.call(item as never, { options: {} } as never)).rejects.toThrow();
		}
		expect(sent).toHaveLength(2);
	});
});

it('a run that is tried again does not repeat what was made', async () => {
	let count = 0;
	const { items, sent } = itemsOf({
		parameters: { resource: 'tag', operation: 'create', name: 'A', ...raw },
		properties: shown,
		count: 2,
		answer: () => (count++ === 1 ? { status: 422, body: {} } : { body: tagAt(`${count}`) }),
	});
	const send = sender(resources);
	const tryAll = async () =>
		await Promise.all(
			items.map((item) =>
				send.call(item as never, { options: {} } as never).catch((error: Error) => error),
			),
		);
	const [first] = await tryAll();
	expect(await tryAll()).toEqual([first, [expect.anything()]]);
	expect(sent).toHaveLength(3);
});

describe('a site by URL', () => {
	const sites = (...urls: string[]): Given => ({
		body: {
			sites: urls.map((url, index) => ({ id: `${index + 1}`, url })),
			meta: { pagination: { perPage: 100, totalPages: 1, totalItems: urls.length } },
		},
	});
	const get = {
		resource: 'site',
		operation: 'get',
		siteId: id('https://a.example/b', 'url'),
		...raw,
	};

	it('is looked up once for all items', async () => {
		const { sent, requests } = await run(
			get,
			{
				'GET /sites': sites('http://a.example', 'http://A.example/b/', 'https://x.a.example/b'),
				'GET /sites/2': { body: { site: { id: '2' } } },
			},
			{ count: 2 },
		);
		expect(sent).toEqual(['GET /sites', 'GET /sites/2', 'GET /sites/2']);
		expect(requests[0]!.qs).toMatchObject({ 'filters[url:contains]': 'a.example' });
	});

	it.each([
		[['https://a.example'], /no site/i, 'Sites on this host: https://a.example.'],
		[['https://x.a.example/b'], /no site/i, 'staging.example.com is different from example.com'],
		[
			['https://a.example/b', 'http://a.example/b'],
			/more than one/i,
			'by ID: 1 (https://a.example/b), 2 (http://a.example/b).',
		],
	])('of %j is refused', async (urls, message, description) => {
		const { ended, sent } = await one(get, { 'GET /sites': sites(...urls) });
		expect((ended as Error).message).toMatch(message);
		expect((ended as { description?: string }).description).toContain(description);
		expect(sent).toEqual(['GET /sites']);
	});
});

describe('Only If', () => {
	const remove = (name: string) => ({
		resource: 'tag',
		operation: 'delete',
		tagId: id('7'),
		onlyIf: 'name',
		onlyIfName: name,
	});
	const removed = { 'DELETE /tags/7': { status: 204, body: '' } };
	const listed = (...tags: object[]): Answers => ({
		'GET /tags': {
			body: {
				tags,
				meta: { pagination: { perPage: 100, totalPages: 1, totalItems: tags.length } },
			},
		},
	});

	it.each([
		[' A ', { id: '7', name: 'A' }, undefined],
		['a', { id: '7', name: 'A' }, 'has the name "A", not "a"'],
		['A', { id: '7', name: ' ' }, 'has no name, not "A"'],
		['A', { id: '7' }, 'has no name, not "A"'],
	])('%j of %j', async (name, record, why) => {
		const { ended, sent } = await one(remove(name), {
			...removed,
			...listed(record),
			'GET /tags/7': { body: { tag: record } },
		});
		if (why === undefined) {
			expect(sent).toEqual(['GET /tags', 'GET /tags/7', 'DELETE /tags/7']);
			return;
		}
		expect((ended as Error).message).toBe(`Delete was refused by Only If: the tag 7 ${why}`);
		expect(sent).toEqual(['GET /tags', 'GET /tags/7']);
	});

	it('a name that another record has, too, is refused', async () => {
		const { ended, sent } = await one(remove('Café'), {
			...removed,
			...listed(
				{ id: '7', name: 'Café' },
				{ id: '8', name: 'Other' },
				{ id: '9', name: 'Cafe\u0301 ' },
			),
			'GET /tags/7': { body: { tag: { id: '7', name: 'Café' } } },
		});
		expect((ended as Error).message).toBe(
			'Delete was refused by Only If: the tag 7 is not the only one with the name "Café": 7, 9',
		);
		expect(sent).toEqual(['GET /tags', 'GET /tags/7']);
	});

	it('compares the host and path of a URL', async () => {
		const parameters = {
			resource: 'site',
			operation: 'delete',
			siteId: id('1'),
			onlyIf: 'url',
			onlyIfUrl: 'http://A.example/b/',
		};
		const at = (url: unknown): Answers => ({
			'GET /sites/1': { body: { site: { id: '1', url } } },
			'DELETE /sites/1': { status: 204, body: '' },
		});
		expect((await one(parameters, at('https://a.example/b'))).sent).toHaveLength(2);
		const other = await one(parameters, at('https://a.example/c'));
		expect((other.ended as Error).message).toContain(
			'has the url "https://a.example/c", not "http://A.example/b/"',
		);
		expect(other.sent).toHaveLength(1);
	});

	it('compares an email address in any case, and looks a record up in its list', async () => {
		const account = {
			resource: 'managedAccount',
			operation: 'delete',
			managedAccountId: id('5'),
			onlyIf: 'email',
			onlyIfEmail: ' Owner@A.example ',
		};
		const accounts = (email: string): Answers => ({
			'GET /managed-accounts': {
				body: {
					managed_accounts: [
						{ id: '4', email: 'other@a.example' },
						{ id: '5', email },
					],
					meta: { pagination: { perPage: 100, totalPages: 1, totalItems: 2 } },
				},
			},
			'DELETE /managed-accounts/5': { status: 204, body: '' },
		});
		expect((await one(account, accounts('owner@a.EXAMPLE'))).sent).toEqual([
			'GET /managed-accounts',
			'DELETE /managed-accounts/5',
		]);
		const other = await one(account, accounts('other@a.example'));
		expect((other.ended as Error).message).toContain('has the email "other@a.example"');
		const gone = { ...account, managedAccountId: id('6') };
		const { ended, sent } = await one(gone, accounts('owner@a.example'));
		expect((ended as Error).message).toContain('was not returned by the service for this ID');
		expect(sent).toEqual(['GET /managed-accounts']);
	});
});

describe('the check of Only If', () => {
	const remove = {
		resource: 'tag',
		operation: 'delete',
		tagId: id('7'),
		onlyIf: 'name',
		onlyIfName: 'A',
	};
	/** One answer after the other, the last one again and again. */
	const inTurn = (...given: Given[]) => {
		let count = 0;
		return () => given[Math.min(count++, given.length - 1)]!;
	};
	const removed: Given = { status: 204, body: '' };
	/** Read once a run, before the look. */
	const list = {
		'GET /tags': {
			body: {
				tags: [{ id: '7', name: 'A' }],
				meta: { pagination: { perPage: 100, totalPages: 1, totalItems: 1 } },
			},
		},
	};
	const usedUp = {
		'x-ratelimit-limit': '200',
		'x-ratelimit-remaining': '0',
		'x-ratelimit-reset': '30',
	};
	const refused: Given = { status: 429, headers: usedUp };
	const named = (name: string, headers = {}): Given => ({ body: tagAt('7', { name }), headers });

	it('is repeated before a change that the rate limit refused is sent again', async () => {
		const { ended, sent } = await one(remove, {
			...list,
			'GET /tags/7': inTurn(named('A'), named('B')),
			'DELETE /tags/7': inTurn(refused, removed),
		});
		expect((ended as Error).message).toContain('has the name "B", not "A"');
		expect(sent).toEqual(['GET /tags', 'GET /tags/7', 'DELETE /tags/7', 'GET /tags/7']);
		const right = await one(remove, {
			...list,
			'GET /tags/7': named('A'),
			'DELETE /tags/7': inTurn(refused, removed),
		});
		expect(right.sent.join()).toBe(
			'GET /tags,GET /tags/7,DELETE /tags/7,GET /tags/7,DELETE /tags/7',
		);
		expect(right.json).toEqual([{ deleted: true, id: '7', name: 'A' }]);
	});

	it('is repeated where the change had to wait for the rate limit after it', async () => {
		const { ended, sent } = await one(remove, {
			...list,
			'GET /tags/7': inTurn(named('A', usedUp), named('B')),
			'DELETE /tags/7': removed,
		});
		expect((ended as Error).message).toContain('has the name "B", not "A"');
		expect(sent).toEqual(['GET /tags', 'GET /tags/7', 'GET /tags/7']);
	});

	it('stops a change that can never follow it directly', async () => {
		const { ended, sent } = await one(remove, {
			...list,
			'GET /tags/7': named('A', usedUp),
			'DELETE /tags/7': removed,
		});
		expect((ended as Error).message).toBe(
			'The rate limit leaves no room to check the record and change it right after: nothing was changed by this item',
		);
		expect(new Set(sent)).toEqual(new Set(['GET /tags', 'GET /tags/7']));
	});

	it('is separate for each change of a run', async () => {
		const { ended, sent } = await run(
			remove,
			{
				...list,
				'GET /tags/7': inTurn(named('A'), named('B')),
				'DELETE /tags/7': removed,
			},
			{ count: 2 },
		);
		expect(sent).toEqual(['GET /tags', 'GET /tags/7', 'DELETE /tags/7', 'GET /tags/7']);
		expect((ended[1] as Error).message).toContain('has the name "B", not "A"');
	});

	describe('of a site By URL', () => {
		const url = 'https://a.example';
		const removeSite = { resource: 'site', operation: 'delete', siteId: id(url, 'url') };
		const sitesAt = (...ids: string[]): Given => ({
			body: {
				sites: ids.map((each) => ({ id: each, url })),
				meta: { pagination: { perPage: 100, totalPages: 1, totalItems: ids.length } },
			},
		});

		it('is repeated after a pause, and before each change', async () => {
			const { ended, sent } = await one(removeSite, {
				'GET /sites': inTurn(sitesAt('1'), sitesAt('2')),
				'DELETE /sites/1': inTurn(refused, removed),
			});
			expect((ended as Error).message).toBe(
				`Delete was refused: the URL "${url}" now belongs to the site 2, no longer to 1`,
			);
			expect(sent).toEqual(['GET /sites', 'DELETE /sites/1', 'GET /sites']);
			const two = await run(
				removeSite,
				{
					'GET /sites': inTurn(sitesAt('1'), sitesAt('2')),
					'DELETE /sites/1': removed,
					'DELETE /sites/2': removed,
				},
				{ count: 2 },
			);
			expect(two.sent).toEqual(['GET /sites', 'DELETE /sites/1', 'GET /sites', 'DELETE /sites/2']);
		});

		it('stops the change when the URL has become that of two sites', async () => {
			const { ended, sent } = await one(removeSite, {
				'GET /sites': inTurn(sitesAt('1'), sitesAt('1', '2')),
				'DELETE /sites/1': inTurn(refused, removed),
			});
			expect((ended as Error).message).toMatch(/more than one/i);
			expect(sent).toEqual(['GET /sites', 'DELETE /sites/1', 'GET /sites']);
		});
	});
});

describe('Only If is refused', () => {
	const remove = { resource: 'tag', operation: 'delete', tagId: id('7') };
	const key = { name: 'url', value: 'https://a.example' };

	it.each<[string, INodeParameters, RegExp]>([
		['an expression chooses', { onlyIf: '={{ "none" }}' }, /"Only If" is "{{/],
		['an expression chooses nothing', { onlyIf: '={{ null }}' }, /"Only If"/],
		['it is a collection', { onlyIf: { onlyIfName: 'A' } }, /"Only If"/],
		['it is a list', { onlyIf: ['name'] }, /"Only If"/],
		['the choice is another word', { onlyIf: 'Name' }, /"Only If" is "Name", which is not one of/],
		['the record has no such thing', { onlyIf: 'email' }, /"Only If"/],
		['the choice is blank', { onlyIf: '' }, /"Only If"/],
		['its text is not there', { onlyIf: 'name' }, /"Name Is" is empty/],
		['its text is blank', { onlyIf: 'name', onlyIfName: ' ' }, /"Name Is" is empty/],
		['its text is null', { onlyIf: 'name', onlyIfName: '={{ null }}' }, /"Name Is" has no value/],
		['its text is missing', { onlyIf: 'name', onlyIfName: '={{ $json.x }}' }, /"Name Is"/],
		['its text is a list', { onlyIf: 'name', onlyIfName: '={{ ["A"] }}' }, /"Name Is" is a list/],
		[
			'its text is a record',
			{ onlyIf: 'name', onlyIfName: '={{ {a: 1} }}' },
			/"Name Is" is an obj/,
		],
		['it stands under another key', { onlyIf: 'name', onlyIfUrl: key.value }, /"Name Is" is empty/],
	])('where %s', async (_, guard, message) => {
		const { ended, sent } = await one({ ...remove, ...guard }, {});
		expect((ended as Error).message).toMatch(message);
		expect(sent).toEqual([]);
	});

	it.each([
		`={{ $fromAI('name', 'Name', 'string', 'A') }}`,
		`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Name_Is', \`\`, 'string', 'A') }}`,
		`={{ $fromai('name', '', 'string', 'A') }}`,
		`=A {{ $fromAi('name', '', 'string', 'A') }}`,
	])('where the model fills it: %s', async (onlyIfName) => {
		const guarded = { ...remove, onlyIf: 'name', onlyIfName };
		const { ended, sent } = await one(guarded, {}, { asTool: true });
		expect((ended as Error).message).toMatch(/"Name Is" is filled in by the model \(\$fromAI\)/);
		expect(sent).toEqual([]);
	});
});

describe('a migration', () => {
	const migrate = {
		resource: 'backup',
		operation: 'migrate',
		siteId: id('1'),
		snapshotId: id('2'),
		destinationUrl: 'https://b.example/',
		includeFiles: true,
	};
	const sites = (...all: object[]): Given => ({
		body: {
			sites: all,
			meta: { pagination: { perPage: 100, totalPages: 1, totalItems: all.length } },
		},
	});
	const destination = { id: '3', url: 'http://B.example', title: 'B', connection: {} };
	const near = { id: '4', url: 'https://x.b.example', title: 'X' };
	const started = {
		'GET /sites/1/snapshots/2': { body: { snapshot: { id: '2', status: 'succeeded' } } },
		'POST /sites/1/backups/2/migrate': { body: { task: { id: '9', status: 'queued' } } },
	};
	const external = {
		type: 'external',
		connectionMethod: 'ftp',
		ftpCredentials: '{ "host": "ftp.b.example" }',
	};
	const url = (onlyIfUrl: string) => ({ onlyIf: 'url', onlyIfUrl });
	const name = (onlyIfName: string) => ({ onlyIf: 'name', onlyIfName });

	it.each<[string, INodeParameters, Given, string | undefined]>([
		['the URL of the destination', url('b.example'), sites(near, destination), undefined],
		['its name', name('B'), sites(near, destination), undefined],
		['another URL', url('a.example'), sites(destination), 'has the url "http://B.example", not'],
		['another name', name('A'), sites(destination), 'has the name "B", not "A"'],
		[
			'a name where two match',
			name('B'),
			sites(destination, { ...destination, id: '5' }),
			'is more than one site: 3 (http://B.example), 5 (http://B.example)',
		],
		[
			'a URL that no site has',
			url('a.example'),
			sites(near),
			'has the url "https://b.example/", not',
		],
		['a server outside the account', { ...external, ...url('b.example') }, sites(near), undefined],
		[
			'another one',
			{ ...external, ...url('ftp.b.example') },
			sites(),
			'has the url "https://b.example/", not',
		],
		['a name where there is no record', { ...external, ...name('B') }, sites(near), 'has no name'],
	])('is compared by Only If with its destination: %s', async (_, guard, found, why) => {
		const { ended, sent } = await one(
			{ ...migrate, ...guard },
			{ 'GET /sites': found, ...started },
		);
		if (why === undefined) {
			// Whether another site has the same name is in the list of all.
			const looks = guard.onlyIf === 'name' ? ['GET /sites', 'GET /sites'] : ['GET /sites'];
			expect(sent).toEqual([
				'GET /sites/1/snapshots/2',
				...looks,
				'POST /sites/1/backups/2/migrate',
			]);
			return;
		}
		expect((ended as Error).message).toMatch(
			/^Migrate was refused by Only If: the destination "https:/,
		);
		expect((ended as Error).message).toContain(why);
		expect(new Set(sent)).toEqual(new Set(['GET /sites/1/snapshots/2', 'GET /sites']));
	});

	it.each([
		[
			'the site at it',
			sites(near, destination),
			{ site: { id: '3', url: 'http://B.example', title: 'B' } },
		],
		['its address, where no site is', sites(near), { site: { url: 'https://b.example/' } }],
		[
			'both, where two match',
			sites(destination, { ...destination, id: '5' }),
			{ sites: [{ id: '3' }, { id: '5' }] },
		],
	])('is shown by Preview with its destination: %s', async (_, found, target) => {
		const { json } = await one(
			{ ...migrate, preview: true },
			{
				'GET /sites': found,
				'GET /sites/1': { body: { site: { id: '1', url: 'https://a.example' } } },
				'GET /sites/1/snapshots/2': { body: { snapshot: { id: '2', status: 'succeeded' } } },
			},
		);
		expect(json[0]).toMatchObject({
			target,
			source: { site: { id: '1', url: 'https://a.example' }, snapshot: { id: '2' } },
		});
	});
});

describe('Preview', () => {
	const preview = async (parameters: INodeParameters, answers: Answers) => {
		const { json, sent, ended } = await one({ ...parameters, preview: true }, answers);
		if (ended instanceof Error) throw ended;
		expect(sent.filter((each) => !each.startsWith('GET '))).toEqual([]);
		return { ...json[0], sent } as IDataObject & { sent: string[]; request: IDataObject };
	};
	const tag7 = { body: tagAt('7', { color: '#fff', created_at: 'then' }) };

	it('shows the request and the record', async () => {
		expect(
			await preview(
				{ resource: 'tag', operation: 'delete', tagId: id('7') },
				{ 'GET /tags/7': tag7 },
			),
		).toEqual({
			preview: true,
			operation: 'Tag: Delete',
			does: ['Destroy'],
			request: { method: 'DELETE', path: '/tags/7' },
			target: { tag: { id: '7', created_at: 'then', name: 'A' } },
			sent: ['GET /tags/7'],
		});
		const created = await preview({ resource: 'tag', operation: 'create', name: 'A' }, {});
		expect(created).toMatchObject({
			does: ['Organize Records'],
			request: { method: 'POST', path: '/tags', body: { tag: { name: 'A' } } },
			target: {},
		});
		expect(created.request).not.toHaveProperty('query');
	});

	const assign = (count: number) => ({
		resource: 'tag',
		operation: 'assign',
		tagId: id('7'),
		siteIds: Array.from({ length: count }, (_, index) => siteId(index + 1)).join(),
	});
	const siteOf = (at: number) => ({
		id: siteId(at),
		url: `https://${at}.example`,
		status: 'ok',
		secret: 'x',
	});
	const briefly = (at: number) => ({ id: siteId(at), url: `https://${at}.example`, status: 'ok' });

	it('shows the records that the body names, and missing ones by their ID', async () => {
		const { target, sent } = await preview(assign(2), {
			'GET /tags/7': tag7,
			[`GET /sites/${siteId(1)}`]: { body: { site: siteOf(1) } },
		});
		expect(target).toMatchObject({ sites: [briefly(1), { id: siteId(2) }] });
		expect(sent).toEqual(['GET /tags/7', `GET /sites/${siteId(1)}`, `GET /sites/${siteId(2)}`]);
	});

	it('searches the whole list for more than twenty', async () => {
		const list: Given = {
			body: {
				sites: Array.from({ length: 20 }, (_, index) => siteOf(index + 1)),
				meta: { pagination: { perPage: 100, totalPages: 1, totalItems: 20 } },
			},
		};
		const answers: Answers = { 'GET /tags/7': tag7, 'GET /sites': list };
		for (let at = 1; at <= 20; at++)
			answers[`GET /sites/${siteId(at)}`] = { body: { site: siteOf(at) } };
		const few = await preview(assign(20), answers);
		const many = await preview(assign(21), answers);
		expect(few.sent).toHaveLength(21);
		expect(many.sent).toEqual(['GET /tags/7', 'GET /sites']);
		const sites = Array.from({ length: 20 }, (_, index) => briefly(index + 1));
		expect(few.target).toMatchObject({ sites });
		expect(many.target).toMatchObject({ sites: [...sites, { id: siteId(21) }] });
	});

	it('cuts long texts, and shows the rest unchanged', async () => {
		const { request } = await preview(
			{
				resource: 'tag',
				operation: 'create',
				name: 'n'.repeat(2_000),
				additionalFields: { color: '#fff' },
			},
			{},
		);
		expect(request.body).toEqual({ tag: { name: `${'n'.repeat(999)}…`, color: '#fff' } });
	});

	it('hides secrets at any depth', async () => {
		const ftp = {
			host: 'a.example',
			keys: ['s1', 's2'],
			database: { name: 'db', password: 's3', prefix: null, users: [{ user: 'me', pin: 4 }] },
		};
		const { request } = await preview(
			{
				resource: 'backup',
				operation: 'restore',
				siteId: id(siteId(1)),
				snapshotId: id('2'),
				includeDatabase: true,
				includeFiles: true,
				connectionMethod: 'ftp',
				ftpCredentials: JSON.stringify(ftp),
			},
			{
				[`GET /sites/${siteId(1)}`]: { body: { site: siteOf(1) } },
				[`GET /sites/${siteId(1)}/snapshots/2`]: { body: { snapshot: { id: '2' } } },
			},
		);
		expect(request.body).toMatchObject({
			restore: {
				connection: {
					credentials: {
						host: 'a.example',
						keys: ['********', '********'],
						database: {
							name: 'db',
							password: '********',
							prefix: null,
							users: [{ user: 'me', pin: '********' }],
						},
					},
				},
			},
		});
	});
});

describe('a file', () => {
	const parameters = {
		resource: 'report',
		operation: 'download',
		reportId: id('7'),
		binaryPropertyName: 'data',
	};
	const pdf = (): Given => ({
		body: Readable.from([Buffer.from('%PDF-1.4 the report')]),
		headers: { 'content-type': 'application/pdf' },
	});

	it('is streamed into the binary field, under a name of its own', async () => {
		const { ended, requests } = await one(parameters, { 'GET /reports/7/download': pdf });
		expect(ended).toEqual([
			{
				json: expect.objectContaining({ id: '7' }),
				binary: { data: expect.objectContaining({ fileName: 'report-7.pdf' }) },
				pairedItem: { item: 0 },
			},
		]);
		expect(requests[0]).toMatchObject({
			encoding: 'stream',
			headers: { 'Accept-Encoding': 'identity' },
		});
	});

	it('no more than three are read at the same time', async () => {
		let [under, most] = [0, 0];
		const slow: ItemsOptions['answer'] = async () => {
			most = Math.max(most, ++under);
			await new Promise((resolve) => setImmediate(resolve));
			under -= 1;
			return pdf();
		};
		const { items } = itemsOf({ parameters, properties: shown, answer: slow, count: 8 });
		const send = sender(resources);
		const data = { options: {} } as never;
		const all = await Promise.all(items.map((item) => send.call(item as never, data)));
		expect(all.every(([item]) => item?.binary)).toBe(true);
		expect(most).toBeLessThanOrEqual(3);
	});
});

describe('waiting', () => {
	const started: Answers = {
		'POST /sites/1/backups/2/download': { body: { task: { id: 't', status: 'running' } } },
	};
	const start = (more: INodeParameters = {}) => ({
		resource: 'backup',
		operation: 'download',
		siteId: id('1'),
		snapshotId: id('2'),
		...raw,
		...more,
	});
	const endsAfter = (looks: number, status: string): Answers => {
		let count = 0;
		return {
			...started,
			'GET /tasks/t': () => {
				const task = { id: 't', details: {}, status: ++count >= looks ? status : 'running' };
				return { body: { task } };
			},
		};
	};

	const scope = { files: 'all', tables: 'all', scope_check: null };

	it('is skipped where it is not chosen', async () => {
		const { json, sent } = await one(start(), started);
		expect(json).toEqual([
			{
				task_id: 't',
				task_status: 'running',
				task_started_at: null,
				site_id: '1',
				snapshot_id: '2',
				...scope,
			},
		]);
		expect(sent).toHaveLength(1);
	});

	it('gives the task in full once it has ended, and what it was about', async () => {
		const { json, sent } = await one(start({ waitForCompletion: true }), endsAfter(3, 'completed'));
		const about = { task_id: 't', site_id: '1', snapshot_id: '2', ...scope };
		expect(json).toEqual([{ id: 't', status: 'completed', details: {}, ...about }]);
		expect(sent).toHaveLength(4);
	});

	it.each(['failed', 'aborted', 'cancelled'])(
		'fails where the task ended as %s, or gives it',
		async (status) => {
			const wait = { waitForCompletion: true };
			const { ended } = await one(start(wait), endsAfter(1, status));
			expect((ended as Error).message).toContain(`The task t ended as ${status}`);
			const { json } = await one(
				start({ ...wait, waitOptions: { onFailure: 'return' } }),
				endsAfter(1, status),
			);
			expect(json).toMatchObject([{ status }]);
		},
	);

	it('ends with its time limit', async () => {
		const { ended } = await one(
			start({ waitForCompletion: true, waitOptions: { timeLimit: 2 } }),
			endsAfter(Infinity, 'completed'),
		);
		expect((ended as Error).message).toContain('The task t was still running after 2 minutes');
		expect(now - Date.parse('2026-03-01T12:00:00Z')).toBe(120_000);
	});

	const sync = (more: INodeParameters = {}) => ({
		resource: 'backup',
		operation: 'sync',
		siteId: id('1'),
		waitForCompletion: true,
		...more,
	});
	const began: Answers = {
		'POST /sites/1/sync': { body: { sync: { snapshot_id: 's', in_progress: true } } },
	};
	const snapshotAfter = (looks: number, snapshot: IDataObject): Answers => {
		let count = 0;
		return {
			...began,
			'GET /sites/1/snapshots/s': () => ({
				body: {
					snapshot:
						++count >= looks ? { id: 's', ...snapshot } : { id: 's', status: 'in_progress' },
				},
			}),
		};
	};

	it('for a sync gives its snapshot', async () => {
		const { json, sent } = await one(sync(raw), snapshotAfter(2, { status: 'succeeded' }));
		expect(json).toEqual([{ id: 's', status: 'succeeded', site_id: '1' }]);
		expect(sent).toEqual([
			'POST /sites/1/sync',
			'GET /sites/1/snapshots/s',
			'GET /sites/1/snapshots/s',
		]);
	});

	it.each(['failed', 'cancelled'])('for a sync that %s fails, or gives it', async (status) => {
		const error_message = status === 'failed' ? 'no disk' : { message: 'no disk' };
		const failed = snapshotAfter(1, { status, error_message });
		const { ended } = await one(sync(), failed);
		expect(ended).toMatchObject({
			message: expect.stringContaining(`The backup ended as ${status}: no disk`),
			description: expect.stringContaining('See the snapshot s of /sites/1.'),
		});
		const { json } = await one(
			sync({ waitOptions: { onFailure: 'return' } }),
			snapshotAfter(1, { status }),
		);
		expect(json).toMatchObject([{ status }]);
	});

	it('for a sync ends with its time limit, and reports the last check', async () => {
		const never = { ...began, 'GET /sites/1/snapshots/s': { status: 500, body: {} } };
		const { ended } = await one(sync({ waitOptions: { timeLimit: 1 } }), never);
		expect(ended).toMatchObject({
			message: expect.stringMatching(
				/^The backup was still running after 1 minute; the last check failed: .* \(\/sites\/1\/snapshots\/s\)/,
			),
			description: expect.stringContaining('The work continues. Check its snapshot later'),
			context: expect.objectContaining({ details: expect.objectContaining({ item: 1 }) }),
		});
	});

	it('for a sync that cannot be read any more says that it continues', async () => {
		const { ended } = await one(sync(), began);
		expect((ended as Error).message).toMatch(
			/^The backup .* was started, but its progress cannot be read/,
		);
	});

	describe('of many tasks together', () => {
		const many = 150;
		/** Each item starts a task; those that have ended are told by the list. */
		function tasks(endsAt: (index: number) => number, ends = 'completed') {
			let made = 0;
			const madeAt = Date.parse('2026-03-01T12:00:00Z');
			const taskAt = (index: number, full = false) => ({
				id: `t${index}`,
				created_at: new Date(madeAt + index).toISOString(),
				status: now - madeAt >= endsAt(index) ? ends : 'running',
				...(full && { details: {} }),
			});
			return (sent: Sent): Given => {
				if (sent.method === 'POST') return { body: { task: taskAt(made++) } };
				if (sent.url !== '/tasks')
					return { body: { task: taskAt(Number(sent.url.slice(8)), true) } };
				const { page } = sent.qs as { page: number };
				const all = Array.from({ length: made }, (_, index) => taskAt(index));
				return {
					body: {
						tasks: all.slice((page - 1) * 100, page * 100),
						meta: {
							pagination: { perPage: 100, totalPages: Math.ceil(made / 100), totalItems: made },
						},
					},
				};
			};
		}

		async function startAll(count: number, answer: (sent: Sent) => Given, more = {}) {
			const parameters = start({ waitForCompletion: true, ...more });
			const { items, sent } = itemsOf({ parameters, properties: shown, answer, count });
			const send = sender(resources);
			const ended = await Promise.all(
				items.map((item) =>
					send.call(item as never, { options: {} } as never).catch((error: Error) => error),
				),
			);
			const looks = sent.filter(({ method }) => method === 'GET').map(({ url }) => url);
			return { ended, looks, sent };
		}

		it('one request for the list serves all, and only ended tasks are read in full', async () => {
			const { ended, looks, sent } = await startAll(
				many,
				tasks((index) => 20_000 + index * 10),
			);
			expect(ended.map((each) => jsonOf(each)[0]!.id)).toEqual(
				Array.from({ length: many }, (_, index) => `t${index}`),
			);
			expect(looks.filter((url) => url !== '/tasks')).toHaveLength(many);
			expect(looks.filter((url) => url === '/tasks').length).toBeLessThan(30);
			expect(sent.find(({ url }) => url === '/tasks')!.qs).toMatchObject({
				sort: 'created_at,asc',
				'filters[created_at:gte]': '2026-03-01T12:00:00.000Z',
			});
		});

		it('a few are read one by one', async () => {
			const { looks } = await startAll(
				1,
				tasks(() => 5_000),
			);
			expect(looks.every((url) => url === '/tasks/t0')).toBe(true);
		});

		it('each has its own time limit', async () => {
			const { ended } = await startAll(
				3,
				tasks((index) => (index === 1 ? 30_000 : Infinity)),
				{ waitOptions: { timeLimit: 1 } },
			);
			expect(ended.map((each) => (each instanceof Error ? each.message : 'ended'))).toEqual([
				expect.stringContaining('The task t0 was still running after 1 minute'),
				'ended',
				expect.stringContaining('The task t2 was still running after 1 minute'),
			]);
		});

		it('ends for a single one that is refused, and reads one that fails again', async () => {
			const right = tasks(() => 20_000);
			let looks = 0;
			const failing = await startAll(1, (sent) =>
				sent.method === 'POST' || looks++ > 0 ? right(sent) : { status: 422, body: {} },
			);
			expect(failing.ended[0]).toBeInstanceOf(Error);
			const passing = await startAll(
				1,
				tasks(() => 20_000),
			);
			expect(passing.ended.every(Array.isArray)).toBe(true);
		});

		it('reports the error of the last check at the time limit', async () => {
			const right = tasks(() => Infinity);
			const { ended } = await startAll(
				1,
				(sent) => (sent.method === 'POST' ? right(sent) : { status: 500, body: {} }),
				{ waitOptions: { timeLimit: 1 } },
			);
			expect((ended[0] as Error).message).toMatch(
				/^The task t0 was still running after 1 minute; the last check failed: ./,
			);
		});

		it('a failed check does not end it, and a refused one does', async () => {
			const right = tasks(() => 20_000);
			let fails = true;
			const broken = await startAll(3, (sent) => {
				if (sent.method === 'POST' || !fails) return right(sent);
				fails = now - Date.parse('2026-03-01T12:00:00Z') < 10_000;
				return { status: 500, body: {} };
			});
			expect(broken.ended.every(Array.isArray)).toBe(true);

			const refused = await startAll(2, (sent) =>
				sent.method === 'POST' ? right(sent) : { status: 403, body: {} },
			);
			expect(refused.ended.map((each) => (each as Error).message)).toEqual([
				expect.stringMatching(/^The task t\d+ was started, but its progress cannot be read/),
				expect.stringMatching(/^The task t\d+ was started, but its progress cannot be read/),
			]);
		});
	});
});
