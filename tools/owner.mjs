#!/usr/bin/env node
// `npm run owner -- --name <name> --email <address> --repository <owner>/<name>`: makes the package somebody's own. Sets
// author, license, repository and every address of the documentation, and writes the pages anew. Plain Node.js.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild, ensureDependencies, main, UserError } from '../sandbox/setup.mjs';

const root = path.resolve(import.meta.dirname, '..');
const HOST = 'https://github.com/';

const { values } = parseArgs({
	options: {
		name: { type: 'string' },
		email: { type: 'string' },
		repository: { type: 'string' },
		help: { type: 'boolean' },
	},
});

const USAGE = `npm run owner -- --name <name> --email <address> --repository <owner>/<name>

  --name        The author in package.json and the holder of the license
  --email       The address of the author, which is published
  --repository  The public repository on GitHub

Before you begin, commit your changes. Then look at "git diff", and run "npm test".
`;

/** Files as git knows them: nothing that is built or installed. */
const files = () =>
	execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
		.split('\0')
		.filter((file) => /\.(ts|mjs|js|json|md|yml)$/.test(file));

function check({ name, email, repository }) {
	if (!name?.trim()) throw new UserError(`--name is missing.\n\n${USAGE}`);
	if (!/^\S+@\S+\.\S+$/.test(email ?? ''))
		throw new UserError(`--email is no address.\n\n${USAGE}`);
	if (!/^[\w-]+\/[\w.-]+$/.test(repository ?? '')) {
		throw new UserError(`--repository is no "<owner>/<name>".\n\n${USAGE}`);
	}
	if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '') {
		throw new UserError(
			'Some changes are not committed: commit them first, so that you see these.',
		);
	}
}

/** @returns the files that have changed */
function rewrite({ name, email, repository }) {
	const { author, repository: old } = JSON.parse(
		readFileSync(path.join(root, 'package.json'), 'utf8'),
	);
	const before = /github\.com\/(.+)\.git$/.exec(old.url)[1];
	const changes = [
		[`${HOST}${before}`, `${HOST}${repository}`],
		[`Copyright 2026 ${author.name}`, `Copyright 2026 ${name}`],
		[JSON.stringify(author.name), JSON.stringify(name)],
		[JSON.stringify(author.email), JSON.stringify(email)],
	];
	return files().filter((file) => {
		const place = path.join(root, file);
		const text = readFileSync(place, 'utf8');
		const changed = changes.reduce((now, [from, to]) => now.replaceAll(from, () => to), text);
		if (changed !== text) writeFileSync(place, changed);
		return changed !== text;
	});
}

await main(async () => {
	if (values.help) return void process.stdout.write(USAGE);
	check(values);
	await ensureDependencies();
	const changed = rewrite(values);
	process.stdout.write(`Changed ${changed.length} files\n`);
	// An address of another length breaks lines elsewhere.
	const format = ['prettier', '--write', '--ignore-unknown', '--log-level', 'warn', ...changed];
	execFileSync('npx', format, { cwd: root, stdio: 'inherit' });
	await ensureBuild();
	execFileSync('npm', ['run', '--silent', 'docs'], { cwd: root, stdio: 'inherit' });
	process.stdout.write('Next: look at "git diff", and run "npm test".\n');
});
