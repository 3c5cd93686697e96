import { DateTime } from 'luxon';
import type { Workflow } from '../../../sandbox/lib/content';
import { readExample } from '../../../sandbox/lib/examples';
import type { Mail } from '../../../sandbox/lib/mailbox';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import type { StagingSiteRow } from '../../../sandbox/service/domain/stagingSites/rows';
import { extendExpiry } from '../../../sandbox/service/domain/stagingSites/rules';
import {
	calls,
	examples,
	losing,
	named,
	only,
	stagingOf,
	store,
	succeeded,
	useExamples,
	ZONE,
} from '../../support/examples';
import { press } from '../../support/mails';
import { activate } from '../../support/n8n';
import { healthySites, isLook, TAG, tagOnly } from '../../support/safeUpdate';

const DAY_MS = 24 * 60 * 60_000;

// The limit of the account is no subject here.
useExamples('examples-updates', { rateLimit: { limit: 10_000 } });

/** What the note of an example says about its requests. */
const costOf = (file: string) =>
	readExample(file, examples)
		.nodes.filter(({ name }) => name === 'About' || name === 'What it costs')
		.map(({ parameters }) => parameters.content)
		.join('\n');

describe('03 Restore drill', () => {
	const FILE = '03-restore-drill.json';
	let id: string;

	beforeAll(async () => {
		id = await examples.add(FILE);
	});

	const notesOf = ({ id: siteId }: SiteRow) =>
		store()
			.notes.ofSite(siteId)
			.map(({ content }) => content)
			.filter((each) => each.startsWith('Restore drill'));

	it('restores the newest snapshots to staging sites, notes it and deletes them', async () => {
		const sites = healthySites(examples.service, 3);
		tagOnly(examples.service, sites);
		const before = store().stagingSites.peek().length;
		const requests = await examples.requestsOf(async () => void succeeded(await examples.run(id)));

		const orders = requests.filter((each) => each === 'POST /staging-sites');
		expect(orders).toHaveLength(3);
		expect(store().stagingSites.peek()).toHaveLength(before);
		for (const site of sites) {
			expect(only(notesOf(site))).toMatch(/^Restore drill of .*: passed, snapshot of/);
		}
		expect((await examples.newTexts()).map((text) => text.split('\n').sort())).toEqual([
			[
				'Restore drill: 3 of 3 sites passed.',
				'',
				'✅ 3 sites passed:',
				...sites.map((site) => `- ${named(site)}`),
			].sort(),
		]);
		expect(await examples.newTickets()).toEqual([]);
		expect(costOf(FILE)).toContain(
			'2 requests for up to 100 sites with the tag, and **8 for each drill**',
		);
		expect(requests.filter((each) => !isLook(each))).toHaveLength(2 + 8 * sites.length);
	});

	it('says what failed and why, and deletes the staging site anyway', async () => {
		const [fails, breaks, too] = healthySites(examples.service, 3);
		const drilled = [fails, breaks, too];
		tagOnly(examples.service, drilled);
		await examples.control('/tasks/failures', { type: 'staging', site_id: fails.id });
		for (const { id: broken } of [breaks, too]) {
			await examples.control('/web', { site_id: broken, status: 500, staging: true });
		}
		const before = store().stagingSites.peek().length;
		succeeded(await examples.run(id));

		expect(store().stagingSites.peek()).toHaveLength(before);
		const parts = only(await examples.newTexts()).split('\n\n');
		expect(parts[0]).toBe('Restore drill: 0 of 3 sites passed.');
		expect(parts.at(-1)).toBe('Next: Work on the 3 tickets of this drill.');
		expect(parts.slice(1, -1).map((part) => part.split('\n').sort())).toEqual(
			expect.arrayContaining([
				[expect.stringMatching(/^-/), expect.stringMatching(/^❌ 1 site did not pass: .*failed/)],
				[
					...[breaks, too].map((site) => `- ${named(site)}`).sort(),
					'❌ 2 sites did not pass: The page responds with 500',
				],
			]),
		);
		const tickets = await examples.newTickets();
		expect(tickets.map(({ title }) => title).sort()).toEqual(
			drilled.map(({ title }) => `Restore drill of ${title} did not pass`).sort(),
		);
		expect(tickets[0]!.description).toContain('\n\nNext: Fix the cause');
		const mayCome = tickets.filter(({ description }) =>
			String(description).endsWith(' If the staging site of this drill appears later, delete it.'),
		);
		expect(mayCome.map(({ title }) => title)).toEqual([
			`Restore drill of ${fails.title} did not pass`,
		]);
		expect(notesOf(fails).at(-1)).toMatch(/failed.*ended as failed/);
		expect(notesOf(breaks).at(-1)).toMatch(/failed, snapshot of .* responds with 500/);

		const bare = store()
			.sites.peek()
			.find(({ backups }) => !backups.enabled)!;
		tagOnly(examples.service, [bare]);
		succeeded(await examples.run(id));
		expect(only(await examples.newTexts())).toMatch(
			/^Restore drill: 0 of 1 site passed\.\n\n❌ 1 site did not pass: \w/,
		);
		expect(only(notesOf(bare))).toMatch(/: failed\. /);
	});

	it('opens tickets for a staging site that is left and a note that is refused', async () => {
		const [site] = healthySites(examples.service, 1);
		tagOnly(examples.service, [site]);
		await examples.without('notes');
		await examples.faults({
			server_errors: { method: 'DELETE', path: '/staging-sites' },
		});
		succeeded(await examples.run(id));
		expect((await examples.newTickets()).map(({ title }) => title)).toEqual([
			`Delete the staging site: ${site.title}`,
			`Write a note on the site: ${site.title}`,
		]);
		expect(only(await examples.newTexts())).toMatch(
			/1 of 1 site passed.*\n\nNext: Work on the 2 tickets of this drill\.$/s,
		);
	});

	it('does not pass a page that shows an error with status 200', async () => {
		const [shows] = healthySites(examples.service, 1);
		tagOnly(examples.service, [shows]);
		const since = examples.service.world.timestamp();
		const page = { id: `staging of ${shows.id}`, site_id: shows.id, status: 200, since };
		store().brokenPages.insert(page);
		succeeded(await examples.run(id));
		const reason = 'The page shows a critical error on this website';
		expect(only(await examples.newTexts())).toContain(
			`❌ 1 site did not pass: ${reason}\n- ${named(shows)}\n\nNext: Work on the ticket`,
		);
		expect(notesOf(shows).at(-1)).toMatch(/: failed, snapshot of .*\. The page shows a critical/);
		expect(only(await examples.newTickets()).title).toBe(
			`Restore drill of ${shows.title} did not pass`,
		);
	});

	it('never reports a passed drill for sites that it could not list, or for a tag without sites', async () => {
		tagOnly(examples.service, []);
		succeeded(await examples.run(id));
		expect(await examples.newTexts()).toEqual([
			`Restore drill: no site was tested.\n\nNo site has the tag “${TAG}”. Check the tag in Settings.`,
		]);
		await examples.faults({ redirects: { path: '/sites' } });
		succeeded(await examples.run(id));
		expect(only(await examples.newTexts())).toMatch(
			/^Restore drill: no site was tested\.\n\nThe sites with the tag .* could not be listed: /,
		);
		expect(await examples.newTickets()).toEqual([]);
	});
});

