import { routes } from '../../../sandbox/service/modules';
import { momentOf } from '../../../sandbox/service/engine/moment';
import { errorStatuses } from '../../../sandbox/service/http/statuses';
import { bodies } from './errorBodies';
import { errorCases } from './errorCases';
import { ErrorFleet, type Request } from './errorFleet';
import { expectError } from './support';

let fleet: ErrorFleet;

beforeAll(async () => {
	fleet = await ErrorFleet.start();
});
afterEach(() => fleet.rest());
afterAll(() => fleet.close());

/** The operations that are described with the status. */
const having = (status: number) =>
	routes.filter((route) => errorStatuses(route).includes(status)).map((route) => route.operationId);

const routeOf = (operationId: string) => routes.find((one) => one.operationId === operationId)!;

/** What no operation takes: an unknown property or parameter, or else an id that is too long. */
function malformed(operationId: string): Request {
	const { body, query, path } = routeOf(operationId);
	if (body) return { body: { unknown: 1 } };
	if (query) return { query: { unknown: 1 } };
	return { params: Object.fromEntries(idsIn(path).map((name) => [name, 'x'.repeat(2000)])) };
}

const idsIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Every status of an operation, each produced once by a request. */
describe('every operation', () => {
	it.each(having(401))('%s answers another token with 401', async (operationId) => {
		const headers = { Authorization: 'Bearer other' };
		expectError(await fleet.send(operationId, { headers }), 401);
	});

	it.each(having(403))('%s answers an inactive account with 403', async (operationId) => {
		await fleet.admin.post('/faults', { account_inactive: true });
		expectError(await fleet.send(operationId), 403);
	});

	it.each(having(429))('%s answers beyond the limit with 429', async (operationId) => {
		await fleet.admin.post('/faults', { rate_limited: {} });
		expectError(await fleet.send(operationId), 429);
	});

	it.each(having(400))('%s answers what is malformed with 400', async (operationId) => {
		expectError(await fleet.send(operationId, malformed(operationId)), 400);
	});

	it.each(having(404))('%s answers an unknown ID with 404', async (operationId) => {
		const [, ...others] = idsIn(routeOf(operationId).path).reverse();
		const site_id = others.includes('site_id') ? String((await fleet.site()).id) : 'unknown';
		const request = { params: { site_id }, body: bodies[operationId] };
		const response = await fleet.send(operationId, request);
		expectError(response, 404);
	});
});

describe('the operations with rules of their own', () => {
	it.each(errorCases)(
		'%s answers with %i: %s',
		async (operationId, status, _how, ...[prepare, param]) => {
			const request = await prepare(fleet);
			const before = momentOf(fleet.service.world);
			const found = expectError(await fleet.send(operationId, request), status);
			if (status === 422) expect(found).toEqual([param ?? Object.keys(request.params!)[0]]);
			// A test that fails is dated.
			if (operationId === 'testBackupDestination' && status === 422) return;
			expect(momentOf(fleet.service.world) === before).toBe(true);
		},
	);

	it('are all here, with every status', () => {
		const told = errorCases.map(([operationId, status]) => `${operationId} ${status}`);
		const described = [409, 422, 503].flatMap((status) =>
			having(status).map((operationId) => `${operationId} ${status}`),
		);
		const file = 'test/unit/service/errorCases.ts';
		const missing = described.filter((each) => !told.includes(each));
		expect(missing.map((each) => `${file}: add a case of ${each}`)).toEqual([]);
		const others = told.filter((each) => !described.includes(each));
		expect(others.map((each) => `${file}: remove the case of ${each}`)).toEqual([]);
		expect(told).toHaveLength(described.length);
	});
});
