import type { Field } from '../../shared/describe';
import { toUrl } from '../../shared/input/forms';
import {
	act,
	additionalFields,
	at,
	get,
	inBody,
	irreversible,
	ofAccount,
	on,
	operation,
	resource,
	verb,
	warning,
} from '../../shared/describe';

const type: Field = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	closed: 'form',
	options: [
		{ name: 'Custom', value: 'custom', description: 'Show the details that you enter' },
		{ name: 'Default', value: 'default', description: 'Show the default details of the account' },
		{ name: 'Hidden', value: 'hidden', description: 'Show no plugin details' },
	],
	default: 'custom',
	required: true,
	description: 'Which plugin details the sites show',
};

/** The type can be an expression, which the editor cannot evaluate. */
const onlyCustom: Field['rule'] = (_, read) =>
	read('type') === 'custom' ? undefined : 'can only be set with the type "custom"';

const details: Field[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Website Care',
		description: 'Name of the plugin',
		rule: onlyCustom,
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Backups and updates of this website',
		description: 'What the plugin does',
		rule: onlyCustom,
	},
	at('author.name', {
		displayName: 'Author Name',
		name: 'authorName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Example Ltd',
		rule: onlyCustom,
	}),
	at('author.url', {
		displayName: 'Author URL',
		name: 'authorUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://www.example.com',
		as: toUrl,
		description: 'URL that the author name links to',
		rule: onlyCustom,
	}),
];

const wrapper = 'plugin_branding';

/** It has no ID. */
const answer = { wrapper, needs: 'type' };

const does = { usual: 'changesSites', reset: ['changesSites', 'destroys'] } as const;

/** Part A, 4.6. */
export const pluginBranding = resource('Plugin Branding', 'pluginBranding', does, [
	get('Get plugin branding', on('GET /whitelabel/plugin-branding', 'noSite'), {
		...answer,
		description: 'Get the plugin branding of the account',
	}),
	operation(
		verb('Update plugin branding', 'Update the plugin branding of the account'),
		ofAccount('POST /whitelabel/plugin-branding/update'),
		[
			warning(
				'This setting applies to all sites of the account. The plan must include plugin branding. The operation fails while another settings update is in progress.',
			),
			inBody(wrapper, type),
			...additionalFields(wrapper, details).map((field) => ({
				...field,
				displayOptions: { show: { type: ['custom'] } },
			})),
		],
		{ ...answer, settles: true },
	),
	irreversible(
		'the default details replace the branding of the account',
		act('Reset plugin branding', ofAccount('POST /whitelabel/plugin-branding/reset'), {
			description: 'Reset the plugin branding to the default',
			...answer,
			proves: { type: 'default' },
			settles: true,
		}),
		'The operation fails while another settings update is in progress.',
	),
]);
