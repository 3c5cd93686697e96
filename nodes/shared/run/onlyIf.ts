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
import { listAll, listWhole } from '../client/paging';
import { recordOf } from '../client/record';
import { sharedReads } from '../client/sharedReads';
import type { ItemRequest } from './progress';
import { resolveId, sitesAt } from './names';

type Ids = Record<string, string>;

/**
 * The record of an id, read once in a run, however many items are about it.
 * @param anew whether what was read earlier in the run is of no use: before a change
 */
export async function targetRecord(
	context: ItemContext,
	id: LocatorName,
	ids: Ids,
	anew = false,
): Promise<IDataObject | undefined> {
	const target = targets[id];
	if (!target) return undefined;
	const url = fillPath(target.path, ids);
	if (!target.isListed) {
		const { alsoBy } = target;
		const read = async () => await recordOf(context, url, { alsoBy });
		return anew ? await read() : await sharedReads(context).get(`record ${url}`, read);
	}
	const all = await wholeList(context, { ...target, path: url }, anew);
	return all.find((record) => String(record.id) === ids[id]);
}

/** All records of the kind of a target, read once in a run. @param anew see `targetRecord` */
export async function wholeList(
	context: ItemContext,
	{ path, isUnpaged }: Target,
	anew = false,
): Promise<IDataObject[]> {
	const url = path.replace(/\/\{\w+\}$/, '');
	const readAll = isUnpaged ? listWhole : listAll;
	const read = async () => await readAll(context, { method: 'GET', url });
	return anew ? await read() : await sharedReads(context).get(`list ${url}`, read);
}

/**
 * The sites at the address that an operation overwrites. Of one that the service does not know, such as a server
 * outside the account, the address is all there is.
 * @param place of the address in the body
 */
export async function overwritten(
	context: ItemContext,
	place: string,
	body: unknown,
	anew = false,
): Promise<IDataObject[]> {
	const url = valueAt(body, place);
	const wanted = SiteUrl.parse(url);
	const sites = wanted ? await sitesAt(context, wanted, anew) : [];
	return sites.length > 0 ? sites : [{ url }];
}

const sameText = (wanted: unknown, found: string) => nameForm(wanted) === nameForm(found);

/** Whether a record has what Only If wants. */
const IS: Record<Check, (wanted: unknown, found: string) => boolean> = {
	url: (wanted, found) => (wanted as SiteUrl).isOf(SiteUrl.parse(found)),
	name: sameText,
	email: (wanted, found) => sameText(String(wanted).toLowerCase(), found.toLowerCase()),
};

const wantedOf = ({ settings }: ItemRequest) => {
	const check = settings[onlyIf('', []).name] as Check | 'none' | undefined;
	return check === undefined || check === 'none' ? undefined : check;
};

/**
 * What has to be looked at directly before a change, and again before it is sent again.
 * @returns undefined where there is nothing to look at
 */
export function lookBefore(
	context: ItemContext,
	operation: Operation,
	asked: ItemRequest,
): (() => Promise<void>) | undefined {
	const { byUrl } = asked;
	if (byUrl.length === 0 && !wantedOf(asked)) return undefined;
	return async () => {
		for (const found of byUrl) {
			if (clock.now() - found.at <= FRESH_MS) continue;
			await sameSite(context, operation, found);
			found.at = clock.now();
		}
		await checkOnlyIf(context, operation, asked, true);
	};
}

async function sameSite(
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
 * Looks at the record that an operation is for, where the user wants that.
 * @param anew see `targetRecord`
 * @throws NodeOperationError when it is another one than wanted
 */
export async function checkOnlyIf(
	context: ItemContext,
	operation: Operation,
	asked: ItemRequest,
	anew = false,
): Promise<void> {
	const check = wantedOf(asked);
	const checked = checkedBy(operation);
	if (!check || !checked) return;
	const { target } = checked;
	// First: nothing may come between the look at the record and the change.
	const all = check === 'name' && !target.sharesNames ? await wholeList(context, target) : [];
	const { name, record, problem } = await endangered(context, operation, asked, anew);
	const refused = (why: string) =>
		refusal(
			context,
			`${operation.labels.name} was refused by Only If: the ${target.label} ${name} ${why}`,
		);
	if (problem) throw refused(problem);
	const value = asked.settings[checkName(check)];
	const found = textAt(record, target, check);
	if (found !== undefined && IS[check](value, found)) {
		const isOther = (each: IDataObject) =>
			String(each.id) !== String(record!.id) && IS.name(value, textAt(each, target, 'name') ?? '');
		const others = all.filter(isOther);
		if (others.length > 0) {
			throw refused(
				`is not the only one with the name ${shown(found)}: ${withAddresses([record!, ...others])}`,
			);
		}
		if (!operation.overwrites) asked.known = knownOf(operation, checked, record!);
		return;
	}
	const text = value instanceof SiteUrl ? value.text : value;
	const is = found === undefined ? `has no ${check}` : `has the ${check} ${shown(found)}`;
	throw refused(`${is}, not ${shown(text)}`);
}

interface Endangered {
	/** The id, or the address. */
	name: string;
	record?: IDataObject;
	/** Why it is not known which record it is. */
	problem?: string;
}

async function endangered(
	context: ItemContext,
	operation: Operation,
	{ ids, body }: ItemRequest,
	anew: boolean,
): Promise<Endangered> {
	if (operation.overwrites) {
		const found = await overwritten(context, operation.overwrites, body, anew);
		const name = shown(valueAt(body, operation.overwrites));
		if (found.length === 1) return { name, record: found[0] };
		return { name, problem: `is more than one site: ${withAddresses(found)}` };
	}
	const { id } = checkedBy(operation)!;
	const name = ids[id]!;
	const record = await targetRecord(context, id, ids, anew);
	return {
		name,
		record,
		...(!record && { problem: 'was not returned by the service for this ID' }),
	};
}

/** What tells a record from others: `title` of the one that the output is about, `site_title` of one above it. */
function knownOf(
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
