import { html, useMemo } from './preact.js';
import { useReading } from './live.js';
import { Badge, Nothing, Pager, Problem, Table, WebLink } from './parts.js';
import { hashOf } from './route.js';
import { apiPath, visitorAddress } from './service.js';
import { Backups, ClientName, SiteStates, Tags, tagsGapMs, Updates } from './siteParts.js';
import { stagingColumns } from './staging.js';
import { isActive, siteIdsOf, TaskHead, TaskSites, TaskSummary } from './taskParts.js';
import { Time } from './time.js';
import { asNumber, plural } from './words.js';

const rowsPerPage = 10;
/** A site's tasks are among the newest ones of the account: the API has no list of them alone. */
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
		<div class="heading">
			<h2>${site.title}</h2>
			<${SiteStates} site=${site} />
		</div>
		<p class="line">
			<${WebLink} url=${site.url} />
			<a href=${visitorAddress(site.url)} target="_blank" rel="noreferrer noopener">
				as visitors see it
			</a>
		</p>
		<${Facts} site=${site} />
		<div class="halves">
			<${SiteTasks} id=${id} />
			<${Notes} path=${path} page=${query.notes} query=${query} id=${id} />
		</div>
		<${Snapshots} path=${path} page=${query.page} id=${id} query=${query} />
		<${SiteStaging} id=${id} />
	`;
}

const Back = () => html`<p><a href=${hashOf('sites')}>← Fleet</a></p>`;

function Facts({ site }) {
	const colors = useTagColors(site.tags);
	const { sync, server, security, backups } = site;
	const facts = {
		Client: html`<${ClientName} client=${site.client} />`,
		Tags: html`<${Tags} tags=${site.tags} colors=${colors} />`,
		'Newest backup': html`<${Backups} backups=${backups} />`,
		'Last sync': html`<${Time} at=${sync.last_sync_at} none="never" />
			${sync.last_sync_error && html` <span class="problem">${sync.last_sync_error}</span>`}`,
		'Next sync': sync.paused ? 'paused' : html`<${Time} at=${sync.next_sync_at} />`,
		Update: html`<${Updates} core=${site.wp.core} />`,
		Scanner: html`<${Badge} word=${security.scanner.status} /> last looked ${' '}<${Time}
				at=${security.scanner.last_check_at}
				none="never"
			/>`,
		Server: `${server.hosting}, PHP ${server.php_version}, MySQL ${server.mysql_version}`,
	};
	return html`
		<dl class="facts">
			${Object.entries(facts).map(
				([name, fact]) =>
					html`<div key=${name}>
						<dt>${name}</dt>
						<dd>${fact}</dd>
					</div>`,
			)}
		</dl>
	`;
}

/** The colours of the tags, for which only their list is asked. */
function useTagColors(tags) {
	const path = tags.length > 0 ? apiPath('/tags', { perPage: 100 }) : undefined;
	const { data } = useReading(path, { gapMs: tagsGapMs });
	return useMemo(() => new Map(data?.tags.map(({ id, color }) => [id, color])), [data]);
}

function SiteTasks({ id }) {
	const { data, error } = useReading(apiPath('/tasks', { perPage: tasksLookedAt }));
	const tasks = data?.tasks.filter((task) => siteIdsOf(task).includes(id)) ?? [];
	return html`
		<section aria-label="Tasks of this site">
			<h3>Tasks</h3>
			<${Problem} error=${error} />
			${data && tasks.length === 0 && html`<${Nothing}>No newer task was about this site.<//>`}
			${tasks.map(
				(task) => html`
					<article class="task" key=${task.id}>
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
			${data?.notes.length === 0 && html`<${Nothing}>There are none.<//>`}
			${data?.notes.map(
				({ id: noteId, content, user, created_at: createdAt }) => html`
					<blockquote key=${noteId}>
						<p class="text">${content}</p>
						<cite>${user.name}, <${Time} at=${createdAt} /></cite>
					</blockquote>
				`,
			)}
			<${Pager} meta=${data?.meta} path=${`sites/${id}`} query=${query} name="notes" />
		</section>
	`;
}

function Snapshots({ path, page, id, query }) {
	const { data, error, isBusy } = useReading(
		apiPath(`${path}/snapshots`, { page, perPage: rowsPerPage }),
	);
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
					columns=${[
						['Made', (snapshot) => html`<${Time} at=${snapshot.created_at} />`],
						['Status', ({ status }) => html`<${Badge} word=${status} />`],
						['Scanner', ({ security }) => html`<${Badge} word=${security.scanner.status} />`],
						['Files', ({ backups }) => asNumber(backups.files.count.synced)],
						['Tables', ({ backups }) => asNumber(backups.database.count.synced)],
						['Note', ({ note, error_message: problem }) => problem ?? note ?? '–'],
					]}
				/>`
			}
			<${Pager} meta=${data?.meta} path=${`sites/${id}`} query=${query} />
		</section>
	`;
}

function SiteStaging({ id }) {
	const { data, error, isBusy } = useReading(
		apiPath('/staging-sites', { 'filters[site_id:eq]': id, perPage: 100 }),
	);
	const rows = data?.staging_sites;
	return html`
		<section aria-label="Staging sites">
			<h3>Staging sites</h3>
			<${Problem} error=${error} />
			${rows && html`<p class="quiet">${plural(rows.length, 'staging site')}</p>`}
			${
				rows?.length > 0 &&
				html`<${Table}
					label="Staging sites"
					rows=${rows}
					isBusy=${isBusy}
					columns=${stagingColumns.filter(([name]) => name !== 'Site')}
				/>`
			}
		</section>
	`;
}
