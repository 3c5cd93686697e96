import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { clock, DAY_MS } from '../shared/lib';
import type { Composing } from '../shared/operation';
import type { Row } from './find';
import { found } from './find';
import type { Versions } from './versions';

/** Component: Find. All input items are the rows, so the first item returns all sites. */
export async function findInRows({ context, settings }: Composing): Promise<IDataObject[]> {
	if (context.getItemIndex() > 0) return [];
	const items = context.getExecuteData().data.main?.[0] ?? [];
	const rows = items.map(({ json }) => json).filter((json): json is Row => isRow(json));
	if (rows.length === 0) {
		throw new NodeOperationError(context.getNode(), 'No input item is a row of a component', {
			itemIndex: 0,
			description: 'Connect the output of Component: Get Many, or rows of it from a table.',
		});
	}
	const { componentName, componentVersions, maxAgeDays = 3 } = settings;
	return found(rows, {
		name: String(componentName),
		versions: componentVersions as Versions,
		maxAgeMs: Number(maxAgeDays) * DAY_MS,
		now: clock.now(),
	});
}

const isRow = ({ site_id: id, version, reason }: IDataObject) =>
	typeof id === 'string' && id !== '' && (version !== undefined || reason !== undefined);
