import { setTimeout as pause } from 'node:timers/promises';
import { exampleFiles } from '../../sandbox/lib/examples';
import { openWorkflow, pictured, signInAt, startBrowser } from '../support/browser';
import type { Browser } from '../support/browser';
import { canvasLook } from '../support/canvas';
import type { Examples } from '../support/examples';
import { startExamples } from '../support/examples';
import { OWNER } from '../support/n8n';

/**
 * Each example as the editor draws it, all of it in one window: whether a stranger can read it. And what n8n says of all
 * of them in its own report on the move to n8n 3.
 */

/** The editor moves the canvas until all of it is in sight. */
const STILL_MS = 800;
/** The text of notes has 14 pixels, and the headings of areas about 25. */
const LEAST_SCALE = 0.5;
/** Two dozen tools side by side: read part by part. */
const WIDE = '12-fleet-tools.json';

/** What a rule of n8n has found in the workflows that are stored. */
interface MigrationReport {
	report: { workflowResults: unknown[] };
	totalWorkflows: number;
}

let examples: Examples;
let browser: Browser;

beforeAll(async () => {
	examples = await startExamples('browser-examples', { sites: 20 });
	browser = await startBrowser({ width: 1280, height: 800 });
	await signInAt(browser, examples.n8n.baseUrl, OWNER);
});

afterAll(async () => {
	await browser?.close();
	await examples?.stop();
});

it.each(exampleFiles())('%s can be read', async (file) => {
	await pictured(browser, file, async () => {
		const id = await examples.add(file);
		const page = await openWorkflow(browser, examples.n8n.baseUrl, id);
		await pause(STILL_MS);
		const { faults, scale } = await canvasLook(page);
		expect(faults).toEqual([]);
		expect(scale).toBeGreaterThanOrEqual(file === WIDE ? 0 : LEAST_SCALE);
		await page.close();
	});
});

it('n8n 3 changes nothing in any of them', async () => {
	const { rest } = examples.n8n;
	await rest.post('/breaking-changes/report/refresh', {}, { params: { version: 'v3' } });
	const { data } = await rest.get<{ data: MigrationReport }>('/breaking-changes/report', {
		params: { version: 'v3' },
	});
	expect(data.data.totalWorkflows).toBe(exampleFiles().length);
	expect(data.data.report.workflowResults).toEqual([]);
});
