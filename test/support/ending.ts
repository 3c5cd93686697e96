import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

type Started = { stop: () => unknown } | { close: () => unknown };

const started: Started[] = [];

// A bench has no such end.
if (typeof afterAll === 'function')
	afterAll(async () => {
		for (const each of started.splice(0).reverse())
			await ('stop' in each ? each.stop() : each.close());
	});

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
