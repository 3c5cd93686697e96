import type { Row } from '../../engine/store';
import type { HttpAuth } from '../sites/rows';

export const stagingStatuses = ['initializing', 'active', 'paused', 'suspended'] as const;

/** Part A 2.16. */
export interface StagingSiteRow extends Row {
	site_id: string;
	status: (typeof stagingStatuses)[number];
	url: string;
	created_at: string;
	updated_at: string;
	expires_at: string;
	php_version: string;
	user: { name: string; email: string };
	snapshot: { id: string; created_at: string };
	credentials: {
		http_auth: HttpAuth;
		server: { protocol: string; host: string; port: number; username: string; password: string };
		database: { host: string; port: number; name: string; username: string; password: string };
	};
}

declare module '../../engine/store' {
	interface Collections {
		stagingSites: Collection<StagingSiteRow>;
	}
}
