import type { INodePropertyOptions } from 'n8n-workflow';
import type { Filters } from '../../shared/describe';
import { getMany, operation, resource, timeFilters, warning } from '../../shared/describe';
import { accountRoles } from '../../shared/describe/accountValues';

const statuses: INodePropertyOptions[] = [
	{ name: 'Connected', value: 'connected' },
	{ name: 'Pending', value: 'pending' },
	{ name: 'Rejected', value: 'rejected' },
];

const filters: Filters = {
	'email:contains': {
		displayName: 'Owner Email Contains',
		name: 'emailContains',
		type: 'string',
		default: '',
		placeholder: 'e.g. @example.com',
		description: 'Only accounts with this text in the email address of their owner',
	},
	'company_name:contains': {
		displayName: 'Company Name Contains',
		name: 'companyNameContains',
		type: 'string',
		default: '',
	},
	'role:eq': {
		displayName: 'Role',
		name: 'role',
		type: 'options',
		options: accountRoles,
		default: 'collaborator',
		description: 'Only accounts in which you have this role',
	},
	'role:in': {
		displayName: 'Role Is One Of',
		name: 'roles',
		type: 'multiOptions',
		options: accountRoles,
		default: [],
		description: 'Only accounts in which you have one of these roles',
	},
	'status:eq': {
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: statuses,
		default: 'pending',
		description: 'Only accounts in this state; an invitation without an answer is pending',
	},
	'status:in': {
		displayName: 'Status Is One Of',
		name: 'statuses',
		type: 'multiOptions',
		options: statuses,
		default: [],
		description: 'Only accounts in one of these states',
	},
	'all_sites_access:eq': {
		displayName: 'All Sites Access',
		name: 'allSitesAccess',
		type: 'boolean',
		default: true,
		description: 'Whether the access covers every site of the account',
	},
	...timeFilters('created_at', 'Created'),
	...timeFilters('updated_at', 'Updated'),
};

/** Part A, 4.3. */
export const managedAccount = resource('Managed Account', 'managedAccount', [
	getMany('Get many managed accounts', 'GET /managed-accounts', {
		filters,
		sortBy: ['created_at', 'updated_at', 'status'],
	}),
	operation(
		{
			name: 'Accept',
			value: 'accept',
			action: 'Accept an invitation to a managed account',
			description: 'Accept a pending invitation, which gives you access to the account',
		},
		'POST /managed-accounts/{managedAccountId}/accept',
	),
	operation(
		{
			name: 'Reject',
			value: 'reject',
			action: 'Reject an invitation to a managed account',
			description: 'Reject a pending invitation',
		},
		'POST /managed-accounts/{managedAccountId}/reject',
	),
	operation(
		{
			name: 'Leave',
			value: 'delete',
			action: 'Leave a managed account',
			description: 'Give up the access to a connected account',
		},
		'DELETE /managed-accounts/{managedAccountId}',
		[
			warning(
				'This ends your access to the account. The API has no operation that brings it back.',
			),
		],
	),
]);
