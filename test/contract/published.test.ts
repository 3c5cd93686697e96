import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { allNodes, credentialTypes } from '../support/engine';
import { changesOf, publishedOf } from '../../tools/published/published';
import { builtPublished, readPublished } from '../../tools/published/publishedFile';

/** What is published does not change; `published.json` holds it. */

it('nothing breaks saved workflows', async () => {
	const { breaking } = changesOf(readPublished(), await builtPublished());
	expect(breaking.map((change) => `This breaks saved workflows: ${change}`)).toEqual([]);
});

it('new parts are in the saved record', async () => {
	const { added } = changesOf(readPublished(), await builtPublished());
	expect(added.map((change) => `${change}: run "npm run published"`)).toEqual([]);
	expect(JSON.parse(JSON.stringify(await builtPublished()))).toEqual(readPublished());
});

interface Described {
	nodes: INodeTypeDescription[];
	credentials: ICredentialType[];
}

/** A copy of what is built, to plant changes in. */
async function described(): Promise<Described> {
	const real = { nodes: await allNodes(), credentials: await credentialTypes() };
	return JSON.parse(JSON.stringify(real)) as Described;
}

type Plant = (all: Described) => void;

const node = ({ nodes }: Described, name: string) => nodes.find((each) => each.name === name)!;

/** The property that a place shows: `tag/create name`, `tag/getAll sort.by.field`, `taskTrigger events`. */
function property(all: Described, place: string): INodeProperties {
	const [panel, path] = place.split(' ') as [string, string];
	const [name, operation] = panel.split('/') as [string, string?];
	const [top, ...inner] = path.split('.') as [string, ...string[]];
	const found = node(all, name).properties.find(
		(each) =>
			each.name === top &&
			(!operation || !!each.displayOptions?.show?.operation?.includes(operation)),
	);
	return inner.reduce((outer, key) => inside(outer).find((each) => each.name === key), found)!;
}

/** What is in a collection, or in a group of one. */
const inside = (outer: any): any[] => outer.values ?? outer.options;

const remove = (list: any[], name: string) =>
	void list.splice(
		list.findIndex((each) => each === name || each.name === name || each.value === name),
		1,
	);

const change =
	(place: string, values: object): Plant =>
	(all) =>
		void Object.assign(property(all, place), values);

const choiceGone =
	(place: string, value: string): Plant =>
	(all) =>
		remove(inside(property(all, place)), value);

const add =
	(name: string, more: object): Plant =>
	(all) =>
		void node(all, name).properties.push({
			displayName: 'New',
			name: 'new',
			type: 'string',
			default: '',
			displayOptions: { show: { resource: ['tag'], operation: ['create'] } },
			...more,
		} as INodeProperties);

const required = { required: true };

/** What is broken in the tag node; Create and Create or Update have the same fields. */
const inTag = (...changes: string[]) => changes.map((each) => `tag version 1, ${each}`);
const inCreate = (change: string) => inTag(`tag/create: ${change}`, `tag/upsert: ${change}`);

const show = (all: Described, place: string) => property(all, place).displayOptions!.show!;

const faults: Record<string, [plant: Plant, breaking: unknown]> = {
	'a node is gone': [({ nodes }) => remove(nodes, 'tag'), ['tag is gone']],
	'a version is gone': [(all) => void (node(all, 'tag').version = 2), ['tag version 1 is gone']],
	'a node is no tool any longer': [
		(all) => void delete node(all, 'tag').usableAsTool,
		[expect.stringContaining('tag version 1: its connections were')],
	],
	'a node takes another credential': [
		(all) => void (node(all, 'tag').credentials![0]!.name = 'other'),
		[expect.stringContaining('tag version 1: its connections were')],
	],
	'an operation is gone': [
		choiceGone('tag operation', 'assign'),
		inTag('tag: "operation": its choice "assign" is gone', 'tag/assign is gone'),
	],
	'a new node begins with another operation': [
		change('tag operation', { default: 'get' }),
		inTag('tag: "operation": its default was "getAll" and is "get"'),
	],
	'a parameter has another name': [
		change('tag/create name', { name: 'title', default: 'x' }),
		inCreate(`"name" is gone`),
	],
	'a field in a collection is gone': [
		choiceGone('tag/create additionalFields', 'color'),
		inCreate(`"additionalFields.color" is gone`),
	],
	'a field in a group has another name': [
		change('tag/getAll sort.by.direction', { name: 'order' }),
		inTag('tag/getAll: "sort.by.direction" is gone'),
	],
	'an operation does not show a field any longer': [
		(all) => remove(show(all, 'tag/assign siteIds').operation!, 'assign'),
		inTag('tag/assign: "siteIds" is gone'),
	],
	'a type is another': [
		change('tag/create name', { type: 'number' }),
		inCreate(`"name": its type was "string" and is "number"`),
	],
	'a default in a collection is another': [
		change('tag/getAll sort.by.direction', { default: 'asc' }),
		inTag('tag/getAll: "sort.by.direction": its default was "desc" and is "asc"'),
	],
	'a value of a choice is gone': [
		choiceGone('taskTrigger events', 'failed'),
		['taskTrigger version 1: "events": its choice "failed" is gone'],
	],
	'a way to name a record is gone': [
		(all) => remove(property(all, 'tag/get tagId').modes!, 'id'),
		expect.arrayContaining(inTag('tag/get: "tagId": its choice "id" is gone')),
	],
	'one value becomes several': [
		change('tag/create name', { typeOptions: { multipleValues: true } }),
		inCreate(`"name": its several was not set and is true`),
	],
	'a field becomes required': [
		change('tag/create additionalFields.color', required),
		inCreate(`"additionalFields.color" is required now`),
	],
	'a new record is required': [
		add('tag', { ...required, type: 'resourceLocator', default: { mode: 'list', value: '' } }),
		inTag('tag/create: "new" is required, and no saved workflow has it'),
	],
	'a new field is required with a choice that is there': [
		add('tag', {
			...required,
			displayOptions: { show: { resource: ['tag'], operation: ['getAll'], returnAll: [true] } },
		}),
		inTag('tag/getAll: "new" is required, and no saved workflow has it'),
	],
	'a field is shown with another choice': [
		(all) => void (show(all, 'tag/getAll limit').returnAll = [true]),
		inTag(
			'tag/getAll: "limit" was shown with {"returnAll":[false]} and is with {"returnAll":[true]}',
		),
	],
	'a field is hidden with a choice': [
		(all) => void (property(all, 'tag/create name').displayOptions!.hide = { preview: [true] }),
		inCreate(`"name": its hiddenWith was not set and is {"preview":[true]}`),
	],
	'the credential has another name': [
		({ credentials }) => void (credentials[0]!.name = 'other'),
		['credential siteManagementApi is gone'],
	],
	'a field of the credential has another default': [
		({ credentials: [own] }) =>
			void (own!.properties.find(({ name }) => name === 'requestsPerMinute')!.default = '100'),
		['credential siteManagementApi: "requestsPerMinute": its default was "" and is "100"'],
	],
};

