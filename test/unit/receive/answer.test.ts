import { rateHeaders, recordsOf } from '../../../nodes/shared/receive/answer';

/** What an answer says, in whichever form: its errors, and the window of the rate limit. */

const from = (body: object) => ({ body, headers: {}, statusCode: 200 }) as never;

it.each([
	[['is gone'], '["is gone"]'],
	[[{ message: 'is gone' }], '[{"message":"is gone"}]'],
	['is gone', 'is gone'],
	[7, '7'],
])('an error of a bulk result that is %j', (error, message) => {
	const body = { delete: { ids: [], errors: [error] } };
	const answer = { kind: 'bulk', wrapper: 'delete', ids: 'ids' } as never;
	expect(recordsOf(answer, from(body), { asked: ['1'] })).toEqual([{ message, success: false }]);
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

describe('a reset in seconds since 1970, as the older reference of the service has it', () => {
	const at = Date.parse('2026-03-01T12:00:00Z');
	const date = new Date(at).toUTCString();
	const resetOf = (reset: unknown, more: object = { date }, status = 200) =>
		rateHeaders(status, { 'x-ratelimit-reset': String(reset), ...more }).resetMs;

	it.each([0, 1, 42, 61])('%i seconds to go', (seconds) => {
		expect(resetOf(at / 1_000 + seconds)).toBe(seconds * 1_000);
		expect(resetOf(at + seconds * 1_000)).toBe(seconds * 1_000);
		expect(resetOf(at / 1_000 + seconds, { date }, 429)).toBe(seconds * 1_000);
	});

	it.each([
		['a time that has passed', at / 1_000 - 1, { date }],
		['one beyond the window', at / 1_000 + 62, { date }],
		['no Date header to compare with', at / 1_000 + 42, {}],
		['one that is no date', at / 1_000 + 42, { date: 'soon' }],
	])('%s is not believed', (_, reset, headers) => {
		expect(resetOf(reset, headers)).toBeUndefined();
		expect(resetOf(reset, headers, 429)).toBe(5_000);
		expect(resetOf(reset, { ...headers, 'retry-after': '20' }, 429)).toBe(20_000);
	});

	it('is read in Retry-After of a refusal as well, also as a date', () => {
		const refused = (after: string) => rateHeaders(429, { date, 'retry-after': after }).resetMs;
		expect(refused(String(at / 1_000 + 30))).toBe(30_000);
		expect(refused(new Date(at + 30_000).toUTCString())).toBe(30_000);
	});
});
