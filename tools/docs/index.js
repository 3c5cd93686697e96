const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** What `npm run docs` writes into the pages: from the built nodes and their tables, and the notes of the examples. */
exports.parts = async () => {
	const all = descriptions();
	const tables = exports.tables();
	const known = operationsOf(tables.map(({ resource }) => resource));
	const resources = tables.filter((each) => !isAny(each)).map(({ resource }) => resource);
	const nodes = all
		.filter(({ polling }) => !polling)
		.sort((a, b) => a.displayName.localeCompare(b.displayName))
		.map((description) => nodeOf(description, known));
	const triggers = all
		.filter(({ polling }) => polling)
		.sort((a, b) => a.displayName.localeCompare(b.displayName));
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
};

/** Operations of ours, such as Wait, are on a route that one of the API has. */
function counts(resources, nodes, triggers) {
	const routes = resources.flatMap(({ operations }) => operations.map(({ route }) => route));
	return `All ${new Set(routes).size} operations of the API on ${nodes.length - 1} nodes, one for any other request, and ${triggers.length} triggers.`;
}

const descriptions = () =>
	require('../../package.json').n8n.nodes.map((file) => {
		const [name] = path.basename(file).split('.');
		return new (require(`../../${file}`)[name])().description;
	});

/** The tables of the resources, with the folders of their nodes: they know what an operation does and what its answer is. */
exports.tables = () => {
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
exports.isAny = isAny;

const operationsOf = (resources) =>
	new Map(
		resources.flatMap(({ value, operations }) =>
			operations.map((operation) => [`${value}/${operation.labels.value}`, operation]),
		),
	);

exports.typeScript = async (file) => {
	const { loadTypeScript } = await import('../../sandbox/setup.mjs');
	return await loadTypeScript(path.resolve('gulpfile.js'), file);
};

/** What the package is tested with, as the tests pin it. */
async function versions() {
	const { OLDER, PINNED } = await exports.typeScript('./test/support/versions.ts');
	const { devDependencies: pinned } = require('../../package.json');
	return table(
		['Tested with', 'By'],
		[
			[
				`n8n ${PINNED.version}, self-hosted`,
				'the end-to-end tests: the packed package, installed by command line',
			],
			[
				`n8n ${PINNED.version} in queue mode with PostgreSQL 15 and Redis 7`,
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
	const { recordSizes } = await exports.typeScript('./tools/docs/sizes.ts');
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

/** The anchor that GitHub gives a heading. */
const anchor = (heading) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

const table = (head, rows) =>
	[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

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

/** n8n shows the description of a trigger above its node, too, so it begins with what the node does. */
const startsOn = ({ description }) => description.replace(/^.*, or start/, 'Start');

/** A trigger without a choice of events has only one, which its description tells. */
function eventsOf({ properties }) {
	const [choice] = named(properties, 'events');
	return choice ? choice.options.map(({ name }) => name).join(', ') : 'every entry of the log';
}

/** What an operation does, as the Access of a credential tells it apart. */
const effectsOf = ({ effects, isFinal }) =>
	effects.length === 0
		? 'that of the request'
		: `${effects.map((effect) => effectTexts()[effect].name).join(', ')}${isFinal ? '; **cannot be undone**' : ''}`;

const effectTexts = () => require('../../dist/nodes/shared/access/effects').effectTexts;

/** Which operations do what, by the choices of Allowed in a credential. */
function kinds(resources) {
	const all = resources.flatMap(({ name, operations }) =>
		operations.map(({ labels, effects }) => ({ name: `${name}: ${labels.name}`, effects })),
	);
	return table(
		['Allowed', 'What it is', 'Operations'],
		Object.entries(effectTexts()).map(([effect, { name, description }]) => {
			const those = all.filter(({ effects }) => effects.includes(effect)).map((each) => each.name);
			return [
				name,
				description,
				effect === 'reads' ? `${those.length}, all that only read` : those.sort().join(', '),
			];
		}),
	);
}

/** What a credential with Only Sites does with an operation; the first rule that fits an operation counts. */
const SITE_RULES = [
	{
		of: ({ touches }) => touches.isAccountWide,
		rule: 'Account-wide',
		allowed: 'no',
	},
	{
		of: ({ touches }) => touches.destination,
		rule: 'The site of its path, and the site that is overwritten',
		allowed: 'if both are allowed',
	},
	{
		of: ({ touches }) => touches === 'noSite',
		rule: 'Reads what belongs to no site',
		allowed: 'yes',
	},
	{
		of: ({ touches }) => touches === 'listed',
		rule: 'Reads records of sites',
		allowed: 'yes, without those of other sites',
	},
	{
		of: ({ touches, route }) => touches.record && route.startsWith('GET '),
		rule: 'Reads more of a record: the sites that it has',
		allowed: 'if all are allowed, or it has none',
	},
	{
		of: ({ touches }) => touches.record || touches.records,
		rule: 'Changes a record: the sites that it has, and those that the change names',
		allowed: 'if all are allowed, and there is at least one',
	},
	{
		of: ({ touches }) => touches.mayNameNone,
		rule: 'Creates a record: the sites that it names',
		allowed: 'if all are allowed, or it names none',
	},
	{
		of: ({ touches }) => touches.sites,
		rule: 'The sites that the request names',
		allowed: 'if all are allowed, and there is at least one',
	},
	{
		of: ({ route }) => /^\w+ \/sites\/\{/.test(route),
		rule: 'The site of its path',
		allowed: 'if it is allowed',
	},
];

/** Which operations a credential allows with Only Sites, by rule. */
function sites(resources) {
	const all = resources.flatMap(({ name, operations }) =>
		operations.map((operation) => ({
			name,
			label: operation.labels.name,
			rule: SITE_RULES.find(({ of }) => of(operation)),
		})),
	);
	const unruled = all.find(({ rule }) => !rule);
	if (unruled) {
		throw new Error(`Say in SITE_RULES which sites ${unruled.name}: ${unruled.label} is about`);
	}
	return table(
		['Which sites count', 'Allowed', 'Operations'],
		SITE_RULES.map((each) => [
			each.rule,
			each.allowed,
			resources
				.flatMap(({ name }) => {
					const own = all.filter((one) => one.name === name);
					const those = own.filter(({ rule }) => rule === each).map(({ label }) => label);
					if (those.length === 0) return [];
					return `**${name}**: ${those.length === own.length ? 'all' : those.join(', ')}`;
				})
				.sort()
				.join('; '),
		]),
	);
}

function reference(nodes, triggers) {
	const resources = nodes.flatMap((node) => node.resources);
	const shared = sharedOf(
		resources.flatMap(({ operations }) => operations.map(({ fields }) => fields)),
		resources.map(({ name }) => name),
	);
	return [
		'## Overview',
		'Operations in bold cannot be undone.',
		table(
			['Node', 'Resource', 'Operations'],
			nodes.flatMap(({ name, resources: own }) =>
				own.map((resource) => [
					`[${name}](#${anchor(name)})`,
					`[${resource.name}](#${anchor(resource.name)})`,
					resource.operations.map(linkOf).join(', '),
				]),
			),
		),
		table(
			['Trigger', 'Starts on'],
			triggers.map((trigger) => [
				`[${trigger.displayName}](#${anchor(trigger.displayName)})`,
				eventsOf(trigger),
			]),
		),
		'## Shared parameters',
		'These parameters mean the same everywhere. The operations only name them, after *Also*.',
		table(
			PARAMETERS,
			[...shared.parameters.values()].map(({ field, types }) => [
				field.displayName,
				// Choices that differ are shown with each operation.
				types.size > 1 ? (KINDS[field.type] ?? field.type) : factsOf(field),
				shared.plain(textOf(field)),
			]),
		),
		'These sentences apply to the parameters that they name. The operations leave them out.',
		table(
			['Parameters', 'What applies to them'],
			[...shared.sentences.values()].map(({ names, text }) => [[...names].sort().join(', '), text]),
		),
		...nodes.flatMap(({ name, description, resources: own }) => [
			`## ${name}`,
			sentence(description),
			...own.flatMap((resource) => [
				`### ${resource.name}`,
				...resource.operations.flatMap((operation) =>
					operationSection(operation, resource, shared),
				),
			]),
		]),
		...triggers.flatMap((trigger) => [
			`## ${trigger.displayName}`,
			`${sentence(startsOn(trigger))} For its events, see [Triggers](triggers.md#${anchor(trigger.displayName)}).`,
			...parametersOf(trigger.properties, shared),
		]),
	].join('\n\n');
}

const linkOf = ({ name, title, isFinal }) => {
	const link = `[${name}](#${anchor(title)})`;
	return isFinal ? `**${link}**` : link;
};

/** `ANY /` is whatever the user sets. */
const requestOf = (route) => (route.startsWith('ANY ') ? 'any' : `\`${route}\``);

function operationSection(operation, resource, shared) {
	const { title, description, effects, isFinal, answer, fields, composed } = operation;
	const facts = [
		...(effects.includes('reads') ? [] : [['Effect', effectsOf({ effects, isFinal })]]),
		['Request', requestsOf(operation)],
		['Output', `${outputOf(answer)}${besideText(operation)}`],
	];
	return [
		`#### ${title}`,
		sentence(description),
		facts.map(([name, text]) => `**${name}:** ${text}`).join(' · '),
		...(composed?.kind === 'count'
			? [countedBy(fields, resource)]
			: parametersOf(fields, shared, description)),
	];
}

/** A count has the filters of its list, which need not be shown twice. */
function countedBy(fields, { operations }) {
	const list = operations.find(({ place }) => place.endsWith('/getAll'));
	const filtersOf = (all) =>
		named(all, 'filters')
			.flatMap(inside)
			.map(({ name }) => name)
			.join();
	if (filtersOf(fields) !== filtersOf(list.fields)) {
		throw new Error(
			`${list.title} has other filters than its Count: show them in tools/docs/index.js`,
		);
	}
	return `Filters and parent records are those of [${list.name}](#${anchor(list.title)}).`;
}

/** The requests of an operation that takes several, by what they do; `composed` says how it works. */
function requestsOf({ route, composed }) {
	const main = requestOf(route);
	switch (composed?.kind) {
		case undefined:
			return main;
		case 'count':
			return `${main} with one record per page`;
		case 'list':
			return `${main}, and the record is read before and after; only one read if nothing changes`;
		case 'upsert':
			return `the list by its filter, then ${main} or ${requestOf(composed.update.route)}`;
		default:
			return `${main}; ${composed.costs}`;
	}
}

/** What an operation of several requests gives beside its record. */
function besideText(operation) {
	const names = Object.keys(operation.beside ?? {}).map((name) => `\`${name}\``);
	return names.length > 0 ? `, with ${names.join(', ')}` : '';
}

/** The output, as the table of the operation promises it. */
function outputOf(answer) {
	const { kind, wrapper = '', needs = 'id', renamed = {}, file } = answer;
	switch (kind) {
		case 'list':
		case 'records':
			return `one item for each of \`${wrapper}\``;
		case 'record':
			return wrapper
				? `the \`${wrapper}\`${needs === 'id' ? '' : `, with \`${needs}\``}`
				: `\`${renamed[needs] ?? needs}\``;
		case 'bulk':
			return 'one item for each ID, with what was done, `success`, and `code` and `message` after a failure';
		case 'task':
			return 'the task; with *Wait for Completion*, the task when it ended';
		case 'wait':
			return 'the task when it ended, with its steps';
		case 'sync':
			return '`snapshot_id` and `in_progress`; with *Wait for Completion*, the snapshot';
		case 'file':
			return `a file${file.mediaType ? ` (\`${file.mediaType}\`)` : ''} in a binary field`;
		case 'nothing':
			return '`{ "deleted": true, "id": … }`';
		case 'made':
			return Object.keys(answer.fields)
				.map((field) => `\`${field}\``)
				.join(', ');
		case 'any':
			return 'the response, its records, or a file; `{ "status": 204 }` for an empty response, `{ "answer": … }` for a list or another value that is not an object';
		default:
			throw new Error(
				`Say in tools/docs/index.js what the output of an answer of the kind ${kind} is`,
			);
	}
}

/** A table for each resource: what comes out of its operations by default, and what the next node does with it. */
async function outputs(nodes) {
	const { outputSchema } = await exports.typeScript('./tools/build/outputSchemas.ts');
	const { nextNodes } = await exports.typeScript('./tools/docs/nextNodes.ts');
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

/** A parameter or a sentence that occurs this often is explained only once. */
const COMMON = 10;

const sentencesOf = (field) => textOf(field).split(/(?<=[.!?]) (?=[\p{Lu}[])/u);

/** Each parameter, also those in collections; a sort is shown by its choices. */
const withInner = (field) =>
	isGroup(field) && !isSort(field) ? [field, ...inside(field).flatMap(withInner)] : [field];

/** What many operations have: parameters whose texts are the same, and sentences of parameters with other texts, too. */
function sharedOf(operations, records) {
	// "The URL that the site must have" is the same sentence for a tag.
	const nouns = new RegExp(`\\bthe (${records.join('|')}|destination)\\b`, 'gi');
	const plain = (text) => text.replace(nouns, 'the record');
	const fields = operations
		.flatMap((each) => each.flatMap(withInner))
		.filter(({ type }) => type !== 'notice');
	const sentences = new Map();
	const parameters = new Map();
	const keyOf = (field) => [field.type, field.displayName, plain(textOf(field))].join('\n');
	for (const field of fields) {
		for (const text of sentencesOf(field).filter(Boolean)) {
			const known = sentences.get(plain(text)) ?? { text: plain(text), names: new Set(), times: 0 };
			known.names.add(field.displayName);
			known.times += 1;
			sentences.set(plain(text), known);
		}
		const known = parameters.get(keyOf(field)) ?? { field, types: new Set(), times: 0 };
		known.types.add(factsOf(field));
		known.times += 1;
		parameters.set(keyOf(field), known);
	}
	const often = ({ times }) => times >= COMMON;
	const shared = new Map(
		[...parameters]
			.filter(([, parameter]) => often(parameter) && !isContainer(parameter.field))
			.sort(([, a], [, b]) => a.field.displayName.localeCompare(b.field.displayName)),
	);
	const names = new Set([...shared.values()].map(({ field }) => field.displayName));
	const rest = [...sentences].filter(
		([, each]) => often(each) && [...each.names].some((name) => !names.has(name)),
	);
	return { plain, keyOf, parameters: shared, sentences: new Map(rest) };
}

const isGroup = ({ type }) => type === 'collection' || type === 'fixedCollection';

/** The parameters in a collection; a group of a fixed collection counts as what it holds. */
const inside = ({ options = [] }) =>
	options.flatMap((option) => option.values ?? (option.type ? [option] : []));

const PARAMETERS = ['Parameter', 'Type', 'What it does'];

/**
 * The notices and parameters of an operation: a table of its own ones, one of each collection, and the names of others.
 * @param said what is said already is not said again
 */
function parametersOf(fields, shared, said = '') {
	const notices = fields
		.filter(({ type }) => type === 'notice')
		.map(({ displayName }) => beyond(markdown(displayName), said))
		.filter(Boolean);
	const others = [];
	const tables = tablesOf(PARAMETERS[0], fields, shared, others);
	return [...notices, ...tables, ...(others.length > 0 ? [`*Also:* ${others.join(', ')}.`] : [])];
}

function tablesOf(heading, fields, shared, others) {
	const rows = [];
	const below = [];
	const add = (field, siblings, name) => {
		const inner = isGroup(field) ? inside(field) : [];
		if (shared.parameters.has(shared.keyOf(field))) others.push(shortOf(field, shared));
		else if (!isContainer(field)) rows.push(rowOf(field, siblings, name, shared));
		if (field.type === 'collection') below.push(...tablesOf(name, inner, shared, others));
		else if (!isSort(field))
			inner.forEach((each) => add(each, inner, `${name}: ${each.displayName}`));
	};
	for (const field of fields.filter(({ type }) => type !== 'notice')) {
		add(field, fields, field.displayName);
	}
	return rows.length > 0 ? [table([heading, ...PARAMETERS.slice(1)], rows), ...below] : below;
}

/** A collection that only holds others. */
const isContainer = (field) => field.type === 'collection' && textOf(field) === '';

const isSort = ({ name }) => name === 'sort';

/** The name of a shared parameter, with its choices where they are others than elsewhere. */
function shortOf(field, shared) {
	const { types } = shared.parameters.get(shared.keyOf(field));
	const [{ options = [] } = {}] = isSort(field) ? inside(field) : [field];
	const isOther = (types.size > 1 || isSort(field)) && field.type !== 'multiOptions';
	const names = options.map(({ name }) => name).filter(Boolean);
	return isOther && names.length > 0 && names.length <= FEW
		? `${field.displayName} (${names.join(', ')})`
		: field.displayName;
}

function rowOf(field, siblings, name, shared) {
	const text = sentencesOf(field)
		.filter((each) => !shared.sentences.has(shared.plain(each)))
		.join(' ');
	const facts = [factsOf(field), conditionOf(field, siblings)].filter(Boolean).join(', ');
	return [name, facts, text].map((cell) => cell.replaceAll('|', '\\|'));
}

const factsOf = (field) => {
	const fallback = defaultOf(field);
	return [
		typeOf(field),
		field.required && !fallback && field.type !== 'boolean' && 'required',
		fallback,
	]
		.filter(Boolean)
		.join(', ');
};

/** A notice without its first sentence, where that is the consequence in the description. */
function beyond(notice, said) {
	const [first, ...rest] = notice.split(/(?<=\.) /);
	const isSaid = said.toLowerCase().endsWith(first.toLowerCase().replace(/\.$/, ''));
	return isSaid ? rest.join(' ') : notice;
}

/** What a parameter is, where its choices differ. */
const KINDS = {
	options: 'one of several',
	multiOptions: 'any of several',
	resourceLocator: 'record',
};

/** A few choices are named; of many, their number is. */
const FEW = 8;

function typeOf({ type, options = [], modes = [], typeOptions }) {
	if (type === 'resourceLocator') {
		return `record: ${modes.map(({ displayName }) => displayName).join(', ')}`;
	}
	if (type !== 'options' && type !== 'multiOptions') {
		return typeOptions?.multipleValues ? `${type}, several` : type;
	}
	const many = type === 'multiOptions' ? 'any of' : 'one of';
	if (options.length === 0) return `${many} a list`;
	return options.length > FEW
		? `${many} ${options.length}`
		: `${many}: ${options.map(({ name }) => name).join(', ')}`;
}

function defaultOf({ type, default: given, options = [] }) {
	if (isGroup({ type }) || type === 'resourceLocator') return '';
	const nameOf = (value) => options.find((option) => option.value === value)?.name ?? String(value);
	const values = [given]
		.flat()
		.filter((value) => value !== '' && value !== undefined && value !== false);
	if (values.length === 0) return '';
	return `default ${values.map((value) => `\`${nameOf(value)}\``).join(' ')}`;
}

/** The choice in another parameter that a parameter is shown with. */
function conditionOf({ displayOptions: { show = {} } = {} }, siblings) {
	const others = Object.entries(show).filter(([name]) => !['resource', 'operation'].includes(name));
	return others.map(([name, values]) => conditionText(name, values, siblings)).join(', ');
}

function conditionText(name, values, siblings) {
	const [other] = named(siblings, name);
	const options = other?.options ?? [];
	const nameOf = (value) => {
		if (typeof value === 'boolean') return value ? 'on' : 'off';
		return options.find((option) => option.value === value)?.name ?? value;
	};
	return `with *${other?.displayName ?? name}* ${values.map(nameOf).join(' or ')}`;
}

const textOf = ({ description, hint }) =>
	[description, hint].filter(Boolean).map(markdown).map(sentence).join(' ');

/** Texts of the panel have links in HTML. */
const markdown = (text) =>
	text.replace(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '[$2]($1)').replaceAll('<', '&lt;');

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

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
