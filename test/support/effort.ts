import fc from 'fast-check';
import { Random } from '../../sandbox/service/engine/random';

/**
 * How much a run tries. A pull request gets few cases, and always the same ones, so that it never turns red from an
 * old fault; the nightly run (`LONG=1`) gets many, by a seed of its own. `SEED` repeats one.
 */
export const isLong = process.env.LONG === '1';

export const seed = Number(process.env.SEED ?? (isLong ? Date.now() % 2 ** 31 : 1));

/** How long all of them may take; whoever hangs is stopped all the same. */
export const PATIENCE_MS = isLong ? 4 * 3_600_000 : 300_000;

/** How many cases are tried; the environment variable of that name says otherwise. */
export const casesOf = (name: string, { quick, long }: { quick: number; long: number }) =>
	Number(process.env[name] ?? (isLong ? long : quick));

fc.configureGlobal({ seed });

// What the nodes leave to chance, such as the jitter of a pause, is the same each time as well.
const random = new Random(seed);
Math.random = () => random.next();

/** Each as likely as any other, without halves of pairs. The unit of fast-check for it first makes a list of them all. */
export const anyCharacter = fc
	.nat({ max: 0x10f7ff })
	.map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800));

/** The values that an arbitrary makes. */
export type Made<A> = A extends fc.Arbitrary<infer V> ? V : never;

export { fc };
