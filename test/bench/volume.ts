import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentOf } from '../../sandbox/service/domain/content/fileContent';
import { operationRun, type NodeRun } from '../support/engine';
import { locator } from '../support/locator';
import { ask, NO_LIMIT, start, timed, withService, type Row } from './lib';
import type { Measured } from './processes/measured';

/** What a run of a node takes in memory and processor time where there is very much of something. */

const FILE = { bytes: 500e6, goal: 64 };
const LIST = { sites: 100_000, perPage: 100, goal: 100 };
const CHANGES = 30_000;

/** A tenth of the items takes so many times as much processor time for each, at most. */
const GROWTH = 1.25;

const count = (number: number) => number.toLocaleString('en');

export async function volume(): Promise<Row[]> {
	return [
		await largeFile(),
		await longList('raw'),
		await longList('simplified'),
		await manyChanges(),
	];
}

type Answer = (request: IncomingMessage, answer: ServerResponse) => void;

/** Runs a node in a process of its own, against answers that cost their service next to nothing. */
async function measured(answer: Answer, warmUp: NodeRun, run: NodeRun) {
	const server = createServer((request, to) => {
		to.setHeader('X-RateLimit-Limit', NO_LIMIT.limit);
		to.setHeader('X-RateLimit-Remaining', NO_LIMIT.limit);
		to.setHeader('X-RateLimit-Reset', Math.ceil(Date.now() / 1000) + 60);
		answer(request, to);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
	const child = start('measured.ts', ['--expose-gc']);
	try {
		const access = { baseUrl: `http://127.0.0.1:${port}`, token: 'none' };
		const measuring = async () => await ask<Measured>(child, { access, folder, warmUp, run });
		const { result, seconds } = await timed(measuring);
		if (result.error) throw new Error(result.error);
		return { result, seconds };
	} finally {
		child.kill();
		server.close();
		await rm(folder, { recursive: true, force: true });
	}
}

function sendJson(answer: ServerResponse, body: object): void {
	answer.setHeader('Content-Type', 'application/json');
	answer.end(JSON.stringify(body));
}

function sendFile(answer: ServerResponse, name: string, bytes: number): void {
	answer.setHeader('Content-Type', 'application/octet-stream');
	answer.setHeader('Content-Length', bytes);
	answer.setHeader('Content-Disposition', `attachment; filename="${name}.bin"`);
	contentOf(name, bytes).pipe(answer);
}

const fileOf = (fileId: string): NodeRun => ({
	node: 'backupContent',
	parameters: {
		resource: 'file',
		operation: 'download',
		siteId: locator('site'),
		findBy: 'id',
		fileId,
		binaryPropertyName: 'data',
	},
});

async function largeFile(): Promise<Row> {
	const sizes: Record<string, number> = { small: 1e6, large: FILE.bytes };
	const answer: Answer = ({ url = '' }, to) => {
		const name = url.includes('large') ? 'large' : 'small';
		sendFile(to, name, sizes[name]!);
	};
	const { result, seconds } = await measured(answer, fileOf('small'), fileOf('large'));
	if (result.bytes !== FILE.bytes) throw new Error(`${result.bytes} bytes came`);
	const megabytes = result.peak / 1e6;
	return {
		what: `Memory at most, over idle, for a file of ${FILE.bytes / 1e6} MB`,
		here: { megabytes, seconds },
		goal: { text: `under ${FILE.goal} MB`, met: megabytes < FILE.goal },
	};
}

async function longList(output: 'raw' | 'simplified'): Promise<Row> {
	const sites = await withService({ sites: LIST.perPage, rateLimit: NO_LIMIT }, async ({ api }) => {
		const { data } = await api.get('/sites', { params: { perPage: LIST.perPage } });
		return data.sites as object[];
	});
	const totalPages = LIST.sites / LIST.perPage;
	const answer: Answer = ({ url = '' }, to) => {
		const page = Number(new URL(url, 'http://service').searchParams.get('page'));
		sendJson(to, {
			sites: sites.map((site, index) => ({ ...site, id: `${page}-${index}` })),
			meta: { pagination: { totalItems: LIST.sites, totalPages, perPage: LIST.perPage } },
		});
	};
	const run = (parameters: object) => operationRun('site', 'getAll', { output, ...parameters });
	const few = run({ returnAll: false, limit: LIST.perPage });
	const { result, seconds } = await measured(answer, few, run({ returnAll: true }));
	const { ids } = result;
	if (new Set(ids).size !== LIST.sites) throw new Error(`${ids.length} sites came`);
	const megabytes = result.peak / 1e6;
	const own = result.items / 1e6;
	return {
		what: `Memory at most, over idle, for Return All of ${count(LIST.sites)} sites, Output ${output}`,
		here: { megabytes, seconds },
		beside: { name: 'the items of output', values: { megabytes: own } },
		goal: { text: `at most ${LIST.goal} MB more`, met: megabytes <= own + LIST.goal },
	};
}

let nextChange = 0;

/** Changes that are answered only in order. */
const answerChange: Answer = ({ url = '' }, to) => {
	const [, id = ''] = /tags\/([^/]+)/.exec(url) ?? [];
	const isNext = Number(id) === 0 || Number(id) === nextChange;
	nextChange = Number(id) + 1;
	sendJson(to, { tag: { id: isNext ? id : 'not its turn', name: 'Tag' } });
};

const change = operationRun('tag', 'update', {
	tagId: locator('={{ $json.id }}'),
	updateFields: { name: 'Tag' },
	output: 'raw',
});

/** Processor time for each of very many changes, beside that of a tenth of them. */
async function manyChanges(): Promise<Row> {
	const each = async (number: number): Promise<number> => {
		const ids = Array.from({ length: number }, (_, index) => String(index));
		const items = ids.map((id) => ({ id }));
		const few = { ...change, items: items.slice(0, 100) };
		const { result } = await measured(answerChange, few, { ...change, items });
		if (result.ids.join() !== ids.join()) throw new Error('The records were not in order');
		return (result.cpu * 1000) / number;
	};
	const few = await each(CHANGES / 10);
	const milliseconds = await each(CHANGES);
	const ratio = milliseconds / few;
	return {
		what: `Processor time for each of ${count(CHANGES)} changes in order`,
		here: { milliseconds },
		beside: { name: `of ${count(CHANGES / 10)}`, values: { milliseconds: few } },
		ratio,
		goal: { text: `at most ${GROWTH} times as much, in order`, met: ratio <= GROWTH },
	};
}
