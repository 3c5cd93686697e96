import type { TeamMemberRow } from '../../../sandbox/service/domain/teamMembers/rows';
import { expectError, listIds, start, startTime, type TestService } from './support';

const at = (ms: number) => new Date(startTime + ms).toISOString();

const fields = {
	name: 'Nadia Petrov',
	email: 'nadia@agency.example.org',
	role: 'administrator',
	company_name: 'The Agency',
	all_sites_access: false,
	note: 'Weekdays',
};

/** A service with an invitation sent a second ago, or with a member that has accepted it. */
async function startWith(status: TeamMemberRow['status']) {
	const service = await start();
	const siteIds = service.world.store.sites
		.all()
		.slice(0, 3)
		.map((site) => site.id);
	const sent = { ...fields, site_ids: siteIds.slice(0, 2) };
	const response = await service.api.post('/team-members', { team_member: sent });
	expect(response.status).toBe(201);
	const member = response.data.team_member;
	service.world.store.teamMembers.get(member.id)!.status = status;
	service.clock.advance(1000);
	return { ...service, siteIds, member: { ...member, status } };
}

const show = async ({ api }: TestService, id: string) =>
	(await api.get(`/team-members/${id}`)).data.team_member;
const update = ({ api }: TestService, id: string, team_member: object) =>
	api.post(`/team-members/${id}/update`, { team_member });
const resend = ({ api }: TestService, id: string) =>
	api.post(`/team-members/${id}/resend-invitation`);

describe('inviting a team member', () => {
	it('returns the pending invitation', async () => {
		const service = await startWith('pending');
		const { member, siteIds } = service;
		expect(member).toEqual({
			id: expect.any(String),
			...fields,
			status: 'pending',
			site_ids: siteIds.slice(0, 2),
			two_fa_enabled: false,
			created_at: at(0),
			updated_at: at(0),
		});
		expect(await show(service, member.id)).toEqual(member);
	});

	it('gives access to no site when none is sent', async () => {
		const { api } = await start();
		const team_member = { name: 'Bo', email: 'bo@example.com', role: 'collaborator' };
		expect((await api.post('/team-members', { team_member })).data.team_member).toMatchObject({
			all_sites_access: false,
			site_ids: [],
			company_name: '',
			note: '',
		});
	});

	it('lists no sites with access to all of them', async () => {
		const { api, world } = await start();
		const site_ids = [world.store.sites.all()[0]!.id];
		const team_member = { ...fields, all_sites_access: true, site_ids };
		expect((await api.post('/team-members', { team_member })).data.team_member).toMatchObject({
			all_sites_access: true,
			site_ids: [],
		});
	});

	it('is refused for the address of a member or invitation', async () => {
		const { api } = await startWith('connected');
		const team_member = { ...fields, email: 'NADIA@agency.example.org' };
		expect(expectError(await api.post('/team-members', { team_member }), 422)).toEqual([
			'team_member.email',
		]);
	});
});

describe('updating a team member', () => {
	it('changes a member and keeps the rest, including the ID', async () => {
		const service = await startWith('connected');
		const { member } = service;
		const { status, data } = await update(service, member.id, { role: 'co_owner', note: '' });
		expect(status).toBe(200);
		expect(data.team_member).toEqual({
			...member,
			role: 'co_owner',
			note: '',
			updated_at: at(1000),
		});
	});

	it('replaces a pending invitation, whose ID is unknown then', async () => {
		const service = await startWith('pending');
		const { api, member } = service;
		const { status, data } = await update(service, member.id, { note: 'New' });
		expect(status).toBe(200);
		expect(data.team_member).toEqual({
			...member,
			id: expect.any(String),
			note: 'New',
			created_at: at(1000),
			updated_at: at(1000),
		});
		expectError(await api.get(`/team-members/${member.id}`), 404);
		expect(await show(service, data.team_member.id)).toEqual(data.team_member);
		const ids = await listIds(service, '/team-members', { 'filters[email:contains]': 'nadia' });
		expect(ids).toEqual([data.team_member.id]);
	});

	it('takes the list of sites with access to all, and leaves none when that ends', async () => {
		const service = await startWith('connected');
		const { member, siteIds } = service;
		const change = async (changes: object) =>
			(await update(service, member.id, changes)).data.team_member;
		expect((await change({ site_ids: siteIds.slice(2) })).site_ids).toEqual(siteIds.slice(2));
		expect(await change({ all_sites_access: true })).toMatchObject({ site_ids: [] });
		expect(await change({ all_sites_access: false })).toMatchObject({
			all_sites_access: false,
			site_ids: [],
		});
	});
});

describe('resending an invitation', () => {
	it('replaces it, and its old ID is unknown then', async () => {
		const service = await startWith('pending');
		const { api, member } = service;
		const { status, data } = await resend(service, member.id);
		expect(status).toBe(200);
		expect(data.team_member).toEqual({
			...member,
			id: expect.any(String),
			created_at: at(1000),
			updated_at: at(1000),
		});
		expect(data.team_member.id).not.toBe(member.id);
		expectError(await api.get(`/team-members/${member.id}`), 404);
		expectError(await resend(service, member.id), 404);
		expect((await resend(service, data.team_member.id)).status).toBe(200);
	});
});

describe('one team member', () => {
	it('shows no site that was deleted', async () => {
		const service = await startWith('connected');
		await service.api.delete(`/sites/${service.siteIds[0]}`);
		expect((await show(service, service.member.id)).site_ids).toEqual([service.siteIds[1]]);
	});
});
