import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../../shared/describe';
import { at, listOf } from '../../shared/describe';

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
			values: [
				{
					displayName: 'Selection',
					name: 'selection',
					type: 'options',
					options: [
						{ name: 'All', value: 'all', description: 'Every site of the account' },
						{ name: 'Specific', value: 'specific', description: 'The sites with these IDs' },
					],
					default: 'specific',
				},
				at(
					'ids',
					listOf({
						displayName: 'Site IDs',
						name: 'siteIds',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. 5f0c2a9d41, 77ab03ce12',
						description: 'IDs of the sites',
						displayOptions: { show: { selection: ['specific'] } },
					}),
				),
			],
		},
	],
};

const selections: INodePropertyOptions[] = [
	{ name: 'All', value: 'all' },
	{ name: 'None', value: 'none' },
	{ name: 'Specific', value: 'specific', description: 'Those with these file names' },
];

const fileNames: Field = listOf({
	displayName: 'Files to Update',
	name: 'fileNames',
	type: 'string',
	default: '',
	required: true,
	description: 'File names of what is updated',
});

/** What is not in the request is not part of the updates. */
const withoutNone = (categories: unknown): IDataObject =>
	Object.fromEntries(
		Object.entries(categories as IDataObject).filter(
			([, category]) => (category as IDataObject).selection !== 'none',
		),
	);

/** What a schedule updates, always as a whole. Part A, 2.7 and 4.7. */
export const updates: Field = {
	displayName: 'Updates',
	name: 'updates',
	type: 'fixedCollection',
	placeholder: 'Add Updates',
	default: {},
	description: 'All that the schedule updates; what is not chosen here is not updated',
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
					description: 'Whether the core of the site is updated',
				},
				at('plugins.selection', {
					displayName: 'Plugins',
					name: 'plugins',
					type: 'options',
					options: selections,
					default: 'all',
					description: 'The plugins that are updated',
				}),
				at('plugins.filenames', {
					...fileNames,
					displayName: 'Plugins to Update',
					name: 'pluginFileNames',
					placeholder: 'e.g. page-cache/page-cache.php',
					displayOptions: { show: { plugins: ['specific'] } },
				}),
				at('themes.selection', {
					displayName: 'Themes',
					name: 'themes',
					type: 'options',
					options: selections,
					default: 'all',
					description: 'The themes that are updated',
				}),
				at('themes.filenames', {
					...fileNames,
					displayName: 'Themes to Update',
					name: 'themeFileNames',
					placeholder: 'e.g. plain-paper',
					displayOptions: { show: { themes: ['specific'] } },
				}),
			],
		},
	],
};
