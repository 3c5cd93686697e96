import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startMailbox } from '../../sandbox/lib/mailbox';
import { freePort } from '../../sandbox/lib/ports';
import { malwareAt } from '../../sandbox/service/domain/content/infections';
import { recipientStatuses } from '../../sandbox/service/domain/reports/rows';
import {
	connectionStatuses,
	scannerStatuses,
	type SiteRow,
	uptimeStatuses,
} from '../../sandbox/service/domain/sites/rows';
import { snapshotStatuses } from '../../sandbox/service/domain/snapshots/rows';
import { stagingStatuses } from '../../sandbox/service/domain/stagingSites/rows';
import { taskStatuses, taskTypes } from '../../sandbox/service/engine/taskRows';
import { pictured, startBrowser, type Browser } from '../support/browser';
import { ends, newFolder } from '../support/ending';
import { activate } from '../support/engine';
import { inStep, startFleet, type Fleet } from '../support/fleet';

/**
 * The page of the sandbox in a real browser: each of its buttons is pressed, and its effect is looked for in the
 * records of the service and in the events of the real trigger.
 */

const HOUR_MS = 3_600_000;
/** Longer than a backup takes. */
const BACKUP_MS = 61_000;
/** More than a task shows at once. */
const SITES = 30;
const ANIMATION = (row: unknown) =>
	(globalThis as any).getComputedStyle(row).animationName as string;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const views = ['', 'tasks', 'staging', 'reports', 'clients', 'messages', 'requests', 'controls'];

interface Violation {
	id: string;
	nodes: Array<{ html: string }>;
}

let browser: Browser;
let fleet: Fleet;
let site: SiteRow;
/** The names of the buttons that the tests have pressed. */
const pressed = new Set<string>();

beforeAll(async () => void (browser = ends(await startBrowser())));

/** A fleet with a site where nothing is wrong. */
beforeEach(async () => {
	fleet = await startFleet({ sites: SITES });
	inStep(fleet);
	const { sites } = fleet.world.store;
	const found = sites.peek().find(({ backups }) => backups.latest_snapshot?.status === 'succeeded');
	site = sites.get(found!.id)!;
	site.connection.status = 'connected';
	site.uptime = { enabled: true, status: 'up' };
	site.security.enabled = true;
	site.security.scanner.status = 'clean';
	site.locked = false;
});
afterEach(async () => {
	for (const page of browser.context.pages()) await page.close();
	await fleet.close();
});

/** Opens a view, and waits until its lists are there. */
async function open(path = '', { context }: Browser = browser): Promise<Page> {
	const page = await context.newPage();
	await visit(page, path);
	return page;
}

async function visit(page: Page, path = ''): Promise<void> {
	// A view that only changes shows the list of before for a moment, dimmed.
	await page.goto('about:blank');
	await page.goto(new URL(`/#/${path}`, fleet.pageUrl).href);
	await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
	await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
}

const openSite = async () => await open(`sites/${site.id}`);

/** The button with this text, numbers aside. */
async function press(page: Page, name: string): Promise<void> {
	await page.getByRole('button', { name, exact: true }).click();
	pressed.add(withoutCounts(name));
}

const withoutCounts = (text: string) =>
	text
		.replace(/\s+/g, ' ')
		.replace(/ [\d,]+$| [\d,]+(?= sites$)/, '')
		.trim();

/** Waits for what the page says after a press. */
const said = async (page: Page, text: string | RegExp) =>
	await page.locator('.done', { hasText: text }).waitFor();

/** A test whose failure comes with a picture. */
const inBrowser = (name: string, work: () => Promise<void>) =>
	it(name, async () => await pictured(browser, `demo ${name}`, work));

/** What a visitor of a site gets. */
const look = async (url = site.url) => (await fleet.admin.get('/web', { params: { url } })).status;

/** As much time as a backup takes. */
function pass(ms = BACKUP_MS): void {
	fleet.clock.advance(ms);
	fleet.world.settle();
}

const actionOf = (page: Page, name: string) => page.locator(`[data-action="${name}"]`);

