import type { IDataObject, INode, WorkflowActivateMode } from 'n8n-workflow';
import { ActiveTrigger } from '../engine/activeTrigger';
import { freshPackage } from '../engine/freshPackage';
import { Installation } from '../engine/process';
import { Clocks } from './clocks';
import { Expectation } from './expectation';
import { Service, type Trouble } from './service';
import { fromForm } from './shapes';
import { VirtualTime } from '../virtualTime';
import { Chance } from './chance';
import type { Choice, Happening, Moment, Setting, World } from './world';

export type { Choice, Happening, Moment, Setting, World } from './world';

/** What n8n keeps of a trigger stays well below the limits of databases. */
const MAX_STATE = 65_536;

const MINUTE = 60_000;

/** How much later than its time a record may be listed. */
const LATE = 121_000;

/** Polls without trouble after which everything has come. */
const QUIET_POLLS = 200;

/** Polls that tell nothing, after which all is quiet: a trigger that shares the requests reads its lists in several. */
const CALM_POLLS = 2;

/** Where states are compared, one that appears late among many is found once the overlap is over, in minutes. */
const CALM_POLLS_OF_STATES = 12;

/** A time that is so far ahead was never shown by any clock. */
const AHEAD = 6 * MINUTE;

/** The ids of the credentials. */
const FIRST = '1';
const SECOND = '2';

const ofAccount = (id: string) => ({ siteManagementApi: { id, name: 'Account' } });

/** What passes between reading the cursor of a job and its poll, in milliseconds. */
const LOOKUPS = 1_500;

/** One of the triggers of the same kind, on the same account and in the same processes. */
interface Trigger {
	n8n: ActiveTrigger;
	told: Expectation;
	/** How much later than the first one it polls. */
	delay: number;
}

/** n8n, the service and what is to be expected: one history. */
export class Scenario {
	readonly timeline = new VirtualTime({ start: Date.parse('2026-03-01T12:00:00.250Z') });

	readonly chance: Chance;

	readonly clocks: Clocks;

	readonly service: Service;

	readonly installation: Installation;

	readonly n8n: ActiveTrigger;

	private readonly told: Expectation;

	/** The one that most happens to, and its companions. */
	private readonly triggers: Trigger[] = [];

	private judged = 0;

	private expected = 0;

	private ids = 0;

	/** Nothing is written down with a time before it, unless the clock was set back. */
	private begun = 0;

	private hasRestarted = false;

	/** Executions there were when the account became another one, of which n8n has saved nothing until then. */
	private unsavedAt = -1;

	/** The tokens of the two accounts, by the credential that holds them. */
	private readonly tokens: Record<string, string> = { [FIRST]: 'first', [SECOND]: 'second' };

	/** What happens in the midst of the next poll. */
	private readonly during: Array<() => void> = [];

	/** Records that were ever dated ahead, by what names them. */
	private readonly ahead = new Set<string>();

	constructor(
		readonly world: World,
		readonly setting: Setting,
		choice?: Choice,
	) {
		const { seed, limit, pageSize, shuffles, spread, times, nulls } = setting;
		this.chance = new Chance(seed);
		this.clocks = new Clocks(this.timeline, setting);
		this.service = new Service(this.timeline, this.clocks, new Chance(seed + 1));
		this.service.plugIn();
		Object.assign(this.service, { limit, pageSize, shuffles, spread, times, nulls });
		const { node } = world;
		this.installation = new Installation({
			...{ node, mode: setting.mode, timeline: this.timeline, lookups: LOOKUPS, processes: 2 },
			install: () => freshPackage(node, this.timeline, this.clocks.n8n),
		});
		const chosen = choice ?? world.choose(this.chance);
		({ n8n: this.n8n, told: this.told } = this.add(chosen, 0));
		for (let number = 1; number <= setting.companions; number++) {
			const { events, filter } = world.choose(this.chance);
			// What an event is may depend on the options.
			this.add(
				{ events, filter, options: chosen.options },
				this.chance.pick([0, 0, 2_000, 20_000]),
			);
		}
		this.open(this.token);
	}

