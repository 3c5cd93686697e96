import { html } from './preact.js';
import { useReading } from './live.js';
import { Badge, Pager, Problem, Table } from './parts.js';
import { hashOf } from './route.js';
import { apiPath, pdfAddress } from './service.js';
import { Time } from './time.js';
import { asDate, spoken } from './words.js';

const perPage = 25;

const Recipients = ({ recipients }) =>
	recipients.length === 0
		? html`<span class="quiet">Not sent</span>`
		: html`<span class="badges">
				${recipients.map(
					({ email, status }) =>
						html`<span key=${email}>${email} <${Badge} word=${status} /></span>`,
				)}
			</span>`;

const columns = [
	[
		'Report',
		({ id, title }) =>
			html`<a href=${pdfAddress(id)} target="_blank" rel="noreferrer noopener">${title} (PDF)</a>`,
	],
	['Site', ({ site }) => html`<a href=${hashOf(`sites/${site.id}`)}>${site.title}</a>`],
	['Client', ({ client }) => client?.name ?? html`<span class="quiet">–</span>`],
	['Period', (report) => `${asDate(report.start_date)} – ${asDate(report.end_date)}`],
	['Type', ({ type }) => spoken(type)],
	['Created', (report) => html`<${Time} at=${report.created_at} />`],
	['Email', ({ email }) => html`<${Recipients} recipients=${email.recipients} />`],
];

/** All reports, newest first. */
export function Reports({ query: { page } }) {
	const { data, error, isBusy, path } = useReading(apiPath('/reports', { page, perPage }));
	return html`
		<h2>Reports</h2>
		<${Problem} error=${error} />
		<${Table}
			label="Reports"
			rows=${data?.reports}
			isBusy=${isBusy}
			list=${path}
			noun="report"
			none="No reports yet."
			columns=${columns}
		/>
		<${Pager} label="reports" meta=${data?.meta} path="reports" />
	`;
}
