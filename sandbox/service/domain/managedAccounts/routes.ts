import { notFound, unprocessable } from '../../engine/errors';
import type { World } from '../../engine/world';
import { textFilters, timestampFilters } from '../../http/filters';
import { failing, resource } from '../../http/kit';
import { fields } from '../../http/paging';
import { boolean, oneOf, string, timestamp, object } from '../../http/schema';
import { accountRoles } from '../shared/roles';
import { type ManagedAccountRow, managedAccountStatuses } from './rows';

/** Part A 2.2 and 4.3. */
const managedAccounts = resource<ManagedAccountRow>({
	name: 'managed_account',
	plural: 'managed_accounts',
	path: '/managed-accounts',
	kind: (store) => store.managedAccounts,
	view: (account) => account,
	schema: object({
		id: string,
		email: string,
		role: oneOf(...accountRoles),
		company_name: string,
		status: oneOf(...managedAccountStatuses),
		all_sites_access: boolean,
		created_at: timestamp,
		updated_at: timestamp,
	}),
});

export const managedAccountRoutes = [
	managedAccounts.list('listManagedAccounts', {
		filters: {
			...textFilters('email', 'company_name'),
			role: { type: accountRoles, operators: ['eq', 'in'], value: (account) => account.role },
			status: {
				type: managedAccountStatuses,
				operators: ['eq', 'in'],
				value: (account) => account.status,
			},
			all_sites_access: {
				type: 'boolean',
				operators: ['eq'],
				value: (account) => account.all_sites_access,
			},
			...timestampFilters('created_at', 'updated_at'),
		},
		sort: fields('created_at', 'updated_at', 'status'),
		defaultSort: 'created_at,desc',
	}),
	failing(
		[400],
		managedAccounts.delete('deleteManagedAccount', (account, { world }) => {
			// There is no access to leave; of the statuses of this operation only 404 says so.
			if (account.status !== 'connected') throw notFound(`Access to the account ${account.id}`);
			world.store.managedAccounts.delete(account.id);
		}),
	),
	managedAccounts.action('acceptManagedAccount', 'accept', (account, { world }) =>
		answer(world, account, 'connected'),
	),
	managedAccounts.action('rejectManagedAccount', 'reject', (account, { world }) =>
		answer(world, account, 'rejected'),
	),
];

/** Answers an invitation; fails with 422 unless it is still pending. */
function answer(world: World, account: ManagedAccountRow, status: 'connected' | 'rejected'): void {
	if (account.status !== 'pending') {
		throw unprocessable('not_pending', 'managed_account_id', `is ${account.status} already`);
	}
	account.status = status;
	account.updated_at = world.timestamp();
}
