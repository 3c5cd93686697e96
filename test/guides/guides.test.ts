import { Copy, sectionOf } from './copy';

/**
 * The guides of CONTRIBUTING.md, followed step by step in a copy of the tree: what they promise to turn red does, and
 * says what is missing, and at their end all is green.
 */

const MINUTE = 60_000;

jest.setTimeout(15 * MINUTE);

let copy: Copy;
beforeAll(() => {
	copy = new Copy();
});
beforeEach(() => copy.touched.clear());

/** What the guides leave open. */
const names: Record<string, string> = {
	'<resource>': 'tags',
	'<family>': 'fleet',
	'<trigger>': 'autoUpdate',
};

/** Follows a guide, which has to name each command. */
function following(title: string) {
	const text = Object.entries(names).reduce(
		(section, [name, ours]) => section.replaceAll(name, ours),
		sectionOf(title),
	);
	const mentions = (command: string) => expect(text).toContain(`\`${command}\``);
	const run = (command: string, only?: string) => {
		mentions(command);
		return copy.run(only ? `${command} -t "${only}"` : command);
	};
	return {
		mentions,
		/** Whether the command fails and says this. @param only the tests of the files that are run */
		red: (command: string, says: string[], only?: string) => {
			const { isGreen, text: told } = run(command, only);
			expect({ command, isGreen }).toEqual({ command, isGreen: false });
			for (const each of says) expect(told).toContain(each);
		},
		green: (command: string, only?: string) => expectGreen(run(command, only)),
	};
}

/** A usual change takes five files at most; what commands write does not count. */
const expectFewFiles = () => expect([...copy.touched].slice(5)).toEqual([]);

function expectGreen({ isGreen, text }: ReturnType<Copy['run']>): void {
	expect(isGreen ? '' : text).toBe('');
}

const TABLE = 'test/support/operations.ts';
const ROUTES = 'sandbox/service/domain/tags/routes.ts';
const NODE = 'nodes/Tag/resources/tag.ts';
const COVERAGE = 'npx jest test/unit/service/coverage.test.ts test/contract/coverage.test.ts';
const ERRORS = 'npx jest test/unit/service/errorStatuses.test.ts';
const MADE = 'npm run build && npm run docs && npm run published';

it('a rule of the service', () => {
	const { red, green } = following('A rule of the service');
	const tests = 'npx jest test/unit/service/tags.test.ts';
	copy.add(
		'test/unit/service/tags.test.ts',
		"describe('assigning a tag', () => {\n",
		`	it('which is to be kept is not renamed', async () => {
		const { api } = await start();
		const { data } = await api.post('/tags', { tag: { name: 'Keep' } });
		const body = { tag: { name: 'Other' } };
		expectError(await api.post(\`/tags/\${data.tag.id}/update\`, body), 409);
	});

`,
	);
	red(tests, ['which is to be kept is not renamed', 'Expected: 409']);

	copy.write(
		'sandbox/service/domain/tags/rules.ts',
		`import { conflict } from '../../engine/errors';
import type { TagRow } from './rows';

export function requireLoose({ name }: TagRow): void {
	if (name === 'Keep') throw conflict('The tag is to be kept');
}
`,
	);
	copy.add(
		ROUTES,
		"import type { TagRow } from './rows';\n",
		"import { requireLoose } from './rules';\n",
	);
	const change = "tags.update('updateTag', changesOf(tagFields), (tag, changes, { world }) => {\n";
	copy.add(ROUTES, change, '		requireLoose(tag);\n');
	red(tests, ['The service broke its own description', '409']);

	copy.replace(ROUTES, "	tags.update('updateTag'", "	failing([409, 422], tags.update('updateTag'");
	const end = 'Object.assign(tag, changes, { updated_at: world.timestamp() });\n	})';
	copy.add(ROUTES, end, ')');
	green(tests);
	red(ERRORS, ['add a case of updateTag 409']);

	copy.add(
		'test/unit/service/errorRules.ts',
		'export const byRule: ErrorCase[] = [\n',
		`	[
		'updateTag',
		409,
		'one that is to be kept',
		async (fleet) => {
			const { data } = await fleet.send('createTag', { body: { tag: { name: 'Keep' } } });
			return { params: { tag_id: data.tag.id }, body: { tag: { name: 'Other' } } };
		},
	],
`,
	);
	green(ERRORS);
});

it('an operation', () => {
	const { red, green } = following('An operation');
	copy.add(
		TABLE,
		'id | method and path | in the nodes | about | does | undo or final\n',
		'pinTag | POST /tags/{tag_id}/pin | tag/tag/pin | record | organises | undo: only its place changes\n',
	);
	red(COVERAGE, [`${ROUTES}: add pinTag`, `${NODE}: add pinTag`]);

	copy.add(
		ROUTES,
		"	tags.show('showTag'),\n",
		`	tags.action('pinTag', 'pin', (tag, { world }) => {
		tag.updated_at = world.timestamp();
	}),
`,
	);
	green(ERRORS);

	copy.replace(NODE, 'import { get, getMany', 'import { act, get, getMany');
	copy.add(
		NODE,
		"	get('Get tag', withSites('GET /tags/{tagId}')),\n",
		"	act('Pin tag', on('POST /tags/{tagId}/pin', { record: true })),\n",
	);
	green(COVERAGE);
	red('npm run docs -- --check', [
		'is stale: run it (README.md, docs/nodes.md, docs/outputs.md, docs/limits.md)',
	]);
	red('npx jest test/contract/published.test.ts', ['tag/pin is new: run']);
	copy.replace('CHANGELOG.md', '\n- ', '\n- Tags can be pinned.\n- ');
	copy.add(
		'tools/docs/nextNodes.ts',
		'export const nextNodes: Record<string, string> = {\n',
		"	'tag/tag/pin': 'message which tag is at the top',\n",
	);
	expectFewFiles();
	green(MADE);
	green('npx jest test/contract/operations/fleet.test.ts', 'tag/tag/pin|has been saved');
	green('npx jest test/contract/access/effects.test.ts', 'what each operation does');
});

