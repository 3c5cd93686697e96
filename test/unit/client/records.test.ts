import type { IDataObject } from 'n8n-workflow';
import { listAll, listPage, recordAt } from '../../../nodes/shared/client/records';
import { type Given, type ItemsOptions, type Sent, itemsOf } from '../../support/engine/contexts';

/** Which pages are read of a list, and which answers are believed. */

const PAGE = 100;
const recordsFrom = (from: number, count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: `${from + index}` }));

const pageOf = (records: IDataObject[], total: number, perPage = PAGE): Given => ({
	body: {
		tags: records,
		meta: { pagination: { perPage, totalPages: Math.ceil(total / perPage), totalItems: total } },
	},
});

/** A list of records of 0 or more; `at` changes what is there while it is read. */
function listOf(total: number, at: (request: number) => number[] | undefined = () => undefined) {
	let requests = 0;
	let ids = recordsFrom(0, total).map(({ id }) => Number(id));
	const answer = ({ qs }: Sent) => {
		ids = at(requests++) ?? ids;
		const { page, perPage } = qs as { page: number; perPage: number };
		const records = ids.slice((page - 1) * perPage, page * perPage).map((id) => ({ id: `${id}` }));
		return pageOf(records, ids.length, perPage);
	};
	return itemsOf({ answer });
}

const tags = { method: 'GET' as const, url: '/tags', qs: { sort: 'name' } };
const idsIn = (records: IDataObject[]) => records.map(({ id }) => Number(id));
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const pagesIn = (sent: Sent[]) => sent.map(({ qs }) => qs!.page as number);

it.each([
	[0, undefined, 1],
	[99, undefined, 1],
	[100, undefined, 1],
	[101, undefined, 2],
	[2_000, undefined, 20],
	[2_000, 1, 1],
	[2_000, 100, 1],
	[2_000, 150, 2],
	[120, 500, 2],
])('of %i records, with a limit of %p, %i pages are read', async (total, max, pages) => {
	const { item, sent } = listOf(total);
	const records = await listAll(item, tags, { max });
	expect(idsIn(records)).toEqual(upTo(Math.min(total, max ?? Infinity)));
	expect(pagesIn(sent)).toEqual(upTo(pages, 1));
	expect(sent.every(({ qs }) => qs!.perPage === Math.min(max ?? PAGE, PAGE))).toBe(true);
	expect(sent.every(({ qs }) => qs!.sort === 'name')).toBe(true);
});

it('reads records that are added while a list is read', async () => {
	const { item, sent } = listOf(150, (request) => (request === 1 ? upTo(250) : undefined));
	expect(idsIn(await listAll(item, tags))).toEqual(upTo(250));
	expect(pagesIn(sent)).toEqual([1, 2, 3]);
});

it('a list of 130,000 records is read whole', async () => {
	const total = 130_000;
	const headers = { 'x-ratelimit-limit': '1000000', 'x-ratelimit-remaining': '999999' };
	const answer = ({ qs }: Sent) => {
		const from = ((qs!.page as number) - 1) * PAGE;
		return { headers, ...(pageOf(recordsFrom(from, PAGE), total) as object) };
	};
	const records = await listAll(itemsOf({ answer }).item, tags);
	expect([records.length, records[0], records.at(-1)]).toEqual([
		total,
		{ id: '0' },
		{ id: '129999' },
	]);
});

it('a list that got shorter while it was read is read again, however long it is', async () => {
	const { item, sent } = listOf(2_001, (request) => (request === 1 ? upTo(2_000, 1) : undefined));
	expect(idsIn(await listAll(item, tags))).toEqual(upTo(2_000, 1));
	expect(pagesIn(sent).filter((page) => page === 1)).toHaveLength(2);
});

it('a list that keeps getting shorter is read three times, and loses no records', async () => {
	let left = 900;
	const { item, sent } = listOf(900, () => upTo((left -= 1)));
	const ids = idsIn(await listAll(item, tags));
	expect(pagesIn(sent).filter((page) => page === 1)).toHaveLength(3);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids).toEqual(expect.arrayContaining(upTo(left)));
});

