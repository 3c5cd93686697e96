#!/usr/bin/env node
// `npm test`: parts of the check, from a fresh clone on; `npm test -- --help` names them. Plain Node.js, because it runs
// before anything is installed.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readNumber } from '../sandbox/lib/number.mjs';
import {
	ensureBuild,
	ensureDependencies,
	ensureN8n,
	ensureNode,
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

/** The versions of n8n that are asked for. */
let only;

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
	part([name, ...args].join(' '), () => run('npm', ['run', '--silent', name, '--', ...args]));

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

/** Each file of the others starts an n8n. */
const LIGHT = ['unit', 'contract'];
let given = [];

/** @param projects those of jest.config.js, which are also the name of the part */
const jest = (...projects) => {
	const name = projects.join(' and ');
	return part(name, async () => {
		const file = (what) => path.join(scratch, `${projects.join('-')}.${what}.json`);
		const reporters = ['default', path.join(root, 'test', 'support', 'underway.mjs')];
		// Files come first: behind an option that is a list, they would belong to it.
		const options = [
			...given,
			...['--selectProjects', ...projects],
			...(LIGHT.includes(projects[0]) ? [] : ['--maxWorkers=2']),
			...['--ci', '--json', `--outputFile=${file('results')}`],
			...reporters.map((reporter) => `--reporters=${reporter}`),
		];
		const program = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
		try {
			return await run(process.execPath, [program, ...options], file('underway'));
		} finally {
			count(file('results'));
		}
	});
};

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
function optional(name, missing, isRequired) {
	if (!missing || isRequired) return [name];
	notRun(name, missing);
	return [];
}

function notRun(name, missing) {
	const note = `not run: ${missing}`;
	parts.push({ name, result: 'not run', seconds: 0, note });
	process.stdout.write(`\n== ${name}: ${note}\n`);
}

/** Everything that needs no n8n but its engine. */
async function quick() {
	await script('lint');
	await script('docs', ['--check']);
	return LIGHT;
}

async function queue() {
	const { findQueuePrograms } = await loadTypeScript(import.meta.url, '../sandbox/lib/programs.ts');
	return optional('queue', reasonOf(findQueuePrograms), process.env.REQUIRE_QUEUE);
}

async function browser() {
	const { findChromium } = await loadTypeScript(import.meta.url, './support/browser.ts');
	return optional('browser', reasonOf(findChromium), process.env.REQUIRE_BROWSER);
}

/** On the n8n that are named, or the older ones that are required or installed. */
async function compat() {
	const { OLDER, versionsNamed } = await loadTypeScript(import.meta.url, './support/versions.ts');
	const required = (process.env.REQUIRE_COMPAT ?? '').split(',').filter(Boolean);
	const installed = OLDER.filter(({ folder }) => isN8nInstalled(folder)).map(({ name }) => name);
	const names = only?.split(',') ?? [...new Set([...required, ...installed])];
	if (names.length > 0) {
		process.env.COMPAT_ONLY = names.join(',');
		// What is spelt wrong is reported before anything is installed.
		versionsNamed(process.env.COMPAT_ONLY);
	}
	for (const { name, version } of only ? [] : OLDER.filter((each) => !names.includes(each.name))) {
		const how = `npm test -- compat --only ${name}`;
		notRun(`compat ${name}`, `n8n ${version} is not installed. This installs and tests it: ${how}`);
	}
	return names.length > 0 ? ['compat'] : [];
}

/** What can be asked for; each does what comes before its tests, and gives their projects. */
const PARTS = {
	quick,
	unit: () => ['unit'],
	contract: () => ['contract'],
	e2e: () => ['e2e'],
	soak: () => ['soak'],
	queue,
	browser,
	compat,
	guides: () => ['guides'],
};
/** In this order. Those in a row share two workers, because a test of n8n often waits. */
const ROWS = [
	['quick', 'unit', 'contract'],
	['e2e', 'soak'],
	['queue', 'browser', 'compat', 'guides'],
];
/** Those that need the pinned n8n. */
const ON_N8N = ['e2e', 'soak', 'queue', 'browser'];
const SETS = {
	all: Object.keys(PARTS).filter((name) => !['unit', 'contract'].includes(name)),
	long: ['quick', 'e2e', 'soak'],
};

const HELP = `npm test [-- <part> ...] [-- <arguments for jest>]

  quick     lint, types, the built package, docs, unit and contract tests (the default)
  unit      only the unit tests
  contract  only the contract tests
  e2e       tests in a real n8n
  soak      a real n8n for a while, with a faulty service; --minutes N sets how long
  queue     n8n with workers: needs Redis and PostgreSQL
  browser   the editor of n8n: needs Chromium
  compat    older n8n that are installed; --only 1.x,2.8 installs and tests these
  guides    follows CONTRIBUTING.md
  all       quick, and all parts that need a real n8n
  long      the nightly run: quick, e2e and soak with many more cases

Example: npm test -- e2e -- lifecycle
`;

function asked(names) {
	const wanted = names.length > 0 ? names.flatMap((name) => SETS[name] ?? name) : ['quick'];
	const unknown = wanted.filter((name) => !(name in PARTS));
	if (unknown.length > 0) {
		const known = [...Object.keys(PARTS), ...Object.keys(SETS)].join(', ');
		throw new UserError(`Unknown part "${unknown[0]}". Choose one of ${known}.`);
	}
	return Object.keys(PARTS).filter((name) => wanted.includes(name));
}

/** The command line: parts and their options; what is behind `--` is for jest. */
function commandLine() {
	const args = process.argv.slice(2);
	const end = args.includes('--') ? args.indexOf('--') : args.length;
	const options = {
		help: { type: 'boolean' },
		only: { type: 'string' },
		minutes: { type: 'string' },
	};
	try {
		const { values, positionals } = parseArgs({
			args: args.slice(0, end),
			options,
			allowPositionals: true,
		});
		const minutes = values.minutes && readNumber(values.minutes, { min: 1, max: 24 * 60 });
		return { ...values, minutes, positionals, rest: args.slice(end + 1) };
	} catch (error) {
		throw new UserError(`${error.message}\n\n${HELP}`);
	}
}

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
	const { help, minutes: soakMinutes, positionals, rest, ...options } = commandLine();
	if (help) return void process.stdout.write(HELP);
	const names = asked(positionals);
	({ only } = options);
	given = rest;
	if (positionals.includes('long')) process.env.LONG = '1';
	if (soakMinutes) {
		process.env.SOAK_MINUTES = String(soakMinutes);
		process.env.PART_MINUTES ??= String(soakMinutes + minutes());
	}
	await ensureDependencies();
	rmSync(scratch, { recursive: true, force: true });
	mkdirSync(scratch, { recursive: true });

	const isReady = await part('build', async () => {
		await ensureBuild();
		return true;
	});
	// An n8n that somebody else has started is not installed.
	const onN8n = process.env.E2E_N8N_URL ? [] : names.filter((name) => ON_N8N.includes(name));
	const hasN8n =
		isReady &&
		onN8n.length > 0 &&
		(await part('install n8n', async () => {
			const { versionsNamed } = await loadTypeScript(import.meta.url, './support/versions.ts');
			const { REQUIRE_COMPAT: required } = process.env;
			const older = required && names.includes('compat') ? versionsNamed(required) : [];
			// All run on it.
			await ensureNode();
			// At the same time, because each waits for the network a lot.
			await Promise.all([ensureN8n(), ...older.map(({ folder }) => ensureN8n(folder))]);
			return true;
		}));
	const canRun = (name) => isReady && names.includes(name) && (hasN8n || !onN8n.includes(name));
	for (const row of ROWS) {
		const projects = new Set();
		for (const name of row.filter(canRun)) {
			for (const project of await PARTS[name]()) projects.add(project);
		}
		if (projects.size > 0) await jest(...projects);
	}

	process.stdout.write(`\n${summary()}\n`);
	process.exitCode = parts.some(({ result }) => result === 'FAILED') ? 1 : 0;
});
