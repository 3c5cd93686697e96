import { SharedWindow } from '../../../nodes/shared/transport/pacing/sharedWindow';

/** Single rules of how a window is shared with others; `share.test.ts` plays whole processes. */

const END = 60_000;

/** A share after a window of 200 that others have used as much as we. */
function afterSharedWindow(): SharedWindow {
	const share = new SharedWindow();
	share.begin(-END, 0, 0);
	sends(share, 100, 0, -1);
	share.end();
	share.begin(0, 0, 0);
	return share;
}

/** Requests of ours that are sent and answered, and what the service has left then. */
function sends(share: SharedWindow, count: number, remaining: number, at = 0): void {
	for (let each = 0; each < count; each++) share.send();
	share.learn({ limit: 200, remaining }, at, at);
}

it('a limit that is another one than assumed counts from the beginning of the window', () => {
	const share = new SharedWindow();
	share.learn({ limit: 50 }, 0, 0);
	expect(share.limit).toBe(50);
	// The request that told it may have been counted.
	expect(share.left).toBe(49);
	share.learn({ limit: 80 }, 0, 0);
	expect(share.left).toBe(78);
});

it('alone, nothing is held back', () => {
	const share = new SharedWindow();
	sends(share, 1, 199);
	expect(share.turnAt(0, 15, END)).toBe(0);
});

it('a turn that was given back counts for others who used its place', () => {
	const share = new SharedWindow();
	for (let count = 0; count < 10; count++) {
		share.send();
		share.unsend();
	}
	sends(share, 1, 190);
	// Nine of the ten that are used are those of others.
	expect(share.turnAt(0, 15, END)).toBe(-1);
});

it('beside others one goes at a time once what was told is old', () => {
	const share = afterSharedWindow();
	sends(share, 1, 198);
	expect(share.turnAt(501, 1, END)).toBe(-1);
	expect(share.turnAt(501, 0, END)).toBe(501);
});

it('beside others it begins slowly: no more under way than have been answered', () => {
	const share = afterSharedWindow();
	sends(share, 2, 190);
	expect(share.turnAt(0, 0, END)).toBe(0);
	expect(share.turnAt(0, 1, END)).toBe(-1);
});

it('beside others all together have no more under way than half of what is left', () => {
	const share = afterSharedWindow();
	sends(share, 50, 100);
	// Half of 100 for two.
	expect(share.turnAt(0, 24, END)).toBe(0);
	expect(share.turnAt(0, 25, END)).toBe(-1);
});

describe('the last tenth of a shared window', () => {
	it('is for whoever was told that exactly so much is left', () => {
		const share = afterSharedWindow();
		sends(share, 10, 20);
		expect(share.turnAt(0, 0, END)).toBe(0);
		sends(share, 1, 2);
		expect(share.turnAt(0, 0, END)).toBe(0);
	});

	it('is not for others, who wait for the reset', () => {
		const share = afterSharedWindow();
		sends(share, 10, 21);
		expect(share.turnAt(0, 0, END)).toBe(0);
		sends(share, 1, 19);
		expect(share.turnAt(0, 0, END)).toBe(END);
	});

	it('may still be told by an answer under way, which was overtaken', () => {
		const share = afterSharedWindow();
		sends(share, 80, 19);
		share.send();
		expect(share.turnAt(0, 1, END)).toBe(-1);
		share.learn({ limit: 200, remaining: 20 }, 0, 0);
		expect(share.turnAt(0, 0, END)).toBe(0);
	});

	it('is so in each window anew', () => {
		const share = afterSharedWindow();
		sends(share, 10, 20);
		share.end();
		share.begin(END, 0, 0);
		sends(share, 10, 19, END);
		expect(share.turnAt(END, 0, 2 * END)).toBe(2 * END);
	});

	it('is a tenth of the limit that the service tells', () => {
		const waits = (remaining: number) => {
			const share = afterSharedWindow();
			share.send();
			share.learn({ limit: 59, remaining: 30 }, 0, 0);
			share.send();
			share.learn({ limit: 59, remaining }, 0, 0);
			return share.turnAt(0, 0, END) > 0;
		};
		expect([6, 5, 4].map(waits)).toEqual([false, false, true]);
	});
});
