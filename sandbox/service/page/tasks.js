import { html } from './preact.js';
import { useReading } from './live.js';
import { Choice, Nothing, Pager, Problem } from './parts.js';
import { hashOf, replaceHash } from './route.js';
import { apiPath } from './service.js';
import { Task } from './taskParts.js';

const perPage = 20;
const statuses = ['initializing', 'running', 'completed', 'failed', 'cancelled', 'aborted'];

/** All tasks, newest first. */
export function Tasks({ query }) {
	const { status, page } = query;
	const { data, error, isBusy } = useReading(
		apiPath('/tasks', { 'filters[status:eq]': status, page, perPage }),
	);
	return html`
		<h2>Tasks</h2>
		<div class="filters">
			<${Choice}
				label="Status"
				all="All statuses"
				value=${status}
				options=${statuses.map((word) => [word])}
				onChange=${(chosen) => replaceHash(hashOf('tasks', { status: chosen }))}
			/>
		</div>
		<${Problem} error=${error} />
		<div aria-busy=${isBusy ? 'true' : 'false'} class="stack">
			${data?.tasks.map((task) => html`<${Task} key=${task.id} task=${task} />`)}
			${data?.tasks.length === 0 && html`<${Nothing}>No task is like that.<//>`}
		</div>
		<${Pager} meta=${data?.meta} path="tasks" query=${{ status }} />
	`;
}
