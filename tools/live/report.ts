import { mapValues } from '../../nodes/shared/lib';
import { aligned, wordLines } from '../drift/report';
import type { Finding } from './judge';
import type { Look, Looked } from './look';

/** What check:live tells: nothing of it is a value, an id, the host or the token. */
export interface Report extends Look {
	/** As `npm run service -- --profile` knows it. */
	kind: 'check:live';
	exit: Exit;
	requests: number;
}

/** As expected, differs, could not look, a node would refuse. */
export type Exit = 0 | 1 | 2 | 3;

const verdicts: Record<Exit, string> = {
	0: 'As expected.',
	1: 'The service differs from the reference. The nodes take these answers.',
	2: 'Could not look.',
	3: 'The service differs from the reference, and nodes would fail.',
};

export function asText(report: Report): string {
	const { exit, stopped, requests, findings, routes, skipped, errors } = report;
	const { words, wordsInDoubt: inDoubt, lists } = report;
	const section = (title: string, lines: string[]) =>
		lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`), ''] : [];
	const of = (is: Finding['is']) =>
		findings
			.filter((each) => each.is === is)
			.map(({ route, place, what }) => [`${route}:`, place, what].filter(Boolean).join(' '));
	const errorKeys = mapValues(errors, ({ keys }) => Object.keys(keys).join(', '));
	return [
		`${verdicts[exit]}${stopped === undefined ? '' : ` Stopped: ${stopped}.`}`,
		`${requests} requests, ${Object.keys(routes).length} routes.`,
		'',
		...section('A node would fail:', of('refused')),
		...section('Accepted in another form:', of('taken')),
		...section('Differs from the reference:', of('differs')),
		...wordLines({ words, inDoubt }),
		...section('Routes (statuses, records seen, ms, filter, sort):', rows(routes)),
		...section('Not read:', listed(skipped)),
		...section('Lists of components beyond the reference:', listed(lists)),
		...section('Keys of errors:', listed(errorKeys)),
	]
		.join('\n')
		.trimEnd();
}

const listed = (texts: Record<string, string>) =>
	Object.entries(texts).map(([route, what]) => `${route}: ${what}`);

function rows(routes: Record<string, Looked>): string[] {
	const cells = Object.entries(routes).map(([route, { statuses, records, ms, filter, sort }]) => [
		route,
		Object.entries(statuses)
			.map(([status, count]) => `${status}×${count}`)
			.join(' '),
		records === undefined ? '' : String(records),
		ms === undefined ? '' : String(ms),
		filter ?? '',
		sort ?? '',
	]);
	return aligned(cells);
}
