import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from './engine';
import { startWayward, type Answer } from './wayward';

/** The node for any other request, at a service that answers as a test has it. */

/** The headers of the rate limit show that the service itself answers. */
export const OF_SERVICE = { 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' };
export const JSON_TYPE = { 'Content-Type': 'application/json' };

export const on = (parameters: INodeParameters, more: Partial<NodeRun> = {}): NodeRun => ({
	node: 'api',
	parameters: { resource: 'request', operation: 'send', ...parameters },
	...more,
});

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
