import { html, useState } from './preact.js';
import { useReading } from './live.js';
import { Badge, Problem, Table } from './parts.js';
import { send } from './service.js';
import { asTimeOfDay, decoded, plural } from './words.js';

const newest = 300;
const shownAtMost = 100;

/** The outcome of a request, by the status of its response. */
const fates = {
	answered: { name: 'Succeeded', look: 'good', has: (status) => status >= 200 && status < 400 },
	refused: { name: 'Refused', look: 'warning', has: (status) => [401, 403, 429].includes(status) },
	wrong: { name: 'Invalid', look: 'neutral', has: (status) => status >= 400 && status < 500 },
	failed: { name: 'Server error', look: 'bad', has: (status) => status >= 500 },
	open: { name: 'No response', look: 'busy', has: () => true },
};
const fateOf = ({ status }) => Object.keys(fates).find((fate) => fates[fate].has(status));

const reasons = {
	400: 'bad request',
	401: 'no valid token',
	403: 'account inactive',
	404: 'not found',
	409: 'conflict',
	422: 'rejected',
	429: 'rate limit',
};

const Status = ({ request }) => html`
	<${Badge} look=${fates[fateOf(request)].look}>
		${request.status || 'no response'}${' '}${reasons[request.status] ?? ''}
	<//>
`;

const columns = [
	['Time', (request) => asTimeOfDay(request.received_at)],
	['Method', ({ method }) => html`<code>${method}</code>`],
	[
		'Path',
		({ path, query }) => html`
			<span class="address">
				${path}${query && html`<span class="quiet">?${decoded(query.replaceAll('+', ' '))}</span>`}
			</span>
		`,
	],
	['Status', (request) => html`<${Status} request=${request} />`],
	['From', ({ headers }) => html`<small class="address">${headers['user-agent'] ?? '–'}</small>`],
];

/** The newest requests to the API and their outcomes. */
export function Requests() {
	const [chosen, choose] = useState();
	const { data, error } = useReading(`/requests?newest=${newest}`, {
		watch: ['world', 'requests'],
	});
	const requests = data?.requests.map((request, id) => ({ ...request, id })).reverse() ?? [];
	const found = requests.filter((request) => !chosen || fateOf(request) === chosen);
	const count = (fate) => requests.filter((request) => fateOf(request) === fate).length;
	return html`
		<div class="heading">
			<h2>Requests</h2>
			<button
				type="button"
				class="secondary small"
				onClick=${() => send('DELETE', '/requests')}
				disabled=${requests.length === 0}
			>
				Clear the list
			</button>
		</div>
		<p class="quiet">
			The newest ${newest} requests to the API, in this computer's time. This page's own requests
			are not listed.
		</p>
		<${Problem} error=${error} />
		<fieldset class="chips">
			<legend class="quiet">Outcome</legend>
			<${Chip} name="All" count=${requests.length} isOn=${!chosen} onClick=${() => choose()} />
			${Object.entries(fates).map(
				([fate, { name }]) => html`
					<${Chip}
						key=${fate}
						name=${name}
						count=${count(fate)}
						isOn=${chosen === fate}
						onClick=${() => choose(fate)}
					/>
				`,
			)}
		</fieldset>
		<${Table}
			label="Requests"
			rows=${data && found.slice(0, shownAtMost)}
			columns=${columns}
			none="No request matches."
		/>
		${
			found.length > shownAtMost &&
			html`<p class="quiet">${plural(found.length - shownAtMost, 'earlier request')} not shown</p>`
		}
	`;
}

const Chip = ({ name, count, isOn, onClick }) => html`
	<button type="button" class="chip" aria-pressed=${isOn ? 'true' : 'false'} onClick=${onClick}>
		${name} <strong>${count}</strong>
	</button>
`;
