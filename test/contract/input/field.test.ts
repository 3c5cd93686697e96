import type { INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';

/** What the kit makes of fields whatever the resource, on nodes that have such fields. */

let fleet: Fleet;
let shop: string;
beforeAll(async () => {
	fleet = await startFleet({ sites: 3 });
	for (const url of ['https://staging.shop.example.com', 'https://shop.example.com']) {
		const { data } = await fleet.api.post('/sites', { site: { url } });
		shop = data.site.id;
	}
});
beforeEach(() => fleet.forget());

const run = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await runNode(fleet, {
		node: 'site',
		parameters: { resource: 'site', operation: 'getAll', ...parameters },
		...more,
	});
/** As `run`, on the node of a resource that has that name. */
const runOf = async (resource: string, parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
	await run({ resource, ...parameters }, { node: resource, ...more });
const createNotes = (siteId: INodeParameters) => ({
	operation: 'create',
	siteId,
	content: '={{ $json.text }}',
});
const createWorks = (...work: INodeParameters[]) => ({
	operation: 'create',
	siteId: locator(shop),
	customWorks: { work },
});
const routes = () => fleet.sent().map(({ route }) => route);
const queries = () => fleet.sent().map(({ query }) => query);

describe('a site By URL', () => {
	const byUrl = locator('={{ $json.url }}', 'url');

	it('is found for a filter by its exact host, once for all items', async () => {
		const { json, error } = await run(
			{ output: 'raw', filters: { siteId: byUrl } },
			{ items: [{ url: 'SHOP.example.com' }, { url: 'https://shop.example.com/' }] },
		);
		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id)).toEqual([shop, shop]);
		expect(queries()).toEqual([
			{ page: '1', perPage: '100', 'filters[url:contains]': 'shop.example.com' },
			{ page: '1', perPage: '50', 'filters[id:eq]': shop },
			{ page: '1', perPage: '50', 'filters[id:eq]': shop },
		]);
	});

	it('that no site has is an error, not a list of all sites', async () => {
		const { json, error } = await run(
			{ filters: { siteId: byUrl } },
			{ items: [{ url: 'https://hop.example.com' }] },
		);
		expect(error?.message).toBe('No site with the URL "https://hop.example.com" was found');
		expect(json).toEqual([]);
		expect(fleet.sent()).toHaveLength(1);
	});

	it('is looked up again for each change', async () => {
		const url = 'https://shop.example.com';
		const { error } = await runOf('note', createNotes(byUrl), {
			items: [
				{ url, text: 'A' },
				{ url, text: 'B' },
			],
		});
		expect(error).toBeUndefined();
		const change = `POST /sites/${shop}/notes`;
		expect(routes()).toEqual(['GET /sites', change, 'GET /sites', change]);
	});

	it.each([
		['another field', { url: 'https://shop.example.com' }, 'The parameter "Content" has no value'],
		['the URL', { url: 'https://', text: 'B' }, 'The parameter "Site" is not a URL: "https://"'],
	])('is not looked up for a change when %s of a later item is bad', async (_, bad, message) => {
		const { error } = await runOf('note', createNotes(byUrl), {
			items: [{ url: 'https://shop.example.com', text: 'A' }, bad],
		});
		expect(error?.message).toBe(`${message} (item 2 of 2)`);
		expect(fleet.sent()).toEqual([]);
	});
});

it('names a bad row by its number and field, and its item by its number', async () => {
	const day = '2026-02-10';
	const { error } = await runOf(
		'customWork',
		createWorks(
			{ title: 'Footer', performedOn: day },
			{ title: '={{ $json.title }}', performedOn: day },
		),
		{ items: [{ title: 'Header' }, { title: '' }] },
	);
	expect(error?.message).toBe('The parameter "Custom Works > 2 > Title" is empty (item 2 of 2)');
	expect(fleet.sent()).toEqual([]);
});

it.each([
	[
		{
			operation: 'update',
			siteId: locator('1'),
			updateFields: { clear: '={{ ["connection.sticky_ip", "title"] }}' },
		},
		'The parameter "Clear" is "title", which is not one of "connection.http_auth", "connection.sticky_ip"',
	],
] as Array<[INodeParameters, string]>)(
	'%j: refuses a value of an expression that is not an option',
	async (parameters, message) => {
		const { error } = await run(parameters);
		expect(error?.message).toBe(message);
		expect(fleet.sent()).toEqual([]);
	},
);

describe('a list', () => {
	it.each([['={{ ["1", 2, " ", "1"] }}'], ['={{ "1, 2" }}'], ['={{ "1\\n2,\\n" }}']])(
		'is the same from %s',
		async (tagIds) => {
			const { error } = await run({ filters: { tagIds } });
			expect(error).toBeUndefined();
			// Whether a number is the name of another tag is looked up first.
			const listed = { page: '1', perPage: '50', 'filters[tags:in][]': ['1', '2'] };
			expect(queries().at(-1)).toEqual(listed);
		},
	);

	it.each([['={{ [$json.tag] }}'], ['={{ ["1", null] }}']])(
		'with an entry without a value is refused: %s',
		async (tagIds) => {
			const { error } = await run({ filters: { tagIds } });
			expect(error?.message).toBe('The parameter "Tag Names or IDs" has an entry without a value');
			expect(fleet.sent()).toEqual([]);
		},
	);
});

describe('a date', () => {
	const times = [
		['2026-02-10T23:30:00Z', 'UTC', '2026-02-10'],
		['2026-02-10T23:30:00Z', 'Asia/Tokyo', '2026-02-10'],
		['2026-02-10T00:00:00+01:00', 'UTC', '2026-02-10'],
		['={{ "2026-02-10T00:00:00+01:00" }}', 'UTC', '2026-02-10'],
		[
			'={{ DateTime.fromISO("2026-02-10T00:00:00+01:00", { setZone: true }) }}',
			'UTC',
			'2026-02-10',
		],
		['={{ DateTime.fromISO("2026-02-10T23:30:00Z") }}', 'Asia/Tokyo', '2026-02-11'],
		['={{ new Date("2026-02-10T23:30:00Z") }}', 'Asia/Tokyo', '2026-02-11'],
		['2026-02-10T23:30:00', 'Asia/Tokyo', '2026-02-10'],
		['2026-02-10', 'America/Los_Angeles', '2026-02-10'],
		['2026-02-10T02:00:00Z', 'America/Los_Angeles', '2026-02-10'],
		['={{ new Date("2026-02-10T02:00:00Z") }}', 'America/Los_Angeles', '2026-02-09'],
	] as Array<[string, string, string]>;

	it.each(times)('%s in the time zone %s is %s in a row', async (performedOn, timezone, day) => {
		const { error } = await runOf('customWork', createWorks({ title: 'Footer', performedOn }), {
			timezone,
		});
		expect(error).toBeUndefined();
		const [sent] = fleet.sent();
		expect(sent!.body).toEqual({ custom_works: [{ title: 'Footer', performed_on: day }] });
	});

	it.each(times)('%s in the time zone %s is %s in a filter', async (performedOn, timezone, day) => {
		const { siteId } = createWorks();
		await runOf('customWork', { siteId, filters: { performedOn } }, { timezone });
		expect(queries()[0]).toMatchObject({ 'filters[performed_on:eq]': day });
	});
});
