import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Settings } from '../input/field';
import { SiteUrl } from '../input/id';
import type { PathId } from '../input/request';
import { clock } from '../transport/clock';
import { idOf } from '../transport/siteByUrl';

/** The ids of sites chosen by URL; looked up once an hour, so that a quiet poll stays one request. */
const sitesByUrl = new WeakMap<IPollFunctions, Map<string, { id: string; until: number }>>();

const LOOKUP_VALID_MS = 3_600_000;

/** The id that a locator of a trigger holds; undefined where it is not set. */
export async function chosenId(
	context: IPollFunctions,
	value: Settings[string],
): Promise<string | undefined> {
	if (!(value instanceof SiteUrl)) return value as string | undefined;
	const known = sitesByUrl.get(context) ?? new Map<string, { id: string; until: number }>();
	sitesByUrl.set(context, known);
	const found = known.get(value.text);
	if (found && found.until > clock.now()) return found.id;
	const id = await idOf(context, value satisfies PathId);
	known.set(value.text, { id, until: clock.now() + LOOKUP_VALID_MS });
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
