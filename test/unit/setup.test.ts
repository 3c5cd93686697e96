import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../support/reference';

interface Lock {
	packages: Record<string, { version?: string; integrity?: string; dependencies?: object }>;
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Lock;

it('what compiles the database driver elsewhere is what the lock file of n8n says', () => {
	const folder = mkdtempSync(path.join(tmpdir(), 'with a space '));
	try {
		const lockFile = path.join(root, 'sandbox/n8n/package-lock.json');
		const script = `
			import { readFileSync } from 'node:fs';
			import { writeLockOf } from ${JSON.stringify(path.join(root, 'sandbox/setup.mjs'))};
			writeLockOf(${JSON.stringify(folder)}, JSON.parse(readFileSync(${JSON.stringify(lockFile)})), 'sqlite3');`;
		execFileSync(process.execPath, ['--input-type=module', '-e', script]);
		const { packages: whole } = read(lockFile);
		const { '': project, ...part } = read(path.join(folder, 'package-lock.json')).packages;
		expect(project).toEqual({ dependencies: { sqlite3: whole['node_modules/sqlite3']!.version } });
		expect(read(path.join(folder, 'package.json'))).toMatchObject(project!);
		for (const [place, entry] of Object.entries(part)) {
			expect(entry).toEqual(whole[place]);
			expect(entry.integrity).toMatch(/^sha512-/);
			for (const name of Object.keys(entry.dependencies ?? {})) {
				expect(Object.keys(part)).toContainEqual(expect.stringMatching(`node_modules/${name}$`));
			}
		}
		expect(Object.keys(part).length).toBeLessThan(Object.keys(whole).length / 10);
		// One of another version than the one at the top, as Node.js finds it.
		expect(part['node_modules/sqlite3/node_modules/tar']).toBeDefined();
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});
