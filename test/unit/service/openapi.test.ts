import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { routes } from '../../../sandbox/service/modules';
import { routesFile } from '../../support/reference';
import { start } from './support';

type Json = Record<string, any>;

const describeApi = async (): Promise<Json> => {
	const { api } = await start({ sites: 0 });
	const { status, data } = await api.get('/openapi.json');
	expect(status).toBe(200);
	return data;
};

/** Every operation of the document, with its path and method. */
const operationsOf = (document: Json) =>
	Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
		Object.entries<Json>(methods).map(([method, operation]) => ({
			path,
			method: method.toUpperCase(),
			operation,
		})),
	);

const statusesOf = (document: Json, operationId: string) => {
	const found = operationsOf(document).find((each) => each.operation.operationId === operationId);
	return Object.keys(found!.operation.responses).map(Number);
};

/** The places in a schema that allow anything, because nothing is said about them. */
function emptySchemas(schema: Json, place: string): string[] {
	if (Object.keys(schema).length === 0) return [place];
	return [
		...Object.entries<Json>(schema.properties ?? {}).flatMap(([name, property]) =>
			emptySchemas(property, `${place}.${name}`),
		),
		...(schema.items ? emptySchemas(schema.items, `${place}[]`) : []),
	];
}

describe('the description of the API', () => {
	it('is a valid OpenAPI document', async () => {
		// The validator is an ES module, which the tests can not load.
		const validate = `
			import { Validator } from '@seriousme/openapi-schema-validator';
			let text = '';
			for await (const chunk of process.stdin) text += chunk;
			console.log(JSON.stringify(await new Validator().validate(JSON.parse(text))));`;
		const output = execFileSync(process.execPath, ['--input-type=module', '-e', validate], {
			cwd: join(__dirname, '../../..'),
			input: JSON.stringify(await describeApi()),
		});
		expect(JSON.parse(String(output))).toEqual({ valid: true });
	}, 30_000);

	it('has every served operation, and no others', async () => {
		const described = operationsOf(await describeApi()).map(
			({ path, method, operation }) => `${operation.operationId} ${method} ${path}`,
		);
		const served = routes.map(
			({ operationId, method, path }) => `${operationId} ${method} ${path}`,
		);
		expect(described.sort()).toEqual(served.sort());
	});

	it('describes the whole body of every success', async () => {
		const missing = operationsOf(await describeApi()).flatMap(({ method, path, operation }) => {
			const { operationId, responses } = operation;
			const [status, response] = Object.entries<Json>(responses).find(([code]) => code < '300')!;
			if (status === '204') return [];
			const [media] = Object.values<Json>(response.content ?? {});
			const places = media?.schema ? emptySchemas(media.schema, operationId) : [operationId];
			const file = routesFile({ id: operationId, route: `${method} ${path}` }, []);
			return places.map((place) => `${file}: say what the \`response\` ${place} is`);
		});
		expect(missing).toEqual([]);
	});

	it('has the error body at every error status', async () => {
		const document = await describeApi();
		const { $ref } = document.paths['/tags'].get.responses[401].content['application/json'].schema;
		expect($ref).toBe('#/components/schemas/Error');
		expect(document.components.schemas.Error.properties.error.required).toEqual([
			'code',
			'message',
		]);
		for (const { operation } of operationsOf(document)) {
			for (const [status, response] of Object.entries<Json>(operation.responses)) {
				if (status >= '400') expect(response.content['application/json'].schema).toEqual({ $ref });
			}
		}
	});

	it.each([
		['listTags', [200, 400, 401, 403, 429]],
		['showTag', [200, 401, 403, 404, 429]],
		['deleteTag', [204, 401, 403, 404, 422, 429]],
		['createTag', [201, 400, 401, 403, 422, 429]],
		['deleteSite', [204, 401, 403, 404, 429]],
		['syncSite', [200, 400, 401, 403, 404, 409, 422, 429]],
	])('gives %s the statuses of the reference', async (operationId, statuses) => {
		expect(statusesOf(await describeApi(), operationId)).toEqual(statuses);
	});

	it('describes every parameter of a path', async () => {
		for (const { path, operation } of operationsOf(await describeApi())) {
			const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			const described = ((operation.parameters ?? []) as Json[])
				.filter((each) => each.in === 'path')
				.map(({ name, required, description }) => {
					expect([required, description]).toEqual([true, expect.stringMatching(/^Id of the /)]);
					return name;
				});
			expect(described).toEqual(names);
		}
	});

	it('asks for the token', async () => {
		const document = await describeApi();
		expect(document.components.securitySchemes.token).toEqual({ type: 'http', scheme: 'bearer' });
		expect(document.security).toEqual([{ token: [] }]);
	});

	it('shows the body and the query parameters of an operation', async () => {
		const { paths, servers } = await describeApi();
		expect(servers).toEqual([{ url: '/api/v6' }]);
		const body = paths['/tags'].post.requestBody.content['application/json'].schema;
		expect(body.required).toEqual(['tag']);
		const names = paths['/tags'].get.parameters.map((each: { name: string }) => each.name);
		expect(names).toEqual(
			expect.arrayContaining(['page', 'perPage', 'sort', 'timezone', 'filters[site_id:in][]']),
		);
	});

	it('shows that the real-time events of a staging site need their end', async () => {
		const { paths } = await describeApi();
		const body = paths['/staging-sites'].post.requestBody.content['application/json'].schema;
		const { options } = body.properties.staging_site.properties;
		expect(options.properties.real_time_events).toMatchObject({
			if: { properties: { enabled: { enum: [true] } }, required: ['enabled'] },
			then: { required: ['until'] },
		});
	});

	it('shows whether a body must be sent', async () => {
		const { paths } = await describeApi();
		expect(paths['/tags'].post.requestBody.required).toBe(true);
		expect(paths['/sites/{site_id}/sync'].post.requestBody.required).toBe(false);
		expect(paths['/tasks/{task_id}/cancel'].post.requestBody).toBeUndefined();
	});
});
