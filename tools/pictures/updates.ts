import { FORM_USER } from '../../sandbox/lib/examples';
import { setVersion } from '../../sandbox/service/domain/content/components';
import { setFlaw } from '../../sandbox/service/domain/content/flaws';
import { startSync } from '../../sandbox/service/domain/sites/rules';
import type { SiteRow } from '../../sandbox/service/domain/sites/rows';
import { openWorkflow } from '../../test/support/browser';
import type { Browser } from '../../test/support/browser';
import type { Examples } from '../../test/support/examples';
import { AT_ONCE } from '../../test/support/brokenUpdates';
import { press } from '../../test/support/mails';
import { addSafeUpdate, addVulnerability, tagOnly, wellSites } from '../../test/support/safeUpdate';
import { emailOf, ofPage, take } from './take';

/*
 * Examples 01 and 02 from start to end, as people see them: an update that breaks a page, of which only the culprit is
 * taken back, and a vulnerable plugin from the form to the message that it is gone.
 */

/** Ten minutes pass in a second. */
export const UPDATES_OPTIONS = { sites: 24, speed: 600, rateLimit: { limit: 100_000 } };

const CULPRIT = 'image-slider';

const messages = ({ service }: Examples) => new URL('/#/messages', service.baseUrl).href;

async function safeUpdate(examples: Examples, browser: Browser): Promise<void> {
	const { service, n8n } = examples;
	const [broken, ...others] = wellSites(service).slice(0, 4) as [SiteRow, ...SiteRow[]];
	for (const plugin of ['page-cache', 'contact-forms', CULPRIT]) {
		setVersion(service.world, broken, plugin, '1.0.0');
	}
	setFlaw(service.world, broken, { plugin: CULPRIT, ...AT_ONCE });
	tagOnly(service, [broken, ...others]);
	const page = await openWorkflow(browser, n8n.baseUrl, await addSafeUpdate(examples));
	await page.locator('[data-test-id="execute-workflow-button"]').first().click();
	const mail = await examples.mail(/^Approve the update of 4 sites\?/);
	await emailOf(examples, browser, '01-email');
	await press(mail, 'Update them');
	await examples.text(/^\*Safe update\*/);
	await page.locator('[data-test-id="zoom-to-fit"]').click();
	await take(page, '01-run');
	await page.close();
	await ofPage(browser, messages(examples), '01-chat');
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
	await safeUpdate(examples, browser);
	await vulnerability(examples, browser);
}
