import { expectError, list, listIds, start, startTime, type TestService } from './support';

const at = (ms: number) => new Date(startTime + ms).toISOString();
const settings = { ownershipConfirmationMs: 1000, dnsPublicationMs: 10_000 };

/** A service with a sender email of which neither ownership nor DNS is confirmed. */
async function startWithSender() {
	const service = await start({ settings });
	const { status, data } = await service.api.post('/sender-emails', {
		sender_email: { email: 'Me@mine.example.com', name: 'Mine' },
	});
	expect(status).toBe(201);
	return { ...service, sender: data.sender_email, path: `/sender-emails/${data.sender_email.id}` };
}

type Started = Awaited<ReturnType<typeof startWithSender>>;

/** The same with confirmed ownership; its DNS records are not published yet. */
async function startVerified(): Promise<Started> {
	const service = await startWithSender();
	service.clock.advance(settings.ownershipConfirmationMs);
	return { ...service, sender: await act(service, 'refresh') };
}

const show = async ({ api, path }: Started) => (await api.get(path)).data.sender_email;
const update = ({ api, path }: Started, fields: object) =>
	api.post(`${path}/update`, { sender_email: fields });
async function act({ api, path }: Started, verb: string) {
	const { status, data } = await api.post(`${path}/${verb}`);
	expect(status).toBe(200);
	return data.sender_email;
}
const publish = ({ clock }: TestService) => clock.advance(settings.dnsPublicationMs);

describe('creating a sender email', () => {
	it('returns it as pending, with the DNS records to publish', async () => {
		const { sender } = await startWithSender();
		const record = (hostname: unknown) => ({
			hostname,
			value: expect.any(String),
			verified: false,
		});
		expect(sender).toEqual({
			id: expect.any(String),
			email: 'Me@mine.example.com',
			name: 'Mine',
			status: 'pending',
			domain: {
				dkim: record(expect.stringMatching(/\._domainkey\.mine\.example\.com$/)),
				return_path: record(expect.stringMatching(/\.mine\.example\.com$/)),
			},
			created_at: at(0),
			updated_at: at(0),
		});
	});
});

describe('refreshing a sender email', () => {
	it('leaves it pending until its owner has followed the link in the email', async () => {
		const service = await startWithSender();
		service.clock.advance(settings.ownershipConfirmationMs - 1);
		expect((await act(service, 'refresh')).status).toBe('pending');
		service.clock.advance(1);
		expect((await show(service)).status).toBe('pending');
		const sender = await act(service, 'refresh');
		expect(sender).toMatchObject({ status: 'verified', updated_at: at(1000) });
		expect(await show(service)).toEqual(sender);
	});

	it('finds the DNS records that are published', async () => {
		const service = await startVerified();
		expect((await act(service, 'refresh')).domain).toEqual(service.sender.domain);
		publish(service);
		expect((await act(service, 'refresh')).domain).toMatchObject({
			dkim: { verified: true },
			return_path: { verified: true },
		});
	});
});

describe('resending the verification', () => {
	it('sends a new email and leaves the sender pending', async () => {
		const service = await startWithSender();
		service.clock.advance(500);
		const sender = await act(service, 'resend-verification');
		expect(sender).toEqual({ ...service.sender, updated_at: at(500) });
		const { internal } = service.world.store.senderEmails.get(sender.id)!;
		expect(internal.verification_sent_at).toBe(at(500));
	});

	it('lets an owner who missed the first email confirm', async () => {
		const service = await startWithSender();
		const row = service.world.store.senderEmails.get(service.sender.id)!;
		service.clock.advance(settings.ownershipConfirmationMs);
		await show(service);
		row.internal.ownership_confirmed = false;
		await act(service, 'resend-verification');
		service.clock.advance(settings.ownershipConfirmationMs);
		expect((await act(service, 'refresh')).status).toBe('verified');
	});
});

