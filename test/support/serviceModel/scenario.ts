import type { IDataObject, INodeParameters, WorkflowActivateMode } from 'n8n-workflow';
import { N8n } from '../n8nModel';
import { type Account, Service, type Trouble } from './service';
import { Chance, Timeline } from './timeline';

/** What the user has chosen in the trigger. */
export interface Choice {
	events: string[];
	/** Whatever narrows what counts; another one is a new beginning. */
	filter: IDataObject;
	options: IDataObject;
}

/** Something that has happened in the service. */
export interface Happening {
	/** The same as that of the item that tells of it. */
	key: string;
	event: string;
	/** Whether it may come or not. */
	isOptional?: boolean;
	facts?: IDataObject;
}

/** A moment at which something changes. */
export interface Moment {
	account: Account;
	chance: Chance;
	/** In milliseconds. */
	now: number;
	/** The time that the service writes down, not before that of the record's last change. */
	stamp: (last?: unknown) => string;
	/** A new id. */
	id: () => string;
	choice: Choice;
	/** When what counts now has begun to. */
	begun: number;
}

/** What a trigger watches. */
export interface World {
	node: string;
	choose: (chance: Chance) => Choice;
	parameters: (choice: Choice) => INodeParameters;
	matches: (choice: Choice, happening: Happening) => boolean;
	/** What is there before the trigger is switched on; gives what may be told of it all the same. */
	begin: (moment: Moment) => Happening[];
	/** Changes something. @param isNew whether a record is made */
	change: (moment: Moment, isNew: boolean) => Happening[];
	keyOf: (item: IDataObject) => string;
	/** What is wrong with how an item looks. */
	faultOf?: (item: IDataObject, choice: Choice) => string | undefined;
	/** Judges what is told by comparing states, when all has been quiet; only notes them where something begins. */
	judge?: (
		moment: Moment,
		told: IDataObject[],
		begins: boolean,
		hasRestarted: boolean,
	) => { lost: string[]; wrong: string[]; expected: number };
	/** Whether an item is judged there, and not by its key. */
	isState?: (item: IDataObject) => boolean;
	/** Keys of what can no longer be seen by a poll that has not seen it yet, or may be seen otherwise. */
	blurred?: (moment: Moment) => string[];
}

export interface Setting {
	seed: number;
	isDurable: boolean;
	dateOffset: number | undefined;
	skew: number;
	inSeconds: boolean;
	limit: number;
	pageSize: number;
	shuffles: boolean;
}

/** What was found out. */
export interface Verdict {
	expected: number;
	emitted: number;
	lost: string[];
	twice: string[];
	wrong: string[];
	/** What the items tell of. */
	events: string[];
	largestState: number;
}

type Status = 'must' | 'may' | 'never';

const MINUTE = 60_000;

/** How much later than its time a record may be listed. */
const LATE = 121_000;

/** Polls after an edit that begins anew until what happens has to come. */
const POLLS_AFTER_EDIT = 0;

/** Polls without trouble after which everything has come. */
const QUIET_POLLS = 200;

/** n8n, the service and what is to be expected: one history. */
export class Scenario {
	readonly timeline = new Timeline();

	readonly chance: Chance;

	readonly service: Service;

	readonly n8n: N8n;

	choice: Choice;

	private readonly known = new Map<
		string,
		{ event: string; status: Status; happening: Happening }
	>();

	private readonly emitted = new Map<string, number>();

	private readonly lost: string[] = [];

	private readonly wrong: string[] = [];

	private read = 0;

	private judged = 0;

	private items = 0;

	private expected = 0;

	private ids = 0;

	/** Nothing is written down with a time before it. */
	private begun = 0;

	private isBeginning = false;

	private hasRestarted = false;

	/** Executions there were when the account became another one, of which n8n has saved nothing until then. */
	private unsavedAt = -1;

	constructor(
		readonly world: World,
		readonly setting: Setting,
		choice?: Choice,
	) {
		this.chance = new Chance(setting.seed);
		this.service = new Service(this.timeline, new Chance(setting.seed + 1));
		this.service.plugIn();
		Object.assign(this.service, {
			dateOffset: setting.dateOffset,
			limit: setting.limit,
			pageSize: setting.pageSize,
			shuffles: setting.shuffles,
		});
		this.choice = choice ?? world.choose(this.chance);
		this.n8n = new N8n(this.timeline, {
			node: world.node,
			parameters: world.parameters(this.choice),
			token: 'first',
			isDurable: setting.isDurable,
			skew: setting.skew,
		});
		this.open('first');
	}

	private open(token: string): void {
		if (this.service.accounts[token]) return;
		this.service.accounts[token] = {};
		const long = () => this.text(this.timeline.now - LATE - this.chance.below(10) * MINUTE);
		const found = this.world.begin({ ...this.moment(0, token), stamp: long });
		for (const each of found) {
			this.known.set(each.key, { event: each.event, status: 'may', happening: each });
		}
	}

