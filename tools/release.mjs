#!/usr/bin/env node
// Whether a release is ready. Plain Node.js: nothing need be installed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
	options: {
		/** What was pushed. */
		tag: { type: 'string' },
		/** The branch that has to contain the commit. */
		branch: { type: 'string' },
		/** Whether all files have to be there that the package names. */
		built: { type: 'boolean' },
		/** Print what has changed. */
		notes: { type: 'boolean' },
		/** Print under which name npm offers the version: one that is not final never becomes "latest". */
		'dist-tag': { type: 'boolean' },
	},
});

const { version, repository, n8n } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The newest section of the changelog: its heading, and what it tells. */
function newestSection() {
	const [, section = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
	const [heading, ...lines] = section.split('\n');
	return { heading, text: lines.join('\n').trim() };
}

function problems({ heading, text }) {
	const found = [];
	const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
	if (lock.version !== version || lock.packages[''].version !== version) {
		found.push(
			`package-lock.json has version ${lock.version}, package.json ${version}: run "npm install"`,
		);
	}
	if (values.tag !== undefined && values.tag !== `v${version}`) {
		found.push(`The tag is ${values.tag}, and the version in package.json ${version}`);
	}
	const [, headed, date] = /^(\S+) \((\d{4}-\d\d-\d\d)\)$/.exec(heading) ?? [];
	if (headed !== version || Number.isNaN(Date.parse(date))) {
		const wanted = `"## ${version} (YYYY-MM-DD)", with its day`;
		found.push(`The newest section of CHANGELOG.md is headed "## ${heading}" instead of ${wanted}`);
	}
	if (text === '') found.push('The newest section of CHANGELOG.md says nothing');
	return [...found, ...wrongRepository(), ...wrongCommit(), ...missingFiles()];
}

/** npm refuses a provenance from elsewhere, but only after all of CI. */
function wrongRepository() {
	const { GITHUB_REPOSITORY: here } = process.env;
	const [, named] = /github\.com\/(.+?)(?:\.git)?$/.exec(repository?.url ?? '') ?? [];
	if (here === undefined || here === named) return [];
	return [`package.json has the repository ${named}, and this is ${here}: run "npm run owner"`];
}

function wrongCommit() {
	const { branch } = values;
	if (branch === undefined) return [];
	try {
		execFileSync('git', ['merge-base', '--is-ancestor', 'HEAD', branch], { stdio: 'pipe' });
		return [];
	} catch (error) {
		if (error.status === 1) return [`The commit of the tag is not on ${branch}: merge it first`];
		return [`The history of ${branch} is not here: check out all of it`];
	}
}

function missingFiles() {
	if (!values.built) return [];
	const missing = [...n8n.credentials, ...n8n.nodes].filter((file) => !existsSync(file));
	if (missing.length === 0) return [];
	return [`${missing.length} file(s) are not built, such as ${missing[0]}: run "npm run build"`];
}

const section = newestSection();
const found = problems(section);
if (found.length > 0) {
	process.stderr.write(
		`Not ready to be published:\n${found.map((line) => `- ${line}\n`).join('')}`,
	);
	process.exitCode = 1;
} else if (values['dist-tag']) {
	process.stdout.write(version.includes('-') ? 'next\n' : 'latest\n');
} else if (values.notes) {
	process.stdout.write(`${section.text}\n`);
} else {
	process.stdout.write(`Version ${version} and its changelog agree.\n`);
	if (values.tag === undefined) {
		process.stdout.write(
			`Once this is on main and CI is green: git tag v${version} && git push origin v${version}\n`,
		);
	}
}
