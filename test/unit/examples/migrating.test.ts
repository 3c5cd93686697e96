import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import vm from 'node:vm';
import { examplesFolder } from '../../../sandbox/lib/examples';

/** Example 01 knows the plugins that migrate their database by the folders that sites have. */

/** A function of a Code node, from the code before all that asks n8n. */
function functionIn<F>(file: string, node: string, name: string, end: string): F {
	const { nodes } = JSON.parse(readFileSync(resolve(examplesFolder, file), 'utf8')) as {
		nodes: Array<{ name: string; parameters: { jsCode: string } }>;
	};
	const { jsCode } = nodes.find((each) => each.name === node)!.parameters;
	const [functions, rest] = jsCode.split(end);
	expect(rest).toBeDefined();
	return vm.runInNewContext(`(() => { ${functions}\nreturn ${name}; })()`, {
		$now: { toISO: () => '' },
	}) as F;
}

const namesIn = functionIn<(names: string[], rows: object[]) => Record<string, string[]>>(
	'01-safe-update.json',
	'Look for those that migrate',
	'namesIn',
	'const rows = $input',
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
	const begin = functionIn<(site: object) => { list: object[]; left_alone: string[] }>(
		'01c-take-back-the-culprit.json',
		'Decide what to try',
		'begin',
		'return $input.all()',
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
