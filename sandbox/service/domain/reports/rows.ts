import type { Row } from '../../engine/store';
import type { ReportTemplateData } from '../reportTemplates/rows';

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

export interface Recipient {
	email: string;
	status: (typeof recipientStatuses)[number];
	sent_at: string | null;
	delivered_at: string | null;
	opened_at: string | null;
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

declare module '../../engine/store' {
	interface Collections {
		reports: Collection<ReportRow>;
	}
}
