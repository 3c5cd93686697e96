import type { INodeProperties, INodeTypeDescription, NodeHint } from 'n8n-workflow';
import { effectTexts } from '../access/effects';
import { type Field, optionsOf } from '../input/field';
import { type LocatorName, locators, recordLabel } from '../input/locators';
import type { Operation, Resource } from '../operation';
import { beginsWith, describedWithCosts, idsOf, onlyReads } from '../operation';
import { text } from '../input/kinds';
import fieldsByOperation from './returned.json';

/** The repository of this package. `npm run owner` sets it here and in the JSON files that n8n reads. */
const REPOSITORY = 'https://github.com/n8n-nodes-site-management/n8n-nodes-site-management';

/** The address of a page. @param page below `docs`, with its anchor */
export const documentation = (page: string) => `${REPOSITORY}/blob/main/docs/${page}`;

/** The icon of a node, for both themes of the editor. @param name of its files, which `npm run icons` makes */
export const iconOf = (name: string): INodeTypeDescription['icon'] => ({
	light: `file:../../icons/${name}.svg`,
	dark: `file:../../icons/${name}.dark.svg`,
});

/** One flat object: n8n ends an expression at the first `}}`. */
const wordsOf = (words: string[][]) =>
	`(${JSON.stringify(Object.fromEntries(words)).replaceAll('}}', '} }')})`;

/** An expression, without its braces, that picks the text of the chosen operation, such as of `tag create`. */
export const ofOperation = (words: string[][]) =>
	`${wordsOf(words)}[$parameter["resource"] + " " + $parameter["operation"]]`;

function byOperation(resources: Resource[], textOf: (one: Operation, of: Resource) => string) {
	const wordsIn = (of: Resource) =>
		of.operations.map((one) => [`${of.value} ${one.labels.value}`, textOf(one, of)]);
	return ofOperation(resources.flatMap(wordsIn));
}

/** The canvas of n8n cuts longer ones. */
const SUBTITLE_LENGTH = 30;

/** The text below the name of a node: `Restore · Backup`, or the operation alone if that is too long. */
export const subtitle = (...resources: Resource[]): string =>
	`={{ ${byOperation(resources, ({ labels }, resource) => {
		const full = `${labels.name} · ${resource.name}`;
		return full.length > SUBTITLE_LENGTH ? labels.name : full;
	})} }}`;

/** The text below the name of a trigger: `Backup Failed, Backup Overdue`. */
export function eventNames(events: Field): string {
	const words = optionsOf(events).map(({ name, value }) => [String(value), name]);
	return `={{ [$parameter["events"]].flat().map((event) => ${wordsOf(words)}[event] ?? event).join(", ") }}`;
}

const returned: Readonly<Record<string, string>> = fieldsByOperation;

/** What n8n's AI workflow builder shows of each operation. Of several resources, it shows their texts instead of ours. */
export function builderHint(resources: Resource[]): INodeTypeDescription['builderHint'] {
	const contents = resources.flatMap(({ value: resource, operations }) => {
		const about = operations.map((one) => [describedWithCosts(one), one.labels.value] as const);
		const output = operations.map(({ labels: { value } }) => {
			const fields = returned[`${resource} ${value}`];
			return [fields && `Returns: ${fields}`, value] as const;
		});
		const all = [...(resources.length > 1 ? about : []), ...output];
		return [...new Set(all.map(([text]) => text))].map((content = '') => {
			const operation = all.filter(([text]) => text === content).map(([, value]) => value);
			return { content, displayOptions: { show: { resource: [resource], operation } } };
		});
	});
	return { extraTypeDefContent: contents.filter(({ content }) => content !== '') };
}

/** The hint below the panel while a required group of fields is empty. */
export const hints = (resources: Resource[]): NodeHint[] =>
	resources.flatMap(({ value, operations }) =>
		operations.flatMap((operation) =>
			operation.fields.filter(isNeeded).map((field) => hint(value, operation, field)),
		),
	);

/** n8n marks blank required fields, but not empty groups. */
const isNeeded = ({ type, required, needsOne }: Field) =>
	needsOne === true || (type === 'fixedCollection' && required === true);

function hint(resource: string, { labels }: Operation, field: Field): NodeHint {
	const { displayName, name, placeholder, needsOne } = field;
	const why = needsOne ? 'set at least one of its fields' : 'this field is required';
	return {
		message: `Nothing is set under "${displayName}" yet: ${why}. Click "${placeholder}".`,
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ $parameter["resource"] === "${resource}" && $parameter["operation"] === "${labels.value}" && Object.keys($parameter["${name}"] ?? {}).length === 0 }}`,
	};
}

/** One parameter, because n8n evaluates each for each item; of several lines, because its AI builder omits such defaults. */
export const toolDescription = (resources: Resource[]): INodeProperties =>
	text('toolDescription', 'Tool Description', {
		typeOptions: { rows: 4 },
		default: `={{\n${byOperation(resources, toolText)}\n}}`,
		placeholder: 'e.g. Lists the sites of one client',
		description: 'For the model',
		displayOptions: { show: { '@tool': [true] } },
	});

/** What an operation does, its kind of harm, and where to find its IDs, one per line. */
export function toolText(operation: Operation): string {
	const { action, description } = operation.labels;
	const what = beginsWith(action, description) ? description : `${action}. ${description}`;
	const ids = listedIn(operation).map((name) => {
		const one = recordLabel(name);
		return `the ID of the ${one} with "Get many ${one}s"`;
	});
	const find = ids.length > 0 ? [`Find ${ids.join(', and ')}`] : [];
	return [what.replace(/\.$/, ''), kindOf(operation), ...find].map((text) => `${text}.`).join('\n');
}

function kindOf(operation: Operation): string {
	const { effects, isFinal, route } = operation;
	if (route.startsWith('ANY ')) return 'Some requests destroy data that cannot be restored';
	if (onlyReads(operation)) return 'Only reads';
	const kinds = effects.map((effect) => effectTexts[effect].name).join(', ');
	return `Kind: ${kinds}${isFinal ? ', cannot be undone' : ''}`;
}

/** The IDs in the path and the fields of an operation. */
function listedIn({ route, fields }: Operation): LocatorName[] {
	const named = fields.map(({ name, names = name }) => names);
	const isId = (name: string): name is LocatorName => Object.hasOwn(locators, name);
	return [...new Set([...idsOf(route), ...named.filter(isId)])];
}
