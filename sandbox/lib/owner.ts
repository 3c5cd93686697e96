import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Owner } from './content';

/** The owner of the n8n of a data folder, which keeps the password: a random one from the first start on. */
export function ownerOf(data: string): Owner {
	const file = path.join(data, 'password');
	const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
	// n8n asks for a capital letter and a digit.
	const password = kept || `N8${randomBytes(12).toString('hex')}`;
	if (!kept) writeFileSync(file, `${password}\n`, { mode: 0o600 });
	return { email: 'owner@example.com', firstName: 'Sandbox', lastName: 'Owner', password };
}
