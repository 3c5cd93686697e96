import type { INodeProperties } from 'n8n-workflow';
import { effectTexts } from '../access/effects';
import type { LocatorName } from '../input/locators';
import { locators } from '../input/locators';
import type { Operation, Resource } from '../operation';
import { beginsWith, describedAs, idsOf, onlyReads } from '../operation';
import { byOperation } from './byOperation';

/**
 * The description of the tool for the model, as one parameter: n8n evaluates each parameter for each item. It has
 * several lines, because n8n's AI workflow builder omits such defaults.
 */
export const toolDescription = (resources: Resource[]): INodeProperties => ({
	displayName: 'Tool Description',
	name: 'toolDescription',
	type: 'string',
	typeOptions: { rows: 4 },
	default: `={{\n${byOperation(resources, toolText)}\n}}`,
	placeholder: 'e.g. Lists the sites of one client',
	description: 'Description of the tool for the model',
	displayOptions: { show: { '@tool': [true] } },
});

/** What an operation does, its kind of harm, and where to find its IDs, one per line. */
export function toolText(operation: Operation): string {
	const { labels } = operation;
	const about = describedAs(labels);
	const what = beginsWith(labels.action, about) ? about : `${labels.action}. ${about}`;
	const ids = listedIn(operation).map((name) => {
		const one = locators[name].displayName.toLowerCase();
		return `the ID of the ${one} with "Get many ${one}s"`;
	});
	const find = ids.length > 0 ? [`Find ${ids.join(', and ')}`] : [];
	return [what.replace(/\.$/, ''), kindOf(operation), ...find].map((text) => `${text}.`).join('\n');
}

function kindOf(operation: Operation): string {
	const { effects, isFinal, route } = operation;
	if (route.startsWith('ANY ')) return 'Some requests destroy data that cannot be restored';
	if (onlyReads(operation)) return 'Only reads';
	const kinds = effects.map((effect) => effectTexts[effect].name).join(', ');
	return `Kind: ${kinds}${isFinal ? ', cannot be undone' : ''}`;
}

/** The IDs in the path and the fields of an operation. */
function listedIn({ route, fields }: Operation): LocatorName[] {
	const named = fields.map(({ name, names = name }) => names);
	const isId = (name: string): name is LocatorName => Object.hasOwn(locators, name);
	return [...new Set([...idsOf(route), ...named.filter(isId)])];
}
