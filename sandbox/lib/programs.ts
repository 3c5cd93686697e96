import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { UserError } from './errors';

const canRun = (file: string) => {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
};

/** The first of these programs that is in one of the folders; on the PATH unless others are named. */
export function findProgram(
	names: string[],
	folders = (process.env.PATH ?? '').split(path.delimiter),
): string | undefined {
	const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
	return candidates.find(canRun);
}

/** Where Debian puts the programs of PostgreSQL's server, newest version first. */
function debianFolders(): string[] {
	const all = '/usr/lib/postgresql';
	if (!existsSync(all)) return [];
	const versions = readdirSync(all).sort((one, other) => Number(other) - Number(one));
	return versions.map((version) => path.join(all, version, 'bin'));
}

/** What n8n's queue mode needs besides n8n. */
export interface QueuePrograms {
	redis: string;
	/** Folder of the programs of PostgreSQL. */
	postgres: string;
}

/** The Redis and PostgreSQL of this machine: those on the PATH, else where Debian puts them. */
export function findQueuePrograms(): QueuePrograms {
	const redis = findProgram(['redis-server']);
	// One folder for all: programs of two versions do not work together.
	const initdb = findProgram(['initdb']) ?? findProgram(['initdb'], debianFolders());
	if (redis && initdb) return { redis, postgres: path.dirname(initdb) };
	const missing = [...(redis ? [] : ['Redis']), ...(initdb ? [] : ['PostgreSQL'])];
	throw new UserError(
		`n8n's queue mode needs ${missing.join(' and ')}, not found here. Install it (Debian: apt-get install redis-server postgresql), or put its programs on the PATH.`,
	);
}
