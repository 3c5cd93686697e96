import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
	differing,
	harmlessNames,
	type HarmlessName,
	type Told,
} from '../../../sandbox/service/otherService/forms';
import { lastAnswer } from '../../support/checkAnswers';
import { contentOf, runNode, type NodeResult, type NodeRun } from '../../support/engine';
import { startFleet } from '../../support/fleet';
import { familiesIn, isSettled } from '../../support/operationCases';
import { allOperations } from '../../support/reference';
import type { Row } from '../../support/operations';
import { useClock } from '../../support/transportClock';

/*
 * Answers of the service that differ from the reference in one way, for all operations. Each operation is carried out
 * once; its answer is then given again by a server, with the difference.
 */

/** What becomes of a difference: by the service, and by somebody who may not be it. */
interface Fate {
	/** Which operations it can befall. */
	of: (row: Row) => boolean;
	/** What comes out, where that is not what comes of the form of the reference. */
	output?: (usual: IDataObject[], id: string) => IDataObject[];
	/** Whether it is taken from anybody, too. */
	fromAll?: boolean;
}

const isRead = ({ route }: Row) => route.startsWith('GET ');
const isDelete = ({ route }: Row) => route.startsWith('DELETE ');
const isFile = ({ id }: Row) => ['downloadReport', 'downloadSiteFile'].includes(id);
const isPaged = (row: Row) => row.filters !== undefined;
const isList = ({ id }: Row) => id.startsWith('list');
const isChanged = ({ route }: Row) => route.startsWith('POST ') && isSettled(route);
const isBulk = ({ route }: Row) =>
	/^POST .*\/(clients\/delete|report-templates\/delete|tags\/\{\w+\}\/(assign|remove)|send-email|(files|tables)\/(sync|skip))$/.test(
		route,
	);
/** `POST …/backups/{id}/restore` and the like. */
const startsTask = ({ id }: Row) =>
	[
		'createReport',
		'createStagingSite',
		'updateStagingSitePhpVersion',
		'downloadStagingSite',
		'startSiteBackupDownload',
		'startSiteBackupUpload',
		'startSiteBackupMigration',
		'startSiteBackupRestore',
	].includes(id);

const deletes: Fate = { of: isDelete };
const bulks: Fate = { of: isBulk };
const lists: Fate = { of: isPaged };

const fatesBy = (names: RegExp, fate: Fate) =>
	Object.fromEntries(
		harmlessNames.filter((name) => names.test(name)).map((name) => [name, fate]),
	) as Record<HarmlessName, Fate>;

/** Each difference, what it befalls, and what becomes of it. */
const fates: Record<HarmlessName, Fate> = {
	...fatesBy(/^delete_/, deletes),
	...fatesBy(/^bulk_/, bulks),
	...fatesBy(/^(num|no_|null_|other_|empty_page)/, lists),
	one_more: { ...lists, of: (row) => isPaged(row) && keyOf(row) === 'id' },
	// Only the last page shows it, which may have room.
	one_less: { of: isPaged, fromAll: true },
	change_empty: {
		of: isChanged,
		output: ([usual = {}], id) => {
			if (!id || usual.id !== undefined) return [{ success: true, ...(id && { id }) }];
			const { wp_auto_updates_enabled: _auto, shop_db_upgrade_enabled: _shop, ...told } = usual;
			return [{ ...told, success: true }];
		},
	},
	change_unwrapped: { of: isChanged },
	read_wrapper: {
		of: (row) => isRead(row) && !isFile(row) && !row.route.endsWith('sso-login-url'),
	},
	read_unwrapped: {
		of: (row) =>
			isRead(row) && !isFile(row) && !isList(row) && !row.route.endsWith('sso-login-url'),
	},
	task_without_status: {
		of: startsTask,
		output: (usual) => usual.map((task) => ({ ...task, task_status: null })),
	},
	task_late: {
		of: (row) => startsTask(row) || row.operation === 'task/task/wait',
		fromAll: true,
	},
	pdf_type: { of: ({ id }) => id === 'downloadReport' },
	// Bytes of no known kind were taken before, too.
	file_inline: { of: isFile, fromAll: true },
};

/** An operation, the request that it makes, and the answer in the form of the reference. */
interface Recorded {
	row: Row;
	run: NodeRun;
	told: Told;
	/** The ids that a bulk operation is for. */
	asked: string[];
}

