import type { INodeParameters } from 'n8n-workflow';
import { operationRun, runNode } from '../../support/engine';
import { startWayward, type Answer } from '../../support/wayward';

const sites = (parameters: INodeParameters) =>
	operationRun('site', 'getAll', { output: 'selected', outputFields: ['id'], ...parameters });

/** A page of a list of so many records in all, from a number on. */
const page = (from: number, count: number, totalItems: number, more: object = {}) => ({
	body: {
		sites: Array.from({ length: count }, (_, index) => ({ id: `${from + index}` })),
		meta: {
			pagination: { perPage: 100, totalPages: Math.ceil(totalItems / 100), totalItems, ...more },
		},
	},
});

const readAll = async (answer: (page: number) => Answer, parameters: INodeParameters = {}) => {
	const service = await startWayward((url) => answer(Number(url.searchParams.get('page'))));
	const result = await runNode(service, sites({ returnAll: true, ...parameters }));
	return { ...result, requests: service.requests };
};

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

it.each<[string, string, (id: string) => object]>([
	['with its ID', 'id', (id: string) => ({ id })],
	['without an ID', 'title', () => ({ title: null })],
])('a record that moved to the next page while reading comes once, %s', async (_, field, as) => {
	const moved = (number: number) => (number === 1 ? page(0, 100, 110) : page(99, 11, 111));
	const { json } = await readAll(moved, { outputFields: [field] });
	expect(json).toEqual(numbers(110).map(as));
});

it('a list whose record moved to its end while it was read is read again', async () => {
	const moved = [...numbers(210).filter((id) => id !== '5'), '5'];
	let order = numbers(210);
	const { json, requests } = await readAll((number) => {
		const ids = order.slice(100 * number - 100, 100 * number);
		order = moved;
		return { body: { ...page(0, 0, 210).body, sites: ids.map((id) => ({ id })) } };
	});
	expect(json.map(({ id }) => String(id)).sort()).toEqual(numbers(210).sort());
	expect(requests).toHaveLength(6);
});

it('a service that gives smaller pages than asked for is read in full', async () => {
	const small = (number: number) => page(25 * number - 25, 25, 75, { perPage: 25, totalPages: 3 });
	const { json, requests } = await readAll(small, { returnAll: false, limit: 60 });
	expect(json.map(({ id }) => id)).toEqual(numbers(60));
	expect(requests).toHaveLength(3);
});

it.each<[what: string, body: object]>([
	['no paging', { sites: page(0, 100, 100).body.sites }],
	['no number of pages', { ...page(0, 3, 3).body, meta: { pagination: {} } }],
	['far too many pages', page(0, 3, 3, { totalPages: 200_000 }).body],
	['an absurd number of pages', page(0, 3, 3, { totalPages: 1e300 }).body],
	['a negative number', page(0, 3, 3, { totalPages: -1 }).body],
	['numbers as text', page(0, 3, 3, { totalPages: '1' }).body],
	['a page that is not full', page(0, 3, 20_000_000).body],
	['an entry without an id', { ...page(0, 1, 1).body, sites: [{ url: 'https://a' }] }],
	['entries that are no records', { ...page(0, 1, 1).body, sites: ['a'] }],
])('a list with %s is an error', async (_what, body) => {
	const { json, error, requests } = await readAll(() => ({ body }));
	expect(error?.message).toMatch(/^The response does not match the API: it is a list /);
	expect(json).toEqual([]);
	expect(requests).toHaveLength(1);
});

it('a list that gives the same page for ever is an error', async () => {
	const { error, requests } = await readAll(() => page(0, 100, 100_000));
	expect(error?.message).toContain('a list that repeats itself');
	expect(requests.length).toBeLessThan(50);
});
