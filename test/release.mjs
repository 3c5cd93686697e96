#!/usr/bin/env node
// Whether version, changelog and tag agree; `--notes` prints what has changed. Plain Node.js: nothing need be installed.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { tag: { type: 'string' }, notes: { type: 'boolean' } } });

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

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
	return found;
}

const section = newestSection();
const found = problems(section);
if (found.length > 0) {
	process.stderr.write(
		`Not ready to be published:\n${found.map((line) => `- ${line}\n`).join('')}`,
	);
	process.exitCode = 1;
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
