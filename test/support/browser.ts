import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { Owner } from '../../sandbox/lib/content';
import { UserError } from '../../sandbox/lib/errors';
import { findProgram } from '../../sandbox/lib/programs';
import { BROWSER } from './mails';

/** A real browser, on n8n's editor and on the pages of the sandbox. */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The Chromium of this machine: `CHROMIUM`, or the first one on the PATH. */
export function findChromium(): string {
	const found = process.env.CHROMIUM || findProgram(NAMES);
	if (found) return found;
	throw new UserError(
		'No Chromium was found. Install it (Debian: apt-get install chromium), or name its program in the environment variable CHROMIUM.',
	);
}

interface BrowserOptions {
	width?: number;
	height?: number;
	isDark?: boolean;
	/** Default that of the machine. */
	timezone?: string;
}

export type Browser = Awaited<ReturnType<typeof startBrowser>>;

/** Starts a browser with a fresh profile that looks up nothing outside. */
export async function startBrowser(options: BrowserOptions = {}) {
	const { width = 1280, height = 900, isDark = false, timezone } = options;
	const profile = mkdtempSync(path.join(tmpdir(), 'browser-'));
	const context = await chromium.launchPersistentContext(profile, {
		executablePath: findChromium(),
		viewport: { width, height },
		colorScheme: isDark ? 'dark' : 'light',
		timezoneId: timezone,
		userAgent: BROWSER['User-Agent'],
		args: [
			...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
			...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
			...['--no-proxy-server', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
		],
	});
	/** What the pages have told as errors in the console, with the address that each is about. */
	const consoleErrors: string[] = [];
	context.on('console', (message) => {
		if (message.type() !== 'error') return;
		consoleErrors.push(`${message.text()} (${message.location().url})`);
	});
	context.on('weberror', (error) => {
		consoleErrors.push(`${error.error().message} (${error.page()?.url()})`);
	});
	return {
		context,
		consoleErrors,
		async close() {
			await context.close();
			rmSync(profile, { recursive: true, force: true });
		},
	};
}

export async function signInAt({ context }: Browser, baseUrl: string, owner: Owner) {
	const data = { emailOrLdapLoginId: owner.email, password: owner.password };
	await context.request.post(`${baseUrl}/rest/login`, { data });
}

/** Opens a workflow in the editor, all of it in sight. */
export async function openWorkflow({ context }: Browser, baseUrl: string, id: string) {
	const page = await context.newPage();
	await page.goto(`${baseUrl}/workflow/${id}`, { waitUntil: 'domcontentloaded' });
	await page.locator('[data-test-id="canvas-node"]').first().waitFor({ timeout: 60_000 });
	await page.keyboard.press('Escape');
	await page.locator('[data-test-id="zoom-to-fit"]').click();
	return page;
}

const PICTURES = path.resolve(__dirname, '../.tmp/browser');

/** Runs a test; when it fails, what the pages show is kept in `test/.tmp/browser`, and the error says where. */
export async function pictured(
	{ context, consoleErrors }: Browser,
	name: string,
	work: () => Promise<void>,
): Promise<void> {
	try {
		await work();
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		const file = path.join(PICTURES, name.replace(/\W+/g, '-'));
		mkdirSync(PICTURES, { recursive: true });
		const kept: string[] = [];
		for (const [index, page] of context.pages().entries()) {
			if (page.url() === 'about:blank') continue;
			const picture = `${file}${index > 1 ? `-${index}` : ''}.png`;
			await page.screenshot({ path: picture });
			kept.push(`${picture} shows ${page.url()}`);
		}
		const told = [...kept, 'Errors in the console:', ...consoleErrors].join('\n');
		writeFileSync(`${file}.txt`, `${error.message}\n\n${told}\n`);
		const { stack } = error;
		error.message = `${error.message}\n\n${told}`;
		error.stack = `${error.message}\n${stack
			?.split('\n')
			.filter((line) => /^\s+at /.test(line))
			.join('\n')}`;
		throw error;
	}
}
