import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { locators } from '../describe/locators';
import { heldIn } from '../locator';
import { findSiteByUrl, isSiteUrl } from './siteByUrl';

const PARAMETER = /\{(\w+)\}/g;

/** The ids that a path asks for, read and checked, by parameter name. */
export type Ids = Array<{ name: string; value: string; isUrl: boolean }>;

/**
 * Reads the ids of a path such as `/sites/{siteId}/notes/{noteId}` from the resource locators of those names.
 * @throws NodeOperationError naming the parameter when an id is blank, `.` or `..`
 */
export function readIds(context: IExecuteSingleFunctions, template: string): Ids {
	return [...template.matchAll(PARAMETER)].map(([, name = '']) => {
		const { text, isUrl } = heldIn(context.getNodeParameter(name, ''));
		const problem = problemWith(text, isUrl);
		if (problem) {
			const label = locators[name]?.displayName ?? name;
			throw new NodeOperationError(context.getNode(), `The ${label} ${problem}`, {
				itemIndex: context.getItemIndex(),
				description: `Set the parameter "${label}"; if it is an expression, check what it gives for this item. Nothing was sent.`,
			});
		}
		return { name, value: text, isUrl };
	});
}

function problemWith(text: string, isUrl: boolean): string | undefined {
	if (!text) return 'is empty';
	if (isUrl) return isSiteUrl(text) ? undefined : `"${text}" is not a URL`;
	return text === '.' || text === '..' ? `"${text}" is not an ID` : undefined;
}

/**
 * Puts ids into a path, percent-encoded; sites chosen by URL are looked up first.
 * @returns the path, and the id that it ends with
 */
export async function fillPath(
	context: IExecuteSingleFunctions,
	template: string,
	ids: Ids,
): Promise<{ url: string; lastId?: string }> {
	let url = template;
	let lastId: string | undefined;
	for (const { name, value, isUrl } of ids) {
		lastId = isUrl ? await findSiteByUrl(context, value) : value;
		url = url.replace(`{${name}}`, encodeURIComponent(lastId));
	}
	return { url, lastId };
}
