import { html, render, useEffect } from './preact.js';
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

const Controls = (time) => html`<${Clock} ...${time} /><${Faults} />`;

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
	useEffect(() => {
		document.title = `${title} – Site Management sandbox`;
		scrollTo(0, 0);
	}, [current, id]);
	return html`
		<${NowProvider} value=${now}>
			<${Header} views=${views} current=${current} clock=${clock} now=${now} />
			<main>
				${
					current === 'sites' && id
						? html`<${Site} key=${id} id=${id} query=${query} />`
						: html`<${View} query=${query} clock=${clock} now=${now} />`
				}
			</main>
		<//>
	`;
}

render(html`<${Page} />`, document.body);
follow();
