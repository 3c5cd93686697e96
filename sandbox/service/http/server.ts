import { forbidden, invalid, notFound, rateLimited, unauthorized } from '../engine/errors';
import { adminRoutes } from './admin';
import { toApiError } from './apiErrors';
import { hasToken, requireAccess } from './auth';
import type { Context } from './context';
import { html, json, loginPage, loginPath } from './faultAnswers';
import { documented } from './documented';
import type { Query } from './filters';
import { guardControls } from './guard';
import { Attachment, type Route, urlOf } from './kit';
import { describeOperations } from './openapi';
import { adminPath, basePath, type ServerOptions } from './options';
import { page } from './page';
import type { RateLimiter } from './rateLimit';
import { RequestRecord } from './record';
import { type Schema, string, partial, object, limited } from './schema';
import { responses } from './statuses';
import { answerUnreadable } from './unreadable';
import { validatorOf } from './validators';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { parse } from 'node:querystring';
import { Readable } from 'node:stream';

/** The HTTP server of the service, not listening yet. */
export function createServer(options: ServerOptions): FastifyInstance {
	const { token, limiter, other } = options;
	const count: Count = (authorization) =>
		limiter.take(hasToken(authorization, token) ? token : 'anonymous');
	const app = fastify({
		forceCloseConnections: true,
		// A logo of 2 MB as base64, with room for the rest of the body.
		bodyLimit: 4 * 1024 * 1024,
		exposeHeadRoutes: false,
		rewriteUrl: other.urlOf,
		routerOptions: { maxParamLength: 1000, querystringParser: parseQuery },
		// Neither of the two comes to the hooks of the operations.
		frameworkErrors: (error, { headers }, reply) => {
			const counted = count(headers.authorization);
			sendError(counted.allowed ? error : rateLimited(), null, reply.headers(counted.headers));
		},
		clientErrorHandler: (error, socket) => answerUnreadable(error, socket, count().headers),
	});
	app.setValidatorCompiler(({ schema }) => validatorOf(schema));
	// The schemas of responses describe and are checked by tests, they never change a response.
	app.setSerializerCompiler(() => (data) => JSON.stringify(data));
	readBodies(app, other);
	app.setErrorHandler(sendError);
	app.setNotFoundHandler(unknownPath);
	const record = new RequestRecord(options);
	record.listen(app);
	guardControls(app);
	// Before the operations' faults, which may take the answer away, but not what it has told.
	keepBeforeAnswers(app, options);

	describeOperations(app, basePath);
	app.get(`${basePath}/openapi.json`, { schema: { hide: true } }, async (request, reply) => {
		const { allowed, headers } = count(request.headers.authorization);
		reply.headers(headers);
		if (!allowed) throw rateLimited();
		return app.swagger();
	});
	app.register(operations(options, count), { prefix: basePath });
	app.register(adminRoutes(options, record), { prefix: adminPath });
	app.register(looks(options), { prefix: `${adminPath}/api` });
	app.register(page);
	app.all(loginPath, { schema: { hide: true } }, (_request, reply) => {
		void reply.type(html).send(loginPage);
	});
	// Only now, for the operations' faults may change the status before.
	app.addHook('onSend', record.complete);
	return app;
}

/** Counts a request for whoever its `Authorization` header stands for. */
type Count = (authorization?: string) => ReturnType<RateLimiter['take']>;

/** The operations of the reference, behind the rate limit and the token. */
function operations(options: ServerOptions, count: Count) {
	const { world, routes, token, faults, other } = options;
	return async (api: FastifyInstance) => {
		api.setNotFoundHandler(unknownPath);
		const met = ({ method, url }: FastifyRequest) => ({
			method,
			path: url.slice(basePath.length).split('?')[0]!,
			now: world.now,
		});
		api.addHook('onRequest', async (request, reply) => {
			const { era } = world;
			// What has waited while the fleet was put back is over, too.
			const fate = (await faults.receive(met(request))) ?? (world.era !== era && 'drop');
			if (fate) {
				reply.hijack();
				if (fate === 'drop') request.raw.socket.destroy();
				else request.raw.resume();
				return;
			}
			world.settle();
			reply.header('Date', new Date(world.now).toUTCString());
			// As by a proxy before the service, which neither counts the request nor knows the token.
			const redirect = faults.redirect(met(request));
			if (redirect) {
				// Until the answer is gone: else fastify may go on and carry the request out.
				await reply.redirect(redirect.to ?? loginPath, redirect.status ?? 302);
				return;
			}
			const { authorization } = request.headers;
			const { allowed, headers } = count(authorization);
			const limited = faults.limits(met(request));
			const counted = limited ? { ...headers, 'X-RateLimit-Remaining': 0 } : headers;
			reply.headers(faults.rateHeaders(met(request), counted));
			if (!allowed || limited) throw rateLimited();
			if (faults.active.token_expired) throw unauthorized();
			if (faults.active.account_inactive) throw forbidden();
			requireAccess(authorization, token, world);
			faults.break(met(request));
		});
		other.speak(api);
		api.addHook('onSend', async (request, reply, payload) => {
			const size = Number(reply.getHeader('Content-Length')) || undefined;
			const headerOf = (name: string) => reply.getHeader(name) as string | undefined;
			const type = headerOf('Content-Type');
			const disposition = headerOf('Content-Disposition');
			const due = { status: reply.statusCode, body: payload, size, type, disposition };
			const answer = faults.send(met(request), due);
			if (answer === 'drop') request.raw.socket.destroy();
			if (answer === 'drop' || answer === due) return payload;
			reply.code(answer.status);
			if (answer.type && answer.type !== type) {
				reply.type(answer.type).removeHeader('Content-Disposition');
			} else if (answer.disposition && answer.disposition !== disposition) {
				reply.header('Content-Disposition', answer.disposition);
			}
			reply.removeHeader('Content-Length');
			if (answer.size !== undefined) reply.header('Content-Length', answer.size);
			return answer.body;
		});
		const onPage: Context['onPage'] = (shown, next) => world.onPage?.(shown, next);
		for (const route of routes) addRoute(api, route, { world, onPage });
	};
}

