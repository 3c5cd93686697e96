import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { contentOf, mustSucceed, operationRun, runNode } from '../../support/engine';
import { locator } from '../../support/locator';
import { startWayward, type Wayward } from '../../support/wayward';

let service: Wayward;
let respond: (response: ServerResponse, count: number) => void;

beforeEach(async () => {
	let count = 0;
	service = await startWayward(({ pathname }) =>
		// The record that names the file cannot be read here.
		pathname.endsWith('/download')
			? (response) => respond(response, ++count)
			: { status: 404, body: {} },
	);
});

const download = (count = 1) => ({
	...operationRun('report', 'download', { reportId: locator('={{ $json.id }}') }),
	items: Array.from({ length: count }, (_, index) => ({ id: `${index}` })),
});

const pdf = { 'Content-Type': 'application/pdf' };

it.each([{}, { 'Content-Length': 1_000_000 }])(
	'a download that is cut off is an error, not a short file: %j',
	async (length) => {
		respond = (response) => {
			response.writeHead(200, { ...pdf, ...length });
			response.write(Buffer.alloc(1_000));
			setImmediate(() => response.destroy());
		};
		const { items, error } = await runNode(service, download());
		expect(error?.message).toBe('The download stopped before the end of the file');
		expect(error?.description).toContain('Run the node again');
		expect(items).toEqual([]);
	},
);

it('only the file that was cut off fails under Continue On Fail', async () => {
	respond = (response, count) => {
		response.writeHead(200, { ...pdf, 'Content-Length': 4 });
		if (count === 2) {
			response.write('%P');
			setImmediate(() => response.destroy());
		} else response.end('%PDF');
	};
	const { items } = await runNode(service, {
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
	const { items, error } = await runNode(service, download(10));
	clearInterval(ending);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(10);
	expect(most).toBe(3);
});

describe('a response that is not the file is an error', () => {
	it.each<[what: string, headers: Record<string, string>, body: string | Buffer]>([
		['a login page', { 'Content-Type': 'text/html; charset=utf-8' }, '<!DOCTYPE html>'],
		['an error in JSON', { 'Content-Type': 'application/json' }, '{"error":{}}'],
		['nothing', pdf, ''],
		['a picture', { 'Content-Type': 'image/png' }, 'png'],
	])('%s', async (_what, headers, body) => {
		respond = (response) => response.writeHead(200, headers).end(body);
		const { error, items } = await runNode(service, download());
		expect(error?.message).toMatch(
			/^(The response is a web page|The response does not match the API|The file is empty)/,
		);
		expect(items).toEqual([]);
	});
});

it('a compressed body that is cut is an error, although its length fits', async () => {
	const body = gzipSync('%PDF'.repeat(1e4)).subarray(0, 60);
	respond = (response) =>
		response
			.writeHead(200, { ...pdf, 'Content-Encoding': 'gzip', 'Content-Length': body.length })
			.end(body);
	const { error, items } = await runNode(service, download());
	expect(error?.message).toBe('The download stopped before the end of the file');
	expect(items).toEqual([]);
});

it('a file is requested without compression', async () => {
	let asked: string | undefined;
	respond = (response) => {
		asked = response.req.headers['accept-encoding'] as string;
		response.writeHead(200, pdf).end('%PDF');
	};
	await runNode(service, download());
	expect(asked).toBe('identity');
});

/** As servers write it into a header: n8n gets each byte as a character. */
const inUtf8 = (text: string) => Buffer.from(text).toString('latin1');

describe('the name of a file', () => {
	const nameFor = async (disposition?: string) => {
		respond = (response) =>
			response
				.writeHead(200, { ...pdf, ...(disposition && { 'Content-Disposition': disposition }) })
				.end('%PDF');
		const { items } = mustSucceed(await runNode(service, download()));
		return items[0]!.binary!.data!.fileName;
	};

	it.each<[disposition: string | undefined, name: string]>([
		[undefined, 'report-0.pdf'],
		['attachment; filename="a.pdf"', 'a.pdf'],
		['attachment; filename=".."', 'report-0.pdf'],
		['attachment; filename="../../etc/passwd"', 'passwd'],
		['attachment; xfilename="evil.exe"', 'report-0.pdf'],
		["attachment; filename*=UTF-8''a%0D%0Ab%00.pdf", 'ab.pdf'],
		["attachment; filename*=UTF-8''%2e%2e; filename=b.pdf", 'b.pdf'],
		[inUtf8('attachment; filename="Müller.pdf"'), 'Müller.pdf'],
		[inUtf8('attachment; filename="報告書 😀.pdf"'), '報告書 😀.pdf'],
		['attachment; filename="M\u00fcller.pdf"', 'Müller.pdf'],
		[inUtf8('attachment; filename*=UTF-8\'\'M%C3%BCller.pdf; filename="Mäier.pdf"'), 'Müller.pdf'],
		['attachment; filename="a.pdf"; filename*=utf-8\'de\'M%c3%bcller.pdf', 'Müller.pdf'],
		["attachment; filename*=ISO-8859-1''M%FCller.pdf", 'Müller.pdf'],
		["attachment; filename*=UTF-8''M%FCller.pdf; filename=b.pdf", 'b.pdf'],
		["attachment; filename*=x-unknown''M%C3%BCller.pdf; filename=b.pdf", 'Müller.pdf'],
		['attachment; filename*="UTF-8\'\'a%20b.pdf"', 'a b.pdf'],
		['attachment; filename="a; filename*=UTF-8\'\'b.exe"', "a; filename*=UTF-8''b.exe"],
		[String.raw`attachment; filename="a\"b\\c.pdf"`, 'c.pdf'],
		[String.raw`attachment; filename="say \"hi\".pdf"`, 'say "hi".pdf'],
		[String.raw`attachment; filename="C:\reports\may.pdf"`, 'may.pdf'],
		["attachment; filename*=UTF-8''..%2F..%5Cx%2Fetc.pdf", 'etc.pdf'],
		['attachment; filename = "a b.pdf" ; size=3', 'a b.pdf'],
		[inUtf8('attachment; filename="a\u202efdp.exe"'), 'afdp.exe'],
	])('%s gives %s', async (disposition, name) => {
		expect(await nameFor(disposition)).toBe(name);
	});
});

it('a file that is kept elsewhere is fetched without the token', async () => {
	const tokens: unknown[] = [];
	const elsewhere = await startWayward(() => ({ headers: pdf, body: '%PDF' }));
	elsewhere.onRequest = ({ headers }) => void tokens.push(headers.authorization);
	respond = (response) => response.writeHead(302, { Location: `${elsewhere.baseUrl}/file` }).end();
	const { items, error } = await runNode(service, download());
	expect(error).toBeUndefined();
	expect(contentOf(items[0]!).toString()).toBe('%PDF');
	expect(tokens).toEqual([undefined]);
});
