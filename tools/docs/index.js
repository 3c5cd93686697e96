const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const built = require('./built');
const { kinds, sites } = require('./limits');
const { anchor, markdown, sentence, table } = require('./markdown');
const { reference } = require('./nodes');

const { eventsOf, isAny, named, startsOn, typeScript } = built;

/** What `npm run docs` writes into the pages: from the built nodes and their tables, and the notes of the examples. */
async function parts() {
	const all = built.descriptions().sort((a, b) => a.displayName.localeCompare(b.displayName));
	const tables = built.tables();
	const known = built.operationsOf(tables.map(({ resource }) => resource));
	const resources = tables.filter((each) => !isAny(each)).map(({ resource }) => resource);
	const nodes = all
		.filter(({ polling }) => !polling)
		.map((description) => built.nodeOf(description, known));
	const triggers = all.filter(({ polling }) => polling);
	return [
		{ file: 'README.md', name: 'counts', text: counts(resources, nodes, triggers) },
		{ file: 'README.md', name: 'versions', text: await versions() },
		{ file: 'README.md', name: 'nodes', text: overview(nodes, triggers) },
		{ file: 'docs/nodes.md', name: 'operations', text: reference(nodes, triggers) },
		{ file: 'docs/outputs.md', name: 'outputs', text: await outputs(nodes) },
		{ file: 'docs/triggers.md', name: 'events', text: events(triggers) },
		{ file: 'docs/recipes.md', name: 'examples', text: recipes(nodes, triggers) },
		{ file: 'docs/limits.md', name: 'kinds', text: kinds(resources) },
		{ file: 'docs/limits.md', name: 'sites', text: sites(resources) },
		{ file: 'docs/agents.md', name: 'sizes', text: await sizes(resources) },
	];
}

/** Operations of ours, such as Wait, are on a route that one of the API has. */
function counts(resources, nodes, triggers) {
	const routes = resources.flatMap(({ operations }) => operations.map(({ route }) => route));
	return `All ${new Set(routes).size} operations of the API on ${nodes.length - 1} nodes, one for any other request, and ${triggers.length} triggers.`;
}

/** What the package is tested with, as the tests pin it. */
async function versions() {
	const { OLDER, PINNED } = await typeScript('./test/support/versions.ts');
	const { devDependencies: pinned } = require('../../package.json');
	return table(
		['Tested with', 'By'],
		[
			[
				`n8n ${PINNED.version}, self-hosted`,
				'the end-to-end tests: the packed package, installed by command line',
			],
			[
				`n8n ${PINNED.version} in queue mode with PostgreSQL and Redis`,
				'the queue tests: a main process and two workers',
			],
			...[...OLDER]
				.reverse()
				.map(({ version }) => [
					`n8n ${version}, self-hosted`,
					'the compatibility tests: the credential test, example 01, a trigger, a file, tools of an AI agent and of the MCP server',
				]),
			[
				`n8n-core ${pinned['n8n-core']}, n8n-workflow ${pinned['n8n-workflow']}`,
				"the contract tests: every operation through n8n's own engine",
			],
		],
	);
}

/** How long records are as Raw and as Simplified, read from the sandbox's service. */
async function sizes(resources) {
	const { recordSizes } = await typeScript('./tools/docs/sizes.ts');
	const number = (value) => value.toLocaleString('en-US');
	return table(
		['Operation', 'Raw', 'Longest', 'Simplified'],
		(await recordSizes(resources)).map(({ operation, raw, longest, simplified }) => [
			operation,
			number(raw),
			number(longest),
			number(simplified),
		]),
	);
}

function overview(nodes, triggers) {
	return table(
		['Node', 'Works on'],
		[
			...nodes.map(({ name, resources }) => [
				`[${name}](docs/nodes.md#${anchor(name)})`,
				resources.map((resource) => resource.name).join(', '),
			]),
			...triggers.map((trigger) => [
				`[${trigger.displayName}](docs/triggers.md#${anchor(trigger.displayName)})`,
				`starts on: ${eventsOf(trigger)}`,
			]),
		],
	);
}

