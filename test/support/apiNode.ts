import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode, runOf, type NodeRun } from './engine';
import { fleetEach, inStep, type FleetOptions } from './fleet';
import { locator } from './locator';
import { startWayward, type Answer } from './wayward';

/** The node for any other request, at a service that answers as a test has it. */

/** The headers of the rate limit show that the service itself answers. */
export const OF_SERVICE = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' };
export const JSON_TYPE = { 'Content-Type': 'application/json' };

export const on = (parameters: INodeParameters, more?: Partial<NodeRun>) =>
	runOf('api/request/send', parameters, more);

/** A run of Any Operation, with these values to send. */
export const anyOperation = (
	operation: string,
	value: IDataObject = {},
	more: object = {},
	rest?: Partial<NodeRun>,
) =>
	runOf(
		'api/request/anyOperation',
		{
			apiOperation: locator(operation),
			apiParameters: { mappingMode: 'defineBelow', value, schema: [] },
			...more,
		},
		rest,
	);

/** Runs the node at a fleet that each test has for itself. */
export function apiFleet(options: FleetOptions) {
	const fleet = fleetEach(options);
	beforeEach(() => inStep(fleet));
	const run = async (parameters: INodeParameters, more?: Partial<NodeRun>) =>
		await runNode(fleet, on(parameters, more));
	return { fleet, run };
}

interface More extends Partial<NodeRun> {
	/** Headers of all answers. */
	common?: Record<string, string>;
	limits?: IDataObject;
}

/** A run that gets this answer, with what was asked. */
export async function answered(
	answer: Answer | ((url: URL) => Answer),
	parameters: INodeParameters = {},
	{ common = OF_SERVICE, limits = {}, ...more }: More = {},
) {
	const service = await startWayward(
		(url) => (typeof answer === 'function' ? answer(url) : answer),
		common,
	);
	const read: Array<Promise<string>> = [];
	service.onRequest = (request) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		const text = () => Buffer.concat(chunks).toString();
		read.push(new Promise((resolve) => request.on('close', () => resolve(text()))));
	};
	const result = await runNode(
		{ ...service, limits },
		on({ path: '/things', ...parameters }, more),
	);
	const bodies = await Promise.all(read);
	await service.close();
	return { ...result, requests: service.requests, bodies };
}
