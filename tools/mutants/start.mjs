#!/usr/bin/env node
/**
 * `npm run test:mutants`: small faults in the shared rooms of the nodes, one at a time; each has to turn a test red.
 *
 *     npm run test:mutants                                    all of them, which takes many hours
 *     npm run test:mutants -- nodes/shared/polling/cursor.ts  those of some files
 *     npm run test:mutants -- --sample 300 --seed 1           so many of them
 *     npm run test:mutants -- --again                         those that survived the last time
 *
 * `--stage unit` runs the unit tests alone. What nobody can tell from the original stands in equivalent.json, and why.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies, main, UserError } from '../../sandbox/setup.mjs';
import { stageOf, STAGES } from './tests.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const scratch = path.join(root, 'test', '.tmp', 'mutants');
const SURVIVORS = path.join(root, 'test', '.tmp', 'mutants.json');
const EQUIVALENT = path.join(root, 'tools', 'mutants', 'equivalent.json');

const ROOMS = ['access', 'polling', 'client', 'run', 'input', 'receive'];

/** Enough to find what random cases find, as each mutant meets them anew. */
const FEW = { HISTORIES: '5', CASES: '1000', PROPERTY_RUNS: '30', SEED: '1' };

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const relative = (file) => path.relative(root, file).split(path.sep).join('/');
const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** What a mutant changes, in words that stay the same when lines move. */
function told({ fileName, location: { start, end }, replacement }) {
	const lines = readFileSync(fileName, 'utf8').split('\n');
	const within = lines.slice(start.line, end.line + 1);
	within.push(within.pop().slice(0, end.column));
	within[0] = within[0].slice(start.column);
	return {
		file: relative(fileName),
		line: lines[start.line].trim(),
		code: oneLine(within.join('\n')),
		mutant: oneLine(replacement),
	};
}

const textOf = ({ file, line, code, mutant }) => JSON.stringify([file, line, code, mutant]);

/** Names a mutant; `nth` tells those apart that are alike in their lines, such as both of `() => false`. */
const keyOf = (each) => `${textOf(each)}${each.nth ?? 0}`;

/** All mutants that Stryker has made, each with what it changes. */
function named(mutants) {
	const alike = new Map();
	return mutants.map((of) => {
		const each = told(of);
		const nth = alike.get(textOf(each)) ?? 0;
		alike.set(textOf(each), nth + 1);
		return { of, ...each, ...(nth > 0 && { nth }) };
	});
}

/** Has Stryker run no other mutants than those that are chosen. @returns what has become of each */
async function choosing(choose, work) {
	const { Instrumenter } = await import('@stryker-mutator/instrumenter');
	const { instrument } = Instrumenter.prototype;
	const chosen = new Map();
	Instrumenter.prototype.instrument = async function (...args) {
		const result = await instrument.apply(this, args);
		const mutants = named(result.mutants);
		for (const { of, ...each } of choose(mutants)) chosen.set(of.id, each);
		for (const { of } of mutants.filter((each) => !chosen.has(each.of.id))) {
			Object.assign(of, { status: 'Ignored', statusReason: 'Not chosen' });
		}
		return result;
	};
	try {
		const results = await work();
		return results
			.filter(({ id }) => chosen.has(id))
			.map(({ id, status }) => ({ ...chosen.get(id), status }));
	} finally {
		Instrumenter.prototype.instrument = instrument;
	}
}

/** All files of tests that are run in a stage for one of the files. */
const testsOf = (stage, files) =>
	readdirSync('test', { recursive: true })
		.filter((tests) => /^(unit|contract).*[.]test[.]ts$/.test(tests))
		.filter((tests) => files.some((file) => stageOf(tests, file) === stage))
		.map((tests) => `<rootDir>/test/${tests.split(path.sep).join('/')}`);

/** What becomes of the chosen mutants of some files in a stage. */
async function mutate(stage, files, choose) {
	process.env.MUTANTS_STAGE = stage;
	const { Stryker } = await import('@stryker-mutator/core');
	const stryker = new Stryker({
		mutate: files,
		plugins: [path.join(root, 'tools', 'mutants', 'runner.mjs')],
		testRunner: 'file-by-file',
		coverageAnalysis: 'perTest',
		jest: {
			configFile: 'tools/mutants/jest.config.js',
			config: { testMatch: testsOf(stage, files) },
			enableFindRelatedTests: false,
		},
		// Contract tests load what is built.
		buildCommand: 'npm run build',
		ignorePatterns: ['dist', 'test/.tmp', 'sandbox/.data', '**/node_modules'],
		tempDirName: relative(scratch),
		reporters: ['progress-append-only'],
		// A process keeps what each of its test files has loaded.
		testRunnerNodeArgs: ['--max-old-space-size=8192'],
		concurrency: 2,
		dryRunTimeoutMinutes: 60,
		timeoutMS: 20_000,
		allowConsoleColors: false,
	});
	return await choosing(choose, () => stryker.runMutationTest());
}

