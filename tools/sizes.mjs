#!/usr/bin/env node
// `npm run sizes`: how large each node is, for the editor and for an AI that builds workflows; exits with 1 when one
// is over the bounds of bounds.json. The editor loads a whole description, as JSON. The AI asks n8n for one operation,
// and n8n's own catalog answers here; of a node that n8n does not bring itself it gives all operations at once.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuild, ensureDependencies, isN8nInstalled, main } from '../sandbox/setup.mjs';

const require = createRequire(import.meta.url);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const n8n = path.join(root, 'sandbox/n8n');
const bounds = JSON.parse(readFileSync(new URL('bounds.json', import.meta.url), 'utf8'));

/** Characters that are about one token. */
const CHARACTERS = 4;

/** The built nodes, as the package brings them. */
function builtNodes() {
	const { n8n: about, name } = require('../package.json');
	return about.nodes.map((file) => {
		const [className] = path.basename(file).split('.');
		const node = new (require(path.join(root, file))[className])();
		return { node, id: `${name}.${node.description.name}` };
	});
}

/** The operations of a node as an AI asks for them; a trigger is asked for as a whole. */
function operationsOf({ properties }) {
	const found = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			options.map(({ value }) => ({
				resource: displayOptions.show.resource[0],
				operation: value,
			})),
		);
	return found.length > 0 ? found : [{}];
}

/** n8n's catalog of nodes, which knows these. */
async function catalogOf(descriptions) {
	const from = createRequire(path.join(n8n, 'node_modules/n8n/package.json'));
	from('reflect-metadata');
	const { NodeCatalogService } = from('./dist/node-catalog/node-catalog.service.js');
	const loader = {
		addPostProcessor: () => {},
		postProcessLoaders: () => {},
		collectTypes: () => ({ nodes: descriptions }),
	};
	const catalog = new NodeCatalogService(loader, { debug: () => {}, warn: console.error });
	await catalog.initialize();
	return catalog;
}

async function tokensOf(catalog, request) {
	const { content, error } = await catalog.getNodeTypeDefinition(request);
	if (error) throw new Error(error);
	return Math.ceil(content.length / CHARACTERS);
}

/** The tokens of each operation, by node. */
async function tokensByNode(nodes) {
	const { DirectoryLoader } = createRequire(path.join(n8n, 'node_modules/n8n/package.json'))(
		'n8n-core',
	);
	const described = nodes.map(({ node, id }) => {
		// Adds the Request Options, as on loading.
		DirectoryLoader.applyDeclarativeNodeOptionParameters(node);
		return { ...node.description, name: id };
	});
	const catalog = await catalogOf(described);
	return await Promise.all(
		described.map(async (description) => {
			const { name: nodeId } = description;
			return await Promise.all(
				operationsOf(description).map(async (asked) => ({
					name: [nodeId.split('.')[1], ...Object.values(asked)].join('/'),
					tokens: await tokensOf(catalog, { nodeId, ...asked }),
				})),
			);
		}),
	);
}

function table(rows) {
	const cells = rows.map((row) => row.map((cell) => cell.toLocaleString('en')));
	const widths = cells[0].map((_, at) => Math.max(...cells.map((row) => row[at].length)));
	const padded = cells.map((row) =>
		row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))),
	);
	return padded.map((row) => row.join('  ')).join('\n');
}

await main(async () => {
	await ensureDependencies();
	await ensureBuild();
	const nodes = builtNodes();
	const sizes = nodes.map(({ node: { description } }) => ({
		name: description.name,
		parameters: description.properties.length,
		kilobytes: JSON.stringify(description).length / 1000,
	}));
	const isInstalled = isN8nInstalled(n8n);
	const operations = isInstalled ? await tokensByNode(nodes) : nodes.map(() => []);

	const nodeRows = sizes.map(({ name, parameters, kilobytes }, at) => {
		const most = Math.max(...operations[at].map(({ tokens }) => tokens));
		return [name, parameters, kilobytes.toFixed(1), isInstalled ? most : '?'];
	});
	console.log(table([['Node', 'Parameters', 'kB', 'Tokens'], ...nodeRows]));
	const operationRows = operations.flat().map(({ name, tokens }) => [name, tokens]);
	if (isInstalled) console.log(`\n${table([['Operation', 'Tokens'], ...operationRows])}`);

	const over = [
		...sizes.flatMap((size) =>
			['parameters', 'kilobytes']
				.filter((what) => size[what] > bounds[what])
				.map((what) => `${size.name}: ${size[what]} ${what}, at most ${bounds[what]}`),
		),
		...operations
			.flat()
			.filter(({ tokens }) => tokens > bounds.tokens)
			.map(({ name, tokens }) => `${name}: ${tokens} tokens, at most ${bounds.tokens}`),
	];
	for (const line of over) console.error(line);
	if (!isInstalled) {
		console.error('The tokens were not counted, because n8n is not installed: npm run setup');
	}
	process.exit(over.length > 0 || !isInstalled ? 1 : 0);
});