/** Changes for what is built when a change has been planted in it. */
async function planted(plant: Plant) {
	const [real, changed] = [await described(), await described()];
	plant(changed);
	return changesOf(
		publishedOf(real.nodes, real.credentials),
		publishedOf(changed.nodes, changed.credentials),
	);
}

it.each(Object.entries(faults))('reports when %s', async (_, [plant, breaking]) => {
	expect((await planted(plant)).breaking).toEqual(breaking);
});

const additions: Record<string, [plant: Plant, added: string[]]> = {
	'a node': [({ nodes }) => void nodes.push({ ...nodes[0]!, name: 'other' }), ['other is new']],
	'an operation': [
		(all) => inside(property(all, 'tag operation')).push({ name: 'Planted', value: 'planted' }),
		inTag('tag: "operation": its choice "planted" is new', 'tag/planted is new'),
	],
	'a field': [add('tag', {}), inTag('tag/create: "new" is new')],
	'a required field with a default': [
		add('tag', { ...required, default: 'x' }),
		inTag('tag/create: "new" is new'),
	],
	'a choice, and a field that is required with it': [
		(all) => {
			const at = { resource: ['loginScreenBranding'], operation: ['get'] };
			inside(property(all, 'branding/get output')).push({ name: 'Table', value: 'table' });
			const show = { ...at, output: ['table'] };
			add('branding', { ...required, displayOptions: { show } })(all);
		},
		expect.arrayContaining(['branding version 1, loginScreenBranding/get: "new" is new']),
	],
	'a choice that a field is shown with': [
		(all) => property(all, 'tag/getAll limit').displayOptions!.show!.returnAll!.push('some'),
		[
			'tag version 1, tag/getAll: "limit" was shown with {"returnAll":[false]} and is with {"returnAll":[false,"some"]}',
		],
	],
	'a default of a new version': [
		(all) => {
			const tag = node(all, 'tag');
			const limit = property(all, 'tag/getAll limit');
			const of = (version: number, value: number): INodeProperties => ({
				...limit,
				default: value,
				displayOptions: { show: { ...limit.displayOptions!.show, '@version': [version] } },
			});
			tag.version = [1, 2];
			tag.properties.splice(tag.properties.indexOf(limit), 1, of(1, 50), of(2, 100));
		},
		['tag version 2 is new'],
	],
};

it.each(Object.entries(additions))('%s can be added', async (_, [plant, added]) => {
	expect(await planted(plant)).toEqual({ breaking: [], added });
});

it('does not depend on one property or several with the same meaning', async () => {
	const changes = await planted(({ nodes }) => {
		for (const each of nodes) each.properties = each.properties.flatMap(apart).reverse();
	});
	expect(changes).toEqual({ breaking: [], added: [] });
});

/** A property for each operation of each resource. */
function apart(merged: INodeProperties): INodeProperties[] {
	const { resource, operation, ...others } = merged.displayOptions?.show ?? {};
	if (!resource || !operation) return [merged];
	return resource.flatMap((one) =>
		operation.map((other) => ({
			...merged,
			displayOptions: { show: { ...others, resource: [one!], operation: [other!] } },
		})),
	);
}
