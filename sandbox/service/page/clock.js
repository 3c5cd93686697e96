import { useReading } from './live.js';
import { Problem } from './parts.js';
import { html, useState } from './preact.js';
import { send } from './service.js';
import { asDateTime, asExactTime, plural } from './words.js';

const minute = 60_000;
const skips = [
	['1 minute', minute],
	['1 hour', 60 * minute],
	['1 day', 24 * 60 * minute],
	['7 days', 7 * 24 * 60 * minute],
];
const speeds = [1, 10, 60, 600];
/** What is due need not be right at every moment. */
const dueGapMs = 3000;

/** What is due, for one and for several. */
const dueWords = {
	auto_update_runs: ['auto-update run'],
	scheduled_reports: ['scheduled report'],
	daily_backups: ['daily backup'],
	backups_under_way: ['backup ends', 'backups end'],
	tasks: ['task ends', 'tasks end'],
	staging_sites_expired: ['staging site expires', 'staging sites expire'],
	sites_up: ['site comes up again', 'sites come up again'],
	sites_reconnected: ['site is reconnected', 'sites are reconnected'],
	clean_ups: ['malware clean-up starts', 'malware clean-ups start'],
};

/** What happened: what came, and what went. */
const cameWords = {
	auto_update_runs: ['auto-update run', 'auto-update runs'],
	reports: ['report created', 'reports created'],
	backups_succeeded: ['site backed up', 'sites backed up'],
	backups_failed: ['backup failed', 'backups failed'],
	tasks_completed: ['task completed', 'tasks completed'],
	tasks_failed: ['task failed', 'tasks failed'],
	staging_sites_expired: ['staging site expired', 'staging sites expired'],
	sites_down: ['site went down', 'sites went down'],
	sites_hacked: ['site hacked', 'sites hacked'],
	sites_disconnected: ['site disconnected', 'sites disconnected'],
};
const wentWords = {
	sites_down: ['site came up', 'sites came up'],
	sites_hacked: ['site cleaned', 'sites cleaned'],
	sites_disconnected: ['site reconnected', 'sites reconnected'],
};

const inWords = (counts, words) =>
	Object.entries(words)
		.filter(([name]) => counts[name] > 0)
		.map(([name, [one, many]]) => plural(counts[name], one, many));

/** The service's time, and how to move it. */
export function Clock({ clock, now }) {
	const [pending, setPending] = useState(0);
	const [error, setError] = useState();
	const [past, setPast] = useState();
	const change = async (path, body) => {
		setPending((count) => count + 1);
		setError(undefined);
		setPast(undefined);
		try {
			return await send('POST', path, { body });
		} catch (problem) {
			setError(problem);
			return undefined;
		} finally {
			setPending((count) => count - 1);
		}
	};
	const skip = async (name, ms) => {
		const answer = await change('/clock/advance', { ms });
		if (answer) setPast({ name, ...answer });
	};
	const isMoving = pending > 0 || Boolean(clock?.move);
	return html`
		<section aria-labelledby="time">
			<h3 id="time">Time of the service</h3>
			<p class="clock"><time>${now ? asExactTime(now) : '…'}</time></p>
			<p class="quiet">${clock && speedOf(clock)}</p>
			<fieldset class="moves">
				<legend class="quiet">Speed</legend>
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
							${speed}×
						</button>
					`,
				)}
			</fieldset>
			<h4>Skip time</h4>
			<p class="quiet">
				Each button lists what is scheduled in that time. In a fleet that lives, more happens by
				chance: tasks, reports, outages, malware and lost connections.
			</p>
			<div class="subjects">
				${skips.map(
					([name, ms]) => html`
						<${Skip}
							key=${ms}
							name=${name}
							ms=${ms}
							isOff=${!clock?.movable || isMoving}
							onSkip=${skip}
						/>
					`,
				)}
			</div>
			<div class="outcome">
				<div role="status" class="done">
					${isMoving && html`<${Move} move=${clock?.move} now=${clock?.now} />`}
					${past && html`<${Past} ...${past} />`}
				</div>
				<${Problem} error=${error} />
			</div>
		</section>
	`;
}

/** A button, with what is due in the time that it skips. */
function Skip({ name, ms, isOff, onSkip }) {
	const { data } = useReading(`/clock/due?ms=${ms}`, {
		watch: ['world', 'clock'],
		gapMs: dueGapMs,
	});
	const due = data && inWords(data.due, dueWords);
	const id = `due-${ms}`;
	return html`
		<article class="subject">
			<button
				type="button"
				data-action=${`Skip ${name}`}
				aria-disabled=${isOff ? 'true' : undefined}
				aria-describedby=${id}
				onClick=${() => isOff || onSkip(name, ms)}
			>
				Skip ${name}
			</button>
			<div id=${id}>
				${!due && html`<p>…</p>`} ${due?.length === 0 && html`<p>Nothing is scheduled.</p>`}
				${
					due?.length > 0 &&
					html`<ul>
						${due.map((text) => html`<li key=${text}>${text}</li>`)}
					</ul>`
				}
			</div>
		</article>
	`;
}

/** What happened in the time that was skipped. */
function Past({ name, now, happened: { came, went } }) {
	const all = [...inWords(came, cameWords), ...inWords(went, wentWords)];
	return html`
		<p>Skipped ${name}. It is ${asDateTime(now)} now.</p>
		<p>${all.length === 0 ? 'Nothing happened.' : `What happened: ${all.join(', ')}.`}</p>
	`;
}

const speedOf = ({ speed, movable }) =>
	speed === 0
		? `The time stands still${movable ? ' until you skip some' : ''}.`
		: `The time runs ${speed === 1 ? 'at the speed of' : `${speed} times as fast as`} real time.`;

/** How far a move has come. */
function Move({ move, now }) {
	if (!move) return 'Moving …';
	const [from, to, at] = [move.from, move.to, now].map(Date.parse);
	return html`
		Moving to ${asDateTime(to)}
		<progress value=${at - from} max=${to - from} aria-label="Progress of the move"></progress>
	`;
}
