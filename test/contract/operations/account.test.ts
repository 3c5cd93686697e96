import { between, changeCases, GONE, listCases, outcomes } from '../../support/caseKinds';
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

/** The records of `Ids` that are not called as in a path. */
const called: Called<Ids> = {
	senderEmail: 'verifiedSender',
	teamMember: 'member',
	backupDestination: 'destination',
	managedAccount: 'connectedAccount',
};

const logo = Buffer.from('an image');
const logoUri = `data:image/png;base64,${logo.toString('base64')}`;

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

/** Operations that take nothing but ids, on other records than the first of their kind. */
const onIds = idCases<Ids>(called, {
	'managedAccount/managedAccount/accept': { on: ['invitedAccount'] },
	'managedAccount/managedAccount/reject': { on: ['invitedAccount'] },
	'senderEmail/senderEmail/delete': { on: ['pendingSender'] },
	'senderEmail/senderEmail/refresh': { on: ['pendingSender'] },
	'senderEmail/senderEmail/resendVerification': { on: ['pendingSender'] },
	'teamMember/teamMember/resendInvitation': { on: ['invitation'] },
});

/** All bounds of both timestamps. */
const times = between({ created: 'created_at', updated: 'updated_at' });
const timezone = { timezone: ['timezone', 'Europe/Berlin'] as [string, string] };

const lists = listCases<Ids>(called, {
	'client/client/getAll': {
		filters: {
			search: ['search:contains', 'example ltd'],
			firstNameContains: ['first_name:contains', 'first'],
			lastNameContains: ['last_name:contains', 'last'],
			emailContains: ['email:contains', '@client.'],
			companyNameContains: ['company_name:contains', 'ltd'],
			...times,
		},
		sort: 'company_name,asc',
		options: timezone,
	},
	'managedAccount/managedAccount/getAll': {
		filters: {
			emailContains: ['email:contains', 'owner@'],
			companyNameContains: ['company_name:contains', 'example'],
			role: ['role:eq', 'co_owner'],
			roles: ['role:in', ['co_owner', 'administrator']],
			status: ['status:eq', 'connected'],
			statuses: ['status:in', ['connected', 'pending']],
			allSitesAccess: ['all_sites_access:eq', false],
			...times,
		},
		sort: 'status,desc',
		options: timezone,
	},
	'senderEmail/senderEmail/getAll': {
		filters: {
			emailContains: ['email:contains', '@sender.'],
			nameContains: ['name:contains', 'care'],
			status: ['status:eq', 'verified'],
			dkimVerified: ['domain_dkim_verified:eq', false],
			returnPathVerified: ['domain_return_path_verified:eq', false],
			...times,
		},
		sort: 'email,asc',
		options: timezone,
	},
	'teamMember/teamMember/getAll': {
		filters: {
			nameContains: ['name:contains', 'new'],
			emailContains: ['email:contains', '@team.'],
			companyNameContains: ['company_name:contains', 'ltd'],
			role: ['role:eq', 'administrator'],
			twoFaEnabled: ['two_fa_enabled:eq', false],
			status: ['status:eq', 'pending'],
			...times,
		},
		sort: 'role,asc',
		options: timezone,
	},
});

/** What is written into a client. */
const person = {
	firstName: 'Other',
	lastName: 'Name',
	companyName: 'Other Ltd',
	address: '2 Example Street',
	note: 'Moved',
};

