import { emptyControls } from '../../shared/describe/filters';
import { kept, outputOf } from '../../shared/describe/output';
import { act, get, resourceWith } from '../../shared/describe/resource';
import { ofAccount, on } from '../../shared/operation';

/** Part A, 2.3. */
const output = outputOf(
	{
		...kept('id', 'provider', 'provider_label', 'name', 'status', 'connected', 'email'),
		folder_id: 'provider_metadata.folder_id',
		folder_name: 'provider_metadata.folder_name',
		...kept('last_tested_at', 'last_error_code', 'last_error_message'),
	},
	['config', 'created_at', 'provider_account_id', 'provider_metadata', 'updated_at'],
);

const does = { usual: 'cares', disconnect: ['weakens', 'destroys'] } as const;

const path = (verb: string) => ofAccount(`POST /backup-destinations/{backupDestinationId}/${verb}`);

/** Part A, 4.4. */
export const backupDestination = resourceWith(output, 'Backup Destination', does, [
	get('Get many backup destinations', on('GET /backup-destinations', 'noSite'), {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get the storage providers, with the details of those that are connected',
		fields: emptyControls,
		kind: 'records',
		wrapper: 'backup_destinations',
	}),
	get('Get backup destination', on('GET /backup-destinations/{backupDestinationId}', 'noSite'), {}),
	act('Test backup destination', path('test'), {
		description: 'Test the connection and refresh its status and account details',
	}),
	act('Disconnect backup destination', path('disconnect'), {
		description: 'Disconnect the storage account',
		irreversible: 'the settings are removed, and only the dashboard can connect it again',
		proves: { status: 'inactive', connected: false },
	}),
]);