	private add(choice: Choice, delay: number): Trigger {
		const n8n = new ActiveTrigger(this.installation, {
			id: `workflow${this.triggers.length}`,
			access: { baseUrl: 'http://127.0.0.1:1/api/v6', token: this.tokens[FIRST]! },
			settings: {
				...{ id: 'node', name: 'Trigger', parameters: this.world.parameters(choice) },
				credentials: ofAccount(FIRST),
			},
		});
		const shown = (item: IDataObject) => fromForm(item, this.setting.times, (ms) => this.text(ms));
		const told = new Expectation(this.world, n8n, choice, shown);
		this.triggers.push({ n8n, told, delay });
		return this.triggers.at(-1)!;
	}

	/** The token of the first trigger's account. */
	private get token(): string {
		return this.n8n.options.access.token;
	}

	private get credential(): string {
		return this.n8n.options.settings!.credentials!.siteManagementApi!.id!;
	}

	/** What the user has chosen in the first trigger. */
	get choice(): Choice {
		return this.told.choice;
	}

	private open(token: string): void {
		if (this.service.accounts[token]) return;
		this.service.accounts[token] = {};
		const long = () => this.text(this.clocks.now - LATE - this.chance.below(10) * MINUTE);
		const found = this.world.begin({ ...this.moment({}, token), stamp: long });
		for (const { told } of this.triggers) told.begin(found);
	}

	private text(time: number): string {
		const iso = new Date(time).toISOString();
		const isWhole = this.setting.inSeconds || this.setting.times === 'seconds';
		return isWhole ? iso.replace(/\.\d+/, '') : iso;
	}

	/**
	 * @param lag how much earlier than now the service says that it was
	 * @param ahead how much later it says
	 */
	moment({ lag = 0, ahead = 0 } = {}, token = this.token): Moment {
		const { now } = this.clocks;
		const { chance, choice, begun, setting } = this;
		const stamp = (last?: unknown) => {
			const before = Date.parse(String(last)) || 0;
			const time = Math.min(now, Math.max(now - lag, begun));
			// Where the clock was set back, some services write down what it says, and others what was there.
			return this.text((before <= now || setting.clamps ? Math.max(time, before) : time) + ahead);
		};
		const id = () => `${token[0]}${(++this.ids * 7919) % 1_000_003}`;
		const account = this.service.accounts[token]!;
		return { account, chance, now, stamp, id, choice, begun, setting };
	}

	happen(happenings: Happening[]): void {
		const noted = happenings.map((each) =>
			this.ahead.has(each.key.split(' ')[0]!) ? { ...each, isOptional: true } : each,
		);
		const blurred = this.world.blurred?.(this.moment()) ?? [];
		for (const { n8n, told } of this.triggers) {
			if (n8n.options.access.token === this.token) told.happen(noted, blurred);
		}
	}

	change({ lag = 0, ahead = 0, isNew = false } = {}): void {
		const found = this.world.change(this.moment({ lag, ahead }), isNew);
		if (ahead > 0) this.noteAhead();
		this.happen(found);
	}

	/** Whoever is dated ahead now may be told of or not, and hides nobody else. */
	private noteAhead(): void {
		const { nameOf = ({ id }: IDataObject) => String(id) } = this.world;
		const until = this.clocks.now + AHEAD;
		for (const record of Object.values(this.moment().account).flat()) {
			const { created_at, updated_at, performed_on, timestamp, sync } = record;
			const last = (sync as IDataObject | undefined)?.last_sync_at;
			const times = [created_at, updated_at, performed_on, timestamp, last];
			if (times.some((at) => Date.parse(String(at)) > until)) this.ahead.add(nameOf(record));
		}
		for (const { told } of this.triggers) told.loosen((name) => this.ahead.has(name));
	}

