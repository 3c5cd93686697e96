import type { IDataObject } from 'n8n-workflow';
import type { ActiveTrigger } from '../engine/activeTrigger';
import type { Choice, Happening, World } from './world';

type Status = 'must' | 'may' | 'never';

/** What one trigger has to tell, and what it has told. */
export class Expectation {
	readonly faults: string[] = [];

	items = 0;

	/** Whether it is not sure yet what counts. */
	isBeginning = false;

	/** Whether n8n itself may report an event twice. */
	mayRepeat = false;

	private readonly known = new Map<
		string,
		{ event: string; status: Status; happening: Happening; isRecent?: boolean }
	>();

	private readonly emitted = new Map<string, number>();

	/** What was told before a beginning, of which nothing is remembered: where it happens again, it may come again. */
	private readonly forgotten = new Set<string>();

	private read = 0;

	private lost = 0;

	/** @param shown an item with the times that the records have */
	constructor(
		private readonly world: World,
		private readonly n8n: ActiveTrigger,
		public choice: Choice,
		private readonly shown: (item: IDataObject) => IDataObject,
	) {}

	/** What was there before it has begun, and may be told all the same. */
	begin(happenings: Happening[]): void {
		for (const happening of happenings) {
			const { key, event } = happening;
			this.known.set(key, { event, status: 'may', happening });
		}
	}

	happen(happenings: Happening[], blurred: string[]): void {
		for (const happening of happenings) {
			const { key, event } = happening;
			if (this.forgotten.delete(key)) this.emitted.delete(key);
			const counts =
				this.choice.events.includes(event) && this.world.matches(this.choice, happening);
			const isSure = this.n8n.isActive && !this.isBeginning && !happening.isOptional;
			const status =
				counts && isSure ? 'must' : counts || this.isBeginning ? 'may' : ('never' as const);
			if (this.known.get(key)?.status === 'may') continue;
			this.known.set(key, { event, status, happening, isRecent: true });
		}
		for (const key of blurred) this.blur(key);
	}

	/** Something after which nothing is remembered of some of what has been told. */
	beginAnew(keeps: (key: string) => boolean): void {
		this.collect();
		for (const key of this.emitted.keys()) {
			if (this.known.has(key) && !keeps(key)) this.forgotten.add(key);
		}
	}

	/** It may come or not, from now on. */
	blur(key: string): void {
		const found = this.known.get(key);
		if (found && (found.status === 'never' || !this.emitted.has(key))) found.status = 'may';
	}

	/**
	 * What has happened before some events were chosen may come all the same.
	 * @param onlyRecent only what has happened since all was quiet: it may wait for its details
	 */
	allow(events: readonly string[], onlyRecent = false): void {
		for (const found of this.known.values()) {
			const isMeant = events.includes(found.event) && (found.isRecent || !onlyRecent);
			if (found.status === 'never' && isMeant) found.status = 'may';
		}
	}

	/** What is told of some records may come or not, where it has to come. */
	loosen(isMeant: (name: string) => boolean): void {
		for (const [key, found] of this.known) {
			const isOpen = found.status === 'must' && !this.emitted.has(key);
			if (isOpen && isMeant(key.split(' ')[0]!)) found.status = 'may';
		}
		// What is dated ahead after a beginning may be new to the trigger.
		for (const key of this.forgotten) {
			if (!isMeant(key.split(' ')[0]!)) continue;
			this.forgotten.delete(key);
			this.emitted.delete(key);
			this.known.get(key)!.status = 'may';
		}
	}

	eventOf(key: string): string {
		return this.known.get(key)!.event;
	}

	/** Reads what the executions have begun with since. */
	collect(): void {
		const { executions } = this.n8n;
		for (const items of executions.slice(this.read)) {
			for (const item of items.map(this.shown)) {
				this.items += 1;
				const fault = this.world.faultOf?.(item, this.choice);
				if (fault) this.faults.push(fault);
				if (this.world.isState?.(item)) continue;
				const key = this.world.keyOf(item);
				this.emitted.set(key, (this.emitted.get(key) ?? 0) + 1);
				const status = this.known.get(key)?.status ?? 'never';
				if (status === 'never') this.faults.push(`not to be told: ${key}`);
			}
		}
		this.read = executions.length;
	}

	missing(): string[] {
		this.collect();
		return [...this.known]
			.filter(([key, { status }]) => status === 'must' && !this.emitted.has(key))
			.map(([key]) => key);
	}

	/** What has not come by now is lost. */
	giveUp(): void {
		for (const key of this.missing()) {
			this.lost += 1;
			this.faults.push(`lost: ${key}`);
			this.blur(key);
		}
		for (const found of this.known.values()) found.isRecent = false;
	}

	get expected(): number {
		const musts = [...this.known.values()].filter(({ status }) => status === 'must');
		return musts.length + this.lost;
	}

	get twice(): string[] {
		if (this.mayRepeat) return [];
		return [...this.emitted].filter(([, count]) => count > 1).map(([key]) => key);
	}
}
