import type { IDataObject } from 'n8n-workflow';
import { mapValues } from '../../../nodes/shared/lib';

/** In which form a service tells times: as the reference has it, or otherwise. */
export type TimesAs = 'iso' | 'seconds' | 'milliseconds';

const isTime = (name: string) => /(_at|_on|^timestamp)$/.test(name);

/** A copy with each time in another form. */
function eachTime(value: unknown, form: (time: unknown) => unknown): unknown {
	if (Array.isArray(value)) return value.map((each) => eachTime(each, form));
	if (typeof value !== 'object' || value === null) return value;
	return mapValues(value as IDataObject, (each, name) =>
		isTime(name) ? form(each) : eachTime(each, form),
	);
}

/** What the service answers with, in the form that it tells times in. */
export function inForm<T>(body: T, times: TimesAs): T {
	if (times === 'iso') return body;
	return eachTime(body, (time) => {
		if (typeof time !== 'string') return null;
		const ms = Date.parse(time);
		return times === 'seconds' ? Math.floor(ms / 1_000) : ms;
	}) as T;
}

/** What came out of n8n, with the times that the records have in the model. */
export function fromForm(item: IDataObject, times: TimesAs, text: (ms: number) => string) {
	if (times === 'iso') return item;
	return eachTime(item, (time) => {
		if (time === null || time === undefined) return time;
		if (typeof time !== 'number') return text(Date.parse(String(time)));
		return text(times === 'seconds' ? time * 1_000 : time);
	}) as IDataObject;
}
