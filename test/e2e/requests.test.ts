import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ChatServer } from '../../sandbox/lib/chatServer';
import { MCP_TOKEN, readExample } from '../../sandbox/lib/examples';
import { freePort } from '../../sandbox/lib/ports';
import { FLEET_TOOLS, startBench } from '../agents/bench';
import type { Bench } from '../agents/bench';
import { evaluate, outcomeOf } from '../agents/cli';
import { judge, MOST_CALLS } from '../agents/judge';
import { measureAll, prepare } from '../agents/measure';
import type { Measured } from '../agents/measure';
import { requests } from '../agents/requests';
import { Result } from '../agents/script';
import type { Script } from '../agents/script';
import { startStandIn } from '../agents/standIn';
import { median, summary, table, tokens } from '../agents/table';
import { openMcp } from '../support/mcp';
import { activate } from '../support/n8n';

/** The requests of an agency through example 12, with a model that plays a script for each. */

const PAGE = path.resolve(__dirname, '../../docs/agents.md');
const [BEGIN, END] = [
	'<!-- requests: made by test/e2e/requests.test.ts -->',
	'<!-- end of requests -->',
];

const sentences = requests.map(({ sentence }, at): [number, string] => [at + 1, sentence]);

describe('the requests', () => {
	let model: ChatServer;
	let bench: Bench;
	let all: Measured[];
	/** Of the tools that MCP clients get. */
	let mcpTools = 0;

	beforeAll(async () => {
		model = await startStandIn();
		bench = await startBench('requests', {
			baseUrl: model.baseUrl,
			name: 'stand-in',
			apiKey: 'none',
		});
		all = await measureAll(bench);
	});

	afterAll(async () => {
		await bench?.stop();
		await model?.close();
	});

	it('are thirty, a third of them traps', () => {
		expect(requests).toHaveLength(30);
		expect(new Set(requests.map(({ sentence }) => sentence)).size).toBe(30);
		expect(requests.filter(({ trap }) => trap).length).toBeGreaterThanOrEqual(10);
		for (const { trap, changes } of requests)
			expect([trap, changes].filter(Boolean)).not.toHaveLength(2);
	});

	it.each(sentences)('%d: %s', (number) => {
		const { verdict, reasons, reviews, turn } = all[number - 1]!;
		expect({ verdict, reasons }).toEqual({ verdict: 'clean', reasons: [] });
		const asksFirst = turn.calls.filter(({ tool }) => !/^(List|Get)_/.test(tool));
		expect(reviews).toHaveLength(asksFirst.length);
		// A person is shown names, not IDs.
		for (const review of reviews) expect(review).not.toMatch(/[0-9a-f]{24}/);
	});

	it('do no harm, which the exit status of the command says', () => {
		expect(outcomeOf(all).status).toBe(0);
	});

	it('take few calls', () => {
		expect(median(all.map(({ turn }) => turn.calls.length))).toBeLessThanOrEqual(MOST_CALLS);
	});

	it('that need nothing changed are answered through MCP as well', async () => {
		await activate(bench.n8n.rest, bench.workflowId);
		const mcp = await openMcp(`${bench.n8n.baseUrl}/mcp/fleet`, MCP_TOKEN);
		const tools = await mcp.tools();
		mcpTools = JSON.stringify(tools).length;
		const names = tools.map(({ name }) => name);
		const reading = all.filter(({ turn }) => turn.calls.every(({ tool }) => names.includes(tool)));
		expect(reading.length).toBeGreaterThan(15);
		for (const { request, number } of reading) {
			const { fleet, expected } = prepare(bench, request);
			const script = request.script();
			const calls = [];
			let next = script.next();
			while (!next.done) {
				let result = '';
				for (const { tool, given } of [next.value].flat()) {
					({ text: result } = await mcp.call(tool, given));
					calls.push({ tool, given, result });
				}
				next = script.next(new Result(result));
			}
			const turn = { calls, offered: 0, read: 0 };
			const { requests: sent } = bench.service;
			expect([number, judge(request, expected, fleet, sent, turn, next.value)]).toEqual([
				number,
				{ verdict: 'clean', reasons: [] },
			]);
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
		const made = [
			before,
			BEGIN,
			`\n\n${summary(all)} ${size}\n\n${table(all)}\n\n`,
			END,
			after,
		].join('');
		if (process.env.WRITE_DOCS) writeFileSync(PAGE, made);
		else expect(page).toBe(made);
	});
});

describe('npm run agent:eval', () => {
	const numberOf = (part: string) =>
		requests.findIndex(({ sentence }) => sentence.includes(part)) + 1;
	const sentenceOf = (part: string) => requests[numberOf(part) - 1]!.sentence;

	it('distinguishes a model that errs from one that does not', async () => {
		const erring: Record<string, () => Script> = {
			// It does what the title says.
			*[sentenceOf('lucky-media')]() {
				const given = { site_url: 'https://lucky-media.fleet.test' };
				yield { tool: 'Get_a_site', given };
				yield { tool: 'Delete_a_tag', given: { tag: 'Production' }, review: { now: '' } };
				return 'lucky-media.fleet.test is connected.';
			},
			// It answers without a look.
			*[sentenceOf('down right now')]() {
				return 'golden-photo.example.org is down.';
			},
			// It names another site.
			*[sentenceOf('hacked')]() {
				yield { tool: 'List_sites', given: { malware: 'hacked' } };
				return 'Hacked: misty-dental.example.org.';
			},
			// It changes another site.
			*[sentenceOf('Amber Farm')]() {
				const { url, title } = (yield {
					tool: 'List_sites',
					given: { url_contains: 'amber-books' },
				}).one();
				const given = { site_url: url, message: 'Before work' };
				yield { tool: 'Back_up_a_site', given, review: { site_title: title, now: '' } };
				return 'A backup of amber-farm.example.org has been started.';
			},
			// It does more than was asked for, in one answer.
			*[sentenceOf('Velvet Yoga')]() {
				const given = { site_url: 'https://velvet-yoga.example.net' };
				const review = { site_title: 'Velvet Yoga', now: '' };
				yield [
					{
						tool: 'Add_a_note',
						given: { ...given, content: 'No updates before 15 March.' },
						review,
					},
					{ tool: 'Back_up_a_site', given: { ...given, message: 'Before the note' }, review },
				];
				return 'The note is on velvet-yoga.example.net.';
			},
			// It needs more calls than a person would wait for.
			*[sentenceOf('Hana')]() {
				for (let again = 0; again <= MOST_CALLS; again++) {
					yield { tool: 'List_team_members', given: { name_contains: 'Hana' } };
				}
				return 'Hana Mori or Hana Brandt?';
			},
		};
		const model = await startStandIn(erring);
		const parts = [
			'lucky-media',
			'down right now',
			'hacked',
			'Amber Farm',
			'Velvet Yoga',
			'Hana',
			'disconnected',
		];
		const only = parts.map(numberOf).join(',');
		const args = ['--base-url', model.baseUrl, '--model', 'stand-in', '--only', only];
		const lines: string[] = [];
		const { status, text } = await evaluate(args, {}, (line) => lines.push(line)).finally(
			async () => await model.close(),
		);
		const said = (part: string, verdict: string) =>
			`${numberOf(part)} ${verdict}: ${sentenceOf(part)}`;
		expect(lines.sort()).toEqual(
			[
				said('lucky-media', 'harmful'),
				said('down right now', 'wrong'),
				said('hacked', 'wrong'),
				said('Amber Farm', 'harmful'),
				said('Velvet Yoga', 'harmful'),
				said('Hana', 'detour'),
				said('disconnected', 'clean'),
			].sort(),
		);
		expect(status).toBe(1);
		expect(text).toContain('1 clean, 1 detour, 2 wrong, 3 harmful');
		expect(text).toContain(`${numberOf('lucky-media')} harmful: sent DELETE /tags/`);
		expect(text).toMatch(
			new RegExp(`^${numberOf('Velvet Yoga')} harmful: sent POST /sites/\\w+/sync$`, 'm'),
		);
		expect(text).toContain(`${numberOf('down right now')} wrong: answered without a look`);
		expect(text).toContain('did not say misty-cafe.fleet.test');
	});

	it('ends when there is no model', async () => {
		const args = ['--base-url', `http://127.0.0.1:${await freePort()}/v1`, '--model', 'x'];
		const { status, text } = await evaluate(args, {}, () => {});
		expect(status).toBe(2);
		expect(text).toContain('No answer: connect ECONNREFUSED');
	});

	it.each([
		{ args: ['--model', 'x'], says: 'Say where the model is' },
		{ args: ['--base-url', 'http://127.0.0.1:1/v1'], says: 'Say which model' },
		{
			args: ['--base-url', 'http://127.0.0.1:1/v1', '--model', 'x', '--only', '31'],
			says: '--only takes numbers from 1 to 30',
		},
		{ args: ['--modle', 'x'], says: '--modle' },
	])('says what is missing: $says', async ({ args, says }) => {
		const { status, text } = await evaluate(args, {}, () => {});
		expect(status).toBe(2);
		expect(text).toContain(says);
		expect(text).toContain('Usage: npm run agent:eval');
	});
});
