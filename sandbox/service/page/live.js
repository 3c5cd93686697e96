import { useEffect, useState } from './preact.js';
import { changesAddress, send } from './service.js';

const reconnectMs = 2000;

/** Called when something has changed, and when the connection comes or goes. */
const listeners = new Set();
/** The last counters of the service; undefined before the first ones. */
let counters;
let source;
let isConnected = false;
/** A restarted service may count from the same numbers. */
let connection = 0;

function tell(connected) {
	isConnected = connected;
	for (const listener of [...listeners]) listener();
}

function connect() {
	source = new EventSource(changesAddress);
	source.onopen = () => {
		connection += 1;
	};
	source.onmessage = ({ data }) => {
		counters = JSON.parse(data);
		tell(true);
	};
	source.onerror = ({ target }) => {
		tell(false);
		// Some browsers give up when no service responds.
		if (target.readyState === EventSource.CLOSED) setTimeout(reconnect, reconnectMs, target);
	};
}

function reconnect(lost) {
	if (source === lost && !document.hidden) connect();
}

/** Listens to the service while the page is seen: a browser has few connections for all of its tabs. */
export function follow() {
	if (!document.hidden) connect();
	document.addEventListener('visibilitychange', () => {
		source?.close();
		if (document.hidden) tell(false);
		else connect();
	});
}

export function useConnected() {
	const [shown, show] = useState(isConnected);
	useEffect(() => {
		// It may have changed since the first rendering.
		show(isConnected);
		return listen(() => show(isConnected));
	}, []);
	return shown;
}

/**
 * What the service answers at a path, read again when one of the watched counters has changed, but no sooner than
 * `gapMs` after the last time. Without a path nothing is read.
 */
export function useReading(path, { watch = ['world'], gapMs = 0 } = {}) {
	const [shown, show] = useState({});
	useEffect(() => {
		if (path === undefined) return undefined;
		return readTogether(path, { watch, gapMs }, (reading) =>
			show((last) => ({ data: last.data, ...reading, path })),
		);
	}, [path]);
	return { ...shown, isBusy: path !== undefined && shown.path !== path };
}

/** What is being read, by its path: several parts of the page may show the same. */
const readings = new Map();

/** Returns how to end it. */
function readTogether(path, options, show) {
	if (!readings.has(path)) readings.set(path, startReading(path, options));
	const reading = readings.get(path);
	reading.shows.add(show);
	if (reading.last) show(reading.last);
	return () => {
		reading.shows.delete(show);
		if (reading.shows.size > 0) return;
		readings.delete(path);
		reading.end();
	};
}

function startReading(path, options) {
	const shows = new Set();
	const reading = { shows, last: undefined, end: undefined };
	reading.end = keepReading(path, options, (news) => {
		// After an error what was read before is still worth seeing.
		reading.last = { data: reading.last?.data, error: undefined, ...news };
		for (const show of shows) show(reading.last);
	});
	return reading;
}

function keepReading(path, { watch, gapMs }, show) {
	const over = new AbortController();
	let shown;
	let isReading = false;
	const look = async () => {
		const due = counters && [connection, ...watch.map((name) => counters[name])].join();
		if (due === undefined || due === shown || isReading) return;
		isReading = true;
		shown = due;
		try {
			show({ data: await send('GET', path, { signal: over.signal }) });
		} catch (error) {
			if (!over.signal.aborted) show({ error });
		}
		await pause(gapMs);
		isReading = false;
		// It may have changed meanwhile.
		if (!over.signal.aborted) await look();
	};
	const forget = listen(look);
	void look();
	return () => {
		forget();
		over.abort();
	};
}

function listen(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
