import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { ItemContext } from '../n8n/context';
import { SiteUrl } from '../input/id';
import { wireName } from '../input/field';
import type { LocatorName } from '../input/locators';
import { shown } from '../input/refusal';
import type { Check } from '../input/controls';
import { checkName, CHECKS, onlyIf } from '../input/controls';
import { isOwn } from '../receive/output';
import { valueAt } from '../lib/records';
import { withAddresses } from '../receive/messages';
import { nameForm } from '../lib/texts';
import type { Operation } from '../operation';
import { fillPath, idsOf } from '../operation';
import type { Target } from '../operation/targets';
import { checkedBy, targets } from '../operation/targets';
import { clock } from '../client/clock';
import { FRESH_MS } from '../client/exchange';
import { listAll, listWhole, recordOf } from '../client/records';
import { sharedReads } from '../client/sharedReads';
import type { ItemRequest } from './progress';
import { resolveId, sitesAt } from './names';

type Ids = Record<string, string>;

/**
 * The record of an ID, read once per run.
 * @param fresh whether to bypass the cache of the run, as before a change
 */
export async function targetRecord(
	context: ItemContext,
	id: LocatorName,
	ids: Ids,
	fresh = false,
): Promise<IDataObject | undefined> {
	const target = targets[id];
	if (!target) return undefined;
	const url = fillPath(target.path, ids);
	if (!target.isListed) {
		const { alsoBy } = target;
		const read = async () => await recordOf(context, url, { alsoBy });
		return fresh ? await read() : await sharedReads(context).get(`record ${url}`, read);
	}
	const all = await wholeList(context, { ...target, path: url }, fresh);
	return all.find((record) => String(record.id) === ids[id]);
}

/** All records in the list of a target, read once per run. @param fresh see `targetRecord` */
export async function wholeList(
	context: ItemContext,
	{ path, isUnpaged }: Target,
	fresh = false,
): Promise<IDataObject[]> {
	const url = path.replace(/\/\{\w+\}$/, '');
	const readAll = isUnpaged ? listWhole : listAll;
	const read = async () => await readAll(context, { method: 'GET', url });
	return fresh ? await read() : await sharedReads(context).get(`list ${url}`, read);
}

/**
 * Sites at the address that an operation overwrites; only the address if it is outside the account.
 * @param place place of the address in the body
 */
export async function overwritten(
	context: ItemContext,
	place: string,
	body: unknown,
	fresh = false,
): Promise<IDataObject[]> {
	const url = valueAt(body, place);
	const wanted = SiteUrl.parse(url);
	const sites = wanted ? await sitesAt(context, wanted, fresh) : [];
	return sites.length > 0 ? sites : [{ url }];
}

const sameText = (wanted: unknown, found: string) => nameForm(wanted) === nameForm(found);

/** Whether the value of a record matches Only If. */
const MATCHES: Record<Check, (wanted: unknown, found: string) => boolean> = {
	url: (wanted, found) => (wanted as SiteUrl).isOf(SiteUrl.parse(found)),
	name: sameText,
	email: (wanted, found) => sameText(String(wanted).toLowerCase(), found.toLowerCase()),
};

const checkOf = ({ settings }: ItemRequest) => {
	const check = settings[onlyIf('', []).name] as Check | 'none' | undefined;
	return check === undefined || check === 'none' ? undefined : check;
};

/**
 * The check directly before a change and before each retry.
 * @returns undefined if there is nothing to check
 */
export function checkBefore(
	context: ItemContext,
	operation: Operation,
	asked: ItemRequest,
): (() => Promise<void>) | undefined {
	const { byUrl } = asked;
	if (byUrl.length === 0 && !checkOf(asked)) return undefined;
	return async () => {
		for (const found of byUrl) {
			if (clock.now() - found.at <= FRESH_MS) continue;
			await requireSameSite(context, operation, found);
			found.at = clock.now();
		}
		await checkOnlyIf(context, operation, asked, true);
	};
}

