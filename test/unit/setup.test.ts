import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/ending';
import { root } from '../support/reference';

interface Lock {
	packages: Record<string, { version?: string; integrity?: string; dependencies?: object }>;
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Lock;

it('what compiles the database driver elsewhere is what the lock file of n8n says', () => {
	const folder = newFolder('with a space');
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
});

/** What a start in a new clone says on a system, where it finds no npm. */
function startOn(platform: string, version: string, freeGb: number): string {
	const folder = newFolder('clone');
	mkdirSync(path.join(folder, 'sandbox', 'n8n'), { recursive: true });
	const lists = ['package.json', 'package-lock.json'];
	const files = [...lists, ...lists.map((file) => `sandbox/n8n/${file}`), 'sandbox/setup.mjs'];
	for (const file of files) cpSync(path.join(root, file), path.join(folder, file));
	const system = `
		import fs from 'node:fs';
		import { syncBuiltinESMExports } from 'node:module';
		const set = (name, value) => Object.defineProperty(process, name, { value });
		set('platform', '${platform}');
		set('arch', 'x64');
		set('versions', { ...process.versions, node: '${version}' });
		fs.statfsSync = () => ({ bavail: ${freeGb}, bsize: 1e9 });
		syncBuiltinESMExports();`;
	const load = `data:text/javascript,${encodeURIComponent(system)}`;
	const { stderr } = spawnSync(
		process.execPath,
		['--import', load, path.join(folder, 'sandbox', 'setup.mjs')],
		{ encoding: 'utf8', env: { PATH: folder } },
	);
	return stderr;
}

it.each([
	['linux', '20.15.0', 5, /^Installing the development dependencies/],
	['darwin', '24.0.0', 4.1, /^Installing the development dependencies/],
	['linux', '20.15.0', 4.1, /^Not enough disk space .* needs about 4\.3 GB, and 4\.1 GB is free/],
	['darwin', '22.1.0', 5, /^n8n needs Node\.js 24, .* for darwin x64\. Install Node\.js 24/],
	['linux', '20.14.0', 5, /^Node\.js 20\.14\.0 is too old/],
	['win32', '24.0.0', 5, /^This project runs on Linux and macOS\. .*\(WSL\)/],
])(
	'a start on %s with Node.js %s and %d GB says what is missing before it installs anything',
	(...of) => {
		const [platform, version, freeGb, words] = of;
		expect(startOn(platform, version, freeGb).trimStart()).toMatch(words);
	},
);
