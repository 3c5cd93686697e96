import { importWorkflow } from '../../sandbox/lib/content';
import { inEditor, shows, startEditor, stepWorkflow, TRIGGER } from '../support/editor';
import type { Editor } from '../support/editor';
import { runWorkflow } from '../support/n8n';

/** The page on which a person sees what workflows do to the fleet. */

const START_TIMEOUT_MS = 15 * 60_000;

let editor: Editor;

beforeAll(async () => {
	editor = await startEditor('browser-fleet');
}, START_TIMEOUT_MS);

afterAll(async () => await editor?.stop(), START_TIMEOUT_MS);

const it = (name: string, work: () => Promise<void>) => inEditor(() => editor, name, work);

it('shows the sites, and what a workflow changes without being loaded again', async () => {
	const { browser, fleet, n8n, credentialId } = editor;
	const params = { sort: 'url,asc', perPage: 25 };
	const { sites } = (await fleet.api.get('/sites', { params })).data;
	const [site] = sites;
	const page = await browser.context.newPage();
	let loads = 0;
	page.on('load', () => (loads += 1));
	await page.goto(fleet.pageUrl, { waitUntil: 'load' });
	const table = page.getByRole('table', { name: 'Sites' });
	await shows(table, site.title);
	const titles = await table.locator('a.title').allInnerTexts();
	expect(titles).toEqual(sites.map(({ title }: { title: string }) => title));
	await shows(page.getByRole('navigation', { name: 'States of the sites' }), /60\s*All sites/);

	await table.locator('a.title').first().click();
	await page.getByRole('heading', { name: site.title }).first().waitFor();
	const content = 'Written by a workflow';
	await page.getByText(content).waitFor({ state: 'hidden' });
	const parameters = {
		resource: 'note',
		operation: 'create',
		siteId: { __rl: true, mode: 'id', value: site.id },
		content,
	};
	const workflow = stepWorkflow('note', 'site', parameters, credentialId);
	await importWorkflow(n8n.rest, workflow);
	const execution = await runWorkflow(n8n.rest, workflow.id, TRIGGER);
	expect(execution.status).toBe('success');
	await page.getByText(content).first().waitFor();
	expect(loads).toBe(1);
});
