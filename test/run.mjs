#!/usr/bin/env node
// `npm test` and `npm run test:all`: parts of the check, from a fresh clone on. Plain Node.js, because it runs before
// anything is installed. `node test/run.mjs e2e queue` runs those that are named.
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
import { runPart } from './support/runPart.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const scratch = path.join(root, 'test', '.tmp');

/** Jest waits for ever for what a test left open. */
const minutes = () => Number(process.env.PART_MINUTES ?? (process.env.LONG ? 300 : 30));

const SLOWEST = 20;

/** What came of each part, in order. */
const parts = [];
const tests = { passed: 0, failed: 0 };
/** How long each test file took. */
const files = [];

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

const run = (command, args, underway) =>
	runPart(command, args, { minutes: minutes(), underway, cwd: root });

const script = (name, args = []) =>
	part(name, () => run('npm', ['run', '--silent', name, '--', ...args]));

function count(results) {
	if (!existsSync(results)) {
		tests.failed += 1;
		return;
	}
	const summary = JSON.parse(readFileSync(results, 'utf8'));
	tests.passed += summary.numPassedTests;
	// A file that could not even be loaded has no tests to count.
	tests.failed += summary.numFailedTests + summary.numRuntimeErrorTestSuites;
	for (const { name, startTime, endTime } of summary.testResults) {
		files.push({
			name: path.relative(root, name),
			seconds: Math.round((endTime - startTime) / 1000),
		});
	}
}

/** @param name the script that runs jest, for its tests */
const jest = (name, args = []) =>
	part(name, async () => {
		const file = (what) => path.join(scratch, `${name.replaceAll(':', '-')}.${what}.json`);
		const reporters = ['default', path.join(root, 'test', 'support', 'underway.mjs')];
		const options = ['--ci', '--json', `--outputFile=${file('results')}`];
		try {
			return await run(
				'npm',
				[
					...['run', '--silent', name, '--', ...options],
					...reporters.map((reporter) => `--reporters=${reporter}`),
					...args,
				],
				file('underway'),
			);
		} finally {
			count(file('results'));
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
async function optional(name, missing, isRequired) {
	if (!missing || isRequired) await jest(name);
	else notRun(name, missing);
}

function notRun(name, missing) {
	const note = `not run: ${missing}`;
	parts.push({ name, result: 'not run', seconds: 0, note });
	process.stdout.write(`\n== ${name}: ${note}\n`);
}

/** Everything that needs no n8n but its engine. */
async function quick() {
	await script('lint');
	await script('lint:n8n');
	await script('typecheck');
	await script('lint:built');
	await script('docs', ['--check']);
	await jest('test:quick');
}

async function queue() {
	const { findQueuePrograms } = await loadTypeScript(import.meta.url, '../sandbox/lib/programs.ts');
	await optional('test:queue', reasonOf(findQueuePrograms), process.env.REQUIRE_QUEUE);
}

async function browser() {
	const { findChromium } = await loadTypeScript(import.meta.url, './support/browser.ts');
	await optional('test:browser', reasonOf(findChromium), process.env.REQUIRE_BROWSER);
}

/** On the older n8n that are required, by their names, and on those that are installed. */
async function compat() {
	const { OLDER } = await loadTypeScript(import.meta.url, './support/versions.ts');
	const required = (process.env.REQUIRE_COMPAT ?? '').split(',').filter(Boolean);
	const installed = OLDER.filter(({ folder }) => isN8nInstalled(folder)).map(({ name }) => name);
	const names = [...new Set([...required, ...installed])];
	if (names.length > 0) await jest('test:compat', ['--only', names.join(',')]);
	for (const { name, version } of OLDER.filter((each) => !names.includes(each.name))) {
		const how = `npm run test:compat -- --only ${name}`;
		notRun(
			`test:compat ${name}`,
			`n8n ${version} is not installed. This installs and tests it: ${how}`,
		);
	}
}

/** What can be asked for, in the order in which it runs. */
const PARTS = {
	quick,
	e2e: () => jest('test:e2e'),
	soak: () => jest('test:soak'),
	queue,
	browser,
	compat,
	guides: () => jest('test:guides'),
};
/** Those that need the pinned n8n. */
const ON_N8N = ['e2e', 'soak', 'queue', 'browser'];
const SETS = { all: Object.keys(PARTS), long: ['quick', 'e2e', 'soak'] };

function asked(names) {
	const wanted = names.length > 0 ? names.flatMap((name) => SETS[name] ?? name) : ['quick'];
	const unknown = wanted.filter((name) => !(name in PARTS));
	if (unknown.length > 0) {
		const known = [...Object.keys(PARTS), ...Object.keys(SETS)].join(', ');
		throw new UserError(`Unknown part "${unknown[0]}". Choose one of ${known}.`);
	}
	return Object.keys(PARTS).filter((name) => wanted.includes(name));
}

/** Rows of words and numbers, in columns. */
const columns = (rows) => {
	const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => String(row[at]).length)));
	const cell = (value, at) =>
		typeof value === 'number' ? String(value).padStart(widths[at]) : value.padEnd(widths[at]);
	return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
};

/** Where the time went, and what failed. */
function summary() {
	const total = parts.reduce((sum, { seconds }) => sum + seconds, 0);
	const slowest = files.sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
	return [
		slowest.length > 0 && columns(slowest.map(({ name, seconds }) => [seconds, name])),
		columns([
			['seconds', 'part', 'result', ''],
			...parts.map(({ name, result, seconds, note = '' }) => [seconds, name, result, note]),
			[total, 'total', '', ''],
		]),
		`tests: ${tests.passed} passed, ${tests.failed} failed`,
	]
		.filter(Boolean)
		.join('\n\n');
}

await main(async () => {
	const args = process.argv.slice(2);
	const names = asked(args);
	if (args.includes('long')) process.env.LONG = '1';
	await ensureDependencies();
	rmSync(scratch, { recursive: true, force: true });
	mkdirSync(scratch, { recursive: true });

	const isReady = await part('build', async () => {
		await ensureBuild();
		return true;
	});
	const hasN8n =
		isReady &&
		ON_N8N.some((name) => names.includes(name)) &&
		(await part('install n8n', async () => {
			await ensureN8n();
			return true;
		}));
	for (const name of names) if (isReady && (hasN8n || !ON_N8N.includes(name))) await PARTS[name]();

	process.stdout.write(`\n${summary()}\n`);
	process.exitCode = parts.some(({ result }) => result === 'FAILED') ? 1 : 0;
});
