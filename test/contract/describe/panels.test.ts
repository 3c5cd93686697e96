import path from 'node:path';
import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodeType,
} from 'n8n-workflow';
import { n8n as about } from '../../../package.json';
import * as tables from '../../../nodes/resources';
import { harms } from '../../../nodes/shared/access/effects';
import { describedWithCosts, type Resource } from '../../../nodes/shared/operation';
import bounds from '../../../tools/bounds.json';
import { actionNodes, allNodes, description } from '../../support/engine';
import { wordsOf } from '../../support/reference';
import { evaluated, nodeOf } from '../../support/tool';

/** What a person sees in the panels of the nodes, as far as it can be told from the descriptions. */

const isProperty = (option: object): option is INodeProperties => 'type' in option;
const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;

/** All fields of a panel, also those of collections and the ways to name a record. */
function fieldsOf(properties: INodeProperties[], path = ''): Array<[string, INodeProperties]> {
	return properties.flatMap((property) => {
		const here = `${path}${property.name}`;
		const inside = (property.options ?? []).flatMap((option) => {
			if (isProperty(option)) return fieldsOf([option], `${here}.`);
			return isGroup(option) ? fieldsOf(option.values, `${here}.`) : [];
		});
		const modes = (property.modes ?? [])
			.filter(({ type }) => type === 'string')
			.map((mode): [string, INodeProperties] => [`${here} (${mode.displayName})`, mode as never]);
		return [[here, property] as [string, INodeProperties], ...modes, ...inside];
	});
}

it('shows an example in each text field that begins empty', async () => {
	const bare = (await allNodes()).flatMap(({ name, properties }) =>
		fieldsOf(properties)
			.filter(([, { type, default: value }]) => type === 'string' && (value ?? '') === '')
			.filter(([, { placeholder, typeOptions }]) => {
				const isSecret = typeOptions?.password === true;
				// n8n's own rules want that address in fields for one.
				return !isSecret && !/^(e\.g\. .|name@email\.com$)/.test(placeholder ?? '');
			})
			.map(([path]) => `${name}: ${path}`),
	);
	expect(bare).toEqual([]);
});

describe('hints', () => {
	/** What the editor would say of a node with these parameters, by n8n's own expressions. */
	async function said(name: string, parameters: INodeParameters): Promise<string[]> {
		const { hints = [] } = await description(name);
		return hints
			.filter(({ displayCondition }) => evaluated(displayCondition, nodeOf(name, parameters)))
			.map(({ message }) => message);
	}

	const create = { resource: 'schedule', operation: 'create' };
	const sites = 'Nothing is set under "Sites" yet: this field is required. Click "Add Sites".';
	const updates =
		'Nothing is set under "Updates" yet: this field is required. Click "Add Updates".';

	it('a new schedule requires its groups until they are added', async () => {
		expect(await said('autoUpdate', create)).toEqual([sites, updates]);
		const added = { ...create, sites: {}, updates: {} };
		expect(await said('autoUpdate', added)).toEqual([sites, updates]);
		const chosen = { ...create, sites: { scope: { selection: 'all' } } };
		expect(await said('autoUpdate', chosen)).toEqual([updates]);
		expect(await said('autoUpdate', { resource: 'schedule', operation: 'getAll' })).toEqual([]);
	});

	it('an update requires a field', async () => {
		const update = { resource: 'tag', operation: 'update' };
		expect(await said('tag', update)).toEqual([
			'Nothing is set under "Update Fields" yet: set at least one of its fields. Click "Add Field".',
		]);
		expect(await said('tag', { ...update, updateFields: { name: 'x' } })).toEqual([]);
	});

	it('every group that an operation needs has one', async () => {
		for (const { name, properties, hints = [] } of await actionNodes()) {
			const needed = properties.filter(
				({ name: field, type, required }) =>
					field === 'updateFields' || (type === 'fixedCollection' && required),
			);
			const wanted = needed.flatMap(({ displayOptions }) => displayOptions!.show!.operation!);
			// What a new client must have is not known: any of its fields will do.
			const ofCreate = name === 'client' ? 1 : 0;
			expect([name, hints.length]).toEqual([name, wanted.length + ofCreate]);
		}
	});
});

