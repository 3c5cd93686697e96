import { retryAfter } from '../../../nodes/shared/transport/retry';

const after = (method: string, status: number | undefined, number = 1, headers = {}) =>
	retryAfter({ method, status, number, headers });

it.each(['GET', 'POST', 'DELETE'])('%s is sent again after 429, at the reset', (method) => {
	const wait = after(method, 429, 1, { 'x-ratelimit-reset': '12' })!;
	expect(wait).toBeGreaterThanOrEqual(12_000);
	expect(wait).toBeLessThan(13_000);
});

it('429 without a reset waits a second', () => {
	expect(after('GET', 429)).toBeGreaterThanOrEqual(1000);
});

it.each([500, 502, 503, 504, undefined])('only GET is sent again after %s', (status) => {
	expect(after('GET', status)).toBeDefined();
	expect(after('POST', status)).toBeUndefined();
	expect(after('DELETE', status)).toBeUndefined();
});

it.each([400, 401, 403, 404, 409, 422])('%i is final', (status) => {
	expect(after('GET', status)).toBeUndefined();
});

it('waits grow and end', () => {
	const waits = [1, 2, 3].map((number) => after('GET', 503, number)!);
	expect(waits[1]).toBeGreaterThan(waits[0]!);
	expect(waits[2]).toBeGreaterThan(waits[1]!);
	expect(after('GET', 503, 4)).toBeUndefined();
	expect(after('GET', 429, 10)).toBeUndefined();
});
