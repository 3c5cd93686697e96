import { routes } from '../../../sandbox/service/modules';
import { momentOf } from '../../../sandbox/service/engine/moment';
import { errorStatuses } from '../../../sandbox/service/http/statuses';
import { bodies } from './errorBodies';
import { errorCases } from './errorCases';
import { startErrorFleet, type ErrorFleet, type Request } from './errorFleet';
import { expectError } from './support';

let fleet: ErrorFleet;
beforeEach(async () => void (fleet = await startErrorFleet()));

const idsIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Every status of an operation, each produced once by a request. */
it.each(routes.map((route) => [route.operationId, route] as const))(
	'%s refuses what is malformed, unknown, too much, and without access',
	async (operationId, route) => {
		const ids = idsIn(route.path);
		const long = Object.fromEntries(ids.map((name) => [name, 'x'.repeat(2000)]));
		// What no operation takes: an unknown property or parameter, or else an id that is too long.
		const unknown = { unknown: 1 };
		const query = route.query ? { query: unknown } : { params: long };
		const malformed = route.body ? { body: unknown } : query;
		const site_id = ids.length > 1 ? String((await fleet.site()).id) : 'unknown';
		const body = bodies[operationId];
		const requests: Array<[status: number, faults: object, request: Request]> = [
			[400, {}, malformed],
			[401, {}, { headers: { Authorization: 'Bearer other' } }],
			[403, { account_inactive: true }, {}],
			[404, { account_inactive: false }, { params: { site_id }, body }],
			[429, { rate_limited: {} }, {}],
		];
		const described = errorStatuses(route);
		for (const [status, faults, request] of requests) {
			if (!described.includes(status)) continue;
			await fleet.admin.post('/faults', faults);
			expectError(await fleet.send(operationId, request), status);
		}
	},
);

it.each(errorCases)(
	'%s answers with %i: %s',
	async (operationId, status, _how, ...[prepare, param]) => {
		const request = await prepare(fleet);
		const before = momentOf(fleet.world);
		const found = expectError(await fleet.send(operationId, request), status);
		if (status === 422) expect(found).toEqual([param ?? Object.keys(request.params!)[0]]);
		// A test that fails is dated.
		if (operationId === 'testBackupDestination' && status === 422) return;
		expect(momentOf(fleet.world) === before).toBe(true);
	},
);

it('the operations with rules of their own are all here, with every status', () => {
	const told = errorCases.map(([operationId, status]) => `${operationId} ${status}`);
	const described = routes.flatMap((route) =>
		errorStatuses(route)
			.filter((status) => [409, 422, 503].includes(status))
			.map((status) => `${route.operationId} ${status}`),
	);
	const file = 'test/unit/service/errorCases.ts';
	const missing = described.filter((each) => !told.includes(each));
	expect(missing.map((each) => `${file}: add a case of ${each}`)).toEqual([]);
	const others = told.filter((each) => !described.includes(each));
	expect(others.map((each) => `${file}: remove the case of ${each}`)).toEqual([]);
	expect(told).toHaveLength(described.length);
});
