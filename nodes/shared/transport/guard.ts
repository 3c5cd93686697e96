import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { SiteUrl } from '../input/id';
import type { Settings } from '../input/field';
import type { LocatorName } from '../input/locators';
import { shown } from '../input/refusal';
import { checkName } from '../input/safety';
import { valueAt } from '../receive/output';
import type { Operation } from '../operation';
import type { Check, Target } from '../targets';
import { checkedBy, CHECKS, targets } from '../targets';
import { listAll } from './paging';
import { fillPath } from './path';
import { recordOf } from './record';
import { Run } from './run';

type Context = IExecuteSingleFunctions;

type Ids = Record<string, string>;

/** The record of an id, read once in a run, however many items are about it. */
export async function targetRecord(
	context: Context,
	id: LocatorName,
	ids: Ids,
): Promise<IDataObject | undefined> {
	const target = targets[id];
	if (!target) return undefined;
	const url = fillPath(target.path, ids);
	if (!target.isListed) {
		const read = async () => await recordOf(context, url);
		return await Run.current(context).once(`record ${url}`, read);
	}
	const all = await wholeList(context, url);
	return all.find((record) => String(record.id) === ids[id]);
}

/** All records of a list, read once in a run. */
export async function wholeList(context: Context, url: string): Promise<IDataObject[]> {
	const read = async () => await listAll(context, { method: 'GET', url });
	return await Run.current(context).once(`list ${url}`, read);
}

const sameText = (wanted: unknown, found: string) => String(wanted).trim() === found.trim();

/** Whether a record has what Only If wants. */
const IS: Record<Check, (wanted: unknown, found: string) => boolean> = {
	url: (wanted, found) => (wanted as SiteUrl).isOf(SiteUrl.parse(found)),
	name: sameText,
	email: (wanted, found) => sameText(String(wanted).toLowerCase(), found.toLowerCase()),
};

/**
 * Looks at the record that an operation is for, where the user wants that.
 * @throws NodeOperationError when it is another one than wanted
 */
export async function checkOnlyIf(
	context: Context,
	{ route, labels }: Operation,
	ids: Ids,
	settings: Settings,
): Promise<void> {
	const wanted = CHECKS.filter((check) => settings[checkName(check)] !== undefined);
	const checked = checkedBy(route);
	if (wanted.length === 0 || !checked) return;
	const { id, target } = checked;
	const record = await targetRecord(context, id, ids);
	const refused = (why: string) =>
		new NodeOperationError(
			context.getNode(),
			`${labels.name} was refused by Only If: the ${target.label} ${ids[id]} ${why}`,
			{
				itemIndex: context.getItemIndex(),
				description: 'Check that the ID is the one you mean. Nothing was changed by this item.',
			},
		);
	// A provider stands for its saved destination.
	const isAsked = id === 'backupDestinationId' || String(record?.id) === ids[id];
	if (!isAsked) throw refused('is not what the service gave for that ID');
	for (const check of wanted) {
		const value = settings[checkName(check)];
		const found = textAt(record, target, check);
		if (found !== undefined && IS[check](value, found)) continue;
		const text = value instanceof SiteUrl ? value.text : value;
		const is = found === undefined ? `has no ${check}` : `has the ${check} ${shown(found)}`;
		throw refused(`${is}, not ${shown(text)}`);
	}
}

function textAt(record: IDataObject | undefined, target: Target, check: Check): string | undefined {
	const value = record && valueAt(record, target[check] ?? '');
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
