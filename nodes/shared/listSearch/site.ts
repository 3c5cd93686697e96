import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { hasExpression, isBlank } from '../input/blank';
import { heldIn, SiteUrl, toId } from '../input/id';
import { locators } from '../input/locators';
import { naming } from '../input/refusal';
import { idOf } from '../transport/siteByUrl';

/**
 * The id of the site that is chosen in the node, for the lists that depend on it.
 * @throws NodeOperationError when none is chosen yet, or what is entered is none
 */
export async function chosenSite(context: ILoadOptionsFunctions): Promise<string> {
	const { held, isUrl } = heldIn(context.getCurrentNodeParameter('siteId'), {});
	if (isBlank(held) || hasExpression(held)) {
		throw new NodeOperationError(context.getNode(), 'Choose a site first', {
			description:
				'This list shows what belongs to the site. Where the site is an expression, enter the ID instead.',
		});
	}
	const id = naming(context, locators.siteId.displayName, () =>
		isUrl ? SiteUrl.from(held) : (toId(held, context) as string),
	);
	return await idOf(context, id);
}
