import published from '../../../nodes/shared/vocabulary/realWords.json';
import { objectTypes } from '../domain/activityLogs/rows';
import { storageProviders } from '../domain/backupDestinations/rows';
import type { Wording } from './words';

/**
 * Brands in the place of the reference's stand-in words, as the running service has them: what the nodes are told to
 * say, the sandbox understands. It knows by itself where they stand, so that it can not make the nodes' mistakes.
 */

/** The brands by stand-in words, or by single names made with one, as `npm run words` writes them. */
export type Brands = Readonly<Record<string, string>>;

/** Those of the package. */
export const publishedBrands: Brands = published;

/** Every name of the reference with a stand-in word in it. Part A, 2.3 and 2.7, and Part B, 2.4 and 2.9. */
const names = [
	'cms_core',
	'shop_db_upgrade',
	...storageProviders,
	...objectTypes.filter((type) => type.startsWith('shop_')),
];

/** Undefined where the service has no words of its own. */
export function wordingOf(brands: Brands): Wording | undefined {
	if (Object.keys(brands).length === 0) return undefined;
	const heard = new Map<string, string>();
	const said = new Map<string, string>();
	for (const name of names) {
		const [word = ''] = /^(cloudstore_[ab]|[a-z]+)/.exec(name) ?? [];
		const brand = brands[name] ?? (brands[word] ?? word) + name.slice(word.length);
		said.set(name, brand);
		// Who keeps to the reference is not understood.
		if (brand !== name) heard.set(name, `${name}_is_unknown`);
		heard.set(brand, name);
	}
	const eachWord = (text: string, dictionary: typeof said) =>
		text.replace(/[\w-]+/g, (word) => dictionary.get(word) ?? word);
	const wholeStrings = (json: string, dictionary: typeof said) =>
		json.replace(/"([\w-]+)"/g, (_, word: string) => `"${dictionary.get(word) ?? word}"`);
	return {
		addressed: (url) => eachWord(url, heard),
		heard: (json) => wholeStrings(json, heard),
		said: (json) =>
			wholeStrings(json, said).replace(/"param":"[^"]*"/g, (text) => eachWord(text, said)),
	};
}
