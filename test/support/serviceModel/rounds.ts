import type { Scenario } from './scenario';

/** Polls with changes before each of them. */
export async function rounds(
	scenario: Scenario,
	count: number,
	changes: number,
	before: (round: number) => void = () => undefined,
): Promise<void> {
	for (let round = 0; round < count; round++) {
		scenario.changes(changes, 60_000);
		await scenario.timeline.advance(60_000);
		before(round);
		await scenario.poll();
	}
}
