import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { SiteUrl } from '../../input/id';
import { shown } from '../../input/refusal';
import type { CallContext } from '../../n8n/context';
import { listAll } from '../http/paging';
import { Run } from '../run/run';

/** The sites with exactly this host and path. @param anew whether what was read earlier in the run is of no use */
export const sitesAt = async (context: CallContext, wanted: SiteUrl, anew: boolean) =>
	(await sitesLike(context, wanted.host, anew)).filter(({ url }) =>
		wanted.isOf(SiteUrl.parse(url)),
	);

/**
 * The id of the site with exactly this host and path: neither `staging.x` nor `x/blog` is `x`.
 * @throws NodeOperationError when no site or more than one matches
 */
export async function findSite(
	context: CallContext,
	wanted: SiteUrl,
	anew: boolean,
): Promise<string> {
	const itemIndex = 'getItemIndex' in context ? context.getItemIndex() : undefined;
	const fail = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { itemIndex, description });
	const sites = await sitesLike(context, wanted.host, anew);
	const matches = sites.filter(({ url }) => wanted.isOf(SiteUrl.parse(url)));
	const [match] = matches;
	if (!match) {
		const near = sites.filter(({ url }) => SiteUrl.parse(url)?.host === wanted.host);
		const others = near.map(({ url }) => String(url)).join(', ');
		throw fail(
			`No site with the URL ${shown(wanted.text)} was found`,
			others
				? `The path must match as well. Sites on this host: ${others}.`
				: 'The host must match exactly. staging.example.com is different from example.com.',
		);
	}
	if (matches.length > 1) {
		throw fail(
			`More than one site has the URL ${shown(wanted.text)}`,
			`Choose one of them by ID: ${matches.map(({ id }) => String(id)).join(', ')}.`,
		);
	}
	return String(match.id);
}

/** The sites whose URL contains the host; asked for once in a run that only reads, however many items name it. */
async function sitesLike(
	context: CallContext,
	host: string,
	anew: boolean,
): Promise<IDataObject[]> {
	const qs = { 'filters[url:contains]': host };
	const read = async () => await listAll(context, { method: 'GET', url: '/sites', qs });
	return 'getItemIndex' in context && !anew
		? await Run.current(context).once(`sites ${host}`, read)
		: await read();
}