	/** Changes things in the milliseconds to come. */
	changes(count: number, withinMs: number, lag = 0, isNew = false): void {
		for (let left = count; left > 0; left--) {
			const at = this.timeline.now() + this.chance.below(withinMs + 1);
			this.timeline.at(at, () => this.change({ lag: this.chance.below(lag + 1), isNew }));
		}
	}

	/** Has something come about in the midst of the next poll. */
	inNextPoll(what: () => void): void {
		this.during.push(what);
	}

	async poll(): Promise<void> {
		await this.timeline.until(this.start());
	}

	async rounds(count: number, changes: number): Promise<void> {
		for (let left = count; left > 0; left--) {
			this.changes(changes, MINUTE);
			await this.timeline.advance(MINUTE);
			await this.poll();
		}
	}

	/** Sets a poll off, which goes on while other things happen. */
	setOff(): void {
		this.start().catch(() => undefined);
	}

	private async start(): Promise<void> {
		const { timeline, service, chance } = this;
		for (const what of this.during.splice(0)) {
			timeline.at(timeline.now() + chance.below(2 * service.latency), what);
		}
		const polls = this.triggers.map(async ({ n8n, delay }) => {
			if (delay > 0) await timeline.sleep(delay);
			await n8n.tick(this.freeMain(n8n));
		});
		await Promise.all(polls);
	}

	/** The schedule hands a job to any process, but not to a second one while the first is at it. */
	private freeMain({ busy }: ActiveTrigger): number {
		return busy >= 0 ? busy : this.chance.below(2);
	}

	/** A process stalls at a poll, so the other one makes the same poll: both go on at once. */
	async takeOver(): Promise<void> {
		if (this.setting.mode === 'default') return;
		// n8n saves what both give, unless cursors are durable.
		this.told.mayRepeat ||= !this.isDurable;
		await this.calm();
		this.changes(6, LOOKUPS);
		await this.timeline.advance(LOOKUPS);
		this.setOff();
		await this.timeline.advance(this.chance.below(LOOKUPS + 2 * this.service.latency));
		const { busy } = this.n8n;
		if (busy >= 0) await this.timeline.until(this.n8n.takeOver(1 - busy));
	}