describe('the DNS of a sender email', () => {
	it.each(['rotate-dkim', 'verify-dkim', 'verify-return-path'])(
		'is not touched by %s while the sender is pending',
		async (verb) => {
			const service = await startWithSender();
			publish(service);
			service.world.settle();
			service.world.store.senderEmails.get(service.sender.id)!.status = 'pending';
			expectError(await service.api.post(`${service.path}/${verb}`), 422);
			expect(await show(service)).toEqual(service.sender);
		},
	);

	it.each([
		['verify-dkim', 'dkim', 'return_path'],
		['verify-return-path', 'return_path', 'dkim'],
	])('is checked by %s once published, and only its record', async (verb, record, other) => {
		const service = await startVerified();
		expect((await act(service, verb)).domain[record].verified).toBe(false);
		publish(service);
		const { status, domain, updated_at } = await act(service, verb);
		expect(status).toBe('verified');
		expect(domain[record].verified).toBe(true);
		expect(domain[other].verified).toBe(false);
		expect(updated_at).toBe(at(11_000));
	});

	it('has a new DKIM record after a rotation, which counts once it is published', async () => {
		const service = await startVerified();
		publish(service);
		const before = (await act(service, 'refresh')).domain;
		const { status, domain } = await act(service, 'rotate-dkim');
		expect(status).toBe('verified');
		expect(domain.dkim.verified).toBe(false);
		expect(domain.dkim.hostname).not.toBe(before.dkim.hostname);
		expect(domain.dkim.value).not.toBe(before.dkim.value);
		expect(domain.return_path).toEqual(before.return_path);
		expect((await act(service, 'verify-dkim')).domain.dkim.verified).toBe(false);
		publish(service);
		expect((await act(service, 'verify-dkim')).domain.dkim.verified).toBe(true);
	});

	it('is not confirmed by a record that was replaced meanwhile', async () => {
		const service = await startVerified();
		service.clock.advance(4000);
		await act(service, 'rotate-dkim');
		service.clock.advance(settings.dnsPublicationMs - 1);
		expect((await act(service, 'verify-dkim')).domain.dkim.verified).toBe(false);
		service.clock.advance(1);
		expect((await act(service, 'verify-dkim')).domain.dkim.verified).toBe(true);
	});
});

describe('updating a sender email', () => {
	it('changes the name and keeps the rest', async () => {
		const service = await startWithSender();
		service.clock.advance(500);
		const { status, data } = await update(service, { name: 'Ours' });
		expect(status).toBe(200);
		expect(data.sender_email).toEqual({ ...service.sender, name: 'Ours', updated_at: at(500) });
	});

	it.each([
		['flat', { hostname: 'mail.mine.example.com' }],
		['nested', { domain: { return_path: { hostname: 'mail.mine.example.com' } } }],
	])('moves the return path, whose record must be published again: %s', async (_, fields) => {
		const service = await startVerified();
		publish(service);
		await act(service, 'refresh');
		const { data } = await update(service, fields);
		expect(data.sender_email.domain.return_path).toMatchObject({
			hostname: 'mail.mine.example.com',
			verified: false,
		});
		expect(data.sender_email.domain.dkim.verified).toBe(true);
		expect((await act(service, 'verify-return-path')).domain.return_path.verified).toBe(false);
		publish(service);
		expect((await act(service, 'verify-return-path')).domain.return_path.verified).toBe(true);
	});

	it('keeps the return path verified when its host stays the same', async () => {
		const service = await startVerified();
		publish(service);
		const { hostname } = (await act(service, 'refresh')).domain.return_path;
		const { data } = await update(service, { hostname });
		expect(data.sender_email.domain.return_path.verified).toBe(true);
	});
});

describe('one sender email', () => {
	it('is gone after it was deleted, whatever was still to happen to it', async () => {
		const service = await startWithSender();
		const { status, data } = await service.api.delete(service.path);
		expect([status, data]).toEqual([204, '']);
		publish(service);
		expectError(await service.api.get(service.path), 404);
		expect(await listIds(service, '/sender-emails')).not.toContain(service.sender.id);
	});
});

it('the demo account has verified and pending sender emails', async () => {
	const statuses = (await list(await start(), '/sender-emails')).map(({ status }) => status);
	expect([...new Set(statuses)].sort()).toEqual(['pending', 'verified']);
});
