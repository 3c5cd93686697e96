import type { AttemptOutcome } from '../../nodes/shared/client/exchange';
import type { ApiResponse } from '../../nodes/shared/n8n/context';
import type { VirtualTime } from './virtualTime';

export interface ModelOptions {
	limit: number;
	windowMs: number;
	/** Times on the way there and back and faults, drawn anew for each request. */
	weather: () => Weather;
}

export interface Weather {
	thereMs: number;
	backMs: number;
	fault?: 'error' | 'droppedBefore' | 'droppedAfter' | 'refusedByRule';
}

export interface Arrival {
	at: number;
	window: number;
	who: string;
	/** What the request changes, if anything. */
	change?: string;
	status: number;
}

/** The service as the transport sees it, in virtual time: a fixed window, and answers that take their time. */
export class ModelService {
	readonly arrivals: Arrival[] = [];

	readonly applied: string[] = [];

	private window = 0;

	private windowStart = -Infinity;

	private used = 0;

	constructor(
		private readonly time: VirtualTime,
		private readonly options: ModelOptions,
	) {}

	/** One attempt, as the transport's `send`. */
	async send(who: string, change?: string): Promise<AttemptOutcome> {
		const { thereMs, backMs, fault } = this.options.weather();
		return await new Promise((resolve) => {
			const reply = (outcome: AttemptOutcome) =>
				this.time.at(this.time.now() + backMs, () => resolve(outcome));
			this.time.at(this.time.now() + thereMs, () => {
				if (fault === 'droppedBefore') return reply({ failure: new Error('dropped') });
				const answer = this.answer(who, change, fault);
				return reply(fault === 'droppedAfter' ? { failure: new Error('dropped') } : { answer });
			});
		});
	}

	/** A request of somebody else. */
	foreign(): void {
		this.answer('others');
	}

	private answer(who: string, change?: string, fault?: Weather['fault']): ApiResponse {
		const { limit, windowMs } = this.options;
		const at = this.time.now();
		if (at >= this.windowStart + windowMs) {
			this.window += 1;
			this.windowStart = at;
			this.used = 0;
		}
		this.used += 1;
		const status = this.statusOf(fault);
		if (status === 200 && change !== undefined) this.applied.push(change);
		this.arrivals.push({ at, window: this.window, who, change, status });
		return {
			statusCode: status,
			body: {},
			headers: {
				'x-ratelimit-limit': limit,
				'x-ratelimit-remaining': Math.max(0, limit - this.used),
				'x-ratelimit-reset': Math.ceil((this.windowStart + windowMs - at) / 1000),
			},
		};
	}

	private statusOf(fault?: Weather['fault']): number {
		if (this.used > this.options.limit) return 429;
		if (fault === 'error') return 500;
		return fault === 'refusedByRule' ? 422 : 200;
	}
}
