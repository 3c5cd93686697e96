import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { mapValues } from '../../nodes/shared/lib';
import { description, runNode, type NodeRun } from './engine';
import type { Fleet, Sent } from './fleet';
import { nodeOf } from './workflow';

/** Nodes as n8n has saved them, and what they did on that day: they do it for ever, whatever becomes of the package. */

const FOLDER = path.resolve(__dirname, '../contract/saved');

type SavedNode = Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters'>;

/** A workflow, in which names such as `<site>` stand for the records that a test makes. */
interface SavedWorkflow {
	name: string;
	nodes: SavedNode[];
	connections: object;
}

interface Deed {
	sent: Sent[];
	/** The names of the fields in its first item. */
	fields: string[];
	/** The files of the item that it worked on, in base64. */
	files?: Record<string, { mimeType: string; content: string }>;
	items?: NodeRun['items'];
}

/** The texts of the records that a test has made, such as their ids, by names of its own. */
export type Names = Record<string, any>;

type Case = Pick<NodeRun, 'parameters' | 'binary' | 'items'>;

/** Has a node do what it does, and tells of it. */
type Doing = (fleet: Fleet, node: NodeRun) => Promise<Pick<Deed, 'sent' | 'fields'>>;

const workflowFile = (family: string) => path.join(FOLDER, `${family}.workflow.json`);
const deedsFile = (family: string) => path.join(FOLDER, `${family}.deeds.json`);

const read = <T>(file: string, otherwise: T): T =>
	existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : otherwise;

export const savedFamilies = readdirSync(FOLDER).flatMap(
	(file) => /^(\w+)[.]deeds/.exec(file)?.[1] ?? [],
);

/** What the saved nodes of some families sent, with texts for names such as `<site>`. */
export const savedRequests = (families: string[], textOf: (name: string) => string): Sent[] =>
	families.flatMap((family) => {
		const deeds = readFileSync(deedsFile(family), 'utf8');
		const text = deeds.replace(/<([\w.]+)>/g, (_, name: string) => textOf(name));
		return Object.values(JSON.parse(text) as Record<string, Deed>).flatMap(({ sent }) => sent);
	});

/**
 * Runs the nodes that have been saved of these cases. With `SAVE_NODES`, which `npm run published` sets, those of
 * the others are saved.
 */
export function savedNodes(
	family: string,
	prepared: () => { fleet: Fleet; names: Names },
	cases: Record<string, (names: Names) => Case>,
	doing: Doing = running,
): void {
	const workflow = read<SavedWorkflow>(workflowFile(family), {
		name: `Saved: ${family}`,
		nodes: [],
		connections: {},
	});
	const deeds = read<Record<string, Deed>>(deedsFile(family), {});

	for (const node of workflow.nodes) {
		it(`${node.name}, as it was saved, does what it did`, async () => {
			const { fleet, names } = prepared();
			const { sent, fields, ...about } = deeds[node.name]!;
			const deed = await doing(fleet, runOf(withTexts(node, names), withTexts(about, names)));
			const then = withTexts(sent, names);
			expect(besideNames(deed.sent, then)).toEqual(then);
			expect(deed.fields).toEqual(expect.arrayContaining(fields));
		});
	}

	const unsaved = Object.keys(cases).filter((name) => !(name in deeds));
	if (!process.env.SAVE_NODES) {
		it('a node of every case has been saved', () => {
			expect(unsaved.map((name) => `${name}: run "npm run published"`)).toEqual([]);
		});
		return;
	}
	for (const name of unsaved) {
		it(`${name} is saved`, async () => {
			const { fleet, names } = prepared();
			const { parameters, binary, items } = cases[name]!(names);
			const node = await asSaved(name, parameters);
			const about = { ...(binary && { files: filesOf(binary) }), ...(items && { items }) };
			const deed = await doing(fleet, runOf(node, about));
			workflow.nodes.push(withNames(node, names));
			deeds[name] = withNames({ ...deed, ...about }, names);
		});
	}
	afterAll(() => {
		mkdirSync(FOLDER, { recursive: true });
		writeFileSync(workflowFile(family), JSON.stringify(workflow));
		writeFileSync(deedsFile(family), JSON.stringify(deeds));
	});
}

