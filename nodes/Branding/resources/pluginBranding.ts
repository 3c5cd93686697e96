import { inBody } from '../../shared/describe/about';
import { additionalFields } from '../../shared/describe/fields';
import { act, get, resource } from '../../shared/describe/resource';
import type { Field } from '../../shared/input/field';
import { choice, optionsFrom, text } from '../../shared/input/kinds';
import { ofAccount, on } from '../../shared/operation';
import { toUrl } from '../../shared/input/forms';

const type = choice('type', 'Type', {
	closed: 'form',
	options: optionsFrom({
		custom: ['Custom', 'Show the details that you enter'],
		default: ['Default', 'Show the default details of the account'],
		hidden: ['Hidden', 'Show no plugin details'],
	}),
	default: 'custom',
	required: true,
	description: 'Which plugin details the sites show',
});

/** The type can be an expression, which the editor cannot evaluate. */
const onlyCustom: Field['rule'] = (_, read) =>
	read('type') === 'custom' ? undefined : 'can only be set with the type "custom"';

const details: Field[] = [
	text('name', 'Name', {
		placeholder: 'e.g. Website Care',
		description: 'Name of the plugin',
		rule: onlyCustom,
	}),
	text('description', 'Description', {
		placeholder: 'e.g. Backups and updates of this website',
		description: 'What the plugin does',
		rule: onlyCustom,
	}),
	text('authorName', 'Author Name', {
		wire: 'author.name',
		placeholder: 'e.g. Example Ltd',
		rule: onlyCustom,
	}),
	text('authorUrl', 'Author URL', {
		wire: 'author.url',
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
export const pluginBranding = resource('Plugin Branding', does, [
	get('Get plugin branding', on('GET /whitelabel/plugin-branding', 'noSite'), {
		...answer,
		description: 'Get the plugin branding of the account',
	}),
	act('Update plugin branding', ofAccount('POST /whitelabel/plugin-branding/update'), {
		description: 'Update the plugin branding of the account',
		notice:
			'This setting applies to all sites of the account. The plan must include plugin branding. The operation fails while another settings update is in progress.',
		fields: [
			...inBody(wrapper, [type]),
			...additionalFields(wrapper, details).map((field) => ({
				...field,
				displayOptions: { show: { type: ['custom'] } },
			})),
		],
		...answer,
		settles: true,
	}),
	act('Reset plugin branding', ofAccount('POST /whitelabel/plugin-branding/reset'), {
		description: 'Reset the plugin branding to the default',
		irreversible: 'the default details replace the branding of the account',
		notice: 'The operation fails while another settings update is in progress.',
		...answer,
		proves: { type: 'default' },
	}),
]);
