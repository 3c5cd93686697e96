import { html, useEffect, useState } from './preact.js';
import { useActiveFaults } from './faults.js';
import { useConnected, useReading } from './live.js';
import { WebLink } from './parts.js';
import { hashOf } from './route.js';
import { useActiveTasks } from './taskParts.js';
import { Toolbar } from './toolbar.js';
import { asExactTime, spoken } from './words.js';

/** What is always in sight: the time, the rate limit, and the way to the views. */
export function Header({ views, current, clock, now }) {
	return html`
		<header class="top">
			<div class="bar">
				<h1>Site Management sandbox</h1>
				<${Live} />
				<span class="gauges bar">
					<${Now} clock=${clock} now=${now} />
					<${RateLimit} />
				</span>
			</div>
			<nav aria-label="Views">
				<${Toolbar} label="Views" look="views">
					<${Views} views=${views} current=${current} />
					<${Links} />
				<//>
			</nav>
		</header>
	`;
}

function Live() {
	const isConnected = useConnected();
	return html`<span role="status" class=${isConnected ? 'live' : 'live lost'}>
		${isConnected ? 'Live' : 'Connecting …'}
	</span>`;
}

/** n8n keeps its own spelling. */
const nameOf = (link) => (link === 'n8n' ? link : spoken(link));

function Links() {
	const { data } = useReading('/page', { watch: [] });
	return html`
		<span class="links">
			${Object.entries(data?.links ?? {}).map(
				([name, url]) => html`<${WebLink} key=${name} url=${url}>${nameOf(name)} ↗<//>`,
			)}
		</span>
	`;
}

const speedOf = ({ speed }) => (speed === 0 ? 'stands still' : `${speed}× speed`);

const Now = ({ clock, now }) => html`
	<span class="gauge">
		<span class="quiet">Service time</span>
		<time>${now ? asExactTime(now) : '…'}</time>
		${clock && clock.speed !== 1 && html`<span class="quiet">${speedOf(clock)}</span>`}
		${clock?.move && html`<span class="quiet">moving …</span>`}
	</span>
`;

/** The seconds left in the window. */
function useCountdown(window) {
	const [left, setLeft] = useState(0);
	useEffect(() => {
		if (!window) return undefined;
		const endsAt = Date.now() + window.resets_in * 1000;
		const tick = () => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)));
		tick();
		const ticker = setInterval(tick, 1000);
		return () => clearInterval(ticker);
	}, [window]);
	return left;
}

function RateLimit() {
	const { data } = useReading('/rate-limit', { watch: ['world', 'requests'] });
	const left = useCountdown(data);
	if (!data) return undefined;
	const { limit } = data;
	// The service reports no change when a window ends.
	const used = left > 0 ? data.used : 0;
	const text = `${used} of ${limit} requests`;
	return html`
		<span class="gauge">
			<span class="quiet">Rate limit</span>
			<meter
				min="0"
				max=${limit}
				low=${limit * 0.7}
				high=${limit * 0.95}
				optimum="0"
				value=${Math.min(used, limit)}
				aria-label="Requests in this window"
				aria-valuetext=${text}
			></meter>
			<span>${text}</span>
			<span class="quiet">${used > 0 ? `resets in ${left} s` : 'unused'}</span>
		</span>
	`;
}

function Views({ views, current }) {
	const { total } = useActiveTasks();
	const faults = useActiveFaults();
	const notes = {
		tasks: total > 0 && [total, total === 1 ? 'task under way' : 'tasks under way'],
		controls: faults.length > 0 && [faults.length, faults.length === 1 ? 'fault on' : 'faults on'],
	};
	return Object.entries(views).map(
		([name, { title }]) => html`
			<a key=${name} href=${hashOf(name)} aria-current=${name === current ? 'page' : undefined}>
				${title}
				${
					notes[name] &&
					html`<span class="count ${name}"
						>${notes[name][0]}<span class="unseen"> ${notes[name][1]}</span></span
					>`
				}
			</a>
		`,
	);
}
