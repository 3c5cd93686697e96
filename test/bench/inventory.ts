/**
 * Measures the inventory of example 02 in a real n8n, without a rate limit: `npx tsx test/bench/inventory.ts [sites]
 * [days] [nights]`. Prints the requests and seconds of the first inventory (of all its nights, or of so many), of each
 * of the days after it, each with a backup of every site, and the seconds from a report of the feed to the list in the
 * chat.
 */
import { createHmac } from 'node:crypto';
import axios from 'axios';
import { startExamples } from '../support/examples';
import { activate, ended, startRun } from '../support/n8n';
import { addSafeUpdate, addVulnerability } from '../support/safeUpdate';

const HOURS_MS = 3_600_000;
const DAY_MS = 24 * HOURS_MS;
/** What an account may send in a day. */
const LIMIT = 200 * 60 * 24;
/** How many new sites example 02a reads in a night: `AT_MOST` by `COST.full`. */
const A_NIGHT = 2000;

async function main(): Promise<void> {
	const [sites = 250, days = 1, nights = Math.ceil(sites / A_NIGHT)] = process.argv
		.slice(2)
		.map(Number);
	const examples = await startExamples('bench-inventory', {
		sites,
		speed: 1,
		living: true,
		rateLimit: { limit: 100_000 },
		settings: { recordedRequests: 1_000_000 },
	});
	try {
		const { rest, baseUrl } = examples.n8n;
		await addSafeUpdate(examples);
		const inventory = await addVulnerability(examples);
		await activate(rest, inventory);

		const read = async (what: string) => {
			const begun = performance.now();
			examples.service.requests.length = 0;
			const run = await startRun(rest, inventory, 'Every night at three');
			const { status } = await ended(rest, run, 5 * HOURS_MS);
			const sent = [...examples.service.requests];
			const of = (end: string) =>
				sent.filter(({ path }) => path.split('?')[0]!.endsWith(end)).length;
			const seconds = Math.round((performance.now() - begun) / 1000);
			const share = ((100 * sent.length) / LIMIT).toFixed(1);
			const each = (sent.length / sites).toFixed(1);
			console.log(
				`${what}: ${status}, ${sent.length} requests (${each} a site, ${of('/files/stats')} totals, ${of('/files')} lists, ${of('/files/download')} downloads; ${share} % of a day's limit), ${seconds} s`,
			);
			return sent.length;
		};
		for (let night = 1; night <= nights; night++) await read(`first inventory, night ${night}`);
		for (let day = 1; day <= days; day++) {
			await examples.control('/clock/advance', { ms: DAY_MS });
			await read(`day ${day}`);
		}

		await examples.newTexts();
		const body = JSON.stringify({
			slug: 'page-cache',
			versions: '< 3.2',
			sent_at: new Date().toISOString(),
		});
		const signature = createHmac('sha256', 'sandbox-feed-secret').update(body).digest('hex');
		const begun = performance.now();
		await axios.post(`${baseUrl}/webhook/known-vulnerability-feed`, body, {
			headers: { 'Content-Type': 'application/json', 'X-Signature-256': `sha256=${signature}` },
			proxy: false,
		});
		const message = await examples.text();
		console.log(
			`from feed to list: ${((performance.now() - begun) / 1000).toFixed(1)} s: ${message.split('\n')[0]}`,
		);
	} finally {
		await examples.stop();
	}
}

main().catch((error: Error) => {
	process.stderr.write(`${error.stack}\n`);
	process.exitCode = 1;
});