/** The operations that only read, once more: for the page, which is no client and must not be taken for one. */
function looks({ world, routes }: ServerOptions) {
	return async (api: FastifyInstance) => {
		api.addHook('onRoute', (route) => {
			route.schema = { ...route.schema, hide: true };
		});
		api.addHook('onRequest', async () => world.settle());
		api.addHook('onSend', async (_request, reply, payload) => {
			// A report opens in the browser. Other files come from sites, and could hold a script.
			if (reply.getHeader('Content-Type') !== 'application/pdf') return payload;
			const attached = String(reply.getHeader('Content-Disposition'));
			reply.header('Content-Disposition', attached.replace('attachment', 'inline'));
			return payload;
		});
		for (const route of routes) if (route.method === 'GET') addRoute(api, route, { world });
	};
}

function addRoute(
	api: FastifyInstance,
	route: Route,
	given: Pick<Context, 'world' | 'onPage'>,
): void {
	const { path } = route;
	api.route({
		method: route.method,
		url: urlOf(path),
		schema: {
			operationId: route.operationId,
			...documented(route),
			...(path.includes('{') && { params: pathParameters(path) }),
			response: responses(route),
			...(route.query && { querystring: partial(route.query) }),
			...(route.body && { body: route.body }),
		},
		preValidation: async (request) => readValues(request.query as Query, route.query),
		handler: async (request, reply) => {
			const handle = () =>
				route.handle({
					...given,
					params: request.params as Record<string, string>,
					query: request.query as Query,
					body: request.body,
				});
			const result = await (route.method === 'GET' ? given.world.read(handle) : handle());
			reply.code(route.status);
			if (result instanceof Attachment) {
				reply.header('Content-Disposition', disposition(result.name));
				if (result.size !== undefined) reply.header('Content-Length', result.size);
				return reply.type(route.mediaType!).send(result.content);
			}
			return reply.send(route.status === 204 ? undefined : result);
		},
	});
}

/** An attachment's header with its name in ASCII, and in full where that differs (RFC 6266). */
function disposition(name: string): string {
	const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
	const full = encodeURIComponent(name).replace(
		/['()*]/g,
		(char) => `%${char.charCodeAt(0).toString(16)}`,
	);
	return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${full}`}`;
}

/** Every `{x_id}` of a path is the id of an x. */
function pathParameters(path: string): Schema {
	const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
	const describe = (name: string) => `Id of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}`;
	return object(
		Object.fromEntries(
			names.map((name) => [name, limited(string, { description: describe(name) })]),
		),
	);
}

/** `name[]` is always an array, so that one value has the same shape as several. */
function parseQuery(text: string): Query {
	const query = Object.entries(parse(text)).map(([name, value]) => [
		name,
		name.endsWith('[]') ? [value].flat() : value,
	]);
	return Object.fromEntries(query);
}

/** Turns parameters into what the route declares: a number, boolean, list (`a,b`) or object (`name[field]`). */
function readValues(query: Query, properties: Route['query'] = {}): void {
	for (const [name, { type, properties: fields }] of Object.entries(properties)) {
		const value = query[name];
		if (type === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value)) {
			query[name] = Number(value);
		} else if (type === 'boolean' && (value === 'true' || value === 'false')) {
			query[name] = value === 'true';
		} else if (type === 'array' && value !== undefined && !name.endsWith('[]')) {
			query[name] = [value].flat().flatMap((each) => String(each).split(','));
		} else if (type === 'object') {
			for (const field of Object.keys((fields as object | undefined) ?? {})) {
				const sent = query[`${name}[${field}]`];
				if (sent === undefined) continue;
				query[name] = { ...(query[name] as object | undefined), [field]: sent };
				delete query[`${name}[${field}]`];
			}
		}
	}
}

/** Whatever an answer tells is kept before it goes out; else it is an error, for it could be lost. */
function keepBeforeAnswers(app: FastifyInstance, { world, save }: ServerOptions): void {
	app.addHook('onSend', async (request, reply, payload) => {
		if (request.method !== 'GET') world.revision += 1;
		try {
			await save?.();
			return payload;
		} catch (error) {
			if (payload instanceof Readable) payload.destroy();
			const { status, body } = toApiError(error);
			reply.code(status).type(json).removeHeader('Content-Disposition');
			reply.removeHeader('Content-Length');
			return JSON.stringify(body);
		}
	});
}

/** Reads JSON; an empty body counts as none, whatever its declared type. */
function readBodies(app: FastifyInstance, { bodyOf }: ServerOptions['other']): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
		if (text === '') return done(null, undefined);
		if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
			return done(malformed('must be JSON'));
		}
		try {
			done(null, JSON.parse(bodyOf(request, String(text))));
		} catch {
			done(malformed('is not valid JSON'));
		}
	});
}

const malformed = (message: string) => invalid([{ code: 'malformed', param: 'body', message }]);

function sendError(error: unknown, _request: unknown, reply: FastifyReply): void {
	const { status, body } = toApiError(error);
	reply.code(status).send(body);
}

function unknownPath(): never {
	throw notFound('The path');
}
