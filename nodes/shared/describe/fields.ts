import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';
import { binaryField, onFailure, output, timeLimit, waitForCompletion } from '../input/controls';
import { type Field } from '../input/field';
import { toPaths } from '../input/forms';
import { toTexts } from '../input/convert';
import { idLoaders, type IdsName, type LocatorName, locators } from '../input/locators';
import { labelOf, omit } from '../lib';
import type { Answer } from '../operation';
import { byName, choices, dateTime, text } from '../input/kinds';
import { asRequired, inBody, readWith } from './about';

const ENTRIES = 'Entries separated by commas or lines, or an array from an expression';

/** A list in a text field, and how to enter it. */
export const list = (name: string, displayName: string, more: Partial<Field>): Field =>
	text(name, displayName, {
		as: toTexts('name'),
		typeOptions: { rows: 2 },
		...more,
		description: `${more.description?.replace(/\.$/, '')}. ${ENTRIES}.`,
	});

export const day = (name: string, displayName: string, more: Partial<Field>): Field =>
	dateTime(name, displayName, {
		typeOptions: { dateOnly: true },
		...more,
		description: `${more.description}. The date counts as written; a time and its time zone are ignored.`,
	});

/** An ID in a body, a query or a filter: its locator, not required, with another description. */
export const idField = (name: LocatorName, description: string): Field => ({
	...omit(locators[name], 'required'),
	description,
});

/** What an expression can return instead of IDs. @default names */
const ELSE: Partial<Record<LocatorName, string>> = {
	siteId: 'URLs and titles',
	clientId: 'names and emails',
};

/** The last sentence of a loaded list, which n8n's linter requires. */
const FROM_LIST =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';

/** Several IDs that are offered by name: `getSites` loads the options of `siteIds`. */
export function idsField(name: IdsName, description: string): Field {
	const id = name.slice(0, -1) as LocatorName;
	const { displayName, names } = locators[id];
	return choices(name, `${displayName} Names or IDs`, {
		typeOptions: { loadOptionsMethod: idLoaders[name] },
		names,
		description: `${description}. An expression can also return ${ELSE[id] ?? 'names'}. ${FROM_LIST}`,
	});
}

/** The records of a bulk operation or a list, as text or from an expression. */
export function idList(name: `${LocatorName}s`): Field {
	const id = name.slice(0, -1) as LocatorName;
	const { displayName, modes, names } = locators[id];
	const exampleOf = (name: string) => modes!.find((mode) => mode.name === name)?.placeholder;
	const example = exampleOf(names ? 'name' : 'id') ?? exampleOf('id');
	const isSite = id === 'siteId';
	return text(name, isSite ? 'Site IDs or URLs' : `${displayName} Names or IDs`, {
		typeOptions: { rows: 2 },
		placeholder: `${example}, ${isSite ? 'https://www.example.com' : '77ab03ce12'}`,
		names,
		description: `IDs${isSite ? ', URLs or titles' : ` or ${ELSE[id] ?? 'names'}`} of the ${displayName.toLowerCase()}s. ${ENTRIES}.`,
	});
}

/** Keys of a field that only this package reads. */
const OF_KIT = [
	'target',
	'wire',
	'as',
	'rule',
	'belongsTo',
	'closed',
	'secret',
	'maySkip',
	'showsWith',
	'also',
	'needsOne',
	'names',
	'isSeldom',
	'takesAll',
] as const;

/** A field as n8n describes it; its routing says where its value goes. */
export function described(field: Field): INodeProperties {
	const { target, belongsTo, required, options } = field;
	const form = formOf(field);
	return {
		...omit(field, 'required', ...OF_KIT),
		...(form && { builderHint: { propertyHint: form } }),
		...(required && isAlwaysShown(belongsTo) && { required }),
		...(options && { options: options.map(describedOption) }),
		...routingOf(target),
	};
}

/** What a value looks like, for n8n's AI workflow builder: it reads no placeholders, of modes neither. */
function formOf({ type, modes, placeholder, description = '', typeOptions }: Field) {
	if (modes) return modes.flatMap(formOfMode).join('; ');
	if (type === 'dateTime') {
		if (typeOptions?.dateOnly) return '2026-01-31';
		return description.includes('ISO') ? undefined : 'ISO 8601';
	}
	const example = exampleIn(placeholder);
	// Words alone have no form.
	return /[\d/@:<_-]/.test(example) && !description.includes(example) ? example : undefined;
}

/** The form of a mode. The list returns IDs. */
function formOfMode({ name, placeholder, hint }: INodePropertyMode): string[] {
	if (!placeholder) return [];
	const [rule] = hint?.split(/\.(?: |$)/) ?? [];
	const form = exampleIn(placeholder) + (rule ? ` (${rule})` : '');
	return [`${name === 'id' ? ['list', name].join(', ') : name}: ${form}`];
}

const exampleIn = (placeholder = '') => placeholder.replace(/^e\.g\. /, '');

/** n8n shows a field whose choice is an expression always, and would then require it. */
const isAlwaysShown = (belongsTo: Field['belongsTo']) =>
	!belongsTo || belongsTo.mayStand || belongsTo.choice.noDataExpression === true;

