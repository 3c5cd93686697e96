import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { Workflow } from '../../../sandbox/lib/content';
import { FORM_USER, readExample } from '../../../sandbox/lib/examples';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import {
	examples,
	hasRun,
	having,
	losing,
	named,
	newId,
	only,
	sendForm,
	type Several,
	sheetsIn,
	store,
	succeeded,
	useExamples,
	ZONE,
} from '../../support/examples';
import { activate, output } from '../../support/n8n';
import { TAG, tagNamed } from '../../support/safeUpdate';
import { until } from '../../support/until';
import { pollEvery } from '../../support/workflow';

/** The examples about clients: their reports, their onboarding, the works for their invoices, and the whole fleet. */

/** Few, so that requests for each of them do not take long. */
const SITES = 24;

useExamples('examples-clients', { sites: SITES, rateLimit: { limit: 2_000 } });

// What goes on in a new fleet comes to its end: a cleanup would make a hacked site clean in the middle of a test.
beforeAll(async () => await examples.control('/clock/advance', { ms: 12 * 3_600_000 }));

const sites = () => store().sites.all() as Several;

const counted = (requests: string[]) => {
	const counts: Record<string, number> = {};
	for (const request of requests) {
		const of = request.replace(/\/(\d+|[0-9a-f]{24})(?=\/|$)/g, '/…');
		counts[of] = (counts[of] ?? 0) + 1;
	}
	return counts;
};

/** Adds a copy of an example, of which a node sends its email to no address. */
const addUnmailed = async (file: string, name: string, parameters = {}) => {
	const node = readExample(file, examples).nodes.find((each) => each.name === name)!;
	const { value, ...workflowInputs } = node.parameters.workflowInputs as { value: object };
	const unmailed = { workflowInputs: { ...workflowInputs, value: { ...value, to: ',' } } };
	return await examples.copy(file, { ...parameters, [name]: unmailed });
};

const NO_SMTP = 'Credential with ID "deleted" does not exist for type "smtp".';

/** Adds a copy of an example after the credential for emails was deleted. */
const addWithoutSmtp = async (file: string) => {
	const lost = await examples.add('00a-write-and-send.json', losing('smtp'));
	return await examples.add(file, (workflow) => {
		const text = JSON.stringify({ ...workflow, id: newId() });
		return JSON.parse(text.replaceAll('writeAndSend000a', lost)) as Workflow;
	});
};

