const { readdirSync } = require('node:fs');
const path = require('node:path');

const descriptions = () =>
	require('../../package.json').n8n.nodes.map((file) => {
		const [name] = path.basename(file).split('.');
		return new (require(`../../${file}`)[name])().description;
	});

/** The tables of the resources, with the folders of their nodes: they know what an operation does and what its answer is. */
const tables = () => {
	const nodes = path.resolve('dist/nodes');
	const files = readdirSync(nodes, { recursive: true }).filter((file) =>
		/^[^/\\]+[/\\]resources[/\\]\w+\.js$/.test(file),
	);
	return files.flatMap((file) =>
		Object.values(require(path.join(nodes, file)))
			.filter((exported) => Array.isArray(exported?.operations))
			.map((resource) => ({ folder: path.join(nodes, path.dirname(file), '..'), resource })),
	);
};

/** Whether it is no table of operations, but sends whatever request is asked for. */
const isAny = ({ resource }) => resource.operations.some(({ answer }) => answer.kind === 'any');

const operationsOf = (resources) =>
	new Map(
		resources.flatMap(({ value, operations }) =>
			operations.map((operation) => [`${value}/${operation.labels.value}`, operation]),
		),
	);

const typeScript = async (file) => {
	const { loadTypeScript } = await import('../../sandbox/setup.mjs');
	return await loadTypeScript(path.resolve('gulpfile.js'), file);
};

const named = (properties, name) => properties.filter((property) => property.name === name);

/** A node with its resources and their operations, each with the fields that its panel shows. */
function nodeOf({ name: type, displayName, description, properties }, known) {
	const [{ options: resources }] = named(properties, 'resource');
	return {
		type,
		name: displayName,
		description,
		resources: resources.map(({ name, value }) => ({
			name,
			operations: named(properties, 'operation')
				.find(({ displayOptions }) => displayOptions.show.resource.includes(value))
				.options.map((option) => ({
					name: option.name,
					place: `${value}/${option.value}`,
					title: `${name}: ${option.name}`,
					action: option.action,
					description: option.description,
					route: `${option.routing.request.method} ${option.routing.request.url}`,
					...known.get(`${value}/${option.value}`),
					told: known.get(`${value}/${option.value}`),
					fields: properties.filter(
						({ name: field, displayOptions: { show } = {} }) =>
							!['resource', 'operation'].includes(field) &&
							!show['@tool'] &&
							show.resource.includes(value) &&
							show.operation.includes(option.value),
					),
				})),
		})),
	};
}

/** n8n shows the description of a trigger above its node, too, so it begins with what the node does. */
const startsOn = ({ description }) => description.replace(/^.*, or start/, 'Start');

/** A trigger without a choice of events has only one, which its description tells. */
function eventsOf({ properties }) {
	const [choice] = named(properties, 'events');
	return choice ? choice.options.map(({ name }) => name).join(', ') : 'every entry of the log';
}

module.exports = {
	descriptions,
	eventsOf,
	isAny,
	named,
	nodeOf,
	operationsOf,
	startsOn,
	tables,
	typeScript,
};
