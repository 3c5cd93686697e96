import type { IDataObject, IExecuteSingleFunctions, IPollFunctions } from 'n8n-workflow';
import { displayParameter } from 'n8n-workflow';
import { isRecord, recordIn, textsIn } from '../lib';
import { isTool, type ItemContext } from '../n8n/context';
import { ignoreBlankFilters } from './controls';
import type { Field, Settings } from './field';
import { argumentsIn, fieldsOf, hasExpression, isByModel } from './field';
import { Named, NewestSnapshot } from './id';
import { merged } from './json';
import { naming, refuse, shown } from './refusal';
import { holderOf, partOf, valueOf, type ValueScope } from './value';

/** The reader of parameters: an item of an action node, or a trigger. */
type ParameterSource = IExecuteSingleFunctions | IPollFunctions;

export interface Setting {
	field: Field;
	value: unknown;
}

/** Reads, checks and converts parameters that are shown. @throws NodeOperationError for the first unusable one */
export function readFields(context: ParameterSource, fields: Field[]): Setting[] {
	const node = context.getNode();
	const { parameters } = node;
	const inputs = new Map<string, unknown>();
	const read = (name: string) => {
		const raw = parameters[name];
		// Evaluation is the slowest part of reading.
		if (['boolean', 'number', 'string'].includes(typeof raw) && !hasExpression(raw)) return raw;
		// Without the fallback n8n refuses an expression without a value in its own words.
		if (!inputs.has(name)) inputs.set(name, context.getNodeParameter(name, null));
		return inputs.get(name);
	};
	const settings: Setting[] = [];
	const isForModel = isTool(context);
	const add = (field: Field, value: unknown, raw: unknown, scope: Partial<ValueScope> = {}) => {
		const asked = isForModel ? asArgument(field, raw) : field;
		const setting = naming(context, asked.displayName, () =>
			valueOf(asked, { value, raw }, { context, read, ...scope }),
		);
		if (setting !== undefined) settings.push({ field, value: setting });
	};
	for (const field of fields) {
		if (field.type === 'notice' || !displayParameter(parameters, field, node, null)) continue;
		const raw: unknown = parameters[field.name];
		if (field.type !== 'collection') {
			add(field, raw === undefined ? field.default : read(field.name), raw);
			continue;
		}
		const before = settings.length;
		const options = raw === undefined ? {} : read(field.name);
		const added = naming(context, field.displayName, () => addedTo(field, options));
		const filter = field.name === 'filters' ? blanksIn(context) : undefined;
		const keepsBlank = field.needsOne === true && isForModel;
		for (const option of fieldsOf(field)) {
			if (!(option.name in added)) continue;
			const scope = { filter, keepsBlank, isTool: isForModel, isOption: true };
			add(option, added[option.name], partOf(raw, option.name), scope);
		}
		if (field.needsOne && settings.length === before) {
			const problem = 'is empty. Fill in or add at least one field';
			naming(context, field.displayName, () => refuse(problem));
		}
	}
	return settings;
}

/** A field by the name that a model knows, its argument. */
function asArgument(field: Field, raw: unknown): Field {
	// Looking for arguments is slow.
	const [argument, ...others] = isByModel(raw) ? argumentsIn({ raw }) : [];
	return argument !== undefined && others.length === 0
		? { ...field, displayName: argument }
		: field;
}

function addedTo(field: Field, value: unknown): IDataObject {
	if (!isRecord(value)) return refuse('must be a collection of fields');
	const names = fieldsOf(field).map(({ name }) => name);
	const unknown = Object.keys(value).find((name) => !names.includes(name));
	if (unknown !== undefined) refuse(`contains "${unknown}", which is not one of its fields`);
	return value;
}

/** What a blank filter means: the user may ignore it, and models fill every field. */
function blanksIn(context: ParameterSource): ValueScope['filter'] {
	if (!('getExecuteData' in context)) return undefined;
	// Another value is refused with the other options.
	const isIgnored: unknown = context.getNodeParameter(`options.${ignoreBlankFilters.name}`, false);
	if (/^\s*true\s*$/i.test(String(isIgnored))) return 'ignored';
	return isTool(context) ? 'agent' : 'refused';
}

