import type { IBinaryData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';

/**
 * The context of another item of the same run, to read its input before n8n has made one: that of an item at hand
 * with another index.
 * @returns undefined where n8n's contexts do not work like that
 */
export function otherItem(context: ItemContext, index: number): ItemContext | undefined {
	const binary = context.getExecuteData().data.main?.[0]?.[index]?.binary;
	const assertBinaryData = (name: string): IBinaryData => {
		const found = binary?.[name];
		if (found) return found;
		throw new NodeOperationError(context.getNode(), `There is no binary field "${name}"`);
	};
	const other = Object.create(context, {
		itemIndex: { value: index },
		helpers: { value: { ...context.helpers, assertBinaryData } },
	}) as ItemContext;
	return other.getItemIndex() === index ? other : undefined;
}
