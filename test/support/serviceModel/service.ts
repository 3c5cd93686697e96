import { Readable } from 'node:stream';
import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { axios } from '../engine/axios';
import type { Clocks } from './clocks';
import {
	fits,
	inOrder,
	type ListSpec,
	lists as ofReference,
	type Nulls,
	single,
	timeIn,
} from './lists';
import { inForm, type TimesAs } from './shapes';
import type { VirtualTime } from '../virtualTime';
import type { Chance } from './chance';

/** How an answer can be wrong. */
export const troubles = ['html', 'empty', 'cut', 'error', 'reset', 'silent', 'endless'] as const;

export type Trouble = (typeof troubles)[number];

/** What an account has, by the path of its list. */
export type Account = Record<string, IDataObject[]>;

interface Answer {
	status: number;
	data: string;
}

const MINUTE = 60_000;

/** The service in memory, in the place of the wire below n8n's own requests. */
export class Service {
	readonly accounts: Record<string, Account> = {};

	/** How far apart the `Date` headers of the servers are that answer, at most. */
	spread = 0;

	/** In which form it tells times. */
	times: TimesAs = 'iso';

	/** Where a list that is sorted by a time has the records without one. */
	nulls: Nulls = 'low';

	readonly revoked = new Set<string>();

	/** Requests an account may send in a minute. */
	limit = 200;

	pageSize = 4;

	/** Whether records with the same key come in another order each time. */
	shuffles = true;

	/** Milliseconds that an answer takes at least, and how many more it may take. */
	fastest = 20;

	latency = 200;

	/** What goes wrong with the requests to come. */
	trouble: { kind: Trouble; count: number } = { kind: 'error', count: 0 };

	/** Paths and queries, in order. */
	readonly requests: string[] = [];

	/** What a list lacks, although it is there. */
	lacks: (record: IDataObject) => boolean = () => false;

	private readonly windows = new Map<string, { end: number; sent: number }>();

	constructor(
		private readonly timeline: VirtualTime,
		private readonly clocks: Clocks,
		private readonly chance: Chance,
		private readonly lists = ofReference,
	) {}

	/** Answers from now on what n8n sends. */
	plugIn(): void {
		axios.defaults.adapter = async (config) => await this.receive(config);
	}

	private async receive(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
		const { timeline, chance } = this;
		const url = new URL(axios.getUri(config));
		const token = String(config.headers.get('Authorization')).replace('Bearer ', '');
		this.requests.push(`${url.pathname}${decodeURIComponent(url.search)}`);
		const trouble = this.trouble.count > 0 ? this.trouble.kind : undefined;
		if (trouble) this.trouble.count -= 1;
		const ms = trouble === 'silent' ? 5 * MINUTE : this.fastest + chance.below(this.latency);
		// What an answer tells is as old as its way is long, or as new.
		const isEarly = chance.is(0.5);
		if (!isEarly) await timeline.sleep(ms);
		const refused = this.count(token);
		const answer = refused ? problem(429) : this.answer(url, token, trouble);
		const headers = this.headers(token);
		if (isEarly) await timeline.sleep(ms);
		if (trouble === 'silent' || trouble === 'reset') {
			const code = trouble === 'silent' ? 'ECONNABORTED' : 'ECONNRESET';
			throw new axios.AxiosError('socket hang up', code, config, {});
		}
		const data = Readable.from([Buffer.from(answer.data)]);
		return { ...answer, data, statusText: '', headers, config, request: {} };
	}

	/** Whether the request is one too many. */
	private count(token: string): boolean {
		let window = this.windows.get(token);
		if (!window || window.end <= this.timeline.now()) {
			window = { end: this.timeline.now() + MINUTE, sent: 0 };
			this.windows.set(token, window);
		}
		window.sent += 1;
		return window.sent > this.limit;
	}

	private headers(token: string): Record<string, string> {
		const { end, sent } = this.windows.get(token)!;
		const { now, dateOffset } = this.clocks;
		const spread = this.spread > 0 ? this.chance.below(this.spread) : 0;
		return {
			'content-type': 'application/json',
			'x-ratelimit-limit': String(this.limit),
			'x-ratelimit-remaining': String(Math.max(0, this.limit - sent)),
			'x-ratelimit-reset': String(Math.max(0, Math.ceil((end - this.timeline.now()) / 1000))),
			...(dateOffset !== undefined && {
				date: new Date(now + dateOffset - spread).toUTCString(),
			}),
		};
	}

	private answer(url: URL, token: string, trouble?: Trouble): Answer {
		if (trouble === 'html') return { status: 200, data: '<!doctype html><html>Welcome</html>' };
		if (trouble === 'empty') return { status: 200, data: '{}' };
		if (trouble === 'error') return problem(500);
		const account = this.accounts[token];
		if (!account || this.revoked.has(token)) return problem(401);
		const path = url.pathname.replace(/^.*\/api\/v6/, '');
		const list = this.lists.find(({ matches }) => matches.test(path));
		if (!list) return this.record(account, path);
		const answer = this.page(list, account[path], url.searchParams, trouble === 'endless');
		return trouble === 'cut' ? { ...answer, data: answer.data.slice(0, -9) } : answer;
	}

	private record(account: Account, path: string): Answer {
		const [, collection = '', id = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
		const found = account[collection]?.find((record) => record.id === decodeURIComponent(id));
		return found ? ok(inForm(single(collection, found), this.times)) : problem(404);
	}

	private page(
		{ wrapper, filters, times }: ListSpec,
		all: IDataObject[] | undefined,
		query: URLSearchParams,
		isEndless: boolean,
	): Answer {
		if (!all) return problem(404);
		const known = [...filters, ...times.flatMap((time) => [`${time}:gte`, `${time}:lte`])];
		let records = all.filter((record) => !this.lacks(record));
		for (const name of new Set(query.keys())) {
			const filter = /^filters\[(.+?)\](\[\])?$/.exec(name)?.[1];
			if (filter ? !known.includes(filter) : !['sort', 'page', 'perPage'].includes(name))
				return problem(400);
			if (filter) records = records.filter((each) => fits(each, filter, query.getAll(name)));
		}
		const [field = '', direction = ''] = (query.get('sort') ?? `${times[0]},desc`).split(',');
		const page = Number(query.get('page') ?? 1);
		const asked = Number(query.get('perPage') ?? 100);
		if (!times.includes(field) || !['asc', 'desc'].includes(direction)) return problem(400);
		if (!(page >= 1) || !(asked >= 1) || asked > 100) return problem(400);
		const keyed = records.map((record) => ({
			record,
			time: timeIn(record, field),
			tie: this.shuffles ? this.chance.next() : 0,
		}));
		const sign = direction === 'asc' ? 1 : -1;
		keyed.sort((a, b) => inOrder(a.time, b.time, sign, this.nulls) || a.tie - b.tie);
		const perPage = Math.min(asked, this.pageSize);
		const start = isEndless ? 0 : (page - 1) * perPage;
		const shown = keyed.slice(start, start + perPage).map(({ record }) => record);
		const goesOn = isEndless && shown.length === perPage;
		const totalPages = goesOn ? page + 1 : Math.ceil(records.length / perPage);
		const totalItems = goesOn ? (page + 1) * perPage : records.length;
		return ok({
			[wrapper]: inForm(shown, this.times),
			meta: { pagination: { page, perPage, totalPages, totalItems } },
		});
	}
}

const ok = (body: unknown): Answer => ({ status: 200, data: JSON.stringify(body) });

const problem = (status: number): Answer => ({
	status,
	data: JSON.stringify({ error: { message: 'refused', details: {} } }),
});
