import axios from 'axios';
import type { Workflow } from '../../../sandbox/lib/content';
import type { Mail } from '../../../sandbox/lib/mailbox';
import { waitFor } from '../../../sandbox/lib/wait';
import type { SiteRow } from '../../../sandbox/service/domain/sites/rows';
import type { Examples } from '../../support/examples';
import {
	EXAMPLE_MS,
	EXAMPLES_START_MS,
	hasRun,
	startExamples,
	succeeded,
} from '../../support/examples';

type Seven = [SiteRow, SiteRow, SiteRow, SiteRow, SiteRow, SiteRow, SiteRow];

/** The examples about updates, restores and staging sites. */

let examples: Examples;

beforeAll(async () => {
	examples = await startExamples('examples-updates');
}, EXAMPLES_START_MS);

afterAll(async () => await examples?.stop(), EXAMPLE_MS);

const TAG = 'Care plan';

const store = () => examples.service.world.store;

const tagNamed = (wanted: string) => store().tags.peek().find(({ name }) => name === wanted);

/** Lets only these sites have the tag. */
function tagOnly(sites: SiteRow[]) {
	const { id } = tagNamed(TAG)!;
	for (const { internal } of store().sites.peek()) {
		internal.tag_ids = internal.tag_ids.filter((each) => each !== id);
	}
	for (const { internal } of sites) internal.tag_ids.push(id);
}

/** Sites on which everything goes well, unless a test makes it otherwise; others in each test. */
function healthySites(count: number): SiteRow[] {
	const found = store()
		.sites.peek()
		.filter(
			({ connection, backups, locked, uptime, wp }) =>
				connection.status === 'connected' &&
				backups.enabled &&
				!locked &&
				uptime.status === 'up' &&
				wp.core.update_available &&
				!wp.core.locked,
		)
		.slice(0, count);
	expect(found).toHaveLength(count);
	return found;
}

/** The links of the buttons in a mail, by their labels. */
const buttonsIn = (html: string) =>
	new Map(
		[...html.matchAll(/<a\s+href="([^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, url, label]) => [
			label!,
			url!.replaceAll('&amp;', '&'),
		]),
	);

/** Waits for the mail with a subject. */
const mailAbout = async (subject: RegExp): Promise<Mail> =>
	await waitFor(
		`the mail ${subject}`,
		async () => (await examples.newMails()).find((each) => subject.test(each.subject)),
		60_000,
	);

/** Chooses a button of a mail, as a person does in the browser. */
async function press({ html }: Mail, button: string) {
	const url = buttonsIn(html!).get(button)!;
	// n8n takes what calls itself no browser for the preview of a mail program.
	const headers = { 'User-Agent': 'Mozilla/5.0' };
	const options = { headers, proxy: false, validateStatus: () => true } as const;
	// The mail is there shortly before the execution waits for its answer.
	await waitFor(
		'the answer to be taken',
		async () => ((await axios.get<string>(url, options)).status === 200 ? true : undefined),
		30_000,
	);
}

/** What is sent while waiting depends on how long that takes. */
const isLook = (request: string) =>
	/^GET \/(tasks|auto-update-history|sites\/\w+\/snapshots\/)/.test(request);

/** The texts in the chat since the last look. */
const newTexts = async () => (await examples.newChat()).map(({ text }) => String(text));

const lineOf = (text: string, { title }: SiteRow) =>
	text.split('\n').find((line) => line.includes(`${title} (`));

/** The number of requests that the note of an example tells. */
const costs = (workflow: Workflow) =>
	String(workflow.nodes.find(({ name }) => name === 'What it costs')!.parameters.content);

describe('01 Safe update', () => {
	let id: string;
	let note: string;

	/** Looks for the run more often: the service's time passes faster. */
	const impatient = (workflow: Workflow): Workflow => {
		note = costs(workflow);
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Wait half a minute' ? { ...node, parameters: { amount: 1 } } : node,
		);
		return { ...workflow, nodes };
	};

	beforeAll(async () => {
		id = await examples.add('01-safe-update.json', impatient);
	});

	it(
		'updates what can be updated safely, and takes back what breaks',
		async () => {
			const sites = healthySites(7);
			const [good, breaks, fails, stays, unsynced, down, away] = sites as Seven;
			tagOnly(sites);
			away.connection.status = 'disconnected';
			await examples.control('/web', { site_id: down.id, status: 502 });
			await examples.control('/tasks/failures', { type: 'wp_site_update', site_id: fails.id });
			await examples.control('/tasks/failures', { type: 'restore', site_id: stays.id });
			await examples.control('/faults', {
				server_errors: { method: 'POST', path: `/sites/${unsynced.id}/sync` },
			});
			const schedules = store().autoUpdateSchedules.peek().length;

			const requests = await examples.requestsOf(async () => {
				const run = examples.run(id);
				const mail = await mailAbout(/^May/);
				expect(mail.subject).toBe('May 5 sites be updated?');
				expect(mail.html).toContain(`${good.url}): core ${good.wp.core.current_version} → `);
				expect(mail.html).not.toContain(away.url);
				for (const { id: site_id } of [breaks, stays]) {
					await examples.control('/web', { site_id, status: 500 });
				}
				await press(mail, 'Update them');
				succeeded(await run);
			});

			const [text, ...more] = await newTexts();
			expect(more).toEqual([]);
			console.log(text, requests, await examples.newTickets());
		},
		EXAMPLE_MS,
	);
});
