import type { TxtNode } from '@textlint/ast-node-types';
import type { TextlintRuleModule } from '@textlint/types';
import { SentenceSplitterSyntax, splitAST } from 'sentence-splitter';

/** A rule of textlint: a sentence has at most `max` words. Code counts as one word, whatever its length. */
export const maxWords: TextlintRuleModule = ({ Syntax, report, RuleError, locator }, options) => {
	const { max } = options as { max: number };
	const checkSentences = (node: TxtNode) => {
		const { children } = splitAST(node as Parameters<typeof splitAST>[0]);
		for (const sentence of children) {
			const words = sentence.type === SentenceSplitterSyntax.Sentence ? wordsIn(sentence) : 0;
			if (words <= max) continue;
			const message = `a sentence of ${words} words => sentences of at most ${max} words`;
			const padding = locator.at(sentence.range[0] - node.range[0]);
			report(node, new RuleError(message, { padding }));
		}
	};
	return { [Syntax.Paragraph]: checkSentences, [Syntax.TableCell]: checkSentences };
};

interface Node {
	type: string;
	value?: string;
	children?: Node[];
}

const wordsIn = ({ type, value = '', children = [] }: Node): number => {
	if (type === 'Code') return 1;
	const own = type === 'Str' ? value.split(/\s+/).filter((part) => /\w/.test(part)).length : 0;
	return children.reduce((sum, child) => sum + wordsIn(child), own);
};
