import type { Clock } from '../engine/clock';

export interface RateLimitOptions {
	/** Requests per window. */
	limit?: number;
	/** Length of the window in milliseconds, in which a client waits for its end. */
	windowMs?: number;
}

interface Window {
	startedAt: number;
	used: number;
}

/** A fixed window per account (Part A 8); it begins with the first request after the previous one. */
export class RateLimiter {
	private readonly windows = new Map<string, Window>();
	private readonly limit: number;
	private readonly windowMs: number;

	constructor(
		private readonly clock: Clock,
		{ limit = 200, windowMs = 60_000 }: RateLimitOptions = {},
	) {
		this.limit = limit;
		this.windowMs = windowMs;
	}

	/** Nobody has sent anything. */
	reset(): void {
		this.windows.clear();
	}

	/** Counts a request; `headers` belong to its response whether it is allowed or not. */
	take(account: string): { allowed: boolean; headers: Record<string, number> } {
		const window = this.current(account);
		this.windows.set(account, window);
		window.used += 1;
		return {
			allowed: window.used <= this.limit,
			headers: {
				'X-RateLimit-Limit': this.limit,
				'X-RateLimit-Remaining': Math.max(0, this.limit - window.used),
				'X-RateLimit-Reset': this.secondsLeft(window),
			},
		};
	}

	/** How much of its window an account has used, without counting that. */
	look(account: string): { limit: number; used: number; resets_in: number } {
		const window = this.current(account);
		return { limit: this.limit, used: window.used, resets_in: this.secondsLeft(window) };
	}

	/** The window that a request of the account would belong to now. */
	private current(account: string): Window {
		const window = this.windows.get(account);
		const now = this.now();
		// A fleet that is put back takes the time with it, where clients wait in that.
		const isNow = window && window.startedAt <= now && now < window.startedAt + this.windowMs;
		return isNow ? window : { startedAt: now, used: 0 };
	}

	private secondsLeft({ startedAt }: Window): number {
		return Math.ceil((startedAt + this.windowMs - this.now()) / 1000);
	}

	/** Whoever waits for the reset waits in real time, however fast that of the service runs. */
	private now(): number {
		return this.clock.machineNow?.() ?? this.clock.now();
	}
}
