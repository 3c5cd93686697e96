import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { check, MAX_WORDS } from '../../tools/plainWords/check';
import { lintWords } from '../../tools/plainWords/cli';
import { commentsIn, literalsIn, testNamesIn } from '../../tools/plainWords/literals';
import { kinds } from '../../tools/plainWords/texts';

/** `npm run lint -- words`: what no text says, and what it says instead. */

const folder = path.resolve(__dirname, '../../tools/plainWords');

const expectedIn = (file: string) =>
	(
		parse(readFileSync(path.join(folder, file), 'utf8')) as { rules: { expected: string }[] }
	).rules.map(({ expected }) => expected);

const foundIn = async (text: string, isPanel = false) =>
	(await check([{ place: 'here', text, isPanel }])).map(({ message }) => message);

/** Rows of what a rule says to write, a bad and a good text. */
const rows = (all: string[]) =>
	all.map((row) => row.split(' | ') as [expected: string, bad: string, good: string]);

/** A bad and a good text for each rule, by what the rule says to write; several of a rule are for its branches. */
const everywhere = rows([
	'email | Sends an e-mail | Sends an email',
	'an email, or emails | Sends a mail | Starts the mail server and its mailbox',
	'staging site | Make a staging copy | Create a staging site',
	'back up | You can backup a site | You can back up a site with its backup plan',
	'plugin | Updates a plug-in | Updates a plugin',
	'website | Opens the web site | Opens the website',
	'time zone | The timezone of the workflow | The time zone of the workflow',
	'timeout | Set a longer time-out | Set a longer timeout',
	'ID | The result is kept by id | The ID in `id` or in {id}, such as $json.id',
	'cannot | The file can not be read | The file cannot be read',
	'so that, so, or nothing | It ends, lest it repeats | It ends so that it is not repeated',
	'while, among, until, rarely, also | Updates likewise wait | Updates also wait',
	'again | Reads it once more | Reads it again, more than once',
	'who, or name the person | Tell to whom it went | Show who got it',
	'do not need to | You need not set it | You do not need to set it',
	'anyway, or still | It starts all the same | It starts anyway, all the same way',
	'with, or through | Sent by way of the office | Sent through the office',
	'to avoid, or so that … not | Wait so as not to lose it | Wait to avoid losing it',
	'exactly | The same to the letter | Exactly the same',
	'the opposite of | The contrary of what was asked | The opposite of what was asked',
	'instead of | A Postgres node in place of the table | A Postgres node instead of the table',
	'except | Everything but passwords | Everything except passwords',
	'reports, shows, says, or "know" | The chat is told | The chat gets a message',
	'shows, says, or reports | The item tells whether it succeeded | The item shows whether it succeeded',
	'shows, says, or reports | The name tells it from others | The name identifies the record',
	'shows, sees, reads or says (without "of") | What the model reads of the tool | What the model reads',
	'is in, is, or do what it says | The reason stands in the message | The reason is in the message',
	'return | The list gives nothing | The list is empty and gives you an item',
	'an expression can return | An expression may give titles | An expression can return titles',
	'its value, or the result | Check what it gives | Check its value',
	'the output | What comes out is an item | The output is an item',
	'when the condition is met, or say what it does | The time zone holds for all | The time zone applies to all',
	'what happened to | What has become of it | What happened to the change',
	'the current | The present state of the site | The current state, and those present',
	'this many, or `N` | Wait so many hours | Wait this many hours',
	'Choose one of … | Is none of those that the node has | There is none. Choose one of these',
	'is not a | The value is no number | The value is not a number; there is no site, and it is no longer there.',
	'stays unchanged, or as the service returns it | The list stays as it is | The list, as it is now, is valid for as long as it is open',
	'does not change | Adds sites; all others stay | Adds sites; the others stay the same',
	'contains | Only sites with this text in their name | Only sites whose name contains this text',
	'contains | A path with a comma in it | A path that contains a comma',
	'is one of | Several values, of which one must match | Status is one of these',
	'If not set, … | Without it the order is that of the list | If not set, the default order is used',
	'the extra one, or one more than expected | Delete the one that is too many | Delete the extra one',
	'starting with, or later | A number from 0 on | A number of at least 0',
	'only | The nodes of this package alone can do it | Only nodes of this package can do it',
	'The progress changed | The task was seen at another percent | The progress of the task changed',
	'ending with | A path with a slash at its end | A path ending with a slash',
	'Number of … | By how many days it is extended | Number of days',
	'per | Up to 100 records a page | Up to 100 records per page',
	'required | Sites is not set: it is needed | Sites is required',
	'expected, or you need | Has a list, where a text is wanted | Has a list. Expected: text',
	'also a field of … | Sets what is also cleared | Sets a value that is also cleared',
	'does not start the workflow | A new site starts nothing | A new site does not start the workflow',
	'Only events after activation start the workflow | What has happened until then | Only events after activation count',
	'cannot be undone, restored, or deletes permanently | What nothing brings back | The deletion cannot be undone',
	'causes, has, or does | The change brings about an update | The change causes an update',
	'removes, or restores | The tag is taken off all sites | The tag is removed from all sites',
	'is replaced by | The branding gives way to the default | The branding is replaced by the default',
	'continues, or keeps running | The task goes on | The task continues, and goes on the list',
	'finished successfully | The run ended well | The run finished successfully',
	'failed | The sync has ended without success | The sync failed',
	'started | The run has begun | The run started',
	'treats as, or counts as | The node takes it for a failure | The node treats it as a failure',
	'check, or read again | Costs one look at the task | Costs one check. The pages look like this',
	'The service rejected this … | A rule of the service forbids this | The service rejected this: the name is taken',
	'Approve … for …? | May 26 sites be updated? | Approve updates for 26 sites?',
	'What to do with the response | What to make of the answer | How to return the response',
	'where DNS does not point to it | DNS does not lead there | DNS does not point to it',
	'next to, with, or in addition to | The name beside the address | The name next to the address',
	'in n8n, or in this process | The request failed on this side | The request failed in n8n',
	'each time it is sent | Once for every sending | Once each time it is sent',
	'which no one receives | Reports that no one is sent | Reports that are not emailed',
	'Name the subject, such as "The values that you enter are saved" | Runs. What is typed here is saved. | The values are saved. What was done for your website. What is it?',
	'Name the subject, such as "Anyone who …" or "If you …" | Who keeps to the list is not understood. | Who has access? People who keep to the list.',
	'exists | It is added unless it is there already | It is added unless it exists. There is one.',
	'returns, or the response has | The delete is answered with a page | The delete returns a page. Each question is answered.',
	'is used up | The rate limit has no room for it | The rate limit is used up',
	'is added, or costs extra | Three requests come on top | Three requests are added',
	'also, or in addition | The answer has others besides | The answer also has others',
	'handles | The model sees to thirty requests | The model handles them, and you see to it that it stops',
	'Name the subject, such as "The values that you enter are saved" | Safe to repeat: what is done already is not done again | Says what is done, and what the next node gets: the site is saved',
	'a different … than | Another value than the one sent | A different value than the one sent',
	'at the end | One at its end | One at the end',
	'matches | No task is like that | No task matches',
	'checked | The page is looked at again | The page is checked again',
	'must be, or will be | What is to be emptied | The fields to empty must be chosen',
	'uses, or follows | Backup Overdue goes by backups | Backup Overdue checks backups',
	'fix | Faults are mended | Faults are fixed',
	'must, or will | The node shall wait | The node must wait',
]);

