import { rateHeaders } from '../../../nodes/shared/receive/answer';
import { waitBeforeRetry } from '../../../nodes/shared/client/exchange';

const after = (method: string, status: number | undefined, number = 1, headers = {}) =>
	waitBeforeRetry(
		method,
		number,
		status === undefined ? undefined : { statusCode: status, headers },
	);

it.each(['GET', 'POST', 'DELETE'])('%s takes a new turn after 429', (method) => {
	expect(after(method, 429)).toBe(0);
	expect(after(method, 429, 10)).toBeUndefined();
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
});

it('a service that asks for more time gets it, up to a minute', () => {
	expect(after('GET', 503, 1, { 'retry-after': '20' })).toBe(20_000);
	expect(after('GET', 503, 1, { 'retry-after': '9999' })).toBe(60_000);
	expect(after('GET', 503, 1, { 'retry-after': 'soon' })).toBeLessThan(1_000);
});

describe('the headers of an answer', () => {
	const headers = {
		'x-ratelimit-limit': '200',
		'x-ratelimit-remaining': '7',
		'x-ratelimit-reset': '12',
	};

	it('tell the window', () => {
		expect(rateHeaders(200, headers)).toEqual({
			limit: 200,
			remaining: 7,
			resetMs: 12_000,
			refused: false,
		});
	});

	it('without them nothing is known', () => {
		expect(rateHeaders(200, { 'x-ratelimit-reset': 'soon' })).toEqual({ refused: false });
	});

	it('a refusal without a reset waits as Retry-After says, or five seconds', () => {
		expect(rateHeaders(429, { 'retry-after': '3' }).resetMs).toBe(3_000);
		expect(rateHeaders(429, {}).resetMs).toBe(5_000);
	});

	it('may be numbers, or have blanks around them', () => {
		const odd = { 'x-ratelimit-limit': 200, 'x-ratelimit-remaining': ' 7 ' };
		expect(rateHeaders(200, odd)).toMatchObject({ limit: 200, remaining: 7 });
	});

	it.each([
		[{ 'x-ratelimit-remaining': '7' }, { remaining: 7 }],
		[{ ...headers, 'x-ratelimit-remaining': '200' }, { remaining: 200 }],
		[
			{ ...headers, 'x-ratelimit-remaining': '201' },
			{ limit: 200, remaining: undefined },
		],
		[
			{ ...headers, 'x-ratelimit-limit': '0' },
			{ limit: undefined, remaining: 7 },
		],
		[{ ...headers, 'x-ratelimit-limit': '1000001' }, { limit: undefined }],
		[{ ...headers, 'x-ratelimit-reset': '61' }, { resetMs: 61_000 }],
		[{ ...headers, 'x-ratelimit-reset': '62' }, { resetMs: undefined }],
		[{ ...headers, 'x-ratelimit-reset': '-1' }, { resetMs: undefined }],
		[{ ...headers, 'x-ratelimit-reset': '1.5' }, { resetMs: undefined }],
	])('of %j uses the valid headers', (given, told) => {
		expect(rateHeaders(200, given)).toMatchObject(told);
	});
});

it('waits grow up to 15 seconds where a window does not end at its reset', () => {
	const waits = [1, 2, 3, 4, 5, 6, 7, 9].map((number) => after('POST', 429, number));
	expect(waits).toEqual([0, 0, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
});
