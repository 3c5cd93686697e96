import { recordsOf } from '../../../nodes/shared/receive/answer';
import { numbersIn } from '../../../nodes/shared/client/records';

/** What others say in a form that nobody has told of: as JSON in a message, never as `[object Object]`. */

const from = (body: object) => ({ body, headers: {}, statusCode: 200 }) as never;

it.each([
	[{ pages: 7 }, '{"pages":7}'],
	[[{ a: 1 }], '[{"a":1}]'],
	['many', 'many'],
	[1.5, '1.5'],
])('the number of pages %j', (totalPages, text) => {
	const meta = { pagination: { totalPages } } as never;
	expect(() => numbersIn(from({ meta }))).toThrow(`a list whose totalPages is ${text}`);
});

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
