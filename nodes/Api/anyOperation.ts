import type { IDataObject, INodeProperties } from 'n8n-workflow';
import * as controls from '../shared/input/controls';
import { toText, toTexts } from '../shared/input/convert';
import { type Field, hasExpression } from '../shared/input/field';
import { naming, refuse, shown, within } from '../shared/input/refusal';
import { readInput } from '../shared/input/request';
import { isRecord, omit, recordIn, textsIn } from '../shared/lib';
import { isTool, operationError, leaveTrace, TRACES } from '../shared/n8n/context';
import type { ItemContext } from '../shared/n8n/context';
import { onlyWith } from '../shared/describe/about';
import { list, queryOptions } from '../shared/describe/fields';
import { documentOf } from '../shared/document/read';
import { operationIn } from './document/operation';
import { nameOf, partsOf } from './document/values';
import type { AnyRequest } from './requestFields';

/** Any Operation: an operation of the service's own API document, with the fields that it names there. */

const operationField: Field = {
	displayName: 'API Operation',
	name: 'apiOperation',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description:
		"An operation of the API document of the service, which the credential's API Document URL names",
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchOperations', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. listSites or GET /sites',
		},
	],
	as: (value) => toText(value).trim(),
};

const mapperField: Field = {
	displayName: 'Values to Send',
	name: 'apiParameters',
	type: 'resourceMapper',
	default: { mappingMode: 'defineBelow', value: null },
	noDataExpression: true,
	description:
		'The parameters of the operation. A list is a text with commas; lists of objects, and objects, are JSON.',
	takesAll: true,
	typeOptions: {
		loadOptionsDependsOn: ['apiOperation.value'],
		resourceMapper: {
			resourceMapperMethod: 'fieldsOfOperation',
			mode: 'add',
			fieldWords: { singular: 'parameter', plural: 'parameters' },
			addAllFields: false,
			noFieldsError: 'Choose an operation first.',
			supportAutoMap: false,
		},
	},
};

const emptied = list('emptiedParameters', 'Empty Parameters', {
	placeholder: 'e.g. color',
	as: toTexts('parameter'),
	description: 'Names of parameters to send as null, which empties them where the API allows it',
});

/** Pages are of reads; an operation by its ID may be one. */
const ofReads = (field: Field): Field => ({
	...field,
	displayOptions: {
		show: {
			...field.displayOptions?.show,
			[operationField.name]: [{ _cnd: { regex: '^(?!(POST|PUT|PATCH|DELETE) )' } }],
		},
	},
	hint: 'Only for an operation that has pages',
});

export const anyOperationFields: Field[] = [
	operationField,
	mapperField,
	...[controls.returnAll, onlyWith(controls.returnAll, false, controls.limit)].map(ofReads),
	controls.startFrom,
	...queryOptions([
		{
			...controls.binaryField,
			required: undefined,
			description: 'Where a file is put, if the response is one',
		},
		{
			...controls.waitForCompletion,
			description: 'Whether to wait for the end, if the response is a task',
		},
		controls.timeLimit,
		emptied,
	]),
	...controls.confirmationFields({
		show: { [operationField.name]: [{ _cnd: { regex: '^(?!GET )' } }] },
	}),
	{
		...controls.preview,
		description: 'Whether to only show what would be sent. Nothing is changed.',
	},
];

/** The description of the tool begins with the chosen operation and the document's description of each parameter. */
export const withDocument = (property: INodeProperties): INodeProperties =>
	property.name === 'toolDescription'
		? { ...property, default: `={{\n(${OF_DOCUMENT}) + (${code(property.default)})\n}}` }
		: property;

const OF_DOCUMENT = [
	'$parameter["operation"] !== "anyOperation" ? "" : [$parameter["apiOperation"] + "."',
	'...($parameter["apiParameters"]?.schema ?? []).filter((each) => !each.removed).map((each) => each.displayName + (each.description ? ". " + each.description : ""))',
	'""].join("\\n")',
].join(', ');

const code = (expression: unknown) => String(expression).slice('={{'.length, -'}}'.length).trim();

/** The document and the operation; undefined if the document cannot be read, and the reason. */
async function known(context: ItemContext, named: string) {
	const document = await documentOf(context).catch((error: Error) => error);
	if (document instanceof Error) return { reason: document.message };
	const isUnknown = `is ${shown(named)}, which the API document does not have`;
	const find = () =>
		operationIn(document, named) ?? refuse(`${isUnknown}. Choose one from the list`);
	return { document, operation: naming(context, operationField.displayName, find) };
}

const ROUTE = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/;

/** The values of the mapper that are set. A text that was emptied is one in a body, where it may empty a field. */
function setValues(context: ItemContext, values: IDataObject): IDataObject {
	const raw = recordIn(recordIn(context.getNode().parameters.apiParameters).value);
	const isSet = ([key, value]: [string, unknown]) => {
		if (value !== null && value !== undefined && value !== '') return true;
		if (isTool(context)) return false;
		if (hasExpression(raw[key])) within([key], () => refuse('is empty'));
		return value === '' && key.startsWith('body');
	};
	return Object.fromEntries(Object.entries(values).filter(isSet));
}

/** The request of an item. @throws NodeOperationError for a change that cannot be checked */
export async function anyOperationOf(context: ItemContext): Promise<AnyRequest> {
	const { settings } = readInput(context, anyOperationFields);
	const named = String(settings.apiOperation);
	const { document, operation, reason } = await known(context, named);
	const [, method, template] = ROUTE.exec(operation?.route ?? named) ?? [];
	if (!method || !template || (reason !== undefined && method !== 'GET')) {
		throw operationError(
			context,
			`${named} cannot be checked, because the API document cannot be used: ${reason}`,
			'Check "API Document URL" of the credential. Without the document, only a read such as GET /sites can be sent. Nothing was sent.',
		);
	}
	const parts = naming(context, mapperField.displayName, () => {
		const values = setValues(context, recordIn(recordIn(settings.apiParameters).value));
		for (const name of textsIn(settings[emptied.name])) {
			const input = operation?.inputs.find((each) => nameOf(each) === name);
			values[input?.key ?? `body.${name}`] = null;
		}
		return partsOf(template, values, operation && { document: document!, operation });
	});
	if (reason !== undefined) {
		const line = `${named} was not checked: ${reason}`;
		leaveTrace(context, { key: TRACES.unchecked, value: named, line });
	}
	return {
		...parts,
		method: method as AnyRequest['method'],
		response: operation?.isFile ? 'file' : operation?.isPaged ? 'records' : 'asItIs',
		max: settings.returnAll === true ? undefined : Number(settings.limit ?? controls.limit.default),
		settings: { [controls.binaryField.name]: controls.binaryField.default, ...settings },
		route: operation?.route,
		title: operation?.title,
	};
}

/** The records in a response without their wrapper: the only object or list next to `meta`. */
export function unwrapped(answer: IDataObject): IDataObject[] {
	const [only, ...others] = Object.values(omit(answer, 'meta'));
	if (others.length > 0 || typeof only !== 'object' || only === null) return [answer];
	if (!Array.isArray(only)) return [only as IDataObject];
	const records = only as unknown[];
	return records.every(isRecord) ? records : [answer];
}
