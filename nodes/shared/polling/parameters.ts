import type {
	INodeParameterResourceLocator,
	INodePropertyOptions,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { clock } from '../transport/clock';
import { findSiteByUrl, isSiteUrl } from '../transport/siteByUrl';

/** A parameter of a trigger by its path, such as `filters.siteId`, and by the name that the user sees. */
export interface Parameter {
	path: string;
	displayName: string;
}

/** The ids of sites chosen by URL; looked up once an hour, so that a quiet poll stays one request. */
const sitesByUrl = new WeakMap<IPollFunctions, Map<string, { id: string; until: number }>>();

const LOOKUP_VALID_MS = 3_600_000;

/**
 * What is chosen of the options; nothing when the user did not add the parameter.
 * @throws NodeOperationError for a value that is none of the options
 */
export function choicesIn(
	context: IPollFunctions,
	parameter: Parameter,
	options: INodePropertyOptions[],
): string[] {
	const value = valueIn(context, parameter) ?? [];
	const chosen = (Array.isArray(value) ? value : [value]).map((entry) => String(entry ?? ''));
	const unknown = chosen.find((entry) => !options.some((option) => option.value === entry));
	if (unknown === undefined) return [...new Set(chosen)];
	throw unusable(
		context,
		parameter,
		`has a value that it does not know: "${unknown}"`,
		'Choose from the list; if the parameter is an expression, check what it gives.',
	);
}

/** The events of a trigger, at least one. */
export function eventsIn(context: IPollFunctions, options: INodePropertyOptions[]): string[] {
	const parameter = { path: 'events', displayName: 'Events' };
	const events = choicesIn(context, parameter, options);
	if (events.length > 0) return events;
	throw unusable(
		context,
		parameter,
		'is empty',
		'Choose at least one event to start the workflow on.',
	);
}

/** The trimmed text; undefined when it is blank or was not added. */
export function textIn(context: IPollFunctions, parameter: Parameter): string | undefined {
	const text = String(valueIn(context, parameter) ?? '').trim();
	return text === '' ? undefined : text;
}

/**
 * The id of the chosen site, looked up where it was chosen by URL; undefined when the user did not add the parameter.
 * @throws NodeOperationError when it was added and is blank, or is no id, or no site has the URL
 */
export async function siteIn(
	context: IPollFunctions,
	parameter: Parameter,
): Promise<string | undefined> {
	const held = valueIn(context, parameter);
	if (held === undefined) return undefined;
	const { mode, value } =
		typeof held === 'object'
			? (held as INodeParameterResourceLocator)
			: { mode: 'id', value: String(held) };
	const text = String(value ?? '').trim();
	const problem = problemWith(text, mode === 'url');
	if (!problem) return mode === 'url' ? await idOfUrl(context, text) : text;
	throw unusable(
		context,
		parameter,
		problem,
		'Choose a site from the list, or enter its ID or URL; if the parameter is an expression, check what it gives.',
	);
}

function problemWith(text: string, isUrl: boolean): string | undefined {
	if (!text) return 'is empty';
	if (isUrl) return isSiteUrl(text) ? undefined : `is not a URL: "${text}"`;
	return text === '.' || text === '..' ? `is not an ID: "${text}"` : undefined;
}

async function idOfUrl(context: IPollFunctions, text: string): Promise<string> {
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

/** The value of a parameter; undefined when it is in a collection and was not added to it. */
function valueIn(context: IPollFunctions, parameter: Parameter): unknown {
	const [first = '', ...rest] = parameter.path.split('.');
	// The fallback keeps n8n from refusing an expression without a value in words of its own.
	let value: unknown = context.getNodeParameter(first, null);
	for (const key of rest) {
		if (!(value instanceof Object) || !(key in value)) return undefined;
		value = (value as Record<string, unknown>)[key];
	}
	// Ignored, a broken expression would turn "of this site" into "of all".
	if (value !== undefined && value !== null) return value;
	throw unusable(
		context,
		parameter,
		'has no value',
		'Set it or remove it; if it is an expression, check what it gives.',
	);
}

const unusable = (
	context: IPollFunctions,
	{ displayName }: Parameter,
	problem: string,
	description: string,
) =>
	new NodeOperationError(context.getNode(), `The parameter "${displayName}" ${problem}`, {
		description,
	});
