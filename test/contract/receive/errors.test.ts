import { runNode, type NodeRun } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { startWayward, type Answer } from '../../support/wayward';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

/** What a user reads when the service refuses, fails or is not there. */

let fleet: Fleet;
beforeAll(async () => {
	useClock({ now: Date.now, sleep: () => {} });
	fleet = await startFleet({ sites: 20 });
});
beforeEach(() => fleet.forget());

const listTags: NodeRun = {
	node: 'tag',
	parameters: { resource: 'tag', operation: 'getAll', output: 'raw' },
};
const createTag: NodeRun = {
	node: 'tag',
	parameters: { resource: 'tag', operation: 'create', name: 'A' },
};
const onSite = (operation: string, siteId: string, node = 'site'): NodeRun => ({
	node,
	parameters: { resource: node, operation, siteId: locator(siteId) },
});

describe('answers of the service', () => {
	it('401: what to do about the token, and not the token itself', async () => {
		const { error } = await runNode({ ...fleet, token: 'wrong-token' }, listTags);
		expect(error?.httpCode).toBe('401');
		expect(error?.message).toContain('rejected the API token');
		expect(error?.description).toContain('credential');
		expect(JSON.stringify([error, error?.message, error?.stack])).not.toContain('wrong-token');
	});

	it('403: the account is inactive', async () => {
		fleet.world.account.active = false;
		const { error } = await runNode(fleet, listTags);
		fleet.world.account.active = true;
		expect(error?.httpCode).toBe('403');
		expect(error?.message).toContain('The account is inactive');
	});

	it('404: which item', async () => {
		const { error } = await runNode(fleet, onSite('get', 'gone'));
		expect(error?.httpCode).toBe('404');
		expect(`${error?.message} ${error?.description}`).toContain('/sites/gone');
	});

	it('409: what is running already', async () => {
		const sites = await fleet.sites(20);
		const { id } = sites.find(({ locked, sync }) => !locked && !sync.in_progress)!;
		const backUp = onSite('sync', id, 'backup');
		await runNode(fleet, backUp);
		const { error } = await runNode(fleet, backUp);
		expect(error?.httpCode).toBe('409');
		expect(error?.message).toContain('conflicts with the current state of the record');
		expect(error?.message).toContain('already in progress');
		expect(error?.message).toContain(`/sites/${id}/sync`);
	});

	it('422: the rule from the details', async () => {
		const [site] = await fleet.sites(1);
		const { error } = await runNode(fleet, {
			node: 'site',
			parameters: { resource: 'site', operation: 'create', url: site!.url },
		});
		expect(error?.httpCode).toBe('422');
		expect(error?.message).toContain('The service rejected this');
		expect(error?.message).toContain('url');
	});

	it('400: the parameter that the service names', async () => {
		const { error } = await runNode(fleet, {
			node: 'site',
			parameters: {
				resource: 'site',
				operation: 'getAll',
				options: { timezone: 'Mars/Olympus' },
			},
		});
		expect(error?.httpCode).toBe('400');
		expect(error?.message).toContain('timezone');
	});
});

