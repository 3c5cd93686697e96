import type { Row } from '../../engine/store';
import type { ReportTemplateInput } from '../reportTemplates/rows';

/** Part A 2.13. */
export const scheduledReportStatuses = ['active', 'paused'] as const;
export const reportFrequencies = ['weekly', 'biweekly', 'monthly'] as const;

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

declare module '../../engine/store' {
	interface Collections {
		scheduledReports: Collection<ScheduledReportRow>;
	}
}
