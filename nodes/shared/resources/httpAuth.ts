import type { Field } from '../describe';

/** `http_auth {username, password}`. Source: Part B, 2.1. */
export const httpAuth: Field = {
	displayName: 'HTTP Basic Auth',
	name: 'httpAuth',
	type: 'fixedCollection',
	placeholder: 'Add User and Password',
	default: {},
	description: 'Username and password that the web server of the site asks for',
	options: [
		{
			displayName: 'User and Password',
			name: 'credentials',
			values: [
				{
					displayName: 'Username',
					name: 'username',
					type: 'string',
					default: '',
					required: true,
					placeholder: 'e.g. agency',
				},
				{
					displayName: 'Password',
					name: 'password',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					required: true,
				},
			],
		},
	],
};
