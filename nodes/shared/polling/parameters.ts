import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Settings } from '../input/field';
import { referencesIn } from '../input/id';
import { clock } from '../client/clock';
import { finderFor, withIds } from '../run/names';
import { accountOf } from '../client/request';
import { hash } from './seenStore';
import { keyOf } from './state';

/** Parameters with IDs, by trigger; looked up once an hour, so that a quiet poll takes one request. */
const found = new Map<string, { of: string; set: Settings; until: number }>();

const LOOKUP_VALID_MS = 3_600_000;

/** Replaces names in the parameters of a trigger by IDs, such as a site By URL or a tag By Name. */
export async function withNames(context: IPollFunctions, set: Settings): Promise<Settings> {
	if (referencesIn(set).length === 0) return set;
	const { baseURL, apiToken } = await accountOf(context);
	const of = hash(JSON.stringify([baseURL, apiToken, set]), 16);
	for (const [key, { until }] of found) if (until <= clock.now()) found.delete(key);
	const known = found.get(keyOf(context));
	if (known?.of === of) return known.set;
	const ids = (await withIds(finderFor(context), set)) as Settings;
	found.set(keyOf(context), { of, set: ids, until: clock.now() + LOOKUP_VALID_MS });
	return ids;
}

/** Has the next poll look up the names again. */
export const forgetNames = (context: IPollFunctions) => void found.delete(keyOf(context));

/** Query parameters for the filters that are set: `site_id:eq` is sent as `filters[site_id:eq]`. */
export const filtersOf = (filters: Settings): IDataObject =>
	Object.fromEntries(
		Object.entries(filters)
			.filter(([, value]) => value !== undefined)
			.map(([filter, value]) => [`filters[${filter}]`, value as string]),
	);
