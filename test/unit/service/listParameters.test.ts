import { routes } from '../../../sandbox/service/modules';
import { lists } from '../../support/lists';

/** The service takes the filters, operators, options and sort keys that the table of lists has, and no others. */

/** `/sites/{siteId}` and `/sites/{site_id}` are the same. */
const anyId = (path: string) => path.replace(/\{\w+\}/g, '{}');

const paged = routes.filter(({ query }) => query && 'page' in query);
const routeOf = ({ method, path }: { method: string; path: string }) => anyId(`${method} ${path}`);

it('every paged list is in the table', () => {
	expect(paged.map(routeOf).sort()).toEqual(Object.keys(lists).map(anyId).sort());
});

it.each(Object.entries(lists))('%s', (route, { filters, sortBy, timezone, query = '' }) => {
	const found = paged.find((candidate) => routeOf(candidate) === anyId(route));
	const { page: _, perPage: __, sort, ...others } = found!.query as Record<string, unknown>;
	const wanted = Object.entries(filters).flatMap(([field, operators]) =>
		operators.split(' ').map((operator) => `filters[${field}:${operator}]`),
	);
	const further = [...query.split(' ').filter(Boolean), ...(timezone ? ['timezone'] : [])];
	const taken = Object.keys(others).map((key) => key.replace(/\[\]$/, ''));
	expect(taken.sort()).toEqual([...wanted, ...further].sort());

	const sorts = ((sort as { enum?: string[] } | undefined)?.enum ?? []).map(
		(value) => value.split(',')[0]!,
	);
	expect([...new Set(sorts)].sort()).toEqual(sortBy.split(' ').filter(Boolean).sort());
});
