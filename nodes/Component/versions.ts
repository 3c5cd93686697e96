import type { IDataObject } from 'n8n-workflow';
import { refuse } from '../shared/input/refusal';
import { isRecord } from '../shared/lib';

/* Versions in the order of PHP's `version_compare`, which is that of the CMS, and ranges as in security feeds. */

/** The order of words in versions; the end of a version has the place of the empty text, a number that of `#`. */
const RANKS: Record<string, number> = {
	...{ dev: 0, alpha: 1, a: 1, beta: 2, b: 2, rc: 3 },
	...{ '': 4, '#': 5, pl: 6, p: 6 },
};

/** Words that are not in the order come before all others. */
const rankOf = (part: string) => RANKS[/^\d/.test(part) ? '#' : part] ?? -1;

/** `2.0-beta2` as `2`, `0`, `beta`, `2`. */
const partsOf = (version: string): string[] =>
	version
		.trim()
		.toLowerCase()
		.replace(/^v(?=\.?\d)/, '')
		.match(/\d+|[a-z]+/g) ?? [];

function comparePart(one = '', other = ''): number {
	const areNumbers = /^\d/.test(one) && /^\d/.test(other);
	const [a, b] = areNumbers ? [BigInt(one), BigInt(other)] : [rankOf(one), rankOf(other)];
	return a < b ? -1 : a > b ? 1 : 0;
}

/** Below 0 if the first version is older, above 0 if it is newer. As in PHP, 1.2 is older than 1.2.0. */
export function compareVersions(first: string, second: string): number {
	const [one, other] = [partsOf(first), partsOf(second)];
	const longer = one.length > other.length ? one : other;
	const orders = longer.map((_, at) => comparePart(one[at], other[at]));
	return orders.find((order) => order !== 0) ?? 0;
}

/** The version without zeros at the end: people take 1.2 and 1.2.0 for the same. */
const brief = (version: string): string => {
	const parts = partsOf(version);
	while (parts.length > 1 && /^0+$/.test(parts.at(-1)!)) parts.pop();
	return parts.join('.');
};

/** Whether the place of a version in the order is known; `1.0-hotfix` may be before or after `1.0`. */
export const isComparable = (version: string): boolean =>
	/^v?\d[\w.+-]*$/i.test(version.trim()) &&
	partsOf(version).every((part) => /^\d/.test(part) || part in RANKS);

/** Each with its words, and whether a version with this order to the limit meets it. */
const SIGNS = {
	'<': ['below', (order: number) => order < 0],
	'<=': ['up to', (order: number) => order <= 0],
	'>': ['above', (order: number) => order > 0],
	'>=': ['from', (order: number) => order >= 0],
	'=': ['exactly', (order: number) => order === 0],
	'!=': ['not', (order: number) => order !== 0],
} as const;

type Sign = keyof typeof SIGNS;

interface Limit {
	sign: Sign;
	version: string;
}

/** Versions that meet all limits; without limits, all versions. */
type Range = Limit[];

export interface Versions {
	/** A version is in them if it is in one of these. */
	ranges: Range[];
	/** What was understood, such as `from 1.0 and below 2`. */
	words: string;
}

/** Refuses a value that is not a range, and ranges that no version can meet. @param words what was understood */
const notUnderstood = (words: string): never =>
	refuse(
		`cannot be read as versions. Understood was: ${words}. Write a range such as >= 1.0, < 2.3.1, or a list of versions, and || between several`,
	);

const inWords = (range: Range): string =>
	range.map(({ sign, version }) => `${SIGNS[sign][0]} ${version}`).join(' and ') || 'all versions';

/** A limit such as `>= 1.0`; `1.x`, `1.0-1.4` and words are not guessed. */
const LIMIT = /^(<=|>=|!=|==?|<|>)?(v?\d(?!.*(?:\.x|-\d+\.))[\w.+-]*)$/i;

