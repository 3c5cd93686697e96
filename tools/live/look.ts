import { isRecord, recordIn, valueAt } from '../../nodes/shared/lib';
import { keyIn } from '../../nodes/shared/vocabulary/words';
import { errorSchema, errorStatuses } from '../../sandbox/service/http/statuses';
import { WordFinder } from '../drift/words';
import { type Answer, type Guard, isSafeId, NotPermitted, RateLimited, Unreached } from './guard';
import { Blinds, learn, valuesIn } from './hide';
import { type Finding, judge, type Keys } from './judge';
import { listsOf } from './lists';
import { takenAs, tellsReason } from './readers';
import { type Read, reads } from './reads';
import { look, newShape, type Shape } from './shape';

/** Reads every route of the reference, and says what its answers look like. */

const SMALL = 5;

/** An id that nothing has. */
const NOBODY = '0';
/** A field that no list is sorted by. */
const NO_ORDER = 'no_such_field,asc';

export interface Plan {
	/** How many sites are looked into. */
	sites: number;
	blinds: Blinds;
	/** Told of each route as it begins. */
	onRoute?: (route: string) => void;
}

export type Honoured = 'honoured' | 'ignored' | 'refused' | 'not shown';

/** What is told of a route. */
export interface Looked {
	/** How often each status came to what a node would ask. */
	statuses: Record<string, number>;
	records?: number;
	/** The median time of the answers, rounded. */
	ms?: number;
	filter?: Honoured;
	sort?: Honoured;
	keys?: Keys;
}

export interface Look {
	routes: Record<string, Looked>;
	/** The keys and types of error bodies, by status. */
	errors: Record<string, { keys: Keys }>;
	findings: Finding[];
	/** Routes that were not read, and why. */
	skipped: Record<string, string>;
	words: Record<string, string>;
	wordsInDoubt: string[];
	/** What became of the service's own lists of components, by route. */
	lists: Record<string, string>;
	/** Why it ended before it was through; nothing when it was not. */
	stopped?: string;
}

export class CouldNotLook extends Error {}

/** A route while it is read. */
interface Seen {
	shape: Shape;
	statuses: Record<string, number>;
	times: number[];
	records: number;
	isRead: boolean;
	extra: Partial<Looked>;
}

/** Routes that name a file of the list beside them. */
const NEEDS_FILE = /\/files\/(versions|download)$/;

type Records = Array<Record<string, unknown>>;

for (const { described } of reads) learn(described.response);
learn(errorSchema);

export class Looker {
	private readonly seen = new Map<string, Seen>();
	private readonly errors = new Map<string, Shape>();
	private readonly findings: Finding[] = [];
	private readonly skipped: Record<string, string> = {};
	/** The records of lists by their path, for the ids of routes below. */
	private readonly lists = new Map<string, Records>();
	private componentLists: Look['lists'] = {};
	private readonly uncounted = new Set<string>();
	private successes = 0;

	constructor(
		private readonly guard: Guard,
		private readonly plan: Plan,
	) {}

	/** @throws CouldNotLook */
	async run(): Promise<Look> {
		let stopped: string | undefined;
		try {
			// Lists first, those of the account before those of what is in them.
			const depth = ({ path }: Read) => path.split('{').length + Number(NEEDS_FILE.test(path)) / 2;
			for (const read of [...reads].sort((a, b) => depth(a) - depth(b))) await this.route(read);
			this.componentLists = await listsOf(this.guard);
			await this.probeErrors();
		} catch (error) {
			if (error instanceof RateLimited) stopped = 'the rate limit is used up (429)';
			else if (error instanceof Unreached && this.successes > 0) stopped = error.code;
			else if (error instanceof Unreached) throw new CouldNotLook(`no answer: ${error.code}`);
			else throw error;
		}
		if (this.successes === 0 && stopped === undefined) {
			throw new CouldNotLook('no route answered as the service does: it is another service');
		}
		return this.result(stopped);
	}

