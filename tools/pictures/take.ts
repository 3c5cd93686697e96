import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Browser } from '../../test/support/browser';
import type { Examples } from '../../test/support/examples';

export const folder = path.resolve(__dirname, '../../docs/pictures');

/** What moves comes to rest before a picture is taken. */
const REST_MS = 1_500;

/** n8n lays its checklist over the canvas of a published workflow. */
export const WITHOUT_CHECKLIST =
	'[role="dialog"]:has([data-test-id="suggested-actions-close"]) { visibility: hidden !important; }';

export async function take(page: Page, name: string): Promise<void> {
	await page.waitForTimeout(REST_MS);
	const file = path.join(folder, `${name}.png`);
	await page.screenshot({ path: file, style: WITHOUT_CHECKLIST });
	process.stdout.write(`  ${name}.png\n`);
}

export async function openPage(browser: Browser, url: string): Promise<Page> {
	const page = await browser.context.newPage();
	await page.goto(url, { waitUntil: 'load' });
	await page.waitForTimeout(REST_MS);
	return page;
}

export async function newestEmail({ mailbox }: Examples, browser: Browser): Promise<Page> {
	const page = await openPage(browser, mailbox.url);
	await page.locator('.email-item').first().click();
	await page.waitForTimeout(REST_MS);
	return page;
}

export async function ofPage(browser: Browser, url: string, name: string): Promise<void> {
	const page = await openPage(browser, url);
	await take(page, name);
	await page.close();
}
