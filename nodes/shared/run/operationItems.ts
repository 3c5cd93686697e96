import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../input/field';
import { locators } from '../input/locators';
import { sayingMoved } from '../document/moved';
import { naming, refuse } from '../input/refusal';
import { readInput } from '../input/request';
import { isTool, type ItemContext } from '../n8n/context';
import type { Operation, Output, Resource } from '../operation';
import {
	effectsOf,
	fullName,
	idsOf,
	needsBackups,
	needsConfirmation,
	whereToVerify,
} from '../operation';
import type { Item, Shape } from '../receive/output';
import { arranged, completing, lacksSite, secretsIn, shaped } from '../receive/output';
import { shownAt } from '../client/allowed';
import { composedItems, previewItem } from './composed';
import { fileOf, inTurn, type ItemRequest, type ItemsOf, sentBy, type Work } from './itemRequest';
import { confirmed } from './confirmation';
import { withListLock } from './listChange';
import { prepare } from './onlyIf';
import { itemsFor, listItems, outcomesForModel } from './outputItems';
import { siteNames } from './relatedNames';
import { finished, startedBy } from './wait';

export const operationItems =
	(resources: Resource[]): ItemsOf =>
	async (work) => {
		const { context, progress } = work;
		const { resource, operation } = operationOf(context, resources);
		progress.isChange = !operation.route.startsWith('GET ');
		progress.what = fullName(resource, operation);
		progress.needsBackups = needsBackups(resource, operation);
		const input = readInput(context, parametersOf(operation));
		progress.secrets = [...secretsIn(input.qs), ...secretsIn(input.body)];
		const verifyAt = whereToVerify(resources, operation);
		const about = { ...work, resource, operation, verifyAt };
		const isRisky = () => needsConfirmation(operation, effectsOf(operation, input.body));
		const make = async () => {
			const items = itemsOf({ ...about, input });
			return await items.catch(async (error) => await sayingMoved(context, operation.route, error));
		};
		if (!isTool(context) || input.settings.preview === true || !isRisky()) return await make();
		const asked = [operation.route, operation.labels.value, input];
		const preview = async () => {
			const again = readInput(context, parametersOf(operation));
			const settings = { ...again.settings, preview: true };
			const [shown] = await itemsOf({ ...about, input: { ...again, settings } });
			return shown!.json;
		};
		return await confirmed(work, asked, preview, make);
	};

/** The output of an item. Reads run at once, changes in their turn; empty if another change has failed. */
async function itemsOf(work: Work): Promise<Item[]> {
	const { operation, input } = work;
	const { answer, composed } = operation;
	if (input.settings.preview === true) return [{ json: await previewItem(await prepare(work)) }];
	if (composed) return await composedItems(work, composed);
	if (answer.kind === 'file') {
		const item = await prepare(work);
		return [await work.run.downloads.run(async () => await fileOf(answer.file, item))];
	}
	if (answer.kind === 'list') return await recordItems(work, answer.output);
	return await answerItems(work);
}

async function recordItems(work: Work, output: Partial<Output> = {}): Promise<Item[]> {
	const item = await prepare(work);
	const { context, operation, settings, url } = item;
	const options = {
		max: settings.returnAll ? Infinity : Number(settings.limit ?? Infinity),
		complete: completing(context, output, settings),
		shape: shapeOf(item),
		keep: operation.touches === 'listed' ? await shownAt(context, url) : undefined,
	};
	return await listItems(context, sentBy(item), options, item);
}

/** Result of one request, or of the task that it starts. */
async function answerItems(work: Work): Promise<Item[]> {
	const { context, operation, progress } = work;
	const { answer } = operation;
	const send = async () => {
		const item = await prepare(work);
		return { item, records: await withListLock(item, async () => await startedBy(item)) };
	};
	const sent = progress.isChange ? await inTurn(work, send) : await send();
	if (!sent) return [];
	const { item } = sent;
	const ended = await finished(item, sent.records);
	const { output = {} } = 'output' in answer ? answer : {};
	const records = await completing(context, output, item.settings)(ended);
	const outcomes = records.map(shapeOf(item));
	const isForModel = answer.kind === 'bulk' && isTool(context);
	const shown = isForModel ? outcomesForModel(outcomes, answer.ids, item.names) : outcomes;
	return itemsFor(context, progress.isChange ? await withSites(item, shown) : shown, item);
}

/** Adds title and URL of their sites to the output of a change, unless the user chose its fields. */
async function withSites({ context, settings }: ItemRequest, records: IDataObject[]) {
	if (settings.output === 'raw' || settings.output === 'selected') return records;
	const lacking = records.filter(lacksSite).map((record) => record.site_id);
	if (lacking.length === 0) return records;
	const named = await siteNames(context, lacking);
	return records.map((record) =>
		lacksSite(record) ? arranged(settings, named(record.site_id), record) : record,
	);
}

/** Gives records their form, with the looked-up snapshot unless the record is that snapshot. */
function shapeOf(item: ItemRequest): Shape {
	const { operation, settings, chosen } = item;
	const shape = shaped(operation, settings, item);
	return (record) => {
		const json = shape(record);
		const isOther = chosen.snapshot_id !== undefined && chosen.snapshot_id !== json.id;
		return isOther ? arranged(settings, chosen, json) : json;
	};
}

function operationOf(context: ItemContext, resources: Resource[]) {
	const { parameters: chosen } = context.getNode();
	const resource = resources.find(({ value }) => value === chosen.resource);
	const operation = resource?.operations.find(({ labels }) => labels.value === chosen.operation);
	if (resource && operation) return { resource, operation };
	return naming(context, resource ? 'Operation' : 'Resource', () =>
		refuse('is unknown. Choose one from the list'),
	);
}

const parametersOf = ({ route, fields }: Operation): Field[] => [
	...idsOf(route).map((name) => ({
		...locators[name],
		target: { type: 'path' as const, property: name },
	})),
	...fields,
];
