import path from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { SiteManagementApi } from '../../credentials/SiteManagementApi.credentials';
import type { ErrorContext, Failure } from '../../nodes/shared/receive/messages';
import { failures, ofChange } from '../../nodes/shared/receive/messages';
import { anchorOf, asRelative, brokenLink, linksIn, pages } from '../support/pages';
import { filesIn, readText, root } from '../support/reference';
import { versionsNamed } from '../support/versions';

/** What the documentation says of links, messages and nodes holds. */

describe('links', () => {
	it.each(pages)('%s leads to existing files and headings', (page) => {
		const relative = linksIn(page).filter((target) => !/^[a-z]+:/i.test(target));
		expect(relative.flatMap((target) => brokenLink(page, target) ?? [])).toEqual([]);
	});

	it('each page of docs is linked from the README', () => {
		const linked = linksIn('README.md').map((target) => target.split('#')[0]);
		const wanted = pages.filter((page) => page.startsWith('docs/'));
		expect(wanted.filter((page) => !linked.includes(page))).toEqual([]);
	});
});

it('git and the check of the format ignore the files that commands of the documentation write', () => {
	const written = pages.flatMap((page) =>
		[...readText(page).matchAll(/ (?:--out|-o) ([\w.-]+\.\w+)/g)].map(([, file]) => `/${file}`),
	);
	expect(written.length).toBeGreaterThan(1);
	// Prettier reads it as git does.
	expect(readText('.gitignore').split('\n')).toEqual(expect.arrayContaining(written));
});

describe('questions', () => {
	const entries = readText('docs/questions.md')
		.split('\n')
		.filter((line) => line.startsWith('- **'));
	const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[a-z0-9]{3,}/g));

	/** The entries that share the most of the words, the rare ones above all. */
	function found(query: string): string[] {
		const all = entries.map((entry) => ({ entry, words: wordsOf(entry) }));
		const rarity = (word: string) =>
			1 / (1 + all.filter(({ words }) => words.has(word)).length ** 2);
		const scored = all.map(({ entry, words }) => {
			const shared = [...wordsOf(query)].filter((word) => words.has(word));
			return { entry, score: shared.reduce((sum, word) => sum + rarity(word), 0) };
		});
		return scored.sort((a, b) => b.score - a.score).map(({ entry }) => entry);
	}

	it('have an answer and a link each', () => {
		expect(entries.length).toBeGreaterThanOrEqual(30);
		expect(entries.filter((entry) => !/\?\*\* .+\]\(.+\)/.test(entry))).toEqual([]);
	});

	it.each([
		['n8n cloud', 'n8n Cloud?'],
		['pause schedules of a client', 'pause all updates for one client'],
		['sites without backup', 'have no backup?'],
		['mail on failed backup', 'when a backup fails'],
		['restore single files', 'restore only some files'],
		['monthly report to client', 'report to a client every month'],
		['vulnerable plugin', 'known vulnerability'],
		['429 too many requests', '"429"'],
		['trigger does not start', 'trigger not started'],
		['limit agent', 'limit what a workflow or an agent'],
		['undo restore', 'undo a restore'],
		['wait for task', 'until a task is finished'],
	])('%s is found', (query, question) => {
		expect(found(query).slice(0, 3).join('\n')).toContain(question);
	});
});

it.each(['README.md', 'docs/upgrading.md'])('%s names each tested n8n, and no other', (page) => {
	const tested = versionsNamed().map(({ version }) => `n8n ${version}`);
	const named = readText(page).match(/\bn8n \d+\.\d+\.\d+/g);
	expect([...new Set(named)].sort()).toEqual(tested.sort());
});

