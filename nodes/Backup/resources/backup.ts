import type { Field, Labels, Place, Route, TaskResult } from '../../shared/describe';
import { toSiteUrl } from '../../shared/input/forms';
import { toIds } from '../../shared/input/convert';
import {
	act,
	additionalFields,
	at,
	fromGoodSnapshot,
	inBody,
	irreversible,
	listOf,
	madeAs,
	on,
	operation,
	queryOptions,
	resource,
	verb,
	withSideEffect,
} from '../../shared/describe';
import type { Operation } from '../../shared/operation';
import { eventFields } from '../../shared/resources/backupScope';
import { doneOutput, snapshotOutput } from '../../shared/resources/outputs';
import { sitesList } from '../../shared/resources/siteRecords';
import { connectionFields, destinationFields, scopeFields } from './backupFields';
import { findSitesWithoutBackup } from './findSites';
import { leaveOutMissing, scopeInSnapshot } from '../scopeInSnapshot';

const type: Field = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	closed: 'form',
	options: [
		{
			name: 'External',
			value: 'external',
			description: 'To a site outside the account, over FTP',
		},
		{ name: 'Internal', value: 'internal', description: 'To another site of the same account' },
	],
	default: 'internal',
	required: true,
	description: 'Whether the destination is inside or outside the account',
};

const destinationUrl: Field = {
	displayName: 'Destination URL',
	name: 'destinationUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://www.example.com',
	description: 'URL of the site that the snapshot is written to',
	as: toSiteUrl,
};

const subsiteIds = listOf({
	displayName: 'Subsite IDs',
	name: 'subsiteIds',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2, 3',
	description:
		'IDs of the subsites of a multisite to restore. If Paths or Tables is set, those are restored instead.',
	as: toIds,
});

const message: Field = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	default: '',
	placeholder: 'e.g. Before the redesign',
	description: 'Note to attach to the new snapshot',
};

/** External migrations use FTP, and only they do. */
const fitsType: Field['rule'] = (value, read) => {
	const method = String(value).trim();
	const external = read(type.name) === 'external';
	if (external === (method === 'ftp')) return undefined;
	return external
		? 'must be "FTP" for an external migration'
		: 'cannot be "FTP" for an internal migration';
};

/** @param result further fields once the task has ended */
const startTask = <R extends Route>(
	labels: Labels,
	place: Place<R>,
	fields: Field[],
	result: Omit<TaskResult, 'output' | 'from'> = {},
): Operation => ({
	...operation<R>(labels, place, fields, {
		kind: 'task',
		result: { output: doneOutput, ...result },
	}),
	looksUp: scopeInSnapshot,
	beside: { files: 'string', tables: 'string', scope_check: 'string' },
});

const fromSnapshot = (one: Operation) => fromGoodSnapshot(one, leaveOutMissing);

const switched = { wrapper: 'backups', needs: 'enabled', renamed: { enabled: 'backups_enabled' } };

const does = {
	usual: 'cares',
	migrate: ['changesSites', 'destroys'],
	restore: 'changesSites',
	disable: 'weakens',
	upload: 'cares',
} as const;

/** Part B, 4.6 and 4.7. */
export const backup = resource('Backup', 'backup', does, [
	withSideEffect(
		'the service reads the live site',
		operation(
			{
				name: 'Back Up',
				value: 'sync',
				action: 'Back up site',
				description: 'Create a new snapshot of a site (the API calls this sync)',
			},
			'POST /sites/{siteId}/sync',
			[...additionalFields('sync', [message])],
			{
				kind: 'sync',
				proves: { in_progress: true },
				result: { output: madeAs('snapshot_id', snapshotOutput) },
			},
		),
		'The new snapshot is added to the backups of the site.',
	),
	findSitesWithoutBackup(sitesList()),
	startTask(
		verb(
			'Download backup',
			'Start a task that packages a snapshot as an archive. The API does not return the address of the archive: look for it in the dashboard.',
		),
		'POST /sites/{siteId}/backups/{snapshotId}/download',
		[
			...scopeFields('download'),
			...eventFields('download'),
			...queryOptions({}, [leaveOutMissing]),
		],
	),
	irreversible(
		'a copy goes to the storage provider, and the service cannot remove that copy',
		fromSnapshot(
			startTask(
				verb('Upload backup', 'Start a task that uploads a snapshot to a storage provider'),
				'POST /sites/{siteId}/backups/{snapshotId}/upload',
				[...destinationFields('upload'), ...scopeFields('upload'), ...eventFields('upload')],
				{ sent: { provider: 'upload.destination.provider' } },
			),
		),
	),
	{
		...irreversible(
			'overwrites the site at the destination URL',
			fromSnapshot(
				startTask(
					verb('Migrate backup', 'Start a task that writes a snapshot to another site'),
					on('POST /sites/{siteId}/backups/{snapshotId}/migrate', { destination: 'migration' }),
					[
						inBody('migration', type),
						inBody('migration', destinationUrl),
						...scopeFields('migration'),
						...connectionFields('migration', fitsType),
						...eventFields('migration'),
					],
					{ sent: { destination_url: 'migration.destination_url' } },
				),
			),
			'Check that you no longer need the current content of the destination. That site may be live.',
		),
		overwrites: 'migration.destination_url',
	},
	irreversible(
		'overwrites the live site',
		fromSnapshot(
			startTask(
				verb('Restore site from backup', 'Start a task that restores a site from a snapshot'),
				on('POST /sites/{siteId}/backups/{snapshotId}/restore', { destination: 'restore' }),
				[
					...scopeFields('restore', { needsAny: true }),
					...connectionFields('restore'),
					...eventFields('restore'),
					...additionalFields('restore', [at('scope.subsite_ids', subsiteIds)]),
				],
				{ namesSite: true },
			),
		),
		'The files and tables that you include are overwritten. Back up the site first if you might need its current state again.',
	),
	act('Enable backups', 'POST /sites/{siteId}/backups/enable', {
		description: 'Enable backups of a site',
		...switched,
		proves: { enabled: true },
		settles: true,
	}),
	irreversible(
		'the live site is no longer backed up, and its snapshots cannot be listed',
		act('Disable backups', 'POST /sites/{siteId}/backups/disable', {
			description: 'Disable backups of a site',
			...switched,
			proves: { enabled: false },
			settles: true,
		}),
	),
]);
