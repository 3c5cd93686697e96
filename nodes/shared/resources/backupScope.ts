import type { Field } from '../describe';
import { at, dateTime, inBody, onlyWith, toggle } from '../describe';

/** Fields of backup operations and staging sites. Source: Part B, 4.6. */

export const includeFiles = toggle('includeFiles', 'Include Files', {
	default: true,
	description: 'Whether to include the files of the site',
	showsWith: true,
});

export const includeDatabase = toggle('includeDatabase', 'Include Database', {
	default: true,
	description: 'Whether to include the database of the site',
	showsWith: true,
});

const realTimeEvents = toggle('realTimeEvents', 'Real-Time Events', {
	description: 'Whether to include real-time events up to a given time',
	showsWith: true,
});

const until = dateTime('until', 'Until', {
	required: true,
	description: 'Include real-time events up to this time. Uses the time zone of the workflow.',
});

/** Events of real-time backups, with the time up to which they count. */
export const eventFields = (wrapper: string): Field[] =>
	[
		at('options.real_time_events.enabled', realTimeEvents),
		at('options.real_time_events.until', onlyWith(realTimeEvents, true, until)),
	].map((field) => inBody(wrapper, field));
