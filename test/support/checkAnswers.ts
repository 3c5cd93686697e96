import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * Whatever a test is about and whoever asks: every answer that the service gives in its process must be one that the
 * API describes. Jest loads this before each test file; what a fault of the sandbox makes of an answer comes later.
 */

const CHANNEL = 'fastify.initialization';

const violations: string[] = [];

let answered = '';
const byOperation = new Map<string, string>();

/** @param operationId of a change, after which the site may have been read for its name */
export const lastAnswer = (operationId = '') => byOperation.get(operationId) ?? answered;

/** The service itself redirects nobody, and fails only by mistake: that would be a violation. */
const isByFault = (reply: FastifyReply, payload: unknown) =>
	reply.hasHeader('location') ||
	(reply.statusCode >= 500 && String(payload).includes('The service failed, on request'));

function watch(message: unknown): void {
	const { fastify } = message as { fastify: FastifyInstance };
	fastify.addHook('onSend', async (request, reply, payload) => {
		const { operationId } = (request.routeOptions.schema ?? {}) as { operationId?: string };
		if (operationId === undefined || isByFault(reply, payload)) return;
		if (typeof payload === 'string') {
			answered = payload;
			byOperation.set(operationId, payload);
		}
		// Only now, for most test files start no service.
		const { violationOf } = await import('./conformance');
		const violation = violationOf({
			operationId,
			request: `${request.method} ${request.url}`,
			status: reply.statusCode,
			body: payload,
		});
		if (violation) violations.push(violation);
	});
}

/** What was wrong with answers since the last call; left to itself it fails the test. */
export const takeViolations = () => violations.splice(0);

function expectNoViolation(): void {
	const found = takeViolations();
	if (found.length === 0) return;
	throw new Error(['The service broke its own description:', ...found].join('\n'));
}

// Not at once: a file whose tests are all left out never unsubscribes, and its process goes on to others.
beforeAll(() => subscribe(CHANNEL, watch));
afterEach(expectNoViolation);
afterAll(() => {
	unsubscribe(CHANNEL, watch);
	expectNoViolation();
});

// Jest keeps a hundred calls of each error; where thousands are refused, that takes longer than what is tested.
Error.stackTraceLimit = 10;