async function requireSameSite(
	context: ItemContext,
	{ labels }: Operation,
	{ site, id }: ItemRequest['byUrl'][number],
): Promise<void> {
	const now = await resolveId(context, site, true);
	if (now === id) return;
	throw refusal(
		context,
		`${labels.name} was refused: the URL ${shown(site.text)} now belongs to the site ${now}, no longer to ${id}`,
	);
}

const refusal = (context: ItemContext, message: string) =>
	new NodeOperationError(context.getNode(), message, {
		itemIndex: context.getItemIndex(),
		description: 'Check that the ID is the one you mean. Nothing was changed by this item.',
	});

/**
 * Checks the record of an operation if the user has set Only If.
 * @param fresh see `targetRecord`
 * @throws NodeOperationError if it is a different record
 */
export async function checkOnlyIf(
	context: ItemContext,
	operation: Operation,
	asked: ItemRequest,
	fresh = false,
): Promise<void> {
	const check = checkOf(asked);
	const checked = checkedBy(operation);
	if (!check || !checked) return;
	const { target } = checked;
	// Read the list first, so that the record is read directly before the change.
	const all = check === 'name' && !target.sharesNames ? await wholeList(context, target) : [];
	const { name, record, problem } = await recordToCheck(context, operation, asked, fresh);
	const refusedBecause = (why: string) =>
		refusal(
			context,
			`${operation.labels.name} was refused by Only If: the ${target.label} ${name} ${why}`,
		);
	if (problem) throw refusedBecause(problem);
	const value = asked.settings[checkName(check)];
	const found = textAt(record, target, check);
	if (found !== undefined && MATCHES[check](value, found)) {
		const isOther = (each: IDataObject) =>
			String(each.id) !== String(record!.id) &&
			MATCHES.name(value, textAt(each, target, 'name') ?? '');
		const others = all.filter(isOther);
		if (others.length > 0) {
			throw refusedBecause(
				`is not the only one with the name ${shown(found)}: ${withAddresses([record!, ...others])}`,
			);
		}
		if (!operation.overwrites) asked.known = identifyingFields(operation, checked, record!);
		return;
	}
	const text = value instanceof SiteUrl ? value.text : value;
	const is = found === undefined ? `has no ${check}` : `has the ${check} ${shown(found)}`;
	throw refusedBecause(`${is}, not ${shown(text)}`);
}

interface Checked {
	/** The ID or the address. */
	name: string;
	record?: IDataObject;
	/** Why the record cannot be known. */
	problem?: string;
}

async function recordToCheck(
	context: ItemContext,
	operation: Operation,
	{ ids, body }: ItemRequest,
	fresh: boolean,
): Promise<Checked> {
	if (operation.overwrites) {
		const found = await overwritten(context, operation.overwrites, body, fresh);
		const name = shown(valueAt(body, operation.overwrites));
		if (found.length === 1) return { name, record: found[0] };
		return { name, problem: `is more than one site: ${withAddresses(found)}` };
	}
	const { id } = checkedBy(operation)!;
	const name = ids[id]!;
	const record = await targetRecord(context, id, ids, fresh);
	return {
		name,
		record,
		...(!record && { problem: 'was not returned by the service for this ID' }),
	};
}

/** Identifying fields for the output: `title` of the record itself, `site_title` of one above it. */
function identifyingFields(
	operation: Operation,
	{ id, target }: { id: LocatorName; target: Target },
	record: IDataObject,
): IDataObject {
	const isItself = isOwn(operation) && id === idsOf(operation.route).pop();
	const prefix = isItself ? '' : wireName(id).replace(/id$/, '');
	const places = CHECKS.flatMap((check) => target[check] ?? []);
	const entries = places.map((place) => [
		`${prefix}${place.replaceAll('..', '_')}`,
		valueAt(record, place) ?? null,
	]);
	return Object.fromEntries(entries) as IDataObject;
}

function textAt(record: IDataObject | undefined, target: Target, check: Check): string | undefined {
	const value = record && valueAt(record, target[check] ?? '');
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
