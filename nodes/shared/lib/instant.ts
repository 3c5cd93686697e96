export const HOUR_MS = 3_600_000;

/** Epoch seconds are below it for thousands of years, epoch milliseconds above it since 1973. */
const MILLISECONDS_FROM = 1e11;

const EPOCH = /^\d{9,}(\.\d+)?$/;

/** Of a time of day, as the API gives all times; one that names no zone is in UTC. */
const NO_ZONE = /T[\d:.]+$/;

/**
 * A time as the service tells it, in ISO 8601 as it gave it, or made from epoch seconds or milliseconds.
 * @returns an empty text where there is none that can be read
 */
export function isoOf(value: unknown): string {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (EPOCH.test(text)) {
		const number = Number(text);
		return toIso(number < MILLISECONDS_FROM ? number * 1_000 : number);
	}
	const iso = NO_ZONE.test(text.replace(' ', 'T')) ? `${text.replace(' ', 'T')}Z` : text;
	return Number.isNaN(Date.parse(iso)) ? '' : iso;
}

/** The same in epoch milliseconds; NaN where there is none that can be read. */
export const instantOf = (value: unknown): number => Date.parse(isoOf(value));

const toIso = (ms: number) => {
	const date = new Date(ms);
	return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};