const panel = rows([
	'Name the subject, such as "The site is overwritten" | It is overwritten | The site is overwritten. It stays online.',
	'Write a description without "Whether or not" | Whether or not to wait | Whether to wait',
	'Say what the field does | Everything that the service returns | Return all fields',
]);

it.each([
	['everywhere.yml', everywhere],
	['panel.yml', panel],
])('each rule of %s has a bad and a good text here', (file, examples) => {
	expect([...new Set(expectedIn(file))].sort()).toEqual(
		[...new Set(examples.map(([expected]) => expected))].sort(),
	);
});

it.each(everywhere)('%s: %s', async (expected, bad, good) => {
	expect(await foundIn(bad)).toEqual(
		expect.arrayContaining([expect.stringContaining(`=> ${expected}`)]),
	);
	expect(await foundIn(good)).toEqual([]);
});

it.each(panel)('in labels, descriptions and messages: %s: %s', async (expected, bad, good) => {
	expect(await foundIn(bad, true)).toEqual([expect.stringContaining(`=> ${expected}`)]);
	expect(await foundIn(good, true)).toEqual([]);
	expect(await foundIn(bad)).toEqual([]);
});

it('finds each wording that CONTRIBUTING.md forbids, and none that it asks for', async () => {
	const page = readFileSync(path.resolve(__dirname, '../../CONTRIBUTING.md'), 'utf8');
	const [, rows = ''] = /\| Not \| But \|\n(?:.*\n)((?:\|.*\n)+)/.exec(page) ?? [];
	const cells = rows
		.trim()
		.split('\n')
		.map((row) => row.split('|').map((cell) => cell.trim()));
	expect(cells.length).toBeGreaterThan(10);
	for (const [, not = '', but = ''] of cells) {
		for (const [, wording = ''] of not.matchAll(/`([^`]+)`/g)) {
			expect({ wording, found: await foundIn(wording) }).not.toEqual({ wording, found: [] });
		}
		expect(await foundIn(but)).toEqual([]);
	}
});

describe('the length of a sentence', () => {
	const words = (count: number) => `${'word '.repeat(count - 1)}word.`;
	const found = [expect.stringContaining(`a sentence of ${MAX_WORDS + 1} words`)];

	it.each([
		['a paragraph', (text: string) => text],
		['a list', (text: string) => `- ${text}`],
		['a cell of a table', (text: string) => `| Head |\n| --- |\n| ${text} |`],
		['emphasis', (text: string) => `*${text}*`],
	])('counts in %s', async (_, put) => {
		expect(await foundIn(put(words(MAX_WORDS)))).toEqual([]);
		expect(await foundIn(put(words(MAX_WORDS + 1)))).toEqual(found);
	});

	it('counts each sentence, and code as one word', async () => {
		expect(await foundIn(`${words(MAX_WORDS)} ${words(MAX_WORDS)}`)).toEqual([]);
		expect(await foundIn(`\`${words(MAX_WORDS)}\` ${words(MAX_WORDS - 1)}`)).toEqual([]);
		expect(await foundIn(`\`${words(MAX_WORDS)}\` ${words(MAX_WORDS)}`)).toEqual(found);
	});
});

