import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { ApiError, unprocessable } from '../engine/errors';
import { taskTypes } from '../engine/taskRows';
import { startTaskNow } from '../engine/tasks';
import type { World } from '../engine/world';
import { type Faults, faultsSchema, faults as faultTable } from './faults';
import { html } from './faultAnswers';
import type { Query } from './filters';
import { urlOf } from './kit';
import { WebPage } from './module';
import { atLeast, ids, limited, object, oneOf, optional } from './schema';
import type { ServerOptions } from './options';
import { taskStart } from './taskStart';
import type { FastifyInstance } from 'fastify';
import { setImmediate as others } from 'node:timers/promises';

/** A year: what happens meanwhile in a large fleet takes minutes already. */
const maxAdvanceMs = 366 * 24 * 60 * 60_000;
/** The clock is moved in steps of so many milliseconds. */
const stepMs = 60_000;
/** For so long nobody else is served while it is moved, in milliseconds of the machine's time. */
const sliceMs = 10;

/** The controls, as `GET /_sandbox` tells them. */
const controls = [
	['GET', '/health', 'Tells that the service is up'],
	['GET', '/requests', 'The newest requests to the API, as they arrived'],
	['DELETE', '/requests', 'Forgets those requests'],
	['POST', '/clock/advance', 'Moves the time forward, by up to 366 days: {"ms": 60000}'],
	['POST', '/tasks', 'Starts a task: {"type", "site_ids", "outcome"?, "duration_ms"?}'],
	['GET', '/faults', 'The faults that are on'],
	['POST', '/faults', 'Switches faults on, by name; the others stay as they are'],
	['DELETE', '/faults', 'Ends all faults'],
] as const;

/** Loopback controls that are no part of the API: no token, no rate limit, no record of requests. */
export function adminRoutes({ world, requests, faults, controls: others }: ServerOptions) {
	return async (plain: FastifyInstance) => {
		const app = plain.withTypeProvider<TypeBoxTypeProvider>();
		app.addHook('onRoute', (route) => {
			route.schema = { ...route.schema, hide: true };
		});
		app.addHook('onRequest', async () => world.settle());
		let isClosing = false;
		app.addHook('preClose', async () => void (isClosing = true));
		/** The last move of the clock: the next one waits for its end. */
		let advanced: Promise<unknown> = Promise.resolve();

		app.get('/health', async () => ({ ok: true }));

		app.get('/', async () => ({
			controls: [
				...controls.map(([method, path, does]) => ({ method, path, does })),
				...others.map(({ method, path, does }) => ({ method, path, does })),
			],
			faults: Object.entries(faultTable).map(([name, { does, schema }]) => ({
				name,
				does,
				schema,
			})),
		}));

		for (const { method, path, body, handle } of others) {
			app.route({
				method,
				url: urlOf(path),
				schema: { ...(body && { body }) },
				handler: async (request, reply) => {
					const { params, query, body } = request;
					const answer = handle({
						world,
						params: params as Record<string, string>,
						query: query as Query,
						body,
					});
					if (!(answer instanceof WebPage)) return answer;
					return reply.code(answer.status).type(html).send(answer.html);
				},
			});
		}

		app.get('/faults', async () => ({ faults: faults.active }));

		app.post<{ Body: Faults }>('/faults', { schema: { body: faultsSchema } }, async (request) => {
			faults.active = { ...faults.active, ...request.body };
			return { faults: faults.active };
		});

		app.delete('/faults', async (_request, reply) => {
			faults.active = {};
			return reply.code(204).send();
		});

		app.get('/requests', async () => ({ requests }));

		app.delete('/requests', async (_request, reply) => {
			requests.length = 0;
			return reply.code(204).send();
		});

		app.post(
			'/clock/advance',
			{ schema: { body: object({ ms: limited(atLeast(0), { maximum: maxAdvanceMs }) }) } },
			async (request) => {
				if (!world.clock.advance) throw unprocessable('fixed', 'ms', 'can not move this clock');
				const move = () => advance(world, request.body.ms, () => isClosing);
				const moved = advanced.then(move);
				advanced = moved.catch(() => {});
				return { now: await moved };
			},
		);

		app.post(
			'/tasks',
			{
				schema: {
					body: object({
						type: oneOf(...taskTypes),
						site_ids: ids,
						outcome: optional(oneOf('completed', 'failed')),
						duration_ms: optional(atLeast(1)),
					}),
				},
			},
			async (request, reply) => {
				const { type, site_ids: siteIds, outcome, duration_ms: durationMs } = request.body;
				const unknown = siteIds.find((id) => !world.store.sites.get(id));
				if (unknown !== undefined) {
					throw unprocessable('not_found', 'site_ids', `has no site ${unknown}`);
				}
				reply.code(201);
				return taskStart(startTaskNow(world, { type, siteIds, outcome, durationMs }));
			},
		);
	};
}

/** Moves the clock in slices, between which others are served, and returns the time at its end. */
async function advance(world: World, ms: number, isClosing: () => boolean): Promise<string> {
	let left = ms;
	for (;;) {
		const sliceEnd = performance.now() + sliceMs;
		while (left > 0 && performance.now() < sliceEnd) {
			const step = Math.min(left, stepMs);
			world.clock.advance!(step);
			world.settle();
			left -= step;
		}
		if (left === 0) return world.timestamp();
		await others();
		if (isClosing()) throw new ApiError(503, 'unavailable', 'The service is being stopped');
	}
}
