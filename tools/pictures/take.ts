import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Browser } from '../../test/support/browser';
import type { Examples } from '../../test/support/examples';

export const folder = path.resolve(__dirname, '../../docs/pictures');

/** What moves comes to rest before a picture is taken. */
const REST_MS = 1_500;

/** n8n lays its checklist over the canvas of a published workflow. */
const WITHOUT_CHECKLIST =
	'[role="dialog"]:has([data-test-id="suggested-actions-close"]) { visibility: hidden !important; }';

export async function take(page: Page, name: string): Promise<void> {
	await page.waitForTimeout(REST_MS);
	const file = path.join(folder, `${name}.png`);
	await page.screenshot({ path: file, style: WITHOUT_CHECKLIST });
	process.stdout.write(`  ${name}.png\n`);
}

export async function emailOf(
	{ mailbox }: Examples,
	browser: Browser,
	name: string,
): Promise<void> {
	const page = await browser.context.newPage();
	await page.goto(mailbox.url, { waitUntil: 'load' });
	await page.locator('.email-item').first().click();
	await take(page, name);
	await page.close();
}

export async function ofPage(browser: Browser, url: string, name: string): Promise<void> {
	const page = await browser.context.newPage();
	await page.goto(url, { waitUntil: 'load' });
	await take(page, name);
	await page.close();
}
