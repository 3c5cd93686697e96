import type { ManagedAccountRow } from '../../../sandbox/service/domain/managedAccounts/rows';
import { expectError, list, start, startTime, type TestService } from './support';

type Status = ManagedAccountRow['status'];

/** A service with a managed account of that status; its clock has moved on by a second. */
async function startWithAccount(status: Status) {
	const service = await start();
	const account = service.world.store.managedAccounts.all()[0]!;
	account.status = status;
	service.clock.advance(1000);
	return { ...service, account: { ...account }, path: `/managed-accounts/${account.id}` };
}

const statusOf = ({ world }: TestService, { id }: ManagedAccountRow) =>
	world.store.managedAccounts.get(id)?.status;

it('the demo account has connected accounts, invitations and rejected ones', async () => {
	const statuses = (await list(await start(), '/managed-accounts')).map(({ status }) => status);
	expect([...new Set(statuses)].sort()).toEqual(['connected', 'pending', 'rejected']);
});

it.each<[string, Status]>([
	['accept', 'connected'],
	['reject', 'rejected'],
])('%s makes a pending invitation %s', async (verb, status) => {
	const service = await startWithAccount('pending');
	const response = await service.api.post(`${service.path}/${verb}`);
	expect(response.status).toBe(200);
	expect(response.data).toEqual({
		managed_account: {
			...service.account,
			status,
			updated_at: new Date(startTime + 1000).toISOString(),
		},
	});
	expect(statusOf(service, service.account)).toBe(status);
});

it.each<[string, Status]>([
	['accept', 'connected'],
	['accept', 'rejected'],
	['reject', 'connected'],
	['reject', 'rejected'],
])('%s is refused for an account that is %s already', async (verb, status) => {
	const service = await startWithAccount(status);
	expectError(await service.api.post(`${service.path}/${verb}`), 422);
	expect(statusOf(service, service.account)).toBe(status);
});

it.each<[Status]>([['pending'], ['rejected']])(
	'an account that is %s has no access to leave',
	async (status) => {
		const service = await startWithAccount(status);
		expectError(await service.api.delete(service.path), 404);
		expect(statusOf(service, service.account)).toBe(status);
	},
);
