import axios from 'axios';
import { readExample } from '../../../sandbox/lib/examples';
import type { Mail } from '../../../sandbox/lib/mailbox';
import { waitFor } from '../../../sandbox/lib/wait';
import { pluginHeader } from '../../../sandbox/service/domain/content/plugins';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import type { SnapshotRow } from '../../../sandbox/service/domain/snapshots/rows';
import type { StagingSiteRow } from '../../../sandbox/service/domain/stagingSites/rows';
import { addStagingSite } from '../../../sandbox/service/domain/stagingSites/rules';
import type { Examples } from '../../support/examples';
import { EXAMPLE_MS, EXAMPLES_START_MS, startExamples, succeeded } from '../../support/examples';
import { BROWSER, mailAbout, press } from '../../support/mails';
import { activate } from '../../support/n8n';
import { addSafeUpdate, healthySites, TAG, tagNamed, tagOnly } from '../../support/safeUpdate';

const NOTE = 'Before the safe update';
const DAY_MS = 24 * 60 * 60_000;

type Seven = [SiteRow, SiteRow, SiteRow, SiteRow, SiteRow, SiteRow, SiteRow];

/** The examples about updates, restores and staging sites. */

let examples: Examples;

beforeAll(async () => {
	// The limit of the account is no subject here.
	const rateLimit = { limit: 10_000 };
	examples = await startExamples('examples-updates', { rateLimit });
}, EXAMPLES_START_MS);

afterAll(async () => await examples?.stop(), EXAMPLE_MS);

const store = () => examples.service.world.store;

/** What is sent while waiting depends on how long that takes. */
const isLook = (request: string) =>
	/^GET \/(tasks|auto-update-history|sites\/\w+\/snapshots\/)/.test(request);

/** The texts in the chat since the last look. */
const newTexts = async () => (await examples.newChat()).map(({ text }) => String(text));

const lineOf = (text: string, { title }: SiteRow) =>
	text.split('\n').find((line) => line.includes(`${title} (`));

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

