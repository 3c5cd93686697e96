import { html } from './preact.js';
import { useReading } from './live.js';
import { Nothing, Problem } from './parts.js';
import { Time } from './time.js';

/** The chat messages and tickets that the sandbox received. */
export const Messages = () => html`
	<h2>Messages</h2>
	<div class="halves">
		<section aria-labelledby="chat">
			<h3 id="chat">Chat</h3>
			<${Inbox} path="/chat" name="messages" Message=${ChatMessage} />
		</section>
		<section aria-labelledby="tickets">
			<h3 id="tickets">Tickets</h3>
			<${Inbox} path="/tickets" name="tickets" Message=${Ticket} />
		</section>
	</div>
`;

function Inbox({ path, name, Message }) {
	const { data, error } = useReading(path);
	const isMissing = error?.status === 404;
	return html`
		${
			isMissing
				? html`<${Nothing}>This service has no inbox.<//>`
				: html`<${Problem} error=${error} />`
		}
		${
			data?.[name].length === 0 &&
			html`<${Nothing}>Nothing received yet. Workflows send to <code>/_sandbox${path}</code>.<//>`
		}
		${data?.[name]
			.toReversed()
			.map((message) => html`<${Message} key=${message.id} ...${message} />`)}
	`;
}

const SIGNS = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** As a chat shows it, where other signs begin links and mentions. */
const decoded = (text) => text.replace(/&(lt|gt|amp);/g, (entity) => SIGNS[entity]);

const ChatMessage = ({ received_at: receivedAt, body }) => html`
	<article class="message">
		<p class="quiet"><${Time} at=${receivedAt} /></p>
		<${Content} body=${body} text="text" shown=${decoded} />
	</article>
`;

const Ticket = ({ id, received_at: receivedAt, body }) => html`
	<article class="message">
		<p class="line">
			<strong>${id}</strong>
			${typeof body.title === 'string' && html`<strong>${body.title}</strong>`}
			<span class="quiet end"><${Time} at=${receivedAt} /></span>
		</p>
		<${Content} body=${body} text="description" known=${['title']} />
	</article>
`;

/** The text of a message, and all its fields as they were sent. */
function Content({ body, text, known = [], shown = (words) => words }) {
	const { [text]: words, ...others } = body;
	if (typeof words !== 'string') return html`<pre>${JSON.stringify(body, null, 2)}</pre>`;
	const rest = Object.entries(others).filter(([name]) => !known.includes(name));
	return html`
		<p class="text">${shown(words)}</p>
		${
			rest.length > 0 &&
			html`<details>
				<summary>Full message</summary>
				<pre>${JSON.stringify(body, null, 2)}</pre>
			</details>`
		}
	`;
}
