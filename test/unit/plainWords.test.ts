import { check, MAX_WORDS } from '../../tools/plainWords/check';
import { lintWords } from '../../tools/plainWords/cli';
import { commentsIn, literalsIn, testNamesIn } from '../../tools/plainWords/literals';
import { kinds } from '../../tools/plainWords/texts';
import { readText } from '../support/reference';

/** `npm run lint -- words`: what no text says, and what it says instead. */

const foundIn = async (text: string, isPanel = false) =>
	(await check([{ place: 'here', text, isPanel }])).map(({ message }) => message);

it.each([
	['email', 'Sends an e-mail', 'Sends an email'],
	['ID', 'The result is kept by id', 'The ID in `id` or in {id}, such as $json.id'],
	['again', 'Reads it once more', 'Reads it again, more than once'],
	['is in, is, or do what it says', 'The reason stands in it', 'The reason is in the message'],
	['a different … than', 'Another value than the one sent', 'A different value than the one sent'],
])('%s: %s', async (expected, bad, good) => {
	expect(await foundIn(bad)).toContainEqual(expect.stringContaining(`=> ${expected}`));
	expect(await foundIn(good)).toEqual([]);
});

it('only labels, descriptions and messages have to name their subject', async () => {
	const told = 'Name the subject, such as "The site is overwritten"';
	expect(await foundIn('It is overwritten', true)).toEqual([expect.stringContaining(told)]);
	expect(await foundIn('The site is overwritten. It stays online.', true)).toEqual([]);
	expect(await foundIn('It is overwritten')).toEqual([]);
});

it('finds each wording that CONTRIBUTING.md forbids, and none that it asks for', async () => {
	const table = /\| Not \| But \|\n(?:.*\n)((?:\|.*\n)+)/.exec(readText('CONTRIBUTING.md'))![1]!;
	const cells = table
		.trim()
		.split('\n')
		.map((row) => row.split('|'));
	expect(cells.length).toBeGreaterThan(10);
	for (const [, not = '', but = ''] of cells) {
		for (const [, wording = ''] of not.matchAll(/`([^`]+)`/g)) {
			expect({ wording, found: await foundIn(wording) }).not.toEqual({ wording, found: [] });
		}
		expect(await foundIn(but.trim())).toEqual([]);
	}
});

it('counts the words of each sentence, and code as one', async () => {
	const words = (count: number) => `${'word '.repeat(count - 1)}word.`;
	const found = [expect.stringContaining(`a sentence of ${MAX_WORDS + 1} words`)];
	expect(await foundIn(`${words(MAX_WORDS)} ${words(MAX_WORDS)}`)).toEqual([]);
	expect(await foundIn(`\`${words(MAX_WORDS)}\` ${words(MAX_WORDS - 1)}`)).toEqual([]);
	for (const text of ['x', '- x', '| Head |\n| --- |\n| x |', '*x*']) {
		expect(await foundIn(text.replace('x', words(MAX_WORDS + 1)))).toEqual(found);
	}
});

it('leaves code alone, and finds what is in a link, a heading, a quote or a table', async () => {
	expect(await foundIn('`e-mail`\n\n```\ncan not\n```\n')).toEqual([]);
	for (const text of ['[x](https://e-mail.example)', '# x', '> x', '| x |\n| --- |', '**x**']) {
		expect(await foundIn(text.replace('x', 'e-mail'))).toEqual(['e-mail => email']);
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
		'const page = html`<p class="x">Some <b>text</b></p>`;',
	].join('\n');
	expect(literalsIn(source).filter(({ text }) => text !== '')).toEqual([
		{ line: 2, text: 'the … of it' },
		{ line: 3, text: 'Some' },
		{ line: 3, text: 'text' },
	]);
});

it('comments are read without their signs, also those of several lines', () => {
	const source = [
		'/**',
		' * Several',
		' * lines.',
		' */',
		'// One line,',
		'// its end.',
		'a; // B.',
	];
	expect(commentsIn(source.join('\n'))).toEqual([
		{ line: 1, text: 'Several\nlines.' },
		{ line: 5, text: 'One line, its end.' },
		{ line: 7, text: 'B.' },
	]);
});

it('names of tests are read, also with an each before them', () => {
	const source = "it('one', run);\ntest.each([1])('two %i', run);";
	expect(testNamesIn(source).map(({ text }) => text)).toEqual(['one', 'two %i']);
});

it('knows its kinds of texts', async () => {
	const { report } = await lintWords(['docs', 'pictures']);
	expect(report).toMatch(/^Unknown: pictures\. Choose from: nodes, messages, /);
});

it.each([
	['messages', 'nodes/shared/receive/messages.ts'],
	['messages', 'credentials/SiteManagementApi.credentials.ts'],
	['examples', 'sandbox/workflows/01-safe-update.json'],
	['docs', 'docs/behaviour.md'],
	['docs', 'tools/docs/index.js'],
	['sandbox', 'sandbox/service/page/clock.js'],
	['commands', 'tools/live/cli.ts'],
] as const)('%s are read in %s', (kind, place) => {
	expect(kinds[kind]().map((text) => text.place)).toContain(place);
});