type Option = NonNullable<INodeProperties['options']>[number];

function describedOption(option: Option): Option {
	// n8n would require the option to be added; we require its value once it is added.
	if ('type' in option) return described({ ...option, required: false });
	return 'values' in option ? { ...option, values: option.values.map(described) } : option;
}

/** Documents where a value goes. The request itself is built by `input/request.ts`. */
export function routingOf(target: Field['target']): Pick<INodeProperties, 'routing'> {
	if ((target?.type !== 'body' && target?.type !== 'query') || target.isInside) return {};
	const { type, property } = target;
	const inQuery = type === 'query' && { propertyInDotNotation: false };
	return { routing: { send: { type, property, ...inQuery } } };
}

export function collection(
	displayName: string,
	name: string,
	placeholder: string,
	options: Field[],
): Field {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder,
		default: {},
		options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

/** Optional body fields. Only those that the user adds are sent. */
export function additionalFields(wrapper: string | undefined, fields: Field[], needsOne = false) {
	if (fields.length === 0) return [];
	const options = inBody(wrapper, fields).map((field): Field => ({
		...field,
		// Refuse an added group without content; a blank text changes nothing.
		required: field.required || field.type === 'fixedCollection',
		maySkip: field.type === 'string' && !field.as,
	}));
	const all = collection('Additional Fields', 'additionalFields', 'Add Field', options);
	return [{ ...all, needsOne }];
}

/** The collection Options: query parameters, and other controls of a list. */
export const queryOptions = (options: Field[]): Field[] =>
	options.length === 0 ? [] : [collection('Options', 'options', 'Add Option', options)];

/** Fields that an update can empty: place below the wrapper -> label, or label and an empty value other than null. */
export type Clearable = Record<string, string | [label: string, empty: string | string[]]>;

/** The fields of an update: at least one, and only what the user adds is sent. None may be blank: Clear empties them. */
export function updateFields(wrapper: string, fields: Field[], clear?: Clearable): Field[] {
	const options = inBody(wrapper, fields).map(asRequired);
	if (clear) options.push(clearField(wrapper, clear));
	const all = collection('Update Fields', 'updateFields', 'Add Field', options);
	return [{ ...all, description: 'Fields you do not add stay unchanged', needsOne: true }];
}

/** A list of an update that replaces the one of the record. @param lost what happens to entries left out, as a clause */
export function replacing(field: Field, what: string, lost: string): Field {
	const { description = '' } = field;
	const isLoaded = description.endsWith(FROM_LIST);
	const own = isLoaded ? description.slice(0, -FROM_LIST.length).trim() : description;
	const warned = `${own.replace(/\.?$/, '.')} The new list replaces the current one: ${lost}. To keep the others, use Add ${what} or Remove ${what}.`;
	return {
		...field,
		displayName: isLoaded ? `Replace ${what.slice(0, -1)} Names or IDs` : `Replace ${what}`,
		description: isLoaded ? `${warned} ${FROM_LIST}` : warned,
	};
}

function clearField(wrapper: string, clear: Clearable): Field {
	const entries = Object.entries(clear).map(([path, what]) => {
		const [name, empty] = Array.isArray(what) ? what : [what, null];
		return { name, path, empty };
	});
	return choices('clear', 'Clear', {
		closed: 'ofNode',
		options: entries.map(({ name, path }) => ({ name, value: path })).sort(byName),
		required: true,
		description: 'Fields to empty in the record',
		target: {
			type: 'clear',
			property: wrapper,
			empty: Object.fromEntries(entries.map(({ path, empty }) => [path, empty])),
		},
	});
}

export function outputFields(fields: string[]): Field[] {
	const selected = choices('outputFields', 'Fields', {
		as: toPaths,
		options: [...fields]
			.sort()
			.map((field) => ({ name: labelOf(field.replaceAll('.', '_')), value: field })),
		// If Output is an expression, n8n shows this field and requires a value.
		default: [fields.includes('id') ? 'id' : fields[0]!],
		required: true,
		description: 'An expression can name other fields',
	});
	return [output, readWith(output, 'selected', selected)];
}

const waitOptions = collection('Wait Options', 'waitOptions', 'Add Option', [timeLimit, onFailure]);

const whenWaiting = (field: Field): Field => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, waitForCompletion: [true] } },
});

export function answerFields(answer: Answer): Field[] {
	if (answer.kind === 'file') return [binaryField];
	if (answer.kind === 'task' || answer.kind === 'sync') {
		const isSync = answer.kind === 'sync';
		const note = isSync ? '. Another running backup of the site ends first.' : '';
		return [
			{ ...waitForCompletion, description: `${waitForCompletion.description}${note}` },
			whenWaiting(waitOptions),
			...outputFields(answer.result.output.fields).map((field) =>
				field.belongsTo ? whenWaiting(field) : readWith(waitForCompletion, true, field),
			),
		];
	}
	const fields = 'output' in answer && answer.output ? outputFields(answer.output.fields) : [];
	return answer.kind === 'wait' ? [waitOptions, ...fields] : fields;
}
