import { asRequired, at, inBody, onlyWith, seldom } from '../../shared/describe/about';
import { fromGoodSnapshot } from '../../shared/describe/changes';
import { additionalFields, idField, list, queryOptions } from '../../shared/describe/fields';
import { madeAs } from '../../shared/describe/output';
import { act, resource, type Rest, type Word } from '../../shared/describe/resource';
import type { Field } from '../../shared/input/field';
import { choice, json, optionsFrom, text } from '../../shared/input/kinds';
import { judged, on, type TaskResult } from '../../shared/operation';
import { toSiteUrl } from '../../shared/input/forms';
import { toIds, toTexts, wholePaths } from '../../shared/input/convert';
import { eventFields, includeDatabase, includeFiles } from '../../shared/resources/backupScope';
import { doneOutput, snapshotOutput } from '../../shared/resources/outputs';
import { httpAuth } from '../../shared/resources/siteRecords';
import { findSitesWithoutBackup } from './findSites';
import { leaveOutMissing, scopeInSnapshot } from '../scopeInSnapshot';

/* Fields of the operations with a snapshot. Source: Part B, 4.6. */

const paths = list('paths', 'Paths', {
	placeholder: 'e.g. ./wp-content/uploads/, ./index.php',
	description:
		'Files and folders to include. Folders end with a slash. A path that contains a comma needs an array.',
	hint: 'If blank, all files and folders',
	as: toTexts('path'),
	rule: wholePaths,
});

const tables = list('tables', 'Tables', {
	placeholder: 'e.g. wp_posts, wp_options',
	description: 'Names of the tables to include',
	hint: 'If blank, all tables',
});

const isOn = (value: unknown) => String(value).trim().toLowerCase() === 'true';

/** A restore needs files or the database. */
const somethingIncluded: Field['rule'] = (value, read) =>
	isOn(value) || isOn(read(includeFiles.name))
		? undefined
		: 'is off, and so is "Include Files". Turn on at least one of them';

const scopeFields = (rule?: Field['rule']): Field[] => [
	includeFiles,
	at('scope.paths', onlyWith(includeFiles, true, paths)),
	{ ...includeDatabase, rule },
	at('scope.tables', onlyWith(includeDatabase, true, tables)),
];

const provider = choice('provider', 'Provider', {
	options: optionsFrom({ cloudstore_a: 'Cloudstore A', cloudstore_b: 'Cloudstore B' }),
	// n8n drops a destination whose choice is left out.
	default: 'cloudstore_b',
	required: true,
	description: 'Storage provider to upload to. Cloudstore B requires a saved destination.',
});

const destinationId = idField(
	'backupDestinationId',
	'The saved and connected destination of the provider',
);

