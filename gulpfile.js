const { readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { dest, src } = require('gulp');

/** Removes the last build, so that the package holds nothing that is gone from the source. */
exports.clean = async () => await rm('dist', { recursive: true, force: true });

/** Copies what tsc leaves behind: icons, and the codex files beside the nodes. */
exports.assets = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json'], { base: '.', encoding: false }).pipe(dest('dist'));

const START = '<!-- operations: made by `npm run docs` -->';
const END = '<!-- end of operations -->';

/** Writes the tables of operations into the README, from the built nodes; with --check it only compares. */
exports.readme = async () => {
	const text = await readFile('README.md', 'utf8');
	const [before, rest] = text.split(START);
	const [, after] = rest.split(END);
	const made = [before, START, '\n\n', operationTables(), '\n\n', END, after].join('');
	if (!process.argv.includes('--check')) return await writeFile('README.md', made);
	if (made !== text) throw new Error('The tables in README.md are stale: run "npm run docs"');
};

/** What an operation does, as the Access of a credential tells it apart. */
const EFFECTS = { reads: 'reads', changes: 'changes', irreversible: '**cannot be undone**' };

function operationTables() {
	const rows = require('./package.json').n8n.nodes.map((file) => {
		const [name] = path.basename(file).split('.');
		const { description } = new (require(`./${file}`)[name])();
		return description;
	});
	const actions = rows
		.filter(({ polling }) => !polling)
		.sort((a, b) => a.displayName.localeCompare(b.displayName))
		.flatMap(resourcesOf);
	const overview = actions.map(
		({ node, resource, operations }) =>
			`| ${node} | ${resource} | ${operations.map(({ name }) => name).join(', ')} |`,
	);
	const { effects } = require('./dist/nodes/effects');
	const details = actions.flatMap(({ node, resource, operations }) =>
		operations.map(({ name, action, routing: { request } }) => {
			const route = `${request.method} ${request.url}`;
			return `| ${node} | ${resource} | ${name} | ${action} | ${EFFECTS[effects.get(route)]} | \`${route}\` |`;
		}),
	);
	return [
		'| Node | Resource | Operations |',
		'|---|---|---|',
		...overview,
		'',
		'| Trigger | Starts on |',
		'|---|---|',
		...rows.filter(({ polling }) => polling).map(triggerRow),
		'',
		`<details><summary>All ${details.length} operations with their requests</summary>`,
		'',
		'| Node | Resource | Operation | What it does | Effect | Request |',
		'|---|---|---|---|---|---|',
		...details,
		'',
		'</details>',
	].join('\n');
}

/** A trigger without a choice of events has only one, which its description tells. */
function triggerRow({ displayName, description, properties }) {
	const events = properties.find(({ name }) => name === 'events');
	const named = events?.options.map(({ name }) => name).join(', ');
	return `| ${displayName} | ${named ?? description} |`;
}

function resourcesOf({ displayName, properties }) {
	const names = properties.find(({ name }) => name === 'resource').options;
	return names.map(({ name: resource, value }) => ({
		node: displayName,
		resource,
		operations: properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions.show.resource.includes(value),
		).options,
	}));
}
