import type { Field } from '../../shared/describe';
import {
	asRequired,
	at,
	choice,
	idField,
	json,
	list,
	onlyWith,
	optionsFrom,
} from '../../shared/describe';
import { includeDatabase, includeFiles } from '../../shared/resources/backupScope';
import { httpAuth } from '../../shared/resources/siteRecords';
import { toTexts } from '../../shared/input/convert';

/** Fields of backup operations. Source: Part B, 4.6. */

const paths = list('paths', 'Paths', {
	placeholder: 'e.g. ./wp-content/uploads/, ./index.php',
	description:
		'Files and folders to include. If blank, all. Folders end with a slash. A path that contains a comma needs an array.',
	as: toTexts('path'),
});

const tables = list('tables', 'Tables', {
	placeholder: 'e.g. wp_posts, wp_options',
	description: 'Names of the tables to include. If blank, all.',
});

const isOn = (value: unknown) => String(value).trim().toLowerCase() === 'true';

/** A restore needs files or the database. */
export const somethingIncluded: Field['rule'] = (value, read) =>
	isOn(value) || isOn(read(includeFiles.name))
		? undefined
		: 'is off, and so is "Include Files". Turn on at least one of them';

/** Which files and tables of a snapshot. */
export const scopeFields = (rule?: Field['rule']): Field[] => [
	includeFiles,
	at('scope.paths', onlyWith(includeFiles, true, paths)),
	{ ...includeDatabase, rule },
	at('scope.tables', onlyWith(includeDatabase, true, tables)),
];

const provider = choice('provider', 'Provider', {
	options: optionsFrom({ cloudstore_a: 'Cloudstore A', cloudstore_b: 'Cloudstore B' }),
	default: 'cloudstore_a',
	required: true,
	description: 'Storage provider to upload to. Cloudstore B requires a saved destination.',
});

const destinationId = idField(
	'backupDestinationId',
	'The saved and connected destination of the provider',
);

/** Where an upload goes. */
export const destinationFields: Field[] = [
	at('destination.provider', provider),
	at('destination.id', onlyWith(provider, 'cloudstore_b', asRequired(destinationId))),
];

const connectionMethod = choice('connectionMethod', 'Connection', {
	closed: 'form',
	options: optionsFrom({
		'': ['Default', 'No connection details are sent'],
		ftp: ['FTP', 'With credentials for the server and the database'],
		http: ['HTTP', 'With a username and a password, if the web server asks for them'],
	}),
	description: 'How the service reaches the site that it writes to',
});

const credentials = json('ftpCredentials', 'FTP Credentials', {
	required: true,
	description:
		'The credentials for the server and the database, as a JSON object. The object is sent as "credentials" of the connection. The API reference does not name its fields.',
	secret: true,
	hint: 'Anything you type here is saved in the workflow. Use an expression for passwords.',
});

/** How the site that is written to is reached. */
export const connectionFields = (wrapper: string, rule?: Field['rule']): Field[] => [
	at('connection.method', { ...connectionMethod, rule }),
	at('connection.credentials.http_auth', onlyWith(connectionMethod, 'http', httpAuth)),
	{
		...onlyWith(connectionMethod, 'ftp', credentials),
		target: { type: 'merge', property: `${wrapper}.connection.credentials` },
	},
];
