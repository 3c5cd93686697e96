#!/usr/bin/env node
// `npm test`: everything from a fresh clone on. Plain Node.js, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	ensureBuild,
	ensureDependencies,
	ensureN8n,
	isN8nInstalled,
	loadTypeScript,
	main,
	UserError,
} from '../sandbox/setup.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const scratch = path.join(root, 'test', '.tmp');

/** Jest waits for ever for what a test left open. */
const PART_TIMEOUT_MS = 30 * 60_000;

/** What came of each part, in order. */
const parts = [];
const tests = { passed: 0, failed: 0 };

/** Announces a part, notes whether it failed, and goes on either way. */
async function part(name, work) {
	const started = Date.now();
	process.stdout.write(`\n== ${name}\n`);
	const passed = await work().catch((error) => {
		process.stdout.write(`${error.name === 'UserError' ? error.message : error.stack}\n`);
		return false;
	});
	const seconds = Math.round((Date.now() - started) / 1000);
	const result = passed ? 'passed' : 'FAILED';
	parts.push({ name, result, seconds });
	process.stdout.write(`== ${name}: ${result} in ${seconds} s\n`);
	return passed;
}

async function run(command, args) {
	const signal = AbortSignal.timeout(PART_TIMEOUT_MS);
	return await new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			cwd: root,
			stdio: ['ignore', 'inherit', 'inherit'],
			shell: process.platform === 'win32',
			signal,
		});
		child.once('error', (error) =>
			reject(signal.aborted ? new UserError('It did not end in time and was stopped.') : error),
		);
		child.once('close', (code) => resolve(code === 0));
	});
}

const script = (name) => part(name, () => run('npm', ['run', '--silent', name]));

function count(results) {
	if (!existsSync(results)) {
		tests.failed += 1;
		return;
	}
	const summary = JSON.parse(readFileSync(results, 'utf8'));
	tests.passed += summary.numPassedTests;
	// A file that could not even be loaded has no tests to count.
	tests.failed += summary.numFailedTests + summary.numRuntimeErrorTestSuites;
}

const jest = (project, args = []) =>
	part(`test:${project}`, async () => {
		const results = path.join(scratch, `${project}.json`);
		const options = ['--ci', '--json', `--outputFile=${results}`, ...args];
		try {
			return await run('npm', ['run', '--silent', `test:${project}`, '--', ...options]);
		} finally {
			count(results);
		}
	});

/** Why a look for programs finds none on this machine, or nothing. */
function reasonOf(look) {
	try {
		look();
		return undefined;
	} catch (error) {
		if (error.name !== 'UserError') throw error;
		return error.message;
	}
}

/** Tests that need programs which not every machine has. Where they are required, as in CI, their lack is a failure. */
async function optional(project, missing, isRequired) {
	if (!missing || isRequired) {
		await jest(project);
		return;
	}
	notRun(`test:${project}`, missing);
}

function notRun(name, missing) {
	const note = `not run: ${missing}`;
	parts.push({ name, result: 'not run', seconds: 0, note });
	process.stdout.write(`\n== ${name}: ${note}\n`);
}

async function queueTests() {
	const { findQueuePrograms } = await loadTypeScript(import.meta.url, '../sandbox/lib/programs.ts');
	await optional('queue', reasonOf(findQueuePrograms), process.env.REQUIRE_QUEUE);
}

async function browserTests() {
	const { findChromium } = await loadTypeScript(import.meta.url, './support/browser.ts');
	await optional('browser', reasonOf(findChromium), process.env.REQUIRE_BROWSER);
}

/** On the older n8n that are required, by their names, and on those that are installed. */
async function compatTests() {
	const { OLDER } = await loadTypeScript(import.meta.url, './support/versions.ts');
	const required = (process.env.REQUIRE_COMPAT ?? '').split(',').filter(Boolean);
	const installed = OLDER.filter(({ folder }) => isN8nInstalled(folder)).map(({ name }) => name);
	const names = [...new Set([...required, ...installed])];
	if (names.length > 0) await jest('compat', ['--only', names.join(',')]);
	for (const { name, version } of OLDER.filter((each) => !names.includes(each.name))) {
		const how = `npm run test:compat -- --only ${name}`;
		notRun(
			`test:compat ${name}`,
			`n8n ${version} is not installed. This installs and tests it: ${how}`,
		);
	}
}

/** Where the time went, and what failed. */
function table() {
	const total = parts.reduce((sum, { seconds }) => sum + seconds, 0);
	const rows = [
		['part', 'result', 'seconds'],
		...parts.map(({ name, result, seconds, note }) => [name, result, seconds, note]),
		['total', '', total],
	];
	const width = Math.max(...rows.map(([name]) => name.length));
	return rows
		.map(([name, result, seconds, note = '']) =>
			`${name.padEnd(width)}  ${result.padEnd(7)}  ${String(seconds).padStart(7)}  ${note}`.trimEnd(),
		)
		.join('\n');
}

await main(async () => {
	await ensureDependencies();
	rmSync(scratch, { recursive: true, force: true });
	mkdirSync(scratch, { recursive: true });

	const built = await part('build', async () => {
		await ensureBuild();
		return true;
	});
	await script('lint');
	await script('typecheck');
	await jest('unit');
	if (built) {
		await script('lint:built');
		await part('docs', () => run('npm', ['run', '--silent', 'docs', '--', '--check']));
		await jest('contract');
		const installed = await part('install n8n', async () => {
			await ensureN8n();
			return true;
		});
		if (installed) {
			await jest('e2e');
			await queueTests();
			await browserTests();
			await compatTests();
		}
	}

	process.stdout.write(`\n${table()}\n`);
	process.stdout.write(`\ntests: ${tests.passed} passed, ${tests.failed} failed\n`);
	process.exitCode = parts.some(({ result }) => result === 'FAILED') ? 1 : 0;
});
