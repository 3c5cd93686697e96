import { siteByUrl, toList, toText } from './convert';
import { type Field, isByModel } from './field';
import { toEmail, toEmailEntry } from './forms';
import { choice, number, optionsFrom, text, toggle } from './kinds';

/** Parameters that are read, not sent: of lists, of waiting and output, and for safety. */

export const returnAll = toggle('returnAll', 'Return All', {
	description: 'Whether to return all results or only up to a given limit',
	showsWith: false,
});

export const limit = number('limit', 'Limit', {
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 50,
	description: 'Max number of results to return',
});

export const longestResult = number('longestResult', 'Longest Result (Tokens)', {
	typeOptions: { minValue: 100, numberPrecision: 0 },
	default: 4000,
	displayOptions: { show: { '@tool': [true] } },
	description: 'Maximum length. A token is about four characters.',
});

export const startFrom = number('startFrom', 'Start From', {
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	displayOptions: { show: { '@tool': [true] } },
	description: 'Records to skip: "next_from" of the last call',
});

export const confirmation = choice('confirmation', 'Confirmation', {
	noDataExpression: true,
	options: optionsFrom({
		code: ['Code', 'The first call changes nothing, and returns what would happen and a code'],
		none: ['None', "For a tool behind n8n's human review"],
	}),
	default: 'code',
	displayOptions: { show: { '@tool': [true] } },
	description: 'How a change is confirmed',
});

/** Of the second call. The model fills it in without a setting of the user; n8n's AI builder omits defaults of several lines. */
const ofSecondCall = (name: string, displayName: string, key: string): Field =>
	text(name, displayName, {
		default: `={{\n$fromAI("${key}", "Blank in the first call, then the ${key} that it returned", "string", "")\n}}`,
		displayOptions: { show: { '@tool': [true], confirmation: ['code'] } },
		description: 'Of the first call',
	});

export const confirmedWhat = ofSecondCall('confirmedWhat', 'Confirmed What', 'what');

export const confirmedCode = ofSecondCall('confirmedCode', 'Confirmation Code', 'code');

/** Of a tool that makes a change. @param when the parameter that decides whether it does, and its values */
export const confirmationFields = (when: Field['displayOptions'] = {}): Field[] =>
	[confirmation, confirmedWhat, confirmedCode].map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, ...when.show } },
	}));

export const ignoreBlankFilters = toggle('ignoreBlankFilters', 'Ignore Blank Filters', {
	description:
		'Whether to skip a filter whose expression returns nothing, so that more records match',
});

export const includeTotal = toggle('includeTotal', 'Include Total', {
	description: 'Whether to add "returned" and "total" to each item, such as 20 of 228',
});

export const whenNone = choice('whenNone', 'If Empty', {
	closed: 'ofNode',
	options: optionsFrom({
		nothing: ['Return Nothing', 'The next node does not run for this input item'],
		item: [
			'Return One Item',
			'The item contains the IDs of the list, such as site_id, and a count of 0',
		],
	}),
	default: 'nothing',
	description: 'What to return when the list is empty',
});

export const waitForCompletion = toggle('waitForCompletion', 'Wait for Completion', {
	description: 'Whether to continue only after the work has ended, and return its result',
});

export const timeLimit = number('timeLimit', 'Time Limit (Minutes)', {
	typeOptions: { minValue: 1 },
	default: 60,
	description:
		'How many minutes to wait. The node then fails with the ID of the work. The work continues.',
});

export const onFailure = choice('onFailure', 'When It Fails', {
	closed: 'ofNode',
	options: optionsFrom({
		fail: ['Fail', 'The node fails and names the step and the site'],
		return: ['Return It', 'The node returns it like a success. Check its status.'],
	}),
	default: 'fail',
	description: 'What to do when the work fails, is cancelled or is aborted',
});

export const output = choice('output', 'Output', {
	closed: 'ofNode',
	options: optionsFrom({
		raw: ['Raw', 'All fields, unchanged'],
		selected: ['Selected Fields', 'Only the fields that you choose'],
		simplified: [
			'Simplified',
			'The most useful fields, without nesting and without secrets. Missing values are blank.',
		],
	}),
	default: 'simplified',
	required: true,
	description: 'Which fields are returned',
});

export const binaryField = text('binaryPropertyName', 'Put Output File in Field', {
	default: 'data',
	required: true,
	hint: 'Name of the output binary field for the file',
});

export const allowHacked = toggle('allowHackedSnapshot', 'Allow Hacked Snapshot', {
	description:
		'Whether to use a snapshot in which the malware scan found something. If off, Latest and Newest Before pass over it, and By ID refuses it.',
});

export const preview = toggle('preview', 'Preview', {
	required: true,
	description: 'Whether to only show what would be sent to which record, after all checks',
});

/** What Only If can compare, as the panel calls it. */
export const CHECKED = { url: 'URL', name: 'Name', email: 'Email' };

export type Check = keyof typeof CHECKED;

export const CHECKS: Check[] = ['url', 'name', 'email'];

/** The name of the parameter with the value to compare with. */
export const checkName = (check: Check) =>
	({ url: 'onlyIfUrl', name: 'onlyIfName', email: 'onlyIfEmail' })[check];

/** A model that fills both the ID and the value to compare with would check itself. */
const notByModel: Field['rule'] = (_, _read, raw) =>
	isByModel(raw)
		? 'is filled in by the model ($fromAI), so the model would check itself. Set the value in the workflow'
		: undefined;

const compared = (check: Check, more: Partial<Field>) =>
	text(checkName(check), `Only If ${CHECKED[check]}`, { rule: notByModel, ...more });

/**
 * The values to compare with. Each one counts on its own: n8n drops a parameter that the choice in another one hides.
 * Not in a collection: n8n drops a collection that is an expression.
 * @param isSeveral whether there can be several records, each with one of the values
 */
export const checkFields = (what: string, sharesNames = false, isSeveral = false) => ({
	url: compared('url', {
		placeholder: 'e.g. https://www.example.com',
		description: `The URL that the ${what} must have, or nothing is done. ${isSeveral ? 'For several, all their URLs, separated by commas or lines. ' : ''}Host and path must be the same.`,
		as: isSeveral ? toList('url', siteByUrl) : siteByUrl,
	}),
	name: compared('name', {
		placeholder: 'e.g. Harbour Bakery',
		description: `The exact name or title that the ${what} must have${sharesNames ? ', or nothing is done' : ', and no other one, or nothing is done. All are read once per run.'}${isSeveral ? `${sharesNames ? '.' : ''} For several, an array of all their names from an expression.` : ''}`,
		...(isSeveral && {
			as: (value: unknown) => [value].flat().map((each) => toText(each, 'name')),
		}),
	}),
	email: compared('email', {
		placeholder: 'e.g. name@email.com',
		description: `The email address that the ${what} must have, or nothing is done${isSeveral ? '. For several, all their addresses, separated by commas or lines.' : ''}`,
		as: isSeveral ? toList('email', toEmailEntry) : toEmail,
	}),
});
