import { fc } from '../../support/effort';
import { Heap } from '../../../nodes/shared/run/orderedMutations';

it('hands out the lowest of what it holds, whenever things come', () => {
	const taking = fc.constant(undefined);
	fc.assert(
		fc.property(fc.array(fc.oneof(fc.integer({ min: 0, max: 30 }), taking)), (steps) => {
			const heap = new Heap<number>();
			const held: number[] = [];
			for (const rank of [...steps, ...steps.map(() => undefined)]) {
				if (rank === undefined) {
					expect(heap.take()).toBe(held.sort((a, b) => a - b).shift());
				} else {
					heap.add(rank, rank);
					held.push(rank);
				}
			}
		}),
		{ numRuns: 1_000 },
	);
});
