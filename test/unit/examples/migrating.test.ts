import { codeOf } from '../../support/codeOfExamples';

/** Example 01 knows the plugins that migrate their database by the folders that sites have. */

const namesIn = codeOf<(names: string[], rows: object[]) => Record<string, string[]>>(
	'01-safe-update.json',
	'Look for those that migrate',
	'const rows = $input',
	'namesIn',
);

const row = (...folders: string[]) => ({
	components: JSON.stringify(folders.map((folder) => ({ path: `./wp-content/plugins/${folder}` }))),
});

it.each([
	[['price-table', 'one-file'], []],
	[
		['price-tables', 'Price Table', 'price-table/price-table.php'],
		[0, 1, 2],
	],
	[['price-table', 'bookings'], [1]],
	[['', ' '], []],
])('of %j, these names are on no site: %j', (names, missing) => {
	const found = namesIn(names, [row('price-table/'), row('one-file.php'), { components: '' }]);
	expect({ missing: [...found.missing!], unchecked: [...found.unchecked!] }).toEqual({
		missing: missing.map((index) => names[index]),
		unchecked: [],
	});
});

it.each([[[]], [[{ components: '[]' }, {}]]])(
	'without an inventory they are not checked',
	(rows) => {
		const { missing, unchecked } = namesIn(['price-table'], rows);
		expect([[...missing!], [...unchecked!]]).toEqual([[], ['price-table']]);
	},
);

it.each([
	'booking-calendar',
	'Booking Calendar',
	'booking-calendar/booking-calendar.php',
	'BOOKING_CALENDAR',
])('example 01c leaves alone what is listed as %s', (listed) => {
	const begin = codeOf<(site: object) => { list: object[]; left_alone: string[] }>(
		'01c-take-back-the-culprit.json',
		'Decide what to try',
		'return $input.all()',
		'begin',
	);
	const slug = 'booking-calendar';
	const component = {
		kind: 'plugin',
		name: 'Booking Calendar',
		slug,
		filename: `${slug}/${slug}.php`,
	};
	const versions = { current_version: '3.0.2', target_version: '4.0.0' };
	const { list, left_alone: known } = begin({
		migrating: [listed],
		components: [{ ...component, ...versions }],
	});
	expect([list.length, ...known]).toEqual([0, 'Booking Calendar']);
});
