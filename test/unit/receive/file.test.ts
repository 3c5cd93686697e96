import { Readable } from 'node:stream';
import { checkFile, toBinary } from '../../../nodes/shared/receive/file';
import { itemsOf } from '../../support/engine/contexts';

/** Headers that do not fit the file, as no server on Node.js can send them. */

const content = '%PDF-1.4x';
const answer = (length: string | undefined) => ({
	statusCode: 200,
	headers: {
		'content-type': 'application/pdf',
		'content-disposition': 'attachment',
		...(length !== undefined && { 'content-length': length }),
	},
	body: Readable.from([Buffer.from(content)]) as never,
});
const report = 'application/pdf';

it.each([undefined, '9', '', ' ', '-5', '9, 9', 'x'])(
	'a whole file with the length %j is not cut off',
	async (length) => {
		const checked = checkFile(answer(length), report);
		const binary = await toBinary(itemsOf().item, checked, { fallback: 'a.pdf' });
		expect(Buffer.from(binary.data, 'base64').toString()).toBe(content);
	},
);

it.each(['4', '10'])('a file of 9 bytes with the length %s is cut off', async (length) => {
	const checked = checkFile(answer(length), report);
	await expect(toBinary(itemsOf().item, checked, { fallback: 'a.pdf' })).rejects.toThrow(
		'The download stopped before the end of the file',
	);
});

it('a file without a type is one; nothing, and a page with another disposition, are not', () => {
	const untyped = { ...answer(undefined), headers: {} };
	expect(checkFile(untyped, report)).toBe(untyped);
	expect(() => checkFile({ ...answer('0'), body: '' as never }, report)).toThrow('empty');
	const headers = { 'content-type': 'text/html', 'content-disposition': 'x-attachment' };
	expect(() => checkFile({ ...answer('9'), headers }, report)).toThrow('a web page');
});
