import { createContext, html, useContext, useEffect, useState } from './preact.js';
import { useReading } from './live.js';
import { asExactTime, fromNow } from './words.js';

/** The service's time in milliseconds; 0 before it is known. */
const Now = createContext(0);

/** The service's clock; its time goes on between two readings. */
export function useClock() {
	const { data: clock } = useReading('/clock', { watch: ['world', 'clock'] });
	const [now, setNow] = useState(0);
	useEffect(() => {
		if (!clock) return undefined;
		const readAt = Date.now();
		const tick = () => setNow(Date.parse(clock.now) + (Date.now() - readAt) * clock.speed);
		tick();
		const ticker = setInterval(tick, 1000);
		return () => clearInterval(ticker);
	}, [clock]);
	return { clock, now };
}

export const NowProvider = Now.Provider;

/** Whether exact times are shown, not only relative ones. */
const Exact = createContext(false);
export const ExactTimes = ({ children }) => html`<${Exact.Provider} value=${true}>${children}<//>`;

/** A time of a record, relative to the service's time. */
export function Time({ at, none = '–' }) {
	const now = useContext(Now);
	const isExact = useContext(Exact);
	if (!at) return html`<span class="quiet">${none}</span>`;
	const exact = asExactTime(at);
	return html`<time datetime=${at} title=${exact}>${now ? fromNow(at, now) : ''}</time>${
			isExact && html` <small class="quiet">${exact}</small>`
		}`;
}

/** Whether a time of a record is less than this many milliseconds away. */
export function useIsWithin(at, ms) {
	const now = useContext(Now);
	return now > 0 && Date.parse(at) - now < ms;
}
