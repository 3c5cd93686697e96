import type { INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from './engine';
import { startFleet, type Fleet } from './fleet';

/**
 * The node, or `node/resource` where that differs; its parameters; the message, to the letter, from the name of the
 * parameter on; and binary data of the input item.
 */
export type BadInput = [
	node: string,
	parameters: INodeParameters,
	message: string,
	binary?: NodeRun['binary'],
];

/** Each case fails with its message, and the service sees no request. */
export function refusedInputs(cases: BadInput[]): void {
	let fleet: Fleet;
	beforeAll(async () => {
		fleet = await startFleet({ sites: 3 });
	});
	beforeEach(() => fleet.forget());

	// Jest takes one parameter too many for a callback, so they are read as a list.
	it.each(cases)('%s %j is refused', async (...[name, parameters, message, binary]: BadInput) => {
		const [node, resource = node] = name.split('/') as [string, string?];
		const { error } = await runNode(fleet, {
			node,
			parameters: { resource, ...parameters },
			binary,
		});
		expect(error?.message).toBe(`The parameter "${message}`);
		expect(error?.description).toContain('Nothing was sent');
		expect(fleet.sent()).toEqual([]);
	});
}
