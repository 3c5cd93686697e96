import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { description, runNode, type NodeResult, type NodeRun } from './engine';
import { startFleet, type Fleet, type Sent } from './fleet';

/** One operation: what is sent to the letter, and what comes out. */
export interface OperationCase<Ids> {
	parameters: (ids: Ids) => INodeParameters;
	sent: (ids: Ids) => Sent | Sent[];
	output: (result: NodeResult, ids: Ids) => void | Promise<void>;
	/** Binary data of the input item. */
	binary?: NodeRun['binary'];
}

/** The cases of an operation by `node/resource/operation`, with a word after a space where it has several. */
export type OperationCases<Ids> = Record<string, OperationCase<Ids>>;

export const byId = (value: unknown) =>
	({ __rl: true, mode: 'id', value }) as unknown as INodeParameters;

/** A request without a query. */
export const request = (route: string, body?: unknown): Sent => ({ route, query: {}, body });

/** A request with only a query. */
export const query = (route: string, values: Sent['query']): Sent => ({
	route,
	query: values,
	body: undefined,
});

/** The request for the first 50 records of a list. */
export const list = (route: string, values: Sent['query'] = {}): Sent =>
	query(route, { page: '1', perPage: '50', ...values });

/**
 * Runs every case through n8n's engine against a fleet of its own, and fails for an operation without a case.
 * @param nodes what the cases cover: nodes, or `node/resource` of a node whose cases are in several files
 * @param prepare makes what the cases work on; its requests are not counted
 */
export function operationCases<Ids>(
	nodes: string[],
	prepare: (fleet: Fleet) => Promise<Ids>,
	cases: OperationCases<Ids>,
): void {
	let fleet: Fleet;
	let ids: Ids;

	beforeEach(async () => {
		fleet = await startFleet({ sites: 20 });
		ids = await prepare(fleet);
		fleet.forget();
	});
	afterEach(async () => await fleet.service.close());

	describe.each(Object.keys(cases))('%s', (name) => {
		const [node, resource, operation] = name.split(' ')[0]!.split('/') as [string, string, string];
		const { parameters, sent, output, binary } = cases[name]!;

		it('sends what the API reference says and gives its records, paired', async () => {
			const result = await runNode(fleet.service, {
				node,
				parameters: { resource, operation, ...parameters(ids) },
				items: [{ position: 0 }],
				binary,
			});
			expect(result.error).toBeUndefined();
			expect(fleet.sent()).toEqual([sent(ids)].flat());
			await output(result, ids);
			for (const item of result.items) expect(item.pairedItem).toEqual({ item: 0 });
		});
	});

	it.each(nodes)('the cases cover every operation of %s', async (name) => {
		const node = name.split('/')[0]!;
		const { properties } = await description(node);
		const operations = properties
			.filter((property) => property.name === 'operation')
			.flatMap(({ options, displayOptions }: INodeProperties) =>
				(options as unknown as IDataObject[]).map(
					({ value }) => `${node}/${String(displayOptions?.show?.resource?.[0])}/${String(value)}`,
				),
			);
		const covered = new Set(Object.keys(cases).map((key) => key.split(' ')[0]));
		const wanted = operations.filter((operation) => operation.startsWith(`${name}/`));
		expect(wanted).not.toEqual([]);
		const missing = wanted.filter((operation) => !covered.has(operation));
		expect(missing.map((name) => `add a case named '${name}'`)).toEqual([]);
	});
}