describe('a wayward service', () => {
	const run = async (node: NodeRun, answer: (url: URL, count: number) => Answer) => {
		const service = await startWayward(answer);
		const { error, json } = await runNode(service, node);
		await service.close();
		return { error, json, requests: service.requests };
	};
	const ok = { body: { tags: [{ id: '1' }], meta: { pagination: { totalPages: 1 } } } };

	it.each([500, 502, 503])('a read that fails with %i is repeated', async (status) => {
		const { json, requests } = await run(listTags, (_, count) =>
			count < 3 ? { status, body: '' } : ok,
		);
		expect(json).toEqual([{ id: '1' }]);
		expect(requests).toHaveLength(3);
	});

	it('a read whose connection breaks is repeated', async () => {
		const { json, requests } = await run(listTags, (_, count) => (count < 3 ? 'drop' : ok));
		expect(json).toEqual([{ id: '1' }]);
		expect(requests).toHaveLength(3);
	});

	it('a read that fails for good ends after four tries', async () => {
		const { error, requests } = await run(listTags, () => ({ status: 503, body: '' }));
		expect(requests).toHaveLength(4);
		expect(error?.message).toBe('The service failed (503)');
		expect(error?.description).toContain('Try again later');
	});

	it.each([
		['500', { status: 500, body: '' }, 'The service failed (500)'],
		['a broken connection', 'drop', 'The service did not answer'],
	] as Array<[string, Answer, string]>)(
		'a change that ends in %s is sent once, and the error says that it may have been applied',
		async (_name, answer, message) => {
			const { error, requests } = await run(createTag, () => answer);
			expect(requests).toEqual(['POST /api/v6/tags']);
			expect(error?.message).toContain(message);
			expect(error?.description).toContain('may have been applied');
			expect(error?.description).toContain('/tags');
		},
	);

	it.each([400, 404, 409, 422])('a read refused with %i is not repeated', async (status) => {
		const { error, requests } = await run(listTags, () => ({ status, body: {} }));
		expect(requests).toHaveLength(1);
		expect(error?.httpCode).toBe(String(status));
	});

	it.each([
		[{ error: { details: 'too short' } }, 'too short'],
		[{ error: { message: 'Invalid', details: { name: 'too short' } } }, 'Invalid: name: too short'],
		[
			{ error: { details: [{ code: 'blank', param: 'name', message: 'is blank' }, 'and more'] } },
			'name: is blank; and more',
		],
		[{ error: { details: [{ code: 'blank', param: 'name' }] } }, 'name: blank'],
		[{ error: { details: { name: ['is blank', 'is short'] } } }, 'name: is blank; is short'],
		[{ error: { code: 'invalid' } }, 'invalid'],
	])('reads the reason in %j', async (body, reason) => {
		const { error } = await run(createTag, () => ({ status: 422, body }));
		expect(error?.message).toBe(`The service rejected this: ${reason}`);
	});

	const details = [{ code: 'blank', param: 'tag.name', message: 'is blank' }];
	it.each([
		[400, { message: 'tag.name is blank', details }, 'tag.name: is blank'],
		[400, { message: 'The request is invalid: tag.name is blank', details }, 'tag.name: is blank'],
		[422, { message: 'No such tag: Tag.name is blank.', details }, 'tag.name: is blank'],
		[422, { message: 'is blank', details }, 'tag.name: is blank'],
		[422, { message: 'A tag needs a name', details }, 'A tag needs a name: tag.name: is blank'],
		[400, { message: 'A tag needs a name' }, 'A tag needs a name'],
	])('%i with %j does not say the same twice', async (status, body, reason) => {
		const { error } = await run(createTag, () => ({ status, body: { error: body } }));
		expect(error?.message).toMatch(
			/^(The service rejected the request|The service rejected this): /,
		);
		expect(error?.message).toContain(`: ${reason}`);
		expect(error?.message.split('is blank')).toHaveLength(reason.split('is blank').length);
	});

	it.each([['<html>'], [{}], [{ error: null }], [{ error: 'no' }], [[]]])(
		'an error body in another form is accepted: %j',
		async (body) => {
			const { error } = await run(createTag, () => ({ status: 422, body }));
			expect(error?.message).toContain('The service rejected this');
		},
	);

	it.each([301, 302, 303, 307, 308])('%i: nothing goes where it points to', async (status) => {
		const elsewhere = await startWayward(() => ok);
		const service = await startWayward(() => ({
			status,
			headers: { Location: `${elsewhere.baseUrl}/tags?token=secret` },
		}));
		const read = await runNode(service, listTags);
		const change = await runNode(service, createTag);
		await service.close();
		await elsewhere.close();
		expect(elsewhere.requests).toEqual([]);
		expect(service.requests).toHaveLength(2);
		const told = `redirect to ${elsewhere.baseUrl}/tags, which the node does not follow; the Base URL of the credential should be ${elsewhere.baseUrl}`;
		expect(read.error?.message).toContain(told);
		expect(change.error?.message).toContain(told);
		expect(change.error?.message).toContain('may have been applied: check /tags (Tag: Get Many)');
		expect(read.json).toEqual([]);
	});

	it.each([301, 304, 300])('%i without a place to go is an error', async (status) => {
		const { error, requests } = await run(createTag, () => ({ status }));
		expect(error?.message).toContain('a redirect without a target');
		expect(requests).toHaveLength(1);
	});
});

