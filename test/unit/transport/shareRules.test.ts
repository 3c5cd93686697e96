import { Share } from '../../../nodes/shared/transport/share';

/** Single rules of how a window is shared with others; `share.test.ts` plays whole processes. */

const END = 60_000;
const waiting = { size: 100 };

afterEach(() => void jest.restoreAllMocks());

/** A share after a window of 200 that others have used as much as we, to its end. */
function afterFullWindow(left = 0): Share {
	const share = new Share();
	share.begin(-END, 0, 0, 0);
	for (let count = 0; count < 100; count++) share.send();
	share.learn({ limit: 200, remaining: left }, -1, -1);
	share.end();
	share.begin(0, 0, 0, waiting.size);
	return share;
}

/** Requests of ours that are sent and answered, and what the service has left then. */
function sends(share: Share, count: number, remaining: number, at = 0): void {
	for (let each = 0; each < count; each++) share.send();
	share.learn({ limit: 200, remaining }, at, at);
}

it('a limit that is another one than assumed counts from the beginning of the window', () => {
	const share = new Share();
	share.learn({ limit: 50 }, 0, 0);
	expect(share.limit).toBe(50);
	// The request that told it may have been counted.
	expect(share.left).toBe(49);
	share.learn({ limit: 80 }, 0, 0);
	expect(share.left).toBe(78);
});

it('alone, nothing is held back', () => {
	const share = new Share();
	sends(share, 1, 199);
	expect(share.turnAt(0, 15, waiting, END)).toBe(0);
});

it('a turn that was given back counts for others who used its place', () => {
	const share = new Share();
	for (let count = 0; count < 10; count++) {
		share.send();
		share.unsend();
	}
	sends(share, 1, 190);
	// Nine of the ten that are used are those of others.
	expect(share.turnAt(0, 15, waiting, END)).toBe(-1);
});

it('beside others one goes at a time once what was told is old', () => {
	const share = afterFullWindow();
	sends(share, 1, 198);
	expect(share.turnAt(501, 1, waiting, END)).toBe(-1);
	expect(share.turnAt(501, 0, waiting, END)).toBe(501);
});

it('beside others it begins slowly: no more under way than have been answered', () => {
	const share = afterFullWindow();
	sends(share, 2, 190);
	expect(share.turnAt(0, 0, waiting, END)).toBe(0);
	expect(share.turnAt(0, 1, waiting, END)).toBe(-1);
});

it('after a full window each takes its part at once, as if there were one more, and rests', () => {
	const share = afterFullWindow();
	sends(share, 66, 134);
	expect(share.turnAt(0, 0, waiting, END)).toBe(0);
	sends(share, 1, 133);
	const rest = share.turnAt(0, 0, waiting, END);
	expect(rest).toBeGreaterThanOrEqual(1_000);
	expect(rest).toBeLessThanOrEqual(2_000);
	expect(share.turnAt(rest, 0, waiting, END)).toBe(rest);
});

it('a window is full when no more than the last eighth of it was left', () => {
	const rests = (left: number) => {
		const share = afterFullWindow(left);
		sends(share, 100, 100);
		return share.turnAt(0, 0, waiting, END) > 0;
	};
	expect([0, 25, 26, 100].map(rests)).toEqual([true, true, false, false]);
});

describe('the last places', () => {
	it('are for the one that was first in the window', () => {
		const share = afterFullWindow();
		sends(share, 1, 199);
		sends(share, 10, 2, 5_000);
		expect(share.turnAt(5_000, 0, waiting, END)).toBe(5_000);
	});

	it('are tried by some of the others early in the rest of the window, by the rest not', () => {
		const later = (...random: number[]) => {
			const drawn = jest.spyOn(Math, 'random');
			const share = afterFullWindow();
			sends(share, 10, 2, 5_000);
			for (const each of random) drawn.mockReturnValueOnce(each);
			return share.turnAt(5_000, 0, waiting, END);
		};
		expect(later(0.9)).toBe(END);
		expect(later(0.2, 0)).toBe(5_000 + 0.05 * 55_000);
		expect(later(0.2, 1)).toBe(5_000 + 0.3 * 55_000);
	});

	it('are for whoever has found one free', () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		const share = afterFullWindow();
		sends(share, 10, 2, 5_000);
		const at = share.turnAt(5_000, 0, waiting, END);
		expect(at).toBeGreaterThan(5_000);
		sends(share, 1, 1, at);
		expect(share.turnAt(at, 0, waiting, END)).toBe(at);
	});
});
