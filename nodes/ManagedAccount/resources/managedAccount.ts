import { contains, type Filters, lifeFilters, oneOf, orSome } from '../../shared/describe/filters';
import { act, getMany, resource } from '../../shared/describe/resource';
import { toggleOn } from '../../shared/input/kinds';
import { ofAccount, on } from '../../shared/operation';
import { accountRoles } from '../../shared/resources/accountValues';

const filters: Filters = {
	...contains('accounts', 'email', '@example.com', {
		displayName: 'Owner Email Contains',
		description: 'Only accounts whose owner email contains this text',
	}),
	...contains('accounts', 'company_name', 'Harbour'),
	...orSome(
		oneOf('role', accountRoles, 'Only accounts in which you have this role', {
			default: 'collaborator',
		}),
		'roles',
	),
	...orSome(
		oneOf(
			'status',
			['pending', 'connected', 'rejected'],
			'Only accounts in this state. An unanswered invitation is pending.',
		),
		'statuses',
	),
	'all_sites_access:eq': toggleOn('allSitesAccess', 'All Sites Access', {
		description: 'Whether you have access to all sites of the account',
	}),
	...lifeFilters,
};

const path = (verb: string) => ofAccount(`POST /managed-accounts/{managedAccountId}/${verb}`);

/** Part A, 4.3. */
export const managedAccount = resource('Managed Account', 'givesAccess', [
	getMany('Get many managed accounts', on('GET /managed-accounts', 'noSite'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'status'],
	}),
	act('Accept invitation to managed account', path('accept'), {
		description: 'Accept a pending invitation, which gives you access to the account',
		proves: { status: 'connected' },
	}),
	act('Reject invitation to managed account', path('reject'), {
		description: 'Reject a pending invitation',
		irreversible: 'only the owner of the account can invite you again',
		proves: { status: 'rejected' },
	}),
	act('Leave managed account', ofAccount('DELETE /managed-accounts/{managedAccountId}'), {
		name: 'Leave',
		value: 'delete',
		description: 'Give up your access to an account',
		irreversible: 'your access ends, and only the owner of the account can invite you again',
		kind: 'nothing',
	}),
]);
