import { isDeepStrictEqual } from 'node:util';
import type {
	ICredentialType,
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { displayParameter } from 'n8n-workflow';

/** What saved workflows rest on: names, types, defaults and values of all nodes, parameters and credentials. */

type Conditions = NonNullable<IDisplayOptions['show']>;

/** What is known of a parameter besides its name. */
interface Parameter {
	type: string;
	default: unknown;
	required?: boolean;
	/** Whether it holds several values. */
	several?: boolean;
	/** What can be chosen. */
	values?: unknown[];
	/** The ways to name a record. */
	modes?: string[];
	/** The choices in other parameters that it is shown with, besides resource and operation. */
	shownWith?: Conditions;
	hiddenWith?: Conditions;
}

/** Parameters by their names, those in collections by their paths: `filters.name`, `sort.by.field`. */
type Panel = Record<string, Parameter>;

interface Version {
	/** What connects it to the rest of a workflow. */
	connections: { inputs: unknown; outputs: unknown; usableAsTool: unknown; credentials: string[] };
	/** By what is chosen: nothing, a resource such as `tag`, or an operation such as `tag/create`. */
	panels: Record<string, Panel>;
}

export interface Published {
	credentials: Record<string, Panel>;
	/** By name and version. */
	nodes: Record<string, Record<string, Version>>;
}

/** What the descriptions promise, whatever the order and the merging of their properties. */
export function publishedOf(
	nodes: INodeTypeDescription[],
	credentials: ICredentialType[],
): Published {
	return {
		credentials: Object.fromEntries(
			credentials.map(({ name, properties }) => [name, panelOf(properties)]),
		),
		nodes: Object.fromEntries(
			nodes.map((node) => {
				const versions = [node.version]
					.flat()
					.map((version) => [version, versionOf(node, version)]);
				return [node.name, Object.fromEntries(versions)];
			}),
		),
	};
}

/** What n8n adds to triggers and to action nodes. */
const OF_N8N = ['pollTimes', 'requestOptions'];

function versionOf(node: INodeTypeDescription, typeVersion: number): Version {
	const properties = node.properties.filter(({ name }) => !OF_N8N.includes(name));
	const shownWith = (chosen: Record<string, string>) =>
		properties.filter((property) =>
			displayParameter(chosen, chosenAlone(property), { typeVersion }, node),
		);
	const { inputs, outputs, usableAsTool = false, credentials = [] } = node;
	const connections = {
		inputs,
		outputs,
		usableAsTool,
		credentials: credentials.map(({ name }) => name),
	};
	const resources = named('resource', shownWith({}));
	if (resources.length === 0) return { connections, panels: { '': panelOf(shownWith({})) } };
	const panels: Version['panels'] = { '': panelOf(resources) };
	for (const resource of valuesIn(resources)) {
		const operations = named('operation', shownWith({ resource }));
		panels[resource] = panelOf(operations);
		for (const operation of valuesIn(operations)) {
			panels[`${resource}/${operation}`] = panelOf(
				shownWith({ resource, operation }).filter(
					({ name }) => name !== 'resource' && name !== 'operation',
				),
			);
		}
	}
	return { connections, panels };
}

const named = (wanted: string, properties: INodeProperties[]) =>
	properties.filter(({ name }) => name === wanted);

const valuesIn = (properties: INodeProperties[]) =>
	properties
		.flatMap(({ options = [] }) => options as INodePropertyOptions[])
		.map(({ value }) => String(value));

const CHOSEN = ['resource', 'operation', '@version'];

/** The property as shown whatever else is set. */
function chosenAlone(property: INodeProperties): INodeProperties {
	const { show, hide } = property.displayOptions ?? {};
	return { ...property, displayOptions: { show: only(show, true), hide: only(hide, true) } };
}

/** The conditions on what is chosen, or those on other parameters. */
const only = (conditions: Conditions = {}, isChosen: boolean) =>
	Object.fromEntries(
		Object.entries(conditions).filter(([name]) => CHOSEN.includes(name) === isChosen),
	) as Conditions;

function panelOf(properties: INodeProperties[]): Panel {
	const all = parametersIn(properties);
	const panel = Object.fromEntries(all);
	const twice = all.find(([path], index) => all.findIndex(([other]) => other === path) < index);
	// One would hide what becomes of the other.
	if (twice) throw new Error(`The parameter "${twice[0]}" is there twice`);
	return panel;
}

const isParameter = (option: object): option is INodeProperties => 'type' in option;
const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;

function parametersIn(properties: INodeProperties[], place = ''): Array<[string, Parameter]> {
	return (
		properties
			// The text for models is n8n's for all its tools, and checked there.
			.filter(({ type, displayOptions }) => type !== 'notice' && !displayOptions?.show?.['@tool'])
			.flatMap((property) => {
				const path = `${place}${property.name}`;
				const inside = (property.options ?? []).flatMap((option) => {
					if (isParameter(option)) return parametersIn([option], `${path}.`);
					return isGroup(option) ? parametersIn(option.values, `${path}.${option.name}.`) : [];
				});
				return [[path, parameterOf(property)] as [string, Parameter], ...inside];
			})
	);
}

function parameterOf(property: INodeProperties): Parameter {
	const { type, required, typeOptions, options, modes, displayOptions } = property;
	const isChoice = type === 'options' || type === 'multiOptions';
	const shownWith = only(displayOptions?.show, false);
	const hiddenWith = only(displayOptions?.hide, false);
	return {
		type,
		default: property.default,
		...(required && { required }),
		...(typeOptions?.multipleValues && { several: true }),
		...(isChoice &&
			options && { values: (options as INodePropertyOptions[]).map(({ value }) => value).sort() }),
		...(modes && { modes: modes.map(({ name }) => name) }),
		...(Object.keys(shownWith).length > 0 && { shownWith }),
		...(Object.keys(hiddenWith).length > 0 && { hiddenWith }),
	};
}

export interface Changes {
	/** What saved workflows would feel, such as `tag version 1, tag/create: "name" is gone`. */
	breaking: string[];
	added: string[];
}

export function changesOf(before: Published, after: Published): Changes {
	const changes: Changes = { breaking: [], added: [] };
	const panels = (place: string, was: Panel, is: Panel) => comparePanels(changes, place, was, is);
	const versions = (place: string, was: Version, is: Version) => {
		if (!isDeepStrictEqual(was.connections, is.connections)) {
			const [old, now] = [was, is].map(({ connections }) => JSON.stringify(connections));
			changes.breaking.push(`${place}: its connections were ${old} and are ${now}`);
		}
		const inside = (panel: string) => (panel ? `${place}, ${panel}` : place);
		compareEach(changes, inside, [was.panels, is.panels], panels);
	};
	const credentials = [before.credentials, after.credentials] as const;
	compareEach(changes, (name) => `credential ${name}`, credentials, panels);
	compareEach(
		changes,
		(name) => name,
		[before.nodes, after.nodes],
		(node, was, is) =>
			compareEach(changes, (name) => `${node} version ${name}`, [was, is], versions),
	);
	return changes;
}

/** Notes what has gone and what has come, and compares what was there and still is. */
function compareEach<T>(
	{ breaking, added }: Changes,
	placeOf: (name: string) => string,
	[before, after]: readonly [Record<string, T>, Record<string, T>],
	compare: (place: string, was: T, is: T) => void,
): void {
	for (const [name, was] of Object.entries(before)) {
		const is = after[name];
		if (is === undefined) breaking.push(`${placeOf(name)} is gone`);
		else compare(placeOf(name), was, is);
	}
	const news = Object.keys(after).filter((name) => !(name in before));
	added.push(...news.map((name) => `${placeOf(name)} is new`));
}

function comparePanels(changes: Changes, place: string, before: Panel, after: Panel): void {
	const inside = (name: string) => `${place}: "${name}"`;
	compareEach(changes, inside, [before, after], (parameter, was, is) =>
		compareParameters(changes, parameter, was, is),
	);
	for (const [name, is] of Object.entries(after)) {
		if (name in before || !isMissed(name, is, before)) continue;
		changes.breaking.push(`${inside(name)} is required, and no saved workflow has it`);
	}
}

/** Whether what is saved lacks a value that has to be there. */
function isMissed(
	name: string,
	{ required, default: value, shownWith = {} }: Parameter,
	before: Panel,
) {
	const isBlank = value === '' || isDeepStrictEqual(value, {}) || isDeepStrictEqual(value, []);
	if (!required || name.includes('.') || !(isBlank || isEmptyLocator(value))) return false;
	// With a choice that was not there it could not be saved.
	return Object.entries(shownWith).every(([other, choices]) => {
		const known = before[other];
		return known && (!known.values || choices?.some((choice) => known.values!.includes(choice)));
	});
}

const isEmptyLocator = (value: unknown) =>
	typeof value === 'object' && value !== null && 'value' in value && value.value === '';

function compareParameters(
	{ breaking, added }: Changes,
	place: string,
	was: Parameter,
	is: Parameter,
): void {
	for (const key of ['type', 'default', 'several', 'hiddenWith'] as const) {
		if (isDeepStrictEqual(was[key], is[key])) continue;
		const [old, now] = [was[key], is[key]].map((value) => JSON.stringify(value) ?? 'not set');
		breaking.push(`${place}: its ${key} was ${old} and is ${now}`);
	}
	if (is.required && !was.required) breaking.push(`${place} is required now`);
	for (const key of ['values', 'modes'] as const) {
		const [old, now] = [was[key] ?? [], is[key] ?? []];
		const gone = old.filter((value) => !now.includes(value as never));
		breaking.push(...gone.map((value) => `${place}: its choice ${JSON.stringify(value)} is gone`));
		const news = now.filter((value) => !old.includes(value as never));
		added.push(...news.map((value) => `${place}: its choice ${JSON.stringify(value)} is new`));
	}
	if (isDeepStrictEqual(was.shownWith, is.shownWith)) return;
	const texts = [was, is].map(({ shownWith }) => JSON.stringify(shownWith) ?? 'anything');
	const text = `${place} was shown with ${texts[0]} and is with ${texts[1]}`;
	if (isWider(was.shownWith, is.shownWith)) added.push(text);
	else breaking.push(text);
}

/** Whether the parameter is shown wherever it was. */
const isWider = (was: Conditions = {}, is: Conditions = {}) =>
	Object.entries(is).every(
		([name, choices]) => was[name]?.every((choice) => choices?.includes(choice)) ?? false,
	);
