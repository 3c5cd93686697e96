import { SeenStore } from '../../../nodes/shared/polling/seenStore';

/** What is forgotten first for want of room. */

const MINUTE = 60_000;
const NOON = Date.parse('2026-03-01T12:00:00Z');

const fill = (known: SeenStore, name: string, count: number, set: (id: string) => void) => {
	for (let index = 0; index < count; index++) set(`${name} ${index}`);
	return known;
};

const left = (known: SeenStore, name: string, count: number) =>
	Array.from({ length: count }, (_, index) => known.get(`${name} ${index}`)).filter(Boolean).length;

it('closed records that are settled go first, the oldest before the others', () => {
	const known = new SeenStore();
	const settled = NOON;
	const old = NOON - 10 * MINUTE;
	fill(known, 'old', 2_000, (id) => known.set(id, 'closed', old));
	fill(known, 'newer', 500, (id) => known.set(id, 'closed', NOON - 2 * MINUTE));
	fill(known, 'open', 2_000, (id) => known.set(id, new Set(['start'])));
	fill(known, 'young', 2_000, (id) => known.set(id, 'closed', NOON + MINUTE));
	const { count, until } = known.shrink(settled, 28_000);
	expect(left(known, 'old', 2_000)).toBe(0);
	expect([
		left(known, 'newer', 500),
		left(known, 'open', 2_000),
		left(known, 'young', 2_000),
	]).toEqual([500, 2_000, 2_000]);
	// They were not followed any more.
	expect(count).toBe(0);
	expect(until).toBe(old + 10_000);
});

it('then open ones that are settled, and at last all by their time', () => {
	const known = new SeenStore();
	fill(known, 'open', 1_000, (id) => known.set(id, new Set(['start'])));
	fill(known, 'young', 2_000, (id) => known.set(id, 'closed', NOON + MINUTE));
	fill(known, 'youngest', 1_000, (id) => known.set(id, 'closed', NOON + 2 * MINUTE));
	const { count, until } = known.shrink(NOON, 10_000);
	expect([left(known, 'open', 1_000), left(known, 'young', 2_000)]).toEqual([0, 0]);
	expect(left(known, 'youngest', 1_000)).toBe(1_000);
	expect(count).toBe(3_000);
	expect(until).toBe(NOON + MINUTE + 10_000);
});
