import { readResult } from '../../sandbox/lib/agentModel';

/** How a competent model would go about a request: the calls that it makes, each by what the last one gave. */

/** A tool that is wanted called, with what its review shows besides. */
export interface Call {
	tool: string;
	given: Record<string, unknown>;
	review?: Record<string, unknown>;
}

export type Row = Record<string, any>;

/** What a call gave. */
export class Result {
	private readonly result: ReturnType<typeof readResult>;

	constructor(readonly text: string) {
		this.result = readResult(text);
	}

	/** The records; none where the tool has told something in place of them. */
	get rows(): Row[] {
		return 'rows' in this.result ? this.result.rows : [];
	}

	/** The only record, or the first that fits. */
	one(fits: (row: Row) => boolean = () => true): Row {
		return this.rows.find(fits) ?? {};
	}

	/** What the tool has told in place of records: that it failed, or that a person has declined it. */
	get told(): string | undefined {
		return 'told' in this.result ? this.result.told : undefined;
	}

	list(key: string): string {
		return this.rows.map((row) => String(row[key])).join(', ');
	}
}

/** It ends with what the person is told. Of several calls in one answer it goes on with what the last one gave. */
export type Script = Generator<Call | Call[], string, Result>;

/** What a script does after some results: the next call, or the answer. */
export function nextOf(script: Script, results: string[]): Call[] | string {
	let next = script.next();
	for (let read = 0; !next.done;) {
		const calls = [next.value].flat();
		read += calls.length;
		if (read > results.length) return calls;
		next = script.next(new Result(results[read - 1]!));
	}
	return next.value;
}
