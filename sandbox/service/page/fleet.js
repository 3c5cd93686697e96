import { html, useMemo } from './preact.js';
import { useReading } from './live.js';
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
import { asHost, asNumber, spoken } from './words.js';

const perPage = 25;
const newestTasks = 8;
/** What is counted over the whole fleet need not be right at every moment. */
const countsGapMs = 1500;

/** All sites, what they are like, and what happens to them. */
export function Fleet({ query }) {
	const { data: tagged } = useReading(apiPath('/tags', { perPage: 100, sort: 'name,asc' }), {
		gapMs: tagsGapMs,
	});
	const tags = tagged?.tags ?? [];
	const active = useActiveTasks();
	return html`
		<h2>Fleet</h2>
		<${States} state=${query.state} />
		<div class="fleet">
			<section aria-label="Sites">
				<${Filters} query=${query} tags=${tags} />
				<${Sites} query=${query} tags=${tags} tasks=${active.tasks} />
			</section>
			<${Happening} active=${active} />
		</div>
	`;
}

/** How many sites are in each state. */
const States = ({ state }) => html`
	<nav class="states" aria-label="States of the sites">
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
	</nav>
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

function Filters({ query, tags }) {
	const { search, state, tag, client } = query;
	const show = (change) => {
		const { page: _page, ...rest } = query;
		replaceHash(hashOf('sites', { ...rest, ...change }));
	};
	return html`
		<div class="filters">
			<${Search}
				label="Search by name in the address"
				value=${search}
				onSearch=${(text) => show({ search: text })}
			/>
			<${Choice}
				label="State"
				all="All states"
				value=${state}
				options=${Object.keys(siteStates).map((name) => [name])}
				onChange=${(chosen) => show({ state: chosen })}
			/>
			<${Choice}
				label="Tag"
				all="All tags"
				value=${tag}
				options=${tags.map(({ id, name }) => [id, name])}
				onChange=${(chosen) => show({ tag: chosen })}
			/>
			${
				client &&
				html`<button type="button" class="secondary" onClick=${() => show({ client: undefined })}>
					All clients
				</button>`
			}
		</div>
	`;
}

function Sites({ query, tags, tasks }) {
	const { search, state, tag, client, page } = query;
	const { data, error, isBusy } = useReading(
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
			none="No site is like that."
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
		<${Pager} meta=${data?.meta} path="sites" query=${{ search, state, tag, client }} />
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

/** What is under way, and what has ended last. */
function Happening({ active }) {
	const { data } = useReading(
		apiPath('/tasks', { sort: 'updated_at,desc', perPage: newestTasks + active.tasks.length }),
	);
	const ended = data?.tasks.filter((task) => !isActive(task)).slice(0, newestTasks) ?? [];
	const shown = [...active.tasks.slice(0, newestTasks), ...ended].slice(0, newestTasks + 2);
	return html`
		<section class="happening" aria-label="What happens">
			<h3>What happens</h3>
			<p class="quiet">
				${active.total === 0 ? 'Nothing is under way.' : `${asNumber(active.total)} under way`}
			</p>
			<ul class="plain">
				${shown.map((task) => html`<li key=${task.id}><${TaskSummary} task=${task} /></li>`)}
			</ul>
			<a href=${hashOf('tasks')}>All tasks</a>
		</section>
	`;
}