describe('the fleet digest', () => {
	const DAY_MS = 86_400_000;

	/** A fleet of which there is nothing to tell. */
	function heal() {
		for (const site of sites()) {
			const now = examples.service.world.timestamp();
			site.connection.status = 'connected';
			site.security.scanner.status = 'clean';
			Object.assign(site.uptime, { enabled: true, status: 'up' });
			Object.assign(site.backups, {
				enabled: true,
				latest_snapshot: { id: randomUUID(), created_at: now, status: 'succeeded' },
			});
			Object.assign(site.sync, { last_sync_at: now, last_sync_status: 'succeeded' });
			site.server.php_version = '8.3.11';
			Object.assign(site.wp.core, { current_version: '6.8.3', update_available: false });
		}
	}

	const disconnect = (...some: SiteRow[]) => {
		for (const { connection } of some) connection.status = 'disconnected';
	};

	const tagged = () => {
		const tag = tagNamed(examples.service, 'Disconnected');
		return sites()
			.filter(({ internal }) => tag && internal.tag_ids.includes(tag.id))
			.map(({ id }) => id)
			.sort();
	};

	const ids = (...some: SiteRow[]) => some.map(({ id }) => id).sort();

	const ROW = /<tr><td[^>]*>([^<]+)<\/td><td[^>]*>(\d+)<\/td><td[^>]*>([^<]*)<\/td><\/tr>/g;

	/** The rows of the table at the top of the mail: name, count and change. */
	const counts = (html: string) =>
		Object.fromEntries(
			[...html.matchAll(ROW)].map(([, name, count, change]) => [
				name,
				[Number(count), change].filter((each) => each !== ''),
			]),
		);

	let id: string;

	beforeAll(async () => {
		id = await examples.add('05-fleet-digest.json');
		// A site that has the most tags there can be takes no other.
		for (const site of sites()) site.internal.tag_ids = [];
	});

	it('emails the sites that need attention, compares with the last digest, and tags disconnected sites', async () => {
		heal();
		const [one, two, three, hacked, down, overdue, failing, php, core] = sites();
		disconnect(one, two);
		hacked.security.scanner.status = 'hacked';
		down.uptime.status = 'down';
		const old = examples.service.world.timestamp(Date.now() - 3 * DAY_MS);
		overdue.sync.last_sync_at = overdue.backups.latest_snapshot!.created_at = old;
		failing.sync.last_sync_status = failing.backups.latest_snapshot!.status = 'failed';
		php.server.php_version = '8.1.29';
		Object.assign(core.wp.core, { current_version: '6.7.1', update_available: true });

		const first = await examples.requestsOf(async () => succeeded(await examples.run(id)));
		expect(counted(first)).toEqual({
			'GET /sites': Math.ceil(SITES / 100),
			// It is looked for again after it has been created.
			'GET /tags': 2,
			'POST /tags': 1,
			...{ 'POST /tags/…/assign': 1, 'GET /sites/…': 2 },
		});
		expect(tagged()).toEqual(ids(one, two));
		const mail = only(await examples.newMails());
		expect(mail.to).toEqual([expect.objectContaining({ address: 'office@example.com' })]);
		expect(mail.subject).toBe('Fleet digest: 2 disconnected, 1 hacked, 1 down');
		expect(counts(mail.html!)).toEqual({
			Disconnected: [2],
			Hacked: [1],
			Down: [1],
			'Backup failed or older than 36 hours': [2],
			'PHP older than 8.2': [1],
			'Core updates waiting': [1],
		});
		expect(mail.html).not.toContain('compared with');
		for (const { title, url } of [one, two, hacked, down, overdue, failing, php, core]) {
			expect(mail.html).toContain(`<a href="${url}">${title}</a> (${url})`);
		}
		expect(mail.html).toContain('PHP 8.1.29');
		expect(mail.html).toContain('6.7.1 → 6.8.3');

		two.connection.status = 'connected';
		down.uptime.status = 'up';
		disconnect(three);
		php.server.php_version = '8.2.0';
		sites()[9].security.scanner.status = 'hacked';
		const second = await examples.requestsOf(async () => succeeded(await examples.run(id)));
		expect(counted(second)).toEqual({
			'GET /sites': 1,
			...{ 'GET /sites/…': 1, 'GET /tags': 1 },
			'POST /tags/…/assign': 1,
			'POST /tags/…/remove': 1,
		});
		expect(tagged()).toEqual(ids(one, three));
		const later = only(await examples.newMails());
		expect(later.html).toContain('compared with');
		expect(counts(later.html!)).toMatchObject({
			Disconnected: [2, '='],
			Hacked: [2, '▲ 1'],
			Down: [0, '▼ 1'],
			'PHP older than 8.2': [0, '▼ 1'],
		});

		const third = await examples.requestsOf(async () => succeeded(await examples.run(id)));
		expect(third.sort()).toEqual(['GET /sites', 'GET /tags']);
		expect(await examples.newTexts()).toEqual([]);
	});

	it('is sent although the tag cannot be set, and names the sites without it and why', async () => {
		heal();
		const [, , , , , one, two] = sites();
		disconnect(one, two);
		await examples.without('tags');
		succeeded(await examples.run(id));
		await examples.repair();
		expect(await examples.newMails()).toHaveLength(1);
		// The tag is there by now: giving it fails, and so does taking it off the sites of before.
		const wrong = await examples.newTexts();
		expect(wrong).toHaveLength(2);
		for (const text of wrong) {
			expect(text).toMatch(/^Fleet digest: the tag “Disconnected” is not up to date\.\n\n.*tags/);
		}

		await examples.control('/plan', { limits: { tags_per_site: 0 } });
		succeeded(await examples.run(id));
		await examples.control('/plan', { limits: { tags_per_site: 10 } });
		const names = [one, two].sort((a, b) => a.url.localeCompare(b.url));
		expect(await examples.newTexts()).toEqual([
			`Fleet digest: the tag “Disconnected” is not up to date.\n\nSite has the maximum number of tags:\n- ${names.map(named).join('\n- ')}`,
		]);
		expect(await examples.newMails()).toHaveLength(1);
		expect(tagged()).toEqual([]);
	});

	it('is sent without a comparison when there is no table, and says that its numbers are not kept', async () => {
		const broken = await examples.copy('05-fleet-digest.json', {
			'Find or create the table': {
				tableName: 'fleet_digest_broken',
				columns: { column: [{ name: 'not a name', type: 'string' }] },
			},
		});
		succeeded(await examples.run(broken));
		const mail = only(await examples.newMails());
		expect(mail.html).toMatch(/The numbers of last week cannot be compared: .*name/i);
		expect(only(await examples.newTexts())).toMatch(
			/^Fleet digest: the email was sent, but the numbers of this week were not saved, so the next email cannot compare them: ./,
		);
	});

	it('is sent without a comparison when the earlier numbers cannot be read, and says so', async () => {
		const broken = await examples.copy('05-fleet-digest.json', {
			'Read earlier numbers': { orderByColumn: 'nothing' },
		});
		succeeded(await examples.run(broken));
		const mail = only(await examples.newMails());
		expect(mail.html).toContain(
			'The numbers of last week cannot be compared: Specified column does not exist',
		);
		expect(mail.html).not.toContain('compared with');
	});
});

