import { routes } from '../../../sandbox/service/modules';
import {
	anyId,
	differences,
	filterKeys,
	lists,
	routesFile,
	TABLE,
	wordsOf,
} from '../../support/reference';

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
	const tabled = lists.map(({ route }) => anyId(route));
	const missing = paged.filter(({ route }) => !tabled.includes(anyId(route)));
	expect(missing.map(({ route }) => `${TABLE}: add the filters of '${route}'`)).toEqual([]);
});

it.each(lists)('$route', (list) => {
	const { route } = list;
	const found = withRoute(route);
	const file = routesFile(withRoute(route, served) ?? list, served);
	if (!found) throw new Error(`${file}: page ${route}, or remove its filters from ${TABLE}`);
	const { page: _, perPage: __, sort, ...others } = found.query as Record<string, unknown>;
	const taken = Object.keys(others).map((key) => key.replace(/\[\]$/, ''));
	expect(differences(file, [...filterKeys(list), ...wordsOf(list.query)], taken)).toEqual([]);

	const sorts = ((sort as { enum?: string[] } | undefined)?.enum ?? []).map(
		(value) => `sort by ${value.split(',')[0]!}`,
	);
	const sorted = wordsOf(list.sortBy).map((key) => `sort by ${key}`);
	expect(differences(file, sorted, [...new Set(sorts)])).toEqual([]);
});
