import 'reflect-metadata';
import path from 'node:path';
import { PackageDirectoryLoader, RoutingNode, type ExecuteContext } from 'n8n-core';
import type {
	ICredentialType,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { shortName } from './oneNode';

let loader: PackageDirectoryLoader | undefined;

/** Nodes besides those of the package, by name. */
const others = new Map<string, INodeType>();

/** Has the engine know another node, which can then be run by its name. */
export function addNode(type: INodeType): void {
	others.set(type.description.name, type);
}

export async function loadPackage(): Promise<PackageDirectoryLoader> {
	if (!loader) {
		loader = new PackageDirectoryLoader(path.resolve(__dirname, '../../..'));
		await loader.loadAll();
	}
	return loader;
}

export const credentialType = () => loader!.getCredential('siteManagementApi').type;

/** The node of the loaded package, or one that was added, as n8n looks it up. */
export function typeOf(fullName: string): INodeType {
	const name = shortName(fullName).replace(/Tool$/, '');
	const type = executable(others.get(name) ?? (loader!.getNode(name).type as INodeType));
	return fullName.endsWith('Tool') ? tool(type) : type;
}

/** Gives a declarative node its `execute`, as n8n does when it looks a type up. */
function executable(type: INodeType): INodeType {
	if (!type.description.requestDefaults) return type;
	type.execute ??= async function () {
		return (await new RoutingNode(this as ExecuteContext, type).runNode()) ?? [];
	};
	return type;
}

/** As n8n makes a tool of a node, but for its connections: it is run like any other. */
function tool(type: INodeType): INodeType {
	const { description } = type;
	const named = { name: { value: `${description.name}Tool`, enumerable: true } };
	return Object.create(type, {
		description: { value: Object.create(description, named) },
	}) as INodeType;
}

/** The loaded node, by its name without the package. */
export async function nodeType(name: string): Promise<INodeType> {
	return (await loadPackage()).getNode(name).type as INodeType;
}

export async function description(name: string): Promise<INodeTypeDescription> {
	return (await nodeType(name)).description;
}

export async function allNodes(): Promise<INodeTypeDescription[]> {
	const { nodeTypes } = await loadPackage();
	return Object.values(nodeTypes)
		.map(({ type }) => (type as INodeType).description)
		.sort((a, b) => a.name.localeCompare(b.name));
}

export async function actionNodes(): Promise<INodeTypeDescription[]> {
	return (await allNodes()).filter(({ polling }) => !polling);
}

export async function credentialTypes(): Promise<ICredentialType[]> {
	const { credentialTypes: types } = await loadPackage();
	return Object.values(types).map(({ type }) => type);
}

/** The values of the events that a trigger can be set to; none where it has only one. */
export async function eventsOf(trigger: string): Promise<string[]> {
	const { properties } = await description(trigger);
	const options = properties.find(({ name }) => name === 'events')?.options ?? [];
	return (options as INodePropertyOptions[]).map(({ value }) => String(value));
}
