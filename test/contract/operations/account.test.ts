import type { Fleet } from '../../support/fleet';
import {
	having,
	idCases,
	list,
	operationCases,
	query,
	request,
	type Called,
	type OperationCases,
} from '../../support/operationCases';
import { locator } from '../../support/locator';

interface Ids {
	client: string;
	clientSite: string;
	freeSites: [string, string];
	connectedAccount: string;
	invitedAccount: string;
	destination: string;
	verifiedSender: string;
	pendingSender: string;
	member: string;
	invitation: string;
}

/** All bounds of both timestamps, and what is sent for them. */
const times = {
	createdAfter: '2020-01-01T00:00:00',
	createdBefore: '2026-03-02T00:00:00',
	updatedAfter: '2020-01-02T00:00:00',
	updatedBefore: '2026-03-03T00:00:00',
};
const sentTimes = {
	'filters[created_at:gte]': '2020-01-01T00:00:00Z',
	'filters[created_at:lte]': '2026-03-02T00:00:00Z',
	'filters[updated_at:gte]': '2020-01-02T00:00:00Z',
	'filters[updated_at:lte]': '2026-03-03T00:00:00Z',
};

const logo = Buffer.from('an image');
const logoUri = `data:image/png;base64,${logo.toString('base64')}`;

const verified = ({ dkim, return_path }: Record<'dkim' | 'return_path', boolean>) =>
	having({ domain_dkim_verified: dkim, domain_return_path_verified: return_path });

/** Adding sites to the list of a record, and taking them out of it: read, written and read again. */
const onSites = (
	path: string,
	wrapper: string,
	change: 'add' | 'remove',
): OperationCases<Ids>[string] => {
	const name = (ids: Ids) => ids[path === 'clients' ? 'client' : 'member'];
	const asked = (ids: Ids) => [...ids.freeSites, ids.clientSite];
	const after = (ids: Ids) => (change === 'add' ? [ids.clientSite, ...ids.freeSites] : []);
	return {
		parameters: (ids) => ({
			[path === 'clients' ? 'clientId' : 'teamMemberId']: locator(name(ids)),
			siteIds: asked(ids),
		}),
		sent: (ids) => [
			request(`GET /${path}/${name(ids)}`),
			request(`POST /${path}/${name(ids)}/update`, { [wrapper]: { site_ids: after(ids) } }),
			request(`GET /${path}/${name(ids)}`),
		],
		output: ({ json }, ids) => {
			expect(json).toEqual([
				having({
					id: name(ids),
					...(change === 'add'
						? { added_count: 2, already_there: [ids.clientSite] }
						: { removed_count: 1, not_there: ids.freeSites }),
				}),
			]);
			const [{ site_ids: sites }] = json as [{ site_ids: string[] }];
			expect([...sites].sort()).toEqual(after(ids).sort());
		},
	};
};

const onClient = (change: 'add' | 'remove') => onSites('clients', 'client', change);
const onMember = (change: 'add' | 'remove') => onSites('team-members', 'team_member', change);

/** The records of `Ids` that are not called as in a path. */
const called: Called<Ids> = {
	senderEmail: 'verifiedSender',
	teamMember: 'member',
	backupDestination: 'destination',
	managedAccount: 'connectedAccount',
};

