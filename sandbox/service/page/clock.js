import { html, useState } from './preact.js';
import { Problem } from './parts.js';
import { send } from './service.js';
import { asDateTime, asExactTime } from './words.js';

const minute = 60_000;
const moves = [
	['1 min', minute],
	['1 hour', 60 * minute],
	['1 day', 24 * 60 * minute],
	['7 days', 7 * 24 * 60 * minute],
];
const speeds = [1, 10, 60, 600];

/** The service's time, and how to move it. */
export function Clock({ clock, now }) {
	const [pending, setPending] = useState(0);
	const [error, setError] = useState();
	const change = async (path, body) => {
		setPending((count) => count + 1);
		setError(undefined);
		try {
			await send('POST', path, { body });
		} catch (problem) {
			setError(problem);
		}
		setPending((count) => count - 1);
	};
	const isMoving = pending > 0 || Boolean(clock?.move);
	return html`
		<section aria-labelledby="time">
			<h2 id="time">Time of the service</h2>
			<p class="clock"><time>${now ? asExactTime(now) : '…'}</time></p>
			<p class="quiet">${clock && speedOf(clock)}</p>
			<fieldset class="moves">
				<legend class="quiet">How fast it runs</legend>
				${speeds.map(
					(speed) => html`
						<button
							type="button"
							key=${speed}
							class=${speed === clock?.speed ? '' : 'secondary'}
							aria-pressed=${speed === clock?.speed}
							disabled=${!clock?.speed}
							onClick=${() => change('/clock', { speed })}
						>
							× ${speed}
						</button>
					`,
				)}
			</fieldset>
			<fieldset class="moves">
				<legend class="quiet">Move it forward</legend>
				${moves.map(
					([name, ms]) => html`
						<button
							type="button"
							key=${ms}
							disabled=${!clock?.movable || isMoving}
							onClick=${() => change('/clock/advance', { ms })}
						>
							+ ${name}
						</button>
					`,
				)}
			</fieldset>
			<p role="status">${isMoving && html`<${Move} move=${clock?.move} now=${clock?.now} />`}</p>
			<${Problem} error=${error} />
		</section>
	`;
}

const speedOf = ({ speed, movable }) =>
	speed === 0
		? `It stands still${movable ? ' until it is moved' : ''}.`
		: `It runs ${speed === 1 ? 'as fast as' : `${speed} times as fast as`} the machine's.`;

/** How far a move has come. */
function Move({ move, now }) {
	if (!move) return 'Moving …';
	const [from, to, at] = [move.from, move.to, now].map(Date.parse);
	return html`
		Moving to ${asDateTime(to)}
		<progress
			value=${at - from}
			max=${to - from}
			aria-label="How far the time has moved"
		></progress>
	`;
}