	private text(time: number): string {
		const iso = new Date(time).toISOString();
		return this.setting.inSeconds ? iso.replace(/\.\d+/, '') : iso;
	}

	/** @param lag how much earlier than now the service says that it was */
	moment(lag = 0, token = this.n8n.options.token): Moment {
		const { now } = this.timeline;
		return {
			account: this.service.accounts[token]!,
			chance: this.chance,
			now,
			stamp: (last) =>
				this.text(
					Math.min(now, Math.max(now - lag, this.begun + 1_001, Date.parse(String(last)) || 0)),
				),
			id: () => `${token[0]}${(++this.ids * 7919) % 1_000_003}`,
			choice: this.choice,
			begun: this.begun,
		};
	}

	/** Notes what has happened, and what is to be expected of it. */
	happen(happenings: Happening[]): void {
		for (const happening of happenings) {
			const { key, event } = happening;
			const counts =
				this.choice.events.includes(event) && this.world.matches(this.choice, happening);
			const isSure = this.n8n.isActive && !this.isBeginning && !happening.isOptional;
			const status =
				counts && isSure ? 'must' : counts || this.isBeginning ? 'may' : ('never' as const);
			if (this.known.get(key)?.status === 'may') continue;
			this.known.set(key, { event, status, happening });
		}
		for (const key of this.world.blurred?.(this.moment()) ?? []) this.blur(key);
	}

	private blur(key: string): void {
		const found = this.known.get(key);
		if (found && (found.status === 'never' || !this.emitted.has(key))) found.status = 'may';
	}

	/** Changes something now. */
	change({ lag = 0, isNew = false } = {}): void {
		this.happen(this.world.change(this.moment(lag), isNew));
	}

	/** Changes things in the milliseconds to come. */
	changes(count: number, withinMs: number, lag = 0, isNew = false): void {
		for (let left = count; left > 0; left--) {
			const at = this.timeline.now + this.chance.below(withinMs + 1);
			this.timeline.at(at, () => this.change({ lag: this.chance.below(lag + 1), isNew }));
		}
	}

	/** Reads what the executions have begun with since. */
	private collect(): void {
		const { executions } = this.n8n;
		for (const items of executions.slice(this.read)) {
			for (const item of items) {
				this.items += 1;
				const fault = this.world.faultOf?.(item, this.choice);
				if (fault) this.wrong.push(fault);
				if (this.world.isState?.(item)) continue;
				const key = this.world.keyOf(item);
				this.emitted.set(key, (this.emitted.get(key) ?? 0) + 1);
				const status = this.known.get(key)?.status ?? 'never';
				if (status === 'never') this.wrong.push(key);
			}
		}
		this.read = executions.length;
	}

	private missing(): string[] {
		this.collect();
		return [...this.known]
			.filter(([key, { status }]) => status === 'must' && !this.emitted.has(key))
			.map(([key]) => key);
	}

	/** One poll, to its end. */
	async poll(): Promise<void> {
		await this.timeline.until(this.n8n.tick(this.freeMain()));
	}

	/** Sets a poll off, which goes on while other things happen. */
	start(): Promise<void> {
		return this.n8n.tick(this.freeMain());
	}

	/** The schedule hands a job to any process, but not to a second one while the first is at it. */
	private freeMain(): number {
		const busy = this.n8n.mains.findIndex(({ polls }) => polls.size > 0);
		return busy >= 0 ? busy : this.chance.below(2);
	}

	/** Waits for all polls under way. */
	async calm(): Promise<void> {
		while (this.n8n.underWay.length > 0) {
			await this.timeline.until(Promise.allSettled(this.n8n.underWay));
		}
	}

	private quiet(): void {
		this.service.trouble.count = 0;
		this.service.latency = 200;
		this.service.fastest = 20;
		this.service.limit = Math.max(this.service.limit, 200);
	}

	/** Polls without trouble, until everything has come; what has not by then is lost. */
	async settle(most = QUIET_POLLS): Promise<void> {
		if (!this.n8n.isActive) return;
		this.quiet();
		await this.calm();
		await this.timeline.advance(LATE);
		let calm = 0;
		for (let left = most; left > 0 && calm < 2; left--) {
			const before = this.n8n.executions.length;
			await this.poll();
			await this.timeline.advance(MINUTE);
			const isCalm = this.n8n.executions.length === before && this.missing().length === 0;
			calm = isCalm ? calm + 1 : 0;
		}
		for (const key of this.missing()) {
			this.lost.push(key);
			this.blur(key);
		}
		this.judge();
	}

	private judge(): void {
		this.collect();
		const items = this.n8n.executions.flat();
		const told = items.slice(this.judged).filter((item) => this.world.isState?.(item));
		this.judged = items.length;
		const found = this.world.judge?.(this.moment(), told, false, this.hasRestarted);
		this.lost.push(...(found?.lost ?? []));
		this.wrong.push(...(found?.wrong ?? []));
		this.expected += found?.expected ?? 0;
		this.hasRestarted = false;
	}

