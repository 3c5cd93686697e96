import axios from 'axios';
import { readExample } from '../../../sandbox/lib/examples';
import type { Mail } from '../../../sandbox/lib/mailbox';
import { waitFor } from '../../../sandbox/lib/wait';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import type { SnapshotRow } from '../../../sandbox/service/domain/snapshots/rows';
import type { StagingSiteRow } from '../../../sandbox/service/domain/stagingSites/rows';
import { addStagingSite } from '../../../sandbox/service/domain/stagingSites/rules';
import type { Examples } from '../../support/examples';
import { startExamples, succeeded } from '../../support/examples';
import { mailAbout, press } from '../../support/mails';
import { healthySites, TAG, tagOnly } from '../../support/safeUpdate';

const DAY_MS = 24 * 60 * 60_000;

/** The examples about updates, restores and staging sites. */

let examples: Examples;

beforeAll(async () => {
	// The limit of the account is no subject here.
	const rateLimit = { limit: 10_000 };
	examples = await startExamples('examples-updates', { rateLimit });
});

afterAll(async () => await examples?.stop());

const store = () => examples.service.world.store;

/** What is sent while waiting depends on how long that takes. */
const isLook = (request: string) =>
	/^GET \/(tasks|auto-update-history|sites\/\w+\/snapshots\/)/.test(request);

/** The texts in the chat since the last look. */
const newTexts = async () => (await examples.newChat()).map(({ text }) => String(text));

/** What the note of an example says about its requests. */
const costOf = (file: string) =>
	readExample(file, examples)
		.nodes.filter(({ name }) => name === 'About' || name === 'What it costs')
		.map(({ parameters }) => parameters.content)
		.join('\n');

/** Ends what a test has broken. */
afterEach(async () => {
	await examples.control('/plan', { without: [] });
	await axios.delete(new URL('/_sandbox/faults', examples.service.baseUrl).href, { proxy: false });
	for (const { id } of store().brokenPages.all()) store().brokenPages.delete(id);
	await Promise.all([examples.newChat(), examples.newTickets(), examples.newMails()]);
});

describe('03 Restore drill', () => {
	const FILE = '03-restore-drill.json';
	let id: string;

	beforeAll(async () => {
		id = await examples.add('03-restore-drill.json');
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
			expect(notesOf(site)).toEqual([
				expect.stringMatching(/^Restore drill of .*: passed, snapshot of/),
			]);
		}
		expect((await newTexts()).map((text) => text.split('\n').sort())).toEqual([
			[
				'Restore drill: 3 of 3 sites passed.',
				'',
				'✅ 3 sites passed:',
				...sites.map(({ title, url }) => `- ${title} (${url})`),
			].sort(),
		]);
		expect(await examples.newTickets()).toEqual([]);
		expect(costOf(FILE)).toContain(
			'2 requests for up to 100 sites with the tag, and **6 for each drill**',
		);
		expect(requests.filter((each) => !isLook(each))).toHaveLength(2 + 6 * sites.length);
	});

	it('says what failed and why, and deletes the staging site anyway', async () => {
		const [fails, breaks, too] = healthySites(examples.service, 3) as [SiteRow, SiteRow, SiteRow];
		const drilled = [fails, breaks, too];
		tagOnly(examples.service, drilled);
		await examples.control('/tasks/failures', { type: 'staging', site_id: fails.id });
		for (const { id: broken } of [breaks, too]) {
			await examples.control('/web', { site_id: broken, status: 500, staging: true });
		}
		const before = store().stagingSites.peek().length;
		succeeded(await examples.run(id));

		expect(store().stagingSites.peek()).toHaveLength(before);
		const [text, ...more] = await newTexts();
		expect(more).toEqual([]);
		const parts = text!.split('\n\n');
		expect(parts[0]).toBe('Restore drill: 0 of 3 sites passed.');
		expect(parts.at(-1)).toBe('Next: Work on the 3 tickets of this drill.');
		const named = ({ title, url }: SiteRow) => `- ${title} (${url})`;
		expect(parts.slice(1, -1).map((part) => part.split('\n').sort())).toEqual(
			expect.arrayContaining([
				[expect.stringMatching(/^-/), expect.stringMatching(/^❌ 1 site failed: .*failed/)],
				[
					...[breaks, too].map(named).sort(),
					'❌ 2 sites failed: The page of the staging site answers with 500',
				],
			]),
		);
		const tickets = await examples.newTickets();
		expect(tickets.map(({ title }) => title).sort()).toEqual(
			drilled.map(({ title }) => `Restore drill of ${title} failed`).sort(),
		);
		expect(tickets[0]!.description).toContain('\n\nNext: Fix the cause');
		expect(notesOf(fails).at(-1)).toMatch(/failed.*ended as failed/);
		expect(notesOf(breaks).at(-1)).toMatch(/failed, snapshot of .* answers with 500/);

		const bare = store()
			.sites.peek()
			.find(({ backups }) => !backups.enabled)!;
		tagOnly(examples.service, [bare]);
		succeeded(await examples.run(id));
		expect(await newTexts()).toEqual([
			expect.stringMatching(/^Restore drill: 0 of 1 site passed\.\n\n❌ 1 site failed: \w/),
		]);
		expect(notesOf(bare)).toEqual([expect.stringMatching(/: failed\. /)]);
	});

	it('opens tickets for a staging site that is left and a note that is refused', async () => {
		const [site] = healthySites(examples.service, 1) as [SiteRow];
		tagOnly(examples.service, [site]);
		await examples.control('/plan', { without: ['notes'] });
		await examples.control('/faults', {
			server_errors: { method: 'DELETE', path: '/staging-sites' },
		});
		succeeded(await examples.run(id));
		expect((await examples.newTickets()).map(({ title }) => title)).toEqual([
			`Delete the staging site of ${site.title}`,
			`Note on ${site.title}`,
		]);
		expect(await newTexts()).toEqual([expect.stringContaining('1 of 1 site passed')]);
	});

	it('never reports a passed drill for sites that it could not list, or for a tag without sites', async () => {
		tagOnly(examples.service, []);
		succeeded(await examples.run(id));
		expect(await newTexts()).toEqual([
			`Restore drill: no site was tested.\n\nNo site has the tag “${TAG}”. Check the tag in Settings.`,
		]);
		await examples.control('/faults', { redirects: { path: '/sites' } });
		succeeded(await examples.run(id));
		expect(await newTexts()).toEqual([
			expect.stringMatching(
				/^Restore drill: no site was tested\.\n\nThe sites with the tag .* could not be listed: /,
			),
		]);
		expect(await examples.newTickets()).toEqual([]);
	});
});

