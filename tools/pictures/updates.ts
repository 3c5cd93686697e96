import { FORM_USER } from '../../sandbox/lib/examples';
import { setVersion } from '../../sandbox/service/domain/content/components';
import { setFlaw } from '../../sandbox/service/domain/content/flaws';
import { startSync } from '../../sandbox/service/domain/sites/rules';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import type { Page } from 'playwright-core';
import { openWorkflow, type Browser } from '../../test/support/browser';
import type { Examples } from '../../test/support/examples';
import { AT_ONCE } from '../../test/support/brokenUpdates';
import { press } from '../../test/support/mails';
import { addSafeUpdate, addVulnerability, tagOnly, wellSites } from '../../test/support/safeUpdate';
import { Film } from './film';
import { newestEmail, ofPage, openPage, take } from './take';

/*
 * Examples 00, 01 and 02 from start to end, as people see them, the first two also as a moving picture: an update that
 * breaks a page, of which only the culprit is taken back, and a vulnerable plugin from the form to the message that it
 * is gone.
 */

/** Ten minutes pass in a second. */
export const UPDATES_OPTIONS = { sites: 24, speed: 600, rateLimit: { limit: 100_000 } };

const CULPRIT = 'image-slider';

const messages = ({ service }: Examples) => new URL('/#/messages', service.baseUrl).href;

const run = (page: Page) =>
	page.locator('[data-test-id="execute-workflow-button"]').first().click();

/** The first workflow, from its start to its email. */
async function startHere(examples: Examples, browser: Browser, film: Film): Promise<void> {
	const { n8n, add } = examples;
	const page = await openWorkflow(browser, n8n.baseUrl, await add('00-start-here.json'));
	await film.show(page, 'Which sites have no good backup?', 2_000);
	await run(page);
	const done = page.locator('[data-test-id="canvas-node-status-success"]').nth(4).waitFor();
	await film.follow(page, 'Five nodes find them …', 3_000, done);
	await page.close();
	const inbox = await newestEmail(examples, browser);
	await film.show(inbox, '… and send one email with the answer.', 4_000);
	await inbox.close();
}

async function safeUpdate(examples: Examples, browser: Browser, film: Film): Promise<void> {
	const { service, n8n } = examples;
	const [broken, ...others] = wellSites(service).slice(0, 4) as [SiteRow, ...SiteRow[]];
	for (const plugin of ['page-cache', 'contact-forms', CULPRIT]) {
		setVersion(service.world, broken, plugin, '1.0.0');
	}
	setFlaw(service.world, broken, { plugin: CULPRIT, ...AT_ONCE });
	tagOnly(service, [broken, ...others]);
	const page = await openWorkflow(browser, n8n.baseUrl, await addSafeUpdate(examples));
	await film.show(page, 'Update four sites, one of which will break', 3_000);
	await run(page);
	const asked = examples.mail(/^Approve the update of 4 sites\?/);
	const mail = await film.follow(page, 'Back up, look at the pages, ask …', 3_000, asked);
	const inbox = await newestEmail(examples, browser);
	await film.show(inbox, '… a person, who approves the update.', 4_000);
	await take(inbox, '01-email');
	await inbox.close();
	await press(mail, 'Update them');
	const told = examples.text(/^\*Safe update\*/);
	await film.follow(page, 'Update in waves, and look at the pages again', 5_000, told);
	await page.locator('[data-test-id="zoom-to-fit"]').click();
	await take(page, '01-run');
	await page.close();
	const chat = await openPage(browser, messages(examples));
	await film.show(chat, 'One plugin broke a site. Only that one is taken back.', 5_000);
	await take(chat, '01-chat');
	await chat.close();
}

async function vulnerability(examples: Examples, browser: Browser): Promise<void> {
	const { service, n8n } = examples;
	const sites = wellSites(service).slice(4, 7);
	for (const site of sites) setVersion(service.world, site, 'page-cache', '1.9.4');
	for (const site of sites) startSync(service.world, site, 'For the inventory');
	await examples.run(await addVulnerability(examples));
	const page = await browser.context.newPage();
	// The page of a URL with a password in it cannot send its form.
	const { user, password } = FORM_USER;
	const Authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
	await page.setExtraHTTPHeaders({ Authorization });
	await page.goto(`${n8n.baseUrl}/form/known-vulnerability`, { waitUntil: 'load' });
	await page.locator('input').nth(0).fill('page-cache');
	await page.locator('input').nth(1).fill('= 1.9.4');
	await take(page, '02-form');
	await page.getByRole('button').first().click();
	const mail = await examples.mail(/^Update page-cache on /);
	await page.close();
	await press(mail, 'Update them');
	await examples.text(/not affected any more|still ha/);
	await ofPage(browser, messages(examples), '02-chat');
}

export async function updates(examples: Examples, browser: Browser): Promise<void> {
	for (const schedule of examples.service.world.store.autoUpdateSchedules.all()) {
		schedule.status = 'paused';
	}
	const film = new Film();
	await startHere(examples, browser, film);
	await safeUpdate(examples, browser, film);
	await film.write('first-look');
	await vulnerability(examples, browser);
}
