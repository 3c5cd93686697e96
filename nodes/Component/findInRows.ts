import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { clock, DAY_MS } from '../shared/lib';
import type { Composing } from '../shared/operation';
import type { Row } from './find';
import { found, rowsIn } from './find';
import type { Versions } from './versions';

/** Component: Find. If the parameter sets no rows, all input items are the rows, and the first item returns all sites. */
export async function findInRows({ context, settings }: Composing): Promise<IDataObject[]> {
	const { componentName, componentVersions, maxAgeDays = 3, rows: given } = settings;
	if (!given && context.getItemIndex() > 0) return [];
	const items = context.getExecuteData().data.main?.[0] ?? [];
	const rows = rowsIn(given ?? items).filter((row): row is Row => isRow(row));
	if (rows.length === 0) {
		const what = given ? 'No entry of "Rows"' : 'No input item';
		throw new NodeOperationError(context.getNode(), `${what} is a row of a component`, {
			itemIndex: context.getItemIndex(),
			description: 'Connect the output of Component: Get Many, or rows of it from a table.',
		});
	}
	return found(rows, {
		name: String(componentName),
		versions: componentVersions as Versions,
		maxAgeMs: Number(maxAgeDays) * DAY_MS,
		now: clock.now(),
	});
}

const isRow = ({ site_id: id, version, reason }: IDataObject) =>
	typeof id === 'string' && id !== '' && (version !== undefined || reason !== undefined);
