import { readFileSync } from 'node:fs';
import path from 'node:path';
import { exampleFiles } from '../../sandbox/lib/examples';
import { addStagingSite } from '../../sandbox/service/domain/stagingSites/rules';
import { operationRun, runNode } from '../support/engine';
import { fleetEach, inStep } from '../support/fleet';
import { locator } from '../support/locator';

/** Where an example looks for words in a text of a node, the node says them. */

const root = path.resolve(__dirname, '../..');
const fleet = fleetEach({ sites: 8 });

interface Example {
	nodes: Array<{ type: string; parameters: object }>;
}

const textsIn = (value: unknown): string[] => {
	if (typeof value === 'string') return [value];
	return value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
};

const read = (file: string) =>
	(JSON.parse(readFileSync(path.join(root, 'sandbox', 'workflows', file), 'utf8')) as Example).nodes
		.filter(({ type }) => !type.endsWith('.stickyNote'))
		.flatMap(({ parameters }) => textsIn(parameters));

const LITERAL = /\.(?:startsWith|endsWith|includes|indexOf|split)\((['"`])(.+?)\1/g;
const PATTERN = String.raw`\/((?:\\.|\[(?:\\.|[^\]])*\]|[^/\n[\\])+)\/[a-z]*`;
const PATTERNS = [
	new RegExp(String.raw`\.(?:match|matchAll|replace|replaceAll|search|split)\(${PATTERN}`, 'g'),
	new RegExp(String.raw`${PATTERN}\.(?:test|exec)\(`, 'g'),
];

/** What is looked for, as patterns; single words and signs are no sentences. */
function lookedFor(text: string): string[] {
	const literals = [...text.matchAll(LITERAL)].map(([, , literal]) =>
		literal!.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
	);
	const patterns = PATTERNS.flatMap((each) => [...text.matchAll(each)].map(([, found]) => found!));
	return [...literals, ...patterns].filter((each) => {
		const words = each.replace(/\[(?:\\.|[^\]])*\]|\\[a-z]/g, '');
		return /[a-z]{2,}/i.test(words) && words.includes(' ');
	});
}

/** Of PHP, of the activity log of the service, and what an example itself has written. */
const OF_OTHERS = [
	'PHP Fatal error: Uncaught Error in /wp-content/plugins/a/b.php on line 1. Stack trace: #0',
	'plugin updated',
	'Second try',
];

async function saidByNodes(): Promise<string[]> {
	const missing = operationRun('tag', 'get', { tagId: locator('f0f0f0f0f0f0f0f0f0f0f0f0') });
	const settings = { onError: 'continueRegularOutput' as const };
	const { json } = await runNode(fleet, { ...missing, settings, items: [{}, {}] });

	const { sites, snapshots } = fleet.world.store;
	const isGood = ({ status, site_id: id }: { status: string; site_id: string }) =>
		status === 'succeeded' && sites.get(id)?.connection.status === 'connected';
	const snapshot = snapshots.all().find(isGood)!;
	const ids = { siteId: locator(snapshot.site_id), snapshotId: locator(snapshot.id) };
	const { site_id, id, created_at } = snapshot;
	const order = { site_id, php_version: '8.1', snapshot: { id, created_at } };
	inStep(fleet, () => void addStagingSite(fleet.world, order, fleet.world.now));
	const waiting = operationRun('stagingSite', 'create', { ...ids, waitForCompletion: true });
	const waited = await runNode(fleet, waiting);
	return [...json.map(({ error }) => String(error)), waited.error!.message];
}

it('examples look only for words that the nodes say', async () => {
	const said = [...OF_OTHERS, ...(await saidByNodes())];
	const all = new Set(exampleFiles().flatMap((file) => read(file).flatMap(lookedFor)));
	expect(all.size).toBeGreaterThan(4);
	expect(
		[...all].filter((each) => !said.some((text) => new RegExp(each, 'is').test(text))),
	).toEqual([]);
});

it('example 00 sorts by the last words of the reasons that the node gives', () => {
	const source = readFileSync(path.join(root, 'nodes/Backup/resources/findSites.ts'), 'utf8');
	const [, list] = /\[([^\]]*)\]\.indexOf\(\$json\.reason/.exec(
		read('00-start-here.json').join('\n'),
	)!;
	const words = [...list!.matchAll(/'(\w+)'/g)].map(([, word]) => word!);
	expect(words).toHaveLength(6);
	for (const word of words) expect(source).toContain(` ${word}'`);
});
