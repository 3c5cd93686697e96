import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { unprocessable } from '../engine/errors';
import { taskTypes } from '../engine/taskRows';
import { startTaskNow } from '../engine/tasks';
import { type Faults, faultsSchema, faults as faultTable } from './faults';
import { urlOf } from './kit';
import { ids, object, optional, atLeast, oneOf } from './schema';
import type { ServerOptions } from './options';
import { taskStart } from './taskStart';
import type { FastifyInstance } from 'fastify';

/** The controls, as `GET /_sandbox` tells them. */
const controls = [
	['GET', '/health', 'Tells that the service is up'],
	['GET', '/requests', 'The newest requests to the API, as they arrived'],
	['DELETE', '/requests', 'Forgets those requests'],
	['POST', '/clock/advance', 'Moves the time of the service forward: {"ms": 60000}'],
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
				handler: async (request) =>
					handle({ world, params: request.params as Record<string, string>, body: request.body }),
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
			{ schema: { body: object({ ms: atLeast(0) }) } },
			async (request) => {
				if (!world.clock.advance) throw unprocessable('fixed', 'ms', 'can not move this clock');
				world.clock.advance(request.body.ms);
				world.settle();
				return { now: world.timestamp() };
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
