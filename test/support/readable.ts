import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The files and folders below a folder, and the folder itself, that other users of the machine can read or change. */
export function readableByOthers(folder: string): string[] {
	const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return ['.', ...inside].filter((file) => {
		const stats = lstatSync(path.join(folder, file));
		return !stats.isSymbolicLink() && (stats.mode & 0o077) !== 0;
	});
}
