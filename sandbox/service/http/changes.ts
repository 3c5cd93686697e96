import { Readable } from 'node:stream';

/** After so many looks without a change the stream says that it is still there. */
const looksPerHeartbeat = 30;
/** A comment, which a browser ignores. */
const heartbeat = ':\n\n';

/** Counters, each of which grows with every change of its kind. */
export type Counters = Record<string, number>;

/**
 * A stream of server-sent events, each with the counters as they are: at once, and again after every change, for which
 * is looked every `lookMs` milliseconds of the machine's time, until the stream is destroyed.
 */
export function changes(look: () => Counters, lookMs = 500): Readable {
	let last = '';
	let quiet = 0;
	let isFull = false;
	const tell = () => {
		// Whoever does not listen for a while is told how things are then.
		if (isFull) return;
		const now = JSON.stringify(look());
		quiet = now === last ? quiet + 1 : 0;
		last = now;
		if (quiet === 0) isFull = !stream.push(`data: ${now}\n\n`);
		else if (quiet % looksPerHeartbeat === 0) isFull = !stream.push(heartbeat);
	};
	const ticker = setInterval(tell, lookMs).unref();
	const stream = new Readable({
		read: () => void (isFull = false),
		destroy(error, done) {
			clearInterval(ticker);
			done(error);
		},
	});
	tell();
	return stream;
}
