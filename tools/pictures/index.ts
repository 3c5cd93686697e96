import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { importWorkflow } from '../../sandbox/lib/content';
import { exampleFilesCalledFirst } from '../../sandbox/lib/examples';
import { slugOf } from '../../sandbox/service/domain/content/componentFiles';
import { installed } from '../../sandbox/service/domain/beyond/state';
import { readProfile } from '../../sandbox/service/otherService';
import { openWorkflow, signInAt, startBrowser, type Browser } from '../../test/support/browser';
import { startExamples, type Examples } from '../../test/support/examples';
import { locator } from '../../test/support/locator';
import { OWNER } from '../../test/support/n8n';
import { chain, nodeOf } from '../../test/support/workflow';
import { folder, newestEmail, ofPage, take } from './take';
import { updates, UPDATES_OPTIONS } from './updates';

/*
 * The pictures of the documentation, from the real editor: each example, a first look that moves, what a search
 * for a node finds, a restore as a user does it and what becomes of it on the page of the fleet, Any Operation, a report in
 * the mailbox, and the sandbox's page.
 */

/** Opens a step behind a manual trigger. */
async function openStep(
	{ n8n, withIds }: Examples,
	browser: Browser,
	step: ReturnType<typeof nodeOf>,
): Promise<Page> {
	const start = nodeOf('', 'Start', 'n8n-nodes-base.manualTrigger', {});
	const workflow = withIds(chain(`picture${step.name}`, start, { ...step, position: [224, 0] }));
	await importWorkflow(n8n.rest, workflow);
	const page = await openWorkflow(browser, n8n.baseUrl, workflow.id);
	await page.locator('[data-test-id="canvas-node"]').nth(1).dblclick({ force: true });
	await page.locator('[data-test-id="ndv"]').waitFor();
	return page;
}

async function execute(page: Page): Promise<void> {
	await page.locator('[data-test-id="node-execute-button"]').first().click();
	const items = page.locator('[data-test-id="output-panel"] [data-test-id="ndv-items-count"]');
	await items.waitFor({ timeout: 120_000 });
}

async function restore(examples: Examples, browser: Browser): Promise<void> {
	const { service } = examples;
	const site = service.world.store.sites
		.all()
		.find(
			({ backups, connection }) =>
				backups.latest_snapshot?.status === 'succeeded' && connection.status === 'connected',
		)!;
	const { id, url } = site;
	const step = nodeOf('', 'Restore the site', 'backup', {
		...{ resource: 'backup', operation: 'restore', siteId: locator(id) },
		snapshotId: locator(site.backups.latest_snapshot!.id),
		...{ includeFiles: true, includeDatabase: true, waitForCompletion: true },
		onlyIfUrl: url,
	});
	const page = await openStep(examples, browser, step);
	await execute(page);
	await take(page, 'panel-restore-done');
	await page.close();
	const { href } = new URL(`/#/sites/${id}`, service.baseUrl);
	await ofPage(browser, href, 'fleet-site-restored');
}

/** Any Operation with one that no node has: the search for it, and its values and its task. */
async function anyOperation(examples: Examples, browser: Browser): Promise<void> {
	const { world } = examples.service;
	const [site] = world.store.sites.all();
	const { file } = installed(world, site!, 'plugin')[0]!;
	const step = nodeOf('', 'Deactivate a plugin', 'api', {
		...{ resource: 'request', operation: 'anyOperation' },
		options: { waitForCompletion: true },
	});
	const page = await openStep(examples, browser, step);
	await page.locator('[data-test-id="resource-locator-apiOperation"] input').last().click();
	await page.locator('[data-test-id="rlc-search"]').fill('plugins post');
	const found = page.locator('[data-test-id="rlc-item"]').filter({ hasText: 'Deactivate' });
	await found.waitFor();
	await take(page, 'panel-any-operation');
	await found.click();
	await page.locator('.cm-content').first().click();
	const sites = [{ id: site!.id, plugins: [{ slug: slugOf(file) }] }];
	await page.keyboard.press('ControlOrMeta+a');
	await page.keyboard.insertText(JSON.stringify(sites));
	await execute(page);
	await take(page, 'panel-any-operation-done');
	await page.close();
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
	const inbox = await newestEmail(examples, browser);
	await take(inbox, 'mailbox-report');
	await inbox.close();
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
		for (const [name, ofThis] of Object.entries({ search, restore, report, fleet })) {
			if (isWanted(name)) await ofThis(examples, browser);
		}
	});
	if (isWanted('any-operation')) {
		const profile = readProfile(path.resolve('sandbox/service/otherService/part-d.json'));
		await withAll('pictures-any-operation', { sites: 20, profile }, anyOperation);
	}
	if (isWanted('updates')) await withAll('pictures-updates', UPDATES_OPTIONS, updates);
}
