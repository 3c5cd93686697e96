import type { Page } from 'playwright-core';
import type { ChatServer } from '../../sandbox/lib/chatServer';
import { startBench } from '../agents/bench';
import type { Bench } from '../agents/bench';
import { AgencyFleet } from '../agents/fleet';
import { startStandIn } from '../agents/standIn';
import { openWorkflow, pictured, signInAt, startBrowser } from '../support/browser';
import type { Browser } from '../support/browser';
import { OWNER } from '../support/n8n';

/** What a person sees of example 12 in the chat of n8n's editor, who types, reads what is asked, and clicks. */

const WAIT_MS = 60_000;
const SENTENCE = 'Remove the intern from everything.';

let model: ChatServer;
let bench: Bench;
let browser: Browser;

beforeAll(async () => {
	model = await startStandIn();
	bench = await startBench('browser-review', {
		baseUrl: model.baseUrl,
		name: 'stand-in',
		apiKey: 'none',
	});
});

// The editor remembers whether the chat was open.
beforeEach(async () => {
	browser = await startBrowser();
	await signInAt(browser, bench.n8n.baseUrl, OWNER);
});

afterEach(async () => await browser?.close());

afterAll(async () => {
	await bench?.stop();
	await model?.close();
});

const person = () =>
	new AgencyFleet(bench.service.world).store.teamMembers
		.peek()
		.find(({ name }) => name === 'Noah Klein');

const message = (page: Page, text: string) =>
	page.locator('.chat-message', { hasText: text }).last();

it.each([
	{ button: 'Decline', said: 'User rejected the tool call', stays: true },
	{ button: 'Approve', said: 'Noah Klein has no access any more.', stays: false },
])('shows who is removed before it is done, and then: $button', async ({ button, said, stays }) => {
	await pictured(browser, `review ${button}`, async () => {
		bench.reset();
		const page = await openWorkflow(browser, bench.n8n.baseUrl, bench.workflowId);
		await page.locator('[data-test-id="workflow-chat-button"]').click();
		await page.locator('[data-test-id="chat-input"]').fill(SENTENCE);
		await page.keyboard.press('Enter');
		const review = message(page, 'Remove this person from the account?');
		await review.waitFor({ timeout: WAIT_MS });
		const shown = await review.innerText();
		expect(shown).toContain('They lose access to all sites');
		expect(shown).toContain('Person: "noah.klein@agency.example.org"');
		expect(shown).toContain('Name, as the agent gives it: "Noah Klein"');
		expect(shown).toContain('Now, as the agent gives it: "collaborator of 9 sites"');
		expect(shown).not.toMatch(/[0-9a-f]{24}/);
		expect(person()).toBeDefined();
		await review.getByText(button, { exact: true }).click();
		await message(page, said).waitFor({ timeout: WAIT_MS });
		expect(person() !== undefined).toBe(stays);
	});
});
