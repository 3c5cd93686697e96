import { setFlaw } from '../../../sandbox/service/domain/content/flaws';
import { setVersion } from '../../../sandbox/service/domain/content/components';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import {
	beginSnapshot,
	completedSnapshots,
	completeSnapshot,
} from '../../../sandbox/service/domain/snapshots/rules';
import { Random } from '../../../sandbox/service/engine/random';
import {
	AT_ONCE,
	type Case,
	type Kind,
	KINDS,
	prepare,
	stateOf,
	wrongs,
} from '../../support/brokenUpdates';
import {
	calls,
	EXAMPLE_MS,
	examples,
	inRounds,
	named,
	playRuns,
	RUNS,
	SEED,
	settingsOf,
	SHORT_WAITS,
	store,
	succeeded,
	useExamples,
} from '../../support/examples';
import { press } from '../../support/mails';
import { activate } from '../../support/n8n';
import {
	addSafeUpdate,
	healthySites,
	isLook,
	TAG,
	tagNamed,
	tagOnly,
} from '../../support/safeUpdate';
import { until } from '../../support/until';

/** Example 01 in worlds in which updates fail: the culprit alone is taken back, and nothing else. */

const WAVE = 5;

let id: string;

// Ten minutes pass in a second.
useExamples(
	'safe-update',
	{ rateLimit: { limit: 100_000 }, speed: 600, sites: process.env.LONG ? 2_000 : 200 },
	SHORT_WAITS,
);

beforeAll(async () => {
	// A weekly update of the whole fleet would bring a culprit again before it is looked at.
	for (const schedule of store().autoUpdateSchedules.all()) schedule.status = 'paused';
	id = await addSafeUpdate(examples);
});

const ALL = Object.keys(KINDS) as Kind[];

/** Gives the host that will fall, and the one that stays, other sites that are well. @returns the one that will fall */
function setHosts(cases: Case[]): string {
	const name = (what: string) => `${what} Host ${used.size}`;
	const wellSites = healthySites(examples.service, 8, used);
	for (const { site, kind } of cases) {
		site.server.hosting = name(kind === 'host' ? 'Falling' : 'Steady');
	}
	wellSites.forEach(
		(site, index) => (site.server.hosting = name(index % 2 ? 'Falling' : 'Steady')),
	);
	return name('Falling');
}

/** Each run takes other sites. */
const used = new Set<string>();

const freshSites = (count: number) => {
	const sites = healthySites(examples.service, count, used);
	for (const { id: each } of sites) used.add(each);
	tagOnly(examples.service, sites);
	return sites;
};

/** One run of the example over some sites, with all that people answer. */
async function play(kinds: Kind[], random: Random) {
	const { service, control } = examples;
	const { store } = service.world;
	// In a fleet that lives, one core after the other is updated.
	for (const { id: each, wp } of store.sites.peek()) {
		if (!used.has(each))
			Object.assign(wp.core, { current_version: '6.7.2', update_available: true });
	}
	const cases = freshSites(kinds.length).map((site, index) =>
		prepare(service, site, kinds[index]!, random),
	);
	const hosting = setHosts(cases);
	const among = (kind: Kind) => cases.filter((each) => each.kind === kind);
	for (const { site } of among('before')) await control('/web', { site_id: site.id, status: 502 });
	for (const { site } of among('stuck')) {
		for (let restore = 0; restore < 20; restore++) {
			await control('/tasks/failures', { type: 'restore', site_id: site.id });
		}
	}
	const schedules = store.autoUpdateSchedules.peek().length;

	const run = examples.run(id);
	const updated = kinds.filter((kind) => kind !== 'before').length;
	await press(await examples.mail(approvalOf(updated)), 'Update them');
	if (among('host').length > 0) {
		await until('the schedule', () => store.autoUpdateSchedules.peek().length > schedules);
		await control('/hosts', { hosting, down: true });
	}
	succeeded(await run);
	// What a person orders succeeds again.
	for (const { id: failure } of store.taskFailures.all()) store.taskFailures.delete(failure);
	if (among('host').length > 0) await control('/hosts', { hosting, down: false });

	const report = await examples.text(SUMMARY);
	const asked = cases.filter(({ site }) => partOf(report, site).startsWith('🙋'));
	for (const { site, approves } of asked) {
		const mail = await examples.mail(`Restore ${site.title}?`);
		await press(mail, approves ? 'Restore it' : 'Leave it');
	}
	for (let left = asked.length; left > 0; left--) await examples.text(/^(↩️|✋|❌) /u);
	return cases.map((each) => {
		const isAsked = asked.includes(each);
		const part = partOf(report, each.site);
		const chosen = isAsked ? `, ${each.approves ? 'restored' : 'left'} by a person` : '';
		/** What the report calls it, and what a person chose. */
		const outcome = part.replace(/^(\S+) \d+ sites?:? (.*?)[.:,] .*$/s, '$1 $2') + chosen;
		return { name: each.kind, outcome, report: part, wrong: wrongs(service, each, isAsked) };
	});
}

