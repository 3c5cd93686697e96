import { ApiError, unprocessable } from '../../engine/errors';
import type { World } from '../../engine/world';
import type { Context } from '../../http/context';
import { failing, resource, route } from '../../http/kit';
import {
	arrayOf,
	boolean,
	nullable,
	oneOf,
	open,
	string,
	timestamp,
	object,
} from '../../http/schema';
import { type BackupDestinationRow, destinationStatuses, storageProviders } from './rows';

const view = ({ internal: _internal, ...destination }: BackupDestinationRow) => destination;

const schema = object({
	id: string,
	provider: oneOf(...storageProviders),
	provider_label: string,
	name: string,
	status: oneOf(...destinationStatuses),
	connected: boolean,
	email: nullable(string),
	provider_account_id: nullable(string),
	provider_metadata: open,
	config: open,
	last_tested_at: nullable(timestamp),
	last_error_code: nullable(string),
	last_error_message: nullable(string),
	created_at: timestamp,
	updated_at: timestamp,
});

const visible = ({ world }: Context) =>
	world.store.backupDestinations
		.peek()
		.filter(({ provider }) => provider !== 'cloudstore_b' || world.settings.cloudstoreBEnabled);

const isSaved = ({ id, provider }: BackupDestinationRow) => id !== provider;

/** Part A 2.3 and 4.4: the provider's id stands for its destination. */
const destinations = (rows: (context: Context) => BackupDestinationRow[]) =>
	resource<BackupDestinationRow>({
		name: 'backup_destination',
		plural: 'backup_destinations',
		path: '/backup-destinations',
		kind: (store) => store.backupDestinations,
		rows,
		matches: ({ id, provider }, wanted) => wanted === id || wanted === provider,
		view,
		schema,
	});

const saved = destinations((context) => visible(context).filter(isSaved));

const list = route({
	operationId: 'listBackupDestinations',
	method: 'GET',
	path: '/backup-destinations',
	status: 200,
	response: object({ backup_destinations: arrayOf(schema) }),
	handle: (context) => ({ backup_destinations: visible(context).map(view) }),
});

export const backupDestinationRoutes = [
	list,
	destinations(visible).show('showBackupDestination'),
	failing(
		[422, 503],
		saved.action('testBackupDestination', 'test', (destination, { world }) =>
			test(world, destination),
		),
	),
	failing(
		[],
		saved.action('disconnectBackupDestination', 'disconnect', (destination, { world }) =>
			disconnect(world, destination),
		),
	),
];

/** Asks the provider for the account that gave access; fails with 422 when there is none. */
function test(world: World, destination: BackupDestinationRow): void {
	if (world.settings.unavailableProviders.includes(destination.provider)) {
		const message = `${destination.provider_label} is temporarily unavailable`;
		throw new ApiError(503, 'provider_unavailable', message);
	}
	const { access, isExpired } = destination.internal;
	const now = world.timestamp();
	Object.assign(destination, { last_tested_at: now, updated_at: now });
	if (isExpired) {
		Object.assign(destination, { connected: false, last_error_code: 'token_expired' });
		return;
	}
	if (!access) {
		const error = { code: 'no_access', message: 'The provider does not grant access' };
		Object.assign(destination, {
			status: 'inactive',
			last_error_code: error.code,
			last_error_message: error.message,
		});
		throw unprocessable(error.code, 'backup_destination_id', 'has no access to the provider');
	}
	Object.assign(destination, structuredClone(access), {
		status: 'active',
		connected: true,
		last_error_code: null,
		last_error_message: null,
	});
}

function disconnect(world: World, destination: BackupDestinationRow): void {
	Object.assign(destination, {
		status: 'inactive',
		connected: false,
		email: null,
		provider_account_id: null,
		provider_metadata: {},
		config: {},
		updated_at: world.timestamp(),
	});
	destination.internal.access = null;
}
