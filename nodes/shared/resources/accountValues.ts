import type { INodePropertyOptions } from 'n8n-workflow';
import type { Field } from '../input/field';

/** Roles of a person in an account. Source: Part A, 2.2 and 2.14. */
export const accountRoles: INodePropertyOptions[] = [
	{ name: 'Administrator', value: 'administrator' },
	{ name: 'Co-Owner', value: 'co_owner' },
	{ name: 'Collaborator', value: 'collaborator' },
];

/** Of clients and team members. Source: Part A, 2.1 and 2.14. */
export const companyName: Field = {
	displayName: 'Company Name',
	name: 'companyName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Example Ltd',
};

export const note: Field = {
	displayName: 'Note',
	name: 'note',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Prefers to be called in the morning',
};
