import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { exampleFilesCalledFirst } from '../../sandbox/lib/examples';
import { openWorkflow, pictured, signInAt, startBrowser, type Browser } from '../support/browser';
import { ends } from '../support/ending';
import { startExamples, type Examples } from '../support/examples';
import { OWNER } from '../support/n8n';
import { healthySites } from '../support/safeUpdate';
import { until } from '../support/until';

/**
 * Each example as the editor draws it, all of it in one window: whether a stranger can read it. What a person sees in
 * the chat of example 12. And what n8n says of all of them in its own report on the move to n8n 3.
 */

const FLEET_TOOLS = '12-fleet-tools.json';

/** What a person finds hard to read on the canvas, in words, and its pixels on the screen for each of its own. */
const LOOK = readFileSync(path.join(__dirname, '../support/canvasInPage.js'), 'utf8');

/** The text of notes has 14 pixels, and the headings of areas about 25. */
const LEAST_SCALE = 0.5;
/** Two dozen tools beside each other, or five areas with a heading each: read part by part. */
const WIDE = [FLEET_TOOLS, '12a-fleet-changes.json', '02-known-vulnerability.json'];

const files = exampleFilesCalledFirst();
let examples: Examples;
let browser: Browser;
const pages = new Map<string, Promise<Page>>();

beforeAll(async () => {
	examples = ends(await startExamples('browser-examples', { sites: 20 }));
	browser = ends(await startBrowser({ width: 1280, height: 800 }));
	await signInAt(browser, examples.n8n.baseUrl, OWNER);
});

// Where only some tests run, one is loaded that none of them looks at.
afterAll(async () => await Promise.allSettled(pages.values()));

async function load(file: string): Promise<Page> {
	return await openWorkflow(browser, examples.n8n.baseUrl, await examples.add(file));
}

/** The editor moves the canvas until all of it is in sight. */
async function standsStill(page: Page): Promise<void> {
	const places: string[] = [];
	const isStill = async () => {
		const place = page.locator('.vue-flow__transformationpane');
		places.push((await place.getAttribute('style')) ?? '');
		return places.length > 3 && new Set(places.slice(-3)).size === 1;
	};
	await until('a canvas that stands still', isStill, 10_000, 100);
}

it.each(files)('%s can be read', async (file) => {
	await pictured(browser, file, async () => {
		const page = await (pages.get(file) ?? load(file));
		// While one is looked at, the next one is loaded.
		const next = files[files.indexOf(file) + 1];
		if (next) pages.set(next, load(next));
		await standsStill(page);
		const { faults, scale } = await page.evaluate<{ faults: string[]; scale: number }>(LOOK);
		expect(faults).toEqual([]);
		expect(scale).toBeGreaterThanOrEqual(WIDE.includes(file) ? 0 : LEAST_SCALE);
		await page.close();
	});
});

it('n8n 3 changes nothing in any of them', async () => {
	const { rest } = examples.n8n;
	const ofVersion = { params: { version: 'v3' } };
	await rest.post('/breaking-changes/report/refresh', {}, ofVersion);
	const { data } = await rest.get('/breaking-changes/report', ofVersion);
	const { totalWorkflows, report } = data.data;
	expect([totalWorkflows, report.workflowResults]).toEqual([files.length, []]);
});

it('the chat shows which site is backed up before it is done, and does it where a person approves', async () => {
	await pictured(browser, 'review', async () => {
		const { service } = examples;
		const [{ id, title, url }] = healthySites(service, 1);
		const page = await load(FLEET_TOOLS);
		await page.locator('[data-test-id="workflow-chat-button"]').click();
		const changes = () => service.requests.filter(({ method }) => method === 'POST').length;
		for (const [index, [button, said, made]] of [
			['Decline', 'You have declined it: nothing was changed.', 0] as const,
			['Approve', 'has been started.', 1] as const,
		].entries()) {
			const input = page.locator('[data-test-id="chat-input"]');
			await input.fill(`Back up ${new URL(url).host}`);
			// While a run ends, the chat takes nothing.
			await until('the message to be taken', async () => {
				await input.press('Enter');
				return (await input.inputValue()) === '';
			});
			const message = page.locator('.chat-message', { hasText: 'Back up this site?' }).nth(index);
			await message.waitFor({ timeout: 60_000 });
			const shown = await message.innerText();
			expect(shown).toContain(`URL: "${url}"`);
			expect(shown).toContain(`Title, as the agent gives it: "${title}"`);
			expect(shown).toContain('Now, as the agent gives it: "The last good backup is of ');
			expect(shown).not.toContain(id);
			expect(changes()).toBe(0);
			await message.getByText(button, { exact: true }).click();
			const answer = page.locator('.chat-message', { hasText: said });
			await answer.waitFor({ timeout: 60_000 });
			expect(changes()).toBe(made);
		}
	});
});
