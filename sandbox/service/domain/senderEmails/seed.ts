import type { Random } from '../../engine/random';
import type { World } from '../../engine/world';
import { dates, drawsFor } from '../shared/demo';
import { checkRecord, createSender, dnsRecords } from './rules';

const senders: Array<[name: string, email: string, isVerified: boolean]> = [
	['Fleet Reports', 'reports@fleet.example.com', true],
	['Care Team', 'care@agency.example.org', true],
	['Newsletter', 'news@studio.example.net', false],
];

export function seed(world: World): void {
	const random = drawsFor(world, 'senderEmails');
	for (const sender of senders) seedSender(world, random, ...sender);
}

function seedSender(
	world: World,
	random: Random,
	name: string,
	email: string,
	isVerified: boolean,
): void {
	const sender = createSender(world, { email, name }, random);
	if (!isVerified) return;
	Object.assign(sender, dates(world, random), { status: 'verified' });
	sender.internal.ownership_confirmed = true;
	sender.internal.verification_sent_at = sender.created_at;
	sender.internal.published = { dkim: true, return_path: random.chance(0.5) };
	for (const record of dnsRecords) checkRecord(sender, record);
}