describe('08 Staging clean-up', () => {
	const FILE = '08-staging-clean-up.json';
	const EXTEND = 'Keep it 7 days longer';

	beforeAll(async () => {
		await examples.add('08a-ask-about-a-staging-site.json');
	});

	/** A staging site that was made some days ago, of another site each. */
	function stagingOf({ id, server }: SiteRow, days: number): StagingSiteRow {
		const { world } = examples.service;
		const [{ id: snapshotId, created_at }] = store().snapshots.ofSite(id) as [SnapshotRow];
		const snapshot = { id: snapshotId, created_at };
		const order = { site_id: id, php_version: server.php_version, snapshot };
		return addStagingSite(world, order, world.now - days * DAY_MS);
	}

	const mailOn = async ({ title }: SiteRow) =>
		await mailAbout(examples, new RegExp(`^Do you still need the staging site of ${title}`));

	const textOn = async ({ url }: StagingSiteRow) =>
		await waitFor(
			`a message about ${url}`,
			async () => {
				chat.push(...(await newTexts()));
				return chat.find((text) => text.includes(url));
			},
			60_000,
		);
	let chat: string[];

	beforeEach(() => {
		chat = [];
		for (const { id } of store().stagingSites.peek()) store().stagingSites.delete(id);
	});

	it('asks for each one alone, and extends, deletes or lets it expire', async () => {
		const id = await examples.add(FILE);
		const sites = healthySites(examples.service, 5);
		const [kept, old, young, gone, fresh] = sites as [SiteRow, SiteRow, SiteRow, SiteRow, SiteRow];
		const stagings = new Map(
			sites.map((site) => [
				site,
				stagingOf(site, site === fresh ? 0.5 : site === young ? 2.5 : 3.5),
			]),
		);
		const { id: goneId } = stagings.get(gone)!;
		const expires = Date.parse(stagings.get(kept)!.expires_at);

		const requests = await examples.requestsOf(async () => {
			succeeded(await examples.run(id));
			const pending: Mail[] = [];
			const mails = new Map<SiteRow, Mail>();
			const all = await waitFor(
				'the mails',
				async () => {
					pending.push(...(await examples.newMails()));
					return pending.length >= 4 ? pending : undefined;
				},
				60_000,
			);
			for (const site of sites) {
				const mail = all.find(({ subject }) => subject.endsWith(`of ${site.title}?`));
				if (mail) mails.set(site, mail);
			}
			expect([...mails.keys()].map(({ title }) => title)).toEqual(
				[kept, old, young, gone].map(({ title }) => title),
			);
			store().stagingSites.delete(goneId);
			// In another order than they were asked in.
			await press(mails.get(young)!, 'Let it expire');
			await press(mails.get(gone)!, EXTEND);
			await press(mails.get(old)!, 'Delete it');
			await press(mails.get(kept)!, EXTEND);
			for (const site of [kept, old, young, gone]) await textOn(stagings.get(site)!);
		});

		expect(await textOn(stagings.get(kept)!)).toMatch(/^🕑 .*: kept until/);
		expect(await textOn(stagings.get(old)!)).toMatch(/^🗑️ .*: deleted, as .*@.* decided$/);
		expect(await textOn(stagings.get(young)!)).toMatch(/^🍂 .*: expires on .*, as .*@.* decided$/);
		expect(await textOn(stagings.get(gone)!)).toMatch(/^❌ .*: could not be extended.*not found/i);
		expect(chat).toHaveLength(4);
		const left = new Map(
			store()
				.stagingSites.peek()
				.map((each) => [each.site_id, each]),
		);
		expect([...left.keys()].sort()).toEqual([kept, young, fresh].map((site) => site.id).sort());
		expect(Date.parse(left.get(kept.id)!.expires_at)).toBe(expires + 7 * DAY_MS);
		expect(costOf(FILE)).toContain(
			'**1 request for the list, and 1 for each staging site** that somebody is asked about, **and 1** to extend or delete it.',
		);
		expect(requests).toHaveLength(1 + 4 + 2 + 1);

		// The next morning nobody is asked again.
		succeeded(await examples.run(id));
		expect(await examples.newMails()).toEqual([]);
	});

	it('reports the limit of the plan, an email that cannot be sent, and a list that cannot be read', async () => {
		const [site] = healthySites(examples.service, 1) as [SiteRow];
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

		await examples.control('/faults', { account_inactive: true });
		succeeded(await examples.run(id));
		expect(await newTexts()).toEqual([expect.stringMatching(/could not be listed: .*inactive/)]);
		await examples.control('/faults', { account_inactive: false });
	});
});