const keyOf = ({ id }: Row) =>
	({ listSiteTables: 'name', listAutoUpdateHistory: 'performed_on' })[id] ?? 'id';

const families = familiesIn(() => {
	for (const name of ['account', 'backups', 'content', 'fleet', 'reports']) {
		require(`../operations/${name}.test`);
	}
});

const pdf = '%PDF-1.4 of a report';

const contentIn = (text: string): Told['content'] =>
	text === '' ? undefined : (JSON.parse(text) as Told['content']);

/** Carries an operation out, and keeps what was answered. */
async function record(row: Row): Promise<Recorded> {
	for (const { prepare, cases } of families) {
		const name = Object.keys(cases).find((each) => each.split(' ')[0] === row.operation);
		if (!name) continue;
		const { parameters, binary } = cases[name]!;
		const fleet = await startFleet({ sites: 20 });
		const ids = await prepare(fleet);
		fleet.forget();
		const [node, resource, operation] = row.operation.split('/') as [string, string, string];
		// A filter by the URL of a site makes a request of its own.
		const whole = isPaged(row) && { returnAll: true, filters: {} };
		// Raw looks up no names, which is a request of its own.
		const wanted = { resource, operation, ...parameters(ids), ...whole, output: 'raw' };
		const run: NodeRun = { node, parameters: wanted as INodeParameters, binary };
		const { error } = await runNode(fleet, run);
		expect([row.id, error?.message]).toEqual([row.id, undefined]);
		const { method, path, status, body } = fleet.requests.at(-1)!;
		await fleet.close();
		const about = { method, path: path.replace('/api/v6', ''), status, now: fleet.clock.now() };
		const file = {
			type: row.id === 'downloadReport' ? 'application/pdf' : 'application/octet-stream',
			disposition: 'attachment; filename="a.bin"',
		};
		const answer = isFile(row)
			? file
			: { content: status === 204 ? undefined : contentIn(lastAnswer()) };
		return { row, run, told: { ...about, ...answer }, asked: isBulk(row) ? askedIn(body) : [] };
	}
	throw new Error(`No case of ${row.operation}`);
}

/** The only list of texts in a body, at most one object down. */
function askedIn(body: unknown): string[] {
	const values = Object.values(body as object) as unknown[];
	const found = values.find((value) => Array.isArray(value));
	return (found ?? askedIn(values[0])) as string[];
}

const recorded: Recorded[] = [];

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let requests = 0;

