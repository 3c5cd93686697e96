import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { toList } from '../list';

/** The fields of a simplified record: output name -> path in the record, such as `wp.core.current_version`. */
export type Simplified = Record<string, string>;

/** Gives a record in the form that the Output parameter asks for; action nodes and triggers alike have one. */
export type Shape = (
	context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>,
	record: IDataObject,
) => IDataObject;

export const whole: Shape = (_, record) => record;

/** Reads the Output parameter: Simplified, Raw or Selected Fields. */
export function simplified(fields: Simplified): Shape {
	return (context, record) => {
		const output = context.getNodeParameter('output', 'simplified');
		if (output === 'raw') return record;
		if (output === 'selected')
			return pick(record, toList(context.getNodeParameter('outputFields')));
		return Object.fromEntries(
			Object.entries(fields).map(([name, path]) => [name, valueAt(record, path) ?? null]),
		);
	};
}

/** Gives fields other names: `{ url: 'sso_login_url' }`. */
export function renamed(names: Record<string, string>): Shape {
	return (_, record) =>
		Object.fromEntries(Object.entries(record).map(([name, value]) => [names[name] ?? name, value]));
}

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
