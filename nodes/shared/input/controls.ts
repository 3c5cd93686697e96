import type { Field } from './field';
import { CLOSED } from './forms';

/** Parameters that are read, not sent. */

export const returnAll: Field = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	showsWith: false,
};

export const limit: Field = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 50,
	description: 'Max number of results to return',
};

export const longestResult: Field = {
	displayName: 'Longest Result (Tokens)',
	name: 'longestResult',
	type: 'number',
	typeOptions: { minValue: 100, numberPrecision: 0 },
	default: 4000,
	displayOptions: { show: { '@tool': [true] } },
	description: 'Maximum length of a result for the model. A token is about four characters.',
};

export const ignoreBlankFilters: Field = {
	displayName: 'Ignore Blank Filters',
	name: 'ignoreBlankFilters',
	type: 'boolean',
	default: false,
	description:
		'Whether to skip a filter whose expression returns nothing, so that more records match. Otherwise the node fails.',
};

export const includeTotal: Field = {
	displayName: 'Include Total',
	name: 'includeTotal',
	type: 'boolean',
	default: false,
	description: 'Whether to add "returned" and "total" to each item, such as 20 of 228',
};

export const whenNone: Field = {
	displayName: 'If Empty',
	name: 'whenNone',
	type: 'options',
	closed: CLOSED.ofNode,
	options: [
		{
			name: 'Return Nothing',
			value: 'nothing',
			description: 'The next node does not run for this input item',
		},
		{
			name: 'Return One Item',
			value: 'item',
			description: 'The item contains the IDs of the list, such as site_id, and a count of 0',
		},
	],
	default: 'nothing',
	description: 'What to return when the list is empty',
};

export const waitForCompletion: Field = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: false,
	description: 'Whether to continue only after the work has ended, and return its result',
};

export const timeLimit: Field = {
	displayName: 'Time Limit (Minutes)',
	name: 'timeLimit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'How long to wait. The node then fails with the ID of the work. The work continues.',
};

export const onFailure: Field = {
	displayName: 'When It Fails',
	name: 'onFailure',
	type: 'options',
	closed: CLOSED.ofNode,
	options: [
		{
			name: 'Fail',
			value: 'fail',
			description: 'The node fails and names the step and the site',
		},
		{
			name: 'Return It',
			value: 'return',
			description: 'The node returns it like a success. Check its status.',
		},
	],
	default: 'fail',
	description: 'What to do when the work fails, is cancelled or is aborted',
};

export const output: Field = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	closed: CLOSED.ofNode,
	options: [
		{
			name: 'Raw',
			value: 'raw',
			description: 'All fields, unchanged',
		},
		{
			name: 'Selected Fields',
			value: 'selected',
			description: 'Only the fields that you choose',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description:
				'The most useful fields, without nesting and without secrets. Missing values are blank.',
		},
	],
	default: 'simplified',
	required: true,
	description: 'How much of each record is returned',
};

export const binaryField: Field = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'Name of the output binary field for the file',
};