const destinationFields: Field[] = [
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

const connectionFields = (wrapper: string, rule?: Field['rule']): Field[] => [
	at('connection.method', { ...connectionMethod, rule }),
	at('connection.credentials.http_auth', onlyWith(connectionMethod, 'http', httpAuth)),
	{
		...onlyWith(connectionMethod, 'ftp', credentials),
		target: { type: 'merge', property: `${wrapper}.connection.credentials` },
	},
];

const type = choice('type', 'Type', {
	closed: 'form',
	options: optionsFrom({
		external: ['External', 'To a site outside the account, over FTP'],
		internal: ['Internal', 'To another site of the same account'],
	}),
	default: 'internal',
	required: true,
	description: 'Whether the destination is inside or outside the account',
});

const destinationUrl = text('destinationUrl', 'Destination URL', {
	required: true,
	placeholder: 'e.g. https://www.example.com',
	description: 'URL of the site that the snapshot is written to',
	as: toSiteUrl,
});

const subsiteIds = list('subsiteIds', 'Subsite IDs', {
	placeholder: 'e.g. 2, 3',
	description:
		'IDs of the subsites of a multisite to restore. If Paths or Tables is set, those are restored instead.',
	as: toIds,
});

const message = text('message', 'Message', {
	placeholder: 'e.g. Before the redesign',
	description: 'Note to attach to the new snapshot',
});

/** External migrations use FTP, and only they do. */
const fitsType: Field['rule'] = (value, read) => {
	const method = String(value).trim();
	const external = read(type.name) === 'external';
	if (external === (method === 'ftp')) return undefined;
	return external
		? 'must be "FTP" for an external migration'
		: 'cannot be "FTP" for an internal migration';
};

type Task = Rest & { sent?: TaskResult['sent'] };

const startTask: Word<[Task]> = (action, place, { sent, ...rest }) => ({
	...act(action, judged(place), { ...rest, kind: 'task', result: { output: doneOutput, sent } }),
	looksUp: scopeInSnapshot,
	beside: { files: 'string', tables: 'string', scope_check: 'string' },
});

const fromSnapshot: Word<[task: Task, ...options: Field[]]> = (action, place, task, ...options) =>
	fromGoodSnapshot(startTask(action, judged(place), task), leaveOutMissing, ...options);

const switched = { wrapper: 'backups', needs: 'enabled', renamed: { enabled: 'backups_enabled' } };

const does = {
	usual: 'cares',
	migrate: ['changesSites', 'destroys'],
	restore: 'changesSites',
	disable: 'weakens',
	upload: 'cares',
} as const;

/** Part B, 4.6 and 4.7. */
export const backup = resource('Backup', does, [
	act('Back up site', 'POST /sites/{siteId}/sync', {
		name: 'Back Up',
		value: 'sync',
		description: 'Create a new snapshot of a site (the API calls this sync)',
		fields: additionalFields('sync', [message]),
		kind: 'sync',
		proves: { in_progress: true },
		result: { output: madeAs('snapshot_id', snapshotOutput) },
	}),
	findSitesWithoutBackup,
	startTask('Download backup', 'POST /sites/{siteId}/backups/{snapshotId}/download', {
		description:
			'Start a task that packages a snapshot as an archive. Its address is only in the dashboard.',
		fields: [
			...inBody('download', [...scopeFields(), ...eventFields]),
			...queryOptions([leaveOutMissing]),
		],
	}),
	fromSnapshot('Upload backup', 'POST /sites/{siteId}/backups/{snapshotId}/upload', {
		description: 'Start a task that uploads a snapshot to a storage provider',
		irreversible: 'the service cannot remove the uploaded copy',
		fields: inBody('upload', [...destinationFields, ...scopeFields(), ...eventFields]),
		sent: { provider: 'upload.destination.provider' },
	}),
	fromSnapshot(
		'Migrate backup',
		on('POST /sites/{siteId}/backups/{snapshotId}/migrate', { destination: 'migration' }),
		{
			description: 'Start a task that writes a snapshot to another site',
			irreversible: 'overwrites the site at the destination URL',
			notice:
				'Check that you no longer need the current content of the destination. That site may be live.',
			overwrites: 'migration.destination_url',
			fields: inBody('migration', [
				...[type, destinationUrl, ...scopeFields()],
				...connectionFields('migration', fitsType),
				...eventFields,
			]),
			sent: { destination_url: 'migration.destination_url' },
		},
	),
	fromSnapshot(
		'Restore site from backup',
		on('POST /sites/{siteId}/backups/{snapshotId}/restore', { destination: 'restore' }),
		{
			description: 'Start a task that restores a site from a snapshot',
			irreversible: 'overwrites the live site',
			notice:
				'The files and tables that you include are overwritten. Back up the site first if you might need its current state again.',
			fields: inBody('restore', [
				...scopeFields(somethingIncluded),
				...seldom(connectionFields('restore')),
				...eventFields,
			]),
		},
		...inBody('restore', [at('scope.subsite_ids', subsiteIds)]),
	),
	act('Enable backups', 'POST /sites/{siteId}/backups/enable', {
		description: 'Enable backups of a site',
		...switched,
		proves: { enabled: true },
	}),
	act('Disable backups', 'POST /sites/{siteId}/backups/disable', {
		description: 'Disable backups of a site',
		irreversible: 'the live site is no longer backed up, and its snapshots cannot be listed',
		...switched,
		proves: { enabled: false },
	}),
]);
