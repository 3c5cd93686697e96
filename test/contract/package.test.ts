import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { packPackage, type PackedPackage } from '../../sandbox/lib/package';
import { newFolder } from '../support/ending';
import { readText, root } from '../support/reference';
import { startWayward } from '../support/wayward';

const LARGEST = 300_000;

let folder: string;
let packed: PackedPackage;
beforeAll(async () => {
	folder = newFolder('packed');
	packed = await packPackage(folder);
});

it('has only the built files and the pages that npm shows', () => {
	const besides = packed.files.filter((file) => !file.startsWith('dist/')).sort();
	expect(besides).toEqual(['CHANGELOG.md', 'LICENSE.md', 'README.md', 'package.json']);
	const built = packed.files.filter((file) => file.startsWith('dist/'));
	const other = built.filter(
		(file) => !/^dist\/(nodes|credentials|icons)\/.+\.(js|json|svg)$/.test(file),
	);
	expect(other).toEqual([]);
});

it('has every file that it names', () => {
	const { n8n } = JSON.parse(readText('package.json')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const named = [...n8n.nodes, ...n8n.credentials];
	expect(named.filter((file) => !packed.files.includes(file))).toEqual([]);
	// n8n wants the description of a node for its search beside it.
	const codexes = n8n.nodes.map((file) => file.replace(/js$/, 'json'));
	expect(codexes.filter((file) => !packed.files.includes(file))).toEqual([]);
});

it('is small', () => {
	expect(statSync(packed.tarball).size).toBeLessThan(LARGEST);
});

it('is one package, by a plain install', async () => {
	const place = path.join(folder, 'place');
	mkdirSync(place);
	writeFileSync(path.join(place, 'package.json'), '{}');
	// Neither settings of this repository nor what npm has seen before; nobody is asked.
	const env = { PATH: process.env.PATH, HOME: place, npm_config_cache: path.join(folder, 'cache') };
	await promisify(execFile)('npm', ['install', '--offline', packed.tarball], { cwd: place, env });
	const installed = readdirSync(path.join(place, 'node_modules')).filter((each) => each[0] !== '.');
	expect(installed).toEqual(['n8n-nodes-site-management']);
});

it('is not published from a machine of ours, without provenance', async () => {
	const registry = await startWayward(() => ({ status: 404, body: {} }));
	const { origin, host } = new URL(registry.baseUrl);
	const settings = path.join(folder, 'npmrc');
	writeFileSync(settings, `//${host}/:_authToken=none\n`);
	// Neither what says that this is a CI nor how npm was called for these tests.
	const env = { PATH: process.env.PATH, HOME: folder };
	const publishing = promisify(execFile)(
		'npm',
		['publish', '--registry', origin, '--userconfig', settings],
		{ cwd: root, env },
	);
	await expect(publishing).rejects.toThrow('Automatic provenance generation not supported');
	expect(registry.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
});
