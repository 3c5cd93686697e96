import type { Field } from './field';
import { toEmail } from './forms';
import { SiteUrl } from './id';
import type { Check } from '../targets';

/** What keeps an operation from doing harm. */

export const preview: Field = {
	displayName: 'Preview',
	name: 'preview',
	type: 'boolean',
	default: false,
	required: true,
	description:
		'Whether to only show what would be sent, and to which record. Everything is checked as for the real run, and nothing is changed.',
};

/** The name of the parameter that a check has. */
export const checkName = (check: Check) => checkFields[check]('').name;

/** How a check is described. @param what the record, such as `site` */
export const checkFields: Record<Check, (what: string) => Field> = {
	url: (what) => ({
		displayName: 'URL Is',
		name: 'onlyIfUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://www.example.com',
		description: `The URL that the ${what} must have; host and path have to be the same`,
		as: (value) => SiteUrl.from(value),
	}),
	name: (what) => ({
		displayName: 'Name Is',
		name: 'onlyIfName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Harbour Bakery',
		description: `The name or title that the ${what} must have, to the letter`,
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
	}),
};
