import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { wireName, type Settings } from '../input/field';
import { isList, isPlain, isRecord, mapValues, recordIn, textsIn, valueAt } from '../lib';
import type { ApiResponse, CallContext } from '../n8n/context';
import { idsOf, type Answer, type Operation, type Output, type Simplified } from '../operation';
import { checkedBy, identifyingPlaces, type Checked } from '../operation/targets';
import { recordNameOf, singular } from '../vocabulary/words';
import { isConfirmation, type BulkAnswer } from './answer';

/** An item of output before it is paired with its input. */
export type Item = Pick<INodeExecutionData, 'json' | 'binary'> & {
	/** Whether it is a note to a model about the records. */
	isNote?: true;
};

/** The IDs of a request by their names in the route; `known`: the fields that identify its record, from Only If. */
export interface AskedIds {
	ids: Record<string, string>;
	body: unknown;
	known?: IDataObject;
}

type Called = Pick<Operation, 'route' | 'answer'>;

/** Whether an operation returns the record of the last ID in its route. */
export const isOwn = ({ route, answer }: Called): boolean =>
	answer.kind === 'nothing' ||
	answer.kind === 'wait' ||
	(answer.kind === 'file' && /\}\/[\w-]+$/.test(route)) ||
	(answer.kind === 'record' && answer.wrapper === recordNameOf(route));

/** The IDs of a route by their names in records: `{ site_id: … }`. */
export const idFields = (ids: Record<string, string>): Record<string, string> =>
	Object.fromEntries(Object.entries(ids).map(([name, id]) => [wireName(name), id]));

/** The IDs of the route that records do not have as `id`; of a task, also the IDs in the body. */
export function aboveOf(operation: Called, { ids, body }: AskedIds): IDataObject {
	const all = Object.entries(idFields(ids));
	const above = isOwn(operation) ? all.slice(0, -1) : all;
	if (operation.answer.kind !== 'task') return Object.fromEntries(above);
	// Such as `{ report: { site_id: … } }`.
	const sent = Object.entries(recordIn(Object.values(recordIn(body))[0]));
	const inBody = sent.filter(([name]) => name === 'site_id' || name === 'snapshot_id');
	return Object.fromEntries([...above, ...inBody]);
}

/** Adds the IDs of the route to a record, after its own ID. */
export function below(above: IDataObject, record: IDataObject): IDataObject {
	const { id, ...rest } = record;
	return id === undefined ? { ...above, ...rest } : { id, ...above, ...rest };
}

/** Makes the output of a record, in action nodes and triggers. */
export type Shape = (record: IDataObject) => IDataObject;

/** The output of an operation's records, with the IDs of the route; Raw is the record of the service. */
export function shaped(operation: Called, settings: Settings, asked: AskedIds): Shape {
	const { answer } = operation;
	const output = 'output' in answer ? answer.output : undefined;
	const above = aboveOf(operation, asked);
	const others = output ? above : { ...above, ...asked.known };
	const form = output
		? simplified(output.simplified, settings, [], output.named)
		: (record: IDataObject) => fieldsOf(record, answer);
	return (record) => {
		if (answer.kind === 'record' && isConfirmation(record)) {
			if (Object.keys(above).length === 0 || isOwn(operation)) return record;
			// Its ID is that of another record.
			const states = flattened(answer.proves ?? {}, answer.renamed);
			return { ...above, ...states, success: record.success };
		}
		return output && settings.output === 'raw' ? record : arranged(settings, others, form(record));
	};
}

/** The fields of a record without a choice of output. */
function fieldsOf(record: IDataObject, answer: Answer): IDataObject {
	if (answer.kind === 'bulk') return outcome(answer, record);
	const { kind } = answer;
	const isOfService = kind === 'list' || kind === 'records' || kind === 'record';
	return isOfService ? flattened(record, answer.renamed) : record;
}

/** Reads fields that records lack, if the chosen output has one of them. */
export const completing =
	(context: CallContext, { completion }: Partial<Output>, { output, outputFields }: Settings) =>
	async (records: IDataObject[]): Promise<IDataObject[]> => {
		const chosen = output === 'selected' ? textsIn(outputFields) : completion?.fields;
		const isAsked = output !== 'raw' && completion?.fields.some((name) => chosen?.includes(name));
		return completion && isAsked ? await completion.read(context, records) : records;
	};

