import type { Locator, Page } from 'playwright-core';
import { importWorkflow, type Workflow } from '../../sandbox/lib/content';
import { waitFor } from '../../sandbox/lib/wait';
import { openWorkflow, pictured, signInAt, startBrowser } from './browser';
import { startFleet } from './fleet';
import { ended, OWNER, startTestN8n } from './n8n';
import { starting } from './starting';
import { chain, nodeOf, saveAccount } from './workflow';

/** What a person does in n8n's editor, and what is to be seen there. */

export const TRIGGER = 'Start';
export const STEP = 'Step';

/** For what n8n does after a click. */
const PATIENCE_MS = 20_000;

export type Editor = Awaited<ReturnType<typeof startEditor>>;

/** Starts n8n with the package, the service, and a browser that is signed in. */
export async function startEditor(name: string) {
	return await starting(async (runs) => {
		// Another time zone than that of the workflows, so that no time is right by chance.
		const browser = runs(await startBrowser({ width: 1400, timezone: 'Asia/Tokyo' }));
		const fleet = await startFleet({ sites: 60 });
		const n8n = runs(await startTestN8n(name));
		const credentialId = await saveAccount(n8n, fleet);
		browser.context.setDefaultTimeout(PATIENCE_MS);
		await signInAt(browser, n8n.baseUrl, OWNER);
		return { n8n, fleet, browser, credentialId };
	});
}

/** n8n asks the package registry for a newer version of the package, which the browser does not reach. */
const NOT_OURS = /ERR_NAME_NOT_RESOLVED \(https:\/\/[^/]+\/n8n-nodes-site-management\)$/;

/** A test in the editor: it fails on errors in the console, too, keeps a picture when it fails, and leaves no page. */
export const inEditor = (editor: () => Editor, name: string, work: () => Promise<void>) =>
	it(name, async () => {
		const { browser, fleet } = editor();
		const { context, consoleErrors } = browser;
		fleet.forget();
		try {
			await pictured(browser, name, async () => {
				await work();
				expect(consoleErrors.filter((error) => !NOT_OURS.test(error))).toEqual([]);
			});
		} finally {
			consoleErrors.splice(0);
			for (const page of context.pages().slice(1)) await page.close();
		}
	});

/** A node of the package with parameters, after a manual trigger unless it is a trigger itself. */
export function stepWorkflow(
	id: string,
	node: string,
	parameters: Record<string, unknown>,
	credentialId: string,
): Workflow {
	const at = (x: number) => ({ position: [x, 0] });
	const step = nodeOf(credentialId, STEP, node, parameters, at(224));
	const trigger = nodeOf(credentialId, TRIGGER, 'n8n-nodes-base.manualTrigger', {}, at(0));
	const nodes = node.endsWith('Trigger') ? [step] : [trigger, step];
	const settings = { executionOrder: 'v1', timezone: 'America/New_York' };
	return { ...chain(id, ...nodes), settings };
}

let workflows = 0;

/** Opens the panel of a node that has these parameters already. */
export async function openStep(
	{ n8n, browser, credentialId }: Editor,
	node: string,
	parameters: Record<string, unknown>,
): Promise<Page> {
	const id = `step${++workflows}`;
	await importWorkflow(n8n.rest, stepWorkflow(id, node, parameters, credentialId));
	const page = await openWorkflow(browser, n8n.baseUrl, id);
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${STEP}"]`).dblclick();
	await part(page, 'ndv').waitFor();
	return page;
}

/** What n8n marks for its own tests. */
export const part = (within: Page | Locator, id: string) =>
	within.locator(`[data-test-id="${id}"]:visible`);

/** A parameter of the panel by its name, such as `siteId`. */
export const field = (within: Page | Locator, name: string) =>
	part(within, `parameter-input-${name}`);

export const entries = (page: Page) => page.locator('[role="option"]:visible');

export const pick = async (page: Page, text: string) =>
	await entries(page).getByText(text, { exact: true }).click();

/** Chooses one value of a parameter that has a list of them, or several. */
export async function choose(page: Page, name: string, ...texts: string[]): Promise<void> {
	const isOpen = async () => {
		await field(page, name).click();
		const shown = entries(page).first().waitFor({ timeout: 2_000 });
		return await shown.then(() => true).catch(() => undefined);
	};
	// While n8n still loads a list a click may be lost: a person clicks again.
	await waitFor(`the list of ${name}`, isOpen, PATIENCE_MS);
	for (const text of texts) await pick(page, text);
	if (texts.length > 1) await page.keyboard.press('Escape');
	await entries(page).first().waitFor({ state: 'hidden' });
}

