import { operationRun, runNode, type NodeRun } from '../../support/engine';
import { fleetOnce } from '../../support/fleet';
import { startWayward, type Answer } from '../../support/wayward';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

/** What a user reads when the service refuses, fails or is not there; the reasons in its answers are in unit/receive. */

const fleet = fleetOnce({ sites: 20 });
beforeAll(() => useClock({ now: Date.now, sleep: () => {} }));

const listTags = operationRun('tag', 'getAll', { output: 'raw' });
const createTag = operationRun('tag', 'create', { name: 'A' });

describe('answers of the service', () => {
	it('400, 409, 422: the parameter, the path and the reason', async () => {
		const sites = await fleet.sites(20);
		const free = sites.find(({ locked, sync }) => !locked && !sync.in_progress)!;
		const sync = operationRun('backup', 'sync', { siteId: locator(free.id) });
		const inTime = { options: { timezone: 'Mars/Olympus' } };
		await runNode(fleet, sync);
		for (const [code, run, message] of [
			['400', operationRun('site', 'getAll', inTime), /timezone/],
			[
				'409',
				sync,
				/of the record: .*already in progress \(site ".+", https:.+\) \(\/sites\/\w+\/sync\)/,
			],
			['422', operationRun('site', 'create', { url: free.url }), /rejected this: URL: /],
		] as const) {
			const { error } = await runNode(fleet, run);
			expect(error?.httpCode).toBe(code);
			expect(error?.message).toMatch(message);
		}
	});

	it('the sites that a refusal is about, by title and client, and that their backups are off', async () => {
		const all = (await fleet.sites(20)) as any[];
		const taken = all.filter((site) => site.client?.company_name).slice(0, 2);
		const [{ id, title, url }] = taken;
		const says = taken.map(
			(one) =>
				`he site "${one.title}" (${one.url}, ${one.id}) belongs to the client "${one.client.company_name}"`,
		);
		const refused = async (...sites: any[]) => {
			const additionalFields = { siteIds: sites.map((one) => one.id) };
			const { error } = await runNode(
				fleet,
				operationRun('client', 'create', { additionalFields }),
			);
			return [error?.message, error?.description];
		};
		expect(await refused(taken[0])).toEqual([
			`T${says[0]}. Remove it there first: Client: Remove Sites`,
			'Nothing was changed.',
		]);
		expect((await refused(...taken))[0]).toBe(
			`T${says.join('; t')}. Remove them there first: Client: Remove Sites`,
		);
		fleet.forget();
		const additionalFields = { siteIds: [id] };
		const create = operationRun('client', 'create', { additionalFields });
		const settings = { onError: 'continueRegularOutput' as const };
		const many = await runNode(fleet, { ...create, items: Array(11).fill({}), settings });
		expect(many.json).toHaveLength(11);
		expect(new Set(fleet.routes())).toEqual(new Set(['POST /clients']));
		const get = (snapshotId: string) =>
			operationRun('snapshot', 'get', { siteId: locator(id), snapshotId: locator(snapshotId) });
		fleet.world.store.sites.get(id)!.backups.enabled = false;
		const off = await runNode(fleet, get('0123456789abcdef01234567'));
		expect(off.error?.message).toContain(
			`(site "${title}", ${url}); the backups of this site are off: turn them on with Backup: Enable`,
		);
		const first = operationRun('snapshot', 'findFirstHacked', { siteId: locator(id) });
		const found = await runNode(fleet, first);
		expect(found.error?.message).toContain('turn them on with Backup: Enable');
		const logs = operationRun('activityLog', 'getAll', { siteId: locator(id) });
		fleet.world.store.sites.get(id)!.activity_logs.enabled = false;
		const unrelated = await runNode(fleet, logs);
		expect(unrelated.error?.message).toMatch(/logging is disabled \(site ".+\)$/);
		fleet.world.store.sites.get(id)!.backups.enabled = true;
		const other = await runNode(fleet, get('0123456789abcdef01234567'));
		expect(other.error?.message).toMatch(
			/^The service found no such record: .* \(site ".+\) \(\/sites/,
		);
	});

	it('401: what to do about the token, and not the token itself', async () => {
		const { error } = await runNode({ ...fleet, token: 'wrong-token' }, listTags);
		expect(error?.httpCode).toBe('401');
		expect(error?.message).toContain('rejected the API token');
		expect(error?.description).toContain('credential');
		expect(JSON.stringify([error, error?.message, error?.stack])).not.toContain('wrong-token');
	});
});

describe('a wayward service', () => {
	const run = async (node: NodeRun, answer: (url: URL, count: number) => Answer) => {
		const service = await startWayward(answer);
		const { error, json } = await runNode(service, node);
		return { error, json, requests: service.requests };
	};
	const ok = { body: { tags: [{ id: '1' }], meta: { pagination: { totalPages: 1 } } } };

	it.each<[failure: string, answer: Answer]>([
		...[500, 502, 503].map((status): [string, Answer] => [`${status}`, { status, body: '' }]),
		['a broken connection', 'drop'],
	])('a read that ends in %s is repeated', async (_, answer) => {
		const { json, requests } = await run(listTags, (_url, count) => (count < 3 ? answer : ok));
		expect(json).toEqual([{ id: '1' }]);
		expect(requests).toHaveLength(3);
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
		return error!;
	};

	it('is short, whatever the service says', async () => {
		const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
		for (const details of [`"${'x'.repeat(1e7)}"`, deep, JSON.stringify(Array(1e5).fill('no'))]) {
			const error = await refusing(`{"error":{"details":${details}}}`);
			expect(error.message.length).toBeLessThan(600);
		}
	});

	it('does not repeat the token, or a password that the service echoes', async () => {
		const credentials = { username: 'guard', password: 'hunter2hunter2' };
		const error = await refusing(
			{ error: { details: 'wayward-token and hunter2hunter2 are wrong' } },
			operationRun('site', 'create', {
				url: 'https://a.example.com',
				additionalFields: { httpAuth: { credentials } },
			}),
		);
		expect(JSON.stringify([error.message, error.description])).not.toMatch(/wayward-token|hunter2/);
	});

	it.each([
		['a refused change', createTag, true],
		['the second of three', { ...createTag, items: [{}, {}, {}] }, false],
		['a read', listTags, false],
	])('says of %s alone that nothing was changed', async (_, run, isSaid) => {
		const service = await startWayward((_url, count) =>
			run.items && count === 1 ? { status: 201, body: { tag: { id: '1' } } } : { status: 422 },
		);
		const { error } = await runNode(service, run);
		expect(error!.description!.includes('Nothing was changed')).toBe(isSaid);
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
		expect(error).toMatchObject({
			failure: { cause: 'rate-limited', retryAfterMs: expect.any(Number) },
		});
	});
});
