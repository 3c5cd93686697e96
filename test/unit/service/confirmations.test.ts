import { expectError, start } from './support';

/** What waits for somebody else: the owner of an address, the DNS, an invited person. */

const settings = { ownershipConfirmationMs: 1000, dnsPublicationMs: 10_000 };

async function startWithSender() {
	const service = await start({ settings });
	const { api, clock } = service;
	const { data } = await api.post('/sender-emails', {
		sender_email: { email: 'me@mine.example.com', name: 'Mine' },
	});
	const path = `/sender-emails/${data.sender_email.id}`;
	return {
		...service,
		path,
		confirm: () => clock.advance(settings.ownershipConfirmationMs),
		publish: () => clock.advance(settings.dnsPublicationMs),
		act: async (verb: string) => (await api.post(`${path}/${verb}`)).data.sender_email,
	};
}

it('a sender email is verified by a refresh after its owner has confirmed it', async () => {
	const { api, path, confirm, act } = await startWithSender();
	expect((await act('refresh')).status).toBe('pending');
	confirm();
	expect((await api.get(path)).data.sender_email.status).toBe('pending');
	expect((await act('refresh')).status).toBe('verified');
});

it('its DNS records are verified once they are published, each by itself', async () => {
	const { confirm, publish, act } = await startWithSender();
	const verified = ({ domain }: any) => [domain.dkim.verified, domain.return_path.verified];
	confirm();
	await act('refresh');
	expect(verified(await act('verify-dkim'))).toEqual([false, false]);
	publish();
	expect(verified(await act('verify-dkim'))).toEqual([true, false]);
	expect(verified(await act('verify-return-path'))).toEqual([true, true]);
	const rotated = await act('rotate-dkim');
	expect([rotated.status, ...verified(rotated)]).toEqual(['verified', false, true]);
	expect(verified(await act('refresh'))).toEqual([false, true]);
	publish();
	expect(verified(await act('refresh'))).toEqual([true, true]);
});

it('another return path has to be published again, the same one not', async () => {
	const { api, path, confirm, publish, act } = await startWithSender();
	confirm();
	publish();
	const { hostname } = (await act('refresh')).domain.return_path;
	const moved = async (to: string) => {
		const { data } = await api.post(`${path}/update`, { sender_email: { hostname: to } });
		return data.sender_email.domain.return_path;
	};
	expect((await moved(hostname)).verified).toBe(true);
	const other = { hostname: 'mail.mine.example.com' };
	expect(await moved(other.hostname)).toMatchObject({ ...other, verified: false });
});

it.each([
	['update', { team_member: { note: 'New' } }],
	['resend-invitation', undefined],
])('an invitation has another ID after %s, and its old one is unknown', async (verb, body) => {
	const { api } = await start();
	const team_member = { name: 'Bo', email: 'bo@example.com', role: 'collaborator' };
	const { id } = (await api.post('/team-members', { team_member })).data.team_member;
	const { data } = await api.post(`/team-members/${id}/${verb}`, body);
	expect(data.team_member).toMatchObject({ name: 'Bo', status: 'pending' });
	expect(data.team_member.id).not.toBe(id);
	expectError(await api.get(`/team-members/${id}`), 404);
	expect((await api.get(`/team-members/${data.team_member.id}`)).data).toEqual(data);
});
