import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

/** The parameters of the built nodes, one by one, and what has to be set beside each. */

const LISTS = ['ids', 'texts', 'paths', 'emails', 'choices'] as const;

/** Texts with a form. */
type Form = 'email' | 'url' | 'ip' | 'php' | 'clock' | 'digits' | 'dataUri' | 'binary';

/** What n8n has a type of its own for. */
type Typed = 'id' | 'choice' | 'boolean' | 'number' | 'color' | 'json';

/** What kind of value a parameter takes. */
export type Kind = (typeof LISTS)[number] | Form | Typed | 'time' | 'day' | 'text';

export const LIST_KINDS: readonly Kind[] = LISTS;

/** One parameter of one operation or trigger. */
export interface Slot {
	/** Such as `backup/backup/restore paths`. */
	name: string;
	node: string;
	/** The route of the operation; undefined for triggers. */
	route?: string;
	/** Names from the top down, such as `['sort', 'by', 'field']`. */
	path: string[];
	/** What the panel calls it and what it is in, from the top down. */
	labels: string[];
	property: INodeProperties;
	kind: Kind;
	/** Whether a blank text by expression may be left out: nothing is widened by that. */
	maySkip: boolean;
	secret: boolean;
	/** Resource and operation. */
	fixed: INodeParameters;
	/** What shows it, and what it is in; each beside the parameters of that folder. */
	shows: Array<{ folder: string[]; show: Record<string, unknown[]> }>;
	/** The places of groups that have rows. */
	rows: string[];
	/** All parameters of the operation. */
	all: Slot[];
}

/** Text fields with a form, by name: descriptions do not tell it. */
const forms: Record<string, Form> = {
	email: 'email',
	userEmail: 'email',
	onlyIfEmail: 'email',
	url: 'url',
	onlyIfUrl: 'url',
	destinationUrl: 'url',
	authorUrl: 'url',
	stickyIp: 'ip',
	phpVersion: 'php',
	phpVersionAbove: 'php',
	phpVersionBelow: 'php',
	dailySyncTime: 'clock',
	wpObjectId: 'digits',
	logoDataUri: 'dataUri',
	logoBinaryField: 'binary',
};

const types: Partial<Record<INodeProperties['type'], Typed>> = {
	resourceLocator: 'id',
	options: 'choice',
	boolean: 'boolean',
	number: 'number',
	color: 'color',
	json: 'json',
};

function kindOf({ name, type, typeOptions, description = '' }: INodeProperties): Kind {
	if (name === 'outputFields') return 'paths';
	if (type === 'multiOptions') return typeOptions?.loadOptionsMethod ? 'ids' : 'choices';
	if (type === 'dateTime') return typeOptions?.dateOnly ? 'day' : 'time';
	const simple = types[type];
	if (simple) return simple;
	if (!description.includes('separated by commas or lines')) return forms[name] ?? 'text';
	if (name.endsWith('Ids')) return 'ids';
	return name === 'recipients' || forms[name] === 'email' ? 'emails' : 'texts';
}

export const choicesOf = ({ options }: INodeProperties): unknown[] =>
	((options ?? []) as INodePropertyOptions[]).map(({ value }) => value);

const OF_N8N = ['resource', 'operation', 'notice', 'requestOptions', 'pollTimes', 'pollNotice'];

const shown = ({ name, displayOptions }: INodeProperties) =>
	!displayOptions?.show?.['@tool'] && !OF_N8N.includes(name);

/** Every parameter of every operation of a node, or of a trigger. */
export function slotsOf({ name: node, properties, polling }: INodeTypeDescription): Slot[] {
	if (polling) return within({ name: node, node, fixed: {} }, properties.filter(shown));
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap((selector) => {
			const resource = String(selector.displayOptions!.show!.resource![0]);
			return (selector.options as INodePropertyOptions[]).flatMap(({ value, routing }) => {
				const { method, url } = routing!.request!;
				const own = properties.filter(shown).filter(({ displayOptions: { show } = {} }) => {
					const { resource: resources, operation: operations } = show ?? {};
					return (
						(resources?.includes(resource) ?? true) &&
						(operations?.includes(value as string) ?? true)
					);
				});
				const fixed = { resource, operation: value } as INodeParameters;
				const name = `${node}/${resource}/${String(value)}`;
				return within({ name, node, route: `${method} ${url}`, fixed }, own);
			});
		});
}

function within(
	whole: Pick<Slot, 'name' | 'node' | 'route' | 'fixed'>,
	properties: INodeProperties[],
): Slot[] {
	const all: Slot[] = [];
	const rows: string[] = [];
	const add = (
		property: INodeProperties,
		above: string[],
		around: Pick<Slot, 'shows' | 'labels'> = { shows: [], labels: [] },
		isRow = false,
	): void => {
		const path = [...above, property.name];
		const labels = [...around.labels, property.displayName];
		const { show = {} } = property.displayOptions ?? {};
		const shows = [...around.shows, { folder: above, show: show as Record<string, unknown[]> }];
		if (property.type === 'collection') {
			for (const option of property.options as INodeProperties[])
				add(option, path, { shows, labels });
		} else if (property.type === 'fixedCollection') {
			const [{ name, values }] = property.options as [INodePropertyCollection];
			if (property.typeOptions?.multipleValues) rows.push([...path, name].join('.'));
			for (const value of values) add(value, [...path, name], { shows, labels }, true);
		} else {
			const isNew = whole.fixed.resource === 'client' && whole.fixed.operation === 'create';
			const { name, typeOptions, required } = property;
			all.push({
				...whole,
				name: `${whole.name} ${path.join('.')}`,
				path,
				labels,
				property,
				kind: kindOf(property),
				maySkip: isRow ? !required : above[0] === 'additionalFields' && !isNew,
				secret: typeOptions?.password === true || name === 'ftpCredentials',
				shows,
				rows,
				all,
			});
		}
	};
	for (const property of properties) add(property, []);
	return all;
}

/** Parameters by their paths, joined with dots. */
export type Settings = Map<string, unknown>;

/** What has to be chosen so that a parameter is shown. */
export function conditionsOf({ shows, all }: Slot): Settings {
	const conditions: Settings = new Map();
	for (const { folder, show } of shows) {
		for (const [key, [value]] of Object.entries(show)) {
			// In a collection `/events` is a parameter of the node.
			const place = (key.startsWith('/') ? [key.slice(1)] : [...folder, key]).join('.');
			const other = all.find(({ path }) => path.join('.') === place);
			if (!other) continue;
			conditions.set(place, other.property.type === 'multiOptions' ? [value] : value);
		}
	}
	return conditions;
}

/** The parameters of a node with these settings, as n8n saves them. */
export function parametersOf({ fixed, rows }: Slot, settings: Settings): INodeParameters {
	const parameters: IDataObject = { ...fixed };
	for (const [place, value] of settings) {
		const path = place.split('.');
		const last = path.pop()!;
		let at = parameters;
		for (const name of path) at = (at[name] ??= {}) as IDataObject;
		at[last] = value as IDataObject;
	}
	for (const place of rows) {
		const path = place.split('.');
		const last = path.pop()!;
		const at = path.reduce<any>((object, name) => object?.[name], parameters);
		if (at?.[last] !== undefined) at[last] = [at[last]];
	}
	return parameters as INodeParameters;
}
