import type { INodeParameters } from 'n8n-workflow';
import { runOn } from '../../support/engine';
import { locator } from '../../support/locator';
import { withoutWaiting } from '../../support/transportClock';
import { type Answer, type Answers, pageOf } from '../../support/wayward';

/** Only If and sites By URL, where the record changes between the check and the change. */

beforeEach(withoutWaiting);

const removed: Answer = { status: 204 };
const tagCalled = (name?: string, headers = {}): Answer => ({
	body: { tag: { id: '7', name } },
	headers,
});

/** One answer after the other, the last one again and again. */
const inTurn = (...given: Answer[]) => {
	let count = 0;
	return () => given[Math.min(count++, given.length - 1)]!;
};

const removeTag = async (answers: Answers, onlyIfName = 'A', more = {}) =>
	await runOn(
		{ 'GET /tags': pageOf('tags', [{ id: '7', name: 'A' }]), ...answers },
		{
			node: 'tag',
			parameters: {
				...{ resource: 'tag', operation: 'delete', tagId: locator('7') },
				...{ onlyIf: 'name', onlyIfName },
			},
			...more,
		},
	);

it.each<[wanted: string, name: string | undefined, others: string[], why: string | undefined]>([
	[' A ', 'A', [], undefined],
	['a', 'A', [], 'has the name "A", not "a"'],
	['A', ' ', [], 'has no name, not "A"'],
	['A', undefined, [], 'has no name, not "A"'],
	['Café', 'Café', ['Other', 'Cafe\u0301 '], 'is not the only one with the name "Café": 7, 9'],
])('the name %j of a tag called %j, with %j in its list', async (wanted, name, others, why) => {
	const tags = [name, ...others].map((each, index) => ({ id: `${7 + index}`, name: each }));
	const { error, routes } = await removeTag(
		{
			'GET /tags': pageOf('tags', tags),
			'GET /tags/7': tagCalled(name),
			'DELETE /tags/7': removed,
		},
		wanted,
	);
	expect(error?.message).toBe(why && `Delete was refused by Only If: the tag 7 ${why}`);
	expect(routes).toEqual(['GET /tags', 'GET /tags/7', ...(why ? [] : ['DELETE /tags/7'])]);
});

it('a record that is not in its list is not changed', async () => {
	const { error, routes } = await runOn(
		{ 'GET /managed-accounts': pageOf('managed_accounts', [{ id: '5', email: 'a@a.example' }]) },
		{
			node: 'managedAccount',
			parameters: {
				...{ resource: 'managedAccount', operation: 'delete', managedAccountId: locator('6') },
				...{ onlyIf: 'email', onlyIfEmail: 'a@a.example' },
			},
		},
	);
	expect(error?.message).toContain('was not returned by the service for this ID');
	expect(routes).toEqual(['GET /managed-accounts']);
});

