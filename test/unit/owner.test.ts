import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ownerOf } from '../../sandbox/lib/owner';
import { newFolder } from '../support/ending';

it('the password is a random one for each data folder, which n8n accepts and only the user can read', () => {
	const folders = [newFolder('owner'), newFolder('owner')];
	const passwords = folders.map((each) => ownerOf(each).password);
	expect(new Set(passwords).size).toBe(2);
	for (const [at, password] of passwords.entries()) {
		expect(password).toMatch(/^(?=.*[A-Z])(?=.*\d)\w{20,}$/);
		expect(statSync(path.join(folders[at]!, 'password')).mode & 0o777).toBe(0o600);
		expect(ownerOf(folders[at]!).password).toBe(password);
	}
});

it('the password is what the user writes into the file, and a new one where the file is empty', () => {
	const folder = newFolder('owner');
	writeFileSync(path.join(folder, 'password'), 'Mine-2026\n');
	expect(ownerOf(folder).password).toBe('Mine-2026');
	writeFileSync(path.join(folder, 'password'), '');
	expect(ownerOf(folder).password).toMatch(/^N8/);
});
