import type { Field, Place, Rest, Route, TaskResult } from '../../shared/describe';
import { toSiteUrl } from '../../shared/input/forms';
import { toIds } from '../../shared/input/convert';
import {
	act,
	additionalFields,
	at,
	choice,
	fromGoodSnapshot,
	inBody,
	list,
	madeAs,
	on,
	optionsFrom,
	queryOptions,
	resource,
	text,
} from '../../shared/describe';
import type { Operation } from '../../shared/operation';
import { eventFields } from '../../shared/resources/backupScope';
import { doneOutput, snapshotOutput } from '../../shared/resources/outputs';
import { sitesList } from '../../shared/resources/siteRecords';
import {
	connectionFields,
	destinationFields,
	scopeFields,
	somethingIncluded,
} from './backupFields';
import { findSitesWithoutBackup } from './findSites';
import { leaveOutMissing, scopeInSnapshot } from '../scopeInSnapshot';

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

/** Starts a task with the content of a snapshot. */
const startTask = <R extends Route>(
	action: string,
	place: Place<R>,
	{ result, ...rest }: Rest & { result?: Partial<TaskResult> },
): Operation => ({
	...act<R>(action, place, { ...rest, kind: 'task', result: { output: doneOutput, ...result } }),
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
	act('Back up site', 'POST /sites/{siteId}/sync', {
		name: 'Back Up',
		value: 'sync',
		description: 'Create a new snapshot of a site (the API calls this sync)',
		sideEffect: 'the service reads the live site',
		notice: 'The new snapshot is added to the backups of the site.',
		fields: additionalFields('sync', [message]),
		kind: 'sync',
		proves: { in_progress: true },
		result: { output: madeAs('snapshot_id', snapshotOutput) },
	}),
	findSitesWithoutBackup(sitesList()),
	startTask('Download backup', 'POST /sites/{siteId}/backups/{snapshotId}/download', {
		description:
			'Start a task that packages a snapshot as an archive. The API does not return the address of the archive: look for it in the dashboard.',
		fields: [
			...inBody('download', [...scopeFields(), ...eventFields]),
			...queryOptions([leaveOutMissing]),
		],
	}),
	fromSnapshot(
		startTask('Upload backup', 'POST /sites/{siteId}/backups/{snapshotId}/upload', {
			description: 'Start a task that uploads a snapshot to a storage provider',
			irreversible: 'a copy goes to the storage provider, and the service cannot remove that copy',
			fields: inBody('upload', [...destinationFields, ...scopeFields(), ...eventFields]),
			result: { sent: { provider: 'upload.destination.provider' } },
		}),
	),
	fromSnapshot(
		startTask(
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
				result: { sent: { destination_url: 'migration.destination_url' } },
			},
		),
	),
	fromSnapshot(
		startTask(
			'Restore site from backup',
			on('POST /sites/{siteId}/backups/{snapshotId}/restore', { destination: 'restore' }),
			{
				description: 'Start a task that restores a site from a snapshot',
				irreversible: 'overwrites the live site',
				notice:
					'The files and tables that you include are overwritten. Back up the site first if you might need its current state again.',
				fields: [
					...inBody('restore', [
						...scopeFields(somethingIncluded),
						...connectionFields('restore'),
						...eventFields,
					]),
					...additionalFields('restore', [at('scope.subsite_ids', subsiteIds)]),
				],
				result: { namesSite: true },
			},
		),
	),
	act('Enable backups', 'POST /sites/{siteId}/backups/enable', {
		description: 'Enable backups of a site',
		...switched,
		proves: { enabled: true },
		settles: true,
	}),
	act('Disable backups', 'POST /sites/{siteId}/backups/disable', {
		description: 'Disable backups of a site',
		irreversible: 'the live site is no longer backed up, and its snapshots cannot be listed',
		...switched,
		proves: { enabled: false },
		settles: true,
	}),
]);
