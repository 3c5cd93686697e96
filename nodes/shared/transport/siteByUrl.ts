import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { listAll } from './paging';

/**
 * The id of the site with exactly this host (and path, where the URL has one): `staging.x` is not `x`.
 * @throws NodeOperationError when no site or more than one matches
 */
export async function findSiteByUrl(
	context: IExecuteSingleFunctions,
	text: string,
): Promise<string> {
	const fail = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, {
			itemIndex: context.getItemIndex(),
			description,
		});
	const wanted = parse(text);
	if (!wanted) {
		throw fail(
			`The Site "${text}" is not a URL`,
			'Enter the address of the site, such as https://www.example.com. Nothing was sent.',
		);
	}
	const sites = await listAll(context, {
		method: 'GET',
		url: '/sites',
		qs: { 'filters[url:contains]': wanted.host },
	});
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

function parse(value: unknown): { host: string; path: string } | undefined {
	const text = String(value ?? '').trim();
	try {
		const url = new URL(/^https?:\/\//i.test(text) ? text : `https://${text}`);
		return { host: url.host, path: url.pathname.replace(/\/+$/, '') };
	} catch {
		return undefined;
	}
}