/** The values of parameters that are not sent, by name. */
const settingsIn = (settings: Setting[]): Settings =>
	Object.fromEntries(
		settings
			.filter(({ field }) => field.target === undefined)
			.map(({ field, value }) => [field.name, value]),
	);

export const readSettings = (context: IPollFunctions, fields: Field[]): Settings =>
	settingsIn(readFields(context, fields));

/** An ID in the path. A URL, a name or a newest snapshot is looked up when the request is sent. */
export type PathId = string | Named | NewestSnapshot;

/** A value that is set right before the request is sent, once all items are checked. */
export type Deferred = { set: (value: unknown) => void } & (
	{ binaryField: string; mimeType: string } | { newest: NewestSnapshot }
);

export interface Input {
	/** By the names in the route. */
	ids: Record<string, PathId>;
	qs: IDataObject;
	body: IDataObject;
	deferred: Deferred[];
	/** Parameters that are read, not sent. */
	settings: Settings;
}

/** Reads the parameters of an operation, and puts each value where it belongs. @throws as `readFields` */
export function readInput(context: ItemContext, fields: Field[]): Input {
	const settings = readFields(context, fields);
	const input: Input = { ids: {}, qs: {}, body: {}, deferred: [], settings: settingsIn(settings) };
	for (const setting of [...settings].sort((a, b) => orderOf(a) - orderOf(b))) {
		const { field } = setting;
		if (!field.target) continue;
		naming(context, field.displayName, () => place(context, input, setting));
	}
	for (const { field, value } of settings) {
		if (value === false) continue;
		for (const [key, value] of Object.entries(field.also ?? {})) input.qs[key] ??= value;
	}
	return input;
}

/** Fields that build on others come after them. */
const orderOf = ({ field: { target } }: Setting) =>
	['clear', 'dataUri', 'merge'].indexOf(target?.type ?? '');

function place(context: ItemContext, input: Input, { field, value }: Setting): void {
	const { ids, qs, body, deferred } = input;
	const target = field.target!;
	const { property } = target;
	if (target.type === 'path') {
		ids[property] = inPath(value);
		return;
	}
	if (target.type === 'clear') {
		for (const path of textsIn(value)) {
			const [holder, key] = holderOf(body, `${property}.${path}`);
			if (holder[key] !== undefined) refuse(`clears "${path}", which you also set`);
			holder[key] = target.empty[path];
		}
		return;
	}
	const [holder, key] = target.type === 'query' ? [qs, property] : holderOf(body, property);
	const set = (found: unknown) => void (holder[key] = found);
	if (target.type === 'merge') {
		set(merged(recordIn(holder[key]), recordIn(value)));
	} else if (target.type === 'dataUri') {
		if (holder[key] === null) refuse('sets a field that you also clear');
		if (holder[key] !== undefined) {
			refuse('is set together with the data URI. Use only one of them');
		}
		const binaryField = String(value);
		deferred.push({ binaryField, mimeType: imageTypeOf(context, binaryField), set });
		// Mark the place as set, so that nothing else sets it.
		set('');
	} else {
		set(value);
		if (value instanceof NewestSnapshot) deferred.push({ newest: value, set });
	}
}

function inPath(value: unknown): PathId {
	if (value instanceof Named || value instanceof NewestSnapshot) return value;
	const id = String(value);
	// A server could take these characters for more than one part of a path, even encoded.
	if (!/[\p{Cc}%\\;?#/]/u.test(id)) return id;
	return refuse(`is not an ID: ${shown(id)} contains a character that is not allowed in an ID`);
}

function imageTypeOf(context: ItemContext, name: string): string {
	const { mimeType } = context.getInputData().binary?.[name] ?? {};
	if (mimeType?.startsWith('image/')) return mimeType;
	return mimeType === undefined
		? refuse(`is not a binary field of this item: "${name}"`)
		: refuse(`is not an image but a file of type "${mimeType}"`);
}