describe('an email that cannot be sent', () => {
	it.each([
		['05-fleet-digest.json', 'Send the digest', 'Fleet digest: the email was not sent: '],
		[
			'09-custom-works.json',
			'Send the email',
			'Custom works: the email to the office was not sent: ',
		],
	])('is reported to the chat by %s', async (file, node, text) => {
		succeeded(await examples.run(await addUnmailed(file, node)));
		expect(await examples.newTexts()).toEqual([`${text}No recipients defined`]);
		succeeded(await examples.run(await addWithoutSmtp(file)));
		expect(await examples.newTexts()).toEqual([`${text}${NO_SMTP}`]);
		expect(await examples.newMails()).toEqual([]);
	});
});

describe('sites that cannot be read', () => {
	it.each([
		['05-fleet-digest.json', 'Fleet digest'],
		['09-custom-works.json', 'Custom works'],
	])('are reported to the chat by %s, which sends no email', async (file, name) => {
		await examples.faults({ redirects: { path: '/sites' } });
		succeeded(await examples.run(await examples.add(file)));
		expect(only(await examples.newTexts())).toMatch(
			new RegExp(`^${name}: no email was sent, because the sites could not be read: .`),
		);
		expect(await examples.newMails()).toEqual([]);
	});
});

describe('without a credential for the service', () => {
	it.each([
		[
			'04-monthly-report.json',
			': no report was sent.\n\nThe sites with the tag “Care plan” could not',
		],
		['05-fleet-digest.json', 'Fleet digest: no email was sent, because the sites could not'],
		['08-staging-clean-up.json', '❌ Staging clean-up: the staging sites could not'],
		['09-custom-works.json', 'Custom works: no email was sent, because the sites could not'],
	])('%s says that nothing was read', async (file, text) => {
		succeeded(await examples.run(await examples.add(file, losing('siteManagementApi'))));
		const said = only(await examples.newTexts());
		expect(said).toContain(text);
		expect(said).toMatch(/ be (read|listed): Check the credential of (Get|Find) [a-z ]+\.?$/);
		expect(await examples.newMails()).toEqual([]);
	});
});

