import type { World } from '../../engine/world';
import { dates, drawsFor } from '../shared/demo';
import type { BackupDestinationRow, StorageAccess } from './rows';

export function seed(world: World): void {
	const random = drawsFor(world, 'backupDestinations');
	const add = (
		provider: BackupDestinationRow['provider'],
		label: string,
		details: Pick<StorageAccess, 'provider_metadata' | 'config'>,
	) => {
		const access: StorageAccess = {
			email: 'backups@fleet.example.com',
			provider_account_id: random.hex(16),
			...details,
		};
		const { created_at, updated_at } = dates(world, random);
		world.store.backupDestinations.insert({
			id: `bkd_${random.hex(24)}`,
			provider,
			provider_label: label,
			name: label,
			status: 'active',
			connected: true,
			...structuredClone(access),
			last_tested_at: updated_at,
			last_error_code: null,
			last_error_message: null,
			created_at,
			updated_at,
			internal: { access },
		});
	};
	const folder = 'Site backups';
	add('cloudstore_a', 'Cloud Store A', { provider_metadata: {}, config: {} });
	add('cloudstore_b', 'Cloud Store B', {
		provider_metadata: { folder_id: random.hex(20), folder_name: folder },
		config: { folder_policy: 'app_folder', folder_name: folder },
	});
}
