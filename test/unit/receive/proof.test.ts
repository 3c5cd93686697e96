import type { IDataObject } from 'n8n-workflow';
import {
	Mismatched,
	droppedFrom,
	prove,
	proveRecord,
	replacedIn,
} from '../../../nodes/shared/receive/proof';
import { recordsOf } from '../../../nodes/shared/receive/answer';
import type { Operation } from '../../../nodes/shared/operation/index';

/** Comparisons of responses and requests, in addition to the tests of the operations. */

const found = (act: () => unknown) => {
	try {
		act();
		return undefined;
	} catch (error) {
		return (error as Mismatched).mismatch;
	}
};

describe('the answer to a delete', () => {
	const remove: Pick<Operation, 'route' | 'answer'> = {
		route: 'DELETE /tags/{tagId}',
		answer: { kind: 'nothing' },
	};
	const order = { ids: { tagId: '7' }, asked: [], body: {} };
	const headers = { 'x-ratelimit-limit': '200' };
	const read = (body: any) => {
		prove(remove, order, { body, records: [] });
		return recordsOf(remove.answer, { statusCode: 200, headers, body }, { lastId: '7' });
	};

	it.each<unknown>([
		...['', undefined, {}, { message: 'Deleted' }, { deleted: true }, { id: '7' }, { id: 7 }],
		...[{ tag: { id: '7', site_ids: ['1', '2'] } }, { task: { id: 't1', status: 'queued' } }],
		...[
			{ id: '7', message: 'Deleted' },
			{ id: '7', meta: { request_id: '8' } },
		],
	])('%j is that of the one', (body) => {
		expect(read(body)).toEqual([{ deleted: true, id: '7' }]);
	});

	it.each<unknown>([{ id: '8' }, { tag: { id: '8' } }, { id: '8', message: 'Deleted' }])(
		'%j is about another one',
		(body) => expect(found(() => read(body))).toEqual({ of: 'record', asked: '7', came: '8' }),
	);

	it.each<unknown>([
		...[{ ids: ['7', '8'] }, { delete: { ids: ['8'] } }, { deleted: ['7', '8'] }],
		...[{ deleted: '8' }, { deleted: '8', message: 'Deleted' }, { data: [{ id: 8 }] }],
		...[
			{ deleted: false, message: 'No' },
			{ id: 't1', status: 'queued' },
		],
	])('%j is refused', (body) => expect(() => read(body)).toThrow(Error));
});

describe('a record', () => {
	const get: Pick<Operation, 'route' | 'answer'> = {
		route: 'GET /sites/{siteId}/notes/{noteId}',
		answer: { kind: 'record', wrapper: 'note' },
	};
	const told = (record: IDataObject, ids = { siteId: 's1', noteId: 'A/b c' }) =>
		found(() =>
			prove(get, { ids, asked: [], body: {} }, { body: { note: record }, records: [record] }),
		);

	it.each<IDataObject>([...[{ id: 'A/b c' }, { id: ' a/B c ' }, {}, { id: null }, { id: '' }]])(
		'%j does not contradict the request',
		(record) => expect(told(record)).toBeUndefined(),
	);

	it.each<[id: any, came: string]>([
		['A%2Fb%20c', 'A%2Fb%20c'],
		[{ a: 1 }, '{"a":1}'],
		[true, 'true'],
	])('with the ID %j is a different one', (id, came) => {
		expect(told({ id })).toEqual({ of: 'record', asked: 'A/b c', came });
	});

	it('with a site ID has the requested one', () => {
		const id = 'A/b c';
		expect(told({ id, site_id: 'S1' })).toBeUndefined();
		expect(told({ id, site_id: null })).toBeUndefined();
		expect(told({ id, site_id: 's2' })).toEqual({
			of: 'state',
			place: 'site_id',
			asked: 's1',
			came: 's2',
		});
	});

	it('has the state that was asked for, if it has one', () => {
		const answer = { kind: 'record' as const, wrapper: 'note', proves: { status: 'active' } };
		const order = { ids: { siteId: 's1', noteId: '7' }, asked: [], body: {} };
		const of = (record: IDataObject) =>
			found(() => prove({ ...get, answer }, order, { body: {}, records: [record] }));
		expect(of({ id: '7', status: 'active' })).toBeUndefined();
		expect(of({ id: '7' })).toBeUndefined();
		expect(of({ id: '7', status: 'paused' })).toMatchObject({ asked: 'active', came: 'paused' });
	});

	it('may be named by another of its fields', () => {
		const by = { alsoBy: 'provider' };
		expect(found(() => proveRecord({ id: '8', provider: 's3' }, 's3', by))).toBeUndefined();
		expect(found(() => proveRecord({ id: '8', provider: 'ftp' }, 's3', by))).toBeDefined();
	});

	it('with a long number is the one whose last digits were lost', () => {
		const ids = { siteId: 's1', noteId: '12345678901234567890' };
		expect(told({ id: 12345678901234567890 }, ids)).toBeUndefined();
		expect(told({ id: 12345678901234500000 }, ids)).toBeDefined();
	});
});

