import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Context } from './context';
import { listAll } from './paging';
import { Run } from './run';

/**
 * The id of the site with exactly this host (and path, where the URL has one): `staging.x` is not `x`.
 * @param text a URL that `isSiteUrl` accepts
 * @throws NodeOperationError when no site or more than one matches
 */
export async function findSiteByUrl(context: Context, text: string): Promise<string> {
	const itemIndex = 'getItemIndex' in context ? context.getItemIndex() : undefined;
	const fail = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { itemIndex, description });
	const wanted = parse(text) ?? { host: '', path: '' };
	const sites = await sitesLike(context, wanted.host);
	const onHost = sites.filter((site) => parse(site.url)?.host === wanted.host);
	const exact = onHost.filter((site) => parse(site.url)?.path === wanted.path);
	const matches = wanted.path || exact.length > 0 ? exact : onHost;
	const [match] = matches;
	if (!match) {
		throw fail(
			`No site with the URL "${text}" was found`,
			'The host must be the same to the letter: staging.example.com is not example.com.',
		);
	}
	if (matches.length > 1) {
		throw fail(
			`More than one site has the URL "${text}"`,
			`Choose one of them by ID: ${matches.map(({ id }) => String(id)).join(', ')}.`,
		);
	}
	return String(match.id);
}

/** The sites whose URL contains the host; asked for once in a run, however many items name it. */
async function sitesLike(context: Context, host: string): Promise<IDataObject[]> {
	const qs = { 'filters[url:contains]': host };
	const read = async () => await listAll(context, { method: 'GET', url: '/sites', qs });
	return 'getItemIndex' in context
		? await Run.of(context).once(`sites ${host}`, read)
		: await read();
}

export const isSiteUrl = (text: string) => parse(text) !== undefined;

function parse(value: unknown): { host: string; path: string } | undefined {
	const text = String(value ?? '').trim();
	try {
		const url = new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`);
		return { host: url.host, path: url.pathname.replace(/\/+$/, '') };
	} catch {
		return undefined;
	}
}
