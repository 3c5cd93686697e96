#!/usr/bin/env node
// n8n's own check of a package that is to be verified: whether it is eligible, and its lint with n8n's configuration.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');
const command = path.join(root, 'node_modules', '@n8n', 'node-cli', 'bin', 'n8n-node.mjs');

const n8nNode = (name, options) =>
	spawnSync(process.execPath, [command, name], { cwd: root, encoding: 'utf8', ...options });

// It says so in words alone: its exit status is 0 either way. Colors would stand between the words.
const { stdout, stderr } = n8nNode('cloud-support', {
	env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
});
if (!/Status: eligible\b/.test(stdout)) {
	process.stdout.write(`${stdout}${stderr}The package is not eligible for verification by n8n\n`);
	process.exit(1);
}

// Tests, sandbox and tools have configurations of their own, which ESLint looks for only when told so.
const lint = n8nNode('lint', {
	stdio: 'inherit',
	env: { ...process.env, ESLINT_FLAGS: 'unstable_config_lookup_from_file' },
});
process.exitCode = lint.status ?? 1;
