import { routes } from '../../../sandbox/service/modules';
import type { Published } from '../../../tools/published/published';
import { everyOperation, readText, reference, routesFile, TABLE } from '../../support/reference';

/** Of the node Site Management API, which send what the user sets. */
const ANY = ['api/request/send', 'api/request/anyOperation'];

/** `tag/tag/assign` and all others that saved workflows may have. */
function publishedOperations(): string[] {
	const { nodes } = JSON.parse(readText('test/contract/published.json')) as Published;
	return Object.entries(nodes).flatMap(([node, versions]) =>
		Object.values(versions)
			.flatMap(({ panels }) => Object.keys(panels))
			.filter((panel) => panel.includes('/'))
			.map((panel) => `${node}/${panel}`)
			.filter((operation) => !ANY.includes(operation)),
	);
}

const told = ({ id, route }: { id: string; route: string }) => `${id} ${route}`;

const served = routes.map(({ operationId, method, path }) => ({
	id: operationId,
	route: `${method} ${path}`,
}));

it('the operations of the service are compared with a whole reference', () => {
	// What is gone from the table, the service and the nodes alike would be missed by nothing else.
	const known = everyOperation.map(({ operation }) => operation);
	const lost = publishedOperations().filter((operation) => !known.includes(operation));
	expect(lost.map((operation) => `${TABLE}: ${operation} is published, and gone`)).toEqual([]);
	expect(new Set(known).size).toBe(everyOperation.length);
	expect(new Set(reference.map(({ id }) => id)).size).toBe(reference.length);
});

it('the operations of the service are those of the reference, each once', () => {
	const [known, wanted] = [served.map(told), reference.map(told)];
	const missing = reference.filter((operation) => !known.includes(told(operation)));
	const others = served.filter(
		(operation, index) =>
			!wanted.includes(told(operation)) || known.indexOf(told(operation)) !== index,
	);
	const complain = (what: string, operation: (typeof served)[number]) =>
		`${routesFile(operation, served)}: ${what} ${told(operation)}`;
	expect([
		...missing.map((operation) => complain('add', operation)),
		...others.map((operation) => complain(`remove, as ${TABLE} does not have another`, operation)),
	]).toEqual([]);
});
