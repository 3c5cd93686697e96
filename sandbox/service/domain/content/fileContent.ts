import { hashOf, Random } from '../../engine/random';
import { Readable } from 'node:stream';

const blockSize = 65_536;

/** Exactly `size` bytes, always the same for the same name, made while they are read. */
export function contentOf(name: string, size: number): Readable {
	const random = new Random(hashOf(name));
	const block = Buffer.from(Array.from({ length: blockSize }, () => random.integer(0, 255)));

	function* blocks() {
		for (let left = size; left > 0; left -= blockSize) {
			yield left < blockSize ? block.subarray(0, left) : block;
		}
	}
	return Readable.from(blocks(), { objectMode: false });
}
