const { named } = require('./built');
const { markdown, table, textOf } = require('./markdown');

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
	if (type === 'resourceMapper') return 'a field for each';
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
	if (isGroup({ type }) || /^resource/.test(type)) return '';
	const nameOf = (value) => options.find((option) => option.value === value)?.name ?? String(value);
	const values = [given]
		.flat()
		.filter((value) => value !== '' && value !== undefined && value !== false);
	if (values.length === 0) return '';
	return `default ${values.map((value) => `\`${nameOf(value)}\``).join(' ')}`;
}

/** The choice in another parameter that a parameter is shown with. */
function conditionOf({ displayOptions: { show = {} } = {} }, siblings) {
	// A pattern says nothing to a reader; the hint does.
	const isSaid = ([name, values]) =>
		!['resource', 'operation'].includes(name) && !values.some((value) => value?._cnd);
	const others = Object.entries(show).filter(isSaid);
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

module.exports = { factsOf, inside, KINDS, PARAMETERS, parametersOf, sentencesOf, sharedOf };
