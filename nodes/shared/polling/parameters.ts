import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { Refusal, convertOf, idIn, refuse } from '../describe/convert';
import { heldIn } from '../locator';
import { clock } from '../transport/clock';
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
		if (value === null || value === undefined) refuse('has no value');
		const events = convertOf(field)(value, context) as string[];
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
		settings[field.name] = heldIn(value).isUrl
			? await siteOfUrl(context, String(setting))
			: setting;
	}
	return settings;
}

/**
 * The id in a locator that stands by itself; a site By URL is looked up.
 * @throws NodeOperationError when it is blank or no id
 */
export async function chosenId(context: IPollFunctions, field: INodeProperties): Promise<string> {
	const value: unknown = context.getNodeParameter(field.name, null);
	const id = checked(context, field, () => String(settingOf(context, field, value)));
	return heldIn(value).isUrl ? await siteOfUrl(context, id) : id;
}

/** The ids of sites chosen by URL; looked up once an hour, so that a quiet poll stays one request. */
const sitesByUrl = new WeakMap<IPollFunctions, Map<string, { id: string; until: number }>>();

const LOOKUP_VALID_MS = 3_600_000;

async function siteOfUrl(context: IPollFunctions, text: string): Promise<string> {
	const known = sitesByUrl.get(context) ?? new Map<string, { id: string; until: number }>();
	sitesByUrl.set(context, known);
	const found = known.get(text);
	if (found && found.until > clock.now()) return found.id;
	const id = await findSiteByUrl(context, text);
	known.set(text, { id, until: clock.now() + LOOKUP_VALID_MS });
	return id;
}

/** Looks sites chosen by URL up again at the next poll. */
export const forgetSites = (context: IPollFunctions) => void sitesByUrl.delete(context);

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
	// Left out, the entry of a broken expression would turn "these types" into "all types".
	if (Array.isArray(held) && held.some((entry) => entry === undefined || entry === null)) {
		refuse('has an entry without a value');
	}
	// A blank text means that it is not set; a blank id would turn "this site" into "all sites".
	if (typeof held === 'string' && held.trim() === '') {
		return field.type === 'string' ? undefined : refuse('is empty');
	}
	if (heldIn(value).isUrl && !isSiteUrl(String(held))) refuse(`is not a URL: "${String(held)}"`);
	return convertOf(field)(typeof held === 'string' ? held.trim() : held, context);
}

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