describe('08 Staging clean-up', () => {
	const FILE = '08-staging-clean-up.json';
	const EXTEND = 'Keep it 7 days longer';

	beforeAll(async () => {
		await examples.add('08a-ask-about-a-staging-site.json');
	});

	const mailOn = async ({ title }: SiteRow) =>
		await examples.mail(`Do you still need the staging site of ${title}?`);

	const textOn = async ({ url }: StagingSiteRow) => await examples.text(url);

	const dayOf = (at: string) => DateTime.fromISO(at).setZone(ZONE).toFormat('d LLLL yyyy');

	beforeEach(() => {
		for (const { id } of store().stagingSites.peek()) store().stagingSites.delete(id);
	});

	it('asks for each one alone, and extends, deletes or lets it expire', async () => {
		const id = await examples.add(FILE);
		const sites = healthySites(examples.service, 5);
		const [kept, old, young, gone, fresh] = sites;
		const stagings = new Map(
			sites.map((site) => [
				site,
				stagingOf(site, site === fresh ? 0.5 : site === young ? 2.5 : 3.5),
			]),
		);
		const { id: goneId } = stagings.get(gone)!;
		const expires = Date.parse(stagings.get(kept)!.expires_at);

		const mails = new Map<SiteRow, Mail>();
		const requests = await examples.requestsOf(async () => {
			succeeded(await examples.run(id));
			for (const site of [kept, old, young, gone]) {
				mails.set(site, await mailOn(site));
			}
			expect(await examples.newMails()).toEqual([]);
			store().stagingSites.delete(goneId);
			// In another order than they were asked in.
			await press(mails.get(young)!, 'Let it expire');
			await press(mails.get(gone)!, EXTEND);
			await press(mails.get(old)!, 'Delete it');
			await press(mails.get(kept)!, EXTEND);
			for (const [site, text] of [
				[kept, /^🕑 .*: kept until/],
				[old, /^🗑️ .*: deleted, as .*@.* decided$/],
				[young, /^🍂 .*: expires on .*, as .*@.* decided$/],
				[gone, /^❌ .*: could not be extended.*not found/i],
			] as const) {
				expect(await textOn(stagings.get(site)!)).toMatch(text);
			}
		});

		expect(await examples.newTexts()).toEqual([]);
		const left = new Map(
			store()
				.stagingSites.peek()
				.map((each) => [each.site_id, each]),
		);
		expect([...left.keys()].sort()).toEqual([kept, young, fresh].map((site) => site.id).sort());
		expect(Date.parse(left.get(kept.id)!.expires_at)).toBe(expires + 7 * DAY_MS);
		expect(costOf(FILE)).toContain(
			'**1 request for the list, and 1 for the title of each site**. More than 10 titles are read from the list of all sites. **1 more** to extend it or to let it expire, **3** to delete it.',
		);
		// Earlier tests may have read some of the titles, which are kept for an hour.
		const titles = requests.filter((each) => /^GET \/sites\/\w+$/.test(each)).length;
		expect(titles).toBeLessThanOrEqual(4);
		expect(requests).toHaveLength(1 + titles + 2 + 1 + 3);

		// The next morning nobody is asked again.
		succeeded(await examples.run(id));
		expect(await examples.newMails()).toEqual([]);
	});

	it('does not delete a staging site that was extended after the question', async () => {
		const [site] = healthySites(examples.service, 1);
		const staging = stagingOf(site, 3.5);
		succeeded(await examples.run(await examples.add(FILE)));
		const mail = await mailOn(site);
		extendExpiry(examples.service.world, staging, 3);
		await press(mail, 'Delete it');
		expect(await textOn(staging)).toMatch(
			`: expires on ${dayOf(staging.expires_at)}, because it was extended meanwhile`,
		);
		expect(store().stagingSites.get(staging.id)).toEqual(staging);
	});

	it.each([
		['smtp', undefined, 'could not be asked: '],
		['siteManagementApi', 'Delete it', 'could not be read, so nothing was done. '],
		['siteManagementApi', EXTEND, 'could not be extended, '],
	])('changes nothing without its credential of %s, and says so', async (type, button, text) => {
		const [site] = healthySites(examples.service, 1);
		const staging = stagingOf(site, 3.5);
		const before = structuredClone(staging);
		const lost = await examples.add('08a-ask-about-a-staging-site.json', losing(type));
		const answer_by = DateTime.now().plus({ days: 2 }).toISO();
		const creator = 'ada@example.com';
		const asking = calls(lost, {
			...{ from: creator, to: creator, subject: 'Still needed?', question: 'Answer, please.' },
			staging: { ...staging, creator, extend_days: 7, old: true, answer_by },
		});
		if (button) await press(await examples.mail('Still needed?'), button);
		await asking;
		const said = await textOn(staging);
		expect(said).toMatch(/^❌ .*: Check the credentials of 08a/);
		expect(said).toContain(text);
		expect(store().stagingSites.get(staging.id)).toEqual(before);
	});

	it('names the day of the expiry, and waits for an answer until then at most', async () => {
		const [later, sooner] = healthySites(examples.service, 2);
		const { expires_at: day } = stagingOf(later, 2.5);
		const { expires_at: end } = stagingOf(sooner, 6);
		succeeded(await examples.run(await examples.add(FILE)));
		expect((await mailOn(later)).html).toContain(
			`Without an answer, this staging site expires on ${dayOf(day)}.`,
		);
		const last = DateTime.fromISO(end).setZone(ZONE).toFormat('cccc, d LLLL, HH:mm ZZZZ');
		expect((await mailOn(sooner)).html).toContain(`Answer by ${last}.`);
	});

	it('reports the limit of the plan, an email that cannot be sent, and a list that cannot be read', async () => {
		const [site] = healthySites(examples.service, 1);
		const staging = stagingOf(site, 3.5);
		const id = await examples.add(FILE);
		await examples.control('/plan', { limits: { staging_days: 8 } });
		succeeded(await examples.run(id));
		await press(await mailOn(site), EXTEND);
		expect(await textOn(staging)).toMatch(/^❌ .*: could not be extended, .*8 days/);

		const unheard = stagingOf(site, 3.4);
		unheard.user = { ...unheard.user, email: 'nobody' };
		succeeded(await examples.run(id));
		expect(await textOn(unheard)).toMatch(/^❌ .*: nobody could not be asked: /);

		await examples.faults({ account_inactive: true });
		succeeded(await examples.run(id));
		expect(only(await examples.newTexts())).toMatch(/could not be listed: .*inactive/);
	});

	it('asks on the next morning if 00a failed before', async () => {
		const [site] = healthySites(examples.service, 1);
		stagingOf(site, 3.3);
		const id = await examples.add(FILE);
		const { rest } = examples.n8n;
		const sending = 'writeAndSend000a';
		const url = `/workflows/${sending}`;
		const saved = async () =>
			(await rest.get<{ data: Workflow & { versionId: string } }>(url)).data.data;
		const { nodes, connections } = await saved();
		const save = async (all: Workflow['nodes']) => {
			const { versionId } = await saved();
			await rest.patch(url, { nodes: all, connections, versionId });
			await activate(rest, sending);
		};
		const failing = { jsCode: 'throw new Error("failed")' };
		await save(
			nodes.map((node) => (node.name === 'Write it' ? { ...node, parameters: failing } : node)),
		);
		const failed = await examples.run(id);
		await save(nodes);
		expect(failed.status).toBe('error');
		expect(await examples.newMails()).toEqual([]);
		succeeded(await examples.run(id));
		expect((await mailOn(site)).html).toContain('Answer by ');
	});
});
