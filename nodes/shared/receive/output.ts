import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Settings } from '../input/field';
import { wireName } from '../input/field';
import { isList, isRecord, valueAt } from '../lib/records';
import type { CallContext } from '../n8n/context';
import type { Answer, Operation, Output, Simplified } from '../operation';
import { recordNameOf, singular } from '../vocabulary/words';
import { isWithoutRecord } from './answer';
import { inOrder } from './order';
import { isSecretAt } from './secrets';

/** An item of output before it is paired with its input. */
export type Item = Pick<INodeExecutionData, 'json' | 'binary'> & {
	/** Whether it is no record, but a note to a model about them. */
	isNote?: true;
};

/** What an item asked for. */
export interface AskedIds {
	/** The ids of the route, by their names in it. */
	ids: Record<string, string>;
	/** What was sent. */
	body: unknown;
	/** What distinguishes the record from others, where Only If has looked at it. */
	known?: IDataObject;
}

/** Whether an operation returns the record of the last id in its route. */
export const isOwn = ({ route, answer }: Pick<Operation, 'route' | 'answer'>): boolean =>
	answer.kind === 'nothing' ||
	answer.kind === 'wait' ||
	(answer.kind === 'file' && /\}\/[\w-]+$/.test(route)) ||
	(answer.kind === 'record' && answer.wrapper === recordNameOf(route));

/** The ids above what an operation returns, under their names in records: `{ site_id: … }`. */
export function aboveOf(
	operation: Pick<Operation, 'route' | 'answer'>,
	{ ids, body }: Pick<AskedIds, 'ids' | 'body'>,
): IDataObject {
	const all = Object.entries(ids).map(([name, id]) => [wireName(name), id] as const);
	const above = Object.fromEntries(isOwn(operation) ? all.slice(0, -1) : all);
	return operation.answer.kind === 'task' ? { ...above, ...idsIn(body) } : above;
}

/** The ids that a task is started for, where they are in the body: `{ report: { site_id: … } }`. */
function idsIn(body: unknown): IDataObject {
	const [sent] = isRecord(body) ? Object.values(body) : [];
	const entries = isRecord(sent) ? Object.entries(sent) : [];
	return Object.fromEntries(
		entries.filter(([name]) => name === 'site_id' || name === 'snapshot_id'),
	);
}

/** A record with the ids above it, which come after its own id. */
export function below(above: IDataObject, record: IDataObject): IDataObject {
	const { id, ...rest } = record;
	return id === undefined ? { ...above, ...rest } : { id, ...above, ...rest };
}

/** Gives a record the form that is asked for, in action nodes and triggers. */
export type Shape = (record: IDataObject) => IDataObject;

/** The form of an operation's records, with the ids above them; Raw stays as the service gave it. */
export function shaped(
	operation: Pick<Operation, 'route' | 'answer'>,
	settings: Settings,
	asked: AskedIds,
): Shape {
	const above = aboveOf(operation, asked);
	const shape = shapeOf(operation.answer, settings, above, asked.known);
	return (record) =>
		isWithoutRecord(record) ? confirmed(operation, record, above) : shape(record);
}

function shapeOf(
	answer: Answer,
	settings: Settings,
	above: IDataObject,
	known?: IDataObject,
): Shape {
	const arranged = arrangedBy(settings);
	if ('output' in answer && answer.output) {
		if (settings.output === 'raw') return (record) => record;
		const form = simplified(answer.output.simplified, settings, [], answer.output.named);
		return (record) => arranged(above, form(record));
	}
	switch (answer.kind) {
		case 'list':
		case 'records':
		case 'record':
			return (record) => inOrder({ ...above, ...known, ...flattened(record, answer.renamed) });
		case 'bulk':
			return (record) => inOrder({ ...above, ...known, ...outcome(answer, record) });
		default:
			return (record) => arranged({ ...above, ...known }, record);
	}
}

/** Reads what records lack, where the chosen form has it. */
export const completing =
	(context: CallContext, { completion }: Partial<Output>, { output, outputFields }: Settings) =>
	async (records: IDataObject[]): Promise<IDataObject[]> => {
		const chosen = output === 'selected' ? namesIn(outputFields) : completion?.fields;
		const isAsked = output !== 'raw' && completion?.fields.some((name) => chosen?.includes(name));
		return completion && isAsked ? await completion.read(context, records) : records;
	};

/** Whether the user has chosen the fields, or all of them as they are. */
const hasChosen = ({ output }: Settings) => output === 'raw' || output === 'selected';

/** Adds other fields to a record, in order where the user has not chosen the fields. */
export const arrangedBy = (settings: Settings) =>
	hasChosen(settings)
		? below
		: (others: IDataObject, record: IDataObject) => inOrder({ ...others, ...record });

