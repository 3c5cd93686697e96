import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type Started = { stop: () => unknown } | { close: () => unknown };

const started: Started[] = [];

/** Stops or closes all of them, the last one first. */
export async function endAll(all: Started[]): Promise<void> {
	for (const each of all.splice(0).reverse()) await ('stop' in each ? each.stop() : each.close());
}

// A bench has no such end.
if (typeof afterAll === 'function') afterAll(async () => await endAll(started));

/** Stops or closes what a test has started after the tests of the file, the last one first. */
export function ends<T extends Started>(each: T): T {
	started.push(each);
	return each;
}

/** A new folder, which is removed after the tests of the file. */
export function newFolder(name: string): string {
	const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
	ends({ stop: () => rmSync(folder, { recursive: true, force: true }) });
	return folder;
}
