import { hashOf, Random } from '../../engine/random';
import { Readable } from 'node:stream';

const blockSize = 65_536;

/** Made once, because an inventory reads the beginning of thousands of files. */
const noise = Buffer.alloc(2 * blockSize);
const random = new Random(1);
for (let at = 0; at < noise.length; at++) noise[at] = random.integer(0, 255);

/** Exactly `size` bytes that begin with `head`, always the same for the same name, made while they are read. */
export function contentOf(name: string, size: number, head = ''): Readable {
	const start = hashOf(name) % blockSize;
	const block = noise.subarray(start, start + blockSize);

	function* blocks() {
		const first = Buffer.from(head).subarray(0, size);
		if (first.length > 0) yield first;
		for (let left = size - first.length; left > 0; left -= blockSize) {
			yield left < blockSize ? block.subarray(0, left) : block;
		}
	}
	return Readable.from(blocks(), { objectMode: false });
}
