import type { Field } from './field';
import { hasExpression } from './blank';
import { CLOSED, toEmail } from './forms';
import { SiteUrl } from './id';

/** Safety options of operations. */

/** What Only If can compare. */
export const CHECKS = ['url', 'name', 'email'] as const;
export type Check = (typeof CHECKS)[number];

export const preview: Field = {
	displayName: 'Preview',
	name: 'preview',
	type: 'boolean',
	default: false,
	required: true,
	description:
		'Whether to only show what would be sent, and to which record. All checks run, and nothing is changed.',
};

const CHOICES: Record<Check, string> = { url: 'URL', name: 'Name', email: 'Email' };

/**
 * What Only If compares. Not in a collection: n8n drops a collection that is an expression.
 * @param what the record, such as `site`
 * @param checks what such a record has
 */
export const onlyIf = (what: string, checks: Check[]): Field => ({
	displayName: 'Only If',
	name: 'onlyIf',
	type: 'options',
	closed: CLOSED.ofNode,
	noDataExpression: true,
	options: [
		...checks.map((check) => ({
			name: CHOICES[check],
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

/** A model that fills both the id and what it is compared with is not checked at all. */
const notByModel: Field['rule'] = (_, _read, raw) =>
	FROM_AI.test(JSON.stringify(raw) ?? '')
		? 'is filled in by the model ($fromAI), so the model would check itself. Set the value in the workflow'
		: undefined;

/** The name of the parameter that a check has. */
export const checkName = (check: Check) => checkFields[check]('').name;

/** How a check is described. @param what the record, such as `site` */
export const checkFields: Record<Check, (what: string, sharesName?: boolean) => Field> = {
	url: (what) => ({
		displayName: 'URL Is',
		name: 'onlyIfUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://www.example.com',
		description: `The URL that the ${what} must have. Host and path must be the same.`,
		as: (value) => SiteUrl.from(value),
		rule: notByModel,
	}),
	name: (what, sharesName = false) => ({
		displayName: 'Name Is',
		name: 'onlyIfName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Harbour Bakery',
		description: `The exact name or title that the ${what} must have${sharesName ? '' : ', and no other one. All are read once per run.'}`,
		rule: notByModel,
	}),
	email: (what) => ({
		displayName: 'Email Is',
		name: 'onlyIfEmail',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. name@email.com',
		description: `The email address that the ${what} must have`,
		as: toEmail,
		rule: notByModel,
	}),
};
