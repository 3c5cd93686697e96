import { read } from '../client/request';
import { recordIn, valueAt } from '../lib';
import type { CallContext } from '../n8n/context';
import { orUnread } from '../receive/errors';

/** Numbers of files and folders, and their size, below a path of a snapshot; undefined where they cannot be read. @param url of the files of a site */
export async function folderTotals(
	context: CallContext,
	url: string,
	path: string,
	snapshotId: string,
): Promise<number[] | undefined> {
	const asked = { url: `${url}/stats`, qs: { path, snapshot_id: snapshotId } };
	const body = await orUnread(read(context, asked, (answer) => answer.body as unknown));
	const { files, folders, size } = recordIn(valueAt(body, 'stats'));
	const totals = [files, folders, size].map((each) => valueAt(each, 'total'));
	return totals.every((each) => typeof each === 'number') ? totals.map(Number) : undefined;
}
