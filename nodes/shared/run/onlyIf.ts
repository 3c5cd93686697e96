import type { IDataObject } from 'n8n-workflow';
import { SiteUrl } from '../input/id';
import { shown } from '../input/refusal';
import { cancelSignal } from '../n8n/context';
import { type Check, CHECKED, checkName, CHECKS } from '../input/controls';
import { deletedBy, identifyingFields } from '../receive/output';
import { caselessForm, clock, nameForm, textsIn, valueAt } from '../lib';
import { withAddresses } from '../receive/messages';
import { onlyReads } from '../operation';
import { checkedBy, identifyingPlaces } from '../operation/targets';
import { FRESH_MS } from '../client/exchange';
import { refused } from './change';
import { type ItemRequest, requestOf, requireAccessTo, type Work } from './itemRequest';
import { named } from './inWords';
import { finderFor, overwritten, targetRecord, wholeList } from './names';

function isMatch(check: Check, wanted: unknown, found: string): boolean {
	if (wanted instanceof SiteUrl) return wanted.isOf(SiteUrl.parse(found));
	const form = (text: unknown) => (check === 'email' ? caselessForm(text) : nameForm(text));
	return form(wanted) === form(found);
}

/** Checks access, looks up the records that the item names, and builds its request. */
export async function prepare(work: Work): Promise<ItemRequest> {
	const { operation, input, progress } = work;
	const { preview } = input.settings;
	// A change was checked before the lookup of names.
	if (!progress.isChange || preview === true) await requireAccessTo(work);
	const item = await requestOf(work);
	if (progress.isChange) await readDeleted(item);
	if (preview === true) await checkOnlyIf(item);
	else if (!onlyReads(operation) && (item.byUrl.length > 0 || checksOf(item).length > 0)) {
		item.before = async () => await checkBefore(item);
	}
	return item;
}

/** Runs directly before a change and before each retry: sites chosen By URL are still the same, and Only If holds. */
async function checkBefore(item: ItemRequest): Promise<void> {
	for (const found of item.byUrl) {
		if (clock.now() - found.at <= FRESH_MS) continue;
		const now = await finderFor(item.context, true)(found.site);
		if (now !== found.id) {
			const url = shown(found.site.text);
			const why = `: the URL ${url} now belongs to the site ${now}, no longer to ${found.id}`;
			throw refused(item, why, 'Check the site.');
		}
		found.at = clock.now();
	}
	await checkOnlyIf(item, true);
}

/** What an item checks: all that is set. */
const checksOf = ({ settings }: ItemRequest): Check[] =>
	CHECKS.filter((check) => settings[checkName(check)] !== undefined);

/** Checks the records of an operation if Only If is set. @throws NodeOperationError if one is a different record */
async function checkOnlyIf(item: ItemRequest, fresh = false): Promise<void> {
	const { operation, ids, body } = item;
	const { guards } = operation;
	const inBody = guards && textsIn(valueAt(body, guards.place)).map((id) => ({ [guards.id]: id }));
	for (const each of inBody ?? [ids]) await checkRecord(item, each, fresh);
}

async function checkRecord(item: ItemRequest, ids: ItemRequest['ids'], fresh: boolean) {
	const { context, operation, body, settings } = item;
	const { overwrites, guards } = operation;
	const checks = checksOf(item);
	const checked = checkedBy(operation);
	if (!checked || checks.length === 0) return;
	const { id, label, target } = checked;
	const isUnique = checks.includes('name') && !target.sharesNames;
	// Read the list first, so that the record is read directly before the change.
	const all = isUnique ? await wholeList(context, id, ids) : [];
	const url = overwrites && valueAt(body, overwrites);
	const found = overwrites
		? await overwritten(context, url, fresh)
		: [await targetRecord(context, id, ids, fresh)].filter((each) => each !== undefined);
	const [record] = found;
	const places = identifyingPlaces(target).map((place) => [place, textAt(record, place) ?? null]);
	const isOne = record && found.length === 1;
	const given = overwrites ? shown(url) : ids[id];
	const name = isOne ? named({ ...Object.fromEntries(places), id: record.id }) : given;
	const differs = (why: string, check?: Check) => {
		const todo = `Check the ${label}${check ? `, or Only If ${CHECKED[check]}` : ''}.`;
		return refused(item, ` by Only If: the ${label} ${name} ${why}`, todo);
	};
	if (!record) throw differs('was not returned by the service for this ID');
	if (!isOne) throw differs(`is more than one site: ${withAddresses(found)}`);
	for (const check of checks) {
		const values = [settings[checkName(check)]].flat();
		const text = textAt(record, target[check]);
		if (text !== undefined && values.some((value) => isMatch(check, value, text))) continue;
		const asked = values.map((value) => shown(value instanceof SiteUrl ? value.text : value));
		const what = check === 'url' ? 'URL' : check;
		const has = text === undefined ? `has no ${what}, not` : `has another ${what} than`;
		throw differs(`${has} ${asked.join(' or ')}`, check);
	}
	const own = textAt(record, target.name);
	const hasName = (each: IDataObject) => isMatch('name', own, textAt(each, target.name) ?? '');
	const others = all.filter((each) => String(each.id) !== String(record.id) && hasName(each));
	if (others.length > 0) {
		const namesakes = withAddresses([record, ...others]);
		throw differs(`is not the only one with the name ${shown(own)}: ${namesakes}`, 'name');
	}
	if (!overwrites && !guards) item.known = identifyingFields(operation, checked, record);
}

/** The fields of a record that is deleted, for the output; null if it cannot be read. Only If reads it later. */
async function readDeleted(item: ItemRequest): Promise<void> {
	const { context, operation, ids } = item;
	const deleted = deletedBy(operation);
	if (!deleted || checksOf(item).length > 0) return;
	const record = await targetRecord(context, deleted.id, ids).catch(() => undefined);
	cancelSignal(context)?.throwIfAborted();
	item.known = identifyingFields(operation, deleted, record);
}

function textAt(record: IDataObject | undefined, place = '') {
	const value = valueAt(record, place);
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
