import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { MAX_IN_FLIGHT } from '../shared/client/limiter';
import { Semaphore } from '../shared/client/queue';
import { accountOf } from '../shared/client/request';
import { clock, MINUTE_MS } from '../shared/lib';
import { cancelSignal } from '../shared/n8n/context';

/** Paces the requests of one run, so that other workflows keep the rest of the account's limit. */
export class Pace {
	private readonly few = new Semaphore(MAX_IN_FLIGHT);

	/** When the next request may start. */
	private next = -Infinity;

	/** @param share of the limit of the account in percent */
	constructor(
		private readonly context: IExecuteSingleFunctions,
		private readonly share: number,
	) {}

	/** Runs what sends one request, a few at a time. */
	async run<T>(request: () => Promise<T>): Promise<T> {
		return await this.few.run(async () => {
			if (this.share < 100) await this.wait();
			return await request();
		});
	}

	private async wait(): Promise<void> {
		const { limiter } = await accountOf(this.context);
		const start = Math.max(clock.now(), this.next);
		this.next = start + MINUTE_MS / ((limiter.perMinute * this.share) / 100);
		if (start > clock.now()) await clock.sleep(start - clock.now(), cancelSignal(this.context));
	}
}