	/** Waits for all polls under way. */
	async calm(): Promise<void> {
		for (;;) {
			const underWay = this.triggers.flatMap(({ n8n }) => n8n.underWay);
			if (underWay.length === 0) return;
			await this.timeline.until(Promise.allSettled(underWay));
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
		const count = () => this.triggers.reduce((sum, { n8n }) => sum + n8n.executions.length, 0);
		const calmPolls = Math.max(
			CALM_POLLS * this.triggers.length,
			this.world.judge ? CALM_POLLS_OF_STATES : 0,
		);
		let calm = 0;
		for (let left = most; left > 0 && calm < calmPolls; left--) {
			const before = count();
			// What was to come about in the midst of the next poll comes before all is quiet.
			const isQuiet = this.during.length === 0;
			this.quiet();
			await this.poll();
			await this.timeline.advance(MINUTE);
			const isAll = this.triggers.every(({ told }) => told.missing().length === 0);
			calm = isQuiet && isAll && count() === before ? calm + 1 : 0;
		}
		for (const { told } of this.triggers) told.giveUp();
		this.clocks.heard();
		this.judge();
	}

	private judge(): void {
		this.told.collect();
		const items = this.n8n.executions.flat();
		const told = items.slice(this.judged).filter((item) => this.world.isState?.(item));
		this.judged = items.length;
		// Of polls that tell nothing the scheduler saves nothing, and another process makes the next one.
		const isForgetful = this.hasRestarted || this.setting.mode === 'scheduled';
		const found = this.world.judge?.(this.moment(), told, false, isForgetful);
		const isRepeat = (fault: string) => {
			const [, times, most] = /(\d+) times, not (\d+)/.exec(fault) ?? [];
			return / twice\b/.test(fault) || Number(times) > Number(most);
		};
		const isByN8n = (fault: string) => this.told.mayRepeat && isRepeat(fault);
		this.told.faults.push(...(found?.faults ?? []).filter((fault) => !isByN8n(fault)));
		this.expected += found?.expected ?? 0;
		this.hasRestarted = false;
	}

	/** Registers a trigger, again where that fails, as n8n or its user does. */
	private async activate(mode: WorkflowActivateMode, n8n = this.n8n): Promise<void> {
		for (let left = 30; left > 0; left--) {
			try {
				return await this.timeline.until(n8n.activate(mode));
			} catch (error) {
				if (left === 1) throw error;
				await this.timeline.advance(MINUTE);
				this.service.trouble.count = Math.min(this.service.trouble.count, 10);
			}
		}
	}

	/**
	 * Something after which other things count: what has happened before does not matter to it.
	 * @param polls how many it takes at least
	 * @param keeps whether what has happened and not been told yet still has to come
	 */
	private async beginning(
		enter: () => Promise<void>,
		polls = 0,
		keeps: (key: string) => boolean = () => false,
	): Promise<void> {
		await this.timeline.advance(LATE);
		const wasBusy = this.n8n.underWay.length > 0;
		for (const key of this.told.missing()) if (!keeps(key)) this.told.blur(key);
		this.told.beginAnew(keeps);
		// Where lists can not be read within a poll, a beginning is spread over several, and so is what counts.
		this.quiet();
		this.told.isBeginning = true;
		this.unsavedAt = -1;
		await enter();
		// n8n drops what a poll gives that was under way: the next one tells it, where it is so still.
		for (let left = wasBusy ? Math.max(1, polls) : polls; left > 0; left--) {
			this.quiet();
			await this.calm();
			await this.poll();
		}
		this.begun = this.clocks.now;
		this.told.isBeginning = false;
		// What was told under another choice is not to be compared with what comes.
		this.judged = this.n8n.executions.flat().length;
		this.world.judge?.(this.moment(), [], true, false);
	}

	/**
	 * Switches the first trigger on.
	 * @param isStopped whether n8n is stopped in the midst of that: with jobs it begins with the first of them then, which
	 * has less time than an activation
	 */
	async switchOn(isStopped = false): Promise<void> {
		const enter = async () => {
			if (!isStopped) return await this.activate('activate');
			this.n8n.activate('activate').catch(() => undefined);
			await this.timeline.advance(10);
			await this.restart();
		};
		await this.beginning(enter, isStopped ? 1 : 0);
	}

	/** Switches another trigger on, where one is off. */
	async join(): Promise<void> {
		const next = this.triggers.slice(1).find(({ n8n }) => !n8n.isActive);
		if (!next) return;
		await this.timeline.advance(LATE);
		await this.timeline.advance(this.clocks.toPass);
		this.quiet();
		next.told.isBeginning = true;
		await this.activate('activate', next.n8n);
		this.begun = this.clocks.now;
		next.told.isBeginning = false;
	}

	async switchOff(saves: boolean): Promise<void> {
		await this.timeline.until(this.n8n.deactivate({ saves }));
		for (const key of this.told.missing()) this.told.blur(key);
	}

	/**
	 * Saves the active workflow with other parameters.
	 * @param name that of the trigger from now on, where it becomes another one
	 */
	async edit(choice: Choice, name = this.n8n.options.settings?.name): Promise<void> {
		if (!this.n8n.isActive) return;
		const { events, filter, options } = this.choice;
		const its = this.triggers.length > 1 ? { ...choice, options } : choice;
		const isSame = JSON.stringify(filter) === JSON.stringify(its.filter);
		const isForgotten = this.n8n.executions.length === this.unsavedAt || this.isEmpty;
		await this.beginning(
			async () => {
				// A pass may be under way, which then meets what happened before.
				this.told.allow(its.events.filter((event) => !events.includes(event)));
				// What waits for its details survives another filter, and is judged by it.
				if (!isSame) this.told.allow(its.events, true);
				this.told.choice = its;
				await this.save({ name, parameters: this.world.parameters(its) });
			},
			0,
			(key) => isSame && !isForgotten && its.events.includes(this.told.eventOf(key)),
		);
	}

	/** Saves the active workflow with other settings of the trigger. */
	private async save(settings: Partial<INode>): Promise<void> {
		await this.n8n.edit(settings);
		await this.timeline.until(this.n8n.deactivate({ isEdit: true }));
		await this.activate('update');
	}

	/** The trigger gets the credential of an account with other records. */
	async changeAccount(): Promise<void> {
		if (!this.n8n.isActive) return;
		const next = this.credential === FIRST ? SECOND : FIRST;
		this.quiet();
		await this.calm();
		await this.beginning(async () => {
			this.n8n.options.access.token = this.tokens[next]!;
			this.open(this.token);
			await this.save({ credentials: ofAccount(next) });
		}, 2);
		this.unsavedAt = this.n8n.executions.length;
	}

	/** The credential gets another token of the same account; n8n does not notice. */
	rotateToken(): void {
		const { token, credential } = this;
		const next = `${token}+`;
		this.service.accounts[next] = this.service.accounts[token]!;
		this.tokens[credential] = next;
		for (const { n8n } of this.triggers) {
			if (n8n.options.access.token === token) n8n.options.access.token = next;
		}
	}

	/** n8n is stopped, in the middle of what it does, and starts again. */
	async restart(): Promise<void> {
		await this.goOn('init', async () => {
			this.installation.kill(1);
			this.installation.kill(0);
		});
	}

	/** The other process takes over. */
	async changeLeader(): Promise<void> {
		await this.goOn('leadershipChange', async () => {
			for (const { n8n } of this.triggers) await this.timeline.until(n8n.leave());
			this.installation.stepDown();
		});
	}

	private async goOn(mode: WorkflowActivateMode, turn: () => Promise<void>): Promise<void> {
		this.hasRestarted ||= !this.isDurable;
		const enter = async () => {
			await turn();
			for (const { n8n } of this.triggers) if (n8n.isActive) await this.activate(mode, n8n);
		};
		// By default n8n falls back to what it saved last, and that is of the account before.
		const isOfOther = !this.isDurable && this.n8n.executions.length === this.unsavedAt;
		if ((isOfOther || this.isEmpty) && this.n8n.isActive) await this.beginning(enter);
		else await enter();
	}

	/** What n8n has saved of the first trigger is emptied, as by an import of the workflow. */
	empty(): void {
		// The scheduler's polls go on from nothing at once, and nothing is saved until they tell something.
		if (this.setting.mode === 'default' || this.n8n.hasCommitted) this.n8n.staticData = '{}';
	}

	private get isDurable(): boolean {
		return this.setting.mode === 'durable';
	}

	/** Whether the next process has nothing to go on with. */
	private get isEmpty(): boolean {
		return !this.isDurable && this.n8n.staticData === '{}';
	}

	/** The next requests go wrong. */
	upset(kind: Trouble, count: number): void {
		this.service.trouble = { kind, count };
	}

	async verdict() {
		await this.settle();
		const { triggers } = this;
		const states = triggers.map(({ n8n }) => n8n.largestState);
		const faults = triggers.flatMap(({ told }, number) =>
			[...told.faults, ...told.twice.map((key) => `twice: ${key}`)].map((fault) =>
				number > 0 ? `trigger ${number + 1}: ${fault}` : fault,
			),
		);
		const tooLarge = states.filter((length) => length >= MAX_STATE);
		return {
			expected: triggers.reduce((sum, { told }) => sum + told.expected, this.expected),
			emitted: triggers.reduce((sum, { told }) => sum + told.items, 0),
			/** What was lost, told twice or wrong, and a state of n8n's that is too large. */
			faults: [...faults, ...tooLarge.map((length) => `a state of ${length} characters`)],
			events: this.n8n.executions.flat().map(({ event }) => String(event)),
			largestState: Math.max(...states),
		};
	}
}
