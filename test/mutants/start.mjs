#!/usr/bin/env node
/**
 * `npm run test:mutants`: small faults, one at a time, in the shared rooms of the nodes; each has to turn a test red.
 *
 *     npm run test:mutants                                    all of them; takes hours
 *     npm run test:mutants -- nodes/shared/polling/cursor.ts  those of some files
 *     npm run test:mutants -- --sample 300 --seed 1           so many of polling, transport and input
 *     npm run test:mutants -- --again                         those that have survived the last time
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureDependencies, main } from '../../sandbox/setup.mjs';
import { stageOf, STAGES } from './tests.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const scratch = path.join(root, 'test', '.tmp', 'mutants');
const LAST = path.join(root, 'test', '.tmp', 'mutants.json');

const ALL = ['polling', 'transport', 'input', 'receive'];
const SAMPLED = ['polling', 'transport', 'input'];
const filesOf = (rooms) => rooms.map((room) => `nodes/shared/${room}/**/*.ts`);

/** Enough to find what random cases find, as each mutant runs them anew. */
const FEW = { HISTORIES: '5', CASES: '1000', PROPERTY_RUNS: '30', SEED: '1' };

const relative = (file) => path.relative(root, file).split(path.sep).join('/');

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** What a mutant changes, in words that stay the same when lines move. */
function told({ fileName, location: { start, end }, replacement, mutatorName }) {
	const lines = readFileSync(fileName, 'utf8').split('\n');
	const within = lines.slice(start.line, end.line + 1);
	const last = within.length - 1;
	within[last] = within[last].slice(0, last === 0 ? end.column : undefined);
	if (last > 0) within[last] = lines[end.line].slice(0, end.column);
	within[0] = within[0].slice(start.column);
	return {
		file: relative(fileName),
		line: lines[start.line].trim(),
		code: oneLine(within.join('\n')),
		mutant: oneLine(replacement ?? mutatorName),
	};
}

const textOf = ({ file, line, code, mutant }) => JSON.stringify([file, line, code, mutant]);

/** Names a mutant. @param nth of those that are alike in its line, such as both of `() => false` */
const keyOf = (each) => `${textOf(each)}${each.nth ?? 0}`;

/** Has Stryker run no other mutants than those that are chosen. @returns what each of them changes, by its id */
async function choosing(choose, work) {
	const { Instrumenter } = await import('@stryker-mutator/instrumenter');
	const { instrument } = Instrumenter.prototype;
	const chosen = new Map();
	Instrumenter.prototype.instrument = async function (...args) {
		const result = await instrument.apply(this, args);
		const alike = new Map();
		const mutants = result.mutants.map((mutant) => {
			const each = { of: mutant, ...told(mutant) };
			const nth = alike.get(textOf(each)) ?? 0;
			alike.set(textOf(each), nth + 1);
			return { ...each, ...(nth > 0 && { nth }) };
		});
		for (const each of choose(mutants)) chosen.set(each.of.id, each);
		for (const { of } of mutants.filter((each) => !chosen.has(each.of.id))) {
			Object.assign(of, { status: 'Ignored', statusReason: 'Not chosen' });
		}
		return result;
	};
	try {
		const results = await work();
		return results
			.filter(({ id }) => chosen.has(id))
			.map(({ id, status }) => ({ ...chosen.get(id), of: undefined, status }));
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

/** What has become of the chosen mutants of some files. */
async function mutate(stage, files, choose) {
	process.env.MUTANTS_STAGE = stage;
	const { Stryker } = await import('@stryker-mutator/core');
	const stryker = new Stryker({
		mutate: files,
		plugins: [path.join(root, 'test', 'mutants', 'runner.mjs')],
		testRunner: 'file-by-file',
		coverageAnalysis: 'perTest',
		jest: {
			configFile: 'test/mutants/jest.config.js',
			config: { testMatch: testsOf(stage, files) },
			enableFindRelatedTests: false,
		},
		// Contract tests load what is built.
		buildCommand: 'npm run build',
		ignorePatterns: ['dist', 'test/.tmp', 'sandbox/.data', '**/node_modules'],
		tempDirName: path.relative(root, scratch),
		reporters: ['progress-append-only', 'html', 'event-recorder'],
		eventReporter: { baseDir: `test/.tmp/mutant-events-${stage}` },
		htmlReporter: { fileName: path.join('test', '.tmp', `mutants-${stage}.html`) },
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

const isLeft = ({ status }) => status === 'Survived' || status === 'NoCoverage';

await main(async () => {
	const { values, positionals: files } = parseArgs({
		allowPositionals: true,
		options: {
			sample: { type: 'string' },
			seed: { type: 'string', default: '1' },
			again: { type: 'boolean' },
			stage: { type: 'string' },
		},
	});
	const stages = values.stage ? values.stage.split(',') : STAGES;
	await ensureDependencies();
	process.chdir(root);
	Object.assign(process.env, FEW);

	const among = (list) => {
		const keys = new Set(list.map(keyOf));
		return (mutants) => mutants.filter((each) => keys.has(keyOf(each)));
	};
	const filesIn = (list) => [...new Set(list.map(({ file }) => file))];
	let mutated = files.length > 0 ? files : filesOf(values.sample ? SAMPLED : ALL);
	let choose = (mutants) =>
		values.sample ? sample(mutants, Number(values.sample), values.seed) : mutants;
	if (values.again) {
		const last = JSON.parse(readFileSync(LAST, 'utf8'));
		mutated = filesIn(last);
		choose = among(last);
	}

	const done = [];
	let left = [];
	for (const stage of stages) {
		const results = await mutate(stage, mutated, choose);
		done.push(...results.filter((each) => !isLeft(each)));
		left = results.filter(isLeft);
		if (left.length === 0) break;
		mutated = filesIn(left);
		choose = among(left);
	}
	writeFileSync(LAST, JSON.stringify(left, null, '\t'));
	process.stdout.write(`${done.length + left.length} ${left.length}\n`);
	for (const each of left) process.stdout.write(`${JSON.stringify(each)}\n`);
});
