import type { Collection, Store } from '../../../sandbox/service/engine/store';
import { list, listIds, start } from './support';

const past = '2001-01-01T00:00:00.000Z';
const stamps = { created_at: past, updated_at: past };
const dns = () => ({ hostname: 'h.example.com', value: 'v', verified: false });

interface Case {
	path: string;
	rows: (store: Store) => Collection<any>;
	/** A row that none of the filters finds. */
	plain: () => Record<string, unknown>;
	/** Per filter and value, what a row must have to be found. */
	filters: Array<[filter: string, value: string | string[], change: object]>;
	/** Per sort field, three values in ascending order. */
	sort: Record<string, string[]>;
}

const dates: Case['filters'] = ['created_at', 'updated_at'].flatMap((name) => [
	[`${name}:gte`, '2020-01-01', { [name]: '2020-01-01T00:00:00.000Z' }],
	[`${name}:lte`, '1999-12-31T00:00:00Z', { [name]: '1999-06-01T00:00:00.000Z' }],
]);
const times = ['2000-01-01T00:00:00.000Z', '2010-01-01T00:00:00.000Z', '2010-01-01T00:00:01.000Z'];
const dateSorts = { created_at: times, updated_at: times };
const words = ['Alpha', 'Beta', 'Gamma'];
const text = (...names: string[]): Case['filters'] =>
	names.map((name) => [`${name}:contains`, 'ODD', { [name]: 'an odd one' }]);

const cases: Case[] = [
	{
		path: '/clients',
		rows: (store) => store.clients,
		plain: () => ({
			first_name: 'x',
			last_name: 'x',
			email: 'x',
			company_name: 'x',
			address: '',
			note: '',
			...stamps,
		}),
		filters: [
			...text('first_name', 'last_name', 'email', 'company_name'),
			...['first_name', 'last_name', 'email', 'company_name'].map(
				(name): Case['filters'][number] => ['search:contains', 'odd', { [name]: 'Odd' }],
			),
			...dates,
		],
		sort: { ...dateSorts, first_name: words, last_name: words, email: words, company_name: words },
	},
	{
		path: '/managed-accounts',
		rows: (store) => store.managedAccounts,
		plain: () => ({
			email: 'x',
			role: 'collaborator',
			company_name: 'x',
			status: 'pending',
			all_sites_access: false,
			...stamps,
		}),
		filters: [
			...text('email', 'company_name'),
			['role:eq', 'co_owner', { role: 'co_owner' }],
			['role:in', ['co_owner', 'administrator'], { role: 'administrator' }],
			['status:eq', 'connected', { status: 'connected' }],
			['status:in', ['connected', 'rejected'], { status: 'rejected' }],
			['all_sites_access:eq', 'true', { all_sites_access: true }],
			...dates,
		],
		sort: { ...dateSorts, status: ['connected', 'pending', 'rejected'] },
	},
	{
		path: '/sender-emails',
		rows: (store) => store.senderEmails,
		plain: () => ({
			email: 'x',
			name: 'x',
			status: 'pending',
			domain: { dkim: dns(), return_path: dns() },
			...stamps,
			internal: {},
		}),
		filters: [
			...text('email', 'name'),
			['status:eq', 'verified', { status: 'verified' }],
			[
				'domain_dkim_verified:eq',
				'true',
				{ domain: { dkim: { ...dns(), verified: true }, return_path: dns() } },
			],
			[
				'domain_return_path_verified:eq',
				'true',
				{ domain: { dkim: dns(), return_path: { ...dns(), verified: true } } },
			],
			...dates,
		],
		sort: { ...dateSorts, email: words, name: words, status: ['pending', 'pending', 'verified'] },
	},
	{
		path: '/team-members',
		rows: (store) => store.teamMembers,
		plain: () => ({
			name: 'x',
			email: 'x',
			company_name: 'x',
			note: '',
			role: 'collaborator',
			status: 'connected',
			all_sites_access: false,
			site_ids: [],
			two_fa_enabled: false,
			...stamps,
		}),
		filters: [
			...text('name', 'email', 'company_name'),
			['role:eq', 'co_owner', { role: 'co_owner' }],
			['two_fa_enabled:eq', 'true', { two_fa_enabled: true }],
			['status:eq', 'pending', { status: 'pending' }],
			...dates,
		],
		sort: {
			...dateSorts,
			name: words,
			email: words,
			role: ['administrator', 'co_owner', 'collaborator'],
		},
	},
];

/** A service whose only rows of the list are plain ones with these changes, `r0`, `r1` and so on. */
async function startWithRows({ rows, plain }: Case, ...changes: object[]) {
	const service = await start({ sites: 0 });
	const collection = rows(service.world.store);
	for (const { id } of collection.all()) collection.delete(id);
	changes.forEach((change, i) => collection.insert({ id: `r${i}`, ...plain(), ...change }));
	return service;
}

describe.each(cases)('the list $path', (each) => {
	it.each(each.filters)('finds by %s %j the only row with %j', async (filter, value, change) => {
		const service = await startWithRows(each, {}, change, {});
		expect(await listIds(service, each.path, { [`filters[${filter}]`]: value })).toEqual(['r1']);
	});

	it.each(Object.entries(each.sort))('can be sorted by %s', async (field, [low, middle, high]) => {
		const service = await startWithRows(
			each,
			...[high, low, middle].map((value) => ({ [field]: value })),
		);
		const sorted = async (direction: string) =>
			(await list(service, each.path, { sort: `${field},${direction}` })).map((row) => row[field]);
		expect(await sorted('asc')).toEqual([low, middle, high]);
		expect(await sorted('desc')).toEqual([high, middle, low]);
	});

	it('has the newest first', async () => {
		const service = await startWithRows(each, ...times.map((created_at) => ({ created_at })));
		expect(await listIds(service, each.path)).toEqual(['r2', 'r1', 'r0']);
	});

	it('knows no other filter and no other sort field', async () => {
		const { api } = await start({ sites: 0 });
		expect((await api.get(`${each.path}?filters[note:contains]=x`)).status).toBe(400);
		expect((await api.get(`${each.path}?sort=note,asc`)).status).toBe(400);
		expect((await api.get(`${each.path}?timezone=Europe/Berlin`)).status).toBe(200);
	});
});
