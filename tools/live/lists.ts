import { recordIn, recordsIn, valueAt } from '../../nodes/shared/lib';
import type { Answer, Guard } from './guard';
import { componentLists } from './reads';

/** Which of the service's own lists of components an account has, by their routes. */
export async function listsOf(guard: Guard): Promise<Record<string, string>> {
	const found: Record<string, string> = {};
	for (const [path, place] of Object.entries(componentLists)) {
		found[`GET ${path}`] = verdictOn(await guard.get(path, { page: '1', perPage: '5' }), place);
	}
	return found;
}

/** In words without a value of the account. */
function verdictOn({ status, body }: Answer, place: string): string {
	if (status < 200 || status >= 300) return `not there (${status})`;
	const sites = recordsIn(recordIn(body).sites);
	if (sites.length === 0) return 'there, without a site';
	const isKnown = sites.every((site) => typeof valueAt(site, place) === 'object');
	return isKnown ? 'there' : `there, but not recognized: not all sites have ${place}`;
}
