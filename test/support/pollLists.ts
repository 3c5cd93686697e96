import type {
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { Feed, Polled, StateFeed, TimedFeed } from '../../nodes/shared/polling/feed';
import { poll } from '../../nodes/shared/polling/poll';
import { clock } from '../../nodes/shared/lib';
import { triggerOf, type Given, type Sent } from './items';

/** A poll from the request to the item, over lists in memory. */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const PAGE = 100;

/** Of n8n and of the service, in epoch milliseconds. */
export const time = { now: 0 };

/** Lets a test begin at noon, with the clock of a copy of the modules. */
export function beginAtNoon(of = clock): void {
	time.now = Date.parse('2026-03-01T12:00:00Z');
	of.now = () => time.now;
	of.steady = () => time.now;
	of.sleep = async (ms) => void (time.now += ms);
}

export const iso = (ms = time.now) => new Date(ms).toISOString();

/** The service: lists by path, whose rows are filtered and sorted as the API says. */
export class Service {
	readonly rows: Record<string, IDataObject[]> = { things: [], others: [] };

	readonly asked: Sent[] = [];

	/** Answered in the place of the list or record. */
	instead: (sent: Sent) => Given | undefined = () => undefined;

	/** How long an answer takes. */
	takesMs = 0;

	/** The most records that it gives on a page. */
	pageSize = PAGE;

	/** How far its clock is ahead of n8n's. */
	ahead = 0;

	/** How far the server is that answers next. */
	servers: number[] = [];

	get now(): number {
		return time.now + this.ahead;
	}

	write(id: string, row: IDataObject = {}, list = 'things'): void {
		const before = this.rows[list]!.find((each) => each.id === id);
		const written = { created_at: iso(this.now), ...before, id, updated_at: iso(this.now), ...row };
		this.rows[list] = [...this.rows[list]!.filter((each) => each.id !== id), written];
	}

	readonly answer = (sent: Sent): Given => {
		this.asked.push(sent);
		time.now += this.takesMs;
		return {
			headers: { date: new Date(this.now + (this.servers.shift() ?? 0)).toUTCString() },
			...(this.instead(sent) ?? this.found(sent)),
		};
	};

	found({ url, qs = {} }: Sent): Exclude<Given, Error> {
		const [, list = '', id] = url.split('/');
		const all = this.rows[list]!;
		if (id !== undefined) {
			const row = all.find((each) => each.id === id);
			return row ? { body: { [list.slice(0, -1)]: row } } : { status: 404, body: {} };
		}
		const matching = all.filter((row) =>
			Object.entries(qs).every(([key, wanted]) => {
				const [, field = '', operator] = /^filters\[(\w+):(\w+)\]$/.exec(key) ?? [];
				if (!operator) return true;
				const [is, than] = [String(row[field]), String(wanted)];
				if (operator === 'eq') return is === than;
				if (operator === 'contains') return is.includes(than);
				return operator === 'gte'
					? Date.parse(is) >= Date.parse(than)
					: Date.parse(is) <= Date.parse(than);
			}),
		);
		const [field = 'id', order] = String(qs.sort ?? 'id,asc').split(',');
		matching.sort((a, b) => (String(a[field]) < String(b[field]) ? -1 : 1));
		if (order === 'desc') matching.reverse();
		const { page, perPage: wanted } = qs as { page: number; perPage: number };
		const perPage = Math.min(wanted, this.pageSize);
		const totalPages = Math.ceil(matching.length / perPage);
		const pagination = { perPage, totalPages, totalItems: matching.length };
		return {
			body: {
				[list]: matching.slice((page - 1) * perPage, page * perPage),
				meta: { pagination },
			},
		};
	}
}

export const timed = (more: Partial<TimedFeed> = {}): TimedFeed => ({
	kind: 'timed',
	url: '/things',
	timeField: 'updated_at',
	born: (record) => String(record.created_at),
	occurrences: ({ status, updated_at: at }) =>
		status ? [{ key: String(status), event: String(status), at }] : [],
	isOpen: ({ status }) => status !== 'done',
	...more,
});

export const state = (more: Partial<StateFeed> = {}): StateFeed => ({
	kind: 'state',
	url: '/others',
	query: { 'filters[state:eq]': 'in' },
	leftQuery: { 'filters[state:eq]': 'out' },
	entered: 'in',
	left: 'out',
	hasLeft: (record) => record.state === 'out',
	isIn: (record) => record.state === 'in',
	...more,
});

export const polledOf = (feeds: Record<string, Feed>, more: Partial<Polled> = {}): Polled => ({
	feeds,
	nothingToShow: { message: 'Nothing is there', description: 'Make a thing' },
	...more,
});

/** What n8n has of the only trigger of a workflow. */
function stateIn({ global = {} }: IDataObject): IDataObject {
	const [left] = Object.values(global as IDataObject) as Array<{ state: IDataObject }>;
	return left?.state ?? {};
}

/** A trigger in a workflow of n8n; what n8n has saved of it goes through JSON. */
export function activate(
	service: Service,
	polled: Polled,
	{ budget, isDurable = false }: { budget?: number; isDurable?: boolean } = {},
) {
	const { open, contextIn } = triggerOf({ answer: service.answer });
	let id = 'first';
	let name = 'Thing';
	let describeMs = 0;
	const copy = (state: IDataObject) => JSON.parse(JSON.stringify(state)) as IDataObject;
	let workflow = open({}, id);
	let saved: Record<'workflow' | 'cursor', IDataObject> = { workflow: {}, cursor: {} };
	let cursor: IDataObject | undefined;
	let activation: WorkflowActivateMode = 'activate';
	const contextFor = () => contextIn(workflow, { activation, cursor, budget });
	let context = contextFor();
	const warn = jest.spyOn(context.logger, 'warn');
	/** With durable cursors each poll has a workflow and a state of its own. */
	const turn = () => {
		if (!isDurable) return;
		workflow = open(copy(saved.workflow), id, name);
		cursor = copy(saved.cursor);
		context = contextFor();
	};
	let run = poll;
	const once = async (functions: IPollFunctions) => {
		const output = await run(functions, async () => {
			time.now += describeMs;
			return polled;
		});
		return output?.[0] ?? null;
	};
	const told = (items: INodeExecutionData[] | null) =>
		items?.map(({ json }) => `${String(json.id)} ${String(json.event)}`) ?? null;
	return {
		get warned() {
			return warn.mock.calls.map(([line, about]) => `${line} ${JSON.stringify(about)}`);
		},
		poll: async () => {
			turn();
			return told(await once(context));
		},
		test: async () => await once(contextIn(workflow, { mode: 'manual', activation: 'manual' })),
		change: (next: Partial<Polled>) => {
			polled = { ...polled, ...next };
			activation = 'update';
			context = contextFor();
		},
		restart: () => {
			workflow = open(copy(workflow.staticData), id);
			activation = 'init';
			context = contextFor();
		},
		/** Saves the workflow with what n8n has of it, or with other static data. */
		edit: (to: { name?: string; staticData?: IDataObject } = {}) => {
			name = to.name ?? name;
			workflow = open(to.staticData ?? copy(workflow.staticData), id, name);
			activation = 'update';
			context = contextFor();
		},
		/** The modules of another version, which n8n's contexts outlive. */
		upgrade: (version: typeof poll) => void (run = version),
		/** Saves what the last poll has left. */
		save: () => {
			saved = { workflow: copy(workflow.staticData), cursor: copy(cursor!) };
			activation = 'update';
		},
		/** Goes on where nothing is known but the workflow's own data, as in another process. */
		move: () => {
			saved = { workflow: { global: copy(workflow.staticData.global as IDataObject) }, cursor: {} };
			id = 'second';
			activation = 'update';
		},
		/** Another process has saved what it knows. */
		saveAs: (state: IDataObject) =>
			void (saved = { workflow: copy(workflow.staticData), cursor: copy(state) }),
		describeTakes: (ms: number) => void (describeMs = ms),
		/** All that n8n keeps of the workflow. */
		saved: () => copy(workflow.staticData),
		state: () =>
			copy(isDurable ? context.getWorkflowStaticData('node') : stateIn(workflow.staticData)),
	};
}

export const settle = () => void (time.now += 10 * MINUTE);
