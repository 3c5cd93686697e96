import type { Parts } from './document/values';
import { isRecord, recordIn } from '../shared/lib';
import type { ItemContext } from '../shared/n8n/context';
import { type Convert, type Field, isBlank, type Settings } from '../shared/input/field';
import * as controls from '../shared/input/controls';
import { toObject } from '../shared/input/json';
import { naming, refuse, shown } from '../shared/input/refusal';
import { readInput } from '../shared/input/request';
import { emptyPart, toText } from '../shared/input/convert';
import { readWith } from '../shared/describe/about';
import { choice, json, optionsFrom, text } from '../shared/input/kinds';

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;

const RESPONSES = ['asItIs', 'file', 'records'] as const;

/** n8n also shows it if the method is an expression. */
const ofChanges = { show: { method: METHODS.filter((name) => name !== 'GET') } };

/** Characters that a server could take for more than one part of a path, even encoded. */
const NO_PATH = /[\p{Cc}%\\;?#]/u;

/** A path below the base URL, percent-encoded. Empty parts, as in `/tags/{{ $json.gone }}/delete`, change the request. */
const toPath: Convert = (value) => {
	const text = toText(value).trim();
	if (/^([a-z][a-z\d+.-]*:)?[\\/]{2}/i.test(text)) {
		refuse(
			`is a URL: ${shown(text)}. Enter only the path, such as /sites. The node adds it to the Base URL of the credential`,
		);
	}
	if (/[?#]/.test(text)) {
		refuse(`contains more than a path: ${shown(text)}. Move everything after "?" to "Query"`);
	}
	if (NO_PATH.test(text)) {
		refuse(
			`contains a character that is not allowed in a path: ${shown(text)}. Enter names without encoding them; the node does that`,
		);
	}
	const parts = text.replace(/^\/?\s*/, '').split(/\s*\/\s*/);
	// Also the text of an expression that found nothing.
	if (parts.some((part) => /^(undefined|null|NaN)?$/.test(part))) refuse(emptyPart(text));
	if (parts.some((part) => /^\.+$/.test(part))) {
		refuse(`contains "." or ".." as a part: ${shown(text)}. Enter the full path without it`);
	}
	return `/${parts.map(encodeURIComponent).join('/')}`;
};

/** Refuse a filter without a value: it would turn "the sites of this client" into "all sites". */
const toQuery: Convert = (value, context) => {
	const query = toObject(value, context);
	const find = (each: unknown, place: string): void => {
		if (isRecord(each) && !isBlank(each)) {
			for (const [key, below] of Object.entries(each)) find(below, place ? `${place}.${key}` : key);
			return;
		}
		if (isBlank(each) || (Array.isArray(each) && each.some(isBlank)))
			refuse(`has no value at ${shown(place)}. Enter a value, or remove the field`);
	};
	if (!isBlank(query)) find(query, '');
	return query;
};

const method = choice('method', 'Method', {
	options: METHODS.map((name) => ({ name, value: name })),
	default: 'GET',
	closed: 'ofNode',
	description:
		'GET reads. All other methods count as changes. They are sent one at a time and never repeated after a failure.',
});

const path = text('path', 'Path', {
	required: true,
	placeholder: 'e.g. /sites/7/notes',
	description: 'Path to add to the Base URL of the credential, without a query',
	as: toPath,
});

const query = json('query', 'Query', {
	description:
		'Query parameters as a JSON object, such as { "filters[name:contains]": "bakery" }. Lists are sent as name[]=…, once for each entry.',
	as: toQuery,
});

const body = json('body', 'Body', {
	description: 'Body of the request as a JSON object, such as { "tag": { "name": "Bakeries" } }',
	displayOptions: ofChanges,
});

const response = choice('response', 'Response', {
	options: optionsFrom({
		asItIs: ['Unchanged', 'One item with the response'],
		file: ['File', 'The response goes into a binary field'],
		records: ['Records of a List', 'One item for each record. The list is read page by page.'],
	}),
	default: 'asItIs',
	closed: 'ofNode',
	description: 'How to return the response',
	displayOptions: { show: { method: ['GET'] } },
});

const ofResponse = (value: string, field: Field): Field =>
	readWith(response, value, { ...field, displayOptions: response.displayOptions });

export const anyRequestFields: Field[] = [
	method,
	path,
	query,
	body,
	response,
	ofResponse('records', controls.returnAll),
	readWith(controls.returnAll, false, ofResponse('records', controls.limit)),
	controls.startFrom,
	ofResponse('file', controls.binaryField),
	...controls.confirmationFields(ofChanges),
	{ ...controls.preview, displayOptions: ofChanges },
];

/** @throws NodeOperationError also for values that a method has only in the panel, where an expression sets the method */
export function anyRequestOf(item: ItemContext): AnyRequest {
	const { settings } = readInput(item, anyRequestFields);
	const { limit: most } = settings;
	const asked: AnyRequest = {
		method: METHODS.find((name) => name === settings.method)!,
		path: String(settings.path),
		query: recordIn(settings.query),
		body: recordIn(settings.body),
		repeats: false,
		response: RESPONSES.find((name) => name === settings.response) ?? 'asItIs',
		max: settings.returnAll !== true && typeof most === 'number' ? most : undefined,
		settings,
	};
	const clash = ({ displayName }: Field, problem: string) =>
		naming(item, displayName, () => refuse(problem));
	if (asked.method === 'GET' && !isBlank(asked.body)) {
		clash(body, 'is set, but "Method" is GET, which has no body. Use "Query"');
	}
	if (asked.method !== 'GET' && asked.response !== 'asItIs') {
		clash(response, `is not "Unchanged", but "Method" is ${asked.method}, not GET`);
	}
	const own = ['page', 'perPage'].find((name) => name in asked.query);
	if (asked.response === 'records' && own !== undefined) {
		clash(
			query,
			`contains ${shown(own)}, which the node sets itself when it reads a list. Use "Limit"`,
		);
	}
	return asked;
}

export interface AnyRequest extends Parts {
	method: (typeof METHODS)[number];
	response: (typeof RESPONSES)[number];
	/** How many records at most; undefined for all. */
	max?: number;
	settings: Settings;
	/** Its operation in the API document, such as `GET /sites/{site_id}`; undefined if it was not checked with it. */
	route?: string;
	/** What the API document calls it. */
	title?: string;
}