it('leaves code alone, and finds what is in a link, a heading, a quote or a table', async () => {
	expect(await foundIn('`e-mail`\n\n```\ncan not\n```\n')).toEqual([]);
	for (const text of [
		'[e-mail](https://e-mail.example)',
		'# e-mail',
		'> e-mail',
		'| e-mail |\n| --- |',
		'**e-mail**',
	]) {
		expect(await foundIn(text)).toEqual(['e-mail => email']);
	}
});

it('finds the line of a text, and shows it', async () => {
	const text = 'The first line\nof two can not do it';
	expect(await check([{ place: 'page.md', line: 5, text, isPanel: false }])).toEqual([
		{ place: 'page.md', line: 6, message: 'can not => cannot', text: 'of two can not do it' },
	]);
});

it('reads the texts of a source, and neither modules nor types', () => {
	const source = [
		"import { a } from 'some module';",
		"const kind: 'a type' = `the ${value} of it`;",
		"const plain = 'It\\'s here';",
		'const page = html`<p class="x">Some <b>text</b> ${html`<i>inside</i>`}</p>`;',
	].join('\n');
	expect(literalsIn(source).filter(({ text }) => text !== '')).toEqual([
		{ line: 2, text: 'the … of it' },
		{ line: 3, text: "It's here" },
		{ line: 4, text: 'Some' },
		{ line: 4, text: 'text' },
		{ line: 4, text: '…' },
		{ line: 4, text: 'inside' },
	]);
});

it('comments are read without their signs, also those of several lines', () => {
	const source = [
		'/** The first. @default 3 */',
		'const a = "// no comment";',
		'/**',
		' * Several',
		' * lines.',
		' * @param b the second',
		' */',
		'function f(b: number) {',
		'	// One line,',
		'	// and its end.',
		'	return b; // Beside code.',
		'}',
	].join('\n');
	expect(commentsIn(source)).toEqual([
		{ line: 1, text: 'The first. @default 3' },
		{ line: 3, text: 'Several\nlines.\n\n the second' },
		{ line: 9, text: 'One line, and its end.' },
		{ line: 11, text: 'Beside code.' },
	]);
});

it('names of tests are read, also with an each before them', () => {
	const source = "it('one', run);\ntest.each([1])('two %i', run);\ndescribe(`three ${x}`, run);";
	expect(testNamesIn(source)).toEqual([
		{ line: 1, text: 'one' },
		{ line: 2, text: 'two %i' },
		{ line: 3, text: 'three …' },
	]);
});

it('knows its kinds of texts', async () => {
	const { report, count } = await lintWords(['docs', 'pictures']);
	expect(count).toBe(1);
	expect(report).toMatch(/^Unknown: pictures\. Choose from: nodes, messages, /);
});

it.each([
	['messages', 'nodes/shared/receive/messages.ts'],
	['messages', 'credentials/SiteManagementApi.credentials.ts'],
	['examples', 'sandbox/workflows/01-safe-update.json'],
	['docs', 'README.md'],
	['docs', 'docs/behaviour.md'],
	['docs', 'tools/docs/index.js'],
	['sandbox', 'sandbox/start.mjs'],
	['sandbox', 'sandbox/service/cli.ts'],
	['sandbox', 'sandbox/service/page/clock.js'],
	['commands', 'tools/live/cli.ts'],
] as const)('%s are read in %s', (kind, place) => {
	expect(kinds[kind]().map((text) => text.place)).toContain(place);
});

it('reads the names, the notes, and the texts within expressions of an example', () => {
	const texts = kinds.examples().map(({ text }) => text);
	expect(texts.filter((text) => text.startsWith('## Fleet tools'))).not.toEqual([]);
	expect(texts.filter((text) => /\{\{|<td|\$json/.test(text) && !text.includes('`'))).toEqual([]);
});

it('leaves out the parts of pages that are made', () => {
	const pages = kinds.docs().filter(({ place }) => place.endsWith('.md'));
	expect(pages.filter(({ text }) => text.includes(': made by'))).toEqual([]);
});
