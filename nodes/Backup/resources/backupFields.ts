import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../../shared/describe';
import { at, idField, inBody, jsonInto, listOf, onlyWith } from '../../shared/describe';
import { includeDatabase, includeFiles } from '../../shared/resources/backupScope';
import { httpAuth } from '../../shared/resources/siteRecords';

/** Fields of backup operations. Source: Part B, 4.6. */

const paths = listOf(
	{
		displayName: 'Paths',
		name: 'paths',
		type: 'string',
		default: '',
		placeholder: 'e.g. ./wp-content/uploads/, ./index.php',
		description:
			'Files and folders to include. If blank, all. Folders end with a slash. A path that contains a comma needs an array.',
	},
	'path',
);

const tables = listOf({
	displayName: 'Tables',
	name: 'tables',
	type: 'string',
	default: '',
	placeholder: 'e.g. wp_posts, wp_options',
	description: 'Names of the tables to include. If blank, all.',
});

const isOn = (value: unknown) => String(value).trim().toLowerCase() === 'true';

/** A restore needs files or the database. */
const somethingIncluded: Field['rule'] = (value, read) =>
	isOn(value) || isOn(read(includeFiles.name))
		? undefined
		: 'is off, and so is "Include Files". Turn on at least one of them';

/**
 * Which files and tables of a snapshot.
 * @param needsAny whether nothing at all is refused
 */
export function scopeFields(wrapper: string, { needsAny = false } = {}): INodeProperties[] {
	const rule = needsAny ? somethingIncluded : undefined;
	return [
		at('scope.include_files', includeFiles),
		at('scope.paths', onlyWith(includeFiles, true, paths)),
		at('scope.include_database', { ...includeDatabase, rule }),
		at('scope.tables', onlyWith(includeDatabase, true, tables)),
	].map((field) => inBody(wrapper, field));
}

const provider: Field = {
	displayName: 'Provider',
	name: 'provider',
	type: 'options',
	options: [
		{ name: 'Cloudstore A', value: 'cloudstore_a' },
		{ name: 'Cloudstore B', value: 'cloudstore_b' },
	],
	default: 'cloudstore_a',
	required: true,
	description: 'Storage provider to upload to. Cloudstore B requires a saved destination.',
};

const destinationId = idField(
	'backupDestinationId',
	'The saved and connected destination of the provider',
);

/** Where an upload goes. */
export const destinationFields = (wrapper: string): Field[] =>
	[
		at('destination.provider', provider),
		at('destination.id', onlyWith(provider, 'cloudstore_b', { ...destinationId, required: true })),
	].map((field) => inBody(wrapper, field));

const connectionMethod: Field = {
	displayName: 'Connection',
	name: 'connectionMethod',
	type: 'options',
	closed: 'form',
	options: [
		{ name: 'Default', value: '', description: 'No connection details are sent' },
		{ name: 'FTP', value: 'ftp', description: 'With credentials for the server and the database' },
		{
			name: 'HTTP',
			value: 'http',
			description: 'With a username and a password, if the web server asks for them',
		},
	],
	default: '',
	description: 'How the service reaches the site that it writes to',
};

const credentials: Field = {
	displayName: 'FTP Credentials',
	name: 'ftpCredentials',
	type: 'json',
	default: '{}',
	required: true,
	description:
		'The credentials for the server and the database, as a JSON object. The object is sent as "credentials" of the connection. The API reference does not name its fields.',
	secret: true,
	hint: 'Anything you type here is saved in the workflow. Use an expression for passwords.',
};

/** How the site that is written to is reached. */
export const connectionFields = (wrapper: string, rule?: Field['rule']): Field[] => [
	inBody(wrapper, at('connection.method', { ...connectionMethod, rule })),
	inBody(
		wrapper,
		at('connection.credentials.http_auth', onlyWith(connectionMethod, 'http', httpAuth)),
	),
	jsonInto(`${wrapper}.connection.credentials`, onlyWith(connectionMethod, 'ftp', credentials)),
];
