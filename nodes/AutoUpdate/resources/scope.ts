import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../../shared/describe';
import { at, idList, listOf, onlyWith } from '../../shared/describe';
import { recordIn } from '../../shared/lib/records';

const selection: Field = {
	displayName: 'Selection',
	name: 'selection',
	type: 'options',
	closed: 'form',
	options: [
		{ name: 'All', value: 'all', description: 'Every site of the account' },
		{ name: 'Specific', value: 'specific', description: 'The sites with these IDs or URLs' },
	],
	default: 'specific',
};

const siteIds: Field = { ...idList('siteIds'), required: true };

/** The sites of a schedule. Part A, 2.7. */
export const sites: Field = {
	displayName: 'Sites',
	name: 'sites',
	type: 'fixedCollection',
	placeholder: 'Add Sites',
	default: {},
	description: 'The sites that the schedule updates',
	options: [
		{
			displayName: 'Sites to Update',
			name: 'scope',
			values: [selection, at('ids', onlyWith(selection, 'specific', siteIds))],
		},
	],
};

const selections: INodePropertyOptions[] = [
	{ name: 'All', value: 'all' },
	{ name: 'None', value: 'none' },
	{ name: 'Specific', value: 'specific', description: 'Only these file names' },
];

/** Which of the plugins or themes are updated, and the file names of the chosen ones. */
function choice(label: string, name: string, fileNamesName: string, placeholder: string): Field[] {
	const which: Field = {
		displayName: label,
		name,
		type: 'options',
		closed: 'form',
		options: selections,
		default: 'all',
		description: `The ${name} to update`,
	};
	const fileNames = listOf(
		{
			displayName: `${label} to Update`,
			name: fileNamesName,
			type: 'string',
			default: '',
			required: true,
			placeholder,
			description: 'File names of what is updated',
		},
		'filename',
	);
	return [
		at(`${name}.selection`, which),
		at(`${name}.filenames`, onlyWith(which, 'specific', fileNames)),
	];
}

/** Components that the request leaves out are not updated. */
const withoutNone = (categories: unknown): IDataObject =>
	Object.fromEntries(
		Object.entries(recordIn(categories)).filter(
			([, category]) => recordIn(category).selection !== 'none',
		),
	);

/** What a schedule updates, always as a whole. Part A, 2.7 and 4.7. */
export const updates: Field = {
	displayName: 'Updates',
	name: 'updates',
	type: 'fixedCollection',
	placeholder: 'Add Updates',
	default: {},
	description:
		'Everything that the schedule updates. Anything you do not choose here is not updated.',
	as: withoutNone,
	options: [
		{
			displayName: 'What to Update',
			name: 'categories',
			values: [
				{
					displayName: 'Core',
					name: 'cmsCore',
					type: 'boolean',
					default: true,
					description: 'Whether to update the core',
				},
				...choice('Plugins', 'plugins', 'pluginFileNames', 'e.g. page-cache/page-cache.php'),
				...choice('Themes', 'themes', 'themeFileNames', 'e.g. plain-paper'),
			],
		},
	],
};
