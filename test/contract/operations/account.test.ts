import { GONE, operationCases, outcomes, type OperationCases } from '../../support/operationCases';
import type { NodeResult } from '../../support/engine';
import type { Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';
import type { Names } from '../../support/savedNodes';

const logo = Buffer.from('an image');
const logoUri = `data:image/png;base64,${logo.toString('base64')}`;

/** Sites that are added to the list of a record or taken out of it, of which it has one. */
const onSites = (path: 'client' | 'teamMember', change: 'add' | 'remove') => ({
	on: [path === 'client' ? 'client' : 'member'],
	set: ({ freeSites, clientSite }: Names) => ({ siteIds: [...freeSites, clientSite] }),
	output: ({ json }: NodeResult, { freeSites, clientSite }: Names) => {
		const [{ site_ids: sites, ...rest }] = json as [{ site_ids: string[] }];
		expect([...sites].sort()).toEqual(change === 'add' ? [clientSite, ...freeSites].sort() : []);
		expect(rest).toMatchObject(
			change === 'add'
				? { added_count: 2, already_there: [clientSite] }
				: { removed_count: 1, not_there: freeSites },
		);
	},
});

const cases: OperationCases = {
	'client/client/create': {
		set: ({ freeSites }) => ({
			additionalFields: { email: ' new@client.example.com ', siteIds: freeSites },
		}),
	},
	'client/client/update': {
		set: ({ freeSites }) => ({ updateFields: { siteIds: `={{ ["${freeSites[0]}"] }}` } }),
	},
	'client/client/delete': {
		set: ({ client }) => ({ clientIds: `${client}, ${GONE}` }),
		output: outcomes({}, 'id', 'deleted', ({ client }) => [[client], [GONE, 'not_found']]),
	},
	'client/client/addSites': onSites('client', 'add'),
	'client/client/removeSites': onSites('client', 'remove'),
	'client/client/upsert': {
		set: { email: ' OWNER@client.example.com ', additionalFields: { note: 'Known' } },
		output: ({ json }, { client }) =>
			expect(json).toMatchObject([{ id: client, note: 'Known', created: false }]),
	},
	'client/client/upsert new': {
		set: { email: 'new@client.example.com' },
		output: ({ json }) =>
			expect(json).toMatchObject([{ email: 'new@client.example.com', created: true }]),
	},
	'managedAccount/managedAccount/accept': { on: ['invitedAccount'] },
	'managedAccount/managedAccount/reject': { on: ['invitedAccount'] },
	'senderEmail/senderEmail/create': { set: { email: 'reports@new.example.com', name: 'Reports' } },
	'senderEmail/senderEmail/update': { set: { updateFields: { name: 'Renamed' } } },
	'senderEmail/senderEmail/delete': { on: ['pendingSender'] },
	'senderEmail/senderEmail/refresh': { on: ['pendingSender'] },
	'senderEmail/senderEmail/resendVerification': { on: ['pendingSender'] },
	'teamMember/teamMember/create': {
		set: ({ freeSites }) => ({
			name: 'Second Member',
			email: 'second@team.example.com',
			role: 'co_owner',
			additionalFields: { allSitesAccess: false, siteIds: freeSites },
		}),
	},
	'teamMember/teamMember/update': {
		set: ({ freeSites }) => ({
			updateFields: { allSitesAccess: false, siteIds: [freeSites[0]] },
		}),
	},
	// The service makes another invitation of it, with an ID of its own.
	'teamMember/teamMember/update an-invitation': {
		on: ['invitation'],
		set: { updateFields: { clear: ['company_name', 'note', 'site_ids'] } },
	},
	'teamMember/teamMember/resendInvitation': { on: ['invitation'] },
	'teamMember/teamMember/addSites': onSites('teamMember', 'add'),
	'teamMember/teamMember/removeSites': onSites('teamMember', 'remove'),
	'branding/pluginBranding/update': { set: { type: 'hidden' } },
	'branding/loginScreenBranding/update takes-the-logo-from-a-file': {
		set: { updateFields: { logoBinaryField: 'logo', label: 'Sign in' } },
		binary: { logo: { fileName: 'logo.png', mimeType: 'image/png', content: logo } },
	},
	'backupDestination/backupDestination/disconnect': {
		set: { backupDestinationId: locator('cloudstore_a') },
		output: ({ json }) =>
			expect(json).toMatchObject([
				{ provider: 'cloudstore_a', status: 'inactive', connected: false },
			]),
	},
};

async function prepare({ api, clock, world }: Fleet): Promise<Names> {
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

const called = {
	senderEmail: 'verifiedSender',
	teamMember: 'member',
	backupDestination: 'destination',
	managedAccount: 'connectedAccount',
};

operationCases('account', prepare, cases, called);