const changes = changeCases<Ids>(called, {
	'client/client/create': {
		wrapper: 'client',
		set: ({ freeSites }) => ({
			additionalFields: { ...person, email: ' new@client.example.com ', siteIds: freeSites },
		}),
		as: { email: 'new@client.example.com' },
	},
	'client/client/update': {
		wrapper: 'client',
		set: ({ freeSites }) => ({
			updateFields: {
				...person,
				email: 'other@client.example.com',
				siteIds: `={{ ["${freeSites[0]}"] }}`,
			},
		}),
		as: ({ freeSites }) => ({ site_ids: [freeSites[0]] }),
	},
	'client/client/update clears': {
		wrapper: 'client',
		set: { updateFields: { clear: ['address', 'note', 'site_ids'] } },
		as: { address: '', note: '', site_ids: [] },
	},
	'client/client/delete': {
		set: ({ client }) => ({ clientIds: `${client}, ${GONE}` }),
		sent: ({ client }) => ({ ids: [client, GONE] }),
		output: ({ json }, { client }) =>
			expect(json).toEqual(outcomes({}, 'id', 'deleted', [client], [GONE, 'not_found'])),
	},
	'senderEmail/senderEmail/create': {
		wrapper: 'sender_email',
		set: { email: 'reports@new.example.com', name: 'Reports' },
	},
	'senderEmail/senderEmail/update': {
		wrapper: 'sender_email',
		set: {
			updateFields: {
				name: 'Renamed',
				additionalBodyFields: '{ "return_path_host": "mail.sender.example.com" }',
			},
		},
		sent: { name: 'Renamed', return_path_host: 'mail.sender.example.com' },
	},
	'teamMember/teamMember/create': {
		wrapper: 'team_member',
		set: ({ freeSites }) => ({
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
	},
	'teamMember/teamMember/update': {
		wrapper: 'team_member',
		set: ({ freeSites }) => ({
			updateFields: {
				name: 'Renamed',
				role: 'collaborator',
				companyName: 'Other Ltd',
				note: 'Moved',
				allSitesAccess: false,
				siteIds: [freeSites[0]],
			},
		}),
	},
	// The service makes another invitation of it, with an ID of its own.
	'teamMember/teamMember/update an-invitation': {
		on: ['invitation'],
		wrapper: 'team_member',
		set: { updateFields: { clear: ['company_name', 'note', 'site_ids'] } },
		as: { company_name: '', note: '', site_ids: [] },
	},
	'branding/pluginBranding/update': {
		wrapper: 'plugin_branding',
		set: {
			type: 'custom',
			additionalFields: {
				name: 'Own Plugin',
				description: 'Cares for this website',
				authorName: 'Example Ltd',
				authorUrl: 'https://www.example.com',
			},
		},
		as: {
			author_name: undefined,
			author_url: undefined,
			author: { name: 'Example Ltd', url: 'https://www.example.com' },
		},
	},
	// What was filled in for another type is not shown any more, and not sent.
	'branding/pluginBranding/update hides-the-details': {
		wrapper: 'plugin_branding',
		set: { type: 'hidden', additionalFields: { name: 'Left Behind' } },
		as: { name: undefined },
	},
	'branding/loginScreenBranding/update': {
		wrapper: 'wp_login',
		set: ({ pendingSender }) => ({
			updateFields: {
				logoDataUri: 'data:image/gif;base64,R0lGODlh',
				label: 'Sign in',
				errorMessage: 'That was wrong',
				tooltip: 'Website Care',
				senderEmailId: locator(pendingSender),
			},
		}),
		as: ({ pendingSender }) => ({
			logo_data_uri: undefined,
			logo_file: 'data:image/gif;base64,R0lGODlh',
			sender_email_id: undefined,
			sender_email: { id: pendingSender },
		}),
	},
	'branding/loginScreenBranding/update takes-the-logo-from-a-file': {
		wrapper: 'wp_login',
		set: { updateFields: { logoBinaryField: 'logo', label: 'Sign in' } },
		binary: { logo: { fileName: 'logo.png', mimeType: 'image/png', content: logo } },
		sent: { logo_file: logoUri, label: 'Sign in' },
	},
	'branding/loginScreenBranding/update clears': {
		wrapper: 'wp_login',
		set: {
			updateFields: { clear: ['logo_file', 'label', 'error_message', 'tooltip', 'sender_email'] },
		},
		as: { logo_file: null, label: null, error_message: null, tooltip: null, sender_email: null },
	},
});

const cases: OperationCases<Ids> = {
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

operationCases('account', prepare, { ...onIds, ...lists, ...changes, ...cases }, called);
