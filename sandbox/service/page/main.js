import { html, render, useLayoutEffect, useRef } from './preact.js';
import { Summary } from './changes.js';
import { Clients } from './clients.js';
import { Clock } from './clock.js';
import { Faults } from './faults.js';
import { Fleet } from './fleet.js';
import { Header } from './header.js';
import { follow } from './live.js';
import { Messages } from './messages.js';
import { Reports } from './reports.js';
import { Requests } from './requests.js';
import { useRoute } from './route.js';
import { Site } from './site.js';
import { Staging } from './staging.js';
import { Tasks } from './tasks.js';
import { NowProvider, useClock } from './time.js';

const Controls = (time) =>
	html`<h2>Faults & time</h2>
		<${Clock} ...${time} /><${Faults} />`;

const views = {
	sites: { title: 'Fleet', View: Fleet },
	tasks: { title: 'Tasks', View: Tasks },
	staging: { title: 'Staging', View: Staging },
	reports: { title: 'Reports', View: Reports },
	clients: { title: 'Clients', View: Clients },
	messages: { title: 'Messages', View: Messages },
	requests: { title: 'Requests', View: Requests },
	controls: { title: 'Faults & time', View: Controls },
};

function Page() {
	const { view, id, query } = useRoute();
	const { clock, now } = useClock();
	const current = Object.hasOwn(views, view) ? view : 'sites';
	const { title, View } = views[current];
	const main = useRef();
	const isFirst = useRef(true);
	// Before anybody can go on: an effect that comes later would take away the focus that they set.
	useLayoutEffect(() => {
		document.title = `${title} – Site Management sandbox`;
		scrollTo(0, 0);
		// What was focused is gone with the view before.
		if (!isFirst.current) main.current.focus();
		isFirst.current = false;
	}, [current, id]);
	const skip = (event) => {
		// The part of the address after # says which view is shown.
		event.preventDefault();
		main.current.focus();
	};
	return html`
		<${NowProvider} value=${now}>
			<a class="skip" href="#content" onClick=${skip}>Skip to content</a>
			<${Header} views=${views} current=${current} clock=${clock} now=${now} />
			<main id="content" ref=${main} tabindex="-1">
				${
					current === 'sites' && id
						? html`<${Site} key=${id} id=${id} query=${query} />`
						: html`<${View} query=${query} clock=${clock} now=${now} />`
				}
				<${Summary} />
			</main>
		<//>
	`;
}

render(html`<${Page} />`, document.body);
follow();
