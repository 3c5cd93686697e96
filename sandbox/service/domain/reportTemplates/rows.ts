import type { Row } from '../../engine/store';

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

/** Part A 2.12. */
export interface ReportTemplateRow extends Row, ReportTemplateData {
	name: string;
	created_at: string;
	updated_at: string;
}

declare module '../../engine/store' {
	interface Collections {
		reportTemplates: Collection<ReportTemplateRow>;
	}
}
