#!/usr/bin/env node
// `node tools/newest.mjs [version]`: has the compatibility tests know the newest n8n, as "newest", and the contract tests
// run on its engine until the next `npm ci`. For the weekly check.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'test', 'compat', 'newest');
const [wanted = 'latest'] = process.argv.slice(2);

const npm = (args, cwd = root) =>
	execFileSync('npm', [...args, '--ignore-scripts', '--no-audit', '--no-fund'], {
		cwd,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	}).trim();

const view = (what) => JSON.parse(npm(['view', '--json', ...what]));

const version = view([`n8n@${wanted}`, 'version']);
const pinned = JSON.parse(readFileSync(path.join(root, 'sandbox', 'n8n', 'package.json'), 'utf8'));
mkdirSync(folder, { recursive: true });
writeFileSync(
	path.join(folder, 'package.json'),
	JSON.stringify({ ...pinned, description: 'The newest n8n', dependencies: { n8n: version } }),
);
npm(['install', '--package-lock-only', '--legacy-peer-deps'], folder);

const engine = view([`n8n@${version}`, 'dependencies']);
npm([
	...['install', '--no-save', '--legacy-peer-deps'],
	...['n8n-core', 'n8n-workflow'].map((name) => `${name}@${engine[name]}`),
]);
process.stdout.write(`The newest n8n is ${version}\n`);
