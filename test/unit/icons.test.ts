import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/ending';
import { root } from '../support/reference';

const filesIn = (folder: string) =>
	readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]);
const all = filesIn(path.join(root, 'icons'));

it('are those that the script writes, except those of the credential', () => {
	const folder = newFolder('icons');
	writeFileSync(path.join(folder, 'gone.svg'), '<svg/>');
	execFileSync(process.execPath, [path.join(root, 'tools/icons.mjs'), folder]);
	expect(filesIn(folder)).toEqual(all.filter(([file]) => !file!.startsWith('siteManagement.')));
});

it('are different for each resource and theme', () => {
	expect(new Set(all.map(([, drawn]) => drawn)).size).toBe(all.length);
});
