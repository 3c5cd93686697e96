import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { activate, mustSucceed, operationRun, runNode, searchList } from '../../support/engine';
import { locator } from '../../support/locator';
import { holdLimits, withoutWaiting } from '../../support/transportClock';
import { startWayward, type Wayward } from '../../support/wayward';

/** Answers without end, in time, size or depth: they are reported once, and what they were about is not sent again. */

const { pass } = holdLimits();
withoutWaiting();

let service: Wayward;
let respond: (response: ServerResponse) => void;
let closed: Array<Promise<unknown>>;

beforeEach(async () => {
	closed = [];
	service = await startWayward(() => (response) => {
		closed.push(once(response, 'close'));
		respond(response);
	});
});
afterEach(async () => await service.close());

const requests = () => service.requests.map((each) => each.split('?')[0]);

const json = { 'Content-Type': 'application/json', 'X-RateLimit-Limit': '200' };
const get = operationRun('tag', 'get', { tagId: locator('7') });
const create = operationRun('tag', 'create', { name: 'New', color: '#112233' });

/** Byte after byte until it is closed; the time limit is over after some of them. */
function bytes(to: Writable): void {
	let sent = 0;
	const next = () => {
		if (to.destroyed) return;
		to.write(' ');
		if (++sent === 20) pass();
		setImmediate(next);
	};
	next();
}

function dribble(status: number, start: string, headers: Record<string, string> = json) {
	return (response: ServerResponse) => {
		response.writeHead(status, headers);
		response.write(start);
		bytes(response);
	};
}

function dribbleHeaders({ socket }: ServerResponse): void {
	socket!.write('HTTP/1.1 200 OK\r\nX-Long:');
	bytes(socket!);
}

/** All at once, without a length, until it is closed. */
const flood = (response: ServerResponse) => {
	const chunk = Buffer.alloc(1024 ** 2, ' ');
	response.writeHead(200, json);
	const next = () => {
		if (!response.destroyed && response.write(chunk)) return void setImmediate(next);
		response.once('drain', next);
	};
	next();
};

const packed = (encoding: string, content: Buffer) => (response: ServerResponse) =>
	void response.writeHead(200, { ...json, 'Content-Encoding': encoding }).end(content);

const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const zeros = Buffer.alloc(200 * 1024 ** 2, ' ');
const deep = (levels: number) => '{"tag":'.repeat(levels) + '{}' + '}'.repeat(levels);
const whole = (status: number, text: string) => (response: ServerResponse) =>
	void response.writeHead(status, json).end(text);

const endless: Array<[string, (response: ServerResponse) => void, string]> = [
	['one byte after the other', dribble(200, '{"tag":'), 'takes longer than 300 seconds'],
	['headers byte after byte', dribbleHeaders, 'takes longer than 300 seconds'],
	['more and more', flood, 'is larger than 20 MB'],
	['packed with gzip', packed('gzip', gzipSync(zeros)), 'is larger than 20 MB'],
	['packed with br', packed('br', brotliCompressSync(zeros, fast)), 'is larger than 20 MB'],
	['nested 5,000 deep', whole(200, deep(5_000)), 'is nested more than 100 levels deep'],
];

describe.each(endless)('%s', (_, answer, limit) => {
	beforeEach(() => (respond = answer));

	it('ends a read, once', async () => {
		const { error } = await runNode(service, get);
		expect(error?.message).toBe(`The response ${limit}. The node stopped reading it`);
		expect(error?.context?.details).toMatchObject({ outcome: 'unknown' });
		expect(requests()).toEqual(['GET /api/v6/tags/7']);
	});

	it('leaves the outcome of a change unknown', async () => {
		const { error } = await runNode(service, create);
		expect(error?.message).toContain(`The response ${limit}`);
		expect(error?.message).toContain('the change may have been applied: check /tags');
		const details = { outcome: 'unknown', verifyAt: '/tags (Tag: Get Many)' };
		expect(error?.context?.details).toMatchObject(details);
		expect(requests()).toEqual(['POST /api/v6/tags']);
	});

	it('ends a search of the editor', async () => {
		const search = searchList(service, { ...get, method: 'searchTags' });
		await expect(search).rejects.toThrow(limit);
		expect(requests()).toHaveLength(1);
	});

	it('ends a poll', async () => {
		const parameters = { events: ['failed'] };
		const trigger = await activate(service, { node: 'taskTrigger', parameters });
		await expect(trigger.poll()).rejects.toThrow(limit);
		expect(requests()).toHaveLength(1);
	});
});

it.each([dribble(200, '{'), dribble(404, '{'), flood])(
	'the connection is closed: %#',
	async (answer) => {
		respond = answer;
		await runNode(service, get);
		await Promise.all(closed);
	},
);

describe('a refusal', () => {
	it.each([
		['one byte after the other', dribble(404, '{"error":{"message":"No tag"}}'), 'No tag'],
		['larger than what is read of it', whole(404, ' '.repeat(200_000)), 'no such record'],
	])('%s is still one', async (_, answer, message) => {
		respond = answer;
		const { error } = await runNode(service, get);
		expect(error?.message).toContain(message);
		expect(error?.context?.details).toMatchObject({ outcome: 'refused', status: 404 });
		expect(requests()).toHaveLength(1);
	});

	it('is not retried when it never ends', async () => {
		respond = dribble(503, '{"error":{"message":"Down"}}');
		const { error } = await runNode(service, get);
		expect(error?.message).toBe('The service failed (503): Down');
		expect(requests()).toHaveLength(1);
	});
});

it('a file that takes too long is an error, not a short file', async () => {
	respond = dribble(200, '%PDF-', { 'Content-Type': 'application/pdf' });
	const download = operationRun('report', 'download', { reportId: locator('7') });
	const { items, error } = await runNode(service, download);
	expect(error?.message).toBe('The download stopped before the end of the file');
	expect(error?.description).toContain('The file takes longer than 3600 seconds');
	expect(items).toEqual([]);
	await Promise.all(closed);
});

it('reads long bodies, deeply nested texts, and a byte order mark', async () => {
	const color = `${'[{'.repeat(5_000)}"\\`;
	const tag = { id: '7', name: 'VIP', color, created_at: 'é'.repeat(1_000_000) };
	respond = whole(200, `\uFEFF${JSON.stringify({ tag })}`);
	const parameters = { ...get.parameters, output: 'raw' };
	const { json: items } = mustSucceed(await runNode(service, { ...get, parameters }));
	expect(items).toEqual([tag]);
});