describe('a message', () => {
	const refusing = async (body: unknown, node: NodeRun = createTag) => {
		const service = await startWayward(() => ({ status: 422, body }));
		const { error } = await runNode(service, node);
		await service.close();
		return error!;
	};

	it.each([
		[{ error: 'too long' }, 'too long'],
		[{ message: 'too long' }, 'too long'],
		['Too long', 'Too long'],
	])('gives the reason in %j', async (body, reason) => {
		expect((await refusing(body)).message).toBe(`The service rejected this: ${reason}`);
	});

	it.each([
		{ title: ['is too long'] },
		{ title: 'is too long' },
		{ custom_work: { title: 'is too long' } },
	])(
		'names the field that was sent, also where it is called as messages are: %j',
		async (details) => {
			const { message } = await refusing(
				{ error: { details } },
				{
					node: 'customWork',
					parameters: {
						resource: 'customWork',
						operation: 'update',
						siteId: locator('a1'),
						customWorkId: locator('b2'),
						updateFields: { title: 'Footer' },
					},
				},
			);
			expect(message).toMatch(/^The service rejected this: (custom_work: )?title: is too long$/);
		},
	);

	it('is short, whatever the service says', async () => {
		const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
		for (const details of [`"${'x'.repeat(1e7)}"`, deep, JSON.stringify(Array(1e5).fill('no'))]) {
			const error = await refusing(`{"error":{"details":${details}}}`);
			expect(error.message.length).toBeLessThan(600);
		}
	});

	it('does not repeat the token, or a password that the service echoes', async () => {
		const error = await refusing(
			{ error: { details: 'wayward-token and hunter2hunter2 are wrong' } },
			{
				node: 'site',
				parameters: {
					resource: 'site',
					operation: 'create',
					url: 'https://a.example.com',
					additionalFields: {
						httpAuth: { credentials: { username: 'guard', password: 'hunter2hunter2' } },
					},
				},
			},
		);
		expect(JSON.stringify([error.message, error.description])).not.toMatch(/wayward-token|hunter2/);
	});

	it('says which of several items failed, and what was done before it', async () => {
		const service = await startWayward((_, count) =>
			count === 1
				? { status: 201, body: { tag: { id: '1' } } }
				: { status: 422, body: { error: { details: 'no' } } },
		);
		const three = { ...createTag, items: [{}, {}, {}] };
		const second = await runNode(service, three);
		expect(second.error?.message).toBe(
			'The service rejected this: no (item 2 of 3; 1 change was made before it: run again from item 2)',
		);
		expect(second.error?.description).not.toContain('Nothing was changed');
		const first = await runNode(service, three);
		expect(first.error?.message).toContain('(item 1 of 3; nothing was changed before it)');
		const alone = await runNode(service, createTag);
		expect(alone.error?.description).toContain('Nothing was changed');
		const read = await runNode(service, listTags);
		expect(read.error?.description).not.toContain('Nothing was changed');
		await service.close();
	});

	it('under Continue On Fail, too, says what matters', async () => {
		const service = await startWayward(() => 'drop');
		const { json } = await runNode(service, {
			...createTag,
			settings: { onError: 'continueRegularOutput' },
		});
		await service.close();
		expect(json[0]!.error).toContain('may have been applied: check /tags (Tag: Get Many)');
	});

	it('of a rate limit says for n8n when it ends', async () => {
		let time = Date.now();
		useClock({ now: () => time, sleep: (ms) => void (time += ms) });
		const service = await startWayward(() => ({
			status: 429,
			headers: { 'X-RateLimit-Reset': '7' },
			body: {},
		}));
		const { error } = await runNode(service, listTags);
		await service.close();
		expect(error).toMatchObject({
			failure: { cause: 'rate-limited', retryAfterMs: expect.any(Number) },
		});
	});
});

describe('the base URL', () => {
	it.each([
		['', 'The Base URL of the credential is empty'],
		['api.example.com', 'The Base URL of the credential is not a URL'],
		['http://api.example.com/api/v6', 'The Base URL of the credential must start with https://'],
		['ftp://127.0.0.1/api/v6', 'The Base URL of the credential must start with https://'],
		['http://127.0.0.1.example.com', 'The Base URL of the credential must start with https://'],
		[
			'https://api.example.com/?x=1',
			'The Base URL of the credential must be a plain URL without ?, # or a username',
		],
	])('%j is refused', async (baseUrl, message) => {
		const { error } = await runNode({ baseUrl, token: 'a' }, listTags);
		expect(error?.message).toBe(message);
		expect(error?.description).toContain('Base URL');
	});

	it('trailing slashes and blanks are tolerated', async () => {
		const baseUrl = ` ${fleet.baseUrl}// `;
		const { error } = await runNode({ ...fleet, baseUrl }, listTags);
		expect(error).toBeUndefined();
		expect(fleet.sent()[0]!.route).toBe('GET /tags');
	});

	it('a service that is not there is named as such', async () => {
		const service = await startWayward(() => ({}));
		await service.close();
		const { error } = await runNode(service, createTag);
		expect(error?.message).toBe('The service could not be reached: this change was not sent');
	});
});