beforeAll(async () => {
	for (const row of allOperations) recorded.push(await record(row));
	server = createServer((request, response) => {
		requests += 1;
		answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// Nothing waits in real time.
	let now = Date.now();
	useClock({ now: () => now, sleep: (ms) => void (now += ms) });
}, 300_000);

afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

const limit = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' };

/** What is answered in the place of an answer; undefined where it stays as it is. */
type Change = (told: Told) => Partial<Told> | undefined;

interface Heard extends NodeResult {
	/** Whether the change has changed an answer. */
	isMet: boolean;
}

/** How long a list is, so that a difference can befall it. */
const rowsFor = (name?: string) => ({ null_list: 0, no_meta: 3, one_less: 200 })[name ?? ''] ?? 205;

/** Has an operation answered by the service, or by somebody without its headers. */
async function heard(
	{ row, run, told }: Recorded,
	change: Change = () => undefined,
	{ isOwn = true, count = rowsFor() } = {},
): Promise<Heard> {
	let isMet = false;
	const rows = isPaged(row) ? rowsLike(told, row, count) : [];
	answer = (request, response) => {
		const url = new URL(request.url!, 'http://127.0.0.1');
		const path = url.pathname.replace('/api/v6', '');
		const [, snapshot] = /\/snapshots\/(\w+)$/.exec(path) ?? [];
		if (snapshot !== undefined && told.method === 'POST') {
			// What is looked at before a change is none of its answers.
			requests -= 1;
			const content = { snapshot: { id: snapshot, status: 'succeeded' } };
			return send(response, { ...told, status: 200, content }, isOwn);
		}
		const isOwnPath = path === told.path && request.method === told.method;
		const due = isOwnPath ? (isPaged(row) ? pageOf(told, rows, url) : told) : laterAt(path);
		const changed = change({ ...due, method: request.method!, path });
		isMet ||= changed !== undefined;
		send(response, { ...due, ...changed }, isOwn);
	};
	requests = 0;
	const { port } = server.address() as AddressInfo;
	// An account of its own: what it has heard of its limit is no word of the other.
	const token = isOwn ? 'own' : `foreign-${(accounts += 1)}`;
	const result = await runNode({ baseUrl: `http://127.0.0.1:${port}/api/v6`, token }, run);
	return { ...result, isMet };
}

let accounts = 0;

function send(
	response: ServerResponse,
	{ status, content, type, disposition }: Told,
	isOwn: boolean,
): void {
	response.writeHead(status, {
		'Content-Type': type ?? 'application/json',
		...(disposition && { 'Content-Disposition': disposition }),
		...(isOwn && limit),
	});
	response.end(type ? pdf : content === undefined ? '' : JSON.stringify(content));
}

/** Records like the first of a list. */
function rowsLike({ content }: Told, row: Row, count: number): IDataObject[] {
	const [[, list]] = Object.entries(content!).filter(([name]) => name !== 'meta') as [
		[string, any[]],
	];
	const key = keyOf(row);
	return Array.from({ length: count }, (_, index) => ({
		...list[0],
		[key]: `${String(list[0]?.[key] ?? 'record')}-${index}`,
	}));
}

function pageOf(told: Told, rows: IDataObject[], { searchParams }: URL): Told {
	const [name] = Object.keys(told.content!).filter((each) => each !== 'meta') as [string];
	const page = Number(searchParams.get('page'));
	const perPage = Number(searchParams.get('perPage'));
	const pagination = {
		page,
		perPage,
		totalPages: Math.ceil(rows.length / perPage),
		totalItems: rows.length,
	};
	const shown = rows.slice(perPage * (page - 1), perPage * page);
	return { ...told, content: { [name]: shown, meta: { pagination } } };
}

/** A task that was started, as it is read, and what it has made. */
function laterAt(path: string): Told {
	const [, collection = '', id] = path.split('/').map((part) => part.replaceAll('-', '_'));
	const record = {
		id: id ?? 'made',
		created_at: '2026-03-01T12:00:00Z',
		...(collection === 'tasks' && { status: 'completed', details: {} }),
	};
	const pagination = { page: 1, perPage: 100, totalPages: 1, totalItems: 1 };
	return {
		method: 'GET',
		path,
		status: 200,
		content: id
			? { [collection.replace(/s$/, '')]: record }
			: { [collection]: [record], meta: { pagination } },
		now: Date.parse('2026-03-01T12:01:00Z'),
	};
}

/** A bulk answer in which all has succeeded, or failed. */
function allAlike({ told, asked, ...others }: Recorded, isFailed: boolean): Recorded {
	const [[verb, result]] = Object.entries(told.content!) as [[string, IDataObject]];
	const ids = Object.keys(result).find((key) => key !== 'errors')!;
	const errors = asked.map((id) => ({ id, code: 'not_found', message: 'It is gone' }));
	const alike = { [ids]: isFailed ? [] : asked, errors: isFailed ? errors : [] };
	return { ...others, asked, told: { ...told, content: { ...told.content, [verb]: alike } } };
}

/** The operation in a case that a difference can befall. */
function caseFor(name: HarmlessName, each: Recorded): Recorded {
	if (isBulk(each.row)) {
		return allAlike(each, ['bulk_errors_by_id', 'bulk_all_failed'].includes(name));
	}
	if (name !== 'task_late') return each;
	const parameters = { ...each.run.parameters, waitForCompletion: true };
	return { ...each, run: { ...each.run, parameters } };
}

/** What a difference makes of the answers of a run. */
function changeBy(name: HarmlessName): Change {
	if (name !== 'task_late') return (told) => differing(name, told);
	let looks = 0;
	// The first looks are made in the first seconds of the task.
	return (told) => {
		const created = Date.parse(String((told.content?.task as IDataObject | undefined)?.created_at));
		return differing(name, { ...told, now: created + 4_000 * (looks += 1) });
	};
}

/** Whether a difference can befall the answer to an operation; a late task is waited for by what starts it. */
function canBefall(name: HarmlessName, { row, told }: Recorded): boolean {
	if (name === 'task_late') return fates.task_late.of(row);
	const url = new URL('http://127.0.0.1/?page=1&perPage=100');
	const due = isPaged(row) ? pageOf(told, rowsLike(told, row, rowsFor(name)), url) : told;
	return differing(name, due) !== undefined;
}

const files = ({ items }: Pick<NodeResult, 'items'>) =>
	items.flatMap((item) =>
		Object.keys(item.binary ?? {}).map((key) => contentOf(item, key).toString()),
	);

const usualOnes = new Map<string, Promise<Heard>>();

/** What comes of the form of the reference. */
async function usual(name: HarmlessName, given: Recorded): Promise<Heard> {
	const key = JSON.stringify([
		given.row.operation,
		given.told.content,
		rowsFor(name),
		given.run.parameters,
	]);
	const known = usualOnes.get(key) ?? heard(given, undefined, { count: rowsFor(name) });
	usualOnes.set(key, known);
	return await known;
}

/** For a look at the size of the table. */
const numbers = { befallen: 0, foreign: 0, doubtful: 0 };

describe.each(harmlessNames)('%s', (name) => {
	const { of, output = (usually) => usually, fromAll } = fates[name];
	const count = rowsFor(name);

	it('applies where it can, and is accepted from the service', async () => {
		const wrong: string[] = [];
		for (const each of recorded) {
			const given = caseFor(name, each);
			const fail = (why: string) => wrong.push(`${each.row.operation}: ${why}`);
			const isBefallen = canBefall(name, given);
			if (isBefallen !== of(each.row)) fail(isBefallen ? 'is befallen' : 'is not befallen');
			if (!isBefallen) continue;
			const before = await usual(name, given);
			const { error, json, items, isMet } = await heard(given, changeBy(name), { count });
			numbers.befallen += 1;
			if (!isMet) fail('is not met');
			if (before.error) fail(`the usual form is refused: ${before.error.message}`);
			if (error) fail(`is refused: ${error.message}`);
			const wanted = output(before.json, lastId(each));
			if (!error && !same(json, wanted)) fail(`gives ${brief(json)}, not ${brief(wanted)}`);
			if (!error && !same(files({ items }), files(before))) fail('gives another file');
		}
		expect(wrong).toEqual([]);
	}, 120_000);

	it('is not accepted from anyone else', async () => {
		if (fromAll) return;
		const wrong: string[] = [];
		for (const each of recorded.filter(({ row }) => of(row))) {
			const given = caseFor(name, each);
			const { error, json } = await heard(given, changeBy(name), { count, isOwn: false });
			numbers.foreign += 1;
			if (!error?.message.includes('the rate-limit headers of the service are missing')) {
				wrong.push(`${each.row.operation}: ${error?.message ?? brief(json)}`);
			}
		}
		expect(wrong).toEqual([]);
	}, 120_000);
});

/** The id that a path ends with: of `/tags/7/update` it is 7; empty where it has none. */
function lastId({ row, told }: Recorded): string {
	if (!row.route.includes('{')) return '';
	const segments = row.route.split(' ')[1]!.split('/');
	const index = segments.lastIndexOf(segments.filter((each) => each.startsWith('{')).at(-1)!);
	return decodeURIComponent(told.path.split('/')[index]!);
}

const same = (found: unknown, wanted: unknown) => JSON.stringify(found) === JSON.stringify(wanted);
const brief = (value: unknown) => JSON.stringify(value).slice(0, 200);

const createsOne = ({ row: { id }, told: { content = {} } }: Recorded) =>
	id.startsWith('create') && Object.values(content).some((part: any) => part?.id !== undefined);

/** The only part of an answer, changed. */
const withPart =
	(change: (part: any) => unknown): Change =>
	({ content }) => {
		const entries = Object.entries(content!);
		return {
			content: Object.fromEntries(
				entries.map(([name, part]) => [name, name === 'meta' ? part : change(part)]),
			),
		};
	};

const withNumbers =
	(numbersOf: object): Change =>
	({ content }) => ({
		content: {
			...content,
			meta: {
				pagination: { ...(content!.meta as { pagination: object }).pagination, ...numbersOf },
			},
		},
	});

const shortened: Change = withPart((rows: unknown[]) => rows.slice(0, 60));

/** What leaves in doubt, although the service said it. */
const doubtful: Record<string, { of: (each: Recorded) => boolean; change: Change; why: RegExp }> = {
	'a creation without the id of what was made': {
		of: createsOne,
		change: withPart(({ id: _, ...record }) => record),
		why: /without id/,
	},
	'a start without the id of the task': {
		of: ({ row }) => startsTask(row),
		change: withPart(({ id: _, ...task }) => task),
		why: /without id/,
	},
	'a sync without the id of its snapshot': {
		of: ({ row }) => row.id === 'syncSite',
		change: withPart(({ snapshot_id: _, ...sync }) => sync),
		why: /without snapshot_id/,
	},
	'a creation in another wrapper': {
		of: createsOne,
		change: ({ content }) => ({ content: { data: Object.values(content!)[0] } }),
		why: /an object without "\w+"/,
	},
	'a bulk result that has no outcome of an id': {
		of: ({ row }) => isBulk(row),
		change: withPart((result: IDataObject) => ({
			...Object.fromEntries(Object.keys(result).map((key) => [key, []])),
		})),
		why: /a response for 0 of \d+ IDs/,
	},
	'a bulk result without any outcome': {
		of: ({ row }) => isBulk(row),
		change: withPart(() => ({})),
		why: /a response without \w+ and errors/,
	},
	'a record without what tells it from others, in a list': {
		of: ({ row }) => isPaged(row),
		change: withPart((rows: IDataObject[]) =>
			rows.map(({ id: _, name: _name, performed_on: _on, ...others }) => others),
		),
		why: /a list that contains an entry without \w+/,
	},
	'a page in the midst that is not full': {
		of: ({ row }) => isPaged(row),
		change: shortened,
		why: /a list that contradicts itself: 60 records on page 1 of 3/,
	},
	'a full page without meta': {
		of: ({ row }) => isPaged(row),
		change: ({ content }) => ({ content: { ...content, meta: undefined } }),
		why: /a list without a number of pages/,
	},
	'a last page that lacks many': {
		of: ({ row }) => isPaged(row),
		change: (told) => shortened({ ...told, ...withNumbers({ totalPages: 1 })(told) }),
		why: /a list that contradicts itself/,
	},
	'half a page': {
		of: ({ row }) => isPaged(row),
		change: withNumbers({ totalPages: 1.5 }),
		why: /a list whose totalPages is 1\.5/,
	},
	'another record that is read, without its wrapper': {
		of: ({ row, told }) =>
			isRead(row) &&
			!isList(row) &&
			Object.values(told.content ?? {}).some((part: any) => part?.id),
		change: ({ content }) => ({
			content: { ...(Object.values(content!)[0] as object), id: 'another', provider: 'another' },
		}),
		why: /an object without "\w+"/,
	},
	'a delete of another record': {
		of: ({ row }) => isDelete(row),
		change: () => ({ status: 200, content: { data: { id: 'another', name: 'x' } } }),
		why: /The response is about another record: .+ was requested, another was returned/,
	},
	'a delete with an error inside': {
		of: ({ row }) => isDelete(row),
		change: () => ({ status: 200, content: { message: 'No', success: false } }),
		why: /status 200, not an empty 204/,
	},
	'a delete by a task that has failed': {
		of: ({ row }) => isDelete(row),
		change: () => ({ status: 202, content: { task: { id: '9', status: 'failed' } } }),
		why: /status 202, not an empty 204/,
	},
};

it.each(Object.keys(doubtful))(
	'%s is refused, and the keys are named',
	async (what) => {
		const { of, change, why } = doubtful[what]!;
		const befallenOnes = recorded.filter(of);
		expect(befallenOnes).not.toEqual([]);
		const wrong: string[] = [];
		for (const each of befallenOnes) {
			const { error, items, json } = await heard(each, change);
			numbers.doubtful += 1;
			const message = error?.message ?? `it gives ${brief(json)}`;
			// That names the ids.
			const isMismatch = message.startsWith('The response is about another record');
			const isNamed =
				isMismatch ||
				message.includes('(received: ') ||
				what === 'a bulk result without any outcome';
			const isShown =
				isMismatch || message.includes('the node "Site Management API" shows the full response');
			if (!why.test(message) || !isNamed || !isShown || items.length > 0 || requests !== 1) {
				wrong.push(`${each.row.id} (${requests} requests): ${message}`);
			}
		}
		expect(wrong).toEqual([]);
	},
	120_000,
);

afterAll(() => process.env.SHOW && console.log(JSON.stringify(numbers)));
