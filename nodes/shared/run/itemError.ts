import { type IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { looksLikeId } from '../input/id';
import { shown } from '../input/refusal';
import { capital, valueAt } from '../lib';
import type { ItemContext } from '../n8n/context';
import { detailsOf, type ErrorDetails, mayBeApplied } from '../receive/errors';
import { blanker, type Outcome } from '../receive/messages';
import { clientName } from '../resources/outputs';
import type { ItemWork } from './itemRequest';
import { targetRecord } from './names';

/** The error of an item, with `details` as data. Always a new object, since items may share the original error. */
export async function itemError(work: ItemWork, error: unknown): Promise<NodeApiError> {
	const { context, run } = work;
	const { isChange, secrets, what } = work.progress;
	const keepsGoing = context.continueOnFail();
	// n8n reports the error after all items have ended; its number of changes must be right then.
	if (isChange && !keepsGoing) await run.idle;
	const failure = copyOf(context, error, secrets);
	failure.message = blanker(secrets)(await namingSites(work, failure));
	if (what) failure.message = failure.message.replace(/^[A-Z]+ \S+(?= is not allowed by )/, what);
	const details = detailsFor(work, error);
	failure.context.details = details;
	if (run.total > 1) {
		failure.message += ` (${placeOf(run, details, isChange && !keepsGoing)})`;
		// Hide n8n's index, which counts from 0: the panel would show a second number. n8n sets it again.
		const hidden = { get: () => undefined, set: () => undefined, configurable: true };
		Object.defineProperty(failure.context, 'itemIndex', hidden);
	}
	const isOnlyOne = run.total === 1 || (!keepsGoing && isChange && run.made === 0);
	const isUntouched = isOnlyOne && isChange && ['refused', 'notSent'].includes(details.outcome);
	const description = failure.description ?? '';
	if (isUntouched && !description.includes('Nothing was')) {
		failure.description = `${description} Nothing was changed.`.trim();
	} else {
		const sent = isOnlyOne && !run.hasSent ? 'sent.' : 'sent for this item.';
		failure.description = description.replace('Nothing was sent.', `Nothing was ${sent}`);
	}
	return failure;
}

export function detailsFor({ context, progress }: ItemWork, error: unknown): ErrorDetails {
	const { isChange, isSent, verifyAt: path } = progress;
	const found = detailsOf(error);
	// A failure before sending is a failed lookup, unless an earlier try sent the change.
	const isBefore = isChange && !isSent && !mayBeApplied(error);
	const other: Outcome = isSent ? 'unknown' : 'notSent';
	const outcome = isBefore ? 'notSent' : (found?.outcome ?? other);
	const verifyAt = found?.verifyAt ?? (isChange && outcome === 'unknown' ? path : undefined);
	const item = context.getItemIndex() + 1;
	return { ...found, outcome, item, ...(verifyAt !== undefined && { verifyAt }) };
}

/** The failed item, and where to run again: n8n's own Retry would send all items again. */
function placeOf(run: ItemWork['run'], details: ErrorDetails, ends: boolean): string {
	const { total, made, outcomes } = run;
	const { item: number = 0, outcome } = details;
	const place = `item ${number} of ${total}`;
	if (!ends) return place;
	const some = made === 1 ? '1 change was made' : `${made} changes were made`;
	if (outcome === 'started') return `${place}; ${some} in total: do not run those items again`;
	if (made === 0) return outcome === 'notSent' ? place : `${place}; nothing was changed before it`;
	// A bad item of a later batch can prevent changes of earlier items.
	const again = `${place}; ${some} before it: run again`;
	if (outcome !== 'unknown') return `${again} from item ${outcomes.size + 1}`;
	const next = number < total ? `from item ${number + 1}, or ` : '';
	return `${again} ${next}from item ${number} if this one was not applied`;
}

function copyOf(context: ItemContext, error: unknown, secrets: string[]): NodeApiError {
	const blank = blanker(secrets);
	const { message = String(error), stack } = (error ?? {}) as Partial<Error>;
	const isOfNode = error instanceof NodeApiError || error instanceof NodeOperationError;
	const text = blank(message);
	const texts = {
		message: text || undefined,
		description: isOfNode ? blank(error.description ?? '') : undefined,
		httpCode: error instanceof NodeApiError ? (error.httpCode ?? undefined) : undefined,
	};
	const copy = new NodeApiError(context.getNode(), {}, texts);
	// n8n replaces a message that contains the code of a network error.
	copy.message = text || copy.message;
	copy.messages = [];
	copy.stack = stack && blank(stack);
	if (!isOfNode) return copy;
	copy.context = { ...error.context };
	// The end of the rate limit; older versions of n8n do not have this field.
	return 'failure' in error ? Object.assign(copy, { failure: error.failure }) : copy;
}

const MAX_READ = 3;

/** The message of a refusal, with the sites that it is about by title and address. Reads them only for this. */
async function namingSites(work: ItemWork, { message, httpCode }: NodeApiError): Promise<string> {
	const { siteId, isChange, needsBackups } = work.progress;
	// Each item may cost a request.
	if (work.run.total > (isChange ? 10 : 1)) return message;
	if (!['404', '409', '422'].includes(String(httpCode))) return message;
	const read = async (id: string) =>
		await targetRecord(work.context, 'siteId', { siteId: id }).catch(() => undefined);
	const [, reason = '', path = ''] = /^(.*?)( \(\/[^()]*\))?$/s.exec(message) ?? [];
	const isId = (id: string) => looksLikeId('siteId', id) && id !== siteId;
	const ids = httpCode === '422' ? (reason.match(/[\da-f-]{10,}/gi) ?? []).filter(isId) : [];
	const all = [...new Set(ids)];
	const taken: string[] = [];
	let named = reason;
	for (const id of all.slice(0, MAX_READ)) {
		const site = await read(id);
		const owner = site && clientName(site);
		if (owner && /another client/i.test(reason)) {
			const label = `${shown(site.title)} (${String(site.url)}, ${id})`;
			taken.push(`the site ${label} belongs to the client ${shown(owner)}`);
		} else if (site) {
			const ofOwner = owner ? `, of the client ${shown(owner)}` : '';
			named = named.replaceAll(id, `${labelOf(site)} (${id}${ofOwner})`);
		}
	}
	if (taken.length > 0) {
		const sites = [...taken, ...all.slice(MAX_READ)];
		const them = sites.length > 1 ? 'them' : 'it';
		return `${capital(sites.join('; '))}. Remove ${them} there first: Client: Remove Sites`;
	}
	const isOfSite = siteId && looksLikeId('siteId', siteId) && path !== ` (/sites/${siteId})`;
	const site = isOfSite && (await read(siteId));
	if (!site) return named + path;
	const isOff = httpCode === '422' && needsBackups && valueAt(site, 'backups.enabled') === false;
	const off = isOff ? '; the backups of this site are off: turn them on with Backup: Enable' : '';
	return `${named} (site ${labelOf(site)})${off}${path}`;
}

const labelOf = ({ title, url }: IDataObject) => `${shown(title)}, ${String(url)}`;
