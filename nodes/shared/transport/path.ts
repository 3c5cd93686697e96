import type { IExecuteSingleFunctions } from 'n8n-workflow';
import type { PathId } from '../input/request';
import { idOf } from './siteByUrl';

const PARAMETER = /\{(\w+)\}/;

/**
 * Puts ids into a path such as `/sites/{siteId}`, percent-encoded; sites chosen by URL are looked up first.
 * @returns the path, and the id that it ends with
 */
export async function fillPath(
	context: IExecuteSingleFunctions,
	template: string,
	ids: Record<string, PathId>,
): Promise<{ url: string; lastId?: string }> {
	let url = '';
	let lastId: string | undefined;
	for (const [index, part] of template.split(PARAMETER).entries()) {
		if (index % 2 === 1) lastId = await idOf(context, ids[part]!);
		url += index % 2 === 1 ? encodeURIComponent(lastId!) : part;
	}
	return { url, lastId };
}
