/** Words of the reference that stand for brand words: the service has other ones in their place. Source: Part A. */
export const STAND_INS = ['cloudstore_a', 'cloudstore_b', 'cms', 'shop'];

/** A name that holds a stand-in: `shop_product` is nothing, `shop`, and `_product`. */
type Made = NonNullable<ReturnType<typeof madeOf>>;

function madeOf(name: string) {
	const found = new RegExp(`^((?:.*_)?)(${STAND_INS.join('|')})((?:_.*)?)$`).exec(name);
	if (!found) return undefined;
	const [, before, word, after] = found as unknown as [string, string, string, string];
	return { name, word, before, after };
}

/** Whether a name of the reference is, or holds, a word that stands for another one. */
export const isStandIn = (name: string) => madeOf(name) !== undefined;

const isPure = ({ before, after }: Made) => before + after === '';

/** What another name has where this one has its stand-in. */
function wordIn({ before, after }: Made, other: string): string | undefined {
	const fits = other.startsWith(before) && other.endsWith(after);
	const word = other.slice(before.length, other.length - after.length);
	return fits && /^\w+$/.test(word) ? word : undefined;
}

/** What was found of the words behind the stand-ins. */
export interface Proposal {
	/** By the stand-in, or by a whole name whose other parts differ, too. */
	words: Record<string, string>;
	/** The stand-ins for which several words would do. */
	inDoubt: string[];
}

/** Gathers which unknown names are where names with stand-ins are missing. */
export class WordFinder {
	private readonly found = new Map<string, Set<string>>();
	private readonly doubted = new Set<string>();

	/**
	 * @param missing the names of the reference that are not in a place, such as the keys of an object
	 * @param unknown the names that are there, and not in the reference
	 */
	meet(missing: string[], unknown: string[]): void {
		const made = missing.map(madeOf).filter((each) => each !== undefined);
		if (made.length === 0 || unknown.length === 0) return;
		const isOnlyPair = made.length === 1 && unknown.length === 1;
		for (const one of made) {
			const words = unknown.flatMap((name) => wordIn(one, name) ?? []);
			const isClear = words.length === 1 && (isOnlyPair || !isPure(one));
			if (isClear) this.note(one.word, words[0]!);
			else if (words.length > 0) this.doubted.add(one.word);
			else if (isOnlyPair) this.note(one.name, unknown[0]!);
		}
	}

	proposal(): Proposal {
		const clear = [...this.found].filter(([, words]) => words.size === 1);
		const words = Object.fromEntries(clear.map(([name, [word]]) => [name, word!]));
		const unclear = [...this.found.keys(), ...this.doubted].filter((name) => !(name in words));
		return { words, inDoubt: [...new Set(unclear)].sort() };
	}

	private note(name: string, word: string): void {
		this.found.set(name, (this.found.get(name) ?? new Set()).add(word));
	}
}
