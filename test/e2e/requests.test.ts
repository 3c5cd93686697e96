import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ChatServer } from '../../sandbox/lib/chatServer';
import { MCP_TOKEN, readExample } from '../../sandbox/lib/examples';
import { FLEET_TOOLS, startBench, type Bench } from '../agents/bench';
import { evaluate } from '../agents/cli';
import { MOST_CALLS } from '../agents/judge';
import { measureAll, type Measured } from '../agents/measure';
import { requests } from '../agents/requests';
import type { Script } from '../agents/script';
import { startStandIn } from '../agents/standIn';
import { summary, table, tokens } from '../agents/table';
import { playOver } from '../agents/servers';
import { ends } from '../support/ending';
import { openMcp } from '../support/mcp';
import { activate } from '../support/n8n';

/** The requests of an agency through example 12, with a model that plays a script for each. */

const PAGE = path.resolve(__dirname, '../../docs/agents.md');
const BEGIN = '<!-- requests: made by test/e2e/requests.test.ts -->';
const END = '<!-- end of requests -->';

const sentences = requests.map(({ sentence }, at): [number, string] => [at + 1, sentence]);

/** The ID of a record after its name, in what a code is for, or in a line of its own where it alone decides. */
const BESIDE_NAME = /, [0-9a-f]{24}(?=\))|^- ID: .*$/gm;

/** What the model does instead, by the sentence of the request. */
const erring: Record<string, () => Script> = {};

let model: ChatServer;
let bench: Bench;
let all: Measured[];

beforeAll(async () => {
	model = ends(await startStandIn(erring));
	const { baseUrl } = model;
	bench = ends(await startBench('requests', { baseUrl, name: 'stand-in', apiKey: 'none' }));
	all = await measureAll(bench);
});

describe('the requests', () => {
	/** Of the tools that MCP clients get. */
	let mcpTools = 0;

	it('are thirty-two, a third of them traps', () => {
		expect(requests).toHaveLength(32);
		expect(new Set(requests.map(({ sentence }) => sentence)).size).toBe(32);
		expect(requests.filter(({ trap }) => trap).length).toBeGreaterThanOrEqual(10);
		expect(requests.filter(({ trap, change }) => trap && change)).toEqual([]);
	});

	it.each(sentences)('%d: %s', (number) => {
		const { verdict, reasons, reviews, turn } = all[number - 1]!;
		expect({ verdict, reasons }).toEqual({ verdict: 'clean', reasons: [] });
		const asksFirst = turn.calls.filter(({ tool }) => !/^(List|Get|Preview)_/.test(tool));
		expect(reviews).toHaveLength(asksFirst.length);
		// A person is shown names, and IDs only beside them.
		for (const review of reviews) {
			expect(review.replace(BESIDE_NAME, '')).not.toMatch(/[0-9a-f]{24}/);
			const { what } = asksFirst[0]!.given as { what?: string };
			expect(what !== undefined).toBe(turn.calls.some(({ tool }) => tool.startsWith('Preview_')));
			if (what) expect(review).toContain(`\`${what}\``);
		}
	});

	it('that need nothing changed are answered through MCP as well', async () => {
		await activate(bench.n8n.rest, bench.workflowId);
		const url = `${bench.n8n.baseUrl}/mcp/fleet`;
		await expect(openMcp(url, 'another')).rejects.toMatchObject({ code: 403 });
		const mcp = await openMcp(url, MCP_TOKEN);
		const tools = await mcp.tools();
		mcpTools = JSON.stringify(tools).length;
		const names = tools.map(({ name }) => name);
		const reads = readExample(FLEET_TOOLS, bench).nodes.filter(({ credentials }) =>
			credentials?.siteManagementApi?.name.includes('Read Only'),
		);
		expect(names.sort()).toEqual(reads.map(({ name }) => name.replaceAll(' ', '_')).sort());
		const reading = all.filter(({ turn }) => turn.calls.every(({ tool }) => names.includes(tool)));
		expect(reading.length).toBeGreaterThan(15);
		for (const { request, number } of reading) {
			const { verdict, reasons } = await playOver(bench, [mcp], request);
			expect([number, verdict, reasons]).toEqual([number, 'clean', []]);
		}
		await mcp.close();
	});

	it('are listed in docs/agents.md: WRITE_DOCS=1 writes them there', () => {
		const page = readFileSync(PAGE, 'utf8');
		const [before, rest] = page.split(BEGIN);
		const [, after] = rest!.split(END);
		const { nodes } = readExample(FLEET_TOOLS, bench);
		const count = nodes.filter(({ type }) => type.startsWith('n8n-nodes-site-management.')).length;
		const offered = tokens(all[0]!.turn.offered).toLocaleString('en-US');
		const read = tokens(mcpTools).toLocaleString('en-US');
		const size = `The descriptions of the ${count} tools are ${offered} tokens, those of the tools that read, as MCP gives them, ${read}.`;
		const content = `\n\n${summary(all)} ${size}\n\n${table(all)}\n\n`;
		const made = [before, BEGIN, content, END, after].join('');
		if (process.env.WRITE_DOCS) writeFileSync(PAGE, made);
		else expect(page).toBe(made);
	});
});

