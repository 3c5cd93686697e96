import type { Bench, Conversation } from './bench';
import { AgencyFleet } from './fleet';
import { expectedOf, judge, type Judgement } from './judge';
import type { Turn } from './recorder';
import { requests, type AgencyRequest } from './requests';

/** What came of one request, and what it took. */
export interface Measured extends Judgement, Conversation {
	/** From 1. */
	number: number;
	request: AgencyRequest;
	turn: Turn;
}

/** Puts the fleet back to how it is for a request, as if nothing had been asked before. */
export function prepare({ reset, service }: Bench, request: AgencyRequest) {
	reset();
	const fleet = new AgencyFleet(service.world);
	request.setUp?.(fleet);
	return { fleet, expected: expectedOf(request, fleet) };
}

export async function measure(bench: Bench, number: number, request: AgencyRequest) {
	const { fleet, expected } = prepare(bench, request);
	const said = await bench
		.ask(request.sentence, request.button ?? 'Approve')
		.catch((error: Error) => ({ answer: `There was none: ${error.message}`, reviews: [] }));
	const turn = bench.recorder.takeTurn();
	const { requests: sent } = bench.service;
	return {
		number,
		request,
		turn,
		...said,
		...judge(expected, fleet, sent, turn, said.answer),
	};
}

/**
 * Has the agent see to the requests, one after the other.
 * @param only their numbers, from 1; by default all
 */
export async function measureAll(
	bench: Bench,
	only?: number[],
	tell: (measured: Measured) => void = () => {},
): Promise<Measured[]> {
	const all: Measured[] = [];
	for (const [at, request] of requests.entries()) {
		if (only && !only.includes(at + 1)) continue;
		const measured = await measure(bench, at + 1, request);
		tell(measured);
		all.push(measured);
	}
	return all;
}
