import type { IDataObject } from 'n8n-workflow';
import { wireName } from '../input/field';
import { isRecord } from '../lib/isRecord';
import type { Operation } from '../operation';
import { recordNameOf } from '../vocabulary/collections';

/** What is known of an item before the answer: what was asked for. */
export interface AskedIds {
	/** The ids of the route, by their names in it. */
	ids: Record<string, string>;
	/** What was sent. */
	body: unknown;
	/** What tells the record from others, where Only If has looked at it. */
	known?: IDataObject;
}

/** Whether what an operation gives is the record of the last id in its route. */
export const isOwn = ({ route, answer }: Pick<Operation, 'route' | 'answer'>): boolean =>
	answer.kind === 'nothing' ||
	answer.kind === 'wait' ||
	(answer.kind === 'file' && /\}\/[\w-]+$/.test(route)) ||
	(answer.kind === 'record' && answer.wrapper === recordNameOf(route));

/** The ids above what an operation gives, under the names that records have for them: `{ site_id: … }`. */
export function aboveOf(
	operation: Pick<Operation, 'route' | 'answer'>,
	{ ids, body }: Pick<AskedIds, 'ids' | 'body'>,
): IDataObject {
	const all = Object.entries(ids).map(([name, id]) => [wireName(name), id] as const);
	const above = Object.fromEntries(isOwn(operation) ? all.slice(0, -1) : all);
	return operation.answer.kind === 'task' ? { ...above, ...idsIn(body) } : above;
}

/** The ids of what a task is started for, where its route has none: `{ report: { site_id: … } }`. */
function idsIn(body: unknown): IDataObject {
	const [sent] = isRecord(body) ? Object.values(body) : [];
	const entries = isRecord(sent) ? Object.entries(sent) : [];
	return Object.fromEntries(
		entries.filter(([name]) => name === 'site_id' || name === 'snapshot_id'),
	);
}

/** A record with the ids above it, after its own one. */
export function below(above: IDataObject, record: IDataObject): IDataObject {
	const { id, ...rest } = record;
	return id === undefined ? { ...above, ...rest } : { id, ...above, ...rest };
}