describe('the check', () => {
	const usedUp = {
		'x-ratelimit-limit': '200',
		'x-ratelimit-remaining': '0',
		'x-ratelimit-reset': '30',
	};
	const refused: Answer = { status: 429, headers: usedUp };
	const [LIST, LOOK, REMOVE] = ['GET /tags', 'GET /tags/7', 'DELETE /tags/7'];

	it('is repeated before a change that the rate limit refused is sent again', async () => {
		const { error, routes } = await removeTag({
			[LOOK]: inTurn(tagCalled('A'), tagCalled('B')),
			[REMOVE]: inTurn(refused, removed),
		});
		expect(error?.message).toContain('has the name "B", not "A"');
		expect(routes).toEqual([LIST, LOOK, REMOVE, LOOK]);
		const right = await removeTag({
			[LOOK]: tagCalled('A'),
			[REMOVE]: inTurn(refused, removed),
		});
		expect(right.routes).toEqual([LIST, LOOK, REMOVE, LOOK, REMOVE]);
		expect(right.json).toEqual([{ deleted: true, id: '7', name: 'A' }]);
	});

	it('is repeated where the change had to wait for the rate limit after it', async () => {
		const { error, routes } = await removeTag({
			[LOOK]: inTurn(tagCalled('A', usedUp), tagCalled('B')),
			[REMOVE]: removed,
		});
		expect(error?.message).toContain('has the name "B", not "A"');
		expect(routes).toEqual([LIST, LOOK, LOOK]);
	});

	it('stops a change that can never follow it directly', async () => {
		const { error, routes } = await removeTag({
			[LOOK]: tagCalled('A', usedUp),
			[REMOVE]: removed,
		});
		expect(error?.message).toBe(
			'The rate limit leaves no room to check the record and change it right after: nothing was changed by this item',
		);
		expect(new Set(routes)).toEqual(new Set([LIST, LOOK]));
	});

	it('is separate for each change of a run', async () => {
		const { error, routes } = await removeTag(
			{ [LOOK]: inTurn(tagCalled('A'), tagCalled('B')), [REMOVE]: removed },
			'A',
			{ items: [{}, {}] },
		);
		expect(routes).toEqual([LIST, LOOK, REMOVE, LOOK]);
		expect(error?.message).toMatch(/has the name "B", not "A" \(item 2 of 2; 1 change/);
	});

	describe('of a site By URL', () => {
		const url = 'https://a.example';
		const sitesAt = (...ids: string[]) =>
			pageOf(
				'sites',
				ids.map((id) => ({ id, url })),
			);
		const removeSite = async (answers: Answers, more = {}) =>
			await runOn(answers, {
				node: 'site',
				parameters: { resource: 'site', operation: 'delete', siteId: locator(url, 'url') },
				...more,
			});

		it.each([
			[['2'], `Delete was refused: the URL "${url}" now belongs to the site 2, no longer to 1`],
			[['1', '2'], 'More than one site has the URL'],
		])('is repeated after a pause, and refuses what is then at it: %j', async (then, message) => {
			const { error, routes } = await removeSite({
				'GET /sites': inTurn(sitesAt('1'), sitesAt(...then)),
				'DELETE /sites/1': inTurn(refused, removed),
			});
			expect(error?.message).toContain(message);
			expect(routes).toEqual(['GET /sites', 'DELETE /sites/1', 'GET /sites']);
		});

		it('is made before each change', async () => {
			const answers = {
				'GET /sites': inTurn(sitesAt('1'), sitesAt('2')),
				'DELETE /sites/1': removed,
				'DELETE /sites/2': removed,
			};
			const { routes } = await removeSite(answers, { items: [{}, {}] });
			expect(routes).toEqual(['GET /sites', 'DELETE /sites/1', 'GET /sites', 'DELETE /sites/2']);
		});
	});
});

describe('of a migration', () => {
	const destination = { id: '3', url: 'http://B.example', title: 'B', connection: {} };
	const near = { id: '4', url: 'https://x.b.example', title: 'X' };
	const external = {
		type: 'external',
		connectionMethod: 'ftp',
		ftpCredentials: '{ "host": "ftp.b.example" }',
	};
	const url = (onlyIfUrl: string) => ({ onlyIf: 'url', onlyIfUrl });
	const name = (onlyIfName: string) => ({ onlyIf: 'name', onlyIfName });
	const SNAPSHOT = '/sites/1/snapshots/2';

	const migrate = async (sites: object[], more: INodeParameters) =>
		await runOn(
			{
				'GET /sites': pageOf('sites', sites),
				'GET /sites/1': { body: { site: { id: '1', url: 'https://a.example' } } },
				[`GET ${SNAPSHOT}`]: { body: { snapshot: { id: '2', status: 'succeeded' } } },
				'POST /sites/1/backups/2/migrate': { body: { task: { id: '9', status: 'queued' } } },
			},
			{
				node: 'backup',
				parameters: {
					...{ resource: 'backup', operation: 'migrate' },
					...{ siteId: locator('1'), snapshotId: locator('2') },
					...{ destinationUrl: 'https://b.example/', includeFiles: true },
					...more,
				},
			},
		);

	const two = [destination, { ...destination, id: '5' }];

	it.each<[string, INodeParameters, object[], string | undefined]>([
		['the URL of the destination', url('b.example'), [near, destination], undefined],
		['its name', name('B'), [near, destination], undefined],
		['a server outside the account', { ...external, ...url('b.example') }, [near], undefined],
		['another name', name('A'), [destination], 'has the name "B", not "A"'],
		[
			'a name where two match',
			name('B'),
			two,
			'is more than one site: 3 (http://B.example), 5 (http://B.example)',
		],
		['a URL that no site has', url('a.example'), [near], 'has the url "https://b.example/", not'],
		[
			'the address of a server',
			{ ...external, ...url('ftp.b.example') },
			[],
			'has the url "https://b.example/", not',
		],
		['a name where there is no record', { ...external, ...name('B') }, [near], 'has no name'],
	])('compares the destination: %s', async (_, guard, found, why) => {
		const { error, routes } = await migrate(found, guard);
		if (why === undefined) {
			// Whether another site has the same name is in the list of all.
			const looks = guard.onlyIf === 'name' ? ['GET /sites', 'GET /sites'] : ['GET /sites'];
			expect(routes).toEqual([`GET ${SNAPSHOT}`, ...looks, 'POST /sites/1/backups/2/migrate']);
			return;
		}
		expect(error?.message).toMatch(/^Migrate was refused by Only If: the destination "https:/);
		expect(error?.message).toContain(why);
		expect(new Set(routes)).toEqual(new Set([`GET ${SNAPSHOT}`, 'GET /sites']));
	});

	it.each([
		['its address, where no site is', [near], { site: { url: 'https://b.example/' } }],
		['both, where two match', two, { sites: [{ id: '3' }, { id: '5' }] }],
	])('Preview shows the destination: %s', async (_, found, target) => {
		const { json } = await migrate(found, { preview: true });
		const source = { site: { id: '1', url: 'https://a.example' }, snapshot: { id: '2' } };
		expect(json[0]).toMatchObject({ target, source });
	});
});