/** Adds other fields to a record, and sorts them unless the user chose Raw or Selected Fields. */
export const arranged = ({ output }: Settings, others: IDataObject, record: IDataObject) =>
	output === 'raw' || output === 'selected'
		? below(others, record)
		: inOrder({ ...others, ...record });

/** Identifying fields for the output: `title` of the record itself, `site_title` of one above it. */
export function identifyingFields(
	operation: Called,
	{ id, target }: Checked,
	record?: IDataObject,
): IDataObject {
	const isItself = isOwn(operation) && id === idsOf(operation.route).pop();
	const prefix = isItself ? '' : wireName(id).replace(/id$/, '');
	const places = identifyingPlaces(target);
	return Object.fromEntries(
		places.map((place) => [`${prefix}${place.replace('.', '_')}`, valueAt(record, place) ?? null]),
	);
}

/** The record that an operation deletes, if one read identifies it. */
export function deletedBy(operation: Operation): Checked | undefined {
	const checked = checkedBy(operation);
	const isItself = checked?.id === idsOf(operation.route).pop();
	const isRead = operation.answer.kind === 'nothing' && checked?.target.path.endsWith('}');
	return isRead && isItself ? checked : undefined;
}

/** Whether the output of a change gets title and URL of its site. */
export const lacksSite = (record: IDataObject): boolean =>
	Object.hasOwn(record, 'site_id') && !Object.hasOwn(record, 'site_title');

/** The field for the outcome of each ID, by the wrapper of the answer. */
const DONE: Record<string, string> = {
	assign: 'assigned',
	delete: 'deleted',
	remove: 'removed',
	send_email: 'sent',
	skip: 'skipped',
	sync: 'synced',
};

/** The field for an ID, by the list of IDs in the body. */
export const idFieldOf = (ids: string) => (ids === 'tables' ? 'name' : singular(ids));

/** The outcome of an ID: `{ site_id, assigned: true, success: true }`. */
const outcome = ({ wrapper, ids }: BulkAnswer, { id, ...rest }: IDataObject): IDataObject => ({
	...(id !== undefined && { [idFieldOf(ids)]: id }),
	[DONE[wrapper]!]: rest.success,
	...rest,
});

/** Output by the parameter Output. Selected Fields knows the fields of `named` by name, and keeps those `added`. */
export function simplified(
	fields: Simplified,
	{ output, outputFields }: Settings,
	added: string[] = [],
	named = fields,
): Shape {
	if (output === 'raw') return (record) => record;
	const isSelected = output === 'selected';
	const shape = isSelected
		? selected(named, textsIn(outputFields))
		: (record: IDataObject) => mapValues(fields, (from) => fieldOf(record, from));
	return (record) => {
		const kept = added.filter((name) => name in record).map((name) => [name, record[name] ?? null]);
		const result: IDataObject = { ...Object.fromEntries(kept), ...shape(record) };
		return isSelected ? result : inOrder(result);
	};
}

/** A field of the output; null if it is missing or cannot be calculated. */
function fieldOf(record: IDataObject, from: Simplified[string]) {
	const value = typeof from === 'string' ? valueAt(record, from) : from(record);
	return Number.isNaN(value) ? null : (value ?? null);
}

/** Selected fields, and paths such as `connection.status`, under the names that Simplified has for them. */
function selected(fields: Simplified, wanted: string[]): Shape {
	const names = new Map<unknown, string>();
	for (const [name, from] of Object.entries(fields)) {
		if (!names.has(from) || from === name) names.set(from, name);
	}
	return (record) =>
		Object.fromEntries(
			wanted.map((path) =>
				Object.hasOwn(fields, path) && !Object.hasOwn(record, path)
					? [path, fieldOf(record, fields[path]!)]
					: [names.get(path) ?? path.replaceAll('.', '_'), openAt(record, path) ?? null],
			),
		);
}

/** The value at a path without the secrets in it, unless the path itself names a secret. */
function openAt(record: IDataObject, path: string): unknown {
	const isNamed = path.split('.').some((name) => isSecretAt(name, '', false));
	return isNamed ? valueAt(record, path) : open(valueAt(record, path));
}

/** A copy without secrets. */
function open(value: unknown): unknown {
	if (isList(value)) return value.map(open);
	if (!isRecord(value)) return value;
	return Object.fromEntries(openEntries(value).map(([name, each]) => [name, open(each)]));
}

