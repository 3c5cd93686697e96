import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { heldIn } from '../locator';
import { findSiteByUrl, isSiteUrl } from '../transport/siteByUrl';

/**
 * The id of the site that is chosen in the node, for the lists that depend on it.
 * @throws NodeOperationError when none is chosen yet
 */
export async function chosenSite(context: ILoadOptionsFunctions): Promise<string> {
	const { text, isUrl } = heldIn(context.getCurrentNodeParameter('siteId'));
	if (!text || text.startsWith('=') || (isUrl && !isSiteUrl(text))) {
		throw new NodeOperationError(context.getNode(), 'Choose a site first', {
			description:
				'This list shows what belongs to the site. Where the site is an expression, enter the ID instead.',
		});
	}
	return isUrl ? await findSiteByUrl(context, text) : text;
}
