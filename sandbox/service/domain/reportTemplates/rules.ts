import type { TProperties } from '@sinclair/typebox';
import { unprocessable } from '../../engine/errors';
import type { World } from '../../engine/world';
import {
	arrayOf,
	boolean,
	emailAddress,
	hexColor,
	ids,
	nullable,
	open,
	string,
	partial,
	object,
	mapOf,
} from '../../http/schema';
import type { ReportTemplateData, ReportTemplateInput, ReportTemplateRow } from './rows';

/** What a template or a report has where nothing else is said. */
export const defaultData = (): ReportTemplateData => ({
	general: { primary_color: '#1565C0', language: 'en', date_format: 'yyyy-MM-dd' },
	sections: {
		cover: {
			visible: true,
			heading: 'Website report',
			description: '',
			dynamic_data: { logo: { option: 'default' }, cover_image: { option: 'default' } },
		},
		introduction: {
			visible: true,
			heading: 'Introduction',
			description: 'What was done for your website in this period.',
			dynamic_data: {},
		},
	},
	section_order: ['cover', 'introduction'],
	email: { sender_email: null, subject: 'Your website report', body: null, attach_pdf: true },
});

/** The data with what the input has instead; a section that is sent is complete. */
export function mergeData(
	base: ReportTemplateData,
	input: ReportTemplateInput,
): ReportTemplateData {
	return {
		general: { ...base.general, ...input.general },
		sections: { ...base.sections, ...input.sections },
		section_order: input.section_order ?? base.section_order,
		email: { ...base.email, ...input.email },
	};
}

/** The data of the template, or the defaults when the id is empty, with what the input has instead. */
export function dataFrom(
	world: World,
	templateId: string,
	input: ReportTemplateInput,
): ReportTemplateData {
	const template = world.store.reportTemplates.get(templateId);
	return mergeData(template ? dataOf(template) : defaultData(), input);
}

export const dataOf = ({ general, sections, section_order, email }: ReportTemplateRow) => ({
	general,
	sections,
	section_order,
	email,
});

/** The data as responses have it: the sender with its address, every section with all its parts. */
export function viewData(data: ReportTemplateData, world: World) {
	const section = { visible: true, heading: '', description: '', dynamic_data: {} };
	return {
		general: data.general,
		sections: Object.fromEntries(
			Object.entries(data.sections).map(([key, sent]) => [key, { ...section, ...sent }]),
		),
		section_order: data.section_order,
		email: { ...data.email, sender_email: viewSender(data.email.sender_email, world) },
	};
}

/** A sender that is gone is none. */
export function viewSender(sender: { id: string } | null, world: World) {
	const row = world.store.senderEmails.get(sender?.id ?? '');
	return row ? { id: row.id, email: row.email } : null;
}

/** Fails with 422 when the data names a sender that the account does not have. */
export function requireSender(
	world: World,
	sender: { id: string } | null | undefined,
	param: string,
): void {
	if (sender && !world.store.senderEmails.get(sender.id)) {
		throw unprocessable('not_found', `${param}.sender_email.id`, 'is not a sender email');
	}
}

/** Fails with 422 when there is no such template. */
export function requireTemplate(world: World, id: string | undefined, param: string): void {
	if (id !== undefined && !world.store.reportTemplates.get(id)) {
		throw unprocessable('not_found', param, 'is not a report template');
	}
}

const general = { primary_color: hexColor, language: string, date_format: string };
const section = { visible: boolean, heading: string, description: string, dynamic_data: open };
const email = { subject: string, body: nullable(string), attach_pdf: boolean };
/** E-mail fields of scheduled reports. */
const delivery = { send_to_client: boolean, recipients: arrayOf(emailAddress) };

/** Part A 2.11 as it is sent; the full set of section keys is not shown. */
const inputFields = <P extends TProperties>(more: P) => ({
	general: partial(general),
	sections: mapOf(partial(section)),
	section_order: ids,
	email: partial({ sender_email: nullable(object({ id: string })), ...email, ...more }),
});

export const templateInput = inputFields({});
export const templateDataInput = partial(templateInput);
export const scheduledDataInput = partial(inputFields(delivery));

const outputFields = <P extends TProperties>(more: P) => ({
	general: object(general),
	sections: mapOf(object(section)),
	section_order: ids,
	email: object({
		sender_email: nullable(object({ id: string, email: string })),
		...email,
		...more,
	}),
});

export const templateOutput = outputFields({});
export const scheduledDataOutput = object(outputFields(delivery));
