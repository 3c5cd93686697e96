import type { InternalAxiosRequestConfig } from 'axios';
import type { Fleet } from './fleet';
import { axios } from './n8nAxios';
import { VirtualTime } from './virtualTime';

/** A request on its way, by the clock of the fleet. */
export interface Arrival {
	at: number;
	/** As `GET /tags/7`. */
	route: string;
	status: number;
}

/**
 * Virtual time over HTTP: n8n and the service have the same clock, which moves on only when no request is under way and
 * nothing else can happen. Each request takes a while there and back.
 */
export function fleetTime(fleet: Fleet, tripMs = 60) {
	let underWay = 0;
	const time = new VirtualTime({
		isBusy: () => underWay > 0,
		start: fleet.clock.now(),
		moved: (ms) => fleet.clock.advance(ms),
	});
	const { clock } = require('../../dist/nodes/shared/lib') as { clock: object };
	Object.assign(clock, { now: time.now, steady: time.now, sleep: time.sleep, guard: time.sleep });
	const arrivals: Arrival[] = [];
	const { adapter } = axios.defaults;
	const send = axios.getAdapter(['http']);
	axios.defaults.adapter = async (config: InternalAxiosRequestConfig) => {
		await time.sleep(tripMs / 2);
		const at = time.now();
		underWay += 1;
		const answer = await send(config).finally(() => (underWay -= 1));
		const { method = '', url = '' } = config;
		arrivals.push({ at, route: `${method.toUpperCase()} ${url}`, status: answer.status });
		await time.sleep(tripMs / 2);
		return answer;
	};
	const end = () => void (axios.defaults.adapter = adapter);
	return { time, arrivals, end };
}
