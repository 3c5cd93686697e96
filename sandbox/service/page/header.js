import { html, useEffect, useState } from './preact.js';
import { useActiveFaults } from './faults.js';
import { useConnected, useReading } from './live.js';
import { WebLink } from './parts.js';
import { hashOf } from './route.js';
import { useActiveTasks } from './taskParts.js';
import { asExactTime, plural, spoken } from './words.js';

/** What is always in sight: the time, the rate limit, and the way to the views. */
export function Header({ views, current, clock, now }) {
	return html`
		<header class="top">
			<div class="bar">
				<h1><a href="#/">Site Management sandbox</a></h1>
				<${Live} />
				<${Links} />
			</div>
			<div class="bar gauges">
				<${Now} clock=${clock} now=${now} />
				<${RateLimit} />
			</div>
			<${Views} views=${views} current=${current} />
		</header>
	`;
}

function Live() {
	const isConnected = useConnected();
	return html`<span role="status" class=${isConnected ? 'live' : 'live lost'}>
		${isConnected ? 'Live' : 'Connecting …'}
	</span>`;
}

/** n8n is called as it calls itself. */
const nameOf = (link) => (link === 'n8n' ? link : spoken(link));

function Links() {
	const { data } = useReading('/page', { watch: [] });
	return html`
		<nav aria-label="Elsewhere" class="links">
			${Object.entries(data?.links ?? {}).map(
				([name, url]) => html`<${WebLink} key=${name} url=${url}>${nameOf(name)} ↗<//>`,
			)}
		</nav>
	`;
}

const Now = ({ clock, now }) => html`
	<a href=${hashOf('controls')} class="gauge">
		<span class="quiet">Service time</span>
		<time>${now ? asExactTime(now) : '…'}</time>
		${clock && clock.speed !== 1 && html`<span class="quiet"> × ${clock.speed}</span>`}
		${clock?.move && html`<span class="quiet"> moving …</span>`}
	</a>
`;

/** The seconds that are left of those that were told. */
function useCountdown(told) {
	const [left, setLeft] = useState(0);
	useEffect(() => {
		if (!told) return undefined;
		const endsAt = Date.now() + told.resets_in * 1000;
		const tick = () => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)));
		tick();
		const ticker = setInterval(tick, 1000);
		return () => clearInterval(ticker);
	}, [told]);
	return left;
}

function RateLimit() {
	const { data } = useReading('/rate-limit', { watch: ['world', 'requests'] });
	const left = useCountdown(data);
	if (!data) return undefined;
	const { limit } = data;
	// When a window ends nothing happens that the service could tell.
	const used = left > 0 ? data.used : 0;
	const text = `${used} of ${limit}`;
	return html`
		<a href=${hashOf('requests')} class="gauge">
			<span class="quiet">Rate limit</span>
			<meter
				min="0"
				max=${limit}
				low=${limit * 0.7}
				high=${limit * 0.95}
				optimum="0"
				value=${Math.min(used, limit)}
				aria-label="Requests of this minute"
				aria-valuetext=${text}
			></meter>
			<span>${text}</span>
			<span class="quiet">${used > 0 ? `resets in ${left} s` : 'unused'}</span>
		</a>
	`;
}

function Views({ views, current }) {
	const { total } = useActiveTasks();
	const faults = useActiveFaults();
	const notes = {
		tasks: total > 0 && [total, plural(total, 'task under way', 'tasks under way')],
		controls: faults.length > 0 && [faults.length, plural(faults.length, 'fault on', 'faults on')],
	};
	return html`
		<nav aria-label="Views" class="views">
			${Object.entries(views).map(
				([name, { title }]) => html`
					<a key=${name} href=${hashOf(name)} aria-current=${name === current ? 'page' : undefined}>
						${title}
						${
							notes[name] &&
							html`<span class="count ${name}" aria-label=${notes[name][1]}
								>${notes[name][0]}</span
							>`
						}
					</a>
				`,
			)}
		</nav>
	`;
}