	private result(stopped?: string): Look {
		const finder = new WordFinder();
		const routes: Look['routes'] = {};
		for (const [route, { shape, statuses, times, records, extra }] of this.seen) {
			const { keys, findings } = judge(shape, finder);
			for (const { place, what } of findings) this.differs(route, what, place);
			routes[route] = {
				statuses,
				...(records > 0 && { records }),
				...(times.length > 0 && { ms: rounded(medianOf(times)) }),
				...extra,
				...(Object.keys(keys).length > 0 && { keys }),
			};
		}
		const errors = [...this.errors].map(([status, shape]) => {
			const { keys } = judge(shape, new WordFinder());
			// The reference leaves open what they look like.
			for (const key of Object.values(keys)) delete key.is;
			return [status, { keys }] as const;
		});
		if (this.uncounted.size > 0) {
			const count = this.uncounted.size === this.seen.size ? 'all' : String(this.uncounted.size);
			this.differs([...this.uncounted][0]!, `has no rate-limit headers (${count} routes)`);
		}
		const { words, inDoubt } = finder.proposal();
		return {
			routes,
			errors: Object.fromEntries(errors),
			findings: this.findings,
			skipped: this.skipped,
			words,
			wordsInDoubt: inDoubt,
			lists: this.componentLists,
			...(stopped !== undefined && { stopped }),
		};
	}

	private async route(read: Read): Promise<void> {
		const { route, path, operation } = read;
		const paths = this.pathsOf(path);
		if (paths.length === 0) {
			this.skipped[route] = 'there is no record to read it of';
			return;
		}
		this.plan.onRoute?.(route);
		for (const at of paths) {
			try {
				if (operation.answer.kind === 'list') await this.list(read, at);
				else await this.single(read, at);
			} catch (error) {
				if (!(error instanceof NotPermitted)) throw error;
				this.skipped[route] = error.message;
			}
		}
	}