describe('the monthly report', () => {
	const FILE = '04-monthly-report.json';

	/** Sites with a client and the tag, each with a snapshot of yesterday; no others have any. */
	function prepare(...groups: number[]) {
		const tag = tagNamed(examples.service, TAG)!;
		for (const { internal } of sites()) Object.assign(internal, { client_id: null, tag_ids: [] });
		const free = sites();
		const clients = store().clients.all();
		const at = DateTime.now().setZone(ZONE).minus({ days: 1 }).set({ hour: 12 }).toUTC().toISO()!;
		return groups.map((count, index) => {
			const client = clients[index]!;
			const own = free.splice(0, count);
			for (const { id, internal } of own) {
				Object.assign(internal, { client_id: client.id, tag_ids: [tag.id] });
				const snapshot = store().snapshots.ofSite(id)[0]!;
				Object.assign(snapshot, { created_at: at, status: 'succeeded' });
			}
			return { client, own };
		});
	}

	it('emails each client the reports on all their sites, and says in one message what is missing and why', async () => {
		const groups = prepare(2, 1, 2, 1);
		type Group = (typeof groups)[0];
		const [pair, homeless, lost, untagged] = groups as [Group, Group, Group, Group];
		homeless.client.email = '';
		for (const bare of lost.own) {
			for (const { id } of store().snapshots.ofSite(bare.id)) store().snapshots.delete(id);
		}
		const [unowned] = untagged.own as [SiteRow];
		const { tag_ids: tagged } = unowned.internal;
		unowned.internal.tag_ids = [];
		const alone = sites().at(-1)!;
		alone.internal.tag_ids = tagged;

		const id = await examples.add(FILE);
		const requests = await examples.requestsOf(async () => succeeded(await examples.run(id)));

		const mails = await examples.newMails();
		const name = ({ client }: Group) => client.company_name;
		const month = DateTime.now().setZone(ZONE).minus({ days: 1 }).toFormat('LLLL yyyy');
		const brief = mails.map(({ to, subject, text, attachments = [] }) => ({
			to: to.map(({ address }) => address),
			subject,
			text: text!.trim(),
			files: attachments.map(({ fileName }) => fileName).sort(),
		}));
		const end = '\n\nDo you have a question? Reply to this email.\n\nKind regards';
		const lines = (some: SiteRow[]) =>
			[...some]
				.sort((a, b) => (a.url < b.url ? -1 : 1))
				.map((site) => `\n- ${named(site)}`)
				.join('');
		const attached = ({ own }: Group) => `The reports for ${month} are attached:${lines(own)}`;
		const files = ({ own }: Group) =>
			own.map(({ title, url }) => `${title} (${new URL(url).host}) ${month}.pdf`).sort();
		expect(brief.sort((a, b) => a.files.length - b.files.length)).toEqual([
			{
				to: ['office@example.com'],
				subject: `Website report for ${month}: ${name(homeless)}`,
				text: `To the office: ${name(homeless)} has no email address. Forward this email, and add the address to the client.\n\nHello ${homeless.client.first_name},\n\n${attached(homeless)}${end}`,
				files: files(homeless),
			},
			{
				to: [pair.client.email],
				subject: `Website reports for ${month}: ${name(pair)}`,
				text: `Hello ${pair.client.first_name},\n\n${attached(pair)}${end}`,
				files: files(pair),
			},
		]);
		for (const mail of mails) {
			for (const file of mail.attachments!) {
				expect(file.contentType).toBe('application/pdf');
				expect((await examples.mailbox.file(mail, file)).subarray(0, 5).toString()).toBe('%PDF-');
			}
		}
		const result = only(await examples.newTexts()).split('\n\n');
		expect(result).toEqual([
			`Monthly report for ${month}: 3 reports sent to 2 clients.`,
			expect.stringMatching(/^No report for 2 sites: .*snapshots/),
			`1 site with the tag “Care plan”, but without a client:${lines([alone])}`,
			`No email address, so the office has to forward the email to 1 client:\n- ${name(homeless)}`,
			expect.stringMatching(/^Next: Fix the cause, .* only these reports/),
		]);
		expect(result[1]!.endsWith(lines(lost.own))).toBe(true);
		const made = store()
			.reports.peek()
			.filter(({ start_date: start }) => start.endsWith('-01'))
			.slice(-3);
		expect(made.map(({ site }) => site.id).sort()).toEqual(
			[...pair.own, ...homeless.own].map((site) => site.id).sort(),
		);

		const { 'GET /tasks': looks, ...others } = counted(requests);
		expect(looks).toBeGreaterThan(0);
		expect(others).toEqual({
			// The tag, and its sites.
			'GET /tags': 1,
			'GET /sites': 1,
			// Six for each report, and one for each that is refused.
			'POST /reports': 3 + 2,
			'GET /tasks/…': 3,
			'GET /reports': 3,
			'GET /reports/…': 6,
			'GET /reports/…/download': 3,
		});
	});

	it('continues when a PDF cannot be downloaded, and never calls sites that it could not read no problem', async () => {
		const [pair] = prepare(2);
		const id = await examples.add(FILE);
		await examples.faults({
			wrong_answers: { kind: 'html', path: '/reports/*/download', next: 1 },
		});
		succeeded(await examples.run(id));
		const mail = only(await examples.newMails());
		const sent = only(mail.attachments ?? []);
		const missing = only(pair!.own.filter(({ title }) => !sent.fileName.startsWith(title)));
		const downloaded = only(await examples.newTexts());
		expect(downloaded).toContain('1 report sent to 1 client.\n\nNo report for 1 site: ');
		expect(downloaded).toContain(`\n- ${missing.title} (${missing.url})\n`);

		await examples.faults({ redirects: { path: '/sites' } });
		succeeded(await examples.run(id));
		await examples.repair();
		const unread = only(await examples.newTexts());
		expect(unread).toContain(': no report was sent.\n\n');
		expect(unread).toContain('The sites with the tag “Care plan” could not be read: ');

		for (const { internal } of sites()) internal.tag_ids = [];
		succeeded(await examples.run(id));
		expect(only(await examples.newTexts())).toContain(
			': no report was sent.\n\nNo site has the tag “Care plan”.',
		);
		expect(await examples.newMails()).toEqual([]);
	});

	it('says which clients did not get their email', async () => {
		const groups = prepare(1, 1);
		for (const [id, reason] of [
			[await addUnmailed(FILE, 'Send the reports'), 'No recipients defined'],
			[await addWithoutSmtp(FILE), NO_SMTP],
		] as const) {
			succeeded(await examples.run(id));
			const [first, unsent] = only(await examples.newTexts()).split('\n\n');
			expect(first).toMatch(/: no report was sent\.$/);
			const lines = groups.map(({ client: { company_name: company, email } }) => {
				return `- ${company} <${email || 'the office'}>, 1 report`;
			});
			const heading = `No email to 2 clients: ${reason}`;
			expect(unsent!.split('\n').sort()).toEqual([...lines, heading].sort());
		}
	});
});

