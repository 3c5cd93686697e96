import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../../shared/describe';
import {
	asRequired,
	at,
	choice,
	entryOf,
	group,
	idList,
	list,
	onlyWith,
	optionsFrom,
	toggle,
} from '../../shared/describe';
import { recordIn } from '../../shared/lib';
import { toTexts } from '../../shared/input/convert';

const selection = choice('selection', 'Selection', {
	closed: 'form',
	options: optionsFrom({
		all: ['All', 'Every site of the account'],
		specific: ['Specific', 'The sites with these IDs or URLs'],
	}),
	default: 'specific',
});

const siteIds: Field = asRequired(idList('siteIds'));

/** The sites of a schedule. Part A, 2.7. */
export const sites = group('sites', 'Sites', {
	placeholder: 'Add Sites',
	description: 'The sites that the schedule updates',
	options: entryOf('scope', 'Sites to Update', [
		selection,
		at('ids', onlyWith(selection, 'specific', siteIds)),
	]),
});

const selections = optionsFrom({
	all: 'All',
	none: 'None',
	specific: ['Specific', 'Only these file names'],
});

/** Which of the plugins or themes are updated, and the file names of the chosen ones. */
function componentFields(
	label: string,
	name: string,
	fileNamesName: string,
	placeholder: string,
): Field[] {
	const which = choice(name, label, {
		closed: 'form',
		options: selections,
		default: 'all',
		description: `The ${name} to update`,
	});
	const fileNames = list(fileNamesName, `${label} to Update`, {
		required: true,
		placeholder,
		description: 'File names of what is updated',
		as: toTexts('filename'),
	});
	return [
		at(`${name}.selection`, which),
		at(`${name}.filenames`, onlyWith(which, 'specific', fileNames)),
	];
}

/** Components that the request leaves out are not updated. */
const withoutNone = (categories: unknown): IDataObject =>
	Object.fromEntries(
		Object.entries(recordIn(categories)).filter(
			([, category]) => recordIn(category).selection !== 'none',
		),
	);

/** What a schedule updates, always as a whole. Part A, 2.7 and 4.7. */
export const updates = group('updates', 'Updates', {
	placeholder: 'Add Updates',
	description:
		'Everything that the schedule updates. Anything you do not choose here is not updated.',
	as: withoutNone,
	options: entryOf('categories', 'What to Update', [
		toggle('cmsCore', 'Core', { default: true, description: 'Whether to update the core' }),
		...componentFields('Plugins', 'plugins', 'pluginFileNames', 'e.g. page-cache/page-cache.php'),
		...componentFields('Themes', 'themes', 'themeFileNames', 'e.g. plain-paper'),
	]),
});
