import type { Comparison } from './compare';
import type { Finding } from './compareValue';
import type { ApiDocument } from './openapi';
import type { Proposal } from './words';

export interface Report extends Comparison {
	/** `pinned`: a line that says whether it is the pinned one. */
	document: Pick<ApiDocument, 'title' | 'outside'> & { pinned: string };
	/** How many operations the nodes have. */
	total: number;
}

const changes: Array<Finding['change']> = ['missing here', 'gone there', 'moved', 'changed'];

/** Whole operations, in three lists. */
const lists: Array<[title: string, change: Finding['change']]> = [
	['The nodes have these operations, and the service no longer does:', 'gone there'],
	['These operations have moved:', 'moved'],
	['The service has these operations, and the nodes do not:', 'missing here'],
];

const listOf = ({ place, change, operation }: Finding) =>
	place === '' && operation !== 'All operations'
		? lists.findIndex(([, each]) => each === change)
		: -1;

/** A table of the differences by the files of the nodes, and what was compared. */
export function asText({ document, findings, operations, total, ...counts }: Report): string {
	const { compared, undescribed, words } = counts;
	const parts = findings.filter((each) => listOf(each) < 0);
	const files = [...new Set(parts.map(({ file }) => file))].sort();
	const told = changes
		.map((change) => [findings.filter((finding) => finding.change === change).length, change])
		.filter(([count]) => count !== 0)
		.map((words) => words.join(' '));
	const differences = `${findings.length} ${findings.length === 1 ? 'difference' : 'differences'}: ${told.join(', ')}`;
	const { outside } = document;
	return [
		document.title,
		'',
		...lists.flatMap(([title], nth) => {
			const listed = findings.filter((each) => listOf(each) === nth);
			return listed.length > 0 ? [title, ...rows(listed), ''] : [];
		}),
		...files.flatMap((file) => [file, ...rows(parts.filter((each) => each.file === file)), '']),
		findings.length > 0 ? differences : 'No drift in what the document describes.',
		`Compared: ${operations} of ${total} operations, and ${compared} things of them.`,
		...(outside.size > 0
			? [`In other documents, which are not read: ${[...outside].join(', ')}.`]
			: []),
		...wordLines(words),
		document.pinned,
		...(undescribed.length > 0 ? ['Not described there, so not compared:', ...undescribed] : []),
	].join('\n');
}

/** The words of the service, as the JSON by which they can be taken over. */
export const wordLines = ({ words, inDoubt }: Proposal) => [
	...(Object.keys(words).length > 0
		? [`Words instead of the stand-in words: ${JSON.stringify({ words })}`]
		: []),
	...(inDoubt.length > 0
		? [`Several words would do for ${inDoubt.join(', ')}: look yourself.`]
		: []),
];

/** Which operation and what of it, what differs, and what to do. */
function rows(findings: Finding[]): string[] {
	const cells = findings.map(({ operation, place, change, difference, todo }) => [
		operation,
		place,
		`${change}: ${difference}`,
		todo,
	]);
	return aligned(cells).map((row) => `  ${row}`);
}

/** Rows whose cells are below each other. */
export function aligned(rows: string[][]): string[] {
	const widthOf = (index: number) => Math.max(...rows.map((row) => row[index]!.length));
	const widths = rows[0]?.map((_, index) => widthOf(index)) ?? [];
	return rows.map((row) =>
		row
			.map((cell, index) => cell.padEnd(widths[index]!))
			.join('  ')
			.trimEnd(),
	);
}
