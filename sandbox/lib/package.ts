import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { UserError } from './errors';

const root = path.resolve(__dirname, '..', '..');

async function npm(args: string[], cwd: string): Promise<string> {
	try {
		const { stdout } = await promisify(execFile)('npm', args, {
			cwd,
			maxBuffer: 50e6,
		});
		return stdout;
	} catch (error) {
		const { stderr = '', message } = error as Error & { stderr?: string };
		const tail = (stderr || message).trimEnd().split('\n').slice(-15).join('\n');
		throw new UserError(`"npm ${args.join(' ')}" failed in ${cwd}:\n\n${tail}`);
	}
}

export interface PackedPackage {
	/** Path of the .tgz file; its name holds a part of the content's hash. */
	tarball: string;
	/** Paths inside the package, as npm lists them. */
	files: string[];
}

/** Packs the built package, as `npm publish` would. */
export async function packPackage(folder: string): Promise<PackedPackage> {
	await mkdir(folder, { recursive: true });
	const output = await npm(
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		root,
	);
	const parsed: unknown = JSON.parse(output);
	// npm gives a list, or in some versions an object keyed by name.
	const [packed] = Object.values(parsed as object) as Array<{
		filename: string;
		shasum: string;
		files: Array<{ path: string }>;
	}>;
	if (!packed) throw new Error(`npm pack told of no package: ${output}`);
	// npm remembers a tarball by its path, so that a changed one needs another name.
	const tarball = path.join(folder, `${packed.shasum.slice(0, 12)}-${packed.filename}`);
	await rename(path.join(folder, packed.filename), tarball);
	return { tarball, files: packed.files.map((file) => file.path) };
}

/** Installs the tarball where n8n keeps its community packages, unless this very one is there already. */
export async function installPackage(userFolder: string, tarball: string): Promise<void> {
	const folder = path.join(userFolder, '.n8n', 'nodes');
	const marker = path.join(folder, '.installed-tarball');
	if ((await readFile(marker, 'utf8').catch(() => '')) === path.basename(tarball)) return;
	await mkdir(folder, { recursive: true });
	// A package.json of its own keeps npm from walking up to this repository; "wx" leaves n8n's own alone.
	await writeFile(
		path.join(folder, 'package.json'),
		JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
		{ flag: 'wx' },
	).catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'EEXIST') throw error;
	});
	await rm(marker, { force: true });
	await npm(['install', tarball, '--no-audit', '--no-fund'], folder);
	await writeFile(marker, path.basename(tarball));
}
