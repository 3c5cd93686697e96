import { mustSucceed, operationRun, runNode, runOn } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { locator } from '../../support/locator';
import { withoutWaiting } from '../../support/transportClock';
import { type Answer, type Answers, pageOf } from '../../support/wayward';

/** Only If lets a change through to the record that is meant, and to no other, also if it changes in between. */

const fleet = fleetEach({ sites: 5 });
let site: Record<string, any>;
let other: Record<string, any>;
beforeEach(async () => {
	withoutWaiting();
	[site, other] = (await fleet.sites(2)) as [typeof site, typeof site];
});

const deleteSite = (more: object, id: unknown = site.id) =>
	operationRun('site', 'delete', { siteId: locator(id), ...more });
const onlyUrl = (onlyIfUrl: string) => ({ onlyIfUrl });
const onlyName = (onlyIfName: string) => ({ onlyIfName });

it('the right record is changed, with one read before; the wrong one is not, and the error has both', async () => {
	const wrong = `${site.url}/blog`;
	const { error } = await runNode(fleet, deleteSite(onlyUrl(wrong)));
	expect(error?.message).toContain(
		`Delete was refused by Only If: the site "${site.title}" ("${site.url}", ${site.id}) has another URL than "${wrong}"`,
	);
	expect(error?.description).toMatch(/^Check the site, or Only If URL\. /);
	const named = await runNode(fleet, deleteSite(onlyName('Another')));
	const its = `the site "${site.title}" ("${site.url}", ${site.id})`;
	expect(named.error?.message).toContain(`${its} has another name than "Another"`);
	expect(fleet.changes()).toEqual([]);
	fleet.forget();
	const right = await runNode(
		fleet,
		deleteSite(onlyUrl(`${new URL(site.url).host.toUpperCase()}/`)),
	);
	expect(right.error).toBeUndefined();
	expect(fleet.routes()).toEqual([`GET /sites/${site.id}`, `DELETE /sites/${site.id}`]);
});

it.each<[string, object]>([
	['a collection', { onlyIfUrl: { value: 'https://other.example.com' } }],
	['an expression without a value', { onlyIfUrl: '={{ $json.gone }}' }],
	['an empty text', { onlyIfName: '={{ "" }}' }],
])('does not vanish as %s', async (_, guard) => {
	for (const asTool of [false, true]) {
		const { error } = await runNode(fleet, { ...deleteSite(guard), asTool });
		expect(error?.message).toMatch(/^The parameter "Only If (URL|Name)"/);
	}
	expect(fleet.sent()).toEqual([]);
});

it('checks all that is set, with one read', async () => {
	const wrong = { ...onlyUrl(site.url), ...onlyName('Another') };
	const { error } = await runNode(fleet, deleteSite(wrong));
	expect(error?.message).toContain(`the site "${site.title}" (`);
	expect(error?.message).toContain(`, ${site.id}) has another name than "Another"`);
	expect(fleet.changes()).toEqual([]);
	fleet.forget();
	const both = { ...onlyUrl(site.url), ...onlyName(site.title) };
	expect((await runNode(fleet, deleteSite(both))).error).toBeUndefined();
	expect(fleet.routes()).toEqual([
		'GET /sites',
		`GET /sites/${site.id}`,
		`DELETE /sites/${site.id}`,
	]);
});

it('is not filled in by the model that chooses the record', async () => {
	const ai = (key: string, value: string) => `={{ $fromAI('${key}', '', 'string', '${value}') }}`;
	const asTool = true;
	const run = deleteSite(onlyUrl(ai('url', site.url)), ai('site', site.id));
	const { error } = await runNode(fleet, { ...run, asTool });
	expect(error?.message).toBe(
		'The parameter "url" is filled in by the model ($fromAI), so the model would check itself. Set the value in the workflow',
	);
	expect(fleet.sent()).toEqual([]);
	const fixed = deleteSite(onlyUrl(site.url), ai('site', other.id));
	const { error: refused } = await runNode(fleet, { ...fixed, asTool });
	expect(refused?.message).toContain(`, ${other.id}) has another URL than`);
	expect(fleet.changes()).toEqual([]);
});

it('checks the site of records below it, and reads it again for each change', async () => {
	for (const content of ['a', 'b', 'c']) {
		await fleet.api.post(`/sites/${site.id}/notes`, { note: { content } });
	}
	const { data } = await fleet.api.get(`/sites/${site.id}/notes`);
	fleet.forget();
	const ids = { siteId: locator(site.id), noteId: locator('={{ $json.id }}') };
	const items = data.notes as Array<{ id: string }>;
	const run = operationRun('note', 'delete', { ...ids, ...onlyUrl(site.url) }, { items });
	expect((await runNode(fleet, run)).error).toBeUndefined();
	expect(fleet.routes()).toEqual(
		items.flatMap(({ id }) => [`GET /sites/${site.id}`, `DELETE /sites/${site.id}/notes/${id}`]),
	);
});

