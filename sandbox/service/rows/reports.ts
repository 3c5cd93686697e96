import type { Row } from '../records';

/** Part A 2.10. */
export const reportTypes = ['one_time', 'scheduled'] as const;
export const recipientStatuses = [
	'sent',
	'delivered',
	'opened',
	'failed',
	'bounced',
	'spam',
] as const;
/** Part A 2.13. */
export const scheduledReportStatuses = ['active', 'paused'] as const;
export const reportFrequencies = ['weekly', 'biweekly', 'monthly'] as const;

export interface Recipient {
	email: string;
	status: (typeof recipientStatuses)[number];
	sent_at: string | null;
	delivered_at: string | null;
	opened_at: string | null;
}

export interface ReportSection {
	visible?: boolean;
	heading?: string;
	description?: string;
	dynamic_data?: object;
}

/** Part A 2.11. */
export interface ReportTemplateData {
	general: { primary_color: string; language: string; date_format: string };
	sections: Record<string, ReportSection>;
	section_order: string[];
	email: {
		sender_email: { id: string } | null;
		subject: string;
		body: string | null;
		attach_pdf: boolean;
		/** These two are of scheduled reports. */
		send_to_client?: boolean;
		recipients?: string[];
	};
}

/** The same as it is sent: what is left out comes from the template, or else from the defaults. */
export interface ReportTemplateInput {
	general?: Partial<ReportTemplateData['general']>;
	sections?: ReportTemplateData['sections'];
	section_order?: string[];
	email?: Partial<ReportTemplateData['email']>;
}

/** Part A 2.10. It keeps the site, the client and the sender as they were when it was made. */
export interface ReportRow extends Row {
	title: string;
	site: { id: string; title: string; url: string };
	type: (typeof reportTypes)[number];
	client: { id: string; name: string; email: string } | null;
	start_date: string;
	end_date: string;
	created_at: string;
	email: {
		subject: string;
		body: string | null;
		attach_pdf: boolean;
		sender_email: { id: string; email: string } | null;
		recipients: Recipient[];
	};
	internal: { timezone: string; data: ReportTemplateData };
}

/** Part A 2.12. */
export interface ReportTemplateRow extends Row, ReportTemplateData {
	name: string;
	created_at: string;
	updated_at: string;
}

/** Part A 2.13. */
export interface ScheduledReportRow extends Row {
	site_id: string;
	/** Empty while the report follows no saved template. */
	template_id: string;
	status: (typeof scheduledReportStatuses)[number];
	frequency: (typeof reportFrequencies)[number];
	timezone: string;
	started_at: string;
	next_report_at: string;
	created_at: string;
	updated_at: string;
	/** What the report has of its own; the rest comes from the template. */
	internal: { data: ReportTemplateInput };
}
