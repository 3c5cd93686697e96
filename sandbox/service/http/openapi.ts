import { errorSchema } from './statuses';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

interface Operation {
	parameters?: Array<{
		in: string;
		name: string;
		schema?: { type?: unknown };
		style?: string;
		explode?: boolean;
	}>;
	requestBody?: {
		required?: boolean;
		content: Record<string, { schema: { type?: unknown } }>;
	};
}

/** Makes `app.swagger()` describe the operations that are registered later (Part A 9). */
export function describeOperations(app: FastifyInstance, basePath: string): void {
	app.addSchema({ $id: 'Error', ...errorSchema });
	app.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Site Management Service API',
				description: 'Manages a fleet of content-management-system sites from one account.',
				version: '6.0.0',
			},
			servers: [{ url: basePath }],
			components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
			security: [{ token: [] }],
		},
		refResolver: { buildLocalReference: (json) => String(json.$id) },
		transformObject: (document) => {
			if (!('openapiObject' in document)) return document.swaggerObject;
			for (const path of Object.values(document.openapiObject.paths ?? {})) {
				for (const operation of Object.values(path as Record<string, Operation>)) {
					markOptionalBody(operation);
					markQuery(operation);
				}
			}
			return document.openapiObject;
		},
	});
}

/** A body that may be null, which is how an empty one is read, need not be sent. */
function markOptionalBody({ requestBody }: Operation): void {
	const type = requestBody?.content['application/json']?.schema.type;
	if (requestBody && Array.isArray(type) && type.includes('null')) requestBody.required = false;
}

/** How objects and lists without brackets are sent in the query. */
function markQuery({ parameters = [] }: Operation): void {
	for (const parameter of parameters.filter((each) => each.in === 'query')) {
		const { name, schema } = parameter;
		if (schema?.type === 'object') Object.assign(parameter, { style: 'deepObject', explode: true });
		if (schema?.type === 'array' && !name.endsWith('[]')) parameter.explode = false;
	}
}