describe('the undelivered reports', () => {
	it('posts one message for all emails of reports that a poll finds undelivered', async () => {
		const TRIGGER = 'When a report is not delivered';
		const id = await examples.copy('04a-undelivered-reports.json', {
			[TRIGGER]: { pollTimes: pollEvery(10) },
		});
		const polls = () =>
			examples.service.requests.filter(({ path: url }) => url.endsWith('/reports')).length;
		const before = polls();
		await activate(examples.n8n.rest, id);
		await until('a poll', () => polls() > before);

		const { reports } = store();
		const [client] = store().clients.peek();
		const now = examples.service.world.timestamp();
		const send = (
			...recipients: Array<[email: string, status: 'bounced' | 'delivered' | 'spam']>
		) => {
			const report = structuredClone(reports.peek()[0]!);
			report.id = examples.service.world.random.hex(24);
			report.client = { id: client!.id, name: 'Ada Example', email: client!.email };
			report.created_at = now;
			report.email.recipients = recipients.map(([email, status]) => ({
				email,
				status,
				sent_at: now,
				delivered_at: status === 'bounced' ? null : now,
				opened_at: null,
			}));
			return reports.insert(report);
		};
		const report = send(
			['away@example.com', 'bounced'],
			['here@example.com', 'delivered'],
			['wary@example.com', 'spam'],
		);

		const text = await examples.text();
		await examples.n8n.rest.post(`/workflows/${id}/deactivate`);
		const { title, start_date: from, end_date: to } = report;
		const { company_name: company } = client!;
		const [heading, ...parts] = text.split('\n\n');
		expect(heading).toBe('2 emails with reports were not delivered.');
		expect(parts.sort()).toEqual([
			`1 email bounced. Correct the address of the client:\n- away@example.com (${company}): ${title}, ${from} to ${to}`,
			`1 email marked as spam. Ask the client before you send more:\n- wary@example.com (${company}): ${title}, ${from} to ${to}`,
		]);
		expect(await examples.newTexts()).toEqual([]);
	});
});

