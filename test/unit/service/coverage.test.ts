import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../../../sandbox/service/modules';

/** The operations of the API reference: operation id, method and path. */
const reference = readFileSync(join(__dirname, '../../support/operations.tsv'), 'utf8')
	.trim()
	.split('\n')
	.slice(1)
	.map((line) => line.split('\t').join(' '))
	.sort();

const served = routes.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`);

describe('the operations of the service', () => {
	it('are compared with a whole reference', () => {
		expect(reference).toHaveLength(123);
		expect(new Set(reference.map((line) => line.split(' ')[0])).size).toBe(123);
	});

	it('are all those of the reference (add a route for each one listed here)', () => {
		expect(reference.filter((line) => !served.includes(line))).toEqual([]);
	});

	it('are no others (remove or correct each one listed here: operation id, method, path)', () => {
		expect(served.filter((line) => !reference.includes(line))).toEqual([]);
	});

	it('are there once each (remove the second route of each one listed here)', () => {
		expect(served.filter((line, index) => served.indexOf(line) !== index)).toEqual([]);
	});
});
