import { pdfBytes } from '../shared/pdf';
import type { ReportRow } from './rows';
import { DateTime } from 'luxon';

/** The report as a PDF; the same report always gives the same bytes. */
export async function reportPdf(report: ReportRow): Promise<Buffer> {
	const { general, sections, section_order: order } = report.internal.data;
	const day = (date: string) => DateTime.fromISO(date).toFormat(general.date_format);
	const info = { Title: report.title, CreationDate: new Date(report.created_at) };
	return await pdfBytes({ lang: general.language, info }, (document) => {
		document.fontSize(24).fillColor(general.primary_color).text(report.title);
		document.fontSize(11).fillColor('#333333').text(report.site.url);
		document.text(`${day(report.start_date)} – ${day(report.end_date)}`).moveDown();
		for (const key of order) {
			const {
				visible = true,
				heading = '',
				description = '',
			} = sections[key] ?? {
				visible: false,
			};
			if (!visible) continue;
			document.fontSize(16).fillColor(general.primary_color).text(heading);
			document.fontSize(11).fillColor('#333333').text(description).moveDown();
		}
	});
}
