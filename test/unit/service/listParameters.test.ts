import { routes } from '../../../sandbox/service/modules';
import { lists } from '../../support/lists';
import { anyId, differences, routesFile } from '../../support/reference';

/** The service takes the filters, operators, options and sort keys that the table of lists has, and no others. */

const served = routes.map(({ operationId, method, path, query }) => ({
	id: operationId,
	route: `${method} ${path}`,
	query,
}));
const paged = served.filter(({ query }) => query && 'page' in query);
const withRoute = (route: string, among = paged) =>
	among.find((candidate) => anyId(candidate.route) === anyId(route));

it('every paged list is in the table', () => {
	const tabled = Object.keys(lists).map(anyId);
	const missing = paged.filter(({ route }) => !tabled.includes(anyId(route)));
	expect(missing.map(({ route }) => `test/support/lists.ts: add '${route}'`)).toEqual([]);
});

it.each(Object.entries(lists))('%s', (route, { filters, sortBy, timezone, query = '' }) => {
	const found = withRoute(route);
	const file = routesFile(withRoute(route, served) ?? { id: '', route }, served);
	if (!found) throw new Error(`${file}: page ${route}, or remove it from test/support/lists.ts`);
	const { page: _, perPage: __, sort, ...others } = found.query as Record<string, unknown>;
	const wanted = Object.entries(filters).flatMap(([field, operators]) =>
		operators.split(' ').map((operator) => `filters[${field}:${operator}]`),
	);
	const further = [...query.split(' ').filter(Boolean), ...(timezone ? ['timezone'] : [])];
	const taken = Object.keys(others).map((key) => key.replace(/\[\]$/, ''));
	expect(differences(file, [...wanted, ...further], taken)).toEqual([]);

	const sorts = ((sort as { enum?: string[] } | undefined)?.enum ?? []).map(
		(value) => `sort by ${value.split(',')[0]!}`,
	);
	const keys = sortBy.split(' ').filter(Boolean);
	const sorted = keys.map((key) => `sort by ${key}`);
	expect(differences(file, sorted, [...new Set(sorts)])).toEqual([]);
});