/** So many of the mutants, the same for the same seed, also when lines have moved. */
function sample(mutants, count, seed) {
	const hash = (each) =>
		createHash('sha256')
			.update(`${seed} ${textOf(each)}`)
			.digest('hex');
	return mutants
		.map((each) => ({ each, at: hash(each) }))
		.sort((a, b) => a.at.localeCompare(b.at))
		.slice(0, count)
		.map(({ each }) => each);
}

/** The files of each room: its tests alone are run for it, also for what a module does when it is loaded. */
const byRoom = (files) =>
	ROOMS.map((room) => files.filter((file) => file.split('/')[2] === room)).filter(
		({ length }) => length > 0,
	);

const among = (list) => {
	const keys = new Set(list.map(keyOf));
	return (each) => keys.has(keyOf(each));
};

const isLeft = ({ status }) => status === 'Survived' || status === 'NoCoverage';

/** The files to mutate, and which of their mutants. */
function task({ values, positionals: files }) {
	if (values.again) {
		const last = read(SURVIVORS);
		if (last.length === 0) throw new UserError('Nothing survived the last time.');
		const isOfLast = among(last);
		return {
			files: [...new Set(last.map(({ file }) => file))],
			choose: (mutants) => mutants.filter(isOfLast),
		};
	}
	return {
		files: files.length > 0 ? files : ROOMS.map((room) => `nodes/shared/${room}/**/*.ts`),
		choose: (mutants) =>
			values.sample ? sample(mutants, Number(values.sample), values.seed) : mutants,
	};
}

await main(async () => {
	const args = parseArgs({
		allowPositionals: true,
		options: {
			sample: { type: 'string' },
			seed: { type: 'string', default: '1' },
			again: { type: 'boolean' },
			stage: { type: 'string' },
		},
	});
	await ensureDependencies();
	process.chdir(root);
	Object.assign(process.env, FEW);

	const equivalents = read(EQUIVALENT);
	const isEquivalent = among(equivalents);
	const equivalent = [];
	const gone = [];
	let { files, choose } = task(args);
	const chooseFirst = choose;
	choose = (mutants) => {
		const ofThese = new Set(mutants.map(({ file }) => file));
		const isThere = among(mutants);
		gone.push(...equivalents.filter((each) => ofThese.has(each.file) && !isThere(each)));
		const chosen = chooseFirst(mutants);
		equivalent.push(...chosen.filter(isEquivalent));
		return chosen.filter((each) => !isEquivalent(each));
	};
	const done = [];
	let left = [];
	for (const stage of args.values.stage ? [args.values.stage] : STAGES) {
		const results = [];
		for (const some of stage === 'room' ? byRoom(files) : [files]) {
			results.push(...(await mutate(stage, some, choose)));
		}
		done.push(...results.filter((each) => !isLeft(each)));
		left = results.filter(isLeft);
		if (left.length === 0) break;
		const isOfLeft = among(left);
		files = [...new Set(left.map(({ file }) => file))];
		choose = (mutants) => mutants.filter(isOfLeft);
	}
	writeFileSync(SURVIVORS, JSON.stringify(left, null, '\t'));

	const count = (status) => done.filter((each) => each.status === status).length;
	const detected = count('Killed') + count('Timeout');
	const percent = (of) => `${((100 * detected) / of).toFixed(1)} %`;
	const all = detected + left.length + equivalent.length;
	const lines = [
		...left.map(({ file, line, code, mutant }) => `${file}: ${line}\n  ${code}  =>  ${mutant}`),
		...gone.map(
			({ file, line }) => `equivalent.json names what is not there any more: ${file}: ${line}`,
		),
		`${all} mutants: ${count('Killed')} killed, ${count('Timeout')} ended by their time, ${equivalent.length} equivalent, ${left.length} survived; ${done.length - detected} could not run`,
		`score: ${percent(all)}, ${percent(all - equivalent.length)} without those that are equivalent`,
	];
	process.stdout.write(`\n${lines.join('\n')}\n`);
	process.exitCode = left.length + gone.length > 0 ? 1 : 0;
});