const isEnabled = async (page: Page, name: string) =>
	(await actionOf(page, name).getAttribute('aria-disabled')) === null;

describe('the buttons of a site', () => {
	/** A real trigger that has seen the site as it is. */
	async function watch() {
		const states = ['down', 'up', 'malwareFound', 'malwareCleared', 'disconnected', 'reconnected'];
		const of = async (node: string, events: string[]) =>
			// Two nodes of a workflow have two ids.
			await activate(fleet, {
				node,
				parameters: { events, output: 'raw' },
				settings: { id: node },
			});
		const triggers = [
			await of('siteTrigger', states),
			await of('backupTrigger', ['backupFailed', 'backupFinished']),
		];
		const pollAll = async () =>
			(await Promise.all(triggers.map(async ({ poll }) => (await poll()) ?? []))).flat();
		await pollAll();
		return async () => {
			const items = await pollAll();
			return items.filter(({ id }) => id === site.id).map(({ event }) => event);
		};
	}

	const pairs: Array<[string, string, (site: SiteRow) => string, Record<string, string>]> = [
		['Take down', 'Bring up', ({ uptime }) => uptime.status, { down: 'down', up: 'up' }],
		[
			'Infect',
			'Clean',
			({ security }) => security.scanner.status,
			{ hacked: 'malwareFound', clean: 'malwareCleared' },
		],
		[
			'Disconnect',
			'Reconnect',
			({ connection }) => connection.status,
			{ disconnected: 'disconnected', connected: 'reconnected' },
		],
	];
	for (const [worse, better, stateOf, events] of pairs) {
		inBrowser(`${worse}, ${better}: the record changes, and the event comes`, async () => {
			const poll = await watch();
			const page = await openSite();
			await actionOf(page, worse).waitFor();
			for (const [index, [state, event]] of Object.entries(events).entries()) {
				const [name, other] = index === 0 ? [worse, better] : [better, worse];
				expect([await isEnabled(page, name), await isEnabled(page, other)]).toEqual([true, false]);
				pass(1_000);
				await press(page, name);
				await said(page, site.title);
				expect(stateOf(fleet.world.store.sites.get(site.id)!)).toBe(state);
				expect(await poll()).toEqual([event]);
				await page.locator(`[data-action="${name}"][aria-disabled="true"]`).waitFor();
			}
		});
	}

	inBrowser('Bring malware, Delete added files: the newest snapshot contains it', async () => {
		const page = await openSite();
		await press(page, 'Bring malware');
		await said(page, 'Malware came to');
		pass();
		const { security } = fleet.world.store.snapshots.ofSite(site.id).at(-1)!;
		expect(security.scanner.detections.files).toBe(3);
		await press(page, 'Delete added files');
		await said(page, 'are deleted');
		const [malware] = malwareAt(fleet.world, site, fleet.world.now);
		expect(malware!.files).toEqual(malware!.infection.changed);
	});

	inBrowser('Break page, Repair page: visitors see it', async () => {
		const page = await openSite();
		await press(page, 'Break page');
		await said(page, 'answers 500');
		expect(await look()).toBe(500);
		await press(page, 'Repair page');
		await said(page, 'is repaired');
		expect(await look()).toBe(200);
	});

	inBrowser('Fail next backup: one of this site fails, and the event comes', async () => {
		const poll = await watch();
		const page = await openSite();
		await press(page, 'Fail next backup');
		await said(page, 'fails');
		await press(page, 'Let backups succeed');
		await said(page, 'succeeds');
		await press(page, 'Fail next backup');
		await said(page, 'fails');
		const { sites } = fleet.world.store;
		const failing = sites.peek().filter(({ internal }) => internal.syncs.next_fails);
		expect(failing.map(({ id }) => id)).toEqual([site.id]);
		expect(await poll()).toEqual([]);
		await page.getByText('Next one fails', { exact: true }).waitFor();
		for (const [event, status] of [
			['backupFailed', 'failed'],
			['backupFinished', 'succeeded'],
		]) {
			await press(page, 'Back up now');
			await said(page, status === 'failed' ? 'It fails in a minute' : 'has started');
			await page.locator('[data-action="Back up now"][aria-disabled="true"]').waitFor();
			// Neither scanned nor counted yet.
			const made = page.locator('tr', { hasText: 'In progress' }).getByText('–', { exact: true });
			await made.nth(2).waitFor();
			pass();
			expect(sites.get(site.id)!.sync.last_sync_status).toBe(status);
			expect(await poll()).toEqual([event]);
			await page.locator('[data-action="Back up now"]:not([aria-disabled])').waitFor();
		}
		await press(page, 'Back up now');
		await page.locator('[data-action="Back up now"][aria-disabled="true"]').waitFor();
		await press(page, 'Fail next backup');
		await said(page, 'under way is not affected. The one after it fails.');
		await page.getByText('Next one fails', { exact: true }).waitFor();
		pass();
		expect(sites.get(site.id)!.sync.last_sync_status).toBe('succeeded');
	});

	inBrowser('Add plugin with an old version: the newest snapshot contains it', async () => {
		const page = await openSite();
		await press(page, 'Add plugin with an old version');
		await said(page, 'page-cache 1.9.4 is installed');
		pass();
		await page.getByText('page-cache 1.9.4, also in the newest backup').waitFor();
		const files = `/sites/${site.id}/files`;
		const params = { path: './wp-content/plugins/page-cache/page-cache.php' };
		const [{ id }] = (await fleet.api.get(`${files}/versions`, { params })).data.versions;
		const file = await fleet.api.get(`${files}/download`, {
			params: { id },
			responseType: 'arraybuffer',
		});
		expect(Buffer.from(file.data).toString()).toContain('Version: 1.9.4');
		expect(await isEnabled(page, 'Add plugin with an old version')).toBe(false);
	});

	describe('Add plugin whose update breaks the page', () => {
		const NAME = 'Add plugin whose update breaks the page';
		const skip = async (ms: number) => await fleet.admin.post('/clock/advance', { ms });
		const cardOf = (page: Page, subject: string) =>
			page.locator('.subject', { has: page.getByText(subject, { exact: true }) });

		/** A page on which the button was pressed. */
		async function prepare(choice: string): Promise<Page> {
			const page = await openSite();
			await page.getByLabel('When the page breaks').selectOption(choice);
			await press(page, NAME);
			await said(page, 'Its next update breaks the page');
			await page.getByText('image-slider 2.0.0 waits for its update', { exact: true }).waitFor();
			expect(await isEnabled(page, NAME)).toBe(false);
			await skip(BACKUP_MS);
			expect(await look()).toBe(200);
			await cardOf(page, 'Page').getByText('Not broken', { exact: true }).waitFor();
			return page;
		}

		/** An auto-update of all plugins. */
		async function update(): Promise<void> {
			const sites = { selection: 'specific', ids: [site.id] };
			await fleet.api.post('/auto-update-schedules', {
				auto_update_schedule: {
					name: 'Once',
					schedule: 'monthly_on_date',
					started_at: fleet.world.timestamp(fleet.world.now + HOUR_MS / 60),
					scope: { sites, updates: { plugins: { selection: 'all' } } },
				},
			});
			await skip(HOUR_MS / 4);
		}

		async function restore(scope: object): Promise<void> {
			const { id } = (await fleet.api.get(`/sites/${site.id}/snapshots`)).data.snapshots[0];
			await fleet.api.post(`/sites/${site.id}/backups/${id}/restore`, { restore: { scope } });
			await skip(HOUR_MS / 6);
		}

		inBrowser('at once: visitors see it until the files are restored', async () => {
			const page = await prepare('At once');
			await update();
			await cardOf(page, 'Page').getByText('Answers 500 since an update').waitFor();
			await page.getByText('image-slider 2.1.0, updated', { exact: true }).waitFor();
			expect(await look()).toBe(500);
			expect(await isEnabled(page, 'Repair page')).toBe(false);
			await restore({ include_files: true });
			await cardOf(page, 'Page').getByText('Not broken', { exact: true }).waitFor();
			expect(await look()).toBe(200);
		});

		inBrowser('after 30 minutes: visitors see it then', async () => {
			const page = await prepare('After 30 minutes');
			await update();
			await page.getByText('image-slider 2.1.0, updated', { exact: true }).waitFor();
			expect(await look()).toBe(200);
			await skip(HOUR_MS / 2);
			await cardOf(page, 'Page').getByText('Answers 500 since an update').waitFor();
			expect(await look()).toBe(500);
		});

		inBrowser(
			'with a changed database: its restore loses orders, which the page shows',
			async () => {
				const page = await prepare('At once, with a changed database');
				/** Waits until the page says what came and what was lost. */
				const isTold = async () => {
					const { orders, comments } = (await fleet.admin.get(`/sites/${site.id}/flaws`)).data;
					const told = { Orders: orders, Comments: comments };
					for (const [what, { came, lost }] of Object.entries(told)) {
						const more = lost ? `, ${lost.toLocaleString('en')} lost by a restore` : '';
						const text = `${what}: ${came.toLocaleString('en')} came${more}`;
						await page.locator('.facts').getByText(text, { exact: true }).waitFor();
					}
					return [orders.came, orders.lost];
				};
				const [cameBefore, lostBefore] = await isTold();
				expect(lostBefore).toBe(0);
				await update();
				await skip(24 * HOUR_MS);
				await restore({ include_files: true });
				await cardOf(page, 'Page').getByText('Answers 500 since an update').waitFor();
				expect(await look()).toBe(500);
				await restore({ include_database: true });
				await cardOf(page, 'Page').getByText('Not broken', { exact: true }).waitFor();
				expect(await look()).toBe(200);
				const [came, lost] = await isTold();
				expect(lost).toBeGreaterThan(10);
				expect(came).toBeGreaterThan(cameBefore + 10);
			},
		);
	});

	inBrowser('Take the host down, Bring the host up: all sites on it answer 503', async () => {
		const all = fleet.world.store.sites.all();
		const onHost = all.filter(({ server }) => server.hosting === site.server.hosting);
		expect(onHost.length).toBeGreaterThan(1);
		for (const each of all) each.uptime.status = 'up';
		const down = async () => {
			const statuses = await Promise.all(all.map(async ({ url }) => await look(url)));
			return all.filter((_each, index) => statuses[index] === 503).map(({ id }) => id);
		};
		const { hosting } = site.server;
		const pages = `All pages of ${onHost.length} sites`;
		const page = await openSite();
		await page.getByText(`${pages} on ${hosting}`).first().waitFor();
		expect(await isEnabled(page, 'Bring the host up')).toBe(false);
		await press(page, 'Take the host down');
		await said(page, `${hosting} is down. ${pages} answer 503.`);
		expect(await down()).toEqual(onHost.map(({ id }) => id));
		await page.locator('[data-action="Take the host down"][aria-disabled="true"]').waitFor();
		await press(page, 'Bring the host up');
		await said(page, `${hosting} is up.`);
		expect(await down()).toEqual([]);
		await page.locator('[data-action="Bring the host up"][aria-disabled="true"]').waitFor();
	});

	inBrowser('an error is shown in words', async () => {
		const page = await openSite();
		site.internal.syncs = { date: fleet.world.timestamp().slice(0, 10), count: 24 };
		await press(page, 'Back up now');
		const problem = await page.locator('.actions [role="alert"]').innerText();
		expect(problem).toMatch(/“Back up now” did not work\..*number of syncs for today/);
	});

	for (const isSecure of [true, false]) {
		inBrowser(`Copy ID, in a ${isSecure ? '' : 'non-'}secure context`, async () => {
			const { context } = browser;
			await context.grantPermissions(isSecure ? ['clipboard-read', 'clipboard-write'] : []);
			const page = await context.newPage();
			if (!isSecure) {
				await page.addInitScript("Object.defineProperty(navigator, 'clipboard', {})");
			}
			await page.goto(fleet.pageUrl);
			// So that nothing of an earlier test is on the clipboard.
			await page.getByRole('searchbox').fill('Something else');
			await page.keyboard.press('Control+A');
			await page.keyboard.press('Control+C');
			await page.goto(new URL(`/#/sites/${site.id}`, fleet.pageUrl).href);
			await page.getByText(site.id).waitFor();
			await press(page, 'Copy ID');
			await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
			await page.getByRole('link', { name: '← Fleet' }).click();
			await page.getByRole('searchbox').focus();
			await page.keyboard.press('Control+V');
			// A browser pastes after the key; what is typed is searched for.
			await page.waitForURL(new RegExp(`search=${site.id}`));
		});
	}
});

