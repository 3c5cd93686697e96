import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { hasExpression, isBlank } from '../input/blank';
import type { Reference } from '../input/id';
import { heldIn, SiteUrl, toId, toNamed } from '../input/id';
import { locators } from '../input/locators';
import { naming } from '../input/refusal';
import { resolveId } from '../run/names';

/**
 * The id of the site that is chosen in the node, for the lists that depend on it.
 * @throws NodeOperationError when none is chosen yet, or what is entered is none
 */
export async function chosenSite(context: ILoadOptionsFunctions): Promise<string> {
	const { held, mode } = heldIn(context.getCurrentNodeParameter('siteId'), {});
	if (isBlank(held) || hasExpression(held)) {
		throw new NodeOperationError(context.getNode(), 'Choose a site first', {
			description:
				'This list shows records of the site. If the site is an expression, enter the ID instead.',
		});
	}
	const { displayName } = locators.siteId;
	const id = naming(context, displayName, (): string | Reference => {
		if (mode === 'url') return SiteUrl.from(held);
		return mode === 'name' ? toNamed('siteId', held, displayName) : toId(held);
	});
	return await resolveId(context, id);
}
