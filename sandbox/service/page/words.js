const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const units = [
	['day', day],
	['hour', hour],
	['minute', minute],
	['second', 1000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const toTheSecond = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const timeOfDay = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const number = new Intl.NumberFormat('en');

export const asNumber = (value) => number.format(value);
export const asDate = (time) => date.format(new Date(time));
export const asDateTime = (time) => dateAndTime.format(new Date(time));
export const asExactTime = (time) => toTheSecond.format(new Date(time));
export const asTimeOfDay = (time) => timeOfDay.format(new Date(time));

/** How far a time is from another one: "5 min. ago", "in 3 days". */
export function fromNow(time, now) {
	const ms = Date.parse(time) - now;
	const [unit, length] = units.find(([, each]) => Math.abs(ms) >= each) ?? units.at(-1);
	return relative.format(Math.trunc(ms / length), unit);
}

/** A word of the API for people: `wp_site_update` becomes "Wp site update". */
export function spoken(word) {
	const text = String(word)
		.replaceAll('_', ' ')
		.replace(/\bwp\b/g, 'WP')
		.replace(/\bdb\b/g, 'DB');
	return text.charAt(0).toUpperCase() + text.slice(1);
}

export const plural = (count, one, many = `${one}s`) =>
	`${asNumber(count)} ${count === 1 ? one : many}`;

/** Text of an address as people read it, where that can be told. */
export function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** An address as people name it. */
export const asHost = (url) => url.replace(/^https?:\/\//i, '');

/** Addresses of records come from whoever wrote them: only those of the web become links. */
export const isWebAddress = (text) => /^https?:\/\//i.test(text) && URL.canParse(text);