/** Operations that take nothing but ids. */
const onIds = idCases<Ids>(called, {
	'client/client/get': {
		record: ({ client }) => having({ id: client, company_name: 'Example Ltd' }),
	},
	'managedAccount/managedAccount/accept': {
		on: ['invitedAccount'],
		record: ({ invitedAccount }) => having({ id: invitedAccount, status: 'connected' }),
	},
	'managedAccount/managedAccount/reject': {
		on: ['invitedAccount'],
		record: ({ invitedAccount }) => having({ id: invitedAccount, status: 'rejected' }),
	},
	'senderEmail/senderEmail/get': {
		record: ({ verifiedSender }) => having({ id: verifiedSender, name: 'Website Care' }),
	},
	'senderEmail/senderEmail/delete': { on: ['pendingSender'] },
	'senderEmail/senderEmail/refresh': {
		on: ['pendingSender'],
		record: ({ pendingSender }) => having({ id: pendingSender, status: 'verified' }),
	},
	'senderEmail/senderEmail/resendVerification': {
		on: ['pendingSender'],
		record: ({ pendingSender }) => having({ id: pendingSender, status: 'pending' }),
	},
	'senderEmail/senderEmail/rotateDkim': {
		record: ({ verifiedSender }) => having({ id: verifiedSender, domain_dkim_verified: false }),
	},
	'senderEmail/senderEmail/verifyDkim': {
		record: () => verified({ dkim: true, return_path: false }),
	},
	'senderEmail/senderEmail/verifyReturnPath': {
		record: () => verified({ dkim: false, return_path: true }),
	},
	'branding/pluginBranding/get': {
		record: () => having({ type: 'custom', name: 'Website Care' }),
	},
	'branding/pluginBranding/reset': { record: () => having({ type: 'default' }) },
	'branding/loginScreenBranding/get': {
		record: ({ verifiedSender }) => ({
			type: 'custom',
			logo_file: logoUri,
			label: 'Before',
			error_message: 'Before',
			tooltip: 'Before',
			sender_email: { id: verifiedSender, email: 'care@sender.example.com' },
		}),
	},
	'branding/loginScreenBranding/reset': {
		record: () => having({ type: 'default', logo_file: null }),
	},
});

