import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';
import { UserError } from '../../sandbox/lib/errors';

/** A real browser, on n8n's editor and on the pages of the sandbox. */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const canRun = (file: string) => {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
};

/** The Chromium of this machine: `CHROMIUM`, or the first one on the PATH. */
export function findChromium(): string {
	const folders = (process.env.PATH ?? '').split(path.delimiter);
	const candidates = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
	const found = [process.env.CHROMIUM, ...candidates].find((file) => file && canRun(file));
	if (found) return found;
	throw new UserError(
		'No Chromium was found. Install it (Debian: apt-get install chromium), or name its program in the environment variable CHROMIUM.',
	);
}

export interface BrowserOptions {
	width?: number;
	height?: number;
	/** Pixels of the picture for each pixel of the page. */
	scale?: number;
	isDark?: boolean;
}

export interface Browser {
	context: BrowserContext;
	/** What the pages have told as errors in the console. */
	consoleErrors: string[];
	close: () => Promise<void>;
}

/** Starts a browser with a fresh profile that looks up nothing outside. */
export async function startBrowser(options: BrowserOptions = {}): Promise<Browser> {
	const { width = 1280, height = 900, scale = 1, isDark = false } = options;
	const profile = mkdtempSync(path.join(tmpdir(), 'browser-'));
	const context = await chromium.launchPersistentContext(profile, {
		executablePath: findChromium(),
		viewport: { width, height },
		deviceScaleFactor: scale,
		colorScheme: isDark ? 'dark' : 'light',
		args: [
			...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
			...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
		],
	});
	const consoleErrors: string[] = [];
	context.on('console', (message) => {
		if (message.type() === 'error') consoleErrors.push(message.text());
	});
	context.on('weberror', (error) => consoleErrors.push(error.error().message));
	return {
		context,
		consoleErrors,
		async close() {
			await context.close();
			rmSync(profile, { recursive: true, force: true });
		},
	};
}

/** Signs the browser in at n8n. */
export async function signInAt(
	{ context }: Browser,
	baseUrl: string,
	{ email, password }: { email: string; password: string },
): Promise<void> {
	await context.request.post(`${baseUrl}/rest/login`, {
		data: { emailOrLdapLoginId: email, password },
	});
}

/** Opens a workflow in the editor, all of it in sight. */
export async function openWorkflow(
	{ context }: Browser,
	baseUrl: string,
	id: string,
): Promise<Page> {
	const page = await context.newPage();
	await page.goto(`${baseUrl}/workflow/${id}`, { waitUntil: 'domcontentloaded' });
	await page.locator('[data-test-id="canvas-node"]').first().waitFor({ timeout: 60_000 });
	await page.keyboard.press('Escape');
	await page.locator('[data-test-id="zoom-to-fit"]').click();
	return page;
}
