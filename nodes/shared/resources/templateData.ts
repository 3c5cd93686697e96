import type { IDataObject } from 'n8n-workflow';
import type { Adds, Field } from '../describe';
import { at, emailsOf, idField, listOf, refuse, timezone as listTimezone } from '../describe';
import { isLost } from '../input/json';
import { recordsIn, textsIn } from '../lib/records';

const general: Field[] = [
	at('general.primary_color', {
		displayName: 'Primary Color',
		name: 'primaryColor',
		type: 'color',
		default: '#2f80ed',
		description: 'Main color of the report, as a hex value such as #2f80ed',
	}),
	at('general.language', {
		displayName: 'Language',
		name: 'language',
		type: 'string',
		default: '',
		placeholder: 'e.g. en',
		description: 'Language code of the report',
	}),
	at('general.date_format', {
		displayName: 'Date Format',
		name: 'dateFormat',
		type: 'string',
		default: '',
		placeholder: 'e.g. d F Y',
		description: 'Pattern for dates in the report. Existing templates show the format.',
	}),
];

/** Converts rows to an object by section key. */
const byKey = (rows: unknown): IDataObject => {
	const sections = new Map<string, IDataObject>();
	for (const { key, clear, ...section } of recordsIn(rows)) {
		const name = String(key).trim();
		if (sections.has(name)) refuse(`contains the section "${name}" more than once`);
		const cleared = textsIn(clear);
		const both = cleared.find((text) => text in section);
		if (both) refuse(`clears the ${both} of the section "${name}" but also sets it`);
		sections.set(name, {
			...section,
			...Object.fromEntries(cleared.map((text) => [text, ''])),
		});
	}
	return Object.fromEntries(sections);
};

const sectionKey: Field = {
	displayName: 'Section Key',
	name: 'key',
	type: 'string',
	default: '',
	required: true,
	rule: (value) =>
		typeof value === 'string' && isLost(value.trim())
			? `is "${value.trim()}", which cannot be sent`
			: undefined,
	placeholder: 'e.g. introduction',
	description:
		'Key of the section, such as cover or introduction. Existing templates show the others.',
};

const sectionTextsToClear: Field = {
	displayName: 'Clear',
	name: 'clear',
	type: 'multiOptions',
	closed: 'ofNode',
	options: [
		{ name: 'Description', value: 'description' },
		{ name: 'Heading', value: 'heading' },
	],
	default: [],
	description: 'Texts of the section to empty. Fields that you leave blank stay unchanged.',
};

const sections: Field = {
	displayName: 'Sections',
	name: 'sections',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Section',
	default: {},
	description: 'Content of the report sections',
	as: byKey,
	options: [
		{
			displayName: 'Section',
			name: 'section',
			values: [
				sectionTextsToClear,
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					typeOptions: { rows: 3 },
					default: '',
					placeholder: 'e.g. What we did for your website this month',
					description: 'Text of the section',
				},
				{
					displayName: 'Dynamic Data',
					name: 'dynamicData',
					type: 'json',
					default: '{}',
					description:
						'More content as a JSON object. For the cover, for example { "logo": { "option": "default" } }.',
				},
				{
					displayName: 'Heading',
					name: 'heading',
					type: 'string',
					default: '',
					placeholder: 'e.g. What we did for you',
					description: 'Heading of the section',
				},
				sectionKey,
				{
					displayName: 'Visible',
					name: 'visible',
					type: 'boolean',
					default: true,
					description: 'Whether the report shows the section',
				},
			],
		},
	],
};

const sectionOrder: Field = listOf(
	{
		displayName: 'Section Order',
		name: 'sectionOrder',
		type: 'string',
		default: '',
		placeholder: 'e.g. cover, introduction',
		description: 'Keys of the sections in the order of the report',
	},
	'key',
);

/** How a report is sent by email. */
export const emailFields: Field[] = [
	at('sender_email.id', idField('senderEmailId', 'The sender of the email')),
	at('subject', {
		displayName: 'Email Subject',
		name: 'emailSubject',
		type: 'string',
		default: '',
		placeholder: 'e.g. Your website report',
		description: 'Subject of the email',
	}),
	at('body', {
		displayName: 'Email Body',
		name: 'emailBody',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. Please find your report attached.',
		description: 'Text of the email',
	}),
	at('attach_pdf', {
		displayName: 'Attach PDF',
		name: 'attachPdf',
		type: 'boolean',
		default: true,
		description: 'Whether to attach the report to the email as a PDF file',
	}),
];

/** Recipients of a report. */
export const recipients: Field = emailsOf({
	displayName: 'Recipients',
	name: 'recipients',
	type: 'string',
	default: '',
	placeholder: 'e.g. owner@example.com, office@example.com',
	description: 'Email addresses that receive the report',
});

/** Fields below a place: `email` and `subject` give `email.subject`. */
export const below = (place: string, fields: Field[]) =>
	fields.map((field) => at(`${place}.${field.wire ?? field.name}`, field));

const data: Field[] = [
	...general,
	at('sections', sections),
	at('section_order', sectionOrder),
	...below('email', emailFields),
];

const cleared = { 'email.sender_email': 'Sender Email', 'email.body': 'Email Body' };

/** The fields of a saved template, and those that can be emptied. Part A, 2.11. */
export const template = { fields: data, clear: cleared };

/** The fields of a template inside a report or a scheduled report. */
export const reportData: Field[] = below('report_template_data', data);

/** The time zone of the days of a report. */
export const timezone: Field = {
	...listTimezone,
	description: 'Time zone for dates and times in the report',
};

/** Sends email if the body names recipients. @param place of the email in the body */
export const mailed = (place: string): Adds[] => [
	{ effect: 'sendsMail', place: `${place}.recipients`, unless: [null, []] },
	{ effect: 'sendsMail', place: `${place}.send_to_client`, unless: [null, false] },
];
