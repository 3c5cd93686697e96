import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { parse } from 'node:querystring';
import { adminRoutes } from './admin';
import { hasToken, requireAccess } from './auth';
import { invalid, notFound, rateLimited, toApiError } from './errors';
import type { Query } from './filters';
import type { Route } from './kit';
import { RateLimiter, type RateLimitOptions } from './rateLimit';
import { routes } from './routes';
import { formats, object } from './schema';
import type { World } from './world';

/** A request as it arrived at the API, with the status of its response. */
export interface RecordedRequest {
	method: string;
	/** Undecoded, without the query, with the version segment. */
	path: string;
	/** Undecoded, without the question mark. */
	query: string;
	headers: Record<string, string>;
	/** The parsed JSON, or undefined when there was none. */
	body: unknown;
	status: number;
}

export interface ServerOptions {
	world: World;
	token: string;
	rateLimit?: RateLimitOptions;
	/** Requests are appended here; the oldest go beyond `settings.recordedRequests`. */
	requests: RecordedRequest[];
}

export const basePath = '/api/v6';
export const adminPath = '/_sandbox';

/** The HTTP server of the service, not listening yet. */
export function createServer(options: ServerOptions): FastifyInstance {
	const app = fastify({
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		routerOptions: { maxParamLength: 1000, querystringParser: parseQuery },
		frameworkErrors: sendError,
		ajv: {
			customOptions: {
				allErrors: true,
				allowUnionTypes: true,
				coerceTypes: false,
				removeAdditional: false,
				useDefaults: false,
				formats,
			},
		},
	});
	readBodies(app);
	app.setErrorHandler(sendError);
	app.setNotFoundHandler(unknownPath);
	recordRequests(app, options);

	app.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: { title: 'Site Management Service API', version: '6.0.0' },
			servers: [{ url: basePath }],
			components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
			security: [{ token: [] }],
		},
	});
	app.get(`${basePath}/openapi.json`, { schema: { hide: true } }, () => app.swagger());
	app.register(operations(options), { prefix: basePath });
	app.register(adminRoutes(options), { prefix: adminPath });
	return app;
}

/** The operations of the reference, behind the rate limit and the token. */
function operations({ world, token, rateLimit }: ServerOptions) {
	const limiter = new RateLimiter(world.clock, rateLimit);

	return async (api: FastifyInstance) => {
		api.setNotFoundHandler(unknownPath);
		api.addHook('onRequest', async (request, reply) => {
			world.settle();
			const { authorization } = request.headers;
			const account = hasToken(authorization, token) ? token : 'anonymous';
			const { allowed, headers } = limiter.take(account);
			reply.headers(headers);
			if (!allowed) throw rateLimited();
			requireAccess(authorization, token, world);
		});
		for (const route of routes) addRoute(api, route, world);
	};
}

function addRoute(api: FastifyInstance, route: Route, world: World): void {
	api.route({
		method: route.method,
		url: route.path.replace(/\{(\w+)\}/g, ':$1'),
		schema: {
			operationId: route.operationId,
			...(route.query && { querystring: object(route.query) }),
			...(route.body && { body: route.body }),
		},
		preValidation: async (request) => readIntegers(request.query as Query, route.query),
		handler: async (request, reply) => {
			const result = await route.handle({
				world,
				params: request.params as Record<string, string>,
				query: request.query as Query,
				body: request.body,
			});
			return reply.code(route.status).send(route.status === 204 ? undefined : result);
		},
	});
}

/** `name[]` is always an array, so that one value has the same shape as several. */
function parseQuery(text: string): Query {
	const query = Object.entries(parse(text)).map(([name, value]) => [
		name,
		name.endsWith('[]') ? [value].flat() : value,
	]);
	return Object.fromEntries(query);
}

/** Turns the parameters that the route declares as integers into numbers. */
function readIntegers(query: Query, properties: Route['query'] = {}): void {
	for (const [name, { type }] of Object.entries(properties)) {
		const value = query[name];
		if (type === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value)) {
			query[name] = Number(value);
		}
	}
}

/** Reads JSON; an empty body counts as none, whatever its declared type. */
function readBodies(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
		if (text === '') return done(null, undefined);
		if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
			return done(malformed('must be JSON'));
		}
		try {
			done(null, JSON.parse(String(text)));
		} catch {
			done(malformed('is not valid JSON'));
		}
	});
}

const malformed = (message: string) => invalid([{ code: 'malformed', param: 'body', message }]);

function recordRequests(app: FastifyInstance, { requests, world }: ServerOptions): void {
	const records = new WeakMap<FastifyRequest, RecordedRequest>();

	app.addHook('onRequest', async (request) => {
		const [path = '', ...query] = (request.raw.url ?? '').split('?');
		if (path.startsWith(adminPath)) return;
		const record: RecordedRequest = {
			method: request.method,
			path,
			query: query.join('?'),
			headers: request.headers as Record<string, string>,
			body: undefined,
			status: 0,
		};
		records.set(request, record);
		requests.push(record);
		if (requests.length > world.settings.recordedRequests) requests.shift();
	});
	app.addHook('preValidation', async (request) => {
		const record = records.get(request);
		if (record) record.body = structuredClone(request.body);
	});
	app.addHook('onSend', async (request, reply) => {
		const record = records.get(request);
		if (record) record.status = reply.statusCode;
	});
}

function sendError(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
	const { status, body } = toApiError(error);
	reply.code(status).send(body);
}

function unknownPath(): never {
	throw notFound('The path');
}
