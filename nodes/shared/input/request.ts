import type { IDataObject } from 'n8n-workflow';
import { recordIn, textsIn } from '../lib/isRecord';
import type { ItemContext } from '../n8n/context';
import type { Field, Settings } from './field';
import type { Reference } from './id';
import { isReference, referencesIn } from './id';
import { merged } from './json';
import type { Setting } from './read';
import { readFields, settingsIn } from './read';
import { naming, refuse, shown } from './refusal';
import { NewestSnapshot } from './snapshot';
import { hidingSecrets, holderOf } from './value';

/** An ID in the path. A URL, a name or a newest snapshot is looked up when the request is sent. */
export type PathId = string | Reference | NewestSnapshot;

/** A value that is set right before the request is sent, once all items are checked. */
export type Deferred = { set: (value: unknown) => void } & (
	| { binaryField: string; mimeType: string }
	/** A value whose references are replaced by IDs. */
	| { named: unknown }
	/** `siteId` returns the site next to it in the body. */
	| { snapshot: NewestSnapshot; siteId: () => unknown }
);

/** The request that an item asks for. */
export interface Input {
	/** By the names in the route. */
	ids: Record<string, PathId>;
	qs: IDataObject;
	body: IDataObject;
	deferred: Deferred[];
	/** Parameters that are read, not sent. */
	settings: Settings;
}

/**
 * Reads the parameters of an operation, and puts each value where it belongs.
 * @throws NodeOperationError that names the parameter which cannot be used
 */
export function readInput(context: ItemContext, fields: Field[]): Input {
	const settings = readFields(context, fields);
	const input: Input = { ids: {}, qs: {}, body: {}, deferred: [], settings: settingsIn(settings) };
	// Fields that build on others come after them.
	for (const types of [['path', 'query', 'body'], ['clear'], ['dataUri'], ['merge']]) {
		for (const setting of settings) {
			const { field } = setting;
			if (!field.target || !types.includes(field.target.type)) continue;
			naming(context, field.displayName, () =>
				hidingSecrets(field, () => place(context, input, setting)),
			);
		}
	}
	for (const { field, value } of settings) {
		if (value === false) continue;
		for (const [key, value] of Object.entries(field.also ?? {})) input.qs[key] ??= value;
	}
	return input;
}

function place(
	context: ItemContext,
	{ ids, qs, body, deferred }: Input,
	{ field, value }: Setting,
) {
	const target = field.target!;
	const { property } = target;
	switch (target.type) {
		case 'path':
			ids[property] = inPath(value);
			break;
		case 'query':
		case 'body': {
			const [holder, key] = target.type === 'query' ? [qs, property] : holderOf(body, property);
			const set = (found: unknown) => void (holder[key] = found);
			if (value instanceof NewestSnapshot) {
				deferred.push({ snapshot: value, siteId: () => holder.site_id, set });
				break;
			}
			set(value);
			if (referencesIn(value).length > 0) deferred.push({ named: value, set });
			break;
		}
		case 'clear':
			for (const path of textsIn(value)) {
				const [holder, key] = holderOf(body, `${property}.${path}`);
				if (holder[key] !== undefined) refuse(`clears "${path}", which you also set`);
				holder[key] = target.empty[path];
			}
			break;
		case 'dataUri': {
			const [holder, key] = holderOf(body, property);
			if (holder[key] === null) refuse('sets a field that you also clear');
			if (holder[key] !== undefined)
				refuse('is set together with the data URI. Use only one of them');
			const binaryField = String(value);
			const mimeType = imageTypeOf(context, binaryField);
			// Mark the place as set, so that nothing else sets it.
			holder[key] = '';
			deferred.push({ binaryField, mimeType, set: (uri) => void (holder[key] = uri) });
			break;
		}
		case 'merge': {
			const [holder, key] = holderOf(body, property);
			holder[key] = merged(recordIn(holder[key]), recordIn(value));
			break;
		}
	}
}

/** Characters that a server could take for more than one part of a path, even encoded. */
const NO_PART = /[\p{Cc}%\\;?#/]/u;

function inPath(value: unknown): PathId {
	if (isReference(value) || value instanceof NewestSnapshot) return value;
	const id = String(value);
	if (!NO_PART.test(id)) return id;
	return refuse(`is not an ID: ${shown(id)} contains a character that is not allowed in an ID`);
}

function imageTypeOf(context: ItemContext, name: string): string {
	const { mimeType } = binaryIn(context, name);
	if (mimeType.startsWith('image/')) return mimeType;
	return refuse(`is not an image but a file of type "${mimeType}"`);
}

function binaryIn(context: ItemContext, name: string) {
	try {
		return context.helpers.assertBinaryData(name);
	} catch {
		return refuse(`is not a binary field of this item: "${name}"`);
	}
}
