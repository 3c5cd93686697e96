import type { IExecuteSingleFunctions } from 'n8n-workflow';
import type { PathId } from '../input/request';
import { idOf } from './siteByUrl';

const PARAMETER = /\{(\w+)\}/g;

/** The ids of a route, ready to be put into it; sites chosen by URL are looked up. */
export async function foundIds(
	context: IExecuteSingleFunctions,
	ids: Record<string, PathId>,
): Promise<Record<string, string>> {
	const found: Record<string, string> = {};
	for (const [name, id] of Object.entries(ids)) found[name] = await idOf(context, id);
	return found;
}

/** Puts ids into a path such as `/sites/{siteId}`, percent-encoded. */
export const fillPath = (template: string, ids: Record<string, string>): string =>
	template.replace(PARAMETER, (_, name: string) => encodeURIComponent(ids[name]!));