const cases: OperationCases<Ids> = {
	'client/client/getAll': {
		parameters: () => ({
			filters: {
				search: 'example ltd',
				firstNameContains: 'first',
				lastNameContains: 'last',
				emailContains: '@client.',
				companyNameContains: 'ltd',
				...times,
			},
			sort: { by: { field: 'company_name', direction: 'asc' } },
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: () =>
			list('GET /clients', {
				'filters[search:contains]': 'example ltd',
				'filters[first_name:contains]': 'first',
				'filters[last_name:contains]': 'last',
				'filters[email:contains]': '@client.',
				'filters[company_name:contains]': 'ltd',
				...sentTimes,
				sort: 'company_name,asc',
				timezone: 'Europe/Berlin',
			}),
		output: ({ json }, { client, clientSite }) =>
			expect(json).toEqual([expect.objectContaining({ id: client, site_ids: [clientSite] })]),
	},
	'client/client/addSites': onClient('add'),
	'client/client/removeSites': onClient('remove'),
	'teamMember/teamMember/addSites': onMember('add'),
	'teamMember/teamMember/removeSites': onMember('remove'),
	'client/client/upsert': {
		parameters: () => ({
			email: ' OWNER@client.example.com ',
			additionalFields: { note: 'Known', lastName: 'Other' },
		}),
		sent: ({ client }) => [
			list('GET /clients', { perPage: '100' }),
			request(`POST /clients/${client}/update`, {
				client: { note: 'Known', last_name: 'Other' },
			}),
		],
		output: ({ json }, { client }) =>
			expect(json).toEqual([having({ id: client, note: 'Known', created: false })]),
	},
	'client/client/upsert new': {
		parameters: () => ({ email: 'new@client.example.com', additionalFields: { note: 'New' } }),
		sent: () => {
			const look = list('GET /clients', {
				perPage: '100',
				'filters[email:contains]': 'new@client.example.com',
			});
			const body = { client: { email: 'new@client.example.com', note: 'New' } };
			// All are read before, and those who are found by the email afterwards.
			return [list('GET /clients', { perPage: '100' }), request('POST /clients', body), look];
		},
		output: ({ json }) =>
			expect(json).toEqual([having({ email: 'new@client.example.com', created: true })]),
	},
	'client/client/create': {
		parameters: ({ freeSites }) => ({
			additionalFields: {
				email: ' new@client.example.com ',
				firstName: 'New',
				lastName: 'Client',
				companyName: 'Example Inc',
				address: '1 Example Street',
				note: 'Prefers mail',
				siteIds: freeSites,
			},
		}),
		sent: ({ freeSites }) =>
			request('POST /clients', {
				client: {
					email: 'new@client.example.com',
					first_name: 'New',
					last_name: 'Client',
					company_name: 'Example Inc',
					address: '1 Example Street',
					note: 'Prefers mail',
					site_ids: freeSites,
				},
			}),
		output: ({ json }, { freeSites }) =>
			expect(json).toEqual([
				expect.objectContaining({
					id: expect.any(String),
					email: 'new@client.example.com',
					site_ids: expect.arrayContaining(freeSites),
				}),
			]),
	},
	'client/client/create with-blank-fields': {
		parameters: () => ({
			additionalFields: { email: 'new@client.example.com', firstName: '', siteIds: [] },
		}),
		sent: () => request('POST /clients', { client: { email: 'new@client.example.com' } }),
		output: ({ json }) => expect(json).toHaveLength(1),
	},
	'client/client/update': {
		parameters: ({ client, freeSites }) => ({
			clientId: locator(client),
			updateFields: {
				email: 'other@client.example.com',
				firstName: 'Other',
				lastName: 'Name',
				companyName: 'Other Ltd',
				address: '2 Example Street',
				note: 'Moved',
				siteIds: `={{ ["${freeSites[0]}"] }}`,
			},
		}),
		sent: ({ client, freeSites }) =>
			request(`POST /clients/${client}/update`, {
				client: {
					email: 'other@client.example.com',
					first_name: 'Other',
					last_name: 'Name',
					company_name: 'Other Ltd',
					address: '2 Example Street',
					note: 'Moved',
					site_ids: [freeSites[0]],
				},
			}),
		output: ({ json }, { client, freeSites }) =>
			expect(json).toEqual([
				expect.objectContaining({ id: client, note: 'Moved', site_ids: [freeSites[0]] }),
			]),
	},
	'client/client/update clears': {
		parameters: ({ client }) => ({
			clientId: locator(client),
			updateFields: { clear: ['address', 'note', 'site_ids'] },
		}),
		sent: ({ client }) =>
			request(`POST /clients/${client}/update`, {
				client: { address: '', note: '', site_ids: [] },
			}),
		output: ({ json }, { client }) =>
			expect(json).toEqual([
				expect.objectContaining({ id: client, address: '', note: '', site_ids: [] }),
			]),
	},
	'client/client/delete': {
		parameters: ({ client }) => ({ clientIds: `${client}, f0f0f0f0f0f0f0f0f0f0f0f0` }),
		sent: ({ client }) =>
			request('POST /clients/delete', { ids: [client, 'f0f0f0f0f0f0f0f0f0f0f0f0'] }),
		output: ({ json }, { client }) =>
			expect(json).toEqual([
				{ id: client, deleted: true, success: true },
				having({
					id: 'f0f0f0f0f0f0f0f0f0f0f0f0',
					deleted: false,
					success: false,
					code: 'not_found',
				}),
			]),
	},

	'managedAccount/managedAccount/getAll': {
		parameters: () => ({
			filters: {
				emailContains: 'owner@',
				companyNameContains: 'example',
				role: 'co_owner',
				roles: ['co_owner', 'administrator'],
				status: 'connected',
				statuses: ['connected', 'pending'],
				allSitesAccess: false,
				...times,
			},
			sort: { by: { field: 'status', direction: 'desc' } },
			options: { timezone: 'Asia/Tokyo' },
		}),
		sent: () =>
			list('GET /managed-accounts', {
				'filters[email:contains]': 'owner@',
				'filters[company_name:contains]': 'example',
				'filters[role:eq]': 'co_owner',
				'filters[role:in][]': ['co_owner', 'administrator'],
				'filters[status:eq]': 'connected',
				'filters[status:in][]': ['connected', 'pending'],
				'filters[all_sites_access:eq]': 'false',
				...sentTimes,
				sort: 'status,desc',
				timezone: 'Asia/Tokyo',
			}),
		output: ({ json }, { connectedAccount }) =>
			expect(json).toEqual([expect.objectContaining({ id: connectedAccount })]),
	},

	'backupDestination/backupDestination/getAll': {
		parameters: () => ({ output: 'simplified' }),
		sent: () => query('GET /backup-destinations', {}),
		output: ({ json }, { destination }) => {
			expect(json.map(({ provider }) => provider)).toEqual(['cloudstore_a', 'cloudstore_b']);
			expect(json[1]).toEqual({
				id: destination,
				provider: 'cloudstore_b',
				provider_label: 'Cloud Store B',
				name: 'Cloud Store B',
				status: 'active',
				connected: true,
				email: 'backups@fleet.example.com',
				folder_id: expect.any(String),
				folder_name: 'Site backups',
				last_tested_at: expect.any(String),
				last_error_code: null,
				last_error_message: null,
			});
		},
	},
	'backupDestination/backupDestination/get': {
		parameters: () => ({ backupDestinationId: locator('cloudstore_b'), output: 'raw' }),
		sent: () => request('GET /backup-destinations/cloudstore_b'),
		output: ({ json }, { destination }) =>
			expect(json).toEqual([
				expect.objectContaining({
					id: destination,
					config: { folder_policy: 'app_folder', folder_name: 'Site backups' },
				}),
			]),
	},
	'backupDestination/backupDestination/get selected-fields': {
		parameters: ({ destination }) => ({
			backupDestinationId: locator(destination),
			output: 'selected',
			outputFields: ['provider_label', 'provider_account_id'],
		}),
		sent: ({ destination }) => request(`GET /backup-destinations/${destination}`),
		output: ({ json }) =>
			expect(json).toEqual([
				{ provider_label: 'Cloud Store B', provider_account_id: expect.any(String) },
			]),
	},
	'backupDestination/backupDestination/test': {
		parameters: ({ destination }) => ({
			backupDestinationId: locator(destination),
			output: 'simplified',
		}),
		sent: ({ destination }) => request(`POST /backup-destinations/${destination}/test`),
		output: ({ json }, { destination }) => {
			expect(Object.keys(json[0]!)).toHaveLength(12);
			expect(json[0]).toMatchObject({ id: destination, status: 'active' });
		},
	},
	'backupDestination/backupDestination/disconnect': {
		parameters: () => ({ backupDestinationId: locator('cloudstore_a'), output: 'simplified' }),
		sent: () => request('POST /backup-destinations/cloudstore_a/disconnect'),
		output: ({ json }) =>
			expect(json).toEqual([
				expect.objectContaining({
					provider: 'cloudstore_a',
					status: 'inactive',
					connected: false,
					email: null,
					folder_name: null,
				}),
			]),
	},

	'senderEmail/senderEmail/getAll': {
		parameters: () => ({
			filters: {
				emailContains: '@sender.',
				nameContains: 'care',
				status: 'verified',
				dkimVerified: false,
				returnPathVerified: false,
				...times,
			},
			sort: { by: { field: 'email', direction: 'asc' } },
			options: { timezone: 'UTC' },
		}),
		sent: () =>
			list('GET /sender-emails', {
				'filters[email:contains]': '@sender.',
				'filters[name:contains]': 'care',
				'filters[status:eq]': 'verified',
				'filters[domain_dkim_verified:eq]': 'false',
				'filters[domain_return_path_verified:eq]': 'false',
				...sentTimes,
				sort: 'email,asc',
				timezone: 'UTC',
			}),
		output: ({ json }, { verifiedSender }) =>
			expect(json).toEqual([expect.objectContaining({ id: verifiedSender })]),
	},
	'senderEmail/senderEmail/create': {
		parameters: () => ({ email: 'reports@new.example.com', name: 'Reports' }),
		sent: () =>
			request('POST /sender-emails', {
				sender_email: { email: 'reports@new.example.com', name: 'Reports' },
			}),
		output: ({ json }) =>
			expect(json).toEqual([
				expect.objectContaining({ email: 'reports@new.example.com', status: 'pending' }),
			]),
	},
	'senderEmail/senderEmail/update': {
		parameters: ({ verifiedSender }) => ({
			senderEmailId: locator(verifiedSender),
			updateFields: {
				name: 'Renamed',
				additionalBodyFields: '{ "return_path_host": "mail.sender.example.com" }',
			},
		}),
		sent: ({ verifiedSender }) =>
			request(`POST /sender-emails/${verifiedSender}/update`, {
				sender_email: { name: 'Renamed', return_path_host: 'mail.sender.example.com' },
			}),
		output: ({ json }, { verifiedSender }) => {
			expect(json).toHaveLength(1);
			expect(json[0]).toMatchObject({
				id: verifiedSender,
				name: 'Renamed',
				domain_return_path_hostname: 'mail.sender.example.com',
			});
		},
	},

	'teamMember/teamMember/getAll': {
		parameters: () => ({
			output: 'simplified',
			filters: {
				nameContains: 'new',
				emailContains: '@team.',
				companyNameContains: 'ltd',
				role: 'administrator',
				twoFaEnabled: false,
				status: 'pending',
				...times,
			},
			sort: { by: { field: 'role', direction: 'asc' } },
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: () =>
			list('GET /team-members', {
				'filters[name:contains]': 'new',
				'filters[email:contains]': '@team.',
				'filters[company_name:contains]': 'ltd',
				'filters[role:eq]': 'administrator',
				'filters[two_fa_enabled:eq]': 'false',
				'filters[status:eq]': 'pending',
				...sentTimes,
				sort: 'role,asc',
				timezone: 'Europe/Berlin',
			}),
		output: ({ json }, { invitation }) => {
			expect(Object.keys(json[0]!)).toHaveLength(12);
			expect(json).toEqual([
				expect.objectContaining({ id: invitation, status: 'pending', role: 'administrator' }),
			]);
		},
	},
	'teamMember/teamMember/create': {
		parameters: ({ freeSites }) => ({
			name: 'Second Member',
			email: 'second@team.example.com',
			role: 'co_owner',
			additionalFields: {
				companyName: 'Example Ltd',
				note: 'Design',
				allSitesAccess: false,
				siteIds: freeSites,
			},
		}),
		sent: ({ freeSites }) =>
			request('POST /team-members', {
				team_member: {
					name: 'Second Member',
					email: 'second@team.example.com',
					role: 'co_owner',
					company_name: 'Example Ltd',
					note: 'Design',
					all_sites_access: false,
					site_ids: freeSites,
				},
			}),
		output: ({ json }, { freeSites }) =>
			expect(json).toEqual([
				expect.objectContaining({ status: 'pending', note: 'Design', site_ids: freeSites }),
			]),
	},
	'teamMember/teamMember/get': {
		parameters: ({ member }) => ({ teamMemberId: locator(member), output: 'raw' }),
		sent: ({ member }) => request(`GET /team-members/${member}`),
		output: ({ json }, { member }) =>
			expect(json).toEqual([
				expect.objectContaining({ id: member, status: 'connected', note: '' }),
			]),
	},
	'teamMember/teamMember/update': {
		parameters: ({ member, freeSites }) => ({
			teamMemberId: locator(member),
			updateFields: {
				name: 'Renamed',
				role: 'collaborator',
				companyName: 'Other Ltd',
				note: 'Moved',
				allSitesAccess: false,
				siteIds: [freeSites[0]],
			},
		}),
		sent: ({ member, freeSites }) =>
			request(`POST /team-members/${member}/update`, {
				team_member: {
					name: 'Renamed',
					role: 'collaborator',
					company_name: 'Other Ltd',
					note: 'Moved',
					all_sites_access: false,
					site_ids: [freeSites[0]],
				},
			}),
		output: ({ json }, { member, freeSites }) =>
			expect(json).toEqual([
				expect.objectContaining({ id: member, name: 'Renamed', site_ids: [freeSites[0]] }),
			]),
	},
	'teamMember/teamMember/update an-invitation': {
		parameters: ({ invitation }) => ({
			teamMemberId: locator(invitation),
			updateFields: { clear: ['company_name', 'note', 'site_ids'] },
		}),
		sent: ({ invitation }) =>
			request(`POST /team-members/${invitation}/update`, {
				team_member: { company_name: '', note: '', site_ids: [] },
			}),
		output: ({ json }, { invitation }) => {
			expect(json).toEqual([expect.objectContaining({ company_name: '', site_ids: [] })]);
			expect(json[0]!.id).not.toBe(invitation);
		},
	},
	'teamMember/teamMember/resendInvitation': {
		parameters: ({ invitation }) => ({ teamMemberId: locator(invitation) }),
		sent: ({ invitation }) => request(`POST /team-members/${invitation}/resend-invitation`),
		output: ({ json }, { invitation }) => {
			expect(json).toEqual([expect.objectContaining({ name: 'New Member', status: 'pending' })]);
			expect(json[0]!.id).not.toBe(invitation);
		},
	},

	'branding/pluginBranding/update': {
		parameters: () => ({
			type: 'custom',
			additionalFields: {
				name: 'Own Plugin',
				description: 'Cares for this website',
				authorName: 'Example Ltd',
				authorUrl: 'https://www.example.com',
			},
		}),
		sent: () =>
			request('POST /whitelabel/plugin-branding/update', {
				plugin_branding: {
					type: 'custom',
					name: 'Own Plugin',
					description: 'Cares for this website',
					author: { name: 'Example Ltd', url: 'https://www.example.com' },
				},
			}),
		output: ({ json }) =>
			expect(json).toEqual([
				{
					type: 'custom',
					name: 'Own Plugin',
					description: 'Cares for this website',
					author_name: 'Example Ltd',
					author_url: 'https://www.example.com',
				},
			]),
	},
	'branding/pluginBranding/update hides-the-details': {
		// What was filled in for another type is not shown any more, and not sent.
		parameters: () => ({ type: 'hidden', additionalFields: { name: 'Left Behind' } }),
		sent: () =>
			request('POST /whitelabel/plugin-branding/update', { plugin_branding: { type: 'hidden' } }),
		output: ({ json }) =>
			expect(json).toEqual([expect.objectContaining({ type: 'hidden', name: null })]),
	},
	'branding/loginScreenBranding/update': {
		parameters: ({ pendingSender }) => ({
			updateFields: {
				logoDataUri: 'data:image/gif;base64,R0lGODlh',
				label: 'Sign in',
				errorMessage: 'That was wrong',
				tooltip: 'Website Care',
				senderEmailId: locator(pendingSender),
			},
		}),
		sent: ({ pendingSender }) =>
			request('POST /whitelabel/wp-login/update', {
				wp_login: {
					logo_file: 'data:image/gif;base64,R0lGODlh',
					label: 'Sign in',
					error_message: 'That was wrong',
					tooltip: 'Website Care',
					sender_email: { id: pendingSender },
				},
			}),
		output: ({ json }, { pendingSender }) =>
			expect(json).toEqual([
				expect.objectContaining({
					label: 'Sign in',
					sender_email: { id: pendingSender, email: 'news@sender.example.com' },
				}),
			]),
	},
	'branding/loginScreenBranding/update takes-the-logo-from-a-file': {
		parameters: () => ({ updateFields: { logoBinaryField: 'logo', label: 'Sign in' } }),
		binary: { logo: { fileName: 'logo.png', mimeType: 'image/png', content: logo } },
		sent: () =>
			request('POST /whitelabel/wp-login/update', {
				wp_login: { logo_file: logoUri, label: 'Sign in' },
			}),
		output: ({ json }) =>
			expect(json).toEqual([expect.objectContaining({ logo_file: logoUri, tooltip: 'Before' })]),
	},
	'branding/loginScreenBranding/update clears': {
		parameters: () => ({
			updateFields: { clear: ['logo_file', 'label', 'error_message', 'tooltip', 'sender_email'] },
		}),
		sent: () =>
			request('POST /whitelabel/wp-login/update', {
				wp_login: {
					logo_file: null,
					label: null,
					error_message: null,
					tooltip: null,
					sender_email: null,
				},
			}),
		output: ({ json }) =>
			expect(json).toEqual([
				expect.objectContaining({ type: 'default', label: null, sender_email: null }),
			]),
	},
};

async function prepare({ api, clock, world }: Fleet): Promise<Ids> {
	const { store } = world;
	const [clientSite, ...freeSites] = store.sites
		.all()
		.filter(({ internal }) => internal.client_id === null)
		.map(({ id }) => id);
	const post = async (path: string, body: object) => (await api.post(path, body)).data;

	const { client } = await post('/clients', {
		client: {
			first_name: 'First',
			last_name: 'Last',
			email: 'owner@client.example.com',
			company_name: 'Example Ltd',
			note: 'Before',
			site_ids: [clientSite],
		},
	});
	const { team_member: invitation } = await post('/team-members', {
		team_member: {
			name: 'New Member',
			email: 'new@team.example.com',
			role: 'administrator',
			company_name: 'Example Ltd',
			note: 'Before',
			site_ids: [clientSite],
		},
	});
	const [connected, invited] = ['connected', 'pending'].map((status) =>
		store.managedAccounts.all().find((account) => account.status === status)!,
	);
	Object.assign(connected!, {
		company_name: 'Example Ltd',
		role: 'co_owner',
		all_sites_access: false,
	});

	const sender = async (name: string, email: string) =>
		(await post('/sender-emails', { sender_email: { name, email } })).sender_email.id;
	const verifiedSender = await sender('Website Care', 'care@sender.example.com');
	const pendingSender = await sender('News', 'news@sender.example.com');
	clock.advance(world.settings.ownershipConfirmationMs);
	// Verified before its DNS records can be found, so that these wait for their own verification.
	await post(`/sender-emails/${verifiedSender}/refresh`, {});

	await post('/whitelabel/wp-login/update', {
		wp_login: {
			logo_file: logoUri,
			label: 'Before',
			error_message: 'Before',
			tooltip: 'Before',
			sender_email: { id: verifiedSender },
		},
	});
	clock.advance(world.settings.settingUpdateMs);
	await post('/whitelabel/plugin-branding/update', {
		plugin_branding: { type: 'custom', name: 'Website Care' },
	});
	clock.advance(world.settings.dnsPublicationMs);

	const destinations = store.backupDestinations.all();
	const member = store.teamMembers.all().find(({ status }) => status === 'connected')!;
	Object.assign(member, { all_sites_access: false, site_ids: [clientSite] });
	return {
		client: client.id,
		clientSite: clientSite!,
		freeSites: [freeSites[0]!, freeSites[1]!],
		connectedAccount: connected!.id,
		invitedAccount: invited!.id,
		destination: destinations.find(({ provider }) => provider === 'cloudstore_b')!.id,
		verifiedSender,
		pendingSender,
		member: member.id,
		invitation: invitation.id,
	};
}

operationCases('account', prepare, { ...onIds, ...cases }, called);