describe('01 Safe update', () => {
	const FILE = '01-safe-update.json';
	let id: string;

	const schedules = () =>
		store()
			.autoUpdateSchedules.peek()
			.map(({ name }) => name);

	beforeAll(async () => {
		id = await addSafeUpdate(examples);
	});

	it(
		'updates what can be updated safely, and takes back what breaks',
		async () => {
			const sites = healthySites(examples.service, 7);
			const [good, breaks, fails, stays, unsynced, down, away] = sites as Seven;
			tagOnly(examples.service, sites);
			away.connection.status = 'disconnected';
			await examples.control('/web', { site_id: down.id, status: 502 });
			await examples.control('/tasks/failures', { type: 'wp_site_update', site_id: fails.id });
			await examples.control('/tasks/failures', { type: 'restore', site_id: stays.id });
			await examples.control('/faults', {
				server_errors: { method: 'POST', path: `/sites/${unsynced.id}/sync` },
			});
			const before = schedules();

			const requests = await examples.requestsOf(async () => {
				const run = examples.run(id);
				const mail = await mailAbout(examples, /^Approve the update/);
				expect(mail.subject).toBe('Approve the update of 5 sites?');
				expect(mail.html).toContain(`${good.url}): core ${good.wp.core.current_version} → `);
				expect(mail.html).toContain(`${away.url}): it is disconnected`);
				expect(mail.html).toContain(`${down.url}): its page answers with 502`);
				expect(
					store()
						.snapshots.peek()
						.some(({ note }) => note === NOTE),
				).toBe(false);
				for (const { id: site_id } of [breaks, stays]) {
					await examples.control('/web', { site_id, status: 500 });
				}
				await press(mail, 'Update them');
				succeeded(await run);
			});

			const [text, ...more] = await newTexts();
			expect(more).toEqual([]);
			const parts = Object.fromEntries(
				sites.map(({ title }) => [
					title,
					text!
						.split('\n\n')
						.filter((part) => part.includes(`- ${title} (`))
						.join('; '),
				]),
			);
			const updated = /^✅ 1 site updated:\n- .*: core [\d.]+ → 6\.8\.3/;
			const repaired = /^↩️ 2 sites restored, because the update broke the page:/;
			const line = (site: SiteRow) => lineOf(text!, site);
			expect(parts).toEqual({
				[good.title]: expect.stringMatching(updated),
				[breaks.title]: expect.stringMatching(repaired),
				[fails.title]: expect.stringMatching(repaired),
				[stays.title]: expect.stringMatching(/^❌ 1 site broken, and not repaired by a restore:/),
				[unsynced.title]: expect.stringMatching(
					/^❌ 1 site not updated, because there is no backup\. .*500/,
				),
				[down.title]: expect.stringMatching(
					/^⏭️ 1 site left out, because its page answers with 502:/,
				),
				[away.title]: expect.stringMatching(/^⏭️ 1 site left out, because it is disconnected:/),
			});
			expect(line(breaks)).toMatch(
				/: its page answers with 500\. The site was restored, and its page works again\. Ticket T-\d+$/,
			);
			expect(line(fails)).toMatch(
				/verify_site could not .* The site was restored, and its page works again/,
			);
			expect(line(stays)).toMatch(
				/answers with 500\. The site could not be restored: .*restore_database.*Ticket T-\d+$/,
			);

			const restores = store()
				.tasks.peek()
				.filter(({ type, status }) => type === 'restore' && status === 'completed')
				.map(
					({ input }) => (input as { sites: Array<{ id: string; snapshot_id: string }> }).sites[0]!,
				);
			for (const { id: siteId } of [breaks, fails]) {
				const { snapshot_id } = restores.find((each) => each.id === siteId)!;
				expect(store().snapshots.get(snapshot_id)).toMatchObject({ site_id: siteId, note: NOTE });
			}
			const tickets = await examples.newTickets();
			expect(tickets.map(({ title }) => title).sort()).toEqual(
				[breaks, fails, stays].map(({ title }) => `The update of ${title} went wrong`).sort(),
			);
			const ticket = tickets.find(({ title }) => String(title).includes(breaks.title))!;
			expect(ticket.description).toMatch(/Updated: core .*\nProblem: its page answers with 500\n/);
			expect(schedules()).toEqual(before);

			// Of a restore that fails the site is not named.
			const [backedUp, restored, notRestored] = [5, 2, 1];
			expect(costOf(FILE)).toContain('**6 + 1 for each site** that is updated **+ 3 for each**');
			expect(requests.filter((each) => !isLook(each))).toHaveLength(
				6 + backedUp + 3 * restored + 2 * notRestored,
			);
		},
		EXAMPLE_MS,
	);

	it(
		'changes nothing when the office declines',
		async () => {
			tagOnly(examples.service, healthySites(examples.service, 2));
			const requests = await examples.requestsOf(async () => {
				const run = examples.run(id);
				await press(await mailAbout(examples, /^Approve the update of 2 sites/), 'Not now');
				succeeded(await run);
			});
			expect(requests.map((each) => each.split('?')[0])).toEqual(['GET /tags', 'GET /sites']);
			expect(await newTexts()).toEqual([
				expect.stringContaining('✋ Nothing is changed on 2 sites, because the office declined:'),
			]);
		},
		EXAMPLE_MS,
	);

	it(
		'tells what keeps the schedule from being made, read or removed, and leaves none without saying so',
		async () => {
			const before = schedules();
			const approved = async () => {
				const run = examples.run(id);
				await press(await mailAbout(examples, /^Approve the update of 1 site\?/), 'Update them');
				succeeded(await run);
				return await newTexts();
			};
			const [site] = healthySites(examples.service, 1) as [SiteRow];
			tagOnly(examples.service, [site]);
			await examples.control('/plan', { without: ['auto_update_backup'] });
			expect(await approved()).toEqual([
				expect.stringMatching(
					`❌ 1 site: it is not known if they were updated, so look at them. .*options.backup.*:\n- ${site.title}`,
				),
			]);
			expect(schedules()).toEqual(before);

			await examples.control('/plan', { without: [] });
			await examples.control('/faults', {
				server_errors: { method: 'GET', path: '/auto-update-history' },
			});
			expect(await approved()).toEqual([
				expect.stringMatching(/it is not known if they were updated.*500/),
			]);
			expect(schedules()).toEqual(before);

			await examples.control('/faults', {
				server_errors: { method: 'DELETE', path: '/auto-update-schedules' },
			});
			const [summary] = await approved();
			expect(summary).toMatch(/⚠️ Delete the auto-update schedule “Safe update \d+” \(\w+\), or /);
			expect(summary).toContain(`${site.title} (`);
			for (const { id: left, name } of store().autoUpdateSchedules.peek()) {
				if (!before.includes(name)) store().autoUpdateSchedules.delete(left);
			}
		},
		EXAMPLE_MS,
	);

	it(
		'tells that there is no such tag, or no site with it',
		async () => {
			tagOnly(examples.service, []);
			succeeded(await examples.run(id));
			expect(await newTexts()).toEqual([
				expect.stringMatching(/“Care plan”\n\n🚫 Nothing is updated, because no site has the tag/),
			]);
			const tag = tagNamed(examples.service, TAG)!;
			tag.name = 'Other';
			succeeded(await examples.run(id));
			tag.name = TAG;
			await examples.control('/faults', { account_inactive: true });
			succeeded(await examples.run(id));
			await examples.control('/faults', { account_inactive: false });
			expect(await newTexts()).toEqual([
				expect.stringMatching(/could not be listed: No tag is called "Care plan"/),
				expect.stringMatching(/could not be listed: .*inactive/),
			]);
		},
		EXAMPLE_MS,
	);
});

