import { html, useMemo } from './preact.js';
import { useReading } from './live.js';
import { markOf, useChangedRows } from './changes.js';
import { Choice, Pager, ProgressBar, Problem, Table, WebLink } from './parts.js';
import { hashOf, replaceHash } from './route.js';
import { Search } from './search.js';
import { apiPath, fleetPath } from './service.js';
import {
	ClientName,
	LastBackup,
	SiteStates,
	siteStates,
	Tags,
	tagsGapMs,
	Updates,
} from './siteParts.js';
import { isActive, siteIdsOf, TaskSummary, useActiveTasks } from './taskParts.js';
import { Toolbar } from './toolbar.js';
import { asHost, asNumber, plural, spoken } from './words.js';

const perPage = 25;
const oldestBackup = 'last_backup_at,asc';
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
		<div class="filters">
			<h2>Fleet</h2>
			<${Search}
				label="Search by title or address"
				value=${query.search}
				onSearch=${(search) => show({ search })}
			/>
		</div>
		<${States} query=${query} tags=${tags} show=${show} />
		${query.state && html`<p class="quiet">${siteStates[query.state]?.at(-1)}</p>`}
		<div class="fleet">
			<section aria-label="Sites">
				<${Sites} query=${query} tags=${tags} tasks=${active.tasks} />
			</section>
			<${Happening} active=${active} />
		</div>
	`;
}

/** How many sites are in each state, and which of them to show. */
const States = ({ query, tags, show }) => html`
	<${Toolbar} label="Sites to show">
		<div class="states">
			${[undefined, ...Object.keys(siteStates)].map(
				(name) => html`<${StateCount} key=${name} name=${name} query=${query} />`,
			)}
		</div>
		<div class="filters">
			<${Choice}
				label="Tag"
				all="All tags"
				value=${query.tag}
				options=${tags.map(({ id, name }) => [id, name])}
				onChange=${(tag) => show({ tag })}
			/>
			<${Choice}
				label="Sort by"
				all="Address"
				value=${query.sort}
				options=${[[oldestBackup, 'Oldest backup']]}
				onChange=${(sort) => show({ sort })}
			/>
			${
				query.client &&
				html`<button type="button" class="secondary" onClick=${() => show({ client: undefined })}>
					Show all clients
				</button>`
			}
		</div>
	<//>
`;

function StateCount({ name, query: { state, sort } }) {
	const count = useCount({ state: name });
	return html`
		<a
			class=${`state ${name ?? 'all'}`}
			href=${hashOf('sites', { state: name, sort })}
			title=${siteStates[name]?.at(-1)}
			aria-current=${state === name ? 'true' : undefined}
		>
			<strong>${count === undefined ? '…' : asNumber(count)}</strong>
			<span>${name ? spoken(name) : 'All sites'}</span>
		</a>
	`;
}

/** The number of sites that the page would show. */
function useCount(query) {
	const { data, isBusy } = useReading(listOf(query, { perPage: 1 }), { gapMs: countsGapMs });
	return isBusy ? undefined : data?.meta.pagination.totalItems;
}

function listOf({ search, state, tag, client, sort = 'url,asc' }, paging) {
	const [filter, value] = siteStates[state] ?? [];
	return fleetPath({
		...(filter && { [`filters[${filter}:eq]`]: value }),
		'filters[text:contains]': search,
		'filters[tags:in][]': tag,
		'filters[client_id:eq]': client,
		sort,
		...paging,
	});
}

function Sites({ query, tags, tasks }) {
	const { page, ...shown } = query;
	const { data, error, isBusy, path } = useReading(listOf(shown, { page, perPage }));
	const colors = useMemo(() => new Map(tags.map(({ id, color }) => [id, color])), [tags]);
	const taskOf = useMemo(
		() => new Map(tasks.flatMap((task) => siteIdsOf(task).map((id) => [id, task]))),
		[tasks],
	);
	return html`
		<${Problem} error=${error} />
		${shown.search && !isBusy && html`<${Hidden} query=${shown} tags=${tags} count=${data?.meta.pagination.totalItems} />`}
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
				['Last backup', (site) => html`<${LastBackup} site=${site} />`],
				['Update', ({ wp }) => html`<${Updates} core=${wp.core} />`],
				['Tags', (site) => html`<${Tags} tags=${site.tags} colors=${colors} />`],
				['Client', (site) => html`<${ClientName} client=${site.client} />`],
			]}
		/>
		<${Pager} label="sites" meta=${data?.meta} path="sites" query=${shown} />
	`;
}

/** What the search finds without a filter, or without all of them. */
function Hidden({ query, tags, count }) {
	const { search, sort, state, tag, client } = query;
	const filters = Object.entries({
		state: state && spoken(state),
		tag: tag && (tags.find(({ id }) => id === tag)?.name ?? 'Tag'),
		client: client && 'Client',
	}).filter(([, name]) => name);
	const ways = filters.map(([key, name]) => [`the filter ${name}`, { ...query, [key]: undefined }]);
	if (ways.length > 1) ways.push(['filters', { search, sort }]);
	return ways.map(
		([name, wider]) => html`<${More} key=${name} name=${name} wider=${wider} count=${count} />`,
	);
}

function More({ name, wider, count }) {
	const more = useCount(wider) - count;
	if (!(more > 0)) return undefined;
	const text = `${plural(more, 'more site matches', 'more sites match')} without ${name}`;
	return html`<p><a href=${hashOf('sites', wider)}>${text}</a></p>`;
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
