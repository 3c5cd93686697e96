import { JSON_TYPE, OF_SERVICE } from '../../support/apiNode';
import { operationRun, runNode } from '../../support/engine';
import { startWayward } from '../../support/wayward';

/** What an operation says whose path the service has no longer, where its API document has it elsewhere. */

const documentOf = (...routes: string[]) => {
	const paths: Record<string, object> = {};
	for (const route of routes) {
		const [method, path] = route.split(' ') as [string, string];
		paths[path] = { ...paths[path], [method.toLowerCase()]: { responses: {} } };
	}
	return { openapi: '3.1.0', info: { title: 'A', version: '7' }, paths };
};

async function failed(status: number, routes: string[], node = operationRun('tag', 'getAll', {})) {
	const service = await startWayward((url) => {
		const isDocument = url.pathname.endsWith('/openapi.json');
		const body = isDocument ? documentOf(...routes) : { error: { message: 'Not found' } };
		return {
			status: isDocument ? 200 : status,
			headers: { ...JSON_TYPE, ...OF_SERVICE },
			body: JSON.stringify(body),
		};
	});
	const { error } = await runNode(service, node);
	return { error, requests: service.requests };
}

it.each([
	['GET /tags', 'GET /labels/tags'],
	['GET /tags', 'POST /tags'],
])('%s says that it is %s now', async (_route, now) => {
	const { error } = await failed(404, [now, 'GET /sites']);
	expect(error?.message).toContain(`The API document of the service has this operation as ${now}`);
	expect(error?.description).toMatch(/^Use Any Operation of the node Site Management API/);
});

it.each([
	['has it as it was', ['GET /tags']],
	['has several that could be it', ['GET /a/tags', 'GET /b/tags']],
	['has nothing like it', ['GET /sites']],
])('says nothing where the document %s', async (_what, routes) => {
	const { error } = await failed(404, routes);
	expect(error?.message).not.toContain('API document');
});

it('does not read the document for a record that is not found', async () => {
	const node = operationRun('tag', 'get', { tagId: { __rl: true, mode: 'id', value: '7' } });
	const { requests } = await failed(404, ['GET /labels/tags/{id}'], node);
	expect(requests.filter((request) => request.includes('openapi'))).toEqual([]);
	const { error } = await failed(405, ['GET /labels/tags/{id}'], node);
	expect(error?.message).toContain('as GET /labels/tags/{id}');
});
