import type { IDataObject } from 'n8n-workflow';

/** The value at a path such as `wp.core.current_version`, of each record of a list; undefined where a part is missing. */
export function valueAt(record: unknown, path: string): IDataObject[string] {
	return path.split('.').reduce<unknown>(partOf, record) as IDataObject[string] | undefined;
}

function partOf(value: unknown, key: string): unknown {
	if (typeof value !== 'object' || value === null) return undefined;
	if (Object.hasOwn(value, key)) return (value as IDataObject)[key];
	return Array.isArray(value) ? value.flatMap((each) => partOf(each, key) ?? null) : undefined;
}