/** A table for each resource: what comes out of its operations by default, and what the next node does with it. */
async function outputs(nodes) {
	const { outputSchema } = await typeScript('./tools/build/outputSchemas.ts');
	const { nextNodes } = await typeScript('./tools/docs/nextNodes.ts');
	const fieldsOf = ({ properties }) =>
		Object.keys(properties)
			.map((field) => `\`${field}\``)
			.join(', ');
	return nodes
		.flatMap(({ type, resources }) =>
			resources.map(({ name, operations }) => ({
				name,
				known: operations.filter(({ answer }) => answer.kind !== 'any'),
				type,
			})),
		)
		.filter(({ known }) => known.length > 0)
		.flatMap(({ type, name, known }) => [
			`## ${name}`,
			table(
				['Operation', 'Output', 'What the next node does'],
				known.map((operation) => [
					`[${operation.name}](nodes.md#${anchor(operation.title)})`,
					fieldsOf(outputSchema(operation.told)),
					nextNodes[`${type}/${operation.place}`] ?? '',
				]),
			),
		])
		.join('\n\n');
}

function events(triggers) {
	return triggers
		.flatMap(({ displayName, description, properties }) => {
			const [choice] = named(properties, 'events');
			return [
				`### ${displayName}`,
				`${sentence(startsOn({ description }))} Its parameters: [Nodes](nodes.md#${anchor(displayName)}).`,
				choice
					? table(
							['Event', '`event` in the item', 'What it means'],
							choice.options.map((option) => [
								option.name,
								`\`${option.value}\``,
								markdown(sentence(option.description)),
							]),
						)
					: `Every entry of the log that the filters let through is an event; \`event_type\` in the item says which, such as \`updated\`.`,
			];
		})
		.join('\n\n');
}

const EXAMPLES = 'sandbox/workflows';

/** A section for each example: its picture, its notes, and which operations it uses. */
function recipes(nodes, triggers) {
	return readdirSync(EXAMPLES)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.flatMap((file) => {
			const workflow = JSON.parse(readFileSync(path.join(EXAMPLES, file), 'utf8'));
			const picture = file.replace(/json$/, 'png');
			// The headings of the areas are of use on the canvas only.
			const notes = workflow.nodes.filter(
				({ type, name }) => type === 'n8n-nodes-base.stickyNote' && !name.startsWith('Area '),
			);
			const uses = usedIn(workflow, nodes, triggers);
			return [
				`## ${workflow.name}`,
				`![The workflow ${workflow.name} in the editor](pictures/${picture})`,
				...notes.map(({ parameters: { content } }) => noteText(content, workflow.name)),
				`${uses.length ? `**Uses:** ${uses.join(', ')}. ` : ''}**File:** [${file}](../${EXAMPLES}/${file}).`,
			];
		})
		.join('\n\n');
}

/** A note as a part of the section of its example, whose name need not be said again. */
function noteText(content, name) {
	const [heading, ...lines] = content.trim().split('\n');
	const title = heading.replace(/^#+ /, '');
	const text = lines.join('\n').trim();
	return name.endsWith(title) ? text : `**${title}**\n\n${text}`;
}

const PACKAGE = 'n8n-nodes-site-management.';

/** Links to the operations and triggers of this package that an example uses. */
function usedIn(workflow, nodes, triggers) {
	const links = workflow.nodes
		.filter(({ type }) => type.startsWith(PACKAGE))
		.map(({ type, parameters }) => {
			const name = type.slice(PACKAGE.length);
			const trigger = triggers.find((each) => each.name === name);
			if (trigger) return `[${trigger.displayName}](triggers.md#${anchor(trigger.displayName)})`;
			const node = nodes.find((each) => each.type === name.replace(/Tool$/, ''));
			const place = `${parameters.resource}/${parameters.operation}`;
			const { title } = node.resources
				.flatMap(({ operations }) => operations)
				.find((operation) => operation.place === place);
			return `[${title}](nodes.md#${anchor(title)})`;
		});
	return [...new Set(links)].sort();
}

module.exports = { isAny, parts, tables: built.tables, typeScript };
