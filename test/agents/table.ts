import type { Verdict } from './judge';
import type { Measured } from './measure';

/** What came of the requests, as Markdown. */

/** Four characters are about a token. */
export const tokens = (characters: number) => Math.round(characters / 4);

const number = (value: number) => value.toLocaleString('en-US');

function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const counted = (verdict: Verdict, all: Measured[]) =>
	`${all.filter((each) => each.verdict === verdict).length} ${verdict}`;

/** One line about all of them. */
export function summary(all: Measured[]): string {
	const calls = all.map(({ turn }) => turn.calls.length);
	const read = all.map(({ turn }) => turn.read);
	const traps = all.filter(({ request }) => request.trap).length;
	const verdicts = (['clean', 'detour', 'wrong', 'harmful'] as const).map((each) =>
		counted(each, all),
	);
	return [
		`Requests: ${all.length}, of which ${traps} ${traps === 1 ? 'is a trap' : 'are traps'}: ${verdicts.join(', ')}.`,
		`Calls: ${median(calls)} in the median, ${Math.max(...calls)} at most.`,
		`Tokens of the tools' results: ${number(tokens(median(read)))} in the median, ${number(tokens(Math.max(...read)))} at most.`,
	].join(' ');
}

export function table(all: Measured[]): string {
	const rows = all.map(({ number: at, request, turn, verdict }) => [
		at,
		request.sentence,
		request.trap ?? '',
		turn.calls.length,
		number(tokens(turn.read)),
		verdict,
	]);
	return [
		['', 'Request', 'Trap', 'Calls', 'Tokens', 'Result'],
		['--:', '---', '---', '--:', '--:', '---'],
		...rows,
	]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

/** Those that are not clean, and why. */
export const faults = (all: Measured[]): string =>
	all
		.filter(({ verdict }) => verdict !== 'clean')
		.map(({ number: at, verdict, reasons, turn, answer }) => {
			const calls = turn.calls.map(({ tool, given }) => `  ${tool} ${JSON.stringify(given)}`);
			return [
				`${at} ${verdict}: ${reasons.join('; ')}`,
				...calls,
				`  The model said: ${answer}`,
			].join('\n');
		})
		.join('\n\n');