it('an email, of a record that has no path of its own and is found in its list', async () => {
	const accounts = fleet.world.store.managedAccounts.peek();
	const { id, email } = accounts.find(({ status }) => status === 'connected')!;
	const leave = async (onlyIfEmail: string, managedAccountId: string = id) => {
		const guard = { onlyIfEmail, managedAccountId: locator(managedAccountId) };
		return (await runNode(fleet, operationRun('managedAccount', 'delete', guard))).error?.message;
	};
	const wrong = `("${email}", ${id}) has another email than "someone@example.com"`;
	expect(await leave('someone@example.com')).toContain(wrong);
	expect(await leave(email, '6')).toContain('was not returned by the service for this ID');
	expect(fleet.changes()).toEqual([]);
	expect(await leave(email.toUpperCase())).toBeUndefined();
	expect(fleet.changes()).toHaveLength(1);
});

/** One answer after the other, the last one again and again. */
const inTurn = (...given: Answer[]) => {
	let count = 0;
	return () => given[Math.min(count++, given.length - 1)]!;
};

const removed: Answer = { status: 204 };
const usedUp = {
	...{ 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' },
};
const refused: Answer = { status: 429, headers: usedUp };
const tagCalled = (name?: string, headers = {}): Answer => ({
	body: { tag: { id: '7', name } },
	headers,
});
const [LIST, LOOK, REMOVE] = ['GET /tags', 'GET /tags/7', 'DELETE /tags/7'];

const removeTag = async (answers: Answers, name = 'A', more = {}) => {
	const run = operationRun('tag', 'delete', { tagId: locator('7'), ...onlyName(name) }, more);
	const list = pageOf('tags', [{ id: '7', name: 'A' }]);
	return await runOn({ [LIST]: list, [REMOVE]: removed, ...answers }, run);
};

it.each<[wanted: string, name: string | undefined, others: string[], why: string | undefined]>([
	[' A ', 'A', [], undefined],
	['a', 'A', [], 'has another name than "a"'],
	['A', ' ', [], 'has no name, not "A"'],
	['A', undefined, [], 'has no name, not "A"'],
	['Café', 'Café', ['Other', 'Cafe\u0301 '], 'is not the only one with the name "Café": 7, 9'],
])('the name %j of a tag called %j, with %j in its list', async (wanted, name, others, why) => {
	const tags = [name, ...others].map((each, index) => ({ id: `${7 + index}`, name: each }));
	const answers = { [LIST]: pageOf('tags', tags), [LOOK]: tagCalled(name) };
	const { error, routes } = await removeTag(answers, wanted);
	expect(error?.message).toBe(
		why && `Delete was refused by Only If: the tag ${name?.trim() ? `"${name}" (7)` : '7'} ${why}`,
	);
	expect(routes).toEqual([LIST, LOOK, ...(why ? [] : [REMOVE])]);
});

describe('the check', () => {
	it('does not accept another record that the service returns for the ID', async () => {
		const { error, routes } = await removeTag({
			[LOOK]: { body: { tag: { id: '8', name: 'A' } } },
		});
		expect(error?.message).toContain('another record: 7 was requested, 8 was returned');
		expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
		expect(routes).toEqual([LIST, LOOK]);
	});

	it('is repeated before a change that the rate limit refused is sent again', async () => {
		const answers = { [REMOVE]: inTurn(refused, removed) };
		const look = inTurn(tagCalled('A'), tagCalled('B'));
		const { error, routes } = await removeTag({ ...answers, [LOOK]: look });
		expect(error?.message).toContain('has another name than "A"');
		expect(routes).toEqual([LIST, LOOK, REMOVE, LOOK]);
		const again = { [REMOVE]: inTurn(refused, removed), [LOOK]: tagCalled('A') };
		const right = await removeTag(again);
		expect(right.routes).toEqual([LIST, LOOK, REMOVE, LOOK, REMOVE]);
		expect(right.json).toEqual([{ deleted: true, id: '7', name: 'A' }]);
	});

	it('is repeated where the change had to wait for the rate limit after it', async () => {
		const { error, routes } = await removeTag({
			[LOOK]: inTurn(tagCalled('A', usedUp), tagCalled('B')),
		});
		expect(error?.message).toContain('has another name than "A"');
		expect(routes).toEqual([LIST, LOOK, LOOK]);
	});

	it('stops a change that can never follow it directly', async () => {
		const { error, routes } = await removeTag({ [LOOK]: tagCalled('A', usedUp) });
		expect(error?.message).toBe(
			'The rate limit leaves no room to check the record and change it right after: nothing was changed by this item',
		);
		expect(new Set(routes)).toEqual(new Set([LIST, LOOK]));
	});

	it('is separate for each change of a run, and the wrong one stops the rest', async () => {
		const look = inTurn(tagCalled('A'), tagCalled('B'));
		const { error, routes } = await removeTag({ [LOOK]: look }, 'A', { items: [{}, {}, {}] });
		expect(routes).toEqual([LIST, LOOK, REMOVE, LOOK]);
		expect(error?.message).toMatch(/has another name than "A" \(item 2 of 3; 1 change/);
	});
});

describe('a site By URL', () => {
	const url = 'https://a.example';
	const FIND = 'GET /sites';
	const READ = 'GET /sites/1';
	const sitesAt = (...ids: string[]) => pageOf('sites', [...ids.map((id) => ({ id, url }))]);
	const removeSite = async (answers: Answers, more = {}) =>
		await runOn(answers, operationRun('site', 'delete', { siteId: locator(url, 'url') }, more));

	it.each([
		[['2'], `Delete was refused: the URL "${url}" now belongs to the site 2, no longer to 1`],
		[['1', '2'], 'More than one site has the URL'],
	])(
		'is looked up again after a pause, and refuses what is then at it: %j',
		async (then, message) => {
			const { error, routes } = await removeSite({
				[FIND]: inTurn(sitesAt('1'), sitesAt(...then)),
				'DELETE /sites/1': inTurn(refused, removed),
			});
			expect(error?.message).toContain(message);
			expect(routes).toEqual([FIND, READ, 'DELETE /sites/1', FIND]);
		},
	);

	it('is looked up before each change', async () => {
		const deletes = ['DELETE /sites/1', 'DELETE /sites/2'] as const;
		const answers = { [FIND]: inTurn(sitesAt('1'), sitesAt('2')), [deletes[0]]: removed };
		const { routes } = await removeSite({ ...answers, [deletes[1]]: removed }, { items: [{}, {}] });
		expect(routes).toEqual([FIND, READ, deletes[0], FIND, 'GET /sites/2', deletes[1]]);
	});
});

describe('of a migration', () => {
	const destination = { id: '3', url: 'http://B.example', title: 'B', connection: {} };
	const near = { id: '4', url: 'https://x.b.example', title: 'X' };
	const two = [destination, { ...destination, id: '5' }];
	const ftp = { type: 'external', connectionMethod: 'ftp' };
	const external = { ...ftp, ftpCredentials: '{ "host": "ftp.b.example" }' };
	const SNAPSHOT = 'GET /sites/1/snapshots/2';
	const MIGRATE = 'POST /sites/1/backups/2/migrate';

	const migrate = async (sites: object[], more: object) =>
		await runOn(
			{
				'GET /sites': pageOf('sites', sites),
				'GET /sites/1': { body: { site: { id: '1', url: 'https://a.example' } } },
				[SNAPSHOT]: { body: { snapshot: { id: '2', status: 'succeeded' } } },
				[MIGRATE]: { body: { task: { id: '9', status: 'queued' } } },
			},
			operationRun('backup', 'migrate', {
				...{ siteId: locator('1'), snapshotId: locator('2'), includeFiles: true },
				...{ destinationUrl: 'https://b.example/', ...more },
			}),
		);

	it.each<[what: string, guard: object, sites: object[], looks?: number]>([
		['the URL of the destination', onlyUrl('b.example'), [near, destination], 1],
		// Whether another site has the same name is in the list of all.
		['its name', onlyName('B'), [near, destination], 2],
		['a server outside the account', { ...external, ...onlyUrl('b.example') }, [near], 1],
	])('lets through %s', async (_, guard, found, looks) => {
		const { routes } = mustSucceed(await migrate(found, guard));
		const checks = [SNAPSHOT, ...Array(looks).fill('GET /sites'), MIGRATE];
		expect(routes).toEqual([...checks, 'GET /sites/1']);
	});

	const ITS_URL = 'has another URL than';
	const SEVERAL = 'is more than one site: 3 (http://B.example), 5 (http://B.example)';

	it.each<[what: string, guard: object, sites: object[], why: string]>([
		['another name', onlyName('A'), [destination], 'has another name than "A"'],
		['a name where two match', onlyName('B'), two, SEVERAL],
		['a URL that no site has', onlyUrl('a.example'), [near], ITS_URL],
		['the address of a server', { ...external, ...onlyUrl('ftp.b.example') }, [], ITS_URL],
		['a name where there is no record', { ...external, ...onlyName('B') }, [near], 'has no name'],
	])('refuses %s', async (_, guard, found, why) => {
		const { error, routes } = await migrate(found, guard);
		expect(error?.message).toMatch(/^Migrate was refused by Only If: the destination "(B|https:)/);
		expect(error?.message).toContain(why);
		expect(new Set(routes)).toEqual(new Set([SNAPSHOT, 'GET /sites']));
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
