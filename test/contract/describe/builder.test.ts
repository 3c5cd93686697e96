import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { actionNodes } from '../../support/engine';

/**
 * What an AI that builds workflows reads of a node: n8n writes down all fields of each operation, also those that
 * other operations have alike, and gives the whole node at once. n8n's own text, with the Request Options that it adds
 * to each operation, is looked at in e2e/agents.test.ts.
 */

let nodes: INodeTypeDescription[];

beforeAll(async () => {
	nodes = await actionNodes();
});

/** The operations of a node, each with all fields that it may show. */
const panelsOf = ({ name, properties }: INodeTypeDescription) =>
	properties
		.filter((property) => property.name === 'operation')
		.flatMap(({ displayOptions, options }) => {
			const [resource] = displayOptions!.show!.resource as string[];
			return (options as INodePropertyOptions[]).map(({ value }) => ({
				name: `${name}/${resource}/${String(value)}`,
				fields: properties.filter(
					({ type, displayOptions: { show } = {} }) =>
						type !== 'notice' &&
						show?.resource?.includes(resource!) &&
						show.operation?.includes(value),
				),
			}));
		});

/** What n8n leaves out of its text: it is for people, for requests, or the same in all fields of an operation. */
const UNTOLD = ['routing', 'placeholder', 'noDataExpression', 'resource', 'operation'];

/** Of choices and of the ways to name a record only their names, and no default of several lines. */
const briefly = (key: string, value: unknown) => {
	if (UNTOLD.includes(key) || (key === 'default' && String(value).includes('\n'))) return undefined;
	if (key === 'modes') return (value as INodeProperties[]).map(({ name }) => name);
	const isChoices = key === 'options' && (value as object[]).every((one) => 'value' in one);
	return isChoices ? (value as INodePropertyOptions[]).map((one) => one.value) : value;
};

/**
 * Characters of all fields of all operations, at most: some 1 % more than there are. A text that many operations have
 * counts with each of them, so a longer one is seen here. What is new may need more, which is then set here.
 */
const AT_MOST: Record<string, number> = {
	api: 2_700,
	autoUpdate: 36_200,
	backupDestination: 6_600,
	branding: 6_700,
	client: 19_700,
	managedAccount: 10_700,
	report: 18_700,
	reportTemplate: 17_500,
	scheduledReport: 27_000,
	senderEmail: 14_400,
	site: 120_100,
	stagingSite: 21_500,
	tag: 16_100,
	task: 12_200,
	teamMember: 20_500,
};

it('has a bound for each node', () => {
	expect(Object.keys(AT_MOST).sort()).toEqual(nodes.map(({ name }) => name).sort());
});

it.each(Object.entries(AT_MOST))('reads no more of %s than %i characters', (name, atMost) => {
	const node = nodes.find((one) => one.name === name)!;
	const told = panelsOf(node).map(({ fields }) => JSON.stringify(fields, briefly).length);
	expect(told.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(atMost);
});

/** The fields of collections, by their paths. */
const within = (node: INodeTypeDescription) =>
	panelsOf(node).flatMap(({ name, fields }) =>
		fields
			.filter(({ type }) => type === 'collection')
			.map((group) => ({
				path: `${name}: ${group.name}`,
				fields: group.options as INodeProperties[],
			})),
	);

// n8n takes such a condition for met, and tells of the field all the same.
it('reads of no field that an operation does not have: none in a collection asks for the operation', () => {
	const asking = nodes
		.flatMap(within)
		.flatMap(({ path, fields }) =>
			fields
				.filter(({ displayOptions: { show, hide } = {} }) =>
					Object.keys({ ...show, ...hide }).some((key) => /^\/?(resource|operation)$/.test(key)),
				)
				.map(({ name }) => `${path}.${name}`),
		);
	expect(asking).toEqual([]);
});

it('reads of no collection without fields', () => {
	const empty = nodes.flatMap(within).filter(({ fields }) => fields.length === 0);
	expect(empty.map(({ path }) => path)).toEqual([]);
});
