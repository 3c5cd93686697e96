import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startMailbox } from '../../sandbox/lib/mailbox';
import type { Mailbox } from '../../sandbox/lib/mailbox';
import { freePort } from '../../sandbox/lib/ports';
import { waitFor } from '../../sandbox/lib/wait';
import { ends, newFolder } from '../support/ending';
import { FOREIGN, rawRequest, UPGRADE } from '../support/rawRequest';

const EML = `From: a@example.com
To: b@example.com
Subject: With a page
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="part"

--part
Content-Type: text/html

<p>Hello</p>
--part
Content-Type: text/html; name="page.html"
Content-Disposition: attachment; filename="page.html"

<script>document.title = 'run'</script>
--part--
`.replaceAll('\n', '\r\n');

let mailbox: Mailbox;
beforeAll(async () => {
	const folder = newFolder('mailbox');
	const [smtpPort, webPort] = [await freePort(), await freePort()];
	const logFile = path.join(folder, 'mailbox.log');
	const mails = path.join(folder, 'mails');
	mailbox = ends(await startMailbox({ smtpPort, webPort, folder: mails, logFile }));
	await sendMail();
});

async function sendMail() {
	const socket = connect(mailbox.smtpPort, '127.0.0.1');
	const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
	const from = ['HELO here', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA'];
	for (const said of [...from, `${EML}.`, 'QUIT']) {
		await replies.next();
		socket.write(`${said}\r\n`);
	}
	socket.destroy();
	await waitFor('the mail', async () => (await mailbox.mails())[0], 30_000);
}

const ask = (at: string, headers = {}, method = 'GET') =>
	rawRequest(mailbox.url, at, { headers, method });
const mailId = async () => (await mailbox.mails())[0]!.id;
const own = () => ({ Host: new URL(mailbox.url).host, Origin: mailbox.url });
const socket = '/socket.io/?EIO=3&transport=websocket';

it.each(FOREIGN)('the mailbox refuses %s', async (_case, headers) => {
	for (const at of ['/', '/email', `/email/${await mailId()}/html`]) {
		const { status, text } = await ask(at, headers);
		expect([at, status]).toEqual([at, 403]);
		expect(text).not.toContain('Hello');
	}
	expect((await ask(socket, { ...UPGRADE, ...headers })).status).toBe(403);
	expect((await ask('/email/all', headers, 'DELETE')).status).toBe(403);
	expect(await mailbox.mails()).toHaveLength(1);
});

it('the mailbox answers programs and its own page, and no other origin may read that', async () => {
	for (const headers of [{}, own(), { Host: own().Host.replace('127.0.0.1', 'localhost') }]) {
		const { status, headers: given, text } = await ask('/email', headers);
		expect([status, JSON.parse(text).length]).toEqual([200, 1]);
		expect(Object.keys(given).filter((name) => name.startsWith('access-control'))).toEqual([]);
	}
	expect((await ask('/', own())).text).toContain('<title>MailDev');
	expect((await ask(socket, { ...UPGRADE, ...own() })).status).toBe(101);
});

it('the mailbox shows nothing of an email that can run', async () => {
	const [mail] = await mailbox.mails();
	const at = `/email/${mail!.id}`;
	const page = await ask(`${at}/attachment/${mail!.attachments![0]!.generatedFileName}`);
	expect(page.text).toContain('<script>');
	const safe = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' };
	expect(page.headers).toMatchObject({ ...safe, 'content-disposition': 'attachment' });
	const source = await ask(`${at}/source`);
	const type = 'text/plain; charset=utf-8';
	expect(source.headers).toMatchObject({ ...safe, 'content-type': type });
	const html = await ask(`${at}/html`);
	expect(html.text).toContain('<p>Hello</p>');
	expect(html.headers['content-security-policy']).toMatch(/^sandbox (?!.*allow-scripts)/);
});
