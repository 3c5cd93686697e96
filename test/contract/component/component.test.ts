import type { IDataObject } from 'n8n-workflow';
import { mustSucceed, runNode, type NodeRun } from '../../support/engine';
import { type Fleet, inStep, START, startFleet } from '../../support/fleet';

let fleet: Fleet;

beforeAll(async () => {
	fleet = await startFleet({ sites: 6, at: START });
});
afterAll(async () => await fleet.close());

const getMany = (more: object = {}): NodeRun => ({
	node: 'component',
	parameters: { resource: 'component', operation: 'getAll', source: 'snapshots', ...more },
});

describe('the rows of a reading', () => {
	let rows: IDataObject[];
	beforeAll(async () => {
		inStep(fleet);
		rows = (await runNode(fleet, getMany())).json;
	});
	beforeEach(() => {
		inStep(fleet);
		fleet.forget();
	});

	const find = (name: string, versions: unknown, items = rows): NodeRun => ({
		node: 'component',
		parameters: {
			...{ resource: 'component', operation: 'find', componentName: name },
			...{ componentVersions: versions as string, options: { maxAgeDays: 3_650 } },
		},
		items,
	});

	it('say without a request which sites have a component in some versions', async () => {
		const { json } = mustSucceed(await runNode(fleet, find('page-cache', '< 1000')));
		expect(fleet.sent()).toEqual([]);
		const with_ = new Set(
			rows.filter(({ folder }) => folder === 'page-cache').map((row) => row.site_id),
		);
		const unread = new Set(rows.filter(({ reason }) => reason !== null).map((row) => row.site_id));
		expect(json).toHaveLength(new Set(rows.map((row) => row.site_id)).size);
		for (const { site_id: id, result, understood } of json) {
			const wanted = with_.has(id) ? 'affected' : unread.has(id) ? 'not known' : 'not affected';
			expect({ id, result, understood }).toEqual({ id, result: wanted, understood: 'below 1000' });
		}
	});

	it('are searched once if an expression returns them, whatever the input is', async () => {
		const asked = find('page-cache', '< 1000', [{ rows }]);
		const { options } = asked.parameters as { options: object };
		const inOption = { ...options, rows: '={{ $json.rows }}' };
		const given = { ...asked, parameters: { ...asked.parameters, options: inOption } };
		const [one, other] = [
			await runNode(fleet, find('page-cache', '< 1000')),
			await runNode(fleet, given),
		];
		expect(other.json).toEqual(one.json);
		const empty = {
			...asked,
			parameters: { ...asked.parameters, options: { rows: '={{ [{ json: {} }] }}' } },
		};
		expect((await runNode(fleet, empty)).error?.message).toMatch(/^No entry of "Rows" is a row/);
	});

	it('are read again in a folder with two plugins of which they have one', async () => {
		const isTwo = ({ site_id: id, folder }: IDataObject) =>
			folder === 'booking-kit' && rows.some((row) => row.site_id === id && row.folder === folder);
		const one = rows.find(isTwo)!;
		const ofSite = rows.filter(({ site_id: id }) => id === one.site_id);
		const knownRows = ofSite.filter((row) => row !== one);
		expect(ofSite.filter(({ folder }) => folder === 'booking-kit')).toHaveLength(2);
		await fleet.api.post(`/sites/${String(one.site_id)}/sync`, { sync: { message: 'A' } });
		fleet.clock.advance(1_800_000);
		fleet.world.settle();
		const { json } = await runNode(fleet, {
			...getMany({ options: { knownRows: '={{ $json.rows }}' } }),
			items: [{ rows: knownRows }],
		});
		const again = json.filter(({ site_id: id }) => id === one.site_id);
		const files = (of: IDataObject[]) => of.map(({ file, version }) => [file, version]);
		expect(again[0]!.snapshot_id).not.toBe(one.snapshot_id);
		expect(files(again)).toEqual(files(ofSite));
	});

	it.each([
		['Page Cache', true],
		['pagecache', false],
	])('are those of the component named %s', async (componentName, isThere) => {
		const { json, error } = await runNode(fleet, {
			...getMany({
				componentFilters: { componentName },
				options: { knownRows: '={{ $json.rows }}' },
			}),
			items: [{ rows }],
		});
		if (isThere)
			expect(new Set(json.filter(({ reason }) => !reason).map(({ name }) => name))).toEqual(
				new Set(['Page Cache']),
			);
		else {
			expect(error?.message).toMatch(
				/^None of the sites read \(\d+\) has a component named "pagecache"$/,
			);
			expect(error?.description).toContain('Near: Page Cache');
		}
	});
});
