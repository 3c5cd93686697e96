import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { routes } from '../../../sandbox/service/modules';
import { readProfile } from '../../../sandbox/service/otherService';
import { root, routesFile } from '../../support/reference';
import { start } from './support';

type Json = Record<string, any>;

let document: Json;
/** Every operation of the document, with its path and method. */
let operations: Array<{ path: string; method: string; operation: Json }>;

beforeAll(async () => {
	const { api } = await start({ sites: 0 });
	document = (await api.get('/openapi.json')).data;
	operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
		Object.entries<Json>(methods).map(([method, operation]) => ({
			path,
			method: method.toUpperCase(),
			operation,
		})),
	);
});

const operationOf = (id: string) =>
	operations.find(({ operation }) => operation.operationId === id)!.operation;

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

it.each([
	['the reference', undefined],
	['a profile with more operations', 'sandbox/service/otherService/part-d.json'],
])('is a valid OpenAPI document with %s', async (_, file) => {
	const profile = file === undefined ? undefined : readProfile(join(root, file));
	const { api } = await start({ sites: 0, profile });
	const { data: served } = await api.get('/openapi.json');
	// The validator is an ES module, which the tests can not load.
	const validate = `
	import { Validator } from '@seriousme/openapi-schema-validator';
	let text = '';
	for await (const chunk of process.stdin) text += chunk;
	console.log(JSON.stringify(await new Validator().validate(JSON.parse(text))));`;
	const output = execFileSync(process.execPath, ['--input-type=module', '-e', validate], {
		cwd: root,
		input: JSON.stringify(served),
	});
	expect(JSON.parse(String(output))).toEqual({ valid: true });
});

it('has every served operation with the parameters of its path, and no others', () => {
	const described = operations.map(({ path, method, operation }) => {
		const names = ((operation.parameters ?? []) as Json[])
			.filter((each) => each.in === 'path' && each.required && /^Id of the /.test(each.description))
			.map(({ name }) => name);
		return [operation.operationId, method, path, ...names].join(' ');
	});
	const served = routes.map(({ operationId, method, path }) => {
		const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
		return [operationId, method, path, ...names].join(' ');
	});
	expect(described.sort()).toEqual(served.sort());
});

it('says in plain words what each operation does, and groups them by resource', () => {
	const told = (id: string) => [operationOf(id).summary, ...operationOf(id).tags];
	expect(told('updateSite')).toEqual(['Update site', 'Sites']);
	expect(told('listSiteFileVersions')).toEqual(['List site file versions', 'Files']);
	expect(told('verifySenderEmailDkim')).toEqual(['Verify sender email DKIM', 'Sender emails']);
	for (const { operation } of operations) {
		expect(operation.summary).toMatch(/^[A-Z][a-z]+( [a-zA-Z]+)+$/);
		expect(operation.tags).toEqual([expect.stringMatching(/^[A-Z][a-z]+( [a-z]+)*$/)]);
	}
});

it('describes the whole body of every success', () => {
	const missing = operations.flatMap(({ method, path, operation }) => {
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

it('has the error body at every error status', () => {
	const $ref = '#/components/schemas/Error';
	const { error } = document.components.schemas.Error.properties;
	expect(error.required).toEqual(['code', 'message']);
	for (const { operation } of operations) {
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
])('gives %s the statuses of the reference', (operationId, statuses) => {
	expect(Object.keys(operationOf(operationId).responses).map(Number)).toEqual(statuses);
});

it('shows the token, the server, and which bodies and fields are needed', () => {
	const { paths, servers, security, components } = document;
	expect(components.securitySchemes.token).toEqual({ type: 'http', scheme: 'bearer' });
	expect([security, servers]).toEqual([[{ token: [] }], [{ url: '/api/v6' }]]);
	const bodyOf = (path: string) => paths[path].post.requestBody;
	const schemaOf = (path: string) => bodyOf(path).content['application/json'].schema;
	expect(schemaOf('/tags').required).toEqual(['tag']);
	expect(bodyOf('/tags').required).toBe(true);
	expect(bodyOf('/sites/{site_id}/sync').required).toBe(false);
	expect(bodyOf('/tasks/{task_id}/cancel')).toBeUndefined();
	// Real-time events of a staging site need their end.
	const { options } = schemaOf('/staging-sites').properties.staging_site.properties;
	expect(options.properties.real_time_events).toMatchObject({
		if: { properties: { enabled: { enum: [true] } }, required: ['enabled'] },
		then: { required: ['until'] },
	});
});
