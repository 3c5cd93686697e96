import fastify from 'fastify';
import { routes } from '../../../sandbox/service/modules';
import { formats, type Schema } from '../../../sandbox/service/http/schema';
import { errorSchema, errorStatuses } from '../../../sandbox/service/http/statuses';

type Validate = ((data: unknown) => boolean) & { errors?: unknown };

/** Compiles schemas as the service does. */
const app = fastify({
	ajv: {
		customOptions: {
			allowUnionTypes: true,
			coerceTypes: false,
			removeAdditional: false,
			useDefaults: false,
			formats,
		},
	},
});
app.get('/', { schema: { querystring: {} } }, () => ({}));

const validators = new Map<Schema, Validate>();

function validatorOf(schema: Schema): Validate {
	let validate = validators.get(schema);
	if (!validate) {
		const place = { method: 'GET', url: '/', httpPart: 'response' };
		validate = app.validatorCompiler!({ schema, ...place }) as Validate;
		validators.set(schema, validate);
	}
	return validate;
}

/** Fixed paths before those with parameters, as the router has it. */
const patterns = [...routes]
	.sort((a, b) => a.path.split('{').length - b.path.split('{').length)
	.map((route) => ({
		route,
		pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`),
	}));

/** Statuses that depend on no rule of the operation. */
const general = [400, 401, 403, 429, 431, 500, 502, 503];

/**
 * Fails when the response of an operation is not one that its description in the OpenAPI document
 * allows. `path` is relative to the base address.
 */
export async function checkResponse(
	{ method, path }: { method: string; path: string },
	{ status, data }: { status: number; data: unknown },
): Promise<void> {
	const found = patterns.find(
		({ route, pattern }) => route.method === method && pattern.test(path),
	);
	if (!found) return;
	const { route } = found;
	const fail = (why: string): never => {
		throw new Error(
			`${route.operationId} (${method} ${path}) answered with ${status} ${JSON.stringify(data)}: ${why}`,
		);
	};
	await app.ready();
	if (status >= 400) {
		const allowed = [...general, ...errorStatuses(route)];
		if (!allowed.includes(status)) fail('the reference has no such status there (statuses.ts)');
		if (!validatorOf(errorSchema)(data)) fail('that is no error body');
		return;
	}
	if (status !== route.status) fail(`the route declares ${route.status}`);
	if (!route.response || route.mediaType) return;
	const validate = validatorOf(route.response);
	if (!validate(data)) {
		fail(`that is not its \`response\` schema: ${JSON.stringify(validate.errors)}`);
	}
}
