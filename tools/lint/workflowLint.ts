import type {
	IConnections,
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers, nodeNameToToolName } from 'n8n-workflow';

/**
 * What a workflow file says that n8n does not hand to the nodes of this package, and guards that guard nothing. n8n
 * drops such things before a node runs, so that the node itself cannot refuse them.
 */

const { name: PACKAGE } = require('../../package.json') as { name: string };

/** Parameters that n8n itself adds to nodes. */
const OF_N8N = ['requestOptions', 'pollTimes', 'descriptionType', 'toolDescription'];

export interface Finding {
	node: string;
	/** Such as `filters > name`. */
	parameter: string;
	/** What is wrong, and what to do. */
	todo: string;
}

interface Workflow {
	nodes: INode[];
	connections?: IConnections;
}

const { descriptions } = require('../docs/built') as { descriptions: () => INodeTypeDescription[] };

let built: INodeTypeDescription[] | undefined;

/** The built description of a node type, by its name without the package. */
function descriptionOf(type: string): INodeTypeDescription | undefined {
	const all = (built ??= descriptions());
	const named = (wanted: string) => all.find(({ name }) => name === wanted);
	return named(type) ?? named(type.replace(/Tool$/, ''));
}

/** What is to be changed in a file with one workflow of n8n, or a list of them. */
export function lintText(text: string): Finding[] {
	const about = (todo: string): Finding[] => [{ node: '', parameter: '', todo }];
	let content: unknown;
	try {
		content = JSON.parse(text);
	} catch {
		return about('is not JSON: export the workflow again');
	}
	const workflows = [content].flat() as Array<Partial<Workflow> | null>;
	if (workflows.length === 0 || workflows.some((each) => !Array.isArray(each?.nodes))) {
		return about('is not a workflow, or a list of them: export it again');
	}
	return workflows.flatMap((each) => lintWorkflow(each as Workflow));
}

function lintWorkflow({ nodes, connections = {} }: Workflow): Finding[] {
	/** What they give comes from another workflow, which is to be judged by itself. */
	const handedOver = nodes
		.filter(({ type }) => type === 'n8n-nodes-base.executeWorkflowTrigger')
		.map(({ name }) => name);
	const own = nodes.filter(({ type }) => String(type).startsWith(`${PACKAGE}.`));
	return own.flatMap((node) =>
		[...lintNode(node, connections, handedOver), ...lintToolName(node, nodes, connections)].map(
			(found) => ({ ...found, node: String(node.name) }),
		),
	);
}

/** Models know a tool by the name of its node, without special characters and cut at 64: two of one name stop a server. */
function lintToolName(node: INode, nodes: INode[], connections: IConnections): Found[] {
	const usersOf = ({ name }: INode) =>
		(connections[name]?.ai_tool ?? []).flatMap((each) => (each ?? []).map((to) => to.node));
	const users = usersOf(node);
	const name = nodeNameToToolName(node);
	const same = nodes.find(
		(other) =>
			other !== node &&
			nodeNameToToolName(other) === name &&
			usersOf(other).some((user) => users.includes(user)),
	);
	const todo = `gives the tool the name "${name}", as "${same?.name}" does, and n8n starts neither: rename one of the nodes within its first 64 characters`;
	return same ? [{ parameter: 'name', todo }] : [];
}

type Found = Omit<Finding, 'node'>;

function lintNode(node: INode, connections: IConnections, handedOver: string[]): Found[] {
	const description = descriptionOf(node.type.slice(PACKAGE.length + 1));
	if (!description) {
		return [{ parameter: 'type', todo: `"${node.type}" is no node of ${PACKAGE}: choose another` }];
	}
	const parameters = node.parameters ?? {};
	const chosen = selectors(description, parameters);
	if (chosen.length > 0) return chosen;
	const shown = shownIn(description, node, parameters);
	return [
		...Object.entries(parameters)
			.filter(([name]) => !OF_N8N.includes(name))
			.flatMap(([name, value]) => lintParameter(description, shown, name, value)),
		...lintOnlyIf(shown, parameters, handedOver, (text) => sourcesIn(text, node, connections)),
	];
}

/** Resource and Operation, where they are none of the node. */
function selectors({ properties }: INodeTypeDescription, parameters: INodeParameters): Found[] {
	const [resource] = properties.filter(({ name }) => name === 'resource');
	if (!resource) return [];
	const value = parameters.resource ?? resource.default;
	const [operation] = properties.filter(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes(value as string),
	);
	const wrong = (parameter: string, property: INodeProperties) => ({
		parameter,
		todo: `is none of the node: choose one of ${choicesOf(property).join(', ')}`,
	});
	if (!operation) return [wrong('resource', resource)];
	const isKnown = choicesOf(operation).includes(parameters.operation ?? operation.default);
	return isKnown ? [] : [wrong('operation', operation)];
}

const choicesOf = ({ options = [] }: INodeProperties): unknown[] =>
	(options as INodePropertyOptions[]).map(({ value }) => value);

