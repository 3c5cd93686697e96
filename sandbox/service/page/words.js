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
const toTheSecond = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const timeOfDay = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const number = new Intl.NumberFormat('en');

export const asNumber = (value) => number.format(value);
export const asDate = (time) => date.format(new Date(time));
export const asDateTime = (time) => dateAndTime.format(new Date(time));
/** With the time zone of the browser. */
export const asExactTime = (time) => toTheSecond.format(new Date(time));
export const asTimeOfDay = (time) => timeOfDay.format(new Date(time));

/** How far a time is from another one: "5 min. ago", "36 hr. ago", "in 3 days". */
export function fromNow(time, now) {
	const ms = Date.parse(time) - now;
	const [unit, length] =
		units.find(([, each]) => Math.abs(ms) >= (each === day ? 2 * day : each)) ?? units.at(-1);
	return relative.format(Math.trunc(ms / length), unit);
}

/** What people call the words of the API: types and steps of tasks, and states. A word that is not here is spelled out. */
export const named = {
	download: 'Backup download',
	migrate: 'Backup migration',
	migrate_database: 'Migrate the database',
	migrate_files: 'Migrate the files',
	restore: 'Backup restore',
	restore_database: 'Restore the database',
	restore_files: 'Restore the files',
	test_restore: 'Backup test restore',
	upload: 'Backup upload',
	wp_core_db_upgrade: 'Core database upgrade',
	hackcleanup: 'Malware clean-up',
	speed: 'Performance check',
	wp_plugin_activate: 'Plugin activation',
	wp_plugin_db_upgrade: 'Plugin database upgrade',
	wp_plugin_deactivate: 'Plugin deactivation',
	wp_plugin_delete: 'Plugin deletion',
	wp_plugin_install: 'Plugin installation',
	wp_plugin_upload: 'Plugin upload',
	report: 'Report creation',
	settingop: 'Setting change',
	update_plugin: 'Update the plugins',
	verify_site: 'Check the site',
	wp_site_update: 'Site update',
	configure_staging_site: 'Staging configuration',
	staging: 'Staging creation',
	download_staging: 'Staging download',
	wp_theme_activate: 'Theme activation',
	wp_theme_delete: 'Theme deletion',
	wp_theme_install: 'Theme installation',
	wp_theme_upload: 'Theme upload',
	wp_user_create: 'User creation',
	wp_user_delete: 'User deletion',
	wp_user_password_change: 'User password change',
	wp_user_role_change: 'User role change',
	aborted: 'Aborted',
	active: 'Active',
	bounced: 'Bounced',
	cancelled: 'Cancelled',
	clean: 'Clean',
	completed: 'Completed',
	connected: 'Connected',
	delivered: 'Delivered',
	disconnected: 'Disconnected',
	down: 'Down',
	failed: 'Failed',
	hacked: 'Hacked',
	in_progress: 'In progress',
	initializing: 'Starting',
	locked: 'Under maintenance',
	opened: 'Opened',
	paused: 'Paused',
	queued: 'Waiting',
	rejected: 'Rejected',
	running: 'Running',
	sent: 'Sent',
	spam: 'Marked as spam',
	succeeded: 'Succeeded',
	suspended: 'Expired',
	syncing: 'Backing up',
	up: 'Up',
	waiting: 'Waiting',
};

/** A word of the API for people: `hackcleanup` is "Malware clean-up". */
export function spoken(word) {
	if (Object.hasOwn(named, word)) return named[word];
	const text = String(word).replaceAll('_', ' ');
	return text.charAt(0).toUpperCase() + text.slice(1);
}

export const plural = (count, one, many = `${one}s`) =>
	`${asNumber(count)} ${count === 1 ? one : many}`;

/** The text of an address as people read it, if it can be decoded. */
export function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** An address without its scheme. */
export const asHost = (url) => url.replace(/^https?:\/\//i, '');

/** Addresses of records are input of users: only addresses of the web become links. */
export const isWebAddress = (text) => /^https?:\/\//i.test(text) && URL.canParse(text);
