import type { IDataObject } from 'n8n-workflow';
import { loadOptions, searchList } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';

let fleet: Fleet;
beforeAll(async () => {
	fleet = await startFleet({ sites: 20 });
});

const companyAndEmail = (record: IDataObject) =>
	`${String(record.company_name)} (${String(record.email)})`;
const nameAndEmail = (record: IDataObject) => `${String(record.name)} (${String(record.email)})`;

/** How From List names a record, and the field that a search looks into. */
const searches: Array<
	[node: string, method: string, path: string, name: (record: IDataObject) => string, by?: string]
> = [
	['client', 'searchClients', '/clients', companyAndEmail, 'company_name'],
	['managedAccount', 'searchManagedAccounts', '/managed-accounts', companyAndEmail, 'email'],
	['backupDestination', 'searchBackupDestinations', '/backup-destinations', nameAndEmail],
	['senderEmail', 'searchSenderEmails', '/sender-emails', nameAndEmail, 'email'],
	['branding', 'searchSenderEmails', '/sender-emails', nameAndEmail, 'email'],
	['teamMember', 'searchTeamMembers', '/team-members', nameAndEmail, 'name'],
];

describe.each(searches)('%s, %s', (node, method, path, name, by) => {
	const search = async (filter?: string) =>
		(await searchList(fleet, { node, parameters: {}, method, filter })).results;
	const records = async () => {
		const { data } = await fleet.api.get(path);
		return data[path.slice(1).replace('-', '_')] as IDataObject[];
	};

	it('names the records as a person knows them, in the order of the service', async () => {
		const expected = (await records()).map((record) => ({ name: name(record), value: record.id }));
		expect(expected.length).toBeGreaterThan(1);
		expect(await search()).toEqual(expected);
	});

	if (!by) return;
	it('searches on the server', async () => {
		const last = (await records()).at(-1)!;
		const found = await search(String(last[by]).slice(1));
		expect(found).toContainEqual({ name: name(last), value: last.id });
		expect(found.length).toBeLessThan((await records()).length);
	});
});

it.each(['client', 'teamMember'])('%s offers all sites by name', async (node) => {
	const run = { node, parameters: {}, method: 'getSites' };
	expect(await loadOptions(fleet, run)).toHaveLength(20);
});
