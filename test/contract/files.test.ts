import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contentOf, runNode } from '../support/engine';
import { byId } from '../support/operationCases';

/** Files whose transfer goes wrong, or takes its time. */

let server: Server;
let respond: (response: ServerResponse, count: number) => void;
let requests: number;

beforeEach(async () => {
	requests = 0;
	server = createServer((_, response) => respond(response, ++requests));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

const access = () => ({
	baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v6`,
	token: 'token',
});

const download = (count = 1) => ({
	node: 'report',
	parameters: { resource: 'report', operation: 'download', reportId: byId('={{ $json.id }}') },
	items: Array.from({ length: count }, (_, index) => ({ id: `${index}` })),
});

const pdf = { 'Content-Type': 'application/pdf' };

it('a download that is cut off is an error, not a short file', async () => {
	respond = (response) => {
		response.writeHead(200, { ...pdf, 'Content-Length': 1_000_000 });
		response.write(Buffer.alloc(1_000));
		setImmediate(() => response.destroy());
	};
	const { items, error } = await runNode(access(), download());
	expect(error?.message).toBe('The file was cut off while it was read');
	expect(error?.description).toContain('Run the node again');
	expect(items).toEqual([]);
});

it('also one whose length was not told', async () => {
	respond = (response) => {
		response.writeHead(200, pdf);
		response.write(Buffer.alloc(1_000));
		setImmediate(() => response.destroy());
	};
	const { error } = await runNode(access(), download());
	expect(error?.message).toBe('The file was cut off while it was read');
});

it('only the file that was cut off fails under Continue On Fail', async () => {
	respond = (response, count) => {
		response.writeHead(200, { ...pdf, 'Content-Length': 4 });
		if (count === 2) {
			response.write('%P');
			setImmediate(() => response.destroy());
		} else response.end('%PDF');
	};
	const { items } = await runNode(access(), {
		...download(3),
		settings: { onError: 'continueRegularOutput' },
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
	expect(items.filter(({ json }) => json.error)).toHaveLength(1);
	const whole = items.filter(({ binary }) => binary);
	expect(whole.map((item) => contentOf(item).toString())).toEqual(['%PDF', '%PDF']);
});

it('not more than three files of a run are read at the same time', async () => {
	let open = 0;
	let most = 0;
	const waiting: Array<() => void> = [];
	respond = (response) => {
		open += 1;
		most = Math.max(most, open);
		response.writeHead(200, pdf);
		response.write('%');
		waiting.push(() => {
			open -= 1;
			response.end('PDF');
		});
	};
	// One file after the other ends, the oldest first.
	const ending = setInterval(() => waiting.shift()?.(), 30);
	const { items, error } = await runNode(access(), download(10));
	clearInterval(ending);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(10);
	expect(most).toBe(3);
});
