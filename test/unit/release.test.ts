import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const program = path.resolve(__dirname, '../../tools/release.mjs');
const folder = path.resolve(__dirname, '../.tmp/release');

beforeEach(() => mkdirSync(folder, { recursive: true }));
afterEach(() => rmSync(folder, { recursive: true }));

interface Files {
	version?: string;
	locked?: string;
	changelog?: string;
}

const CHANGELOG = `# Changelog

What this project keeps to.

## 1.2.0 (2026-12-01)

- A new filter.
- A fault is mended.

## 1.1.0 (2026-11-01)

- Older.
`;

const REPOSITORY = 'agency/n8n-nodes';
const NODE = 'dist/nodes/Site.node.js';

/** Runs the program in a folder with such files. @param here the repository in which the workflow runs */
function release(args: string[], files: Files = {}, here?: string) {
	const { version = '1.2.0', locked = '1.2.0', changelog = CHANGELOG } = files;
	const lock = { version: locked, packages: { '': { version: locked } } };
	const repository = { url: `git+https://github.com/${REPOSITORY}.git` };
	const n8n = { credentials: [], nodes: [NODE] };
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version, repository, n8n }));
	writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
	writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
	const env = { ...process.env, GITHUB_REPOSITORY: here };
	if (here === undefined) delete env.GITHUB_REPOSITORY;
	return spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8', env });
}

it.each<[what: string, args: string[], told: RegExp]>([
	['says how to continue', [], /git tag v1\.2\.0 && git push origin v1\.2\.0/],
	['lets a tag pass', ['--tag', 'v1.2.0'], /^Version 1\.2\.0 and its changelog agree\.\n$/],
	['prints what has changed', ['--notes'], /^- A new filter\.\n- A fault is mended\.\n$/],
])('%s when version and changelog agree', (_, args, told) => {
	const stdout = expect.stringMatching(told) as string;
	expect(release(args)).toMatchObject({ status: 0, stdout });
});

const headed = (heading: string) => ({
	changelog: CHANGELOG.replace('1.2.0 (2026-12-01)', heading),
});

it.each<[what: string, args: string[], files: Files, told: string]>([
	['a tag of another version', ['--tag', 'v1.2.1'], {}, 'The tag is v1.2.1'],
	['a tag without its v', ['--tag', '1.2.0'], {}, 'The tag is 1.2.0'],
	['an empty tag', ['--tag', ''], {}, 'The tag is ,'],
	['another version in the lock file', [], { locked: '1.1.0' }, 'package-lock.json has version'],
	['another version in package.json', [], { version: '1.3.0' }, '"## 1.3.0 (YYYY-MM-DD)"'],
	['no day', [], headed('1.2.0'), 'is headed "## 1.2.0"'],
	['a version that is not finished', [], headed('1.2.0 (not published yet)'), 'is headed'],
	['a day that is none', [], headed('1.2.0 (2026-13-01)'), 'is headed "## 1.2.0 (2026-13-01)"'],
	['no changelog', [], { changelog: '# Changelog\n' }, 'The newest section of CHANGELOG.md'],
	[
		'nothing that has changed',
		['--notes'],
		{ changelog: '## 1.2.0 (2026-12-01)\n\n## 1.1.0 (2026-11-01)\n\n- Older.\n' },
		'says nothing',
	],
])('refuses %s', (_, args, files, told) => {
	const { stderr, ...ended } = release(args, files);
	expect(stderr).toMatch(/^Not ready to be published:\n/);
	expect(stderr).toContain(told);
	expect(ended).toMatchObject({ status: 1, stdout: '' });
});

const git = (...args: string[]) =>
	execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
		cwd: folder,
		stdio: 'pipe',
	});

it('is released from the repository that the package names', () => {
	expect(release([], {}, REPOSITORY).status).toBe(0);
	const { status, stderr } = release([], {}, 'somebody/else');
	expect(stderr).toContain(`the repository ${REPOSITORY}, and this is somebody/else`);
	expect(status).toBe(1);
});

it('is released from a commit of the branch', () => {
	git('init', '--quiet', '--initial-branch', 'main');
	git('commit', '--quiet', '--allow-empty', '-m', 'One');
	const onMain = () => release(['--tag', 'v1.2.0', '--branch', 'main']);
	expect(onMain().status).toBe(0);
	git('checkout', '--quiet', '-b', 'elsewhere');
	git('commit', '--quiet', '--allow-empty', '-m', 'Two');
	expect(onMain().stderr).toContain('The commit of the tag is not on main: merge it first');
	expect(release(['--branch', 'origin/main']).stderr).toContain('check out all of it');
});

it('is released with all that is built', () => {
	expect(release(['--built']).stderr).toContain(`1 file(s) are not built, such as ${NODE}`);
	mkdirSync(path.join(folder, path.dirname(NODE)), { recursive: true });
	writeFileSync(path.join(folder, NODE), '');
	expect(release(['--built']).status).toBe(0);
});

it.each([
	['1.2.0', 'latest'],
	['1.2.0-beta.1', 'next'],
])('%s is offered as %s', (version, name) => {
	const changelog = CHANGELOG.replace('## 1.2.0', `## ${version}`);
	const { stdout } = release(['--dist-tag'], { version, locked: version, changelog });
	expect(stdout).toBe(`${name}\n`);
});
