import { hashOf, Random } from '../../engine/random';
import { Readable } from 'node:stream';

const blockSize = 65_536;

/** Exactly `size` bytes that begin with `head`, always the same for the same name, made while they are read. */
export function contentOf(name: string, size: number, head = ''): Readable {
	const random = new Random(hashOf(name));
	const block = Buffer.from(Array.from({ length: blockSize }, () => random.integer(0, 255)));

	function* blocks() {
		const first = Buffer.from(head).subarray(0, size);
		if (first.length > 0) yield first;
		for (let left = size - first.length; left > 0; left -= blockSize) {
			yield left < blockSize ? block.subarray(0, left) : block;
		}
	}
	return Readable.from(blocks(), { objectMode: false });
}