describe('the outcomes of many', () => {
	const assign = (ids: string): Pick<Operation, 'route' | 'answer'> => ({
		route: 'POST /tags/{tagId}/assign',
		answer: { kind: 'bulk', wrapper: 'assign', ids },
	});
	const told = (asked: string[], records: IDataObject[], of = 'site_ids') =>
		found(() => prove(assign(of), { ids: { tagId: '7' }, asked, body: {} }, { body: {}, records }));
	const done = (...ids: unknown[]) => ids.map((id) => ({ id, success: true }) as IDataObject);

	it.each<[what: string, asked: string[], records: IDataObject[], of?: string]>([
		['one sent twice, answered once', ['1', '1'], done('1')],
		['paths in another form', ['b/uploads', './a/'], done('./b/uploads/', 'a'), 'paths'],
		['two paths of one address', ['a@2x.png', 'A@2x.png'], done('A@2x.png', 'a@2x.png'), 'paths'],
		['addresses in another case', ['A@example.com'], done('a@example.com')],
		['an error with its id elsewhere', ['1', '2'], [...done('1'), { site_id: '2', code: 'x' }]],
	])('%s', (_, ...[asked, records, of]) => expect(told(asked, records, of)).toBeUndefined());

	it('others are named, up to five', () => {
		const mismatch = { of: 'ids', asked: 'a, b, c, d, e, …', came: '3, 4' };
		expect(told([...'abcdefgh'], done('3', '4'))).toEqual(mismatch);
		expect(told(['1', '2'], done('1', '1', '2'))).toEqual({ of: 'ids', asked: '', came: '1' });
		expect(told(['1', '2', '3'], done('1'))).toEqual({ of: 'ids', asked: '2, 3', came: '' });
	});
});

describe('a list that is replaced', () => {
	it.each([
		[['1', '2', '3'], ['2'], ['1', '3']],
		[['1', '2'], ['2', '1', '3'], []],
		[['1', '2'], [], ['1', '2']],
		[[], ['1'], []],
		[[1, '2'], ['1', 2], []],
		// Ids that look alike are two.
		[
			['a1', 'A1', '01', '1 '],
			['1', 'a1'],
			['A1', '01', '1 '],
		],
	])('of %j by %j: %j', (before, after, dropped) => {
		expect(droppedFrom(before, after)).toEqual(dropped);
	});

	const sent = { scope: { sites: { selection: 'specific', ids: ['1'] } } };
	const lostBy = (sites: IDataObject) => replacedIn(sent, { scope: { sites } })['scope.sites.ids'];

	it('of the sites of a schedule', () => {
		const lost = lostBy({ selection: 'specific', ids: ['1', '2'] });
		expect(lost).toMatchObject({ before: ['1', '2'], dropped: ['2'] });
	});

	// A word that nobody knows could mean every site.
	it.each(['all', 'all_except', 'everything', null])(
		'of a schedule with %j may have had all',
		(selection) => {
			const all = { before: 'all', after: ['1'], dropped: null, added: [] };
			expect(lostBy({ selection })).toEqual(all);
			expect(lostBy({ selection, ids: ['1'] })).toMatchObject({ before: 'all', dropped: null });
		},
	);
});
