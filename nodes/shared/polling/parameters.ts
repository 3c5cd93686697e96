import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { Refusal, convertOf, idIn, refuse } from '../describe/convert';
import { findSiteByUrl, isSiteUrl } from '../transport/siteByUrl';

/** What the user has set in a trigger, by the names of the parameters; what is not set is missing. */
export type Settings = Record<string, unknown>;

/**
 * The chosen events.
 * @throws NodeOperationError when there is none, or one that the trigger does not have
 */
export function chosenEvents(context: IPollFunctions, field: INodeProperties): string[] {
	const value: unknown = context.getNodeParameter(field.name, null);
	return checked(context, field, () => {
		const events = convertOf(field)(value ?? [], context) as string[];
		return events.length > 0 ? events : refuse('is empty: choose at least one event');
	});
}

/**
 * The choice in a parameter that stands by itself.
 * @throws NodeOperationError when it is none of the options
 */
export function chosenOption(context: IPollFunctions, field: INodeProperties): string {
	const value: unknown = context.getNodeParameter(field.name, null);
	return checked(context, field, () => settingOf(context, field, value) as string);
}

/**
 * What the user has added to a collection, checked as the action nodes check theirs; a site By URL is looked up.
 * @throws NodeOperationError naming the parameter: one that is blank would make "this site" into "all sites"
 */
export async function settingsOf(
	context: IPollFunctions,
	{ name, options }: INodeProperties,
): Promise<Settings> {
	const added = context.getNodeParameter(name, {}) as IDataObject;
	const settings: Settings = {};
	for (const field of options as INodeProperties[]) {
		if (!(field.name in added)) continue;
		const value = added[field.name];
		const setting = checked(context, field, () => settingOf(context, field, value));
		settings[field.name] = isByUrl(value) ? await findSiteByUrl(context, String(setting)) : setting;
	}
	return settings;
}

/** Query parameters for the filters that are set: `site_id:eq` is sent as `filters[site_id:eq]`. */
export const filtersOf = (filters: Settings): IDataObject =>
	Object.fromEntries(
		Object.entries(filters)
			.filter(([, value]) => value !== undefined)
			.map(([filter, value]) => [`filters[${filter}]`, value as string]),
	);

function settingOf(context: IPollFunctions, field: INodeProperties, value: unknown): unknown {
	if (value === undefined || value === null) refuse('has no value');
	const held = field.type === 'resourceLocator' ? idIn(value) : value;
	if (typeof held === 'string' && held.trim() === '') refuse('is empty');
	if (isByUrl(value) && !isSiteUrl(String(held))) refuse(`is not a URL: "${String(held)}"`);
	return convertOf(field)(held, context);
}

const isByUrl = (value: unknown) =>
	typeof value === 'object' && value !== null && 'mode' in value && value.mode === 'url';

function checked<T>(context: IPollFunctions, field: INodeProperties, read: () => T): T {
	try {
		return read();
	} catch (error) {
		const reason = error instanceof Refusal ? error.message : 'cannot be used';
		throw new NodeOperationError(
			context.getNode(),
			`The parameter "${field.displayName}" ${reason}`,
			{
				description:
					'Set it, or remove it where it is not needed. If it is an expression, check what it gives. Nothing was read.',
			},
		);
	}
}
