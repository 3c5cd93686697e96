import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { notFound, unprocessable } from '../engine/errors';
import { momentOf, putBack } from '../engine/moment';
import { taskTypes } from '../engine/taskRows';
import { startTaskNow } from '../engine/tasks';
import { changes } from './changes';
import { ClockMoves } from './clockMoves';
import { type Faults, faultsSchema, faults as faultTable } from './faults';
import { html, json } from './faultAnswers';
import type { Query } from './filters';
import { urlOf } from './kit';
import { WebPage } from './module';
import { momentLimit, momentSchema, requireSound } from './moment';
import type { RequestRecord } from './record';
import {
	atLeast,
	ids,
	limited,
	matching,
	number,
	object,
	oneOf,
	optional,
	partial,
} from './schema';
import type { ServerOptions } from './options';
import { taskStart } from './taskStart';
import type { FastifyInstance } from 'fastify';

/** A year: what happens meanwhile in a large fleet takes minutes already. */
const maxAdvanceMs = 366 * 24 * 60 * 60_000;
/** As the option of the same name. */
const speed = limited(number, { minimum: 0.01, maximum: 10_000 });

/** The controls, as `GET /_sandbox` lists them. */
const controls = [
	['GET', '/health', 'Whether the service is up'],
	['GET', '/page', 'The addresses that the page of the service links to'],
	['GET', '/changes', 'Server-sent events that report every change'],
	[
		'GET',
		'/api/sites',
		'The same as the API, without token, rate limit, faults and record. So for every operation that only reads.',
	],
	['GET', '/rate-limit', 'The used part of the rate limit, and the seconds until the window ends'],
	['GET', '/requests', 'The newest requests to the API, oldest first; ?newest=100 limits the list'],
	['DELETE', '/requests', 'Clears the list of requests'],
	['GET', '/clock', "The service's time, its speed, and the current move"],
	['POST', '/clock', 'Sets how fast the time runs: {"speed": 60}, from 0.01 to 10,000'],
	[
		'POST',
		'/clock/advance',
		'Skips time, up to 366 days, and returns what happened: {"ms": 60000}',
	],
	['GET', '/clock/due', 'What is scheduled in the next ?ms=60000'],
	['GET', '/snapshot', 'The fleet with its time, as a file to put back later'],
	[
		'PUT',
		'/snapshot',
		'Puts a fleet back that GET returned, with its records, plans, messages and time. Faults, speed, rate limit and the list of requests stay unchanged.',
	],
	['POST', '/tasks', 'Starts a task: {"type", "site_ids", "outcome"?, "duration_ms"?}'],
	['GET', '/faults', 'The faults that are on'],
	['POST', '/faults', 'Switches faults on, by name. Others stay unchanged.'],
	['DELETE', '/faults/{name}', 'Ends a fault'],
	['DELETE', '/faults', 'Ends all faults'],
] as const;

/** Loopback controls that are no part of the API: no token, no rate limit, no record of requests. */
export function adminRoutes(
	{ world, requests, faults, controls: others, token, limiter, links }: ServerOptions,
	record: RequestRecord,
) {
	return async (plain: FastifyInstance) => {
		const app = plain.withTypeProvider<TypeBoxTypeProvider>();
		app.addHook('onRoute', (route) => {
			route.schema = { ...route.schema, hide: true };
		});
		app.addHook('onRequest', async () => world.settle());
		const moves = new ClockMoves(world);
		app.addHook('preClose', async () => void (moves.isClosing = true));

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

		app.delete<{ Params: { name: string } }>('/faults/:name', async ({ params }, reply) => {
			const { [params.name as keyof Faults]: ended, ...others } = faults.active;
			if (!(params.name in faultTable)) throw notFound(`The fault ${params.name}`);
			faults.active = others;
			return reply.code(204).send();
		});

		app.get('/page', async () => ({ links }));

		app.get('/changes', async (_request, reply) => {
			const look = () => ({
				world: world.revision,
				requests: record.revision,
				clock: moves.revision,
			});
			reply.header('Cache-Control', 'no-store');
			return reply.type('text/event-stream').send(changes(look));
		});

		app.get('/rate-limit', async () => limiter.look(token));

		app.get(
			'/requests',
			{ schema: { querystring: partial({ newest: matching('^[1-9]\\d{0,5}$') }) } },
			async ({ query: { newest } }) => ({
				requests: newest === undefined ? requests : requests.slice(-Number(newest)),
			}),
		);

		app.delete('/requests', async (_request, reply) => {
			requests.length = 0;
			return reply.code(204).send();
		});

		app.get('/clock', async () => moves.look());

		app.post('/clock', { schema: { body: object({ speed }) } }, async (request) => {
			moves.run(request.body.speed);
			return moves.look();
		});

		app.post(
			'/clock/advance',
			{ schema: { body: object({ ms: limited(atLeast(0), { maximum: maxAdvanceMs }) }) } },
			async (request) => await moves.advance(request.body.ms),
		);

		app.get(
			'/clock/due',
			{ schema: { querystring: object({ ms: matching('^\\d{1,11}$') }) } },
			async ({ query: { ms } }) => ({
				until: world.timestamp(world.now + Number(ms)),
				due: world.due(world.now + Number(ms)),
				living: world.living,
			}),
		);

		app.get('/snapshot', async (_request, reply) => reply.type(json).send(momentOf(world)));

		app.put(
			'/snapshot',
			{ schema: { body: momentSchema }, bodyLimit: momentLimit },
			async (request) => {
				await requireSound(world, request.body);
				putBack(world, request.body);
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
