import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
	strykerPlugins as jestPlugins,
	strykerValidationSchema,
} from '@stryker-mutator/jest-runner';
import { stageOf } from './tests.mjs';

/**
 * Stryker's own runner for jest loads every file of tests for every mutant, and goes on after a failure. This one
 * runs the files that reach the mutant, one after another and the quick ones first, until one has killed it.
 */

const [{ kind, factory: jestRunner }] = jestPlugins;

const STAGE = process.env.MUTANTS_STAGE;

/** What the run without mutants has shown of each test. It lies in the sandbox, which all runners share. */
const NOTES = 'tests.json';

/** The tests to run by file, the quick files first; without a filter all that are about the room. */
function filesOf(notes, { testFilter, activeMutant }) {
	const wanted = testFilter && new Set(testFilter);
	const files = new Map();
	for (const { id, fileName, timeSpentMs } of notes) {
		if (
			(wanted && !wanted.has(id)) ||
			stageOf(path.relative('test', fileName), activeMutant.fileName) !== STAGE
		)
			continue;
		const file = files.get(fileName) ?? { ids: [], time: 0 };
		file.ids.push(id);
		file.time += timeSpentMs;
		files.set(fileName, file);
	}
	return [...files].sort(([, a], [, b]) => a.time - b.time);
}

function fileByFile(injector) {
	const runner = jestRunner(injector);
	const { run, dryRun, mutantRun } = runner;
	let testFiles;

	runner.run = async (settings) => await run.call(runner, { testFiles, ...settings });

	runner.dryRun = async (options) => {
		const result = await dryRun.call(runner, options);
		writeFileSync(NOTES, JSON.stringify(result.tests ?? []));
		return result;
	};

	runner.mutantRun = async (options) => {
		const notes = JSON.parse(readFileSync(NOTES, 'utf8'));
		let nrOfTests = 0;
		for (const [file, { ids }] of filesOf(notes, options)) {
			testFiles = [file];
			const testFilter = options.testFilter && ids;
			const result = await mutantRun.call(runner, { ...options, testFilter });
			nrOfTests += result.nrOfTests ?? 0;
			if (result.status !== 'survived') return { ...result, nrOfTests };
		}
		return { status: 'survived', nrOfTests };
	};
	return runner;
}
fileByFile.inject = jestRunner.inject;

export { strykerValidationSchema };
export const strykerPlugins = [{ kind, name: 'file-by-file', factory: fileByFile }];