/** The item of a change whose response has no record: with the ordered states, where the id is not its own. */
function confirmed(
	operation: Pick<Operation, 'route' | 'answer'>,
	record: IDataObject,
	above: IDataObject,
): IDataObject {
	const { answer } = operation;
	if (answer.kind !== 'record' || Object.keys(above).length === 0 || isOwn(operation))
		return record;
	return { ...above, ...flattened(answer.proves ?? {}, answer.renamed), success: record.success };
}

/** What became of each id, by the wrapper of the answer. */
const DONE: Record<string, string> = {
	assign: 'assigned',
	delete: 'deleted',
	remove: 'removed',
	send_email: 'sent',
	skip: 'skipped',
	sync: 'synced',
};

/** The field of a record that a list of ids in a body names; `ids` are those of the records themselves. */
const NAMED: Record<string, string> = { ids: 'id', tables: 'name' };

/** What became of an id: `{ site_id, assigned: true, success: true }`. */
function outcome(
	{ wrapper, ids }: { wrapper: string; ids: string },
	{ id, ...rest }: IDataObject,
): IDataObject {
	const done = DONE[wrapper];
	return {
		...(id !== undefined && { [NAMED[ids] ?? singular(ids)]: id }),
		...(done !== undefined && { [done]: rest.success }),
		...rest,
	};
}

/**
 * By the parameter Output: Simplified, Raw or Selected Fields.
 * @param added what is beside the fields of the record, and stays in any case
 * @param named what Selected Fields knows by name
 */
export function simplified(
	fields: Simplified,
	settings: Settings,
	added: string[] = [],
	named = fields,
): Shape {
	const { output, outputFields } = settings;
	if (output === 'raw') return (record) => record;
	const kept = (record: IDataObject) =>
		flat(added.filter((name) => name in record).map((name) => [name, name]))(record);
	if (output === 'selected') {
		const chosen = selected(named, namesIn(outputFields));
		return (record) => ({ ...kept(record), ...chosen(record) });
	}
	const all = flat(Object.entries(fields));
	return (record) => inOrder({ ...kept(record), ...all(record) });
}

const namesIn = (value: unknown) => (isList(value) ? value.map(String) : []);

type Entry = [name: string, from: Simplified[string]];

const flat =
	(entries: Entry[]): Shape =>
	(record) =>
		Object.fromEntries(
			entries.map(([name, from]) => {
				const value = typeof from === 'string' ? valueAt(record, from) : from(record);
				// What cannot be counted is blank, too.
				return [name, Number.isNaN(value) ? null : (value ?? null)];
			}),
		) as IDataObject;

/**
 * Only what is named: fields and paths such as `connection.status`, under the name that Simplified has for them, and
 * what only Simplified has.
 */
function selected(fields: Simplified, wanted: string[]): Shape {
	const names = new Map<unknown, string>();
	for (const [name, from] of Object.entries(fields)) {
		if (!names.has(from) || from === name) names.set(from, name);
	}
	return (record) =>
		Object.fromEntries(
			wanted.map((path): [string, IDataObject[string]] => {
				if (Object.hasOwn(fields, path) && !Object.hasOwn(record, path)) {
					return [path, flat([[path, fields[path]!]])(record)[path]];
				}
				return [names.get(path) ?? path.replaceAll('.', '_'), openAt(record, path) ?? null];
			}),
		);
}

/** The value at a path, without the secrets in it; one that the path names is meant. */
function openAt(record: IDataObject, path: string): IDataObject[string] {
	const value = valueAt(record, path);
	const isNamed = path.split('.').some((name) => isSecretAt(name, '', false));
	return isNamed ? value : (open(value) as IDataObject[string]);
}

function open(value: unknown): unknown {
	if (isList(value)) return value.map(open);
	return isRecord(value)
		? Object.fromEntries(openEntries(value).map(([name, each]) => [name, open(each)]))
		: value;
}

const openEntries = (record: IDataObject) =>
	Object.entries(record).filter(([name, value]) => !isSecretAt(name, value, false));

/**
 * A record without nesting and without secrets: `{ user: { name } }` gives `user_name`.
 * @param names new names of fields: `{ url: 'sso_login_url' }`
 */
export function flattened(record: IDataObject, names: Record<string, string> = {}): IDataObject {
	const flat = openEntries(record).flatMap(([name, value]) =>
		isRecord(value)
			? Object.entries(flattened(value)).map(([inner, each]) => [`${name}_${inner}`, each] as const)
			: [[name, value] as const],
	);
	return Object.fromEntries(flat.map(([name, value]) => [names[name] ?? name, value]));
}
