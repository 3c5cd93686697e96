import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/ending';
import { readText, root } from '../support/reference';

/** A copy of the tree, in which a guide of CONTRIBUTING.md is followed. */

/** What is installed, kept or made anew; the build goes along, since it is fresh. */
const LEFT_OUT = ['node_modules', '.git', '.tmp', '.data', 'coverage'];

const OF_N8N = path.join('sandbox', 'n8n', 'node');

export class Copy {
	readonly folder = newFolder('guides');

	/** The files that have been changed by hand. */
	touched = new Set<string>();

	constructor() {
		cpSync(root, this.folder, {
			recursive: true,
			preserveTimestamps: true,
			filter: (file) =>
				!LEFT_OUT.includes(path.basename(file)) && path.relative(root, file) !== OF_N8N,
		});
		symlinkSync(path.join(root, 'node_modules'), path.join(this.folder, 'node_modules'));
	}

	add(file: string, behind: string, lines: string): void {
		this.replace(file, behind, `${behind}${lines}`);
	}

	replace(file: string, from: string, to: string): void {
		const before = readFileSync(path.join(this.folder, file), 'utf8');
		if (!before.includes(from)) throw new Error(`${file} has no "${from}" any more`);
		this.write(
			file,
			before.replace(from, () => to),
		);
	}

	write(file: string, text: string): void {
		this.touched.add(file);
		writeFileSync(path.join(this.folder, file), text);
	}

	/** Runs a command; gives what it prints. */
	run(command: string): { isGreen: boolean; text: string } {
		const { JEST_WORKER_ID: _, NODE_ENV: __, ...env } = process.env;
		const { status, stdout, stderr } = spawnSync(command, {
			cwd: this.folder,
			shell: true,
			encoding: 'utf8',
			env: { ...env, FORCE_COLOR: '0' },
			maxBuffer: 2 ** 28,
		});
		return { isGreen: status === 0, text: `${stdout}${stderr}` };
	}
}

export function sectionOf(title: string): string {
	const [, rest] = readText('CONTRIBUTING.md').split(`\n## ${title}\n`);
	if (rest === undefined) throw new Error(`CONTRIBUTING.md has no section "${title}"`);
	return rest.split('\n## ')[0]!;
}
