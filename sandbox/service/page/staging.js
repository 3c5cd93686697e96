import { html } from './preact.js';
import { useReading } from './live.js';
import { Badge, Pager, Problem, Table, WebLink } from './parts.js';
import { apiPath } from './service.js';
import { SiteName } from './siteName.js';
import { Time, useIsWithin } from './time.js';

const perPage = 25;
/** An expiry within this time is highlighted. */
const soonMs = 24 * 60 * 60_000;

export const stagingColumns = [
	['Staging site', ({ url }) => html`<${WebLink} url=${url} />`],
	['Site', ({ site_id: siteId }) => html`<${SiteName} id=${siteId} />`],
	['Status', ({ status }) => html`<${Badge} word=${status} />`],
	['Expires', (row) => html`<${Expiry} at=${row.expires_at} />`],
	['PHP', (row) => row.php_version],
	['Created', (row) => html`<${Time} at=${row.created_at} />`],
	['Created by', ({ user }) => user.name],
];

function Expiry({ at }) {
	const isSoon = useIsWithin(at, soonMs);
	return isSoon
		? html`<${Badge} look="warning"><${Time} at=${at} /><//>`
		: html`<${Time} at=${at} />`;
}

/** All staging sites, newest first. */
export function Staging({ query: { page } }) {
	const { data, error, isBusy, path } = useReading(apiPath('/staging-sites', { page, perPage }));
	return html`
		<h2>Staging sites</h2>
		<${Problem} error=${error} />
		<${Table}
			label="Staging sites"
			rows=${data?.staging_sites}
			isBusy=${isBusy}
			list=${path}
			noun="staging site"
			none="No staging sites yet."
			columns=${stagingColumns}
		/>
		<${Pager} label="staging sites" meta=${data?.meta} path="staging" />
	`;
}
