import type { IDataObject } from 'n8n-workflow';
import { refuse, shown, within } from '../../shared/input/refusal';
import { isRecord, recordIn } from '../../shared/lib';
import type { ApiDocument } from '../../shared/document/openapi';
import { type ApiOperation, type Input, OTHERS } from './operation';
import { Checker, formOf, isPlainList, kindsOf, meant } from './schema';

/** The parts of a request, from the values of a mapper by the keys of inputs. */

export interface Parts {
	/** Below the base URL, percent-encoded. */
	path: string;
	query: IDataObject;
	body: IDataObject;
	/** Whether lists in the query are repeated without brackets. */
	repeats: boolean;
}

/** The input of a key, for a run without the document. */
function inputOf(key: string): Input {
	const [place = '', ...path] = key.split('.');
	if (place !== 'path' && place !== 'query' && place !== 'body') {
		return refuse(`has ${shown(key)}, which the operation does not have`);
	}
	const own = place === 'body' ? path : [path.join('.')];
	return { key, place, path: own, schema: {}, isRequired: place === 'path', description: '' };
}

/** Sorts values into path, query and body. Without `known`, none is checked. @throws Refusal that names the field */
export function partsOf(
	template: string,
	values: IDataObject,
	known?: { document: ApiDocument; operation: ApiOperation },
): Parts {
	const keys = Object.keys(values);
	const inputs = known?.operation.inputs ?? keys.map(inputOf);
	const other = keys.find((key) => !inputs.some((input) => input.key === key));
	if (other !== undefined) refuse(`has ${shown(other)}, which the operation does not have`);
	const parts: Parts = { path: template, query: {}, body: {}, repeats: false };
	for (const input of inputs) {
		const { key, isRequired, schema } = input;
		within([nameOf(input)], () => {
			if (!known) put(parts, input, values[key]);
			else if (keys.includes(key)) put(parts, input, checked(known.document, input, values[key]));
			else if (isRequired) {
				const form = formOf(known.document, schema);
				refuse(`has no value${form && `. Its form is ${form}`}`);
			}
		});
	}
	const left = /\{([^}]*)\}/.exec(parts.path);
	if (left) refuse(`has no value for ${shown(left[1])} of the path`);
	return parts;
}

/** The value of an input that a given one means. @throws Refusal for one that its schema does not allow */
function checked(document: ApiDocument, input: Input, given: unknown): unknown {
	const value = listed(document, input, meant(given, kindsOf(document, input.schema)));
	const problem = new Checker(document).problem(value, input.schema);
	return problem ? refuse(problem) : value;
}

/** The list that a text means, with commas or lines between its values; another value stays unchanged. */
function listed(document: ApiDocument, { schema }: Input, value: unknown): unknown {
	if (!['number', 'string'].includes(typeof value)) return value;
	if (!isPlainList(document, schema)) return value;
	const kinds = kindsOf(document, document.schemaAt(schema).items);
	const texts = String(value).split(/[,\n]/);
	return texts.flatMap((text) => (text.trim() ? [meant(text.trim(), kinds)] : []));
}

/** The name of an input as people see it: without the wrapper of the body. */
export const nameOf = ({ path, place }: Input): string => {
	const name = path.at(-1) ?? place;
	return name === OTHERS ? 'other fields' : name;
};

function put(parts: Parts, input: Input, value: unknown): void {
	const { place, path } = input;
	const [name = ''] = path;
	if (place === 'path') {
		const entries: unknown[] = Array.isArray(value) ? value : [value];
		const texts = entries.map((each) => String(each).trim());
		if (entries.some((each) => typeof each === 'object') || /^\.*$/.test(texts.join(',')))
			refuse(`has ${shown(value)}, which cannot be a part of a path`);
		const text = texts.map(encodeURIComponent).join(',');
		parts.path = parts.path.replaceAll(`{${name}}`, text);
	} else if (place === 'query') {
		putInQuery(parts, input, value);
	} else if (path.length === 0) {
		parts.body = isRecord(value) ? value : refuse('is not a JSON object');
	} else {
		const last = path.at(-1)!;
		if (last === OTHERS && !isRecord(value)) refuse('is not a JSON object');
		let holder = parts.body;
		for (const key of path.slice(0, -1)) {
			// Names such as `constructor` are in every object.
			if (!Object.hasOwn(holder, key)) holder[key] = {};
			holder = recordIn(holder[key]);
		}
		if (last === OTHERS) Object.assign(holder, value);
		else holder[last] = value as IDataObject[string];
	}
}

function putInQuery(parts: Parts, input: Input, value: unknown): void {
	const { joint, isDeep } = input;
	const [name = ''] = input.path;
	if (isRecord(value)) {
		if (!isDeep) refuse('is an object, which cannot be sent in the query');
		for (const [field, each] of Object.entries(value))
			putInQuery(parts, { ...input, path: [`${name}[${field}]`] }, each);
	} else if (!Array.isArray(value)) {
		parts.query[name] = value as IDataObject[string];
	} else if (value.length === 0) {
		// Nothing would be sent: "the sites of this client" would become "all sites".
		refuse('is an empty list. Enter an entry, or leave the field blank');
	} else if (joint) {
		parts.query[name] = value.join(joint);
	} else {
		if (!name.endsWith('[]')) parts.repeats = true;
		parts.query[name.replace(/\[\]$/, '')] = value as IDataObject[string];
	}
}
