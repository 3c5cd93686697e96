import { html } from './preact.js';
import { Badge } from './parts.js';
import { hashOf } from './route.js';
import { Time } from './time.js';
import { plural } from './words.js';

/** A tag lists all of its sites, which is much in a large fleet, and its colour hardly ever changes. */
export const tagsGapMs = 15_000;

/** The states to filter by, and the filter of the API for each. */
export const siteStates = {
	connected: { 'filters[connection_status:eq]': 'connected' },
	disconnected: { 'filters[connection_status:eq]': 'disconnected' },
	down: { 'filters[uptime:eq]': 'down' },
	hacked: { 'filters[scanner_status:eq]': 'hacked' },
	paused: { 'filters[paused:eq]': 'true' },
};

/** The states that a site is in, the worst ones first. */
export const SiteStates = ({ site }) => html`
	<span class="badges">
		${site.security.scanner.status === 'hacked' && html`<${Badge} word="hacked" />`}
		${site.uptime.status === 'down' && html`<${Badge} word="down" />`}
		<${Badge} word=${site.connection.status} />
		${site.sync.in_progress && html`<${Badge} word="syncing" />`}
		${site.sync.paused && html`<${Badge} word="paused" />`}
		${site.locked && html`<${Badge} word="locked" />`}
	</span>
`;

export const ClientName = ({ client }) =>
	client
		? html`<a href=${hashOf('sites', { client: client.id })}>${nameOf(client)}</a>`
		: html`<span class="quiet">–</span>`;

export const nameOf = ({ company_name: company, first_name: first, last_name: last, email }) =>
	company || `${first} ${last}`.trim() || email;

/** The tags of a site, in their colours. */
export const Tags = ({ tags, colors }) =>
	tags.length === 0
		? html`<span class="quiet">–</span>`
		: html`<span class="badges">
				${tags.map(
					({ id, name }) =>
						html`<a key=${id} class="tag" href=${hashOf('sites', { tag: id })}>
							<span class="dot" style=${{ background: colors.get(id) ?? 'transparent' }}></span>
							${name}
						</a>`,
				)}
			</span>`;

/** The newest snapshot, and how many there are. */
export function Backups({
	backups: { enabled, latest_snapshot: latest, available_snapshots: count },
}) {
	if (!enabled) return html`<span class="quiet">Off</span>`;
	if (!latest) return html`<span class="quiet">None yet</span>`;
	return html`
		<${Time} at=${latest.created_at} />
		${latest.status !== 'succeeded' && html` <${Badge} word=${latest.status} />`}
		<small class="quiet"> ${plural(count, 'snapshot')}</small>
	`;
}

export const Updates = ({ core }) =>
	core.update_available
		? html`<${Badge} look="warning">${core.current_version} → ${core.latest_version}<//>`
		: html`<span class="quiet">${core.current_version}</span>`;
