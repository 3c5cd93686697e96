import type { INodeExecutionData } from 'n8n-workflow';
import { otherItem } from '../../../nodes/shared/run/otherItem';
import { itemsOf } from '../../support/items';

/** The input of an item that n8n has not handed in yet, by its own contexts. */

const properties = [{ displayName: 'Name', name: 'name', type: 'string' as const, default: '' }];

it('expressions are those of the other item, and its own ones stay', () => {
	const { items } = itemsOf({ parameters: { name: '={{ $itemIndex }}' }, properties, count: 3 });
	const other = otherItem(items[0]!, 2)!;
	expect([other.getItemIndex(), other.getNodeParameter('name')]).toEqual([2, 2]);
	expect([items[0]!.getItemIndex(), items[0]!.getNodeParameter('name')]).toEqual([0, 0]);
});

it('files are those of the other item', () => {
	const binary = { data: { mimeType: 'image/png', data: '' } };
	const { items } = itemsOf({ count: 2, binary });
	const first = items[0]!.getInputData() as INodeExecutionData;
	first.binary = { data: { mimeType: 'text/plain', data: '' } };
	expect(otherItem(items[0]!, 1)!.helpers.assertBinaryData('data').mimeType).toBe('image/png');
	expect(() => otherItem(items[0]!, 1)!.helpers.assertBinaryData('none')).toThrow('none');
});
