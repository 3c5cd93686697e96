const { eventsOf, named, startsOn } = require('./built');
const { effectsOf } = require('./limits');
const { anchor, sentence, table, textOf } = require('./markdown');
const { factsOf, inside, KINDS, PARAMETERS, parametersOf, sharedOf } = require('./parameters');

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
	const { title, description, effects, adds, isFinal, answer, fields, composed } = operation;
	const facts = [
		...(effects.includes('reads') ? [] : [['Effect', effectsOf({ effects, adds, isFinal })]]),
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
			`${list.title} has other filters than its Count: show them in tools/docs/nodes.js`,
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
		case 'steps':
			return `${main}, and what is needed before and after it`;
		default:
			return composed.costs === 'no request' ? 'none' : `${main}; ${composed.costs}`;
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
				`Say in tools/docs/nodes.js what the output of an answer of the kind ${kind} is`,
			);
	}
}

module.exports = { reference };
