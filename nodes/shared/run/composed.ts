import type { IDataObject } from 'n8n-workflow';
import type { Composed, Composing, Operation } from '../operation';
import { idsOf } from '../operation';
import { listsIn } from '../receive/dropped';
import { inOrder } from '../receive/order';
import { isRecord } from '../lib/isRecord';
import { accountOf } from '../client/request';
import type { CallContext } from '../n8n/context';
import type { Change, Done, Send } from './change';
import { count } from './count';
import { heldOf } from './held';
import { changeList, collectionIn, listPreview } from './listChange';
import { upsert, upsertPreview } from './upsert';

export { Stale } from './change';
export type { Change, Done } from './change';

/** An operation that takes several requests. */
export type ComposedOperation = Operation & { composed: Composed };

/** The items of an operation that only reads. */
export async function readComposed(
	at: Composing,
	operation: ComposedOperation,
): Promise<IDataObject[]> {
	const { composed } = operation;
	const records =
		composed.kind === 'reads' ? await composed.read(at) : [await count(at, operation)];
	return records.map(inOrder);
}

/** Makes the change of an operation. */
export async function makeComposed(
	at: Composing,
	operation: ComposedOperation,
	send: Send,
): Promise<Done> {
	const { composed } = operation;
	return composed.kind === 'list'
		? await changeList(at, operation, composed, send)
		: await upsert(at, operation, composed as never, send);
}

/** What an operation would send; undefined where it would change nothing. */
export async function changeOf(
	at: Composing,
	operation: ComposedOperation,
): Promise<Change | undefined> {
	const { composed } = operation;
	return composed.kind === 'list'
		? await listPreview(at, operation, composed)
		: await upsertPreview(at, operation, composed as never);
}

/** Has an update that sets a list anew wait for whoever adds to the list, and be known to them. */
export async function whileHeld<T>(
	context: CallContext,
	{ route, replacesLists }: Operation,
	{ ids, body }: { ids: Record<string, string>; body: unknown },
	update: () => Promise<T>,
): Promise<T> {
	const [sent] = Object.values((body ?? {}) as Record<string, IDataObject>);
	const id = ids[idsOf(route).at(-1) ?? ''];
	if (!replacesLists || id === undefined || !isRecord(sent) || listsIn(sent).length === 0)
		return await update();
	const { limiter } = await accountOf(context);
	const held = heldOf(limiter, collectionIn(route), id);
	return await held.alone(async () => {
		try {
			return await update();
		} finally {
			held.note();
		}
	});
}
