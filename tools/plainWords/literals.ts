import ts from 'typescript';

/** A string in a source, with the line at which it begins. */
export interface Literal {
	text: string;
	line: number;
}

const treeOf = (source: string, file = 'text.ts') =>
	ts.createSourceFile(file.replace(/\.m?js$/, '.ts'), source, ts.ScriptTarget.Latest, true);

const lineOf = (node: ts.Node) => {
	const tree = node.getSourceFile();
	return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
};

/** The strings of a source, in their order; `…` is what a template puts in. Names of modules and types are none. */
export function literalsIn(source: string, file?: string): Literal[] {
	const found: Literal[] = [];
	const add = (node: ts.Node, text: string) => void found.push({ text, line: lineOf(node) });
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node))
			return;
		if (ts.isTaggedTemplateExpression(node)) {
			for (const text of textOf(node.template).split(/<[^>]*>/)) add(node, text.trim());
		} else if (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) {
			if (!isTagged(node)) add(node, textOf(node));
		}
		ts.forEachChild(node, visit);
	};
	visit(treeOf(source, file));
	return found;
}

const isTagged = ({ parent }: ts.Node) => ts.isTaggedTemplateExpression(parent);

const textOf = (node: ts.TemplateLiteral | ts.StringLiteralLike): string =>
	ts.isTemplateExpression(node)
		? node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
		: node.text;

/** Comments and docstrings of a source: their text without signs; a tag such as `@param x` begins a sentence. */
export function commentsIn(source: string): Literal[] {
	const found: Literal[] = [];
	const add = (start: number, end: number) => {
		const text = source
			.slice(start, end)
			.replace(/^\/\*+|\*+\/$|^\/\//g, '')
			.replace(/^[ \t]*\* ?/gm, '')
			.replace(/^[ \t]*@(?:param|returns|throws)(?: \w+)?/gm, '\n')
			.trim();
		const line = source.slice(0, start).split('\n').length;
		const isNext = found.at(-1)?.line === line - 1 && source.startsWith('//', start);
		// Lines of comments below each other are one text.
		if (isNext) found.at(-1)!.text += ` ${text}`;
		else found.push({ text, line });
	};
	const tree = treeOf(source);
	const seen = new Set<number>();
	const visit = (node: ts.Node): void => {
		const before = ts.getLeadingCommentRanges(source, node.getFullStart());
		const after = ts.getTrailingCommentRanges(source, node.getEnd());
		for (const { pos, end } of [...(before ?? []), ...(after ?? [])]) {
			if (!seen.has(pos)) add(pos, end);
			seen.add(pos);
		}
		node.getChildren(tree).forEach(visit);
	};
	visit(tree);
	return found.sort((a, b) => a.line - b.line);
}

const NAMES = /^(?:it|test|describe)$/;

export function testNamesIn(source: string): Literal[] {
	const tree = treeOf(source);
	const found: Literal[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node)) {
			const [name] = node.expression.getText(tree).split(/[.(]/);
			const [text] = node.arguments;
			const isNamed = NAMES.test(name ?? '') && text;
			if (isNamed && (ts.isStringLiteralLike(text) || ts.isTemplateExpression(text))) {
				found.push({ text: textOf(text), line: lineOf(text) });
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
}