describe('the onboarding', () => {
	const FILE = '06-onboarding.json';
	let id: string;

	beforeAll(async () => {
		id = await examples.add(FILE, having({ 'Wait for another sending': { amount: 5 } }));
		await activate(examples.n8n.rest, id);
	});

	/** The fields in the order of the form. */
	const formOf = (name: string) => ({
		company: `${name} Ltd`,
		firstName: 'Ada',
		lastName: 'Example',
		email: `ada@${name}.example.com`,
		site: `https://www.${name}.example.com`,
		plan: 'Care plan plus',
	});
	type Form = ReturnType<typeof formOf>;

	/** Sends the form as the browser does. @returns the text of its last page */
	async function send(form: Form, to = 'new-client'): Promise<string> {
		const sent = await sendForm(to, Object.values(form));
		const { formWaitingUrl } = (await sent.json()) as { formWaitingUrl: string };
		const last = new URL(formWaitingUrl);
		const status = new URL(last);
		status.pathname += '/n8n-execution-status';
		await until('the last page of the form', async () => {
			const state = await (await fetch(status)).text();
			if (/error|crashed|canceled|success/.test(state)) throw new Error(`The form is: ${state}`);
			return !/running|new/.test(state);
		});
		return await (await fetch(last)).text();
	}

	const madeFor = ({ company, email, site }: Form) => {
		const { sites: places, clients, scheduledReports, teamMembers, tags } = store();
		const [place, ...doubles] = places.peek().filter(({ url }) => url === site);
		const ofEmail = clients.peek().filter((each) => each.email === email);
		return {
			sites: place ? 1 + doubles.length : 0,
			clients: ofEmail.length,
			reports: scheduledReports.peek().filter((each) => each.site_id === place?.id).length,
			people: teamMembers.peek().filter((each) => each.email === email).length,
			company: ofEmail[0]?.company_name === company,
			ofClient: place !== undefined && clients.get(place.internal.client_id ?? '')?.email === email,
			tags: (place?.internal.tag_ids ?? []).map((tag) => tags.get(tag)!.name),
		};
	};

	const ALL = {
		sites: 1,
		clients: 1,
		reports: 1,
		people: 1,
		company: true,
		ofClient: true,
		tags: ['Care plan plus'],
	};

	it('creates all that a new client needs, and nothing twice', async () => {
		const form = formOf('all-new');
		let page = '';
		const first = await examples.requestsOf(async () => (page = await send(form)));
		expect(first).toHaveLength(18);
		expect(madeFor(form)).toEqual(ALL);
		expect(page).toContain('all-new Ltd is set up');
		const mail = only(await examples.newMails());
		expect(mail.subject).toBe('all-new Ltd is set up');
		for (const line of [
			`- Site ${form.site}: added`,
			'- Client all-new Ltd: created',
			'- Tag “Care plan plus”: created and assigned',
			'- Monthly report: scheduled from 1 ',
			`- Access for ${form.email}: invited`,
		]) {
			expect(mail.text).toContain(line);
			expect(page).toContain(line.slice(2));
		}

		const again = await examples.requestsOf(
			async () =>
				await send({ ...form, site: '\u200bhttps://www.ALL-new.example.com/?utm_source=x#top' }),
		);
		expect(again).toHaveLength(10);
		expect(again.filter((request) => request.startsWith('POST'))).toEqual([
			expect.stringMatching(/^POST \/clients\/\w+\/update$/),
			expect.stringMatching(/^POST \/tags\/\d+\/assign$/),
		]);
		expect(madeFor(form)).toEqual(ALL);
		expect(only(await examples.newMails()).text).toContain('- Client all-new Ltd: already exists');
		const strange = await send({ ...form, company: '<img src=x> <Partners> & Co' });
		expect(strange).toContain('&lt;img src=x&gt; &lt;Partners&gt; &amp; Co');
		expect(strange).not.toContain('<img src=x');
	});

	it('shortens the address of a CMS page to that of the site, and says so', async () => {
		const form = formOf('of-a-page');
		await send(form);
		await examples.newMails();
		for (const behind of ['/wp-admin/', '/wp-login.php?redirect_to=x', '/?p=12']) {
			const page = await send({ ...form, site: `${form.site}${behind}` });
			expect(page).toContain('of-a-page Ltd is set up');
			expect(madeFor(form)).toEqual(ALL);
			const taken = behind.startsWith('/?') ? behind.slice(1) : behind;
			expect(only(await examples.newMails()).text).toContain(`(without ${taken}): already exists`);
		}
		const number = store().sites.peek().length;
		const typo = await send({ ...form, site: 'https:/www.of-a-page.example.com' });
		expect(typo).toContain('Add the site: ');
		expect(typo).toContain('has a host without a dot');
		expect(typo).toContain('Not started: the client, the tag, the monthly report and the access.');
		expect(store().sites.peek()).toHaveLength(number);
		await examples.newMails();
	});

	it('uses an existing site, a client with other sites, and a person with access to others', async () => {
		const form = formOf('half-new');
		const [other, site] = sites().slice(-2) as Several;
		site.internal = { ...site.internal, client_id: null, tag_ids: [] };
		form.site = site.url;
		const [client] = store().clients.all();
		Object.assign(client!, { email: form.email, company_name: form.company });
		other.internal.client_id = client!.id;
		const [person] = store().teamMembers.all();
		Object.assign(person!, { email: form.email, all_sites_access: false, site_ids: [other.id] });
		for (const row of store().scheduledReports.all()) {
			if (row.site_id === site.id) store().scheduledReports.delete(row.id);
		}

		await send(form);
		expect(madeFor(form)).toEqual(ALL);
		expect(other.internal.client_id).toBe(client!.id);
		const members = store()
			.teamMembers.peek()
			.filter(({ email }) => email === form.email);
		expect(only([...members]).site_ids.sort()).toEqual([other.id, site.id].sort());
		const { text } = only(await examples.newMails());
		expect(text).toContain(`- Site ${site.url}: already exists`);
		expect(text).toContain('- Client half-new Ltd: already exists, site assigned');
		expect(text).toContain(
			`- Access for ${form.email}: already a team member, access to the site added`,
		);
	});

	it('says how often a report comes that the site has already, and that a paused one does not come', async () => {
		const form = formOf('with-report');
		await send(form);
		await examples.newMails();
		const report = store().scheduledReports.all().at(-1)!;
		report.frequency = 'weekly';
		await send(form);
		const weekly = only(await examples.newMails());
		expect(weekly.subject).toBe('with-report Ltd is set up');
		expect(weekly.text).toContain('- Monthly report: a weekly one is already scheduled');

		report.status = 'paused';
		expect(await send(form)).toContain('The setup of with-report Ltd is not complete');
		expect(only(await examples.newMails()).text).toContain(
			'Failed:\n- Monthly report: it is paused. Resume it',
		);
		expect(madeFor(form)).toEqual(ALL);
	});

	it('does not rename a client of this email that has another company, and says so', async () => {
		const form = formOf('other-name');
		const [client] = store().clients.all();
		Object.assign(client!, { email: form.email, company_name: 'Known Name' });
		const page = await send(form);
		expect(client!.company_name).toBe('Known Name');
		expect(page).toContain('Client other-name Ltd: already exists as “Known Name”, site assigned');
	});

	it('reports a failed tag, report or access, and does the rest', async () => {
		const form = formOf('untagged');
		await examples.without('tags', 'scheduled_reports');
		const page = await send(form);
		expect(page).toContain('The setup of untagged Ltd is not complete');
		expect(page).toContain('Tag the site: ');
		await examples.repair();
		expect(madeFor(form)).toEqual({ ...ALL, reports: 0, tags: [] });
		const { subject, text } = only(await examples.newMails());
		expect(subject).toBe('The setup of untagged Ltd is not complete');
		expect(text).toMatch(
			/Failed:\n- Tag “Care plan plus”: Tag the site: .*\n- Monthly report: Schedule the monthly report: /,
		);
		expect(text).toContain(`- Access for ${form.email}: invited`);
		expect(text).toContain('Next: Fix the cause, and send it again. Nothing is created twice.');

		await send(form);
		expect(madeFor(form)).toEqual(ALL);
		expect(only(await examples.newMails()).subject).toBe('untagged Ltd is set up');
	});

	it('accepts the form only from permitted senders, and only the plans that it offers', async () => {
		const form = formOf('not-offered');
		const stranger = { ...FORM_USER, password: 'wrong' };
		const wrong = await sendForm('new-client', Object.values(form), stranger);
		expect(wrong.status).toBe(401);
		expect(madeFor(form)).toMatchObject({ sites: 0, clients: 0, people: 0 });

		// A browser shows only the plans, but whoever sends the form can write any tag: example 07 is silent on muted sites.
		for (const [field, value] of [
			['plan', 'Muted'],
			['company', ' \u200b'],
		] as const) {
			const page = await send({ ...form, [field]: value });
			expect(page).toContain('is not complete');
			expect(page).toMatch(new RegExp(`Missing, or not offered: ${field}<`, 'i'));
			expect(madeFor(form)).toMatchObject({ sites: 0, clients: 0, people: 0 });
		}
		expect(tagNamed(examples.service, 'Muted')).toBeUndefined();
	});

	it('says what it could not look for', async () => {
		const form = formOf('unseen');
		for (const [path, said] of [
			['/team-members', 'Look for the person: '],
			['/clients', 'Find the client: '],
			['/sites', 'Look for the site: '],
		]) {
			await examples.faults({ redirects: { method: 'GET', path } });
			const page = await send(form);
			expect(page).toContain(said);
			expect(page.includes('Nothing was done.')).toBe(path === '/sites');
			expect(madeFor(form)).toEqual({ ...ALL, people: 0 });
		}
		const subjects = (await examples.newMails()).map(({ subject }) => subject);
		expect(subjects).toEqual(Array(3).fill('The setup of unseen Ltd is not complete'));
	});

	it('says why the invitation failed', async () => {
		const form = formOf('uninvited');
		await examples.faults({ server_errors: { method: 'POST', path: '/team-members', next: 1 } });
		const page = await send(form);
		expect(page).toContain(`Access for ${form.email}: Invite the person: `);
		expect(page).not.toContain('Give access to the site: ');
		expect(madeFor(form)).toEqual({ ...ALL, people: 0 });
		await send(form);
		expect(madeFor(form)).toEqual(ALL);
	});

	it('says that nothing was done where n8n cannot read the credential', async () => {
		const path = 'without-credential';
		const other = having({ 'When the form is sent': { options: { path } } });
		const lost = losing('siteManagementApi');
		const id = await examples.add(FILE, (workflow) => other(lost(workflow)));
		await activate(examples.n8n.rest, id);
		const form = formOf('unasked');
		const page = await send(form, path);
		expect(page).toContain('The setup of unasked Ltd is not complete');
		expect(page).toContain('Nothing was done.');
		expect(page).toContain(`Site ${form.site}: Check the credentials of the nodes`);
		expect(page).toContain('Not started: the client, the tag, the monthly report and the access.');
	});

	it('says on its last page that the email to the office was not sent', async () => {
		const id = await addUnmailed(FILE, 'Email the office', {
			'When the form is sent': { options: { path: 'without-mail' } },
		});
		await activate(examples.n8n.rest, id);
		const page = await send(formOf('unmailed'), 'without-mail');
		expect(page).toContain('The email to the office was not sent: No recipients defined');
		expect(await examples.newMails()).toEqual([]);
	});

	it('sent twice at once, does all once, and says twice that it is done', async () => {
		const form = formOf('twice');
		for (const page of await Promise.all([send(form), send(form)])) {
			expect(page).toContain('twice Ltd is set up');
		}
		expect(madeFor(form)).toEqual(ALL);
		const subjects = (await examples.newMails()).map(({ subject }) => subject);
		expect(subjects).toEqual(Array(2).fill('twice Ltd is set up'));
	});

	it('finds a site whose answer got lost, stops at a client that fails, and continues from there the next time', async () => {
		const form = formOf('late');
		await examples.faults({
			dropped_after: { method: 'POST', path: '/sites', next: 1 },
			server_errors: { method: 'POST', path: '/clients', next: 1 },
		});
		expect(await send(form)).toContain('Create or update the client: ');
		const { text } = only(await examples.newMails());
		expect(text).toContain(`- Site ${form.site}: added`);
		expect(text).toContain('Not started: the tag, the monthly report and the access.');

		await send(form);
		expect(madeFor(form)).toEqual(ALL);
		expect(only(await examples.newMails()).subject).toBe('late Ltd is set up');
	});
});