const operations = Object.values(tables as Record<string, Resource>).flatMap((resource) =>
	resource.operations.map((one) => ({ ...one, name: `${resource.value} ${one.labels.value}` })),
);

it('a notice is shown only where something is at stake', () => {
	const harmless = operations.filter(
		({ effects, adds = [], isFinal, fields }) =>
			fields.some(({ type }) => type === 'notice') &&
			![...effects, ...adds.map(({ effect }) => effect)].some((effect) => harms[effect]) &&
			!isFinal,
	);
	expect(harmless.map(({ name }) => name)).toEqual([]);
});

it('the text of an operation has two lines in the list', () => {
	const long = operations.filter((one) => describedWithCosts(one).length > 120);
	expect(long.map(({ name }) => name)).toEqual([]);
});

it('the text of an event has two lines in the list', async () => {
	const events = (await allNodes()).flatMap(
		({ properties }) => properties.find(({ name }) => name === 'events')?.options ?? [],
	);
	expect(events.length).toBeGreaterThan(30);
	const long = events.filter((one) => 'description' in one && one.description!.length > 120);
	expect(long.map(({ name }) => name)).toEqual([]);
});

it('what guards a restore comes before what few people set', () => {
	const { fields } = operations.find(({ name }) => name === 'backup restore')!;
	const names = fields.map(({ name }) => name);
	const at = names.indexOf('onlyIfUrl');
	expect(names.slice(at, at + 4)).toEqual([
		...['onlyIfUrl', 'onlyIfName', 'preview', 'connectionMethod'],
	]);
	expect(names.filter((name) => name === 'options' || name === 'additionalFields')).toHaveLength(1);
});

it('fields that nearly everyone sets are open in a new node, and change nothing', async () => {
	const opened = (await actionNodes()).flatMap(({ properties }) =>
		properties
			.filter(({ name }) => name === 'additionalFields')
			.map(({ default: value }) => value as object)
			.filter((value) => Object.keys(value).length > 0),
	);
	expect(opened).toEqual([
		{ companyName: '', email: '' },
		{ recipients: '', sendToClient: false },
	]);
});

it('each trigger says what a published workflow begins with', async () => {
	const triggers = (await allNodes()).filter(({ polling }) => polling);
	expect(triggers).toHaveLength(7);
	for (const { activationMessage } of triggers) {
		expect(activationMessage).toContain('Earlier events do not start it');
	}
});

/**
 * n8n's guidelines ask for optional fields in collections, such as Options. Those that are not in one are here, each
 * with its reason; another one belongs in a collection.
 */
const AT_THE_TOP: Record<string, string> = {
	'n8n has them there in its own nodes': 'returnAll limit',
	'n8n reads it there only, for the tools of a model':
		'toolDescription longestResult startFrom confirmation confirmedWhat confirmedCode',
	'it guards a change, and must not be lost with a collection': 'onlyIfEmail onlyIfName onlyIfUrl',
	// In a collection that is an expression the choice, and with it a part of a restore, would be lost.
	'it decides which other fields show': [
		'includeFiles includeDatabase waitForCompletion connectionMethod',
		'method response realTimeEvents',
	].join(' '),
	'it narrows what a restore overwrites, and must not be lost with a collection': 'paths tables',
	'it is needed with one choice only, which can be an expression': [
		'until fileId path modifiedAt size backupDestinationId ftpCredentials',
		'updateFiles earlierCheck startDate endDate',
	].join(' '),
	'it narrows what starts a workflow, or is returned': 'clientId tagId siteIds backupSince',
	'it is what the request is': 'query body apiParameters',
	'without it a list of seven days looks like all of it': 'allTime',
	'it decides what an item is, as Output does': 'itemsPer',
};

const isOptional = ({ name, type, required }: INodeProperties) =>
	required !== true &&
	!['collection', 'fixedCollection', 'notice'].includes(type) &&
	!['resource', 'operation'].includes(name);

it('an optional field is in a collection, or has a reason not to be', async () => {
	const optional = (await allNodes()).flatMap(({ name: node, properties }) =>
		properties.filter(isOptional).map(({ name }) => ({ node, name })),
	);
	const known = Object.values(AT_THE_TOP).flatMap(wordsOf);
	expect(optional.filter(({ name }) => !known.includes(name))).toEqual([]);
	const used = new Set(optional.map(({ name }) => name));
	expect(known.filter((name) => !used.has(name))).toEqual([]);
});

