import { html, useMemo } from './preact.js';
import { useReading } from './live.js';
import { markOf, useChangedRows } from './changes.js';
import { Choice, Pager, ProgressBar, Problem, Table, WebLink } from './parts.js';
import { hashOf, replaceHash } from './route.js';
import { Search } from './search.js';
import { apiPath } from './service.js';
import {
	Backups,
	ClientName,
	SiteStates,
	siteStates,
	Tags,
	tagsGapMs,
	Updates,
} from './siteParts.js';
import { isActive, siteIdsOf, TaskSummary, useActiveTasks } from './taskParts.js';
import { Time } from './time.js';
import { Toolbar } from './toolbar.js';
import { asHost, asNumber, spoken } from './words.js';

const perPage = 25;
const newestTasks = 8;
/** What is counted over the whole fleet need not be right at every moment. */
const countsGapMs = 1500;

/** All sites, their states, and what happens to them. */
export function Fleet({ query }) {
	const { data: tagged } = useReading(apiPath('/tags', { perPage: 100, sort: 'name,asc' }), {
		gapMs: tagsGapMs,
	});
	const tags = tagged?.tags ?? [];
	const active = useActiveTasks();
	const show = (change) => {
		const { page: _page, ...rest } = query;
		replaceHash(hashOf('sites', { ...rest, ...change }));
	};
	return html`
		<h2>Fleet</h2>
		<${States} query=${query} tags=${tags} show=${show} />
		<div class="fleet">
			<section aria-label="Sites">
				<${Filters} query=${query} show=${show} />
				<${Sites} query=${query} tags=${tags} tasks=${active.tasks} />
			</section>
			<${Happening} active=${active} />
		</div>
	`;
}

/** How many sites are in each state, and which of them to show. */
const States = ({ query: { state, tag }, tags, show }) => html`
	<${Toolbar} label="Sites to show" look="states">
		<${StateCount} label="All sites" filter=${{}} isChosen=${!state} />
		${Object.entries(siteStates).map(
			([name, filter]) => html`
				<${StateCount}
					key=${name}
					name=${name}
					label=${spoken(name)}
					filter=${filter}
					isChosen=${state === name}
				/>
			`,
		)}
		<${Choice}
			label="Tag"
			all="All tags"
			value=${tag}
			options=${tags.map(({ id, name }) => [id, name])}
			onChange=${(chosen) => show({ tag: chosen })}
		/>
	<//>
`;

function StateCount({ name, label, filter, isChosen }) {
	const { data } = useReading(apiPath('/sites', { ...filter, perPage: 1 }), {
		gapMs: countsGapMs,
	});
	const count = data?.meta.pagination.totalItems;
	return html`
		<a
			class=${`state ${name ?? 'all'}`}
			href=${hashOf('sites', { state: name })}
			aria-current=${isChosen ? 'true' : undefined}
		>
			<strong>${count === undefined ? '…' : asNumber(count)}</strong>
			<span>${label}</span>
		</a>
	`;
}

const Filters = ({ query: { search, client }, show }) => html`
	<div class="filters">
		<${Search}
			label="Search by address"
			value=${search}
			onSearch=${(text) => show({ search: text })}
		/>
		${
			client &&
			html`<button type="button" class="secondary" onClick=${() => show({ client: undefined })}>
				Show all clients
			</button>`
		}
	</div>
`;

function Sites({ query, tags, tasks }) {
	const { search, state, tag, client, page } = query;
	const { data, error, isBusy, path } = useReading(
		apiPath('/sites', {
			...siteStates[state],
			// Addresses have hyphens where titles have spaces.
			'filters[url:contains]': search?.replace(/\s+/g, '-'),
			'filters[tags:in][]': tag,
			'filters[client_id:eq]': client,
			sort: 'url,asc',
			page,
			perPage,
		}),
	);
	const colors = useMemo(() => new Map(tags.map(({ id, color }) => [id, color])), [tags]);
	const taskOf = useMemo(
		() => new Map(tasks.flatMap((task) => siteIdsOf(task).map((id) => [id, task]))),
		[tasks],
	);
	return html`
		<${Problem} error=${error} />
		<${Table}
			label="Sites"
			rows=${data?.sites}
			isBusy=${isBusy}
			list=${path}
			noun="site"
			none="No site matches."
			columns=${[
				['Site', (site) => html`<${SiteCell} site=${site} task=${taskOf.get(site.id)} />`],
				['State', (site) => html`<${SiteStates} site=${site} />`],
				['Newest backup', ({ backups }) => html`<${Backups} backups=${backups} />`],
				['Last sync', ({ sync }) => html`<${Time} at=${sync.last_sync_at} none="never" />`],
				['Update', ({ wp }) => html`<${Updates} core=${wp.core} />`],
				['Tags', (site) => html`<${Tags} tags=${site.tags} colors=${colors} />`],
				['Client', (site) => html`<${ClientName} client=${site.client} />`],
			]}
		/>
		<${Pager}
			label="sites"
			meta=${data?.meta}
			path="sites"
			query=${{ search, state, tag, client }}
		/>
	`;
}

const SiteCell = ({ site, task }) => html`
	<a class="title" href=${hashOf(`sites/${site.id}`)}>${site.title}</a>
	<small class="quiet address"><${WebLink} url=${site.url}>${asHost(site.url)}<//></small>
	${
		task &&
		html`<small>
			${spoken(task.type)}
			<${ProgressBar} percent=${task.progress.percent} label=${`Progress on ${site.title}`} />
		</small>`
	}
`;

const statusOf = ({ status }) => status;

/** Tasks under way, and those that ended last. */
function Happening({ active }) {
	const { data } = useReading(
		apiPath('/tasks', { sort: 'updated_at,desc', perPage: newestTasks + active.tasks.length }),
	);
	const ended = data?.tasks.filter((task) => !isActive(task)).slice(0, newestTasks) ?? [];
	const shown = [...active.tasks.slice(0, newestTasks), ...ended].slice(0, newestTasks + 2);
	const changed = useChangedRows(data && shown, { list: 'tasks', noun: 'task', look: statusOf });
	return html`
		<section class="happening" aria-labelledby="happening">
			<h3 id="happening">Tasks</h3>
			<p class="quiet">
				${active.total === 0 ? 'No task is under way.' : `${asNumber(active.total)} under way`}
			</p>
			<ul class="plain">
				${shown.map(
					(task) =>
						html`<li key=${task.id} class=${markOf(changed.has(task.id))}>
							<${TaskSummary} task=${task} />
						</li>`,
				)}
			</ul>
			<a href=${hashOf('tasks')}>All tasks</a>
		</section>
	`;
}