describe('the custom works', () => {
	const SHEET = 'Add a total for each client';
	const lastMonth = DateTime.now().setZone(ZONE).minus({ months: 1 });
	const month = lastMonth.toFormat('LLLL yyyy');
	const on = (day: number) => lastMonth.set({ day }).toISODate()!;

	const perform = (site: SiteRow, title: string, day: string) => {
		const { world } = examples.service;
		const at = `${day}T10:00:00.000Z`;
		const row = { id: world.random.hex(24), site_id: site.id, title, description: '' };
		store().customWorks.insert({ ...row, performed_on: day, created_at: at, updated_at: at });
	};

	let id: string;
	let bakery: SiteRow;
	let cinema: SiteRow;
	let garden: SiteRow;
	let alone: SiteRow;

	beforeAll(async () => {
		id = await examples.add('09-custom-works.json');
		for (const { id: work } of store().customWorks.all()) store().customWorks.delete(work);
		const [first, second] = store().clients.all();
		Object.assign(first!, { company_name: 'Amber' });
		Object.assign(second!, { company_name: 'Basalt' });
		for (const { internal } of sites()) internal.client_id = null;
		[bakery, cinema, garden, alone] = sites();
		for (const [index, title] of ['Bakery', 'Cinema', 'Garden', 'Alone'].entries())
			sites()[index]!.title = title;
		for (const site of [cinema, bakery]) site.internal.client_id = first!.id;
		garden.internal.client_id = second!.id;
	});

	it('says so when there are none', async () => {
		const requests = await examples.requestsOf(async () => succeeded(await examples.run(id)));
		expect(counted(requests)).toEqual({
			'GET /sites': Math.ceil(sites().length / 100),
			'GET /sites/…/custom-works': sites().length,
		});
		const mail = only(await examples.newMails());
		expect(mail.subject).toBe(`Custom works ${month}`);
		expect(mail.text).toContain('All clients: 0.00 EUR (0 works)');
	});

	it('emails the work of last month by client, and names the sites that could not be read', async () => {
		perform(cinema, 'Seats drawn anew', on(2));
		perform(bakery, 'Opening hours', on(28));
		perform(bakery, 'Contact form', on(1));
		perform(bakery, 'Too late', lastMonth.plus({ months: 1 }).startOf('month').toISODate()!);
		perform(bakery, 'Too early', lastMonth.startOf('month').minus({ days: 1 }).toISODate()!);
		perform(garden, 'Is not read', on(3));
		perform(alone, 'Pictures', on(4));

		await examples.faults({ redirects: { path: `/sites/${garden.id}/custom-works` } });
		const execution = succeeded(await examples.run(id));
		expect(hasRun(execution, 'Name the site and the reason')).toBe(true);
		expect(output(execution, SHEET)).toHaveLength(7);
		const mail = only(await examples.newMails());
		expect(mail.to).toEqual([expect.objectContaining({ address: 'office@example.com' })]);
		expect(mail.subject).toBe(`Custom works ${month} (incomplete)`);
		expect(mail.text).toContain(
			'- Amber: 135.00 EUR (3 works)\n- Without a client: 45.00 EUR (1 work)\n- All clients: 180.00 EUR (4 works)',
		);
		expect(mail.text).toMatch(/The works of 1 site are missing: The service .+\n- Garden \(/);

		const file = only(mail.attachments ?? []);
		expect(file.fileName).toBe(`Custom works ${month}.xlsx`);
		const row = (Client: string, Site: string, Day: string, Work: string, Price: number) =>
			expect.objectContaining({
				Client,
				...(Site && { Site, Day }),
				Work,
				Price,
				Currency: 'EUR',
			});
		const [sheet] = sheetsIn(await examples.mailbox.file(mail, file));
		expect(sheet!.name).toBe(month);
		expect(sheet!.rows).toEqual([
			row('Amber', 'Bakery', on(1), 'Contact form', 45),
			row('Amber', 'Bakery', on(28), 'Opening hours', 45),
			row('Amber', 'Cinema', on(2), 'Seats drawn anew', 45),
			row('Amber', '', '', 'Total: 3 works', 135),
			row('Without a client', 'Alone', on(4), 'Pictures', 45),
			row('Without a client', '', '', 'Total: 1 work', 45),
			row('All clients', '', '', 'Total: 4 works', 180),
		]);
		expect(await examples.newTexts()).toEqual([]);
	});
});
