import { markOf, useChanged, useChangedRows } from './changes.js';
import { html, useMemo } from './preact.js';
import { useReading } from './live.js';
import { Badge, Copyable, Nothing, Pager, Problem, Table, WebLink } from './parts.js';
import { hashOf } from './route.js';
import { apiPath, fleetPath, visitorAddress } from './service.js';
import { SiteActions } from './siteActions.js';
import { useHarm } from './siteHarm.js';
import { ClientName, LastBackup, SiteStates, Tags, tagsGapMs, Updates } from './siteParts.js';
import { stagingColumns } from './staging.js';
import { isActive, siteIdsOf, TaskHead, TaskSites, TaskSummary } from './taskParts.js';
import { ExactTimes, Time } from './time.js';
import { asNumber } from './words.js';

const rowsPerPage = 10;
/** The API has no list of a site's tasks: they are looked for among the newest ones of the account. */
const tasksLookedAt = 100;

/** One site, with all that belongs to it. */
export function Site({ id, query }) {
	const path = `/sites/${encodeURIComponent(id)}`;
	const { data, error } = useReading(apiPath(path));
	if (!data) return html`<${Back} /><${Problem} error=${error} />`;
	const { site } = data;
	return html`
		<${Back} />
		<${Problem} error=${error} />
		<${Heading} site=${site} />
		<p class="line">
			<${WebLink} url=${site.url} />
			<a href=${visitorAddress(site.url)} target="_blank" rel="noreferrer noopener">
				See it as visitors do
			</a>
		</p>
		<${ExactTimes}><${Facts} site=${site} /><//>
		<${SiteActions} site=${site} />
		<${ExactTimes}>
			<div class="halves">
				<${SiteTasks} id=${id} />
				<${Notes} path=${path} page=${query.notes} query=${query} id=${id} />
			</div>
			<${Snapshots} path=${path} page=${query.page} id=${id} query=${query} />
			<${SiteStaging} id=${id} />
		<//>
	`;
}

const Back = () => html`<p><a href=${hashOf('sites')}>← Fleet</a></p>`;

function Heading({ site }) {
	const { uptime, connection, security, sync, locked } = site;
	const states = [uptime, connection.status, security.scanner.status, sync.in_progress, locked];
	const changed = useChanged([[site.id, states]], { list: site.id, noun: 'site' });
	return html`
		<div class=${markOf(changed.has(site.id), 'heading')}>
			<h2>${site.title}</h2>
			<${SiteStates} site=${site} />
		</div>
	`;
}

function Facts({ site }) {
	const colors = useTagColors(site.tags);
	const [listed] = useReading(fleetPath({ 'filters[id:eq]': site.id })).data?.sites ?? [];
	const { sync, server, security, backups } = site;
	// Each with what is compared to see whether it has changed.
	const facts = {
		'Site ID': [site.id, html`<${Copyable} text=${site.id} label="Copy ID" />`],
		Client: [site.client, html`<${ClientName} client=${site.client} />`],
		Tags: [site.tags, html`<${Tags} tags=${site.tags} colors=${colors} />`],
		'Last backup': [
			[backups.latest_snapshot, backups.available_snapshots],
			listed && html`<${LastBackup} site=${listed} />`,
		],
		'Last sync': [
			[sync.last_sync_at, sync.last_sync_error],
			html`<${Time} at=${sync.last_sync_at} none="never" />
				${sync.last_sync_error && html` <span class="problem">${sync.last_sync_error}</span>`}`,
		],
		'Next sync': [
			[sync.next_sync_at, sync.paused],
			sync.paused ? 'Paused: no daily backup' : html`<${Time} at=${sync.next_sync_at} />`,
		],
		'Core version': [site.wp.core, html`<${Updates} core=${site.wp.core} />`],
		'Malware scan': [
			[security.scanner.status, security.scanner.last_check_at],
			html`<${Badge} word=${security.scanner.status} />${' '}
				<${Time} at=${security.scanner.last_check_at} none="never" />`,
		],
		Server: [
			server,
			server.hosting
				? `${server.hosting}, PHP ${server.php_version}, MySQL ${server.mysql_version}`
				: html`<span class="quiet">–</span>`,
		],
	};
	const looked = Object.entries(facts).map(([name, [look]]) => [name, look]);
	const changed = useChanged(looked, { list: site.id, noun: 'fact' });
	return html`
		<dl class="facts">
			${Object.entries(facts).map(
				([name, [, fact]]) =>
					html`<div key=${name} class=${markOf(changed.has(name))}>
						<dt>${name}</dt>
						<dd>${fact}</dd>
					</div>`,
			)}
			<${Visitors} id=${site.id} />
		</dl>
	`;
}

