#!/usr/bin/env node
// What n8n and npm say of the package as it would be published: n8n's own scan, its newest rules, and publint.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import tseslint from 'typescript-eslint';
import { ensureBuild, loadTypeScript } from '../../sandbox/setup.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const folder = path.join(root, 'test', '.tmp', 'package');
const published = path.join(folder, 'package');
const faulty = path.join(folder, 'faulty');
/** What n8n's scan looks at in what is published. */
const PUBLISHED_FILES = ['**/*.js', 'package.json'];

async function scan(directory, patterns) {
	const { passed, message, details } = await analyzePackage(directory, patterns);
	return passed ? [] : [details ?? message];
}

/** The rules of n8n's scan are older than those that it will have. */
async function newestRules(directory) {
	const eslint = new ESLint({
		cwd: directory,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: [
			n8nCommunityNodesPlugin.configs.recommended,
			{ files: ['**/*.json'], languageOptions: { parser: tseslint.parser } },
		],
	});
	const results = await eslint.lintFiles(PUBLISHED_FILES);
	if (results.every(({ errorCount }) => errorCount === 0)) return [];
	return [(await eslint.loadFormatter('stylish')).format(results)];
}

async function publintOn(directory) {
	const { messages, pkg } = await publint({ pkgDir: directory, pack: false, strict: true });
	return messages.map((message) => `package.json: ${formatMessage(message, pkg)}`);
}

/** What each finds in a folder with a package. */
const findings = async (directory) => [
	await scan(directory, PUBLISHED_FILES),
	await newestRules(directory),
	await publintOn(directory),
];

rmSync(folder, { recursive: true, force: true });
mkdirSync(faulty, { recursive: true });
await ensureBuild();
const { packPackage } = await loadTypeScript(import.meta.url, '../../sandbox/lib/package.ts');
const { tarball } = await packPackage(folder);
execFileSync('tar', ['-xzf', tarball, '-C', folder]);

// A check that can not fail is none.
writeFileSync(path.join(faulty, 'faulty.js'), 'setTimeout(() => process.exit(), 1);\n');
writeFileSync(path.join(faulty, 'package.json'), '{ "name": "faulty", "main": "gone.js" }\n');
if ((await findings(faulty)).some((found) => found.length === 0)) {
	throw new Error('Not all of them see the faults of a package');
}

const problems = [await scan(root, SOURCE_FILE_PATTERNS), ...(await findings(published))].flat();
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${problems.length} problems in the package\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
