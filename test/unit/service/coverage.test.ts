import { routes } from '../../../sandbox/service/modules';
import { reference, routesFile } from '../../support/reference';

const told = ({ id, route }: { id: string; route: string }) => `${id} ${route}`;

const served = routes.map(({ operationId, method, path }) => ({
	id: operationId,
	route: `${method} ${path}`,
}));

describe('the operations of the service', () => {
	it('are compared with a whole reference', () => {
		// The only place with the number: a line lost from operations.tsv would be missed by nothing else.
		expect(reference).toHaveLength(123);
		expect(new Set(reference.map(({ id }) => id)).size).toBe(reference.length);
	});

	it('are all those of the reference', () => {
		const known = served.map(told);
		const missing = reference.filter((operation) => !known.includes(told(operation)));
		expect(
			missing.map((operation) => `${routesFile(operation, served)}: add ${told(operation)}`),
		).toEqual([]);
	});

	it('are no others', () => {
		const known = reference.map(told);
		const others = served.filter((operation) => !known.includes(told(operation)));
		expect(
			others.map(
				(operation) =>
					`${routesFile(operation, served)}: remove or correct ${told(operation)}, which test/support/operations.tsv does not have`,
			),
		).toEqual([]);
	});

	it('are there once each', () => {
		const known = served.map(told);
		const again = served.filter((operation, index) => known.indexOf(told(operation)) !== index);
		expect(
			again.map(
				(operation) => `${routesFile(operation, served)}: remove the second ${told(operation)}`,
			),
		).toEqual([]);
	});
});
