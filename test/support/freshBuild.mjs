// Before tests of the built package: builds it when a source is newer, so that any test file runs by itself.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const SOURCES = ['nodes', 'credentials', 'icons', 'tsconfig.json', 'gulpfile.js'];

/** The time of the last change at or below a path, folders included: a removed file changes its folder. */
function lastChange(file) {
	if (!existsSync(file)) return 0;
	const stats = statSync(file);
	if (!stats.isDirectory()) return stats.mtimeMs;
	const inside = readdirSync(file).map((entry) => lastChange(path.join(file, entry)));
	return Math.max(stats.mtimeMs, ...inside);
}

export default function buildWhenStale() {
	const dist = path.join(root, 'dist');
	const changed = Math.max(...SOURCES.map((file) => lastChange(path.join(root, file))));
	if (changed < lastChange(dist)) return;
	process.stderr.write('Building the package\n');
	try {
		execFileSync('npm', ['run', '--silent', 'build'], {
			cwd: root,
			stdio: ['ignore', 2, 2],
			shell: process.platform === 'win32',
		});
	} catch {
		// Half a build would count as a fresh one.
		rmSync(dist, { recursive: true, force: true });
		throw new Error('The package could not be built: see above, or run "npm run build"');
	}
}