/**
 * What the default of another parameter hides. n8n drops it before a node runs, so it must narrow or guard nothing, or
 * be needed: without it, no more is changed or read.
 */
const MAY_VANISH: Record<string, string[]> = {
	'it decides what is returned of a result': [
		...['output', 'outputFields', 'waitOptions', 'binaryPropertyName'],
		...['api limit', 'api returnAll'],
	],
	'a GET, which is the default, changes nothing': [
		...['api body', 'api preview', 'api confirmation', 'api confirmedWhat', 'api confirmedCode'],
	],
	'without it the service does not get in': ['httpAuth', 'ftpCredentials'],
	'without it, the same is overwritten, with the state of the snapshot': ['until'],
	'the other one is needed': ['path', 'modifiedAt', 'size'],
	'it is about an event that is not chosen': [
		...['overdueHours', 'checkEveryMinutes', 'includeSitesWithoutBackups'],
	],
};

/** The parameters, also of groups and collections, that are hidden unless another one of `all` is set. */
function hiddenIn(properties: INodeProperties[], all = properties): string[] {
	const isShown = (given: unknown, shown: unknown[]) =>
		[given].flat().some((each) => shown.some((one) => one === each || typeof one === 'object'));
	const isHidden = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
		Object.entries(show)
			.filter(([key]) => !/^(resource|operation|@.*)$/.test(key))
			.some(([key, shown = []]) =>
				all.some((each) => each.name === key.replace('/', '') && !isShown(each.default, shown)),
			);
	return properties.flatMap((property) => [
		...(isHidden(property) ? [property.name] : []),
		...(property.options ?? []).flatMap((option) => {
			if (isProperty(option)) return hiddenIn([option], all);
			return isGroup(option) ? hiddenIn(option.values) : [];
		}),
	]);
}

it('what narrows or guards is not hidden by a choice that is left out', () => {
	const known = Object.values(MAY_VANISH).flat();
	const hidden = built.flatMap(({ name, properties }) =>
		hiddenIn(properties).map((each) => (known.includes(each) ? each : `${name} ${each}`)),
	);
	expect([...new Set(hidden)].sort()).toEqual([...known].sort());
});

/**
 * What an AI that builds workflows reads of a node: n8n gives the whole node at once, with all fields of each
 * operation. The length of n8n's own text is bounded in e2e/agents.test.ts.
 */

/** The descriptions without what n8n adds on loading. */
const built = about.nodes.map((file) => {
	const [className] = path.basename(file).split('.');
	const classes = require(path.resolve(file)) as Record<string, new () => INodeType>;
	return new classes[className!]!().description;
});

it('has no node with more parameters or a longer description than its bounds', () => {
	const over = built
		.map((node) => ({
			name: node.name,
			parameters: node.properties.length,
			kilobytes: JSON.stringify(node).length / 1000,
		}))
		.filter((node) => node.parameters > bounds.parameters || node.kilobytes > bounds.kilobytes);
	expect(over).toEqual([]);
});

it('a long list of choices is in the order of the alphabet', () => {
	const lists = built
		.flatMap(({ properties }) => fieldsOf(properties))
		.filter(([, { type }]) => /options$/i.test(type))
		.map(([, { options = [] }]) => options.map(({ name }) => name))
		.filter((names) => names.length >= 5);
	expect(lists.length).toBeGreaterThan(50);
	for (const names of lists) expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});

// n8n takes such a condition for met, and tells of the field all the same.
it('a collection has fields, none with a condition on resource or operation', async () => {
	const wrong = (await actionNodes()).flatMap(({ name: node, properties }) =>
		properties
			.filter(({ type }) => type === 'collection')
			.filter(({ options }) => {
				const fields = options as INodeProperties[];
				const asked = fields.flatMap(({ displayOptions: { show, hide } = {} }) =>
					Object.keys({ ...show, ...hide }),
				);
				return fields.length === 0 || asked.some((key) => /^\/?(resource|operation)$/.test(key));
			})
			.map(({ name }) => `${node}: ${name}`),
	);
	expect(wrong).toEqual([]);
});