	/** Registers the trigger, again where that fails, as n8n or its user does. */
	private async activate(mode: WorkflowActivateMode): Promise<void> {
		for (let left = 30; left > 0; left--) {
			try {
				return await this.timeline.until(this.n8n.activate(mode));
			} catch (error) {
				if (left === 1) throw error;
				await this.timeline.advance(MINUTE);
				this.service.trouble.count = Math.min(this.service.trouble.count, 10);
			}
		}
	}

	/**
	 * Something after which other things count: what has happened before does not matter to it.
	 * @param keeps whether what has happened and not been told yet still has to come
	 */
	private async beginning(
		enter: () => Promise<void>,
		keeps: (key: string) => boolean,
		polls = 0,
	): Promise<void> {
		await this.timeline.advance(LATE);
		const wasBusy = this.n8n.underWay.length > 0;
		for (const key of this.missing()) if (!keeps(key)) this.blur(key);
		// Where lists can not be read within a poll, a beginning is spread over several, and so is what counts.
		this.quiet();
		this.isBeginning = true;
		this.unsavedAt = -1;
		await enter();
		// By default n8n saves nothing of polls that tell nothing, such as the one that begins later for that reason.
		if (wasBusy && !this.setting.isDurable) this.unsavedAt = this.n8n.executions.length;
		for (let left = wasBusy ? Math.max(1, polls) : polls; left > 0; left--) {
			this.quiet();
			await this.calm();
			await this.poll();
		}
		this.begun = this.timeline.now;
		await this.timeline.advance(2_500);
		this.isBeginning = false;
		// What was told under another choice is not to be compared with what comes.
		this.judged = this.n8n.executions.flat().length;
		this.world.judge?.(this.moment(), [], true, false);
	}

	async switchOn(): Promise<void> {
		await this.beginning(
			async () => await this.activate('activate'),
			() => false,
		);
	}

	async switchOff(saves: boolean): Promise<void> {
		await this.timeline.until(this.n8n.deactivate({ saves }));
		for (const key of this.missing()) this.blur(key);
	}

	/** Saves the active workflow with other parameters. */
	async edit(choice: Choice): Promise<void> {
		if (!this.n8n.isActive) return;
		const { filter } = this.choice;
		const isSame = JSON.stringify(filter) === JSON.stringify(choice.filter);
		const isOfOther = this.n8n.executions.length === this.unsavedAt;
		await this.beginning(
			async () => {
				this.choice = choice;
				this.n8n.options.parameters = this.world.parameters(choice);
				await this.timeline.until(this.n8n.deactivate({ isEdit: true }));
				await this.activate('update');
			},
			(key) => isSame && !isOfOther && choice.events.includes(this.known.get(key)!.event),
			isSame ? 0 : POLLS_AFTER_EDIT,
		);
	}

	/** The credential gets another token, of an account with other records; n8n does not notice. */
	async changeAccount(): Promise<void> {
		if (!this.n8n.isActive) return;
		const { options } = this.n8n;
		const token = options.token === 'first' ? 'second' : 'first';
		this.quiet();
		await this.calm();
		await this.beginning(
			async () => {
				options.token = token;
				this.open(token);
			},
			() => false,
			2,
		);
		this.unsavedAt = this.n8n.executions.length;
	}

	/** n8n is stopped, in the middle of what it does, and starts again. */
	async restart(): Promise<void> {
		await this.goOn('init', async () => {
			this.n8n.kill(1);
			this.n8n.kill(0);
		});
	}

	/** The other process takes over. */
	async changeLeader(): Promise<void> {
		await this.goOn('leadershipChange', async () => {
			await this.timeline.until(this.n8n.stepDown());
		});
	}

	private async goOn(mode: WorkflowActivateMode, turn: () => Promise<void>): Promise<void> {
		this.hasRestarted ||= !this.setting.isDurable;
		const enter = async () => {
			await turn();
			if (this.n8n.isActive) await this.activate(mode);
		};
		// By default n8n falls back to what it saved last, and that is of the account before.
		const isOfOther = !this.setting.isDurable && this.n8n.executions.length === this.unsavedAt;
		if (isOfOther && this.n8n.isActive) await this.beginning(enter, () => false);
		else await enter();
	}

	/** The next requests go wrong. */
	upset(kind: Trouble, count: number): void {
		this.service.trouble = { kind, count };
	}

	/** Ends the history. */
	async verdict(): Promise<Verdict> {
		await this.settle();
		const musts = [...this.known.values()].filter(({ status }) => status === 'must').length;
		return {
			expected: musts + this.expected + this.lost.length,
			emitted: this.items,
			lost: this.lost,
			twice: [...this.emitted].filter(([, count]) => count > 1).map(([key]) => key),
			wrong: this.wrong,
			events: this.n8n.executions.flat().map(({ event }) => String(event)),
			largestState: this.n8n.largestState,
		};
	}
}