describe('02 Known vulnerability', () => {
	const FILE = '02-known-vulnerability.json';
	const PLUGIN = 'page-cache';
	const VULNERABLE = 'Vulnerable plugin';

	beforeAll(async () => {
		await activate(examples.n8n.rest, await examples.add('02-known-vulnerability.json'));
	}, EXAMPLE_MS);

	const paragraphOf = (text: string, { title }: SiteRow) =>
		text.split('\n\n').find((paragraph) => paragraph.includes(`\n- ${title} (`));

	const isGood = ({ status }: SnapshotRow) => status === 'succeeded';

	/** Fills in the form as a browser does. @returns the page that it shows in the end */
	async function submit(version: string): Promise<string> {
		const form = new FormData();
		form.append('field-0', PLUGIN);
		form.append('field-1', version);
		const options = { headers: BROWSER, proxy: false, timeout: 10_000 } as const;
		const { data } = await axios.post<{ formWaitingUrl: string }>(
			`${examples.n8n.baseUrl}/form/known-vulnerability`,
			form,
			options,
		);
		const page = new URL(data.formWaitingUrl);
		const status = new URL(`${page.pathname}/n8n-execution-status${page.search}`, page);
		return await waitFor(
			'the list',
			async () =>
				(await axios.get<string>(status.href, options)).data === 'form-waiting'
					? (await axios.get<string>(page.href, options)).data
					: undefined,
			60_000,
		);
	}

	/** The sites that have the plugin in their newest snapshot, with its version. */
	async function versions(): Promise<Map<SiteRow, string>> {
		const found = new Map<SiteRow, string>();
		for (const site of store().sites.peek()) {
			if (
				!store()
					.snapshots.ofSite(site.id)
					.some(({ status }) => status === 'succeeded')
			)
				continue;
			const { files } = await examples.api<{ files: Array<{ name: string }> }>(
				`/sites/${site.id}/files`,
				{ path: './wp-content/plugins/' },
			);
			if (!files.some(({ name }) => name === PLUGIN)) continue;
			const path = `./wp-content/plugins/${PLUGIN}/${PLUGIN}.php`;
			found.set(site, /Version: (\S+)/.exec(pluginHeader(site.id, path))![1]!);
		}
		return found;
	}

	it(
		'lists the sites with a lower version, number by number, and tags them',
		async () => {
			const having = await versions();
			const affected = [...having].filter(([, version]) => ['1.9.4', '1.10.0'].includes(version));
			expect(affected.length).toBeGreaterThan(2);
			expect(affected.length).toBeLessThan(having.size);
			const [[unread]] = affected as [[SiteRow, string]];
			let page = '';

			const requests = await examples.requestsOf(async () => void (page = await submit('1.10.2')));
			const [text] = await newTexts();
			expect(text).toContain(`🔓 ${affected.length} of 60 sites`);
			for (const [site, version] of having) {
				const isAffected = affected.some(([each]) => each === site);
				expect(lineOf(text!, site)).toEqual(
					isAffected ? `- ${site.title} (${site.url}): ${version}` : undefined,
				);
			}
			const bare = store()
				.sites.peek()
				.find(({ backups }) => !backups.enabled)!;
			const [, ...reasons] = text!.slice(text!.indexOf('❓')).split('\n\n');
			expect(paragraphOf(text!, bare)).toContain('without a completed snapshot');
			const withoutAny = store()
				.sites.peek()
				.filter(({ id }) => !store().snapshots.ofSite(id).some(isGood));
			expect(withoutAny.length).toBeGreaterThan(1);
			// One paragraph for all with the same reason.
			const [most, ...others] = reasons;
			expect(others).toEqual([]);
			const [heading, ...listed] = most!.split('\n');
			expect(heading).toMatch(new RegExp(`^${withoutAny.length} sites: `));
			expect(heading).toContain('without a completed snapshot');
			expect(listed.sort()).toEqual(
				withoutAny.map(({ title, url }) => `- ${title} (${url})`).sort(),
			);
			expect(text).toContain(`❓ ${withoutAny.length} sites could not be checked:`);
			for (const [{ title, url }] of affected) expect(page).toContain(`- ${title} (${url})`);
			expect(page).toContain(heading);
			const tag = tagNamed(examples.service, VULNERABLE)!;
			const tagged = store()
				.sites.peek()
				.filter(({ internal }) => internal.tag_ids.includes(tag.id));
			expect(tagged.map(({ id }) => id).sort()).toEqual(affected.map(([{ id }]) => id).sort());
			expect(costOf(FILE)).toContain('**2 + 1 for each site + 2 for each** that has the plugin');
			// The tag is created, and looked for once more.
			expect(requests).toHaveLength(2 + 2 + 1 + 60 + 2 * having.size);

			// Again: the tag is there, one file can not be read, and the tag is refused.
			await examples.control('/faults', {
				server_errors: { method: 'GET', path: `/sites/${unread.id}/files/download` },
			});
			await examples.control('/plan', { without: ['tags'] });
			page = await submit('1.10.2');
			expect(page).toContain('The tag “Vulnerable plugin” could not be assigned');
			const [second] = await newTexts();
			expect(paragraphOf(second!, unread)).toMatch(/^1 site: .*500/);
			expect(second).toContain(`🔓 ${affected.length - 1} of 60 sites`);
			expect(
				store()
					.tags.peek()
					.filter(({ name }) => name === VULNERABLE),
			).toHaveLength(1);
		},
		EXAMPLE_MS,
	);

	it(
		'lists ten of many sites that could not be checked for the same reason, and says how many more there are',
		async () => {
			const good = store()
				.snapshots.all()
				.filter(isGood)
				.map(({ id }) => store().snapshots.get(id)!);
			for (const snapshot of good) snapshot.status = 'failed';
			let page = '';
			try {
				page = await submit('1.10.2');
			} finally {
				for (const snapshot of good) snapshot.status = 'succeeded';
			}
			const [text, ...more] = await newTexts();
			expect(more).toEqual([]);
			const [none, unchecked, reason, ...others] = text!.split('\n\n');
			expect(none).toContain('🔒 No site is known to have page-cache');
			expect(unchecked).toBe('❓ 60 sites could not be checked:');
			expect(others).toEqual([]);
			const [heading, ...names] = reason!.split('\n');
			expect(heading).toMatch(/^60 sites: .*without a completed snapshot/);
			const all = store()
				.sites.peek()
				.map(({ title, url }) => `- ${title} (${url})`);
			expect(new Set(names.slice(0, 10)).size).toBe(10);
			expect(all).toEqual(expect.arrayContaining(names.slice(0, 10)));
			expect(names.slice(10)).toEqual(['and 50 more']);
			expect(page).toContain('and 50 more');
		},
		EXAMPLE_MS,
	);

	it(
		'says that no site is affected, or that the sites could not be listed',
		async () => {
			expect(await submit('1.0')).toContain('No site is known to have page-cache');
			await examples.control('/faults', { account_inactive: true });
			expect(await submit('1.0')).toContain('The sites could not be listed');
			await examples.control('/faults', { account_inactive: false });
			expect(await newTexts()).toEqual([
				expect.stringContaining('🔒'),
				expect.stringContaining('❌ The sites could not be listed'),
			]);
		},
		EXAMPLE_MS,
	);
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

	it(
		'restores the newest snapshots to staging sites, notes it and deletes them',
		async () => {
			const sites = healthySites(examples.service, 3);
			tagOnly(examples.service, sites);
			const before = store().stagingSites.peek().length;
			const requests = await examples.requestsOf(
				async () => void succeeded(await examples.run(id)),
			);

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
		},
		EXAMPLE_MS,
	);

	it(
		'says what failed and why, and deletes the staging site anyway',
		async () => {
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
		},
		EXAMPLE_MS,
	);

	it(
		'opens tickets for a staging site that is left and a note that is refused',
		async () => {
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
		},
		EXAMPLE_MS,
	);

	it(
		'never calls sites that it could not list, or a tag that no site has, a passed drill',
		async () => {
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
		},
		EXAMPLE_MS,
	);
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

	it(
		'asks for each one alone, and extends, deletes or lets it expire',
		async () => {
			const id = await examples.add(FILE);
			const sites = healthySites(examples.service, 5);
			const [kept, old, young, gone, fresh] = sites as [
				SiteRow,
				SiteRow,
				SiteRow,
				SiteRow,
				SiteRow,
			];
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
			expect(await textOn(stagings.get(young)!)).toMatch(
				/^🍂 .*: expires on .*, as .*@.* decided$/,
			);
			expect(await textOn(stagings.get(gone)!)).toMatch(
				/^❌ .*: could not be extended.*not found/i,
			);
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
		},
		EXAMPLE_MS,
	);

	it(
		'tells of the limit of the plan, of a mail that can not be sent, and of a list that can not be read',
		async () => {
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
		},
		EXAMPLE_MS,
	);
});
