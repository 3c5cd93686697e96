import type { Clock } from '../engine/clock';

export interface RateLimitOptions {
	/** Requests per window. */
	limit?: number;
	/** Length of the window in milliseconds, in which a client waits for its end. */
	windowMs?: number;
}

/** A fixed window per account (Part A 8); it begins with the first request after the previous one. */
export class RateLimiter {
	private readonly windows = new Map<string, { startedAt: number; used: number }>();
	private readonly limit: number;
	private readonly windowMs: number;

	constructor(
		private readonly clock: Clock,
		{ limit = 200, windowMs = 60_000 }: RateLimitOptions = {},
	) {
		this.limit = limit;
		this.windowMs = windowMs;
	}

	/** Counts a request; `headers` belong to its response whether it is allowed or not. */
	take(account: string): { allowed: boolean; headers: Record<string, number> } {
		// Whoever waits for the reset waits in real time, however fast that of the service runs.
		const now = this.clock.machineNow?.() ?? this.clock.now();
		let window = this.windows.get(account);
		if (!window || now >= window.startedAt + this.windowMs) {
			window = { startedAt: now, used: 0 };
			this.windows.set(account, window);
		}
		window.used += 1;
		return {
			allowed: window.used <= this.limit,
			headers: {
				'X-RateLimit-Limit': this.limit,
				'X-RateLimit-Remaining': Math.max(0, this.limit - window.used),
				'X-RateLimit-Reset': Math.ceil((window.startedAt + this.windowMs - now) / 1000),
			},
		};
	}
}
