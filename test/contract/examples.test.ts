import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { exampleFiles } from '../../sandbox/lib/examples';
import { description } from '../support/engine';

const root = path.resolve(__dirname, '../..');
const folder = path.join(root, 'sandbox', 'workflows');
const files = exampleFiles();
const PACKAGE = 'n8n-nodes-site-management.';

interface Example {
	id: string;
	name: string;
	nodes: Array<{ name: string; type: string; parameters: Record<string, unknown> }>;
	/** By node and by kind of link, such as `main` and `ai_tool`. */
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
	pinData?: object;
}

const read = (file: string) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Example;

/** What a parameter offers, for what is chosen above it. */
const choices = (
	{ properties }: INodeTypeDescription,
	name: string,
	chosen: Record<string, unknown> = {},
) =>
	properties
		.filter((property) => property.name === name)
		.filter(({ displayOptions: { show = {} } = {} }) =>
			Object.entries(chosen).every(([above, value]) => {
				const shown = show[above] as unknown[] | undefined;
				return !shown || shown.includes(value);
			}),
		)
		.flatMap(({ options }) => (options as INodePropertyOptions[]).map(({ value }) => value));

it('each has an ID and a name of its own', () => {
	for (const key of ['id', 'name'] as const) {
		const all = files.map((file) => read(file)[key]);
		expect(new Set(all).size).toBe(files.length);
	}
});

it.each(files)('%s uses only existing nodes, operations and fields', async (file) => {
	const { nodes, connections, pinData } = read(file);
	expect(pinData).toBeUndefined();
	const names = nodes.map(({ name }) => name);
	const targets = Object.values(connections).flatMap((links) => Object.values(links).flat(2));
	for (const name of [...Object.keys(connections), ...targets.map(({ node }) => node)]) {
		expect(names).toContain(name);
	}
	for (const { type, parameters } of nodes.filter((node) => node.type.startsWith(PACKAGE))) {
		// A node that is given to an agent has "Tool" at the end of its type.
		const known = await description(type.replace(PACKAGE, '').replace(/Tool$/, ''));
		if (known.polling) continue;
		const { resource, operation, outputFields = [] } = parameters;
		expect(choices(known, 'resource')).toContain(resource);
		expect(choices(known, 'operation', { resource })).toContain(operation);
		expect(choices(known, 'outputFields', { resource, operation })).toEqual(
			expect.arrayContaining(outputFields as string[]),
		);
	}
});

/** Expressions without their braces, also those inside a text. */
const expressionsIn = (value: unknown): string[] => {
	if (typeof value === 'string') {
		return value.startsWith('=')
			? [...value.matchAll(/\{\{(.*?)\}\}/gs)].map(([, expression]) => expression!)
			: [];
	}
	return value && typeof value === 'object' ? Object.values(value).flatMap(expressionsIn) : [];
};

const codeOf = (file: string) =>
	read(file).nodes.flatMap(({ parameters: { jsCode } }) =>
		typeof jsCode === 'string' ? jsCode.split('\n') : [],
	);

it.each(files)('%s has no long expression and no long line of code', (file) => {
	const all = read(file).nodes.flatMap(({ parameters }) => expressionsIn(parameters));
	expect(all.filter(({ length }) => length > 200)).toEqual([]);
	expect(codeOf(file).filter(({ length }) => length > 100)).toEqual([]);
});

it.each([
	['that does not respond', { result: 'problem', status: null }, false, 1],
	['that responds with 503', { result: 'problem', status: 503 }, true, 1],
	['that is protected', { result: 'problem', status: 401 }, true, 0],
	['that is empty', { result: 'problem', status: 200 }, true, 0],
	['of a firewall', { result: 'not known', status: 503 }, false, 0],
])(
	'for a page %s, it is decided whether the database is restored, and whether a host is down',
	(_, page, restores, down) => {
		const $json = { checks: [page] };
		const $ = () => ({ all: () => [{ json: $json }] });
		const valueOf = (file: string, node: string): unknown => {
			const { parameters } = read(file).nodes.find(({ name }) => name === node)!;
			return runInNewContext(expressionsIn(parameters)[0]!, { $, $json });
		};
		expect(valueOf('01d-ask-a-person.json', 'Restore the database?')).toBe(restores);
		expect(valueOf('01f-repair-a-site.json', 'Is it the host?')).toBe(down);
	},
);