describe('the other buttons', () => {
	const cleanAll = async () => {
		const ids = fleet.world.store.sites.all().map(({ id }) => id);
		await fleet.admin.post('/tasks', { type: 'hackcleanup', site_ids: ids });
	};

	inBrowser('skip time: the page says what is due, and what happened', async () => {
		const order = { type: 'restore', site_ids: [site.id], duration_ms: 60_000 };
		await fleet.admin.post('/tasks', order);
		const page = await open('controls');
		await page.locator('.subject', { hasText: 'Skip 1 minute' }).getByText('1 task ends').waitFor();
		for (const [time, ms] of Object.entries({
			'1 minute': HOUR_MS / 60,
			'1 hour': HOUR_MS,
			'1 day': 24 * HOUR_MS,
			'7 days': 7 * 24 * HOUR_MS,
		})) {
			const before = fleet.clock.now();
			await press(page, `Skip ${time}`);
			await said(page, `Skipped ${time}.`);
			expect(fleet.clock.now()).toBe(before + ms);
			if (time === '1 minute') await said(page, '1 task completed');
		}
	});

	inBrowser('set the speed, where the clock runs', async () => {
		let speed = 1;
		Object.defineProperty(fleet.clock, 'speed', {
			configurable: true,
			get: () => speed,
			set: (chosen: number) => void (speed = chosen),
		});
		try {
			const page = await open('controls');
			for (const chosen of [10, 60, 600, 1]) {
				await press(page, `${chosen}×`);
				await page
					.getByRole('button', { name: `${chosen}×`, exact: true, pressed: true })
					.waitFor();
				expect(speed).toBe(chosen);
			}
		} finally {
			delete (fleet.clock as { speed?: number }).speed;
		}
	});

	inBrowser('End all faults: none is on', async () => {
		await fleet.admin.post('/faults', { token_expired: true });
		const page = await open('controls');
		await page.getByRole('switch', { name: 'Token expired', checked: true }).waitFor();
		await press(page, 'End all faults');
		await page.getByRole('switch', { name: 'Token expired', checked: false }).waitFor();
		expect((await fleet.admin.get('/faults')).data).toEqual({ faults: {} });
	});

	inBrowser('a switch of a fault: it is on, and off again', async () => {
		const page = await open('controls');
		const fault = page.getByRole('switch', { name: 'Account inactive' });
		for (const faults of [{ account_inactive: true }, {}]) {
			await fault.click();
			const isOn = Object.keys(faults).length > 0;
			await page.getByRole('switch', { name: 'Account inactive', checked: isOn }).waitFor();
			await page.locator(`.fault${isOn ? '.on' : ':not(.on)'}`, { has: fault }).waitFor();
			expect((await fleet.admin.get('/faults')).data).toEqual({ faults });
		}
	});

	inBrowser('the outcomes of requests: each shows its own; the list can be cleared', async () => {
		await fleet.api.get('/tags');
		await fleet.api.get('/tags/none', { validateStatus: () => true });
		const page = await open('requests');
		const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
		for (const [name, count] of Object.entries({
			Succeeded: 1,
			Invalid: 1,
			Refused: 0,
			'Server error': 0,
			'No response': 0,
			All: 2,
		})) {
			await press(page, `${name} ${count}`);
			await page.locator(`[aria-pressed="true"]`, { hasText: name }).waitFor();
			expect(await rows.count()).toBe(count);
		}
		await press(page, 'Clear the list');
		await page.getByRole('button', { name: 'All 0' }).waitFor();
		expect(fleet.requests).toEqual([]);
	});

	inBrowser('Show all clients, Show all sites of a task', async () => {
		const client = fleet.world.store.clients.all()[0]!;
		const page = await open(`sites?client=${client.id}`);
		await press(page, 'Show all clients');
		await page.waitForURL(/#\/sites$/);
		await page.close();

		await cleanAll();
		const tasks = await open('tasks');
		await tasks.locator('summary', { hasText: `of ${SITES} sites` }).click();
		await press(tasks, `Show all ${SITES} sites`);
		await tasks
			.locator('.taskSite')
			.nth(SITES - 1)
			.waitFor();
		expect(await tasks.locator('.taskSite').count()).toBe(SITES);
	});

	inBrowser('no button is left that no test has pressed', async () => {
		await cleanAll();
		const client = fleet.world.store.clients.all()[0]!;
		const found = new Set<string>();
		const page = await open();
		for (const path of [...views, `sites?client=${client.id}`, `sites/${site.id}`]) {
			await visit(page, path);
			if (path.endsWith(site.id)) await actionOf(page, 'Take down').waitFor();
			if (path === 'controls') await page.getByRole('switch').first().waitFor();
			if (path === 'tasks') {
				await page.locator('summary', { hasText: `of ${SITES} sites` }).click();
				await page.getByRole('button', { name: 'Show all' }).waitFor();
			}
			for (const text of await page.getByRole('button').allInnerTexts()) {
				found.add(withoutCounts(text));
			}
		}
		expect([...found].sort()).toEqual([...pressed].sort());
	});
});

describe('the list of sites', () => {
	const rows = (page: Page) => page.getByRole('table', { name: 'Sites' }).locator('tbody tr');

	inBrowser('shows which sites have no good backup, and when each had its last', async () => {
		const { sites, snapshots } = fleet.world.store;
		const [second, newest] = snapshots.ofSite(site.id).slice(-2);
		second!.security.scanner.status = 'hacked';
		newest!.status = 'failed';
		site.backups.latest_snapshot!.status = 'failed';
		const lastGood = ({ id }: SiteRow) => {
			const dates = snapshots
				.ofSite(id)
				.filter((one) => one.status === 'succeeded' && one.security.scanner.status === 'clean')
				.map((one) => one.created_at);
			return dates.sort().at(-1) ?? '';
		};
		const limit = fleet.world.timestamp(fleet.clock.now() - 36 * HOUR_MS);
		const without = sites
			.all()
			.filter((one) => lastGood(one) < limit)
			.sort((a, b) => lastGood(a).localeCompare(lastGood(b)) || a.id.localeCompare(b.id));
		const off = sites.all().filter(({ backups }) => !backups.enabled);
		expect(off.length).toBeGreaterThan(0);
		const page = await open();
		await page.getByRole('link', { name: `${off.length} Backups off` }).waitFor();
		await page.getByRole('link', { name: `${without.length} No good backup` }).click();
		await page.getByLabel('Sort by').selectOption('Oldest backup');
		await page.waitForURL(/sort=/);
		await page.locator('[aria-busy="false"] tbody').waitFor();
		const links = rows(page).locator('a.title');
		const shown = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
		expect(shown).toEqual(without.map(({ id }) => `#/sites/${id}`));
		const row = rows(page).filter({ has: page.locator(`a[href$="${site.id}"]`) });
		expect(await row.innerText()).toMatch(/days ago[^]*Newest attempt[^]*Failed/);
		await row.locator('a.title').click();
		const exact = /Last backup[^]*\d{4}, \d\d:\d\d:\d\d [A-Z]{3}/;
		await page.locator('.facts', { hasText: exact }).waitFor();
	});

	inBrowser('finds titles, and says which filter hides more', async () => {
		site.title = 'Größte Straße';
		const page = await open('sites?state=down');
		await page.getByLabel('Search by title or address').fill('größte s');
		await page.getByText('No site matches.').waitFor();
		await page.getByRole('link', { name: '1 more site matches without the filter Down' }).click();
		await rows(page).getByText(site.title).waitFor();
		expect(await rows(page).count()).toBe(1);
	});

	it('comes before the tasks on a phone, where the mailbox has one column', async () => {
		const phone = ends(await startBrowser({ width: 390 }));
		const folder = newFolder('mails');
		writeFileSync(path.join(folder, 'a.eml'), 'Subject: A report\nTo: a@example.com\n\nText\n');
		const ports = { smtpPort: await freePort(), webPort: await freePort() };
		const logFile = path.join(folder, 'log');
		const mailbox = ends(await startMailbox({ ...ports, folder, logFile }));
		await pictured(phone, 'demo phone', async () => {
			const page = await open('', phone);
			const boxOf = async (text: string) => (await page.locator(text).first().boundingBox())!;
			const [list, tasks] = [await boxOf('[aria-label="Sites"]'), await boxOf('.happening')];
			expect(list.y).toBeLessThan(tasks.y);
			const [title, search] = [await boxOf('.filters h2'), await boxOf('.filters label')];
			expect(title.y + title.height).toBeLessThanOrEqual(search.y);
			// One line.
			expect((await boxOf('.gauge:has(meter)')).height).toBeLessThan(30);
			await page.goto(mailbox.url);
			await page.locator('.email-item-link').click();
			await page.locator('.email-meta').waitFor();
			expect((await boxOf('.email-meta')).width).toBe(390);
			await page.locator('.brand').click();
			expect((await boxOf('.email-item-link')).width).toBeGreaterThan(380);
		});
	});
});

describe('what changes', () => {
	const summary = (page: Page) => page.locator('#summary');
	const fail = async (state: object, id = site.id) => {
		pass(1_000);
		await fleet.admin.post(`/sites/${id}/state`, state);
	};

	inBrowser('is marked for some seconds, in the list and on the page of the site', async () => {
		const page = await browser.context.newPage();
		await page.clock.install();
		for (const path of ['', `sites/${site.id}`]) {
			await visit(page, path);
			const marked = page.locator('tr.changed, .heading.changed', { hasText: site.title });
			await page.getByText(site.title).first().waitFor();
			expect(await marked.count()).toBe(0);
			await fail(path ? { uptime: 'up' } : { uptime: 'down' });
			await marked.waitFor();
			expect(await marked.evaluate(ANIMATION)).toBe('changed');
			await page.emulateMedia({ reducedMotion: 'reduce' });
			expect(await marked.evaluate(ANIMATION)).toBe('none');
			await page.emulateMedia({ reducedMotion: 'no-preference' });
			await page.clock.fastForward(7_000);
			await marked.waitFor({ state: 'detached' });
		}
	});

	inBrowser('is read aloud as a summary, and not one by one', async () => {
		const page = await browser.context.newPage();
		await page.clock.install();
		await visit(page);
		const shown = await page
			.locator('tbody tr a.title')
			.evaluateAll((links) =>
				links.slice(0, 5).map((link) => link.getAttribute('href')!.split('/').at(-1)!),
			);
		const rows = page.locator('tr.changed');
		const change = async (...ids: string[]) => {
			for (const id of ids) {
				const { uptime } = fleet.world.store.sites.get(id)!;
				uptime.status = uptime.status === 'up' ? 'down' : 'up';
			}
			fleet.world.revision += 1;
			for (const id of ids) await rows.filter({ has: page.locator(`a[href$="${id}"]`) }).waitFor();
		};
		await change(...shown.slice(0, 3));
		await page.clock.fastForward(1_000);
		await summary(page).getByText('Changed: 3 sites.').waitFor();
		await change(shown[3]!);
		await page.clock.fastForward(3_000);
		expect(await summary(page).innerText()).toBe('Changed: 3 sites.');
		await change(shown[4]!);
		await page.clock.fastForward(10_000);
		await summary(page).getByText('Changed: 2 sites.').waitFor();
	});
});

describe('for everybody', () => {
	const problems = async (page: Page) => {
		await page.evaluate(AXE);
		const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
		return violations.flatMap(({ id, nodes }) =>
			nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
		);
	};

	for (const isDark of [false, true]) {
		for (const width of [1280, 390]) {
			const name = `axe finds nothing, ${isDark ? 'dark' : 'light'}, ${width} pixels wide`;
			it(name, async () => {
				const other = await startBrowser({ isDark, width });
				await pictured(other, name, async () => {
					const { admin, api } = fleet;
					await admin.post(`/sites/${site.id}/state`, { uptime: 'down', malware: 'hacked' });
					await admin.post('/web', { site_id: site.id, status: 500 });
					await admin.post('/tasks', { type: 'restore', site_ids: [site.id] });
					await admin.post('/chat', { text: 'A &lt;message&gt; &amp;lt;', more: 1 });
					await admin.post('/tickets', { title: 'A ticket', description: 'It says more.' });
					await admin.post('/faults', { account_inactive: true, latency: { ms: 0, next: 1000 } });
					await api.get('/tags', { validateStatus: () => true });
					const page = await open('', other);
					for (const path of [...views, 'sites?search=zzz', `sites/${site.id}`, 'sites/none']) {
						await visit(page, path);
						if (path.endsWith(site.id)) {
							await press(page, 'Bring up');
							await said(page, 'is up');
						}
						if (path === 'messages') await page.getByText('A <message> &lt;').waitFor();
						if (path === 'controls') {
							await press(page, 'Skip 1 minute');
							await said(page, 'Skipped');
						}
						expect({ path, problems: await problems(page) }).toEqual({ path, problems: [] });
						if (path !== '') continue;
						await page
							.locator('.scrolling')
							.evaluate((list) => list.setAttribute('aria-busy', 'true'));
						expect(await problems(page)).toEqual([]);
					}
				}).finally(async () => await other.close());
			});
		}
	}

	inBrowser('the sites are at most five stops of the Tab key away', async () => {
		const page = await open();
		const isInTable = async () =>
			await page.evaluate<boolean>(`document.activeElement.closest('table') !== null`);
		let stops = 0;
		while (stops < 20 && !(await isInTable())) {
			await page.keyboard.press('Tab');
			stops += 1;
		}
		expect(stops).toBeLessThanOrEqual(5);
	});

	inBrowser('the first stop skips to the content; arrow keys move within a toolbar', async () => {
		const page = await open('tasks');
		const focused = async () => await page.evaluate('document.activeElement.textContent');
		await page.keyboard.press('Tab');
		expect(await focused()).toBe('Skip to content');
		await page.keyboard.press('Enter');
		expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
		expect(page.url()).toMatch(/#\/tasks$/);
		await page.getByRole('link', { name: 'Tasks', exact: false }).first().focus();
		await page.keyboard.press('ArrowRight');
		expect(await focused()).toBe('Staging');
		await page.keyboard.press('Home');
		expect(await focused()).toBe('Fleet');
		await page.keyboard.press('ArrowLeft');
		expect(await focused()).toBe('Faults & time');
	});

	inBrowser('types of tasks and states are told in words', async () => {
		const page = await open();
		const file = '/_sandbox/files/sandbox/service/page/words.js';
		const words = await page.evaluate(`import('${file}').then(({ named }) => Object.keys(named))`);
		const states = [
			...[taskStatuses, snapshotStatuses, stagingStatuses, recipientStatuses],
			...[connectionStatuses, scannerStatuses, uptimeStatuses],
		].flat();
		expect(words).toEqual(expect.arrayContaining([...taskTypes, ...states]));
		await fleet.admin.post('/tasks', { type: 'hackcleanup', site_ids: [site.id] });
		await page.getByText('Malware clean-up').first().waitFor();
	});

	inBrowser('nothing goes wrong unseen', async () => {
		const { consoleErrors } = browser;
		const before = consoleErrors.length;
		const page = await open();
		for (const path of [...views, `sites/${site.id}`]) await visit(page, path);
		expect(consoleErrors.slice(before)).toEqual([]);
	});
});