it('a filter', () => {
	const { red, green, mentions } = following('A filter');
	copy.replace(TABLE, 'listTags | name:eq', 'listTags | id:eq name:eq');
	red('npx jest test/unit/service/listParameters.test.ts test/contract/coverage.test.ts', [
		`${ROUTES}: add filters[id:eq]`,
		`${NODE}: add filters[id:eq]`,
	]);

	const filter = (value: string) =>
		`			id: { type: 'string', operators: ['eq'], value: (tag) => ${value} },\n`;
	copy.add(ROUTES, "	tags.list('listTags', {\n		filters: {\n", filter('tag.name'));
	red('npx jest test/unit/service/filters.test.ts', ['filters[id:eq]'], 'GET /tags');
	copy.replace(ROUTES, filter('tag.name'), filter('tag.id'));
	green('npx jest test/unit/service/filters.test.ts', 'GET /tags');

	copy.add(NODE, 'const filters: Filters = {\n', "	...exactly('tags', 'id', '7'),\n");
	expectFewFiles();
	// The next guide makes it for both.
	mentions(MADE);
	green('npx jest test/contract/filters.test.ts');
});

it('an event of a trigger', () => {
	const { red, green } = following('An event of a trigger');
	const histories = 'npx jest test/contract/triggers/exactlyOnce/autoUpdate.test.ts';
	const examples = 'npx jest test/contract/triggers/autoUpdate.test.ts';
	const events = 'nodes/AutoUpdate/AutoUpdateTrigger.node.ts';
	copy.add(
		events,
		'const events = eventsField(\n	{\n',
		"		aborted: ['Aborted', 'The run was aborted'],\n",
	);
	copy.replace(
		events,
		'const events = eventsOfEnd[is] ?? begun;',
		`const events = [
		...(eventsOfEnd[is] ?? begun),
		...(statusWord(status) === 'aborted' ? ['aborted'] : []),
	];`,
	);
	red(histories, ['chosen, and have it happen, in the world'], 'emits every event');
	red(examples, ['autoUpdate.test.ts: add an example of']);

	const world = 'test/contract/triggers/exactlyOnce/autoUpdate.test.ts';
	copy.add(world, 'const EVENTS = [', "'aborted', ");
	copy.add(
		world,
		'		...(end ? [happened(run, end)] : []),\n',
		"		...(status === 'aborted' ? [happened(run, 'aborted')] : []),\n",
	);
	green(histories, 'emits every event|overlapping');
	copy.replace(
		'test/contract/triggers/autoUpdate.test.ts',
		"\neveryEventHasExample('autoUpdateTrigger');",
		`
it('an aborted run is told as such', async () => {
	const { poll } = await trigger(['aborted']);
	await poll();
	const { task_id: id } = run('bad');
	fleet.clock.advance(30_000);
	const task = fleet.world.store.tasks.get(id!)!;
	Object.assign(task, { status: 'aborted', updated_at: fleet.world.timestamp() });
	expect(told(await poll())).toEqual(['aborted bad aborted']);
});

everyEventHasExample('autoUpdateTrigger');`,
	);
	green(examples);
	expectFewFiles();
	green(MADE);
});

it('all that the guides are about is green at the end', () => {
	const unit = ['coverage', 'listParameters', 'filters', 'errorStatuses', 'tags', 'openapi'];
	const files = [
		...unit.map((name) => `test/unit/service/${name}.test.ts`),
		...['unit/docs', 'unit/drift/compare', 'unit/drift/openapi', 'unit/resources'],
		...['coverage', 'filters', 'published'].map((name) => `test/contract/${name}.test.ts`),
		'test/contract/triggers/input.test.ts',
		'test/contract/receive/outputs.test.ts',
	];
	expectGreen(copy.run(`npx jest ${files.join(' ')}`));
	expectGreen(copy.run('npm run docs -- --check'));
});

const NAME = 'n8n-nodes-site-management';

it('an owner of its own', () => {
	const { red, green } = following('Your own package');
	const own =
		'npm run owner -- --name "Example Agency" --email dev@example.com --repository example-agency/fleet';
	const git = 'git -c user.name=A -c user.email=a@example.com';
	expectGreen(copy.run('git init --quiet && git add --all'));
	red(own, ['Some changes are not committed']);
	copy.run(`${git} commit --quiet -m All`);
	green(own);
	const left = copy.run(`git grep -l ${[NAME, NAME].join('/')}`);
	expect(left.text).toBe('');
	expect(copy.run('git diff package.json').text).toContain('"name": "Example Agency"');
	green('npx jest test/unit/docs.test.ts');
	// What the guides before have added is not formatted.
	expectGreen(copy.run('npx prettier --check --ignore-unknown $(git diff --name-only)'));
});
