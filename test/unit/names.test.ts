import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/reference';

/** Whoever reads a file of nodes/shared finds its tests by its name, or in the folder of its room's name. */

const filesIn = (folder: string) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
		file.replaceAll(path.sep, '/'),
	);

/** `client/paging.test.ts`, below `test/unit` or `test/contract`. */
const tests = ['test/unit', 'test/contract']
	.flatMap(filesIn)
	.filter((file) => file.endsWith('.test.ts'));

/** @param file such as `receive/answer.ts`; each is in a room */
const isTested = (file: string) =>
	tests.some((test) => test.startsWith(`${path.posix.dirname(file)}/`));

it.each(filesIn('nodes/shared').filter((file) => file.endsWith('.ts')))(
	'nodes/shared/%s has a test of its name or its room',
	(file) => {
		const missing = `test/unit/${file.replace(/\.ts$/, '.test.ts')}`;
		expect(isTested(file) ? '' : `add ${missing}`).toBe('');
	},
);

it.each([
	['client/newFile.ts', true],
	['run/newFile.ts', true],
	['newFile.ts', false],
	['newRoom/newFile.ts', false],
	['client.ts', false],
	['paging.ts', false],
])('of a file %s it is known whether it has one', (file, expected) => {
	expect(isTested(file)).toBe(expected);
});
