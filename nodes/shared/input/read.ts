import type { IDataObject, IExecuteSingleFunctions, IPollFunctions } from 'n8n-workflow';
import { displayParameter } from 'n8n-workflow';
import { isRecord } from '../lib/isRecord';
import { isTool } from '../n8n/context';
import { hasExpression } from './blank';
import type { Field, Settings } from './field';
import { fieldsOf } from './field';
import { naming, refuse } from './refusal';
import { ignoreBlankFilters } from './controls';
import type { ValueScope } from './value';
import { valueOf } from './value';

/** The reader of parameters: an item of an action node, or a trigger. */
export type ParameterSource = IExecuteSingleFunctions | IPollFunctions;

/** A field that is set, with its converted value. */
export interface Setting {
	field: Field;
	value: unknown;
}

/**
 * Reads these parameters and their collections, checked and converted. Hidden parameters do not count.
 * @throws NodeOperationError for the first parameter that cannot be used
 */
export function readFields(context: ParameterSource, fields: Field[]): Setting[] {
	const node = context.getNode();
	const { parameters } = node;
	const inputs = new Map<string, unknown>();
	const read = (name: string) => {
		const raw = parameters[name];
		if (isFixed(raw)) return raw;
		// Without the fallback n8n refuses an expression without a value in its own words.
		if (!inputs.has(name)) inputs.set(name, context.getNodeParameter(name, null));
		return inputs.get(name);
	};
	const settings: Setting[] = [];
	const add = (field: Field, value: unknown, raw: unknown, scope: Partial<ValueScope> = {}) => {
		const setting = naming(context, field.displayName, () =>
			valueOf(field, { value, raw }, { context, read, ...scope }),
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
		const added = addedTo(context, field, raw === undefined ? {} : read(field.name));
		const filter = field.name === 'filters' ? blanksIn(context) : undefined;
		for (const option of fieldsOf(field)) {
			if (!(option.name in added)) continue;
			const rawOption = isRecord(raw) ? raw[option.name] : raw;
			add(option, added[option.name], rawOption, { filter, isOption: true });
		}
		if (field.needsOne && settings.length === before) {
			naming(context, field.displayName, () => refuse('is empty. Add at least one field'));
		}
	}
	return settings;
}

/** Whether there is nothing to evaluate: evaluation is the slowest part of reading. */
const isFixed = (raw: unknown) =>
	['boolean', 'number', 'string'].includes(typeof raw) && !hasExpression(raw);

/** The options that the user added to a collection. */
function addedTo(context: ParameterSource, field: Field, value: unknown): IDataObject {
	return naming(context, field.displayName, () => {
		if (!isRecord(value)) return refuse('must be a collection of fields');
		const names = fieldsOf(field).map(({ name }) => name);
		const unknown = Object.keys(value).find((name) => !names.includes(name));
		if (unknown !== undefined) refuse(`contains "${unknown}", which is not one of its fields`);
		return value;
	});
}

/** What a blank filter means: the user may ignore it, and models fill every slot. */
function blanksIn(context: ParameterSource): ValueScope['filter'] {
	if (!('getExecuteData' in context)) return undefined;
	const path = `options.${ignoreBlankFilters.name}`;
	const given = { value: context.getNodeParameter(path, false), raw: undefined };
	const ignored = naming(context, ignoreBlankFilters.displayName, () =>
		valueOf({ ...ignoreBlankFilters, required: true }, given, { context, read: () => undefined }),
	);
	if (ignored === true) return 'ignored';
	return isTool(context) ? 'agent' : 'refused';
}

/** The values of parameters that are not sent, by name. */
export const settingsIn = (settings: Setting[]): Settings =>
	Object.fromEntries(
		settings
			.filter(({ field }) => field.target === undefined)
			.map(({ field, value }) => [field.name, value]),
	);

/** All parameters of a trigger, by name. */
export const readSettings = (context: IPollFunctions, fields: Field[]): Settings =>
	settingsIn(readFields(context, fields));
