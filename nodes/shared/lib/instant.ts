export const HOUR_MS = 3_600_000;

/** Smaller numbers are epoch seconds, larger ones milliseconds. */
const MILLISECONDS_FROM = 1e11;

const EPOCH = /^\d{9,}(\.\d+)?$/;

/** A time without a zone, which is in UTC. */
const NO_ZONE = /T[\d:.]+$/;

/** A time of the service as ISO 8601, also from epoch seconds or milliseconds; empty for what is not a time. */
export function isoOf(value: unknown): string {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (EPOCH.test(text)) {
		const number = Number(text);
		const date = new Date(number < MILLISECONDS_FROM ? number * 1_000 : number);
		return Number.isNaN(date.getTime()) ? '' : date.toISOString();
	}
	const iso = NO_ZONE.test(text.replace(' ', 'T')) ? `${text.replace(' ', 'T')}Z` : text;
	return Number.isNaN(Date.parse(iso)) ? '' : iso;
}

/** A time in epoch milliseconds; NaN for what is not a time. */
export const instantOf = (value: unknown): number => Date.parse(isoOf(value));
