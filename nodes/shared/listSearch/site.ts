import type { ILoadOptionsFunctions, INodeParameterResourceLocator } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { findSiteByUrl, isSiteUrl } from '../transport/siteByUrl';

/**
 * The id of the site that is chosen in the node, for the lists that depend on it.
 * @throws NodeOperationError when none is chosen yet
 */
export async function chosenSite(context: ILoadOptionsFunctions): Promise<string> {
	const site = context.getCurrentNodeParameter('siteId') as
		INodeParameterResourceLocator | string | undefined;
	const { mode, value } =
		typeof site === 'object' && site !== null ? site : { mode: 'id', value: site };
	const text = String(value ?? '').trim();
	if (!text || text.startsWith('=') || (mode === 'url' && !isSiteUrl(text))) {
		throw new NodeOperationError(context.getNode(), 'Choose a site first', {
			description:
				'This list shows what belongs to the site. Where the site is an expression, enter the ID instead.',
		});
	}
	return mode === 'url' ? await findSiteByUrl(context, text) : text;
}
