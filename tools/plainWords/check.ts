import path from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import prh from 'textlint-rule-prh';
import { maxWords } from './maxWords';
import type { Text } from './texts';

/** A text that a native speaker would not write. */
export interface Finding {
	place: string;
	line: number;
	/** What is wrong, and what to write instead. */
	message: string;
	text: string;
}

export const MAX_WORDS = 30;

const rulesIn = (...files: string[]) => ({
	ruleId: 'words',
	rule: prh,
	options: {
		rulePaths: files.map((file) => path.join(__dirname, file)),
		checkLink: true,
		checkBlockQuote: true,
		checkEmphasis: true,
		checkHeader: true,
	},
});

const sentences = { ruleId: 'sentences', rule: maxWords, options: { max: MAX_WORDS } };

/** Texts of the editor and messages begin with what they are about. */
const panel = [rulesIn('everywhere.yml', 'panel.yml'), sentences];
const pages = [rulesIn('everywhere.yml'), sentences];

const kernel = new TextlintKernel();

/** What is wrong with texts, in their order. All are Markdown to the rules, so that code is left alone. */
export async function check(texts: readonly Text[]): Promise<Finding[]> {
	const found = await Promise.all(texts.map(findingsIn));
	return found.flat();
}

async function findingsIn({ place, line = 1, text, isPanel }: Text): Promise<Finding[]> {
	const { messages } = await kernel.lintText(text, {
		ext: '.md',
		plugins: [{ pluginId: 'markdown', plugin: markdown }],
		rules: isPanel ? panel : pages,
	});
	const lines = text.split('\n');
	return messages.map(({ message, loc: { start } }) => ({
		place,
		line: line + start.line - 1,
		message,
		text: (lines[start.line - 1] ?? '').trim(),
	}));
}
