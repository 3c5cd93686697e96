import type { Row } from '../../engine/store';

/** Part A 2.1. The client's sites are those whose `internal.client_id` names it. */
export interface ClientRow extends Row {
	first_name: string;
	last_name: string;
	email: string;
	company_name: string;
	address: string;
	note: string;
	created_at: string;
	updated_at: string;
}

declare module '../../engine/store' {
	interface Collections {
		clients: Collection<ClientRow>;
	}
}
