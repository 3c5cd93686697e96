import type { IDataObject } from 'n8n-workflow';
import { listIn, rateHeaders, recordsOf } from '../../../nodes/shared/receive/answer';

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

describe('a list in another form', () => {
	const listOf = (body: unknown, headers = { 'x-ratelimit-limit': '200' }) =>
		listIn({ body: body as IDataObject, headers, statusCode: 200 }, 'tags');
	const meta = { pagination: {} };

	it.each<[body: object, ids: string[]]>([
		[{ data: [{ id: '1' }], meta }, ['1']],
		[{ data: [{ id: '1' }] }, ['1']],
		[{ data: [], meta }, []],
		[{ data: null, meta }, []],
	])('%j has the records %j', (body, ids) => {
		expect(listOf(body).map(({ id }) => id)).toEqual(ids);
		expect(() => listOf(body, {} as never)).toThrow('an object without "tags"');
	});

	it.each([
		[{ data: [] }, 'an object without "tags"'],
		[{ data: null, meta: {} }, 'an object without "tags"'],
		[{ data: null, other: null, meta }, 'an object without "tags"'],
		['<!doctype html>', 'a web page'],
	])('%j is refused as %s', (body, what) => expect(() => listOf(body)).toThrow(what));
});

const at = Date.parse('2026-03-01T12:00:00Z');
const date = new Date(at).toUTCString();
/** The reset in seconds since 1970, as the older reference of the service has it. */
const epoch = (seconds: number, unit = 1) => String((at / 1_000 + seconds) * unit);

/** The headers without `x-ratelimit-` before their names. */
const told = (status: number, { 'retry-after': after, date: sentAt, ...headers }: IDataObject) =>
	rateHeaders(status, {
		...Object.fromEntries(
			Object.entries(headers).map(([name, value]) => [`x-ratelimit-${name}`, value]),
		),
		...{ 'retry-after': after, date: sentAt },
	});

it.each<[headers: IDataObject, window: Partial<ReturnType<typeof rateHeaders>>]>([
	[
		{ limit: '200', remaining: '7', reset: '12' },
		{ limit: 200, remaining: 7, resetMs: 12_000 },
	],
	[{ reset: 'soon' }, {}],
	[
		{ limit: 200, remaining: ' 7 ' },
		{ limit: 200, remaining: 7 },
	],
	[{ remaining: '7' }, { remaining: 7 }],
	[
		{ limit: '200', remaining: '200' },
		{ limit: 200, remaining: 200 },
	],
	[{ limit: '200', remaining: '201' }, { limit: 200 }],
	[{ limit: '0', remaining: '7' }, { remaining: 7 }],
	[{ reset: '61' }, { resetMs: 61_000 }],
	...['62', '-1', '1.5', ''].map((reset): [IDataObject, object] => [{ reset }, {}]),
	...[0, 42, 61].map((seconds): [IDataObject, object] => [
		{ date, reset: epoch(seconds) },
		{ resetMs: seconds * 1_000 },
	]),
	[{ date, reset: epoch(42, 1_000) }, { resetMs: 42_000 }],
	// A time that has passed, one beyond the window, and one that nothing can be compared with.
	...[-1, 62].map((seconds): [IDataObject, object] => [{ date, reset: epoch(seconds) }, {}]),
	[{ reset: epoch(42) }, {}],
	[{ date: 'soon', reset: epoch(42) }, {}],
])('of %j the valid headers are used', (headers, window) => {
	const unknown = { limit: undefined, remaining: undefined, resetMs: undefined };
	expect(told(200, headers)).toEqual({ ...unknown, refused: false, ...window });
	const resetMs = window.resetMs ?? 5_000;
	expect(told(429, headers)).toEqual({ ...unknown, refused: true, ...window, resetMs });
});

it.each([
	['3', 3_000],
	[epoch(30), 30_000],
	[new Date(at + 30_000).toUTCString(), 30_000],
])('a refusal without a reset waits as Retry-After says: %s', (after, resetMs) => {
	expect(told(429, { date, 'retry-after': after }).resetMs).toBe(resetMs);
	expect(told(429, { date, reset: epoch(62), 'retry-after': after }).resetMs).toBe(resetMs);
});
