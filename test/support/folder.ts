import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const made: string[] = [];
afterAll(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A new folder, which is removed after the tests of the file. */
export function newFolder(name: string): string {
	const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
	made.push(folder);
	return folder;
}
