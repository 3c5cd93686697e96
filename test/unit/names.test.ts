import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/reference';

/** Whoever reads a file of nodes/shared finds its tests by its name, or in the folder of its room's name. */

const filesIn = (folder: string) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
		file.replaceAll(path.sep, '/'),
	);

/** `transport/paging.test.ts`, below `test/unit` or `test/contract`. */
const tests = ['test/unit', 'test/contract']
	.flatMap(filesIn)
	.filter((file) => file.endsWith('.test.ts'));

/** @param file such as `transport/paging.ts`; one that is in no room has its test in `shared` */
function isTested(file: string): boolean {
	const { dir: room, name } = path.posix.parse(file);
	if (room) return tests.some((test) => test.startsWith(`${room}/`));
	return tests.includes(`shared/${name}.test.ts`);
}

it.each(filesIn('nodes/shared').filter((file) => file.endsWith('.ts')))(
	'nodes/shared/%s has a test of its name or its room',
	(file) => {
		const missing = `test/unit/${file.includes('/') ? file : `shared/${file}`}`;
		expect(isTested(file) ? '' : `add ${missing.replace(/\.ts$/, '.test.ts')}`).toBe('');
	},
);

it.each([
	['transport/newFile.ts', true],
	['operation.ts', true],
	['newFile.ts', false],
	['newRoom/newFile.ts', false],
	['transport.ts', false],
	['paging.ts', false],
])('of a file %s it is known whether it has one', (file, expected) => {
	expect(isTested(file)).toBe(expected);
});
