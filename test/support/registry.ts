import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import axios from 'axios';
import { startChild } from '../../sandbox/lib/child';
import { packPackage } from '../../sandbox/lib/package';
import { freePort } from '../../sandbox/lib/ports';
import { folderForTest } from './n8n';

const root = path.resolve(__dirname, '..', '..');
const modules = path.join(root, 'tools', 'registry');

const READY_TIMEOUT_MS = 60_000;

export const PACKAGE = 'n8n-nodes-site-management';

export type Registry = Awaited<ReturnType<typeof startRegistry>>;

/** A package registry on loopback that knows only what is published to it, in a fresh folder of that name. */
export async function startRegistry(name: string) {
	const setup = path.join(root, 'sandbox', 'setup.mjs');
	execFileSync(process.execPath, [setup, '--modules', modules], { stdio: 'inherit' });
	const folder = folderForTest(name);
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const config = path.join(folder, 'config.json');
	// YAML, which JSON is.
	const everything = { access: '$all', publish: '$all' };
	const options = {
		storage: path.join(folder, 'storage'),
		packages: { '**': everything },
		max_body_size: '100mb',
		web: { enable: false },
		log: { type: 'stdout', format: 'pretty', level: 'http' },
	};
	writeFileSync(config, JSON.stringify(options));
	const child = startChild({
		name: 'the registry',
		command: process.execPath,
		args: [
			path.join(modules, 'node_modules', 'verdaccio', 'bin', 'verdaccio'),
			...['--config', config, '--listen', `127.0.0.1:${port}`],
		],
		cwd: folder,
		env: process.env,
		logFile: path.join(folder, 'registry.log'),
	});
	await child.ready(`${url}/-/ping`, READY_TIMEOUT_MS);

	const programs = path.join(folder, 'bin');
	const cache = path.join(folder, 'cache');
	writeNpm(programs, url);
	return {
		/** Settings by which an n8n takes its community packages from there, and reaches nobody else. */
		settings: {
			PATH: [programs, process.env.PATH].join(path.delimiter),
			npm_config_cache: cache,
			// n8n asks its maker about each package, and the public registry. Nobody is there.
			...Object.fromEntries(
				['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((each) => [each, url]),
			),
		},
		/** @param what the folder of a package, or its .tgz file */
		async publish(what: string) {
			// npm wants a token where none is needed, and could tell the provenance only where a release is made.
			const flags = [`--//127.0.0.1:${port}/:_authToken=none`, '--provenance=false'];
			await promisify(execFile)(
				'npm',
				['publish', what, '--ignore-scripts', `--registry=${url}`, `--cache=${cache}`, ...flags],
				{ cwd: folder },
			);
		},
		/** By which npm and n8n recognise what they install. */
		async checksum(version: string) {
			const { data } = await axios.get<{ dist: { integrity: string } }>(
				`${url}/${PACKAGE}/${version}`,
				{ proxy: false },
			);
			return data.dist.integrity;
		},
		stop: child.stop,
	};
}

/**
 * An npm for n8n, which tells npm on the command line to use the public registry; another one is a licensed feature.
 * The last word on the command line counts.
 */
function writeNpm(folder: string, url: string) {
	mkdirSync(folder);
	const file = path.join(folder, 'npm');
	writeFileSync(file, `#!/bin/sh\nPATH="\${PATH#*:}"\nexec npm "$@" --registry=${url}\n`);
	chmodSync(file, 0o755);
}

export type Versions = Awaited<ReturnType<typeof publishVersions>>;

/** Two versions of the package as it is built, whose code differs in nothing that it does. @param name of a fresh folder */
export async function publishVersions(registry: Registry, name: string) {
	const folder = folderForTest(name);
	const { tarball } = await packPackage(folder);
	execFileSync('tar', ['-xzf', tarball, '-C', folder]);
	const first = path.join(folder, 'package');
	const next = path.join(folder, 'next');
	cpSync(first, next, { recursive: true });
	for (const file of readdirSync(next, { recursive: true, encoding: 'utf8' })) {
		if (file.endsWith('.js')) writeFileSync(path.join(next, file), '\n// next\n', { flag: 'a' });
	}
	const description = path.join(next, 'package.json');
	const { version, ...rest } = JSON.parse(readFileSync(description, 'utf8')) as { version: string };
	const [major, minor, patch] = version.split('.');
	const versions = { first: version, next: `${major}.${minor}.${Number(patch) + 1}` };
	writeFileSync(description, JSON.stringify({ ...rest, version: versions.next }));
	for (const each of [first, next]) await registry.publish(each);
	return versions;
}