describe('troubleshooting', () => {
	/** A part of a message that differs from case to case stands there as this. */
	const VARIES = '…';

	const about = (isChange: boolean): ErrorContext => ({
		isChange,
		path: VARIES,
		verifyAt: VARIES,
		baseUrl: VARIES,
		secrets: [],
	});

	const answer = { statusCode: 200, headers: { 'x-ratelimit-limit': '200' }, body: '' };
	const { status, wrongAnswer, mismatch, redirect, notReached, untrusted, ...others } = failures;
	const { noAnswer, endless, notSent } = others;

	/** All that can happen to a request; a new kind does not compile until it is here. */
	const happenings = (context: ErrorContext): Record<keyof typeof failures, Failure[]> => ({
		status: Array.from({ length: 200 }, (_, index) => status(400 + index, '', false, context)),
		wrongAnswer: [
			wrongAnswer('a web page', answer, false, context),
			wrongAnswer(VARIES, answer, false, context),
		],
		mismatch: [
			{ of: 'record', asked: VARIES, came: VARIES } as const,
			{ of: 'state', place: VARIES, asked: VARIES, came: VARIES } as const,
			{ of: 'count', asked: VARIES, came: VARIES } as const,
			{ of: 'ids', asked: '', came: VARIES } as const,
			{ of: 'ids', asked: VARIES, came: '' } as const,
			{ of: 'ids', asked: VARIES, came: VARIES } as const,
		].map((each) => mismatch(each, context)),
		redirect: [redirect({}), redirect({ to: VARIES }), redirect({ to: VARIES, baseUrl: VARIES })],
		notReached: [notReached(VARIES, context)],
		untrusted: [untrusted(VARIES, context)],
		noAnswer: [noAnswer(VARIES)],
		endless: [endless(VARIES)],
		notSent: [notSent(VARIES)],
	});

	const anyStatus = (text: string) => text.replace(/\(\d{3}\)/g, `(${VARIES})`);
	const page = 'docs/troubleshooting.md';
	const rows = readText(page)
		.split('\n')
		.filter((line) => line.startsWith('| `'));
	/** The code in the first cells of its tables, which are the messages. */
	const told = rows.flatMap((row) =>
		[...row.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map(([, message]) => anyStatus(message!)),
	);
	const ofTable = [false, true].flatMap((isChange) =>
		Object.values(happenings(about(isChange)))
			.flat()
			.map((failure) => ofChange(failure, about(isChange)).message)
			// What is added to a message of a change stands there once, for all.
			.map((message) => anyStatus(message.replace(/; the change may have been applied.*$/, ''))),
	);

	it('has every message of the table of messages', () => {
		const wanted = [...new Set(ofTable)];
		expect(wanted.length).toBeGreaterThan(15);
		expect(wanted.filter((message) => !told.includes(message))).toEqual([]);
	});

	it('has no other message than those in the code of the nodes, and of n8n', () => {
		const ofN8n = 'Unrecognized node type';
		const code = filesIn('nodes')
			.filter((file) => file.endsWith('.ts'))
			.map(readText)
			.join('\n');
		const others = told.filter((message) => !ofTable.includes(message));
		expect(others.length).toBeGreaterThan(30);
		// The code puts a message together from texts, mostly at what varies and at punctuation.
		const texts = others.flatMap((message) =>
			message.split(/["(),:;…]/).map((text) => text.trim()),
		);
		expect(texts.filter((text) => text !== ofN8n && !code.includes(text))).toEqual([]);
	});

	it('has what is added when a change may have been applied', () => {
		const { message } = ofChange(noAnswer(''), about(true));
		const [added] = /; the change may have been applied.*$/.exec(message)!;
		expect(readText(page)).toContain(`\`${VARIES}${added}\``);
	});

	it('explains each message and says what to do', () => {
		expect(rows.length).toBeGreaterThan(30);
		const cells = (row: string) =>
			row
				.split(' | ')
				.map((cell) => cell.replace(/^\| | \|$/g, '').trim())
				.filter(Boolean);
		expect(rows.filter((row) => cells(row).length !== 3)).toEqual([]);
	});
});

describe('links of the nodes', () => {
	const codexFiles = filesIn('nodes').filter((file) => file.endsWith('.node.json'));

	interface Codex {
		resources: Record<'credentialDocumentation' | 'primaryDocumentation', Array<{ url: string }>>;
	}

	const urlsOf = (file: string) => {
		const { resources } = JSON.parse(readText(file)) as Codex;
		const urls = (which: keyof Codex['resources']) =>
			resources[which].map(({ url }) => asRelative(url));
		return { primary: urls('primaryDocumentation'), credential: urls('credentialDocumentation') };
	};

	const nodeOf = (file: string) => {
		const [name] = path.basename(file).split('.');
		const source = path.join(root, file.replace(/json$/, 'ts'));
		const exported = require(source) as Record<string, new () => INodeType>;
		return new exported[name!]!().description;
	};

	it.each(codexFiles)('%s leads to its section and to the credential', (file) => {
		const { displayName, documentationUrl } = nodeOf(file);
		const { primary, credential } = urlsOf(file);
		expect(primary).toEqual([`docs/nodes.md#${anchorOf(displayName)}`]);
		// The panel leads here: to the other address n8n adds a query, behind the anchor.
		expect(asRelative(documentationUrl!)).toBe(primary[0]);
		expect(credential).toEqual(['README.md#credential']);
		const broken = [...primary, ...credential].map((target) => brokenLink('README.md', target));
		expect(broken.filter(Boolean)).toEqual([]);
	});

	it('the credential leads to its section', () => {
		const target = asRelative(new SiteManagementApi().documentationUrl);
		expect(target).toBe('README.md#credential');
		expect(brokenLink('README.md', target)).toBeUndefined();
	});

	it('the notice of each trigger leads to what a poll costs', () => {
		const triggers = codexFiles.filter((file) => file.endsWith('Trigger.node.json'));
		expect(triggers).not.toEqual([]);
		for (const file of triggers) {
			const { properties } = nodeOf(file);
			const notice = properties.find(({ name }) => name === 'pollNotice')!;
			const [, url] = /<a href="([^"]+)"/.exec(notice.displayName)!;
			expect(asRelative(url!)).toBe('docs/triggers.md#cost');
			expect(brokenLink('README.md', asRelative(url!))).toBeUndefined();
		}
	});
});
