import ts from 'typescript';

/** A string in a source, with the line at which it begins. */
export interface Literal {
	text: string;
	line: number;
}

/** The strings of a source, in their order; `…` is what a template puts in. Names of modules and types are none. */
export function literalsIn(source: string, file = 'text.ts'): Literal[] {
	const tree = ts.createSourceFile(
		file.replace(/\.m?js$/, '.ts'),
		source,
		ts.ScriptTarget.Latest,
		true,
	);
	const found: Literal[] = [];
	const add = (node: ts.Node, text: string) => {
		const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
		found.push({ text, line: line + 1 });
	};
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
	visit(tree);
	return found;
}

const isTagged = ({ parent }: ts.Node) => ts.isTaggedTemplateExpression(parent);

const textOf = (node: ts.TemplateLiteral | ts.StringLiteralLike): string =>
	ts.isTemplateExpression(node)
		? node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
		: node.text;