/** What the report says of a site, with its heading. */
function partOf(report: string, { title }: SiteRow): string {
	const part = report.split('\n\n').find((text) => text.includes(`- ${title} (`)) ?? '';
	const [heading, ...lines] = part.split('\n');
	return `${heading} ${lines.find((line) => line.startsWith(`- ${title} (`)) ?? ''}`;
}

const FIREWALL = 'Just a moment...';

const SUMMARY = /^\*Safe update\*/;

const approvalOf = (count: number) =>
	`Approve the update of ${count} ${count === 1 ? 'site' : 'sites'}?`;

it(
	'reverts only the failing update, reverts nothing where none failed, and loses no order without approval',
	async () => {
		const random = new Random(SEED);
		const kinds = inRounds(ALL, random);
		const length = process.env.LONG ? WAVE : Math.ceil(ALL.length / RUNS);
		const wave = () => Array.from({ length }, () => kinds.next().value as Kind);
		await playRuns(async () => await play(wave(), random));
	},
	RUNS * EXAMPLE_MS,
);

/** Runs the example; a person chooses a button. @returns the summary */
async function answered(count: number, button = 'Update them'): Promise<string> {
	const run = examples.run(id);
	await press(await examples.mail(approvalOf(count)), button);
	succeeded(await run);
	return await examples.text(SUMMARY);
}

const kindOf = (request: string) => request.split('?')[0]!.replace(/\w{20,}/, 'ID');

const safeUpdateRuns = () =>
	store()
		.autoUpdateHistory.peek()
		.filter(({ auto_update_schedule: { name } }) => name.startsWith('Update Now'));

const schedules = () =>
	store()
		.autoUpdateSchedules.peek()
		.map(({ name }) => name);

it('updates what can be updated, says why the rest is left out, and costs what its note says', async () => {
	const sites = freshSites(5);
	const [good, fails, unsynced, down, away] = sites;
	away.connection.status = 'disconnected';
	await examples.control('/web', { site_id: down.id, status: 502 });
	await examples.control('/tasks/failures', { type: 'wp_site_update', site_id: fails.id });
	await examples.faults({
		server_errors: { method: 'POST', path: `/sites/${unsynced.id}/sync` },
	});
	const before = schedules();
	let text = '';
	const requests = await examples.requestsOf(async () => void (text = await answered(3)));
	expect(partOf(text, good)).toMatch(/^✅ 1 site updated: .*: core [\d.]+ → 6\.8\.3/);
	expect(partOf(text, fails)).toMatch(/^⚠️ 1 site updated in part, and working: .*verify_site/);
	expect(partOf(text, unsynced)).toMatch(
		/^❌ 1 site not updated, because there is no backup: .*500/,
	);
	expect(partOf(text, down)).toMatch(/^⏭️ 2 sites left out: .*: The page responds with 502$/);
	expect(partOf(text, away)).toMatch(/^⏭️ 2 sites left out: .*: disconnected$/);
	expect(await examples.newTickets()).toEqual([]);
	expect(schedules()).toEqual(before);
	const counts = new Map<string, number>();
	for (const each of requests.filter((request) => !isLook(request)).map(kindOf)) {
		counts.set(each, (counts.get(each) ?? 0) + 1);
	}
	expect(Object.fromEntries(counts)).toEqual({
		...{ 'GET /tags': 1, 'GET /sites': 1 },
		// Of all, of those with a backup right before the update, and of those ten minutes later.
		'GET /sites/ID/important-pages': 5 + 2 + 2,
		...{ 'POST /sites/ID/sync': 3, 'GET /sites/ID': 2 },
		...{ 'GET /auto-update-schedules': 1, 'POST /auto-update-schedules': 1 },
		'DELETE /auto-update-schedules/ID': 1,
	});
});

it('changes nothing when the office declines', async () => {
	const sites = freshSites(6);
	const [away, locked, down, off, infected] = sites;
	infected!.security.scanner.status = 'hacked';
	away.connection.status = 'disconnected';
	locked.locked = true;
	off.backups.enabled = false;
	await examples.control('/web', { site_id: down.id, status: 502 });
	let text = '';
	const requests = await examples.requestsOf(async () => {
		const run = examples.run(id);
		const mail = await examples.mail(approvalOf(1));
		// Whoever approves reads what is left out, and why.
		const [, leftOut] = mail.html!.split('These sites are left out:');
		for (const reason of [
			`- ${named(away)}: disconnected`,
			`- ${named(locked)}: under maintenance`,
			`- ${named(down)}: The page responds with 502`,
			`- ${named(off)}: backups are off`,
			`- ${named(infected!)}: hacked`,
		]) {
			expect(leftOut).toContain(reason);
		}
		await press(mail, 'Not now');
		succeeded(await run);
		text = await examples.text(SUMMARY);
	});
	expect(requests.map(kindOf)).toEqual([
		'GET /tags',
		'GET /sites',
		...Array(6).fill('GET /sites/ID/important-pages'),
	]);
	expect(text).toContain('✋ 1 site not changed, because the office declined:');
	expect(partOf(text, infected!)).toMatch(/^⏭️ \d sites left out: .*: hacked$/);
});

it('leaves alone a site whose page breaks while the office thinks', async () => {
	const [works, breaks] = freshSites(2);
	const { restores } = stateOf(examples.service, breaks);
	const run = examples.run(id);
	const mail = await examples.mail(approvalOf(2));
	expect(mail.html).not.toContain('left out');
	await examples.control('/web', { site_id: breaks.id, status: 502 });
	await press(mail, 'Update them');
	succeeded(await run);
	const text = await examples.text(SUMMARY);
	expect(partOf(text, works)).toMatch(/^✅ 1 site updated: /);
	expect(partOf(text, breaks)).toMatch(
		/^⏭️ 1 site not updated, because the pages broke before: .*: The page responds with 502$/,
	);
	const updated = safeUpdateRuns().flatMap(({ sites }) => sites.map((site) => site.id));
	expect(updated).toContain(works.id);
	expect(updated).not.toContain(breaks.id);
	expect(stateOf(examples.service, breaks).restores).toBe(restores);
});

it('takes nothing back where a firewall answers after the update', async () => {
	const [site] = freshSites(1);
	const { title } = site;
	setVersion(examples.service.world, site, 'page-cache', '1.0.0');
	const { restores } = stateOf(examples.service, site);
	const run = examples.run(id);
	await press(await examples.mail(approvalOf(1)), 'Update them');
	const isUpdated = () => stateOf(examples.service, site).versions.get('page-cache') !== '1.0.0';
	await until('the update', isUpdated, undefined, 20);
	site.title = FIREWALL;
	succeeded(await run);
	expect(partOf(await examples.text(SUMMARY), { ...site, title })).toMatch(
		/^❌ 1 site updated, but it is not known whether the pages work, so look at them: .* A firewall /,
	);
	expect(stateOf(examples.service, site).restores).toBe(restores);
});

it('updates the rest only when the canary went well', async () => {
	const world = examples.service.world;
	const canary = tagNamed(examples.service, 'Canary')!;
	const PLUGIN = 'page-cache';
	for (const isGuilty of [true, false]) {
		const [first, other] = freshSites(2);
		first.internal.tag_ids.push(canary.id);
		setVersion(world, first, PLUGIN, '1.0.0');
		if (isGuilty) setFlaw(world, first, { plugin: PLUGIN, ...AT_ONCE });
		const text = await answered(2);
		expect(partOf(text, first)).toContain(
			isGuilty ? '↩️ 1 site updated without the culprit' : '✅ 2 sites updated',
		);
		if (isGuilty)
			expect(partOf(text, first)).toMatch(
				/: Page Cache 3\.2\.1 in page-cache \(back to 1\.0\.0\) \(restores: \d+\)$/,
			);
		expect(partOf(text, other)).toContain(
			isGuilty
				? '✋ 1 site not updated, because more than 20 % of the first wave'
				: '✅ 2 sites updated',
		);
		const runs = (site: SiteRow) =>
			safeUpdateRuns()
				.filter(({ sites }) => sites.some((each) => each.id === site.id))
				.map((run) => run.id);
		expect(runs(other)).toHaveLength(isGuilty ? 0 : 1);
		expect(runs(first)).toHaveLength(1);
		expect(runs(first)).not.toEqual(runs(other));
	}
});

it('checks the pages of many sites in one run, and returns each of them once', async () => {
	const sites = freshSites(4);
	const [well, down, unlisted, changed] = sites;
	await examples.control('/web', { site_id: down.id, status: 502 });
	await examples.faults({
		server_errors: { method: 'GET', path: `/sites/${unlisted.id}/important-pages` },
	});
	const before = { url: changed.url, title: 'Another title', status: 200, characters: 1 };
	const returned = await calls(
		'checkPages00001a',
		...sites.map(({ id: each, url }, number) => ({ id: each, url, number })),
		{ id: 'again', url: changed.url, pages: [{ ...before, result: 'good' }] },
	);
	expect(returned).toMatchObject([
		{ id: well.id, number: 0, page_problem: '' },
		{ id: down.id, number: 1, page_problem: 'The page responds with 502' },
		{ id: unlisted.id, number: 2, page_problem: '', pages: [{ url: unlisted.url }] },
		{ id: changed.id, number: 3, page_problem: '' },
		{ id: 'again', pages: [before], page_problem: expect.stringContaining('"Another title"') },
	]);
	expect((returned[0] as { pages: unknown[] }).pages).toHaveLength(
		1 + store().importantPages.ofSite(well.id).length,
	);
});

it('checks the pages of the check before where the important pages cannot be listed', async () => {
	const [site, other] = freshSites(2);
	const urls = [site.url, `${site.url}/shop`];
	const pages = urls.map((url) => ({ url, title: site.title, status: 200, characters: 1 }));
	await examples.faults({
		server_errors: { method: 'GET', path: `/sites/${site.id}/important-pages` },
	});
	const returned = await calls(
		'checkPages00001a',
		{ id: site.id, url: site.url, pages },
		{ id: other.id, url: other.url },
	);
	const [home, shop] = urls;
	expect(returned).toMatchObject([
		{
			pages,
			checks: [
				{ url: home, status: 200 },
				{ url: shop, status: 404, reason: 'The page responds with 404' },
			],
		},
		{ id: other.id, page_problem: '' },
	]);
});

it('finds the culprit, also after it has taken back what changed the database', async () => {
	const [one, other] = freshSites(2);
	const { world } = examples.service;
	// What is taken back first depends on the service, so each is the culprit once.
	for (const [site, culprit, bystander] of [
		[one, 'page-cache', 'contact-forms'],
		[other, 'contact-forms', 'page-cache'],
	] as const) {
		for (const plugin of [culprit, bystander]) setVersion(world, site, plugin, '1.0.0');
		setFlaw(world, site, { plugin: culprit, ...AT_ONCE });
		setFlaw(world, site, { plugin: bystander, ...AT_ONCE, effect: 'none', migrates: true });
	}
	const text = await answered(2);
	expect(text).toContain('↩️ 2 sites updated without the culprit');
	expect(partOf(text, one)).toMatch(/: Page Cache 3\.2\.1 in page-cache \(back to 1\.0\.0\) \(/);
	expect(partOf(text, other)).toMatch(
		/: Contact Forms 5\.9\.8 in contact-forms \(back to 1\.0\.0\) \(/,
	);
});

it('says which site it could not repair, and loses none of the others', async () => {
	const [broken, other] = freshSites(2);
	const { rest } = examples.n8n;
	setVersion(examples.service.world, broken, 'page-cache', '1.0.0');
	setFlaw(examples.service.world, broken, { plugin: 'page-cache', ...AT_ONCE });
	await rest.post('/workflows/takeBack0000001c/deactivate');
	const text = await answered(2);
	await activate(rest, 'takeBack0000001c');
	expect(partOf(text, broken)).toMatch(
		/^❌ 1 site broken, and the repair failed, so look at it: .*: .*not active/,
	);
	expect(partOf(text, other)).toMatch(/^✅ 1 site updated: /);
});

it('tells another workflow that a plugin which it names has no update', async () => {
	const [site] = freshSites(1);
	const plugin = 'page-cache/page-cache.php';
	setVersion(examples.service.world, site, 'page-cache', '3.2.1');
	await activate(examples.n8n.rest, id);
	const returned = await calls(id, { tag: TAG, only: [plugin], approved_by: 'the office' });
	expect(partOf(await examples.text(SUMMARY), site)).toMatch(
		/^⚠️ 1 site unchanged, because the service has no update of page-cache\/page-cache\.php: /,
	);
	expect(returned).toMatchObject([{ id: site.id, outcome: 'good', components: [] }]);
});

it.each([
	['no site has, nothing is updated, and the chat says so', 'page-cache, Price Tables', true],
	['sites have, the office is asked', 'page-cache, price-table', false],
])('for a plugin in migrating that %s', async (_what, migrating, isStopped) => {
	const [site] = freshSites(1);
	const row = {
		...{ site_id: site.id, site_title: site.title, site_url: site.url, kind: 'plugin' },
		...{ version: '1.9.4', latest_version: null, as_of: new Date().toISOString() },
	};
	const rows = [
		{ ...row, name: 'Price Table', folder: 'price-table', file: 'price-table/price-table.php' },
		{ ...row, name: 'Page Cache', folder: 'page-cache', file: 'page-cache/page-cache.php' },
	];
	const settings = settingsOf({ tag: TAG, canary: 'Canary', stop_above: 20, migrating });
	const inventory = { 'Get the inventory': rows.map((json) => ({ json })) };
	const workflow = await examples.copy('01-safe-update.json', settings, inventory);
	const requests = await examples.requestsOf(async () => {
		const run = examples.run(workflow);
		if (!isStopped) await press(await examples.mail(approvalOf(1)), 'Not now');
		const text = await examples.text(SUMMARY);
		const problem =
			'None of the sites read (1) has a component named "Price Tables"; near: Price Table';
		const told = `❌ Nothing is updated. ${problem}. Correct it in Settings, under migrating.`;
		expect(text.includes(told)).toBe(isStopped);
		succeeded(await run);
	});
	expect(requests.filter((each) => !each.startsWith('GET '))).toEqual([]);
	expect(await examples.newMails()).toEqual([]);
});

/** A site as 01e hands it over, after it has updated these plugins from 1.0.0 to 3.2.1. */
function broken(site: SiteRow, ...plugins: string[]) {
	const { world } = examples.service;
	const { id: siteId, title, url, server } = site;
	for (const plugin of plugins) setVersion(world, site, plugin, '1.0.0');
	const fields = { id: world.random.hex(24), status: 'in_progress', note: null } as const;
	completeSnapshot(world, site, beginSnapshot(world, site, fields));
	for (const plugin of plugins) setVersion(world, site, plugin, '3.2.1');
	const [newest] = completedSnapshots(world, siteId);
	const components = plugins.map((slug) => ({
		...{ kind: 'plugin', name: slug, folder: slug, site_id: siteId, file: `${slug}/${slug}.php` },
		...{ path: `./wp-content/plugins/${slug}/`, version_before: '1.0.0', version_after: '3.2.1' },
		...{ result: 'updated', reason: null },
	}));
	return {
		...{ id: siteId, title, url, server_hosting: server.hosting, to_update: [siteId] },
		...{ snapshot_id: newest!.id, snapshot_created_at: newest!.created_at, components },
		...{ pages: [], migrating: [], updates: '', page_problem: 'The page responds with 500' },
	};
}

it.each([
	['there are none', [], 'works again'],
	['one cannot be read', [FIREWALL], 'works again'],
	['most cannot be read', [FIREWALL, FIREWALL, 'good'], 'works again'],
	['only one is broken', [502], 'works again'],
	['two are broken and one cannot be read', [502, FIREWALL, 503], 'host'],
	['two are protected or gone', [401, 404], 'works again'],
] as const)('of the neighbors on the host, %s', async (_what, neighbors, outcome) => {
	const [site, ...others] = freshSites(1 + neighbors.length);
	const hosting = `Shared Host ${used.size}`;
	for (const each of [site, ...others]) each.server.hosting = hosting;
	for (const [index, is] of neighbors.entries()) {
		if (is === FIREWALL) others[index]!.title = FIREWALL;
		if (typeof is === 'number')
			await examples.control('/web', { site_id: others[index]!.id, status: is });
	}
	expect(await calls('repairSite00001f', broken(site))).toMatchObject([{ id: site.id, outcome }]);
});

it('reverts nothing where the pages work again when the updated state is backed up', async () => {
	const [site] = freshSites(1);
	const returned = await calls('takeBack0000001c', broken(site, 'page-cache'));
	expect(returned).toMatchObject([{ id: site.id, culprits: [], restores: 0 }]);
});

/** The restores that were ordered for a site. */
const restoresOf = ({ id: siteId }: SiteRow) =>
	store()
		.tasks.peek()
		.filter(
			({ type, details }) => type === 'restore' && details.sites.some((each) => each.id === siteId),
		);

const ordered = async (site: SiteRow, count: number, before: number) =>
	await until('the restore', () => restoresOf(site).length >= before + count, undefined, 20);

const setPage = async ({ id: site_id }: SiteRow, status: number) =>
	await examples.control('/web', { site_id, status });

it('does not say that nothing was changed where the end of a restore is not known', async () => {
	const [site] = freshSites(1);
	const before = restoresOf(site).length;
	await setPage(site, 500);
	const restore = { method: 'POST', path: `/sites/${site.id}/backups` };
	await examples.faults({ dropped_after: { ...restore, next: 1 } });
	const repairing = calls('repairSite00001f', broken(site, 'page-cache'));
	await ordered(site, 1, before);
	store().brokenPages.delete(site.id);
	expect(await repairing).toMatchObject([
		{
			...{ outcome: 'works again', culprits: [] },
			says: '⚠️ working again, but it is not known why, so look at it',
			detail: expect.stringContaining(
				'page-cache 3.2.1 in page-cache: whether it was restored is not known: ',
			),
		},
	]);
});

it('names the culprit, and also what could not be brought forward again', async () => {
	const [site] = freshSites(1);
	const before = restoresOf(site).length;
	await setPage(site, 500);
	const repairing = calls('repairSite00001f', broken(site, 'contact-forms', 'page-cache'));
	await ordered(site, 2, before);
	await setPage(site, 200);
	await examples.control('/tasks/failures', { type: 'restore', site_id: site.id });
	expect(await repairing).toMatchObject([
		{
			outcome: 'works again',
			culprits: ['page-cache 3.2.1 in page-cache (back to 1.0.0)'],
			detail: expect.stringMatching(
				/^page-cache .*\. contact-forms 3\.2\.1 in contact-forms: whether it was restored is not known: /,
			),
		},
	]);
});

/** Calls 01e with one site of a run that updates these. */
const waveOf = async (site: SiteRow, others: SiteRow[] = []) =>
	await calls('updateWave00001e', {
		sites: [{ id: site.id, title: site.title, url: site.url, server_hosting: site.server.hosting }],
		to_update: [site, ...others].map((each) => each.id),
		...{ only: [], migrating: [] },
	});

it('takes back no more, and keeps back what it took, once a firewall answers', async () => {
	const [site] = freshSites(1);
	const { world } = examples.service;
	for (const plugin of ['page-cache', 'contact-forms']) setVersion(world, site, plugin, '1.0.0');
	setFlaw(world, site, { plugin: 'page-cache', ...AT_ONCE });
	const updating = waveOf(site);
	const isUpdated = () => stateOf(examples.service, site).versions.get('page-cache') !== '1.0.0';
	await until('the update', isUpdated, undefined, 20);
	site.title = FIREWALL;
	expect(await updating).toMatchObject([
		{
			outcome: 'not known',
			says: '❌ broken after its update, and it is not known whether the pages work again, so look at it',
			detail: expect.stringMatching(/^A firewall .*page-cache \(back to 1\.0\.0\)/),
		},
	]);
	const { versions } = stateOf(examples.service, site);
	expect(versions.get('page-cache')).toBe('1.0.0');
	expect(versions.get('contact-forms')).not.toBe('1.0.0');
	expect(await examples.newTickets()).toEqual([]);
});

it('does not take other sites of the same update for a host that is down', async () => {
	const [site, ...others] = freshSites(3);
	for (const each of [site, ...others]) each.server.hosting = `Shared Host ${used.size}`;
	for (const each of others) await setPage(each, 502);
	setVersion(examples.service.world, site, 'page-cache', '1.0.0');
	setFlaw(examples.service.world, site, { plugin: 'page-cache', ...AT_ONCE });
	expect(await waveOf(site, others)).toMatchObject([
		{ outcome: 'works again', culprits: [expect.stringContaining('page-cache')] },
	]);
});

it('updates no site whose backup from right before is hacked', async () => {
	const [site] = freshSites(1);
	site.security.scanner.status = 'hacked';
	const runs = safeUpdateRuns().length;
	expect(await waveOf(site)).toMatchObject([
		{
			outcome: 'not updated',
			says: '❌ not updated, because its backup is hacked and could not be restored',
		},
	]);
	expect(safeUpdateRuns()).toHaveLength(runs);
});

it('asks a person about a site that broke while its update ended without a known result', async () => {
	const [site] = freshSites(1);
	await examples.without('auto_update_backup');
	const before = examples.service.requests.length;
	const updating = waveOf(site);
	const isRefused = () =>
		examples.service.requests
			.slice(before)
			.some(({ method, path }) => method === 'POST' && path.includes('/auto-update-schedules'));
	await until('the update', isRefused, undefined, 20);
	await setPage(site, 500);
	expect(await updating).toMatchObject([
		{
			outcome: 'person',
			detail: expect.stringMatching(
				/^The page responds with 500\. .*what was updated is not known: .*Backup: needs a plan/,
			),
		},
	]);
	const mail = await examples.mail(`Restore ${site.title}?`);
	expect(mail.html).toContain('Updated: not known.');
	await press(mail, 'Leave it');
	await examples.text(/^✋ /u);
});

describe('after a person has chosen to restore a site whose core was updated', () => {
	const FILES = 'restored with the files of the core from before';
	const LOSS = /Lost is what came since the backup: when you were asked, \d+ orders/;

	it.each<[string, (site: SiteRow) => Promise<unknown>, RegExp, boolean]>([
		[
			'says that nothing is lost where the pages work again',
			async () => undefined,
			new RegExp(`^↩️ .*: ${FILES}, and works again\\. Nothing is lost`, 'u'),
			false,
		],
		[
			'restores the database where a page still shows an error',
			async (site) => await setPage(site, 500),
			new RegExp(`^↩️ .*: restored with its database, and works again\\. ${LOSS.source}`, 'u'),
			true,
		],
		[
			'restores no database where a firewall answers',
			async (site) => void (site.title = FIREWALL),
			new RegExp(`^❓ .*: ${FILES}, but whether it works is not known: A firewall .* is lost`, 'u'),
			false,
		],
		[
			'restores no database where the pages cannot be checked',
			async () => await examples.n8n.rest.post('/workflows/checkPages00001a/deactivate'),
			new RegExp(`^❓ .*: ${FILES}, but whether it works is not known: .*not active`, 'u'),
			false,
		],
		[
			'restores no database where the files of the core could not be restored',
			async (site) => {
				await setPage(site, 500);
				await examples.control('/tasks/failures', { type: 'restore', site_id: site.id });
			},
			/^❌ .*: could not be restored with the files of the core from before: .*failed/u,
			false,
		],
	])('%s', async (_what, happen, text, withDatabase) => {
		const [site] = freshSites(1);
		const before = stateOf(examples.service, site).withDatabase;
		const { title, ...handed } = broken(site);
		const of = { ...handed, title, reason: 'the core', components: [{ kind: 'core' }] };
		const asking = calls('askPerson000001d', of);
		const mail = await examples.mail(`Restore ${title}?`);
		await happen(site);
		await press(mail, 'Restore it');
		await asking;
		await activate(examples.n8n.rest, 'checkPages00001a');
		expect(await examples.text(site.url)).toMatch(text);
		expect(stateOf(examples.service, site).withDatabase - before).toBe(withDatabase ? 1 : 0);
	});
});

it('says of sites that were not touched yet that they are not updated, where the first wave fails', async () => {
	const [first, other] = freshSites(2);
	first.internal.tag_ids.push(tagNamed(examples.service, 'Canary')!.id);
	const { rest } = examples.n8n;
	await activate(rest, id);
	await rest.post('/workflows/updateWave00001e/deactivate');
	await calls(id, { tag: TAG, approved_by: 'the office' });
	await activate(rest, 'updateWave00001e');
	const text = await examples.text(SUMMARY);
	expect(partOf(text, first)).toMatch(/^❌ 1 site updated or not: that is not known, .*not active/);
	expect(partOf(text, other)).toMatch(
		/^✋ 1 site not updated, because more than 20 % of the first/,
	);
});

it('says nothing about plugins that change the database where the settings name none', async () => {
	freshSites(1);
	const settings = settingsOf({ tag: TAG, canary: 'Canary', stop_above: 20, migrating: '' });
	const run = examples.run(await examples.copy('01-safe-update.json', settings));
	const mail = await examples.mail(approvalOf(1));
	expect(mail.html).not.toContain('nobody checked');
	await press(mail, 'Not now');
	succeeded(await run);
});

it('reports what prevents the schedule from being created or deleted, and any that is left', async () => {
	const before = schedules();
	const [site] = freshSites(1);
	await examples.without('auto_update_backup');
	expect(partOf(await answered(1), site)).toMatch(
		/❌ 1 site updated or not: that is not known, so look at them: .*Backup: needs a plan/,
	);
	expect(schedules()).toEqual(before);

	await examples.repair();
	await examples.faults({
		server_errors: { method: 'DELETE', path: '/auto-update-schedules' },
	});
	const summary = await answered(1);
	expect(summary).toMatch(
		/⚠️ Delete the auto-update schedule, or it runs again next month: Update Now, execution \d+, .*\(\w+\)/,
	);
	expect(summary).toContain(`${site.title} (`);
	for (const { id: left, name } of store().autoUpdateSchedules.peek()) {
		if (!before.includes(name)) store().autoUpdateSchedules.delete(left);
	}
});

it('reports a missing tag, or a tag that no site has', async () => {
	const runs = async () => {
		succeeded(await examples.run(id));
		return await examples.text(SUMMARY);
	};
	tagOnly(examples.service, []);
	expect(await runs()).toMatch(/“Care plan”\n\n🚫 Nothing is updated, because no site has the tag/);
	const tag = tagNamed(examples.service, TAG)!;
	tag.name = 'Other';
	expect(await runs()).toMatch(/could not be listed: No tag is called "Care plan"/);
	tag.name = TAG;
	await examples.faults({ account_inactive: true });
	expect(await runs()).toMatch(/could not be listed: .*inactive/);
});
