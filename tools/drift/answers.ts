import type { Answer, Output } from '../../nodes/shared/operation/index';
import { keyIn } from '../../nodes/shared/vocabulary/words';
import { anyValue, listOf, objectOf, put, type Value } from './value';

/** What the nodes take as the answer of an operation. */
export interface ExpectedAnswer {
	/** Whether it is JSON, a file, or has no content. */
	kind: 'file' | 'json' | 'nothing';
	/** The only media type that a file can have. */
	mediaType?: string;
	/** The JSON. */
	value?: Value;
}

const json = (value: Value): ExpectedAnswer => ({ kind: 'json', value });
const wrapped = (wrapper: string, value: Value) => json(objectOf({ [wrapper]: value }));

/** As `nodes/shared/receive/answer.ts` reads it. */
export function answerOf(answer: Answer): ExpectedAnswer {
	switch (answer.kind) {
		case 'list': {
			const pagination = objectOf({ totalPages: { type: 'number' } });
			const records = listOf(recordOf(keyIn(answer.wrapper), answer.output));
			return json(objectOf({ [answer.wrapper]: records, meta: objectOf({ pagination }) }));
		}
		case 'records':
			return wrapped(answer.wrapper, listOf(recordOf(keyIn(answer.wrapper), answer.output)));
		case 'record': {
			const record = recordOf(answer.needs ?? 'id', answer.output);
			return answer.wrapper ? wrapped(answer.wrapper, record) : json(record);
		}
		case 'bulk': {
			const results = objectOf({ [answer.ids]: listOf(anyValue), errors: listOf(anyValue) });
			return wrapped(answer.wrapper, results);
		}
		case 'task':
			return wrapped('task', objectOf({ id: anyValue, status: anyValue }));
		case 'wait':
			return wrapped('task', recordOf('id', answer.output));
		case 'sync':
			return wrapped('sync', objectOf({ snapshot_id: anyValue }));
		case 'file':
			return { kind: 'file', mediaType: answer.file.mediaType };
		case 'nothing':
			return { kind: 'nothing' };
		case 'any':
		case 'made':
			return json(anyValue);
	}
}

/** A record with the field that it must have, and those that the outputs Simplified and Selected Fields offer. */
function recordOf(needed: string, output?: Output): Value {
	const record = objectOf({ [needed]: anyValue });
	if (!output) return record;
	record.isWhole = true;
	const { fields, simplified, named = simplified, completion } = output;
	// What Simplified makes of a record, or looks up for it, is no field of it.
	const isOwn = (field: string) => !completion?.fields.includes(field);
	const own = fields.filter(
		(field) => isOwn(field) && [field, undefined].includes(named[field] as string),
	);
	for (const field of own) put(record, field, anyValue);
	for (const from of Object.values(simplified)) {
		if (typeof from === 'string' && isOwn(from))
			put(record, from.replace(/\.length$/, ''), anyValue);
	}
	for (const part of record.parts!.values()) markLists(part);
	return record;
}

/** A path looks into lists, too: `sites.title` is the title of each. */
function markLists(value: Value): void {
	if (value.type === 'object') value.mayBeList = true;
	for (const part of value.parts?.values() ?? []) markLists(part);
}