it.each([
	['an answer', { data: { approved: false } }, '2026-11-02T12:34', true],
	['the time that the email names', {}, '2026-10-31T12:34', true],
	['neither, because the email could not be sent', {}, '2026-11-02T12:34', false],
])('whether 08a continues, after %s', (_, $json, answer_by, wanted) => {
	const { parameters } = read('08a-ask-about-a-staging-site.json').nodes.find(
		({ name }) => name === 'Was it sent?',
	)!;
	const $ = () => ({ first: () => ({ json: { staging: { answer_by } } }) });
	const $now = DateTime.fromISO('2026-10-31T12:34');
	const continues: unknown = runInNewContext(expressionsIn(parameters)[1]!, {
		...{ $, $json, $now, DateTime },
	});
	expect(continues).toBe(wanted);
});

it('together they have at most 350 lines of code', () => {
	expect(files.flatMap(codeOf).length).toBeLessThanOrEqual(350);
});

/** What reaches people; approvals get their text from 00a, and 00 is imported alone. */
const sends = ({ type, parameters: { method, operation } }: Example['nodes'][0]) =>
	(type.endsWith('.emailSend') && operation !== 'sendAndWait') || method === 'POST';

it('only one workflow writes and sends, so that all texts are escaped alike', () => {
	const senders = files.filter((file) => read(file).nodes.some(sends));
	expect(senders).toEqual(['00-start-here.json', '00a-write-and-send.json']);
});

it.each([
	['01-safe-update.json', 'answer_by', '2026-10-31T12:34', '2026-11-02T12:34-05:00'],
	['01d-ask-a-person.json', 'answer_by', '2026-03-07T12:34', '2026-03-09T12:34-04:00'],
	['02-known-vulnerability.json', 'answer_by', '2026-03-07T12:34', '2026-03-09T12:34-04:00'],
	['06-onboarding.json', 'firstReport', '2026-10-15T12:34', '2026-11-01T08:00-05:00'],
	['08-staging-clean-up.json', 'answer_by', '2026-10-31T12:34', '2026-11-02T12:34-05:00'],
])('%s keeps the hour of %s when clocks change', (file, name, now, wanted) => {
	const quoted = JSON.stringify(name);
	const [, value] = new RegExp(`"name":${quoted},[^}]*"value":"={{(.*?) }}"`).exec(
		JSON.stringify(read(file)),
	)!;
	const $now = DateTime.fromISO(now, { zone: 'America/New_York' });
	const $json = { expires_at: $now.plus({ days: 5 }).toISO() };
	const time = runInNewContext(value!, { $json, $now, DateTime }) as string;
	expect(DateTime.fromISO(time).toMillis()).toBe(DateTime.fromISO(wanted).toMillis());
});

it('questions to people end when their emails say, and have their text escaped for n8n', () => {
	const all = files.flatMap((file) => read(file).nodes.map(({ parameters }) => parameters));
	const asks = all.filter(({ operation, toEmail }) => operation === 'sendAndWait' && toEmail);
	expect(asks.length).toBeGreaterThanOrEqual(4);
	for (const { options, message } of asks) {
		expect(message).toBe('={{ $json.question }}');
		const maxDateAndTime = expect.stringMatching(/[.]answer_by }}$/);
		const values = { limitType: 'atSpecifiedTime', maxDateAndTime };
		expect(options).toMatchObject({ limitWaitTime: { values } });
	}
});

it('each is run by the end-to-end tests', () => {
	const e2e = path.join(root, 'test', 'e2e');
	const tests = readdirSync(e2e, { recursive: true })
		.map(String)
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => path.join(e2e, file));
	// Other tests run these, too.
	const shared = ['support/safeUpdate.ts', 'support/examples.ts', 'agents/servers.ts'].map((file) =>
		path.join(root, 'test', file),
	);
	const texts = [...tests, ...shared].map((file) => readFileSync(file, 'utf8'));
	const missing = files.filter((file) => !texts.some((text) => text.includes(`'${file}'`)));
	expect(missing.map((file) => `test/e2e/examples: run ${file}`)).toEqual([]);
});
