import type { IDataObject } from 'n8n-workflow';
import { at, below } from '../describe/about';
import { idField, list } from '../describe/fields';
import { timezone as listTimezone } from '../describe/filters';
import type { Field } from '../input/field';
import { choices, color, entryOf, group, json, optionsFrom, text, toggleOn } from '../input/kinds';
import { refuse } from '../input/refusal';
import type { Adds } from '../operation';
import { toEmailEntry } from '../input/forms';
import { isLost } from '../input/json';
import { recordsIn, textsIn } from '../lib';
import { toTexts, toList } from '../input/convert';

const general: Field[] = [
	color('primaryColor', 'Primary Color', {
		default: '#2f80ed',
		description: 'Main color of the report, as a hex value such as #2f80ed',
	}),
	text('language', 'Language', {
		placeholder: 'e.g. en',
		description: 'Language code of the report',
	}),
	text('dateFormat', 'Date Format', {
		placeholder: 'e.g. d F Y',
		description: 'Pattern for dates in the report. Existing templates show the format.',
	}),
];

const byKey = (rows: unknown): IDataObject => {
	const sections = new Map<string, IDataObject>();
	for (const { key, clear, ...section } of recordsIn(rows)) {
		const name = String(key).trim();
		if (sections.has(name)) refuse(`contains the section "${name}" more than once`);
		const cleared = textsIn(clear);
		const both = cleared.find((text) => text in section);
		if (both) refuse(`clears the ${both} of the section "${name}" but also sets it`);
		const empty = Object.fromEntries(cleared.map((text) => [text, '']));
		sections.set(name, { ...section, ...empty });
	}
	return Object.fromEntries(sections);
};

const sectionKey = text('key', 'Section Key', {
	required: true,
	rule: (value) => {
		const key = String(value).trim();
		return isLost(key) ? `is "${key}", which cannot be sent` : undefined;
	},
	placeholder: 'e.g. introduction',
	description:
		'Key of the section, such as cover or introduction. Existing templates show the others.',
});

const sections = group('sections', 'Sections', {
	typeOptions: { multipleValues: true },
	placeholder: 'Add Section',
	description: 'Content of the report sections',
	as: byKey,
	options: entryOf('section', 'Section', [
		choices('clear', 'Clear', {
			closed: 'ofNode',
			options: optionsFrom({ description: 'Description', heading: 'Heading' }),
			description: 'Texts of the section to empty. Fields that you leave blank stay unchanged.',
		}),
		text('description', 'Description', {
			typeOptions: { rows: 3 },
			placeholder: 'e.g. What we did for your website this month',
			description: 'Text of the section',
		}),
		json('dynamicData', 'Dynamic Data', {
			description:
				'More content as a JSON object. For the cover, for example { "logo": { "option": "default" } }.',
		}),
		text('heading', 'Heading', {
			placeholder: 'e.g. What we did for you',
			description: 'Heading of the section',
		}),
		sectionKey,
		toggleOn('visible', 'Visible', { description: 'Whether the report shows the section' }),
	]),
});

const sectionOrder = list('sectionOrder', 'Section Order', {
	placeholder: 'e.g. cover, introduction',
	description: 'Keys of the sections in the order of the report',
	as: toTexts('key'),
});

export const emailFields: Field[] = [
	at('sender_email.id', idField('senderEmailId', 'The sender of the email')),
	text('emailSubject', 'Email Subject', {
		wire: 'subject',
		placeholder: 'e.g. Your website report',
		description: 'Subject of the email',
	}),
	text('emailBody', 'Email Body', {
		wire: 'body',
		typeOptions: { rows: 4 },
		placeholder: 'e.g. Please find your report attached.',
		description: 'Text of the email',
	}),
	toggleOn('attachPdf', 'Attach PDF', {
		description: 'Whether to attach the report to the email as a PDF file',
	}),
];

export const recipients = list('recipients', 'Recipients', {
	placeholder: 'e.g. owner@example.com, office@example.com',
	description: 'Email addresses that receive the report',
	as: toList('email', toEmailEntry),
});

/** The fields of a saved template. Part A, 2.11. */
export const templateFields: Field[] = [
	...below('general', general),
	sections,
	sectionOrder,
	...below('email', emailFields),
];

/** The fields of a template inside a report or a scheduled report. */
export const reportData: Field[] = below('report_template_data', templateFields);

/** The time zone of the days of a report. */
export const timezone: Field = {
	...listTimezone,
	description: 'Time zone for dates and times in the report',
};

/** Sends email if the body names recipients. @param place of the email in the body */
export const mailed = (place: string): Adds[] => [
	{ effect: 'sendsMail', place: `${place}.recipients`, unless: [undefined, null, []] },
	{ effect: 'sendsMail', place: `${place}.send_to_client`, unless: [undefined, null, false] },
];