/** What visitors left on the site. Only a loss is marked: more comes all the time. */
function Visitors({ id }) {
	const { data } = useHarm(id);
	const lost = data && [data.orders.lost, data.comments.lost];
	const changed = useChanged(lost && [['Visitors', lost]], { list: id, noun: 'fact' });
	return (
		data &&
		html`
			<div class=${markOf(changed.has('Visitors'))}>
				<dt>From visitors</dt>
				<dd><${Left} name="Orders" ...${data.orders} /></dd>
				<dd><${Left} name="Comments" ...${data.comments} /></dd>
			</div>
		`
	);
}

const Left = ({ name, came, lost }) => html`
	${`${name}: ${asNumber(came)} came`}${lost > 0 && html`, <span class="bad">${asNumber(lost)} lost by a restore</span>`}
`;

/** The colours of the tags, which only the list of tags has. */
function useTagColors(tags) {
	const path = tags.length > 0 ? apiPath('/tags', { perPage: 100 }) : undefined;
	const { data } = useReading(path, { gapMs: tagsGapMs });
	return useMemo(() => new Map(data?.tags.map(({ id, color }) => [id, color])), [data]);
}

function SiteTasks({ id }) {
	const { data, error } = useReading(apiPath('/tasks', { perPage: tasksLookedAt }));
	const tasks = data?.tasks.filter((task) => siteIdsOf(task).includes(id)) ?? [];
	const changed = useChangedRows(data && tasks, {
		list: id,
		noun: 'task',
		look: ({ status }) => status,
	});
	return html`
		<section aria-label="Tasks of this site">
			<h3>Tasks</h3>
			<${Problem} error=${error} />
			${data && tasks.length === 0 && html`<${Nothing}>None of the newest ${tasksLookedAt} tasks is about this site.<//>`}
			${tasks.map(
				(task) => html`
					<article class=${markOf(changed.has(task.id), 'task')} key=${task.id}>
						${
							isActive(task)
								? html`<${TaskHead} task=${task} />
										<${TaskSites} id=${task.id} only=${(site) => site.id === id} />`
								: html`<${TaskSummary} task=${task} />`
						}
					</article>
				`,
			)}
		</section>
	`;
}

function Notes({ path, page, query, id }) {
	const { data, error } = useReading(
		apiPath(`${path}/notes`, { page, perPage: rowsPerPage, sort: 'created_at,desc' }),
	);
	return html`
		<section aria-label="Notes">
			<h3>Notes</h3>
			<${Problem} error=${error} />
			${data?.notes.length === 0 && html`<${Nothing}>No notes yet.<//>`}
			${data?.notes.map(
				({ id: noteId, content, user, created_at: createdAt }) => html`
					<blockquote key=${noteId}>
						<p class="text">${content}</p>
						<cite>${user.name}, <${Time} at=${createdAt} /></cite>
					</blockquote>
				`,
			)}
			<${Pager}
				label="notes"
				meta=${data?.meta}
				path=${`sites/${id}`}
				query=${query}
				name="notes"
			/>
		</section>
	`;
}

/** A snapshot that is being made has no scan and no numbers. */
const ofEnded = (cell) => (snapshot) =>
	['in_progress', 'waiting'].includes(snapshot.status) ? '–' : cell(snapshot);

function Snapshots({ path, page, id, query }) {
	const {
		data,
		error,
		isBusy,
		path: list,
	} = useReading(apiPath(`${path}/snapshots`, { page, perPage: rowsPerPage }));
	return html`
		<section aria-label="Snapshots">
			<h3>Snapshots of the last 7 days</h3>
			<${Problem} error=${error} />
			${
				(data || !error) &&
				html`<${Table}
					label="Snapshots"
					rows=${data?.snapshots}
					isBusy=${isBusy}
					list=${list}
					noun="snapshot"
					none="No snapshots in the last 7 days."
					columns=${[
						['Created', (snapshot) => html`<${Time} at=${snapshot.created_at} />`],
						['Status', ({ status }) => html`<${Badge} word=${status} />`],
						[
							'Malware scan',
							ofEnded(({ security }) => html`<${Badge} word=${security.scanner.status} />`),
						],
						['Files', ofEnded(({ backups }) => asNumber(backups.files.count.synced))],
						['Tables', ofEnded(({ backups }) => asNumber(backups.database.count.synced))],
						['Note', ({ note, error_message: problem }) => problem ?? note ?? '–'],
					]}
				/>`
			}
			<${Pager} label="snapshots" meta=${data?.meta} path=${`sites/${id}`} query=${query} />
		</section>
	`;
}

function SiteStaging({ id }) {
	const { data, error, isBusy, path } = useReading(
		apiPath('/staging-sites', { 'filters[site_id:eq]': id, perPage: 100 }),
	);
	const rows = data?.staging_sites;
	return html`
		<section aria-label="Staging sites">
			<h3>Staging sites</h3>
			<${Problem} error=${error} />
			${
				(rows || !error) &&
				html`<${Table}
					label="Staging sites"
					rows=${rows}
					isBusy=${isBusy}
					list=${path}
					noun="staging site"
					none="No staging sites yet."
					columns=${stagingColumns.filter(([name]) => name !== 'Site')}
				/>`
			}
		</section>
	`;
}