	/** The path of a route with ids of records that were seen: those of some sites, and one of anything else. */
	private pathsOf(path: string): string[] {
		const [before, name, after] = /^([^{]*)\/\{(\w+)\}(.*)$/.exec(path)?.slice(1) ?? [];
		if (before === undefined || after === undefined) return [path];
		const records = this.lists.get(before) ?? [];
		const ids = records
			.map(({ id }) => (typeof id === 'number' ? String(id) : id))
			.filter((id): id is string => typeof id === 'string' && isSafeId(id));
		const wanted = name === 'site_id' ? this.plan.sites : 1;
		return ids.slice(0, wanted).flatMap((id) => this.pathsOf(`${before}/${id}${after}`));
	}

	private async single(read: Read, path: string): Promise<void> {
		const query = this.needed(read, path);
		if (!query) {
			this.skipped[read.route] = 'there is no record to read it of';
			return;
		}
		const answer = await this.ask(read, path, query);
		if (!answer) return;
		const { body } = answer;
		const { answer: expected } = read.operation;
		if (expected.kind === 'record' && isRecord(body)) {
			const record = expected.wrapper ? body[expected.wrapper] : body;
			const asked = /\{\w+\}$/.test(read.path) ? path.split('/').pop() : undefined;
			const isOther = isRecord(record) && record.id !== undefined && String(record.id) !== asked;
			if (asked !== undefined && isOther) {
				this.differs(read.route, 'is a different record than the one that was requested');
			}
		}
		if (expected.kind === 'records' && isRecord(body)) {
			this.keep(read, path, body[expected.wrapper]);
		}
	}

	/** What a route needs besides its path; undefined where there is nothing to name. */
	private needed({ route }: Read, path: string): Record<string, string> | undefined {
		if (!NEEDS_FILE.test(route)) return {};
		const files = this.lists.get(path.replace(/\/\w+$/, '')) ?? [];
		const file =
			files.find((each) => typeof each.id === 'string' && each.type === 'file') ?? files[0];
		return typeof file?.id === 'string' ? { id: file.id } : undefined;
	}

	private keep(read: Read, path: string, list: unknown): Records {
		const records = Array.isArray(list) ? list.filter(isRecord) : [];
		const seen = this.seenOf(read);
		seen.records += records.length;
		this.lists.set(path, [...(this.lists.get(path) ?? []), ...records]);
		return records;
	}

	private seenOf({ route, described }: Read): Seen {
		let seen = this.seen.get(route);
		if (!seen) {
			const shape = newShape(described.mediaType ? undefined : described.response);
			seen = { shape, statuses: {}, times: [], records: 0, isRead: false, extra: {} };
			this.seen.set(route, seen);
		}
		return seen;
	}

	private async list(read: Read, path: string): Promise<void> {
		const seen = this.seenOf(read);
		const small = { page: '1', perPage: String(SMALL) };
		const answer = await this.ask(read, path, small);
		if (!answer) return;
		const first = this.recordsIn(read, answer);
		this.keep(read, path, first);
		this.checkEcho(read, answer, first);
		// What a list is asked for is the same for each site.
		if (seen.isRead || first.length === 0) return;
		seen.isRead = true;
		if (hasMore(answer, first)) {
			const next = await this.ask(read, path, { ...small, page: '2' });
			if (next) this.checkSecond(read, first, this.keep(read, path, this.recordsIn(read, next)));
		}
		seen.extra.filter = await this.checkFilter(read, path, first);
		seen.extra.sort = await this.checkSort(read, path, first);
	}

	private recordsIn({ operation: { answer: expected } }: Read, { body }: Answer): Records {
		const list = expected.kind === 'list' && isRecord(body) ? body[expected.wrapper] : undefined;
		return Array.isArray(list) ? list.filter(isRecord) : [];
	}

	private checkEcho({ route }: Read, { body }: Answer, records: Records): void {
		if (records.length > SMALL) {
			this.differs(route, 'has more records than were asked for: perPage is not honoured');
		}
		const place = 'meta.pagination';
		const { page = 1, perPage = SMALL } = recordIn(valueAt(body, place));
		if (Number(page) !== 1 || Number(perPage) !== SMALL) {
			this.differs(route, 'does not repeat the page and perPage that were asked for', place);
		}
	}

	private checkSecond({ route, operation }: Read, first: Records, second: Records): void {
		const { answer } = operation;
		const key = keyIn(answer.kind === 'list' ? answer.wrapper : '');
		const ids = new Set(first.map((record) => String(record[key])));
		const isSame = second.length > 0 && second.every((record) => ids.has(String(record[key])));
		if (isSame) this.differs(route, 'has the same records on page 2 as on page 1');
		if (second.length === 0) this.differs(route, 'has an empty page 2 where page 1 is full');
	}

	/** Asks for what one of the records has, and looks whether all that comes has it. */
	private async checkFilter(read: Read, path: string, records: Records): Promise<Honoured> {
		const chosen = filterFor(read, records);
		if (!chosen) return 'not shown';
		const { key, value, isMet } = chosen;
		const query = { page: '1', perPage: String(SMALL), [key]: value };
		const answer = await this.ask(read, path, query, key);
		if (!answer) return 'refused';
		const found = this.recordsIn(read, answer);
		if (found.length > 0 && found.every(isMet)) return 'honoured';
		this.differs(read.route, 'is not honoured', key);
		return 'ignored';
	}

	/** @returns nothing for a list that has no order by a number or a time */
	private async checkSort(read: Read, path: string, records: Records) {
		const chosen = orderFor(read, records);
		if (!chosen) return undefined;
		const query = { page: '1', perPage: String(SMALL), sort: chosen.sort };
		const answer = await this.ask(read, path, query, 'sort');
		if (!answer) return 'refused';
		const values = this.recordsIn(read, answer).map(chosen.value);
		if (new Set(values).size < 2) return 'not shown';
		if (isOrdered(values, chosen.isUp)) return 'honoured';
		this.differs(read.route, `by ${chosen.field} is not honoured`, 'sort');
		return 'ignored';
	}

	/**
	 * Asks as a node would, and notes what is not as expected.
	 * @param place what is tried with this request; nothing for what must be answered
	 */
	private async ask(read: Read, path: string, query: Record<string, string>, place = '') {
		const { route, described, operation } = read;
		const answer = await this.guard.get(path, query);
		const { status, body, isJson, isCounted, ms } = answer;
		const seen = this.seenOf(read);
		seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
		const isFirst = this.successes === 0;
		if (isFirst && status === 401) throw new CouldNotLook('the API token was not accepted (401)');
		if (isFirst && status >= 300 && status < 400) {
			throw new CouldNotLook(`the address redirects (${status}), which the node does not follow`);
		}
		if (isFirst && !isJson && !read.extra) {
			throw new CouldNotLook('the answer is not JSON, such as a web page: it is another service');
		}
		if (!isCounted) this.uncounted.add(route);
		if (status < 200 || status >= 300) {
			this.failed(read, answer, place);
			return undefined;
		}
		const { refusal, difference } = takenAs(operation, answer, { path, query });
		const blind = (text: string) => this.plan.blinds.over(text, valuesIn(body));
		if (refusal !== undefined) {
			this.refused(route, `a node would refuse the answer: ${blind(refusal)}`, place);
		}
		if (difference !== undefined) {
			this.note({ is: 'taken', route, place, what: `is accepted as ${blind(difference)}` });
		}
		if (isFirst && refusal !== undefined && !isRecord(body)) {
			throw new CouldNotLook('the response is not an object, so this is another service');
		}
		this.successes += 1;
		seen.times.push(ms);
		if (status !== described.status) {
			this.differs(route, `has the status ${status}, not ${described.status}`, place);
		}
		if (isJson) look(seen.shape, body);
		return isJson || read.extra ? answer : undefined;
	}

	private failed({ route, described, path }: Read, answer: Answer, place: string): void {
		const { status } = answer;
		if (answer.isJson) this.error(answer);
		const isKnown = errorStatuses(described).includes(status) && status !== 400;
		if (status >= 500) this.differs(route, `failed with ${status}`, place);
		else if (isKnown && path.includes('{'))
			this.skipped[route] = `the response had status ${status}`;
		else if (status === 403) this.differs(route, 'is forbidden (403) to this token', place);
		else this.refused(route, `a node would fail: the status is ${status}`, place);
	}

	/** Two requests that must fail: what errors look like. */
	private async probeErrors(): Promise<void> {
		const probes: Array<[path: string, query: Record<string, string>, status: number]> = [
			[`/tags/${NOBODY}`, {}, 404],
			['/tags', { sort: NO_ORDER }, 400],
		];
		for (const [path, query, expected] of probes) {
			const answer = await this.guard.get(path, query);
			const { status } = answer;
			const route = `GET ${path.replace(/\d+$/, '{tag_id}')}`;
			if (status >= 400 && answer.isJson) this.error(answer);
			if (status < 400) this.differs(route, `has the status ${status} where ${expected} is due`);
			else if (!tellsReason(answer))
				this.differs(route, `fails with ${status} in a form whose reason the nodes do not find`);
		}
	}

	private error({ status, body }: Answer): void {
		const key = String(status);
		const shape = this.errors.get(key) ?? newShape();
		look(shape, body);
		this.errors.set(key, shape);
	}

	private differs(route: string, what: string, place = ''): void {
		this.note({ is: 'differs', route, place, what });
	}

	private refused(route: string, what: string, place: string): void {
		this.note({ is: 'refused', route, place, what });
	}

	private note(finding: Finding): void {
		const isSame = (other: Finding) => JSON.stringify(other) === JSON.stringify(finding);
		if (!this.findings.some(isSame)) this.findings.push(finding);
	}
}

const hasMore = ({ body }: Answer, records: Records): boolean => {
	const total = Number(valueAt(body, 'meta.pagination.totalPages'));
	return Number.isNaN(total) ? records.length >= SMALL : total > 1;
};

/** A filter of the list by a field that records have, and whether one meets it; it tells more where not all do. */
function filterFor({ described }: Read, records: Records) {
	const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
	const choices = Object.keys(described.query ?? {}).flatMap((key) => {
		const [, field, operator] = /^filters\[(\w+):(eq|contains)\]$/.exec(key) ?? [];
		if (field === undefined) return [];
		const words = described.query![key]!.enum as unknown[] | undefined;
		const values = records
			.map((record) => record[field])
			.filter(isText)
			.filter((value) => words?.includes(value) ?? true);
		return values.map((value) => {
			const isMet = (record: Record<string, unknown>) => {
				const text = String(record[field]).toLowerCase();
				return operator === 'eq'
					? text === value.toLowerCase()
					: text.includes(value.toLowerCase());
			};
			return { key, value, isMet, met: records.filter(isMet).length };
		});
	});
	const [best] = choices.sort((a, b) => a.met - b.met);
	return best;
}

/** A number or a time, as a number: the order of texts is a matter of their language. */
function wayOf(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : NaN;
}

/** An order by a number or time that records have; the one that they are not in already. */
function orderFor({ described }: Read, records: Records) {
	const orders = (described.query?.sort?.enum ?? []) as string[];
	const fields = [...new Set(orders.map((order) => order.split(',')[0]!))];
	const field = fields.find((each) =>
		records.every((record) => !Number.isNaN(wayOf(record[each]))),
	);
	if (field === undefined) return undefined;
	const value = (record: Record<string, unknown>) => wayOf(record[field]);
	const isUp = !isOrdered(records.map(value), true);
	return { field, sort: `${field},${isUp ? 'asc' : 'desc'}`, isUp, value };
}

function isOrdered(values: number[], isUp: boolean): boolean {
	return values.every((value, index) => {
		const before = values[index - 1];
		return before === undefined || value === before || value > before === isUp;
	});
}

const medianOf = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** To two digits: what is told is how slow it is, not when. */
const rounded = (ms: number) => (ms < 100 ? Math.round(ms / 10) * 10 : Math.round(ms / 100) * 100);
