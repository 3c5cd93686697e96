import type { IDataObject } from 'n8n-workflow';
import { isRecord } from './isRecord';

type Value = IDataObject[string];

/** The value at a path such as `wp.core.current_version`, mapped over lists; undefined where a part is missing. */
export const valueAt = (record: unknown, path: string): Value =>
	isRecord(record) ? path.split('.').reduce<Value>(partOf, record) : undefined;

function partOf(value: unknown, key: string): Value {
	if (typeof value !== 'object' || value === null) return undefined;
	if (Object.hasOwn(value, key)) return Reflect.get(value, key);
	return Array.isArray(value) ? value.flatMap((each) => partOf(each, key) ?? null) : undefined;
}