/** Ranges in one part of a text between `||` or `or`. @throws Refusal */
function rangesIn(part: string): Range[] {
	const text = part.trim();
	if (text === '*') return [[]];
	const [, from, to] = /^(\S+)\s+-\s+(\S+)$/.exec(text) ?? [];
	if (from !== undefined) return [rangeOf({ from_version: from, to_version: to })];
	const limits = text
		.replace(/([<>=!]+)\s+/g, '$1')
		.split(/[\s,]+|\band\b/)
		.filter(Boolean)
		.map(limitIn);
	if (limits.length === 0) notUnderstood('no versions');
	// A list of plain versions means any of them.
	if (limits.every(({ sign }) => sign === '=')) return limits.map((limit) => [limit]);
	return [limits];
}

function limitIn(text: string): Limit {
	const [, sign = '=', version = ''] = LIMIT.exec(text) ?? [];
	if (!isComparable(version)) notUnderstood(`"${text}", which is not a version`);
	return { sign: (sign === '==' ? '=' : sign) as Sign, version };
}

/** Refuses limits that are no single range, which a list of fixed versions would become. @throws Refusal */
function checkRange(range: Range): Range {
	const of = (...signs: Sign[]) => range.filter(({ sign }) => signs.includes(sign));
	const [[from, ...otherFrom], [to, ...otherTo]] = [of('>', '>='), of('<', '<=')];
	const hasTwo = otherFrom.length + otherTo.length > 0;
	if (hasTwo || (of('=').length > 0 && range.length > 1)) {
		notUnderstood(`${inWords(range)}, which is not a single range`);
	}
	if (!to) return range;
	const { sign, version } = from ?? { sign: '>=', version: '0' };
	const span = compareVersions(brief(version), brief(to.version));
	const isLeftOut = of('!=').some((limit) => brief(limit.version) === brief(to.version));
	if (span > 0 || (span === 0 && (sign === '>' || to.sign === '<' || isLeftOut))) {
		notUnderstood(`${inWords(range)}, which no version is`);
	}
	return range;
}

/** The range of a feed's object: `{ from_version, from_inclusive, to_version, to_inclusive }`. @throws Refusal */
function rangeOf(object: IDataObject): Range {
	return (['from', 'to'] as const).flatMap((end) => {
		const version = object[`${end}_version`] ?? '*';
		const sign = `${end === 'from' ? '>' : '<'}${object[`${end}_inclusive`] === false ? '' : '='}`;
		return version === '*' ? [] : [limitIn(`${sign}${String(version)}`)];
	});
}

/** The objects of a feed in a value: one, a list of them, or an object of them by what people call the range. */
function objectsIn(value: unknown): IDataObject[] {
	if (isRecord(value) && ('from_version' in value || 'to_version' in value)) return [value];
	return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(objectsIn) : [];
}

/**
 * Reads versions as feeds write them: `< 2.3.1`, `>= 1.0, <= 1.4.2`, `1.0 - 1.4.2`, `* - 2.9`, `*`, a list of plain
 * versions, several of these with `||` or `or`, and objects with `from_version` and `to_version`.
 * @throws Refusal with what was understood
 */
export function versionsIn(value: unknown): Versions {
	const ranges =
		typeof value === 'string' || typeof value === 'number'
			? String(value)
					.split(/\|\||\bor\b/i)
					.flatMap(rangesIn)
			: objectsIn(value).map(rangeOf);
	if (ranges.length === 0) notUnderstood('no versions');
	return { ranges: ranges.map(checkRange), words: ranges.map(inWords).join(', or ') };
}

/** Whether a version meets a limit; undefined where only zeros at the end decide, as in `1.2` and `< 1.2.0`. */
function meets(version: string, { sign, version: limit }: Limit): boolean | undefined {
	const order = compareVersions(version, limit);
	const isAlike = brief(version) === brief(limit);
	if (isAlike && order !== 0 && (sign === '<' || sign === '>')) return undefined;
	return SIGNS[sign][1](isAlike ? 0 : order);
}

/** Whether a version is among others; undefined if that cannot be said, as for a number, which may lack zeros. */
export function isAmong(version: string | number, { ranges }: Versions): boolean | undefined {
	if (ranges.some((range) => range.length === 0)) return true;
	if (typeof version === 'number' || !isComparable(version)) return undefined;
	const results = ranges.map((range) => {
		const met = range.map((limit) => meets(version, limit));
		return met.includes(false) ? false : met.includes(undefined) ? undefined : true;
	});
	return results.includes(true) ? true : results.includes(undefined) ? undefined : false;
}
