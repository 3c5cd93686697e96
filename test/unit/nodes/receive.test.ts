import { toRecords } from '../../../nodes/shared/receive/items';
import type { ApiResponse } from '../../../nodes/shared/transport/context';

const records = (body: unknown, statusCode = 200, lastId?: string) =>
	toRecords({ body, statusCode, headers: {} } as ApiResponse, lastId);

it('a wrapped record is unwrapped', () => {
	expect(records({ tag: { id: '1' } })).toEqual([{ id: '1' }]);
});

it('a list gives a record each, without meta', () => {
	expect(records({ tags: [{ id: '1' }, { id: '2' }], meta: { pagination: {} } })).toEqual([
		{ id: '1' },
		{ id: '2' },
	]);
});

it('a created list without meta gives a record each', () => {
	expect(records({ custom_works: [{ id: '1' }] }, 201)).toEqual([{ id: '1' }]);
});

it('a single field without a wrapper is kept', () => {
	expect(records({ url: 'https://example.com' })).toEqual([{ url: 'https://example.com' }]);
});

it('no content means deleted, with the id where the path has one', () => {
	expect(records('', 204, '7')).toEqual([{ deleted: true, id: '7' }]);
	expect(records('', 204)).toEqual([{ deleted: true }]);
});

it('a bulk result gives an item for each id', () => {
	const body = {
		delete: { ids: ['1'], errors: [{ id: '2', code: 'not_found', message: 'Unknown' }] },
		meta: { requested: 2, succeeded: 1, failed: 1 },
	};
	expect(records(body)).toEqual([
		{ id: '1', success: true },
		{ id: '2', code: 'not_found', message: 'Unknown', success: false },
	]);
});

it('a bulk result in which all failed gives their errors', () => {
	const body = { sync: { paths: [], errors: [{ id: './a', code: 'not_found' }] }, meta: {} };
	expect(records(body)).toEqual([{ id: './a', code: 'not_found', success: false }]);
});

it('an answer that is no object is kept as a value', () => {
	expect(records('plain')).toEqual([{ value: 'plain' }]);
});
