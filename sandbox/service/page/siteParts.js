import { html } from './preact.js';
import { Badge } from './parts.js';
import { hashOf } from './route.js';
import { Time } from './time.js';
import { plural } from './words.js';

/** A tag lists all of its sites, which is much in a large fleet, and its colour hardly ever changes. */
export const tagsGapMs = 15_000;

/** The states to filter by: each with a filter of the list, its value, and what it means. */
export const siteStates = {
	connected: ['connection_status', 'connected', 'The service reaches these sites.'],
	disconnected: [
		'connection_status',
		'disconnected',
		'The service does not reach these sites: their backups and updates fail.',
	],
	down: ['uptime', 'down', 'Visitors do not reach these sites.'],
	hacked: ['scanner_status', 'hacked', 'The malware scan found malware on these sites.'],
	no_good_backup: [
		'good_backup',
		'false',
		'No backup of the last 36 hours succeeded without malware. Sites whose backups are off count too.',
	],
	backups_off: ['backups', 'false', 'The service makes no backups of these sites.'],
	backups_paused: ['paused', 'true', 'The daily backups of these sites are paused.'],
};

/** The states that a site is in, the worst ones first. */
export const SiteStates = ({ site }) => html`
	<span class="badges">
		${site.security.scanner.status === 'hacked' && html`<${Badge} word="hacked" />`}
		${site.uptime.status === 'down' && html`<${Badge} word="down" />`}
		<${Badge} word=${site.connection.status} />
		${site.sync.in_progress && html`<${Badge} word="syncing" />`}
		${site.good_backup === false && html`<${Badge} word="no_good_backup" look="bad" />`}
		${!site.backups.enabled && html`<${Badge} word="backups_off" />`}
		${site.sync.paused && html`<${Badge} word="backups_paused" />`}
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

/** The last good backup of a site, and the newest attempt if that is another one. */
export function LastBackup({ site: { last_backup: last, backups } }) {
	const { latest_snapshot: newest, available_snapshots: count } = backups;
	return html`
		<div>
			<${Time} at=${last?.created_at} none=${count > 0 ? 'No good one' : 'None yet'} />
			${last && !last.scanned && html` <small class="quiet">not scanned</small>`}
			${
				newest &&
				newest.created_at !== last?.created_at &&
				html`<small>
					Newest attempt <${Time} at=${newest.created_at} />${' '}
					<${Badge} word=${newest.status === 'succeeded' ? 'hacked' : newest.status} />
				</small>`
			}
			${count > 0 && html`<small class="quiet"> ${plural(count, 'snapshot')}</small>`}
		</div>
	`;
}

export const Updates = ({ core }) =>
	core.update_available
		? html`<${Badge} look="warning">${core.current_version} → ${core.latest_version}<//>`
		: html`<span class="quiet">${core.current_version}</span>`;
