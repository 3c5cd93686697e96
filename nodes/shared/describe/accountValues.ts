import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** Roles of a person in an account. Source: Part A, 2.2 and 2.14. */
export const accountRoles: INodePropertyOptions[] = [
	{ name: 'Administrator', value: 'administrator' },
	{ name: 'Co-Owner', value: 'co_owner' },
	{ name: 'Collaborator', value: 'collaborator' },
];

/** What clients and team members have in common. Source: Part A, 2.1 and 2.14. */
export const companyName: INodeProperties = {
	displayName: 'Company Name',
	name: 'companyName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Example Ltd',
};

export const note: INodeProperties = {
	displayName: 'Note',
	name: 'note',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
};
