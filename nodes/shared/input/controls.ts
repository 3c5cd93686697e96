import { siteByUrl } from './convert';
import type { Field } from './field';
import { hasExpression } from './field';
import { toEmail } from './forms';

/** Parameters that are read, not sent: of lists, of waiting and output, and for safety. */

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
	closed: 'ofNode',
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
	closed: 'ofNode',
	options: [
		{ name: 'Fail', value: 'fail', description: 'The node fails and names the step and the site' },
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
	closed: 'ofNode',
	options: [
		{ name: 'Raw', value: 'raw', description: 'All fields, unchanged' },
		{ name: 'Selected Fields', value: 'selected', description: 'Only the fields that you choose' },
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

export const allowHacked: Field = {
	displayName: 'Allow Hacked Snapshot',
	name: 'allowHackedSnapshot',
	type: 'boolean',
	default: false,
	description:
		'Whether to use a snapshot in which the malware scan found something. If off, Latest and Newest Before pass over it, and By ID refuses it.',
};

export const preview: Field = {
	displayName: 'Preview',
	name: 'preview',
	type: 'boolean',
	default: false,
	required: true,
	description:
		'Whether to only show what would be sent, and to which record. All checks run, and nothing is changed.',
};

/** What Only If can compare: the label, and the parameter with the value to compare with. */
const checked = {
	url: { label: 'URL', name: 'onlyIfUrl' },
	name: { label: 'Name', name: 'onlyIfName' },
	email: { label: 'Email', name: 'onlyIfEmail' },
};

export type Check = keyof typeof checked;

export const CHECKS: Check[] = ['url', 'name', 'email'];

/** The name of the parameter with the value to compare with. */
export const checkName = (check: Check) => checked[check].name;

/** What Only If compares. Not in a collection: n8n drops a collection that is an expression. */
export const onlyIf = (what: string, checks: Check[]): Field => ({
	displayName: 'Only If',
	name: 'onlyIf',
	type: 'options',
	closed: 'ofNode',
	noDataExpression: true,
	options: [
		...checks.map((check) => ({
			name: checked[check].label,
			value: check,
			description: `The ${what} has this ${check === 'url' ? 'URL' : check}`,
		})),
		{ name: 'None', value: 'none', description: 'No check' },
	].sort((a, b) => a.name.localeCompare(b.name)),
	default: 'none',
	description: `What to check of the ${what} right before the operation. If the value differs, nothing is done.`,
	// n8n takes most expressions here as text, but asks the model for a lone $fromAI.
	rule: (_, _read, raw) =>
		hasExpression(raw) ? 'is an expression. Choose a fixed option from the list' : undefined,
});

/** n8n knows all three spellings. */
const FROM_AI = /\$fromai\b/i;

/** A model that fills both the ID and the value to compare with would check itself. */
const notByModel: Field['rule'] = (_, _read, raw) =>
	FROM_AI.test(JSON.stringify(raw) ?? '')
		? 'is filled in by the model ($fromAI), so the model would check itself. Set the value in the workflow'
		: undefined;

const compared = { type: 'string', default: '', required: true, rule: notByModel } as const;

/** The values to compare with. @param what the record, such as `site` @param sharesName whether names are not unique */
export const checkFields = (what: string, sharesName = false): Record<Check, Field> => ({
	url: {
		displayName: 'URL Is',
		name: checkName('url'),
		...compared,
		placeholder: 'e.g. https://www.example.com',
		description: `The URL that the ${what} must have. Host and path must be the same.`,
		as: siteByUrl,
	},
	name: {
		displayName: 'Name Is',
		name: checkName('name'),
		...compared,
		placeholder: 'e.g. Harbour Bakery',
		description: `The exact name or title that the ${what} must have${sharesName ? '' : ', and no other one. All are read once per run.'}`,
	},
	email: {
		displayName: 'Email Is',
		name: checkName('email'),
		...compared,
		placeholder: 'e.g. name@email.com',
		description: `The email address that the ${what} must have`,
		as: toEmail,
	},
});
