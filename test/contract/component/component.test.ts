import type { IDataObject } from 'n8n-workflow';
import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { componentsAt } from '../../../sandbox/service/domain/content/components';
import { runNode, type NodeRun } from '../../support/engine';
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

const KINDS: Record<string, string> = { plugin: 'plugin', 'must-use': 'mustUse', theme: 'theme' };

const FOLDER = /^\.\/wp-content\/(plugins|mu-plugins|themes)\//;

it('reads every layout in the newest good snapshot with its version, and invents none', async () => {
	inStep(fleet);
	const { json, error } = await runNode(fleet, getMany());
	expect(error).toBeUndefined();
	const { world } = fleet;
	for (const site of world.store.sites.peek()) {
		const [newest] = completedSnapshots(world, site.id);
		const own = json.filter(({ site_id: id }) => id === site.id);
		if (!newest) {
			expect(own).toEqual([expect.objectContaining({ reason: 'The site has no good snapshot' })]);
			continue;
		}
		const wanted = componentsAt(world, site, Date.parse(newest.created_at)).map((each) => ({
			kind: KINDS[each.kind],
			file: each.file.replace(FOLDER, ''),
			name: each.name,
			version: each.version ?? '',
		}));
		const read = own
			.filter(({ kind }) => kind !== 'dropIn')
			.map(({ kind, file, name, version }) => ({ kind, file, name, version }));
		const byFile = (one: IDataObject, other: IDataObject) =>
			`${String(one.kind)} ${String(one.file)}`.localeCompare(`${String(other.kind)} ${String(other.file)}`);
		expect(read.sort(byFile)).toEqual(wanted.sort(byFile));
	}
});
