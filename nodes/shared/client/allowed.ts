import type { IDataObject } from 'n8n-workflow';
import { ACCESS_TODO, isAlsoAllowed, refusalOf, whyNot } from '../access/deed';
import type { Effect } from '../access/effects';
import { allowedBy, isLimited, notAmong } from '../access/credential';
import { perRecord } from '../lib';
import type { ApiRequest, CallContext } from '../n8n/context';
import { leaveTrace, operationError, TRACES } from '../n8n/context';
import { isShown, judge, refusedBy, taggedBy } from './judge';
import { flowOf } from './queue';
import { accountOf, lookIn, plain } from './request';

/** What a credential allows of a run, checked before the signer does. */

/** Refuses effects that the credential does not allow. @param what start of the message */
export async function requireAccess(
	context: CallContext,
	{ what, route }: { what: string; route: string },
	effects: readonly Effect[],
): Promise<void> {
	// Reads are always allowed; this saves n8n loading the credential.
	if (effects.every((effect) => effect === 'reads')) return;
	const { limits } = await accountOf(context);
	const lacking = whyNot(limits, effects);
	const [method, path] = route.split(' ') as [string, string];
	if (lacking === undefined || isAlsoAllowed(limits, method, path)) return;
	const why = `${what} is not allowed by ${limits.by}: ${lacking}`;
	throw operationError(context, why, ACCESS_TODO);
}

/** Refuses what the signer would refuse, for a preview, which signs nothing. */
export async function requirePermitted(context: CallContext, asked: ApiRequest): Promise<void> {
	const { limits } = await accountOf(context);
	if (!isLimited(limits)) return;
	const sent = { ...asked, body: plain(asked.body) };
	const refusal = refusalOf(limits, await judge(context, limits, sent, lookIn(context)));
	if (refusal) throw refusedBy(context.getNode(), refusal);
}

/** Sites that the credential allows; undefined for all. */
export async function allowedSites(context: CallContext): Promise<Set<string> | undefined> {
	const { limits } = await accountOf(context);
	if (!limits.only) return undefined;
	return allowedBy(limits.only, await taggedBy(context, limits, lookIn(context)));
}

/** Whether a record may be shown; `query` lets the service filter where it can. */
export type Shown = ((record: IDataObject) => boolean) & { query: IDataObject };

/** Filter for records that may be shown; undefined if all may. @param path of the list or the record */
export async function shownAt(context: CallContext, path: string): Promise<Shown | undefined> {
	const { only } = (await accountOf(context)).limits;
	const allowed = only && (await allowedSites(context));
	if (!allowed) return undefined;
	const byTag = path === '/sites' && only.sites.length === 0;
	const isAllowed = (record: IDataObject) => {
		const shown = isShown(allowed, path, record);
		if (!shown) logLeftOut(context, path);
		return shown;
	};
	return Object.assign(isAllowed, { query: byTag ? { 'filters[tags:in]': [...only.tags] } : {} });
}

/** @throws NodeOperationError if a record belongs to a site that the credential does not allow */
export async function requireShown(context: CallContext, path: string, records: IDataObject[]) {
	const isAllowed = await shownAt(context, path);
	if (!isAllowed || records.every(isAllowed)) return;
	const { by, only } = (await accountOf(context)).limits;
	const why = `GET ${path} is not allowed by ${by}: the site of the record ${notAmong(only!)}`;
	throw operationError(context, why, ACCESS_TODO);
}

const reportedBy = perRecord<object, Set<string>>(() => new Set());

/** Logs once that records were left out: the list itself does not show it. */
function logLeftOut(context: CallContext, path: string): void {
	const paths = reportedBy(flowOf(context));
	if (paths.has(path)) return;
	paths.add(path);
	const { name } = context.getNode();
	const line = `Records of ${path} that belong to other sites than the credential allows were left out`;
	if (!('getItemIndex' in context)) context.logger?.info(line, { node: name });
	else leaveTrace(context, { key: TRACES.limited, value: `${name}: ${path}`, line });
}
