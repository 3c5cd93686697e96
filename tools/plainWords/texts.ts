import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { commentsIn, literalsIn, testNamesIn } from './literals';

/** A text that somebody reads, and where it is. */
export interface Text {
	place: string;
	/** The line of the place at which it begins. */
	line?: number;
	text: string;
	/** Whether it is a short text of the editor or a message, not a page. */
	isPanel: boolean;
}

const ROOT = path.resolve(__dirname, '../..');

/** What there is to read, by its kind. */
export const kinds = {
	nodes: builtTexts,
	messages: () => sourceTexts(['nodes', 'credentials'], /\.ts$/),
	examples: exampleTexts,
	docs: () => [...pageTexts(), ...sourceTexts(['tools/docs'], /\.js$/)],
	sandbox: () =>
		sourceTexts(['sandbox/lib', 'sandbox/service', ...ownFiles('sandbox')], /\.(ts|m?js)$/),
	comments: () => readBy(commentsIn, ['nodes', 'credentials'], /\.ts$/),
	tests: () => readBy(testNamesIn, ['test'], /\.test\.ts$/),
	commands: () =>
		sourceTexts(
			[
				...['test/agents/cli.ts', 'test/agents/table.ts', 'test/bench'],
				...['tools/drift', 'tools/live/cli.ts', 'tools/live/look.ts', 'tools/words'],
				...['test/run.mjs', 'tools/check.mjs', 'tools/lint/start.mjs'],
			],
			/\.(ts|mjs)$/,
		),
} satisfies Record<string, () => Text[]>;

export type Kind = keyof typeof kinds;

export const isKind = (name: string): name is Kind => name in kinds;

const ownFiles = (folder: string) =>
	readdirSync(path.join(ROOT, folder), { withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
		.map(({ name }) => `${folder}/${name}`);

/** The keys of a description whose values n8n shows to a person or a model. */
const SHOWN = ['displayName', 'description', 'hint', 'action', 'name', 'message', 'builderHint'];

/** Of all that n8n shows of nodes and credentials, each text once. */
function builtTexts(): Text[] {
	const require = createRequire(__filename);
	const { n8n } = require(path.join(ROOT, 'package.json')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const texts = new Map<string, Text>();
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		const [name = ''] = path.basename(file).split('.');
		const built = new (require(path.join(ROOT, file))[name])();
		const add = (text: string, place: string) => {
			const told = { place: `${name}: ${place}`, text: text.replace(/\s+/g, ' '), isPanel: true };
			if (isProse(text) && !texts.has(text)) texts.set(text, told);
		};
		shownIn('description' in built ? built.description : built, [], add);
	}
	return [...texts.values()];
}

function shownIn(value: unknown, at: string[], add: (text: string, place: string) => void): void {
	if (typeof value === 'string') {
		if (SHOWN.includes(at.at(-1) ?? '')) add(value, at.slice(-3).join('.'));
		return;
	}
	if (value === null || typeof value !== 'object') return;
	const name = 'name' in value && typeof value.name === 'string' ? [value.name] : [];
	for (const [key, inner] of Object.entries(value)) {
		// A parameter is found by its name, not by its place in a list.
		const own = Array.isArray(value) ? [] : [...name, key];
		shownIn(inner, [...at, ...own], add);
	}
}

/** Two words in a row are a text; names of fields, paths and the like are not. */
const isProse = (text: string) => /[\p{L}’']{2,}[,:;]? [\p{L}]+/u.test(text);

/** As git knows them: other checks write and remove files of their own meanwhile. */
const filesIn = (place: string): string[] => {
	const all = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', place];
	const listed = execFileSync('git', all, { cwd: ROOT, encoding: 'utf8' }).split('\0');
	return listed.filter((file) => file && existsSync(path.join(ROOT, file)));
};

/** What a function finds in sources, as running text. */
const readBy = (find: typeof literalsIn, places: string[], files: RegExp): Text[] =>
	places
		.flatMap(filesIn)
		.filter((file) => files.test(file))
		.sort()
		.flatMap((file) =>
			find(readFileSync(path.join(ROOT, file), 'utf8'), file)
				.filter(({ text }) => isProse(text))
				.map(({ text, line }) => ({ place: file, line, text, isPanel: false })),
		);

/** The strings of sources; each line of a longer text is one of its own, for most are tables. */
const sourceTexts = (places: string[], files: RegExp): Text[] =>
	readBy(literalsIn, places, files).map(({ text, ...at }) => ({
		...at,
		text: text.trim().replace(/\n\s*/g, '\n\n'),
		isPanel: !text.trim().includes('\n'),
	}));

const EXAMPLES = 'sandbox/workflows';

interface Workflow {
	name: string;
	nodes: { name: string; type: string; notes?: string; parameters: Record<string, unknown> }[];
}

/** Names, notes and texts of the examples; also texts within expressions and code. */
function exampleTexts(): Text[] {
	return readdirSync(path.join(ROOT, EXAMPLES)).flatMap((file) => {
		const place = `${EXAMPLES}/${file}`;
		const workflow = JSON.parse(readFileSync(path.join(ROOT, place), 'utf8')) as Workflow;
		const texts: Text[] = [{ place, text: workflow.name, isPanel: true }];
		for (const { name, type, notes = '', parameters } of workflow.nodes) {
			const at = `${place}: node "${name}"`;
			const isNote = type === 'n8n-nodes-base.stickyNote';
			if (!isNote) texts.push({ place: at, text: name, isPanel: true });
			texts.push(
				...[notes, ...stringsIn(parameters)]
					.flatMap((text) => (isNote ? [text] : writtenIn(text)))
					.map((text) => ({ place: at, text, isPanel: !isNote })),
			);
		}
		return texts.filter(({ text }) => isProse(text));
	});
}

const stringsIn = (value: unknown): string[] => {
	if (typeof value === 'string') return [value];
	return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : [];
};

const EXPRESSION = /\{\{([\s\S]*?)\}\}/g;

/** What a person or a model reads in a parameter: its text, and the texts in its expressions or its code. */
function writtenIn(parameter: string): string[] {
	const isCode =
		/^\s*(?:const|let|return|\/\/|for|if)\b/m.test(parameter) && /;\s*$/m.test(parameter);
	if (isCode) return literalsIn(parameter).map(({ text }) => text);
	const around = parameter.replace(/^=/, '').replace(EXPRESSION, '…');
	const expressions = [...parameter.matchAll(EXPRESSION)].map(([, code = '']) => `(${code})`);
	const inside = expressions.flatMap((code) => literalsIn(code).map(({ text }) => text));
	return [around, ...inside]
		.flatMap((text) => text.split(/<[^>]*(?:>|$)/))
		.map((text) => text.trim());
}

const PAGES = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'];

/** The pages, without the parts that are made from code or examples: their texts are looked at where they are written. */
function pageTexts(): Text[] {
	const docs = readdirSync(path.join(ROOT, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `docs/${file}`);
	return [...PAGES, ...docs].map((place) => ({
		place,
		text: withoutMade(readFileSync(path.join(ROOT, place), 'utf8')),
		isPanel: false,
	}));
}

/** Empty lines stay in the place of what is made, for the numbers of the lines. */
const withoutMade = (page: string) =>
	page.replace(/<!-- (\S+): made[\s\S]*?<!-- end of \1 -->/g, (part) => part.replace(/[^\n]/g, ''));
