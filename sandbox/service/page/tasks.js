import { markOf, useChangedRows } from './changes.js';
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
	const {
		data,
		error,
		isBusy,
		path: list,
	} = useReading(apiPath('/tasks', { 'filters[status:eq]': status, page, perPage }));
	const changed = useChangedRows(data?.tasks, {
		list,
		noun: 'task',
		look: ({ status: now }) => now,
	});
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
			${data?.tasks.map(
				(task) =>
					html`<div key=${task.id} class=${markOf(changed.has(task.id))}>
						<${Task} task=${task} />
					</div>`,
			)}
			${data?.tasks.length === 0 && html`<${Nothing}>No task matches.<//>`}
		</div>
		<${Pager} label="tasks" meta=${data?.meta} path="tasks" query=${{ status }} />
	`;
}
