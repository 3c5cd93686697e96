import type { INodePropertyOptions } from 'n8n-workflow';

/** Roles of a person in an account. Source: Part A, 2.2 and 2.14. */
export const accountRoles: INodePropertyOptions[] = [
	{ name: 'Administrator', value: 'administrator' },
	{ name: 'Co-Owner', value: 'co_owner' },
	{ name: 'Collaborator', value: 'collaborator' },
];
