import type { INodeProperties } from 'n8n-workflow';

type Mode = NonNullable<INodeProperties['modes']>[number];

interface Search {
	/** The list search that fills From List. */
	by: string;
	/** Whether it takes a text to search for: the API has a fitting filter. */
	searchable?: boolean;
}

/** An id that the user picks from a list or enters. */
function locator(
	displayName: string,
	name: string,
	{ by, searchable = true }: Search,
	idExample: string,
	otherModes: Mode[] = [],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: `The ${displayName.toLowerCase()} to work on`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: by, searchable },
			},
			...otherModes,
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${idExample}`,
			},
		],
	};
}

const siteByUrl: Pick<INodeProperties, 'modes'> = {
	modes: [
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://www.example.com',
			hint: 'The exact host: staging.example.com is not example.com',
		},
	],
};

const all = [
	locator('Site', 'siteId', { by: 'searchSites' }, '5f0c2a9d41', siteByUrl.modes),
	locator('Tag', 'tagId', { by: 'searchTags' }, '42'),
	locator('Task', 'taskId', { by: 'searchTasks', searchable: false }, '9b1f6c2e70'),
];

/** The locator for each id that a path can ask for: `/tags/{tagId}` gets the one named `tagId`. */
export const locators: Record<string, INodeProperties> = Object.fromEntries(
	all.map((property) => [property.name, property]),
);
