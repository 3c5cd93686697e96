import { onlyWith, seldom } from '../describe/about';
import { dateTime, toggle, toggleOn } from '../input/kinds';

/** Fields of backup operations and staging sites. Source: Part B, 4.6. */

export const includeFiles = toggleOn('includeFiles', 'Include Files', {
	wire: 'scope.include_files',
	description: 'Whether to include the files of the site',
	showsWith: true,
});

export const includeDatabase = toggleOn('includeDatabase', 'Include Database', {
	wire: 'scope.include_database',
	description: 'Whether to include the database of the site',
	showsWith: true,
});

const realTimeEvents = toggle('realTimeEvents', 'Real-Time Events', {
	wire: 'options.real_time_events.enabled',
	description:
		'Whether to add the changes, such as orders in a shop, that real-time backups recorded after the snapshot',
	showsWith: true,
});

const until = dateTime('until', 'Until', {
	wire: 'options.real_time_events.until',
	required: true,
	description: 'Changes up to this time are added. Uses the time zone of the workflow.',
});

/** Events of real-time backups, with the time up to which they count. */
export const eventFields = seldom([realTimeEvents, onlyWith(realTimeEvents, true, until)]);
