import type { IDataObject } from 'n8n-workflow';
import type { Settings } from '../input/field';
import type { Answer, Simplified } from '../operation';

/** Gives a record in the form that is asked for; action nodes and triggers alike have one. */
export type Shape = (record: IDataObject) => IDataObject;

/** The form of an operation's records. */
export function shaped(answer: Answer, settings: Settings): Shape {
	if ('output' in answer && answer.output) return simplified(answer.output.simplified, settings);
	const names = answer.kind === 'record' ? answer.renamed : undefined;
	return names ? renamed(names) : (record) => record;
}

/**
 * By the parameter Output: Simplified, Raw or Selected Fields.
 * @param added what is beside the fields of the record, and stays in any case
 */
export function simplified(
	fields: Simplified,
	{ output, outputFields }: Settings,
	added: string[] = [],
): Shape {
	if (output === 'raw') return (record) => record;
	const kept = (record: IDataObject) => added.filter((name) => name in record);
	if (output === 'selected') {
		return (record) => pick(record, [...kept(record), ...(outputFields as string[])]);
	}
	return (record) => ({ ...pick(record, kept(record)), ...flat(record, fields) });
}

function flat(record: IDataObject, fields: Simplified): IDataObject {
	const entries = Object.entries(fields).map(([name, from]) => {
		const value = typeof from === 'string' ? valueAt(record, from) : from(record);
		// What cannot be counted is blank, too.
		return [name, Number.isNaN(value) ? null : (value ?? null)];
	});
	return Object.fromEntries(entries) as IDataObject;
}

/** Gives fields other names: `{ url: 'sso_login_url' }`. */
const renamed =
	(names: Record<string, string>): Shape =>
	(record) =>
		Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value]));

function pick(record: IDataObject, fields: string[]): IDataObject {
	return Object.fromEntries(fields.map((field) => [field, record[field] ?? null]));
}

/** The value at a path such as `wp.core.current_version`; undefined where a part of it is missing. */
export function valueAt(record: IDataObject, path: string): IDataObject[string] {
	return path
		.split('.')
		.reduce<unknown>((value, key) => (value as IDataObject | null | undefined)?.[key], record) as
		IDataObject[string] | undefined;
}