it('requests no further pages after one that failed', async () => {
	const { item, sent } = itemsOf({
		answer: ({ qs }) => {
			const page = qs!.page as number;
			return page === 5
				? { status: 403, body: {} }
				: pageOf(recordsFrom(page * PAGE, PAGE), 10_000);
		},
	});
	await expect(listAll(item, tags)).rejects.toMatchObject({ httpCode: '403' });
	for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
	expect(sent.length).toBeLessThan(50);
});

it('of a long list only the chosen fields of each record are kept', async () => {
	const { item } = listOf(150);
	const shape = ({ id }: IDataObject) => ({ number: id });
	expect((await listAll(item, tags, { shape })).slice(0, 2)).toEqual([
		{ number: '0' },
		{ number: '1' },
	]);
});

type Told = Partial<Record<'perPage' | 'totalPages' | 'totalItems', number>>;

const told = (perPage: number, totalPages: number, totalItems: number): Told => ({
	...{ perPage, totalPages, totalItems },
});

const one = async (count: number, pagination: Told, page = 1, perPage = 10, headers = {}) => {
	const body = { tags: recordsFrom(0, count), meta: { pagination } };
	const { item } = itemsOf({ answer: () => ({ body, headers }) });
	return await listPage(item, tags, page, { perPage });
};

it.each<[number, Told, number]>([
	[10, told(10, 3, 30), 1],
	[1, told(10, 4, 31), 4],
	[0, told(10, 0, 0), 1],
	[5, told(5, 2, 10), 1],
	[0, told(10, 2, 20), 3],
	[7, { totalPages: 2 }, 1],
])('%i records of %j on page %i are believed', async (count, pagination, page) => {
	expect((await one(count, pagination, page)).records).toHaveLength(count);
});

it.each<[number, Told, number, string]>([
	[0, { perPage: 0, totalPages: 1 }, 1, '0 per page, 10 requested'],
	[11, { perPage: 11, totalPages: 3 }, 1, '11 per page, 10 requested'],
	[6, { perPage: 5, totalPages: 3 }, 1, '5 per page, 10 requested'],
	[9, told(10, 3, 30), 2, '10 per page, 10 requested, 30 in total'],
	[0, told(10, 1, 5), 1, '10 per page, 10 requested, 5 in total'],
	[5, told(10, 1, 0), 1, '10 per page, 10 requested, 0 in total'],
	[10, told(10, 2, 30), 1, '10 per page, 10 requested, 30 in total'],
	[10, { totalPages: 4, totalItems: 30 }, 1, '10 per page, 10 requested, 30 in total'],
])('%i records of %j on page %i are not believed', async (count, pagination, page, numbers) => {
	const place = `${count} records on page ${page} of ${pagination.totalPages} (${numbers})`;
	await expect(one(count, pagination, page)).rejects.toMatchObject({
		message: expect.stringContaining(`a list that contradicts itself: ${place}`),
	});
});

it.each<[number, Told, number, boolean]>([
	[9, told(10, 3, 30), 2, false],
	[10, told(10, 3, 30), 2, true],
	[11, told(10, 3, 30), 2, true],
	[10, { totalPages: '3', totalItems: '30' } as never, 2, true],
	[0, { totalItems: 5 }, 1, false],
])('%i records of %j on page %i of the service: believed is %p', async (count, pages, page, is) => {
	const read = one(count, pages, page, 10, { 'x-ratelimit-limit': '1000000' });
	const refused = expect.stringMatching(/that contradicts itself|without a number of pages/);
	expect(await read.then(({ records }) => records.length, String)).toEqual(is ? count : refused);
});

describe('a record that may be gone', () => {
	const at = async (answer: ItemsOptions['answer']) =>
		await recordAt(itemsOf({ answer }).item, '/tags/7').catch((error: Error) => error);

	it('is read, or undefined, or an error', async () => {
		expect(await at(() => ({ body: { tag: { id: '7' } } }))).toEqual({ id: '7' });
		expect(await at(() => ({ status: 404, body: {} }))).toBeUndefined();
		expect(await at(() => ({ status: 403, body: {} }))).toMatchObject({ httpCode: '403' });
		expect(await at(() => ({ body: { tags: [] } }))).toBeInstanceOf(Error);
	});
});