const openEntries = (record: IDataObject) =>
	Object.entries(record).filter(([name, value]) => !isSecretAt(name, value, false));

/** A record without nesting and secrets: `{ user: { name } }` becomes `user_name`; `names` has other new names. */
export function flattened(record: IDataObject, names: Record<string, string> = {}): IDataObject {
	const entries = openEntries(record).flatMap(([name, value]) =>
		isRecord(value)
			? Object.entries(flattened(value)).map(([inner, each]) => [`${name}_${inner}`, each] as const)
			: [[name, value] as const],
	);
	return Object.fromEntries(entries.map(([name, value]) => [names[name] ?? name, value]));
}

/** The first columns of a table: titles and addresses, then states and results. */
const FIRST = [
	...['event', 'title', 'name', 'content', 'object_type', 'event_type', 'event_text'],
	...['company_name', 'first_name', 'last_name'],
	...['schedule_name', 'type_name', 'task_type_name', 'site_title', 'path', 'url', 'site_url'],
	...['sso_login_url', 'email', 'recipient'],
	...['reason', 'status', 'task_status', 'in_progress', 'error'],
	...['hours_since', 'hours_left', 'count', 'deleted', 'success', 'code', 'message'],
];

/** An ID with the name of its record: `client_id`, `tag_ids`. */
const ID = /^(.+)_ids?$/;

/** A field that describes the record of an ID, such as `client_name`. */
const NAME = /_(names?|titles?|urls?|emails?)$/;

/** Sorts the fields of an item for a table: titles, states, times, IDs with the names of their records, others. */
export function inOrder(record: IDataObject): IDataObject {
	const names = Object.keys(record);
	const ownerOf = (name: string) => ID.exec(name)?.[1] ?? name.replace(NAME, '');
	const owners = names.filter((name) => ID.test(name)).map(ownerOf);
	const sorted = [
		...FIRST.filter((name) => Object.hasOwn(record, name)),
		...names.filter((name) => /_(status|error)$/.test(name)),
		...names.filter((name) => /(^timestamp|_(at|on|since|date))$/.test(name)),
		...names.filter((name) => name === 'id'),
		...owners.flatMap((owner) => names.filter((name) => ownerOf(name) === owner)),
		...names,
	];
	return Object.fromEntries(sorted.map((name) => [name, record[name]]));
}

/** Replaces a secret in a response or a preview. */
export const BLANK = '********';

/** Fields below FTP credentials that are not secret. The reference names none of these fields. */
const OPEN = /^(host|hostname|port|protocol|user|username|name|database|path|url|http_auth)$/i;

/** Whether a field is a secret. `isBelow`: it is in an object with secrets, where any other object has some, too. */
const isSecretAt = (name: string, value: unknown, isBelow: boolean) =>
	/password|credentials|secret|token/i.test(name) ||
	(isBelow && (typeof value === 'object' || !OPEN.test(name)));

/** A copy of a value in which `change` has replaced each leaf. */
export function withLeaves(
	value: unknown,
	change: (leaf: unknown, isSecret: boolean) => unknown,
	isSecret = false,
): unknown {
	if (Array.isArray(value)) return value.map((each) => withLeaves(each, change, isSecret));
	if (!isRecord(value)) return change(value, isSecret);
	return mapValues(value, (each, key) => withLeaves(each, change, isSecretAt(key, each, isSecret)));
}

/** The secrets in a body or a query. */
export function secretsIn(value: unknown): string[] {
	const found: string[] = [];
	withLeaves(value, (leaf, isSecret) => {
		if (isSecret && (typeof leaf === 'string' || typeof leaf === 'number')) found.push(`${leaf}`);
	});
	// Shorter texts are in any message.
	return found.filter((secret) => secret.length >= 3);
}

/** Removes the passwords from a response, for a credential that may not read them. */
export function withoutSecrets(answer: ApiResponse): ApiResponse {
	const { body } = answer;
	// A file is a stream.
	if (!Array.isArray(body) && !isPlain(body)) return answer;
	const blank = (leaf: unknown, isSecret: boolean) =>
		isSecret && typeof leaf === 'string' ? BLANK : leaf;
	return { ...answer, body: withLeaves(body, blank) as ApiResponse['body'] };
}
