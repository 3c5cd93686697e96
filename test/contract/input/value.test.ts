import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';

/** What becomes of input before it is sent; the tables of bad input are beside it. */

let fleet: Fleet;
beforeAll(async () => {
	fleet = await startFleet({ sites: 3 });
});
beforeEach(() => fleet.forget());

const getTag = (tagId: unknown) => ({ operation: 'get', tagId }) as INodeParameters;
const getSites = (filters: INodeParameters) => ({ operation: 'getAll', filters });

it.each([
	['tag', getTag(locator('', 'list')), 'Tag'],
	['tag', { operation: 'create', name: '' }, 'Name'],
	['tag', { operation: 'assign', tagId: locator('1'), siteIds: '' }, 'Site IDs or URLs'],
	['site', { operation: 'getAll', output: 'selected', outputFields: [] }, 'Fields'],
] as Array<[string, INodeParameters, string]>)(
	'%s %j is refused by n8n itself before the run',
	async (node, parameters, name) => {
		const run = runNode(fleet, { node, parameters: { resource: node, ...parameters } });
		await expect(run).rejects.toThrow(`Parameter "${name}" is required`);
		expect(fleet.sent()).toEqual([]);
	},
);

it('an empty filter is not set, and a filter that is false is', async () => {
	const { error } = await runNode(fleet, {
		node: 'site',
		parameters: {
			resource: 'site',
			...getSites({ clientId: locator(''), tagIds: [], locked: false }),
		},
	});
	expect(error).toBeUndefined();
	expect(fleet.sent()[0]!.query).toEqual({
		page: '1',
		perPage: '50',
		'filters[locked:eq]': 'false',
	});
});

it('local times are read in the time zone of the workflow and sent in UTC', async () => {
	await runNode(fleet, {
		node: 'site',
		parameters: {
			resource: 'site',
			...getSites({
				createdAfter: '2026-07-01T00:00:00',
				createdBefore: '2026-07-02T12:00:00+05:00',
				updatedAfter: '={{ DateTime.fromISO("2026-07-01T08:00:00Z") }}',
			}),
		},
		timezone: 'Europe/Berlin',
	});
	expect(fleet.sent()[0]!.query).toMatchObject({
		'filters[created_at:gte]': '2026-06-30T22:00:00Z',
		'filters[created_at:lte]': '2026-07-02T07:00:00Z',
		'filters[updated_at:gte]': '2026-07-01T08:00:00Z',
	});
});

it.each(['../sites?x=1#y', 'a/b', 'a%2Fb', 'a\\b', 'a;b'])(
	'%j cannot be an ID in a path',
	async (id) => {
		const { error } = await runNode(fleet, {
			node: 'tag',
			parameters: { resource: 'tag', ...getTag(locator(id)) },
		});
		expect(fleet.sent()).toEqual([]);
		expect(error?.message).toMatch(
			/^The parameter "Tag" is not an ID: .* contains a character that is not allowed in an ID$/,
		);
	},
);

it.each<[what: string, code: string]>([
	['nothing', 'undefined'],
	['blank text', '" "'],
	['a list', '["https://a.example.com"]'],
	['an object', '({ url: "https://a.example.com" })'],
	['true', 'true'],
	['a number that is none', 'NaN'],
	['text with a lone surrogate', '"https://a.example.com/\\ud800"'],
])('the URL of a site that is %s is refused', async (_what, code) => {
	for (const operation of ['get', 'delete']) {
		fleet.forget();
		const siteId = locator(`={{ ${code} }}`, 'url');
		const parameters = { resource: 'site', operation, siteId };
		const { error } = await runNode(fleet, { node: 'site', parameters });
		expect(error?.message).toContain('The parameter "Site"');
		expect(fleet.sent()).toEqual([]);
	}
});

it.each<[choice: string, label: string, typed: string, shown: INodeParameters]>([
	['includeFiles', 'Include Files', 'true', { paths: './wp-content/' }],
	['includeDatabase', 'Include Database', 'TRUE', { tables: 'wp_posts' }],
])('%s typed as text is refused, because %s would hide what it shows', async (...row) => {
	const [choice, label, typed, shown] = row;
	const [site] = await fleet.sites(1);
	const parameters = {
		...{ resource: 'backup', operation: 'restore', snapshotId: locator('latest') },
		...{ siteId: locator(site!.id), [choice]: typed, ...shown },
	};
	const { error } = await runNode(fleet, { node: 'backup', parameters });
	expect(error?.message).toBe(
		`The parameter "${label}" is the text "${typed}", not true or false. Turn the switch on or off`,
	);
	expect(fleet.sent()).toEqual([]);
});