/** The properties that n8n shows, by their names. */
function shownIn(own: INodeTypeDescription, node: INode, parameters: INodeParameters) {
	const { properties } = own;
	const description = node.type.endsWith('Tool') ? { ...own, name: `${own.name}Tool` } : own;
	const all = NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description);
	return new Map(
		properties
			.filter((each) => NodeHelpers.displayParameter(all ?? {}, each, node, description))
			.map((each) => [each.name, each]),
	);
}

type Shown = ReturnType<typeof shownIn>;

function lintParameter(
	{ properties }: INodeTypeDescription,
	shown: Shown,
	name: string,
	value: unknown,
): Found[] {
	const property = shown.get(name);
	if (property) return lintValue([name], property, value);
	const isKnown = properties.some((each) => each.name === name);
	return [
		{
			parameter: name,
			todo: isKnown
				? 'does not belong to the chosen operation, or to what is chosen in it, and n8n drops it: choose what it belongs to, or remove it'
				: `is no parameter of the node, and n8n drops it: correct its name, or remove it. It has ${[...shown.keys()].filter((each) => each !== 'notice').join(', ')}`,
		},
	];
}

/** What n8n drops of a collection or of a group of fields. */
function lintValue(at: string[], property: INodeProperties, value: unknown): Found[] {
	const parameter = at.join(' > ');
	if (property.type === 'options' && !isExpression(value)) {
		const choices = choicesOf(property);
		if (choices.length === 0 || choices.includes(value)) return [];
		return [{ parameter, todo: `is not one of its options: choose one of ${choices.join(', ')}` }];
	}
	if (property.type !== 'collection' && property.type !== 'fixedCollection') return [];
	if (typeof value !== 'object' || value === null) {
		const todo =
			'is an expression or a text as a whole, and n8n makes an empty one of it: set its fields one by one';
		return [{ parameter, todo }];
	}
	const below = (fields: INodeProperties[], given: object, where: string[]) =>
		Object.entries(given).flatMap(([key, each]) => {
			const field = fields.find(({ name }) => name === key);
			if (field) return lintValue([...where, key], field, each);
			const known = fields.map(({ name }) => name).join(', ');
			const todo = `is no field of it, and n8n drops it: correct its name. It has ${known}`;
			return [{ parameter: [...where, key].join(' > '), todo }];
		});
	if (property.type === 'collection')
		return below(property.options as INodeProperties[], value, at);
	const groups = property.options as INodePropertyCollection[];
	return Object.entries(value as Record<string, unknown>).flatMap(([key, rows]) => {
		const group = groups.find(({ name }) => name === key);
		const where = [...at, key];
		if (!group) {
			const todo = `is no group of it, and n8n drops it. It has ${groups.map(({ name }) => name).join(', ')}`;
			return [{ parameter: where.join(' > '), todo }];
		}
		return [rows].flat().flatMap((row) => {
			if (typeof row === 'object' && row !== null) return below(group.values, row, where);
			const todo = 'is an expression as a whole: set its fields one by one';
			return [{ parameter: where.join(' > '), todo }];
		});
	});
}

const isExpression = (value: unknown): value is string =>
	typeof value === 'string' && value.startsWith('=');

function lintOnlyIf(
	shown: Shown,
	parameters: INodeParameters,
	handedOver: string[],
	sources: (text: string) => Set<string>,
): Found[] {
	const id = idOf(shown, parameters);
	return Object.entries(parameters)
		.filter(([name, value]) => name.startsWith('onlyIf') && isExpression(value))
		.flatMap(([parameter, value]) => {
			const text = String(value);
			if (/\$fromai\b/i.test(text)) {
				const todo = 'is filled in by the model, which would check itself: set it in the workflow';
				return [{ parameter, todo }];
			}
			const own = [...sources(text)];
			const others = sources(id);
			const isElsewhere = (each: string) => !others.has(each) || handedOver.includes(each);
			if (own.length === 0 || own.some(isElsewhere)) return [];
			const todo =
				'comes from where the ID comes from, so that it fits any record: take it from elsewhere, such as a fixed text, or what a person approved';
			return [{ parameter, todo }];
		});
}

/** What says which record is endangered: the address that is overwritten, or the first id. */
function idOf(shown: Shown, parameters: INodeParameters): string {
	const property =
		shown.get('destinationUrl') ??
		[...shown.values()].find(({ type }) => type === 'resourceLocator');
	return property ? JSON.stringify(parameters[property.name] ?? '') : '';
}

/** The nodes whose output an expression reads; the item that comes in is that of the nodes before. */
function sourcesIn(text: string, node: INode, connections: IConnections): Set<string> {
	const named = [...text.matchAll(/\$(?:\(|node\[|items\()\s*\\?(['"`])(.*?)\\?\1/g)];
	const found = named.map(([, , name]) => name!);
	if (/\$(json|input|data|item|binary)\b/.test(text)) {
		const before = Object.entries(connections)
			.filter(([, { main = [] }]) => main.flat().some((each) => each?.node === node.name))
			.map(([name]) => name);
		found.push(...(before.length > 0 ? before : ['the item that comes in']));
	}
	return new Set(found);
}