/** A node as the editor saves it: without what is as it was in a new one. */
async function asSaved(name: string, parameters: INodeParameters): Promise<SavedNode> {
	const [type, resource, operation] = name.split(' ')[0]!.split('/') as [string, string, string];
	const about = await description(type);
	const typeVersion = about.defaultVersion ?? [about.version].flat().at(-1)!;
	const node = nodeOf('1', name, type, {}, { typeVersion }) as INode;
	const all = { resource, operation, ...parameters };
	const saved = NodeHelpers.getNodeParameters(about.properties, all, false, false, node, about);
	return { ...node, parameters: saved! };
}

const runOf = (
	{ type, typeVersion, parameters }: SavedNode,
	{ files, items }: Pick<Deed, 'files' | 'items'>,
): NodeRun => ({
	node: type.split('.')[1]!,
	parameters,
	settings: { typeVersion },
	...(files && { binary: binaryOf(files) }),
	items,
});

/** Without the records that a change reads for the names in its output, where it did not on that day. */
const besideNames = (all: Sent[], then: Sent[]) => {
	const isChange = then.some(({ route }) => !route.startsWith('GET '));
	const isName = ({ route }: Sent) =>
		/^GET \/[\w-]+\/[^/]+$/.test(route) && !then.some((each) => each.route === route);
	return isChange ? all.filter((each) => !isName(each)) : all;
};

const running: Doing = async (fleet, node) => {
	const { error, json } = await runNode(fleet, node);
	expect(error).toBeUndefined();
	return { sent: steady(fleet.sent()), fields: fieldsOf(json[0]) };
};

/** Without the execution and the time that Update Now writes into its schedule. */
const steady = (sent: Sent[]): Sent[] =>
	sent.map((each) => {
		const text = JSON.stringify(each);
		if (!text.includes('Update Now, execution ')) return each;
		return JSON.parse(
			text
				.replace(/(Update Now, execution )\w+/, '$1(id)')
				.replace(/("started_at":")[^"]+/, '$1(time)'),
		) as Sent;
	});

export const fieldsOf = (item: object | undefined): string[] => Object.keys(item ?? {}).sort();

const filesOf = (binary: NonNullable<NodeRun['binary']>): Deed['files'] =>
	mapValues(binary, ({ mimeType, content }) => ({ mimeType, content: content.toString('base64') }));

const binaryOf = (files: NonNullable<Deed['files']>): NodeRun['binary'] =>
	mapValues(files, ({ mimeType, content }) => ({
		mimeType,
		content: Buffer.from(content, 'base64'),
	}));

type Pairs = Array<[name: string, text: string]>;

/** Short texts, such as numbers, and words could mean something else. */
const isTelling = (text: string) => text.length >= 6 && !/^[a-z_]+$/i.test(text);

/** The names of the texts, and the texts, the longest first: one may be a part of another. */
function pairsOf(names: Names, place = ''): Pairs {
	return Object.entries(names)
		.flatMap(([name, value]): Pairs => {
			if (typeof value === 'object') return pairsOf(value, `${place}${name}.`);
			return typeof value === 'string' && isTelling(value) ? [[`<${place}${name}>`, value]] : [];
		})
		.sort(([, a], [, b]) => b.length - a.length);
}

const withNames = <T>(value: T, names: Names): T =>
	replaced(
		value,
		pairsOf(names).map(([name, text]) => [text, name]),
	);

const withTexts = <T>(value: T, names: Names): T => replaced(value, pairsOf(names));

const replaced = <T>(value: T, pairs: Pairs): T =>
	JSON.parse(
		pairs.reduce((json, [from, to]) => json.replaceAll(from, to), JSON.stringify(value)),
	) as T;
