import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { builtOperations } from '../../support/builtOperations';
import { actionNodes } from '../../support/engine';
import { readText } from '../../support/reference';

/** docs/nodes.md names every parameter, though it explains what many operations have only once. */

const sections = new Map(
	readText('docs/nodes.md')
		.split(/^(?=#{2,4} )/m)
		.map((section) => {
			const [heading = '', ...lines] = section.split('\n');
			return [heading.replace(/^#+ /, ''), lines.join('\n')] as const;
		}),
);

/** `backup/backup/restore` by the heading of its section, `Backup: Restore`. */
async function headings(): Promise<Map<string, string>> {
	const named = (await actionNodes()).flatMap(({ name: node, properties }) => {
		const optionsOf = (name: string) => properties.filter((property) => property.name === name);
		const [resources] = optionsOf('resource');
		return optionsOf('operation').flatMap(({ displayOptions, options = [] }) => {
			const [resource] = displayOptions!.show!.resource as string[];
			const { name } = resources!.options!.find((one) => 'value' in one && one.value === resource)!;
			return options.map((operation) => [
				`${node}/${resource}/${'value' in operation ? String(operation.value) : ''}`,
				`${name}: ${operation.name}`,
			]);
		});
	});
	return new Map(named as [string, string][]);
}

/** The names of parameters, also of those in collections; a sort is shown as one. */
const namesIn = (fields: INodeProperties[]): string[] =>
	fields.flatMap(({ name, displayName, type, description, hint, options = [] }) => {
		if (type === 'notice') return [];
		const inner = options.flatMap((option) =>
			'values' in option ? (option as INodePropertyCollection).values : [option as INodeProperties],
		);
		if (name === 'sort' || (type !== 'collection' && type !== 'fixedCollection'))
			return [displayName];
		return [...(description || hint ? [displayName] : []), ...namesIn(inner)];
	});

/** The parameters of a section: the first cells of its tables, and the names after "Also". */
const shownIn = (section: string) => [
	...[...section.matchAll(/^\| (?:[^|]+: )?([^|:]+) \|/gm)].map(([, name]) => name!),
	...(/^\*Also:\* (.*)\.$/m.exec(section)?.[1] ?? '')
		.replace(/(?<=Sort) \([^()]*\)| \([^()]*,[^()]*\)/g, '')
		.split(', '),
];

it('has every parameter of every operation in its section', async () => {
	const headingOf = await headings();
	const operations = await builtOperations();
	expect(operations.length).toBeGreaterThan(100);
	const missing = operations.flatMap(({ name, fields }) => {
		const section = sections.get(headingOf.get(name)!) ?? '';
		// The filters of a count are those of its list.
		if (name.endsWith('/count')) return section.includes('[Get Many](#') ? [] : [name];
		const shown = shownIn(section);
		return namesIn(fields)
			.filter((parameter) => !shown.includes(parameter))
			.map((parameter) => `${name}: ${parameter}`);
	});
	expect(missing).toEqual([]);
});

it('explains each parameter that operations only name', () => {
	const explained = shownIn(sections.get('Shared parameters') ?? '');
	const named = [...sections.values()].flatMap((section) =>
		/^\*Also:\*/m.test(section) ? shownIn(/^\*Also:.*$/m.exec(section)![0]) : [],
	);
	expect(named.length).toBeGreaterThan(100);
	expect([...new Set(named)].filter((name) => !explained.includes(name))).toEqual([]);
});