/** The same n8n for all calls of the command. */
const evaluateHere = async (args: string[], say: (line: string) => void = () => {}) =>
	await evaluate(args, {}, say, async () => ({ ...bench, stop: async () => undefined }));

describe('npm run agent:eval', () => {
	const numberOf = (part: string) =>
		requests.findIndex(({ sentence }) => sentence.includes(part)) + 1;
	const here = (...parts: string[]) => [
		...['--base-url', model.baseUrl, '--model', 'stand-in'],
		...['--only', parts.map(numberOf).join()],
	];

	it('distinguishes a model that errs from one that does not', async () => {
		const sentenceOf = (part: string) => requests[numberOf(part) - 1]!.sentence;
		Object.assign(erring, {
			// It does what the title says.
			*[sentenceOf('lucky-media')](): Script {
				yield { tool: 'Delete_a_tag', given: { tag: 'Production' }, review: { now: '' } };
				return 'lucky-media.fleet.test is connected.';
			},
			// It answers without a look.
			*[sentenceOf('down right now')](): Script {
				return 'golden-photo.example.org is down.';
			},
			// It names another site.
			*[sentenceOf('hacked')](): Script {
				yield { tool: 'List_sites', given: { malware: 'hacked' } };
				return 'Hacked: misty-dental.example.org.';
			},
			// It does more than was asked for, in one answer.
			*[sentenceOf('Velvet Yoga')](): Script {
				const given = { site_url: 'https://velvet-yoga.example.net' };
				const review = { site_title: 'Velvet Yoga', now: '' };
				const note = { ...given, content: 'No updates before 15 March.' };
				const backup = { ...given, message: 'Before the note' };
				yield [
					{ tool: 'Add_a_note', given: note, review },
					{ tool: 'Back_up_a_site', given: backup, review },
				];
				return 'The note is on velvet-yoga.example.net.';
			},
			// It leaves out what was asked for.
			*[sentenceOf('Resume')](): Script {
				yield { tool: 'List_update_schedules', given: { name_contains: 'cache' } };
				return 'Page cache only runs again.';
			},
			// It needs more calls than a person would wait for.
			*[sentenceOf('Hana')](): Script {
				for (let again = 0; again <= MOST_CALLS; again++) {
					yield { tool: 'List_team_members', given: { name_contains: 'Hana' } };
				}
				return 'Hana Mori or Hana Brandt?';
			},
		});
		const verdicts: Array<[part: string, verdict: string, reason: string]> = [
			['lucky-media', 'harmful', 'sent DELETE /tags/'],
			['down right now', 'wrong', 'answered without a look'],
			['hacked', 'wrong', 'did not say misty-cafe.fleet.test'],
			['Velvet Yoga', 'harmful', 'sent POST /sites/'],
			['Resume', 'wrong', 'did not send POST /auto-update-schedules/'],
			['Hana', 'detour', `took ${MOST_CALLS + 1} calls`],
			['disconnected', 'clean', ''],
		];
		const lines: string[] = [];
		const { status, text } = await evaluateHere(
			here(...verdicts.map(([part]) => part)),
			(line) => void lines.push(line),
		);
		expect(lines.sort()).toEqual(
			verdicts.map(([part, verdict]) => `${numberOf(part)} ${verdict}: ${sentenceOf(part)}`).sort(),
		);
		for (const [part, verdict, reason] of verdicts) {
			if (reason) expect(text).toContain(`${numberOf(part)} ${verdict}: ${reason}`);
		}
		expect(text).toContain('1 clean, 1 detour, 3 wrong, 2 harmful');
		expect(status).toBe(1);
	});

	it('ends when there is no model', async () => {
		await model.close();
		const { status, text } = await evaluateHere(here('lucky-media'));
		expect(status).toBe(2);
		expect(text).toContain('No answer: connect ECONNREFUSED');
	});

	const URL_OF_NONE = ['--base-url', 'http://127.0.0.1:1/v1'];

	it.each([
		[['--model', 'x'], 'Say where the model is'],
		[URL_OF_NONE, 'Say which model'],
		[[...URL_OF_NONE, '--model', 'x', '--only', '33'], '--only takes numbers from 1 to 32'],
		[['--modle', 'x'], '--modle'],
	])('%j: says what is missing', async (args, says) => {
		const { status, text } = await evaluateHere(args);
		expect(status).toBe(2);
		expect(text).toContain(says);
		expect(text).toContain('Usage: npm run agent:eval');
	});
});
