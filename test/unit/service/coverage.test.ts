import { routes } from '../../../sandbox/service/modules';
import type { Published } from '../../../tools/published/published';
import { everyOperation, readText, reference, routesFile, TABLE } from '../../support/reference';

/** Of the node Request, which sends what the user sets. */
const ANY = 'api/request/send';

/** `tag/tag/assign` and all others that saved workflows may have. */
function publishedOperations(): string[] {
	const { nodes } = JSON.parse(readText('test/contract/published.json')) as Published;
	return Object.entries(nodes).flatMap(([node, versions]) =>
		Object.values(versions)
			.flatMap(({ panels }) => Object.keys(panels))
			.filter((panel) => panel.includes('/'))
			.map((panel) => `${node}/${panel}`)
			.filter((operation) => operation !== ANY),
	);
}

const told = ({ id, route }: { id: string; route: string }) => `${id} ${route}`;

const served = routes.map(({ operationId, method, path }) => ({
	id: operationId,
	route: `${method} ${path}`,
}));

describe('the operations of the service', () => {
	it('are compared with a whole reference', () => {
		// What is gone from the table, the service and the nodes alike would be missed by nothing else.
		const known = everyOperation.map(({ operation }) => operation);
		const lost = publishedOperations().filter((operation) => !known.includes(operation));
		expect(lost.map((operation) => `${TABLE}: ${operation} is published, and gone`)).toEqual([]);
		expect(new Set(known).size).toBe(everyOperation.length);
		expect(new Set(reference.map(({ id }) => id)).size).toBe(reference.length);
	});

	it('are all those of the reference', () => {
		const known = served.map(told);
		const missing = reference.filter((operation) => !known.includes(told(operation)));
		expect(
			missing.map((operation) => `${routesFile(operation, served)}: add ${told(operation)}`),
		).toEqual([]);
	});

	it('include no others', () => {
		const known = reference.map(told);
		const others = served.filter((operation) => !known.includes(told(operation)));
		expect(
			others.map(
				(operation) =>
					`${routesFile(operation, served)}: remove or correct ${told(operation)}, which ${TABLE} does not have`,
			),
		).toEqual([]);
	});

	it('exist once each', () => {
		const known = served.map(told);
		const again = served.filter((operation, index) => known.indexOf(told(operation)) !== index);
		expect(
			again.map(
				(operation) => `${routesFile(operation, served)}: remove the second ${told(operation)}`,
			),
		).toEqual([]);
	});
});
