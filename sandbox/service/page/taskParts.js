import { html, useState } from './preact.js';
import { useReading } from './live.js';
import { Badge, Problem, ProgressBar } from './parts.js';
import { apiPath } from './service.js';
import { SiteName, SiteNames } from './siteName.js';
import { Time } from './time.js';
import { asNumber, plural, spoken } from './words.js';

const shownAtOnce = 25;

export const activeStatuses = ['initializing', 'running'];
export const isActive = ({ status }) => activeStatuses.includes(status);

/** The ids of the sites that a task works on. */
export const siteIdsOf = ({ input }) => (input?.sites ?? []).map(({ id }) => id).filter(Boolean);

/** The tasks under way, newest first: as many as are ever shown at once. */
export function useActiveTasks() {
	const lists = activeStatuses.map((status) => {
		const query = { 'filters[status:eq]': status, perPage: 100 };
		const { data } = useReading(apiPath('/tasks', query));
		return data;
	});
	return {
		tasks: lists
			.flatMap((list) => list?.tasks ?? [])
			.sort((a, b) => b.created_at.localeCompare(a.created_at)),
		total: lists.reduce((sum, list) => sum + (list?.meta.pagination.totalItems ?? 0), 0),
	};
}

/** The type and the status of a task, and since when. */
export const TaskHead = ({ task }) => html`
	<p class="line">
		<strong>${spoken(task.type)}</strong>
		<${Badge} word=${task.status} />
		<span class="quiet end">
			<${Time} at=${isActive(task) ? task.created_at : task.updated_at} />
		</span>
	</p>
`;

/** One task in a few lines, with its progress while it runs. */
export const TaskSummary = ({ task }) => html`
	<${TaskHead} task=${task} />
	<p class="sites"><${SiteNames} ids=${siteIdsOf(task)} /></p>
	${
		isActive(task) &&
		html`<${ProgressBar}
			percent=${task.progress.percent}
			label=${`Progress: ${spoken(task.type)}`}
		/>`
	}
`;

/** A task with its progress per site, which is read when it is opened. */
export function Task({ task }) {
	const [isOpen, setOpen] = useState(false);
	const { done, total } = task.progress.metrics.sites;
	return html`
		<article class="task">
			<${TaskSummary} task=${task} />
			<details onToggle=${({ target }) => setOpen(target.open)}>
				<summary>${`${asNumber(done)} of ${plural(total, 'site')} done`}</summary>
				${isOpen && html`<${TaskSites} id=${task.id} />`}
			</details>
		</article>
	`;
}

/** The steps of a task on each of its sites. */
export function TaskSites({ id, only = () => true }) {
	const [most, setMost] = useState(shownAtOnce);
	const { data, error } = useReading(apiPath(`/tasks/${encodeURIComponent(id)}`));
	const sites = data?.task.details.sites.filter(only) ?? [];
	return html`
		<${Problem} error=${error} />
		<ul class="plain">
			${sites.slice(0, most).map(
				(site) => html`
					<li key=${site.id} class="taskSite">
						<p class="line">
							<${SiteName} id=${site.id} />
							<${Badge} word=${site.status} />
						</p>
						<${ProgressBar} percent=${site.progress.percent} label="Progress on this site" />
						<ul class="steps">
							${site.steps.map(
								({ type, status, error: failure }) => html`
									<li key=${type}>
										${spoken(type)}: ${spoken(status).toLowerCase()}
										${failure.message && html` – ${failure.message}`}
									</li>
								`,
							)}
						</ul>
					</li>
				`,
			)}
		</ul>
		${
			sites.length > most &&
			html`<button type="button" class="secondary" onClick=${() => setMost(sites.length)}>
				Show all ${plural(sites.length, 'site')}
			</button>`
		}
	`;
}
