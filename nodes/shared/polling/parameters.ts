import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Settings } from '../input/field';
import { SiteUrl } from '../input/id';
import type { PathId } from '../input/request';
import { clock } from '../transport/clock';
import { accountOf } from '../transport/request';
import { idOf } from '../transport/siteByUrl';
import { keyOf } from './state';

/** The site chosen by URL, of each trigger; looked up once an hour, so that a quiet poll stays one request. */
const sitesByUrl = new Map<string, { url: string; id: string; until: number }>();

const LOOKUP_VALID_MS = 3_600_000;

/** The id that a locator of a trigger holds; undefined where it is not set. */
export async function chosenId(
	context: IPollFunctions,
	value: Settings[string],
): Promise<string | undefined> {
	if (!(value instanceof SiteUrl)) return value as string | undefined;
	const { baseURL, apiToken } = await accountOf(context);
	const url = JSON.stringify([baseURL, apiToken, value.text]);
	const known = sitesByUrl.get(keyOf(context));
	if (known?.url === url && known.until > clock.now()) return known.id;
	const id = await idOf(context, value satisfies PathId);
	sitesByUrl.set(keyOf(context), { url, id, until: clock.now() + LOOKUP_VALID_MS });
	return id;
}

/** Looks sites chosen by URL up again at the next poll. */
export const forgetSites = (context: IPollFunctions) => void sitesByUrl.delete(keyOf(context));

/** Query parameters for the filters that are set: `site_id:eq` is sent as `filters[site_id:eq]`. */
export const filtersOf = (filters: Settings): IDataObject =>
	Object.fromEntries(
		Object.entries(filters)
			.filter(([, value]) => value !== undefined)
			.map(([filter, value]) => [`filters[${filter}]`, value as string]),
	);
