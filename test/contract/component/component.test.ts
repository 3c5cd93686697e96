import type { IDataObject } from 'n8n-workflow';
import { mustSucceed, operationRun, runNode } from '../../support/engine';
import { fleetOnce, inStep, START } from '../../support/fleet';

const fleet = fleetOnce({ sites: 6, at: START });

const getMany = (more: object = {}, items?: IDataObject[]) =>
	operationRun('component', 'getAll', { source: 'snapshots', ...more }, { items });

describe('the rows of a reading', () => {
	let rows: IDataObject[];
	beforeAll(async () => {
		inStep(fleet);
		rows = (await runNode(fleet, getMany())).json;
	});
	beforeEach(() => inStep(fleet));

	const find = (options: object = {}, items = rows) => {
		const asked = { componentName: 'page-cache', componentVersions: '< 1000' };
		const set = { ...asked, options: { maxAgeDays: 3_650, ...options } };
		return operationRun('component', 'find', set, { items });
	};

	it('are searched once if an expression returns them, whatever the input is', async () => {
		const one = mustSucceed(await runNode(fleet, find()));
		const other = await runNode(fleet, find({ rows: '={{ $json.rows }}' }, [{ rows }]));
		expect(other.json).toEqual(one.json);
		const empty = await runNode(fleet, find({ rows: '={{ [{ json: {} }] }}' }));
		expect(empty.error?.message).toMatch(/^No entry of "Rows" is a row/);
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
		const again = getMany({ options: { knownRows: '={{ $json.rows }}' } }, [{ rows: knownRows }]);
		const { json } = await runNode(fleet, again);
		const now = json.filter(({ site_id: id }) => id === one.site_id);
		const files = (of: IDataObject[]) => of.map(({ file, version }) => [file, version]);
		expect(now[0]!.snapshot_id).not.toBe(one.snapshot_id);
		expect(files(now)).toEqual(files(ofSite));
	});

	it.each([
		['Page Cache', true],
		['pagecache', false],
	])('are those of the component named %s', async (componentName, isThere) => {
		const options = { knownRows: '={{ $json.rows }}' };
		const named = getMany({ componentFilters: { componentName }, options }, [{ rows }]);
		const { json, error } = await runNode(fleet, named);
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
