import { mkdirSync } from 'node:fs';
import { importWorkflow } from '../../sandbox/lib/content';
import type { Workflow } from '../../sandbox/lib/content';
import { exampleFilesCalledFirst } from '../../sandbox/lib/examples';
import { openWorkflow, signInAt, startBrowser } from '../../test/support/browser';
import type { Browser } from '../../test/support/browser';
import { startExamples } from '../../test/support/examples';
import type { Examples } from '../../test/support/examples';
import { OWNER } from '../../test/support/n8n';
import { emailOf, folder, ofPage, take } from './take';
import { updates, UPDATES_OPTIONS } from './updates';

/*
 * The pictures of the documentation, from the real editor: each example, the first workflow and its email, what a search
 * for a node finds, a restore as a user does it and what becomes of it on the page of the fleet, a report in the mailbox,
 * and the sandbox's page.
 */

/** The first workflow after a run, and its email, both so large that they can be read in the README. */
async function start(examples: Examples): Promise<void> {
	const { n8n } = examples;
	const browser = await startBrowser({ width: 1080, height: 680 });
	try {
		await signInAt(browser, n8n.baseUrl, OWNER);
		const id = await examples.add('00-start-here.json');
		const page = await openWorkflow(browser, n8n.baseUrl, id);
		await page.locator('[data-test-id="execute-workflow-button"]').first().click();
		await page.locator('[data-test-id="canvas-node-status-success"]').nth(4).waitFor();
		// What tells of the run covers the last node.
		await page.locator('.el-notification__closeBtn').first().click();
		await page.locator('[data-test-id="zoom-to-fit"]').click();
		await take(page, 'start-here');
		await page.close();
		await emailOf(examples, browser, 'start-here-email');
	} finally {
		await browser.close();
	}
}

/** A manual trigger and a restore of a site's newest snapshot, which waits for its end. */
function restoreWorkflow({ id, url, snapshotId }: Record<'id' | 'url' | 'snapshotId', string>) {
	const at = (x: number) => ({ typeVersion: 1, position: [x, 0] as [number, number] });
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	return {
		id: 'pictureRestore01',
		name: 'Restore a site',
		active: false,
		nodes: [
			{
				id: 'start',
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				parameters: {},
				...at(0),
			},
			{
				id: 'restore',
				name: 'Restore the site',
				type: 'n8n-nodes-site-management.backup',
				parameters: {
					resource: 'backup',
					operation: 'restore',
					siteId: byId(id),
					snapshotId: byId(snapshotId),
					includeFiles: true,
					includeDatabase: true,
					onlyIf: 'url',
					onlyIfUrl: url,
					waitForCompletion: true,
				},
				credentials: { siteManagementApi: { id: 'x', name: 'Site Management Sandbox' } },
				...at(224),
			},
		],
		connections: { Start: { main: [[{ node: 'Restore the site', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

async function restore(examples: Examples, browser: Browser): Promise<void> {
	const { n8n, service, withIds } = examples;
	const site = service.world.store.sites
		.all()
		.find(
			({ backups, connection }) =>
				backups.latest_snapshot?.status === 'succeeded' && connection.status === 'connected',
		)!;
	const { id, url } = site;
	const snapshotId = site.backups.latest_snapshot!.id;
	const workflow = withIds(restoreWorkflow({ id, url, snapshotId }) as Workflow);
	await importWorkflow(n8n.rest, workflow);
	const page = await openWorkflow(browser, n8n.baseUrl, workflow.id);
	await page.locator('[data-test-id="canvas-node"]').nth(1).dblclick({ force: true });
	await page.locator('[data-test-id="ndv"]').waitFor();
	await page.locator('[data-test-id="node-execute-button"]').first().click();
	await page.locator('[data-test-id="output-panel"] [data-test-id="ndv-items-count"]').waitFor({
		timeout: 120_000,
	});
	await take(page, 'panel-restore-done');
	await page.close();
	const { href } = new URL(`/#/sites/${id}`, service.baseUrl);
	await ofPage(browser, href, 'fleet-site-restored');
}

/** What the search for nodes finds, and what the node that comes first can do. */
async function search({ n8n }: Examples, browser: Browser): Promise<void> {
	const page = await browser.context.newPage();
	await page.goto(`${n8n.baseUrl}/workflow/new`, { waitUntil: 'domcontentloaded' });
	await page.locator('[data-test-id="canvas-plus-button"]').first().click();
	await page.locator('[data-test-id="node-creator-search-bar"]').fill('backup');
	const found = page.locator('[data-test-id="node-creator-item-name"]');
	await found.filter({ hasText: 'Site Management' }).first().waitFor();
	await take(page, 'search-backup');
	await found.first().click();
	// The first step of a workflow is offered the events first.
	await page.getByText(/^Triggers \(\d+\)/).click();
	await page.getByText(/^Actions \(\d+\)/).click();
	await found.filter({ hasText: 'Back up site' }).waitFor();
	await take(page, 'search-backup-actions');
	await page.close();
}

/** The monthly report: the mail with its PDFs, and what the chat got. */
async function report(examples: Examples, browser: Browser): Promise<void> {
	const { service } = examples;
	await examples.run(await examples.add('04-monthly-report.json'));
	await emailOf(examples, browser, 'mailbox-report');
	await ofPage(browser, new URL('/#/messages', service.baseUrl).href, 'fleet-messages');
}

/** The page of the fleet, on a screen and on a phone, and the buttons of a site. */
async function fleet({ service }: Examples, browser: Browser): Promise<void> {
	const { href } = new URL('/', service.baseUrl);
	await ofPage(browser, href, 'fleet');
	const [site] = service.world.store.sites.all();
	await ofPage(browser, new URL(`/#/sites/${site!.id}`, href).href, 'fleet-site');
	const phone = await startBrowser({ width: 390, height: 780, isDark: true });
	await ofPage(phone, href, 'fleet-phone-dark').finally(async () => await phone.close());
}

async function example(file: string, examples: Examples, browser: Browser): Promise<void> {
	const id = await examples.add(file);
	const page = await openWorkflow(browser, examples.n8n.baseUrl, id);
	await take(page, file.replace('.json', ''));
	await page.close();
}

/** Takes pictures with an n8n, a service and a browser of its own. */
async function withAll(
	name: string,
	options: Parameters<typeof startExamples>[1],
	work: (examples: Examples, browser: Browser) => Promise<void>,
): Promise<void> {
	const examples = await startExamples(name, options);
	const browser = await startBrowser({ width: 1280, height: 800 });
	try {
		await signInAt(browser, examples.n8n.baseUrl, OWNER);
		await work(examples, browser);
	} finally {
		await browser.close();
		await examples.stop();
	}
}

/** @param wanted beginnings of names, such as `01` or `fleet`; none for all */
export async function takePictures(wanted: string[]): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const isWanted = (name: string) =>
		wanted.length === 0 || wanted.some((each) => name.startsWith(each));
	await withAll('pictures', { sites: 120 }, async (examples, browser) => {
		for (const file of exampleFilesCalledFirst().filter(isWanted))
			await example(file, examples, browser);
		for (const [name, ofThis] of Object.entries({ search, start, restore, report, fleet })) {
			if (isWanted(name)) await ofThis(examples, browser);
		}
	});
	if (isWanted('updates')) await withAll('pictures-updates', UPDATES_OPTIONS, updates);
}
