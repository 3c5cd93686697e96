import * as known from '../../../nodes/resources';
import type { Operation } from '../../../nodes/shared/operation/index';
import { nextNodes } from '../../../tools/docs/nextNodes';
import { outputFaults } from '../../support/outputRules';
import { everyOperation, readText, reference } from '../../support/reference';
import { builtSchema } from '../../support/schemaCheck';
import { recordSizes } from '../../../tools/docs/sizes';

const resources = Object.values(known);

/**
 * What comes out of each operation by default, by the schemas of the built package. That the operations give what
 * these say, flat, is seen in the cases of each (test/support/operationCases.ts).
 */

const names = reference.map(({ operation }) => operation);

const tables = new Map<string, Operation>(
	resources.flatMap(({ value, operations }) =>
		operations.map((one) => [`${value}/${one.labels.value}`, one] as const),
	),
);

const tableOf = (name: string) => tables.get(name.replace(/^\w+\//, ''))!;

const fieldsOf = (name: string) => Object.keys(builtSchema(name).properties!);

it.each(names)('%s gives flat fields', (name) => {
	for (const schema of Object.values(builtSchema(name).properties!)) {
		const type = schema.type === 'array' ? schema.items?.type : schema.type;
		expect(['string', 'number', 'boolean']).toContain(type);
	}
});

it.each(names)('%s has names by the rules, in the order in which people read', (name) => {
	expect(outputFaults(fieldsOf(name))).toEqual([]);
});

it('an ID is that of a record of the resource, and of no other', () => {
	const startsTask = (name: string) => tableOf(name).answer.kind === 'task';
	const isOfOther = (name: string) =>
		startsTask(name) ||
		/\/(getVersions|getStats|assign|skip|sendEmail|findSitesWithoutBackup|count|sync)$/.test(name);
	const withId = names.filter((name) => fieldsOf(name).includes('id'));
	expect(withId.filter(isOfOther)).toEqual([]);
	expect(withId.length).toBeGreaterThan(85);
	for (const name of names.filter(startsTask)) {
		expect(fieldsOf(name)).toEqual(
			expect.arrayContaining(['task_id', 'task_status', 'task_started_at']),
		);
	}
});

it('no two fields of a record are the same value', () => {
	const doubles = [...tables].flatMap(([name, { answer }]) => {
		const output = 'result' in answer ? answer.result.output : 'output' in answer && answer.output;
		const places = output ? Object.values(output.simplified) : [];
		return places
			.filter((place, index) => places.indexOf(place) !== index)
			.map((place) => [name, place]);
	});
	expect(doubles).toEqual([]);
});

/** Names of what has no ID in the API reference, and of what the record itself is. */
const WITHOUT_ID = [
	...['user_name', 'author_name', 'company_name', 'first_name', 'last_name', 'type_name'],
	'file_name',
];

/** Of a list of sites the IDs would make each too long for a model; a single one has them. */
const IN_FULL_ONLY: Record<string, string[]> = { 'site/site/getAll': ['tag_names'] };

it.each(names)('%s has the IDs next to the names', (name) => {
	const fields = fieldsOf(name);
	const wanted = fields
		.filter((field) => /_(name|title)s?$/.test(field) && !WITHOUT_ID.includes(field))
		.filter((field) => !IN_FULL_ONLY[name]?.includes(field))
		.map((field) => field.replace(/_(?:name|title)(s?)$/, '_id$1'));
	expect(fields).toEqual(expect.arrayContaining(wanted));
});

const belowSites = names.filter((name) => tableOf(name).route.includes('/sites/{siteId}/'));

it.each(belowSites.filter((name) => !/^site\/site\/(?!sync)/.test(name)))(
	'%s has site_id',
	(name) => {
		expect(fieldsOf(name)).toContain('site_id');
	},
);

it('the page has every operation, with what the next node does', () => {
	const page = readText('docs/outputs.md');
	expect(Object.keys(nextNodes).sort()).toEqual(
		everyOperation.map(({ operation }) => operation).sort(),
	);
	for (const [name, text] of Object.entries(nextNodes)) {
		const fields = fieldsOf(name).map((field) => `\`${field}\``);
		expect(page).toContain(`| ${fields.join(', ')} | ${text} |`);
	}
});

it('a site of a list is short enough for a model', async () => {
	const sites = resources.filter(({ value }) => value === 'site');
	const sizes = await recordSizes(sites);
	const ofLists = sizes.find(({ operation }) => operation === 'Site: Get Many')!;
	expect(ofLists.simplified).toBeLessThan(405);
});