/** Adds a field to a collection by its button, such as "Add Filter"; where there is one only, the button adds it. */
export async function add(page: Page, button: string, text?: string): Promise<void> {
	const list = page.getByPlaceholder(button, { exact: true });
	await list.or(page.getByRole('button', { name: button, exact: true })).click();
	if (text) await pick(page, text);
	await entries(page).first().waitFor({ state: 'hidden' });
}

/** Waits until n8n has saved what a person does: what is typed counts a moment later only. */
async function saved(page: Page, text: string, work: () => Promise<void>): Promise<void> {
	const inJson = JSON.stringify(text).slice(1, -1);
	const isSaved = page.waitForRequest(
		(request) => request.method() === 'PATCH' && !!request.postData()?.includes(inJson),
	);
	await work();
	await isSaved;
}

export const type = async (page: Page, input: Locator, text: string) =>
	await saved(page, text, async () => await input.fill(text));

/** Types into a field that is an editor of its own: an expression, or JSON. */
export const typeCode = async (page: Page, name: string, text: string) =>
	await saved(page, text, async () => {
		await field(page, name).locator('.cm-content').click();
		await page.keyboard.press('Control+A');
		// Key by key the editor would close brackets that are in the text already.
		await page.keyboard.insertText(text);
	});

export async function typeTime(page: Page, name: string, day: string, time: string): Promise<void> {
	const input = field(page, name).locator('input');
	await input.click();
	const calendar = page.locator('.el-picker-panel:visible');
	const fill = async (placeholder: string, text: string) => {
		const place = calendar.getByPlaceholder(placeholder);
		await place.fill(text);
		await place.press('Enter');
	};
	await fill('Select date', day);
	// A time that comes before the calendar has taken the day is lost.
	const isTaken = async () => {
		await fill('Select time', time);
		return (await input.inputValue()) === `${day} ${time}` || undefined;
	};
	await waitFor(`${day} ${time} in ${name}`, isTaken, PATIENCE_MS);
	// The first is that of the time.
	await calendar.getByRole('button', { name: 'OK' }).last().click();
}

export const locatorInput = (page: Page, name: string) =>
	part(part(page, `resource-locator-${name}`), 'rlc-input');

/** Chooses From List, By ID or By URL in a locator. */
export async function pickMode(page: Page, name: string, mode: string): Promise<void> {
	await part(part(page, `resource-locator-${name}`), 'rlc-mode-selector').click();
	await pick(page, mode);
}

/** Turns the button of the panel, and waits until the run has ended. */
export async function execute({ n8n }: Editor, page: Page): Promise<void> {
	const answer = page.waitForResponse(
		(response) => response.request().method() === 'POST' && response.url().endsWith('/run'),
	);
	await part(page, 'node-execute-button').first().click();
	const started = (await (await answer).json()) as { data: { executionId: string } };
	await ended(n8n.rest, started.data.executionId);
}

const output = (page: Page) => part(page, 'output-panel');

/** The table of the output: each item by the names of the columns, as it is to be read. */
export async function table(page: Page): Promise<Array<Record<string, string>>> {
	const shown = output(page).locator('table');
	await shown.waitFor();
	const names = await shown.locator('th').allInnerTexts();
	const rows = await shown.locator('tbody tr').all();
	return await Promise.all(
		rows.map(async (row) => {
			const cells = await row.locator('td').allInnerTexts();
			const named = names.map((name, index) => [name.trim(), cells[index]?.trim()]);
			return Object.fromEntries(named.filter(([name]) => name)) as Record<string, string>;
		}),
	);
}

/** The error in the output: what is red, and what stands below. */
export async function errorOf(page: Page): Promise<{ message: string; description: string }> {
	const message = part(output(page), 'node-error-message');
	await message.waitFor();
	return {
		message: await message.innerText(),
		description: await part(output(page), 'node-error-description').innerText(),
	};
}

/** Waits until a text is there. */
export const shows = async (place: Locator, text: string | RegExp) =>
	await place.filter({ hasText: text }).first().waitFor();
