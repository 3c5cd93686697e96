import { html, useEffect, useMemo, useRef, useState } from './preact.js';
import { plural } from './words.js';

/** For this long a change is marked, in milliseconds. */
const markedMs = 6000;
/** The summary that is read aloud comes no more often than this, in milliseconds. */
const summaryGapMs = 10_000;

/**
 * The keys of the entries that have changed in the last seconds. An entry is `[key, what is shown of it]`; those of
 * another list than before are not compared. `noun` is what the summary calls them.
 */
export function useChanged(entries, { list, noun }) {
	const known = useRef({});
	const [changed, setChanged] = useState(new Set());
	const shown = entries && JSON.stringify(entries);
	useEffect(() => {
		if (!shown) return;
		const before = known.current.list === list ? known.current.entries : undefined;
		known.current = { list, entries: new Map(entries.map(([key, value]) => [key, same(value)])) };
		if (!before) return;
		const keys = entries.flatMap(([key, value]) => (before.get(key) === same(value) ? [] : [key]));
		if (keys.length === 0) return;
		setChanged((others) => new Set([...others, ...keys]));
		setTimeout(() => {
			setChanged((all) => new Set([...all].filter((key) => !keys.includes(key))));
		}, markedMs);
		summarize(noun, keys);
	}, [shown, list]);
	return changed;
}

const same = (value) => JSON.stringify(value);

/** The rows of a list that have changed; what changes all the time is left out. */
export function useChangedRows(rows, { list, noun, look = lasting }) {
	const entries = useMemo(() => rows?.map((row) => [row.id, look(row)]), [rows]);
	return useChanged(entries, { list, noun });
}

const lasting = ({ updated_at: _at, progress: _progress, ...row }) => row;

/** The class of what may be marked. */
export const markOf = (isChanged, others = '') => (isChanged ? `${others} changed` : others).trim();

/** What has changed since the last summary, by nouns. */
const unsaid = new Map();
let say = () => {};
let lastSaid = -Infinity;
let timer;

function summarize(noun, keys) {
	unsaid.set(noun, new Set([...(unsaid.get(noun) ?? []), ...keys]));
	timer ??= setTimeout(
		() => {
			const counts = [...unsaid].map(([name, all]) => plural(all.size, name));
			say(`Changed: ${counts.join(', ')}.`);
			unsaid.clear();
			lastSaid = performance.now();
			timer = undefined;
		},
		Math.max(1000, lastSaid + summaryGapMs - performance.now()),
	);
}

/** Says now and then to those who cannot see it what has changed. */
export function Summary() {
	const [text, setText] = useState('');
	useEffect(() => {
		say = setText;
	}, []);
	return html`<p class="unseen" role="status" id="summary">${text}</p>`;
}
