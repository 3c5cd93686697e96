import { at } from '../../shared/describe/about';
import { update } from '../../shared/describe/changes';
import { idField } from '../../shared/describe/fields';
import { kept, outputOf } from '../../shared/describe/output';
import { act, get, resource } from '../../shared/describe/resource';
import { text } from '../../shared/input/kinds';
import { ofAccount, on } from '../../shared/operation';
import { form } from '../../shared/input/convert';

const wrapper = 'wp_login';

const logoFile = text('logoBinaryField', 'Logo Input Binary Field', {
	default: 'data',
	hint: 'The name of the input binary field that holds the image',
	target: { type: 'dataUri', property: `${wrapper}.logo_file` },
});

export const toImageUri = form(
	/^data:image\/[^;,\s]+;base64,[A-Za-z0-9+/]+={0,2}$/,
	'is not an image as a data URI, such as data:image/png;base64,iVBORw0KGgo=',
);

const logoDataUri = text('logoDataUri', 'Logo Data URI', {
	wire: 'logo_file',
	placeholder: 'e.g. data:image/png;base64,iVBORw0KGgo=',
	description: 'The image as a base64 data URI',
	as: toImageUri,
});

const texts = [
	text('label', 'Label', {
		placeholder: 'e.g. Your name',
		description: 'Text of the label on the login screen',
	}),
	text('errorMessage', 'Error Message', {
		placeholder: 'e.g. That is not the right answer',
		description: 'Text of the error message on the login screen',
	}),
	text('tooltip', 'Tooltip', {
		placeholder: 'e.g. As in our contract',
		description: 'Text of the tooltip on the login screen',
	}),
];

const senderEmail = at('sender_email.id', idField('senderEmailId', 'The sender email to use'));

/** Part A, 2.6: the logo is a whole image as text. */
const output = outputOf(
	{
		...kept('type', 'label', 'error_message', 'tooltip'),
		sender_email_id: 'sender_email.id',
		sender_email: 'sender_email.email',
		has_logo: ({ logo_file: logo }) => Boolean(logo),
	},
	['logo_file'],
);

/** It has no ID. */
const answer = { wrapper, needs: 'type', output };

const does = { usual: 'changesSites', reset: ['changesSites', 'destroys'] } as const;

/** Part A, 4.6. */
export const loginScreenBranding = resource('Login Screen Branding', does, [
	get('Get login screen branding', on('GET /whitelabel/wp-login', 'noSite'), {
		...answer,
		description: 'Get the login screen branding of the account',
	}),
	update('Update login screen branding', ofAccount('POST /whitelabel/wp-login/update'), {
		...answer,
		description: 'Update the login screen branding of the account',
		fields: [logoFile, logoDataUri, ...texts, senderEmail],
		clear: {
			logo_file: 'Logo',
			label: 'Label',
			error_message: 'Error Message',
			tooltip: 'Tooltip',
			sender_email: 'Sender Email',
		},
		notice:
			'This setting applies to the whole account, not to one site. The plan must include login screen branding. The operation fails while another settings update is in progress.',
	}),
	act('Reset login screen branding', ofAccount('POST /whitelabel/wp-login/reset'), {
		description: 'Reset the login screen branding to the default',
		irreversible: 'all custom settings of the login screen are removed',
		notice: 'The operation fails while another settings update is in progress.',
		...answer,
		proves: { type: 'default' },
	}),
]);
