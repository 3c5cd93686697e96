import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { parse as parseYaml } from 'yaml';
import { isRecord } from '../../nodes/shared/lib';
import { isWebPage } from '../../nodes/shared/receive/answer';
import { UserError } from '../../sandbox/lib/errors';
import { describedBy, type Follow, type Schema } from './schema';

/** A parameter of the query, by its key without the `[]` of lists. */
export interface Parameter {
	/** None where nothing is said of its value. */
	schema?: Schema;
	isRequired: boolean;
	/** Whether its key ends with `[]`. */
	isList: boolean;
	isDeprecated: boolean;
}

export interface Content {
	/** The media types; none where nothing is said of a body. */
	mediaTypes: string[];
	/** Whether JSON is one of them. */
	isJson: boolean;
	/** Of the JSON; none where nothing is said of it. */
	schema?: Schema;
}

/** An operation as an OpenAPI document describes it. */
export interface ApiOperation {
	id?: string;
	/** `GET /tags/{}`, without what the service has before all its paths. */
	route: string;
	/** As the document has it: `GET /api/v6/tags/{id}`. */
	shown: string;
	query: Map<string, Parameter>;
	/** Headers and cookies that must be sent. */
	headers: string[];
	/** None where the operation takes no body. */
	body?: Content & { isRequired: boolean };
	/** Those of a success. */
	answers: Success[];
	isDeprecated: boolean;
}

export interface Success extends Content {
	/** `200`, or `2XX` or `default` for several. */
	status: string;
}

export interface ApiDocument {
	/** Such as `Site Management Service API 6.0.0, OpenAPI 3.1.0`. */
	title: string;
	version: string;
	servers: string[];
	operations: ApiOperation[];
	follow: Follow;
	/** References to other documents, which are not read. */
	outside: Set<string>;
}

type Json = Record<string, unknown>;

const broken = (problem: string) =>
	new UserError(`The OpenAPI document is broken: ${problem}\nAsk the service for a correct one.`);

/**
 * Reads an OpenAPI document of version 3, in JSON or YAML.
 * @param from what it was read from, for messages
 * @throws UserError
 */
export async function readDocument(text: string, from: string): Promise<ApiDocument> {
	const content = contentOf(text.replace(/^\uFEFF/, ''), from);
	const document = checkedKind(content, from);
	const refs = await new $RefParser()
		.resolve(document, { resolve: { external: false } })
		.catch((error: Error) => Promise.reject(broken(`${error.message.split('\n')[0]}.`)));
	const outside = new Set<string>();

	function resolved(given: unknown, seen: string[]): Json | undefined {
		if (!isRecord(given)) return undefined;
		const { $ref: target } = given;
		if (typeof target !== 'string') return given;
		if (!target.startsWith('#')) {
			outside.add(target);
			return undefined;
		}
		if (seen.includes(target)) throw broken(`the reference ${target} leads only to itself.`);
		return resolved(lookUp(target), [...seen, target]);
	}

	function lookUp(target: string): unknown {
		try {
			return refs.get(target);
		} catch {
			throw broken(`the reference ${target} leads nowhere.`);
		}
	}

	const follow: Follow = (given) => resolved(given, []);
	const { info, openapi, servers } = document;
	const { title = 'An API without a title', version } = isRecord(info) ? info : {};
	return {
		title: `${inLine(title, version)}, OpenAPI ${inLine(openapi)}`,
		version: inLine(version),
		servers: (Array.isArray(servers) ? servers : [])
			.map((server) => (isRecord(server) ? server.url : undefined))
			.filter((url) => typeof url === 'string'),
		operations: operationsIn(document, follow),
		follow,
		outside,
	};
}

/** With fewer of the operations of the nodes than this share, a document is one of another service. */
const OUR_SHARE = 0.1;

/**
 * @param known how many of the operations of the nodes it has
 * @throws UserError where that are so few that it is the document of another service
 */
export function checkIsOurs({ title, operations }: ApiDocument, known: number, of: number) {
	// What has nothing but ours is a part of the service's own.
	const isPart = known > 0 && known === operations.length;
	if (isPart || known >= of * OUR_SHARE) return;
	throw new UserError(
		`${title}, is not the service's document: it has ${known || 'none'} of the ${of} operations of the nodes.\nGive the openapi.json of the Site Management Service.`,
	);
}

const inLine = (...words: unknown[]) => words.filter(Boolean).join(' ').replace(/\s+/g, ' ');

function contentOf(text: string, from: string): unknown {
	if (isWebPage(text)) {
		throw new UserError(
			`${from} is a web page, not an OpenAPI document.\nGive the address of the document itself: that of the API with /openapi.json behind it.`,
		);
	}
	const isJson = /^\s*[[{]/.test(text);
	try {
		return isJson ? JSON.parse(text) : parseYaml(text);
	} catch (error) {
		const [reason] = (error as Error).message.split('\n');
		throw new UserError(
			`${from} is not valid ${isJson ? 'JSON' : 'JSON or YAML'}: ${reason}\nThe document may have been cut off. Download it again.`,
		);
	}
}

function checkedKind(content: unknown, from: string): Json {
	const { openapi, swagger, paths } = isRecord(content) ? content : {};
	if (!isRecord(content) || !/^3(\.|$)/.test(String(openapi))) {
		const version = swagger ?? openapi;
		throw new UserError(
			`${from} is not an OpenAPI document of version 3${version === undefined ? '' : `, but of version ${String(version)}`}.\nGive the openapi.json of the service.`,
		);
	}
	if (!isRecord(paths)) throw broken('it has no object "paths".');
	return content;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

function operationsIn({ paths }: Json, follow: Follow): ApiOperation[] {
	return Object.entries(paths as Json).flatMap(([path, item]) => {
		const methods = here(item, follow);
		const shared = parametersIn(methods, follow);
		return METHODS.filter((method) => methods[method] !== undefined).map((method) => {
			const shown = `${method.toUpperCase()} ${path}`;
			const operation = methods[method];
			if (!isRecord(operation)) throw broken(`its entry for ${shown} is not an object.`);
			return operationOf(shown, operation, [...shared, ...parametersIn(operation, follow)], follow);
		});
	});
}

function operationOf(shown: string, operation: Json, parameters: Json[], follow: Follow) {
	const { operationId, requestBody } = operation;
	const body = follow(requestBody);
	return {
		...(typeof operationId === 'string' && { id: operationId }),
		route: shown.replace(/\{[^{}]*\}/g, '{}').replace(/(.)\/+$/, '$1'),
		shown,
		...sentIn(
			// Some documents have those of the path in the query, too.
			parameters.filter(({ name }) => !shown.includes(`{${String(name)}}`)),
			follow,
		),
		...(requestBody !== undefined && {
			body: { ...contentIn(body, follow), isRequired: body?.required === true },
		}),
		answers: answersIn(operation, follow),
		isDeprecated: operation.deprecated === true,
	};
}

const parametersIn = ({ parameters }: Json, follow: Follow): Json[] =>
	Array.isArray(parameters) ? parameters.map((each) => here(each, follow)) : [];

/** What must be in this document: without it, what is there would seem to be gone. */
function here(given: unknown, follow: Follow): Json {
	if (isRecord(given) && follow(given) === undefined) {
		throw new UserError(
			`The document has paths or parameters in another document, ${String(given.$ref)}, which is not read.\nMake one document of them first, for example with the npm package @redocly/cli.`,
		);
	}
	return follow(given) ?? {};
}

/** @param parameters those of the operation after those of its path, which give way to them */
function sentIn(parameters: Json[], follow: Follow): Pick<ApiOperation, 'query' | 'headers'> {
	const query: ApiOperation['query'] = new Map();
	const headers: string[] = [];
	for (const parameter of parameters) {
		const { in: place, required, deprecated } = parameter;
		const name = String(parameter.name);
		const [isRequired, isDeprecated] = [required === true, deprecated === true];
		const schema = parameter.schema ?? contentIn(parameter, follow).schema;
		if (place === 'query') {
			for (const [key, part] of keysOf(name, schema, follow)) {
				const isList = key.endsWith('[]');
				const told = { schema: part, isRequired, isList, isDeprecated };
				query.set(isList ? key.slice(0, -2) : key, told);
			}
		} else if (place !== 'path' && isRequired) headers.push(name);
	}
	return { query, headers };
}

/** A `filters` object is sent as `filters[name:eq]`, each of its fields under a key of its own. */
function keysOf(name: string, schema: Schema, follow: Follow): Array<[string, Schema]> {
	if (name !== 'filters') return [[name, schema]];
	const { parts, rest } = describedBy(schema, follow);
	const keys = [...parts].map(([key, part]): [string, Schema] => {
		const plain = key.replace(/\[\]$/, '');
		return [`${name}[${plain}]${plain === key ? '' : '[]'}`, part];
	});
	const isOpen = keys.length === 0 || rest === true || isRecord(rest);
	return isOpen ? [...keys, [name, schema]] : keys;
}

const isJsonType = (type: string) => /^(application\/([\w.-]+\+)?json|\*\/\*) *(;|$)/i.test(type);

/** Of a request body, a response or a parameter. */
function contentIn(holder: Json | undefined, follow: Follow): Content {
	const content = isRecord(holder?.content) ? holder.content : {};
	const mediaTypes = Object.keys(content);
	const json = mediaTypes.find(isJsonType);
	const media = json === undefined ? undefined : follow(content[json]);
	return { mediaTypes, isJson: json !== undefined, schema: media?.schema };
}

function answersIn({ responses }: Json, follow: Follow): Success[] {
	if (!isRecord(responses)) return [];
	const all = Object.keys(responses);
	const successes = all.filter((status) => /^2..$/.test(status));
	const told = successes.length > 0 ? successes : all.filter((status) => status === 'default');
	return told.map((status) => ({ ...contentIn(follow(responses[status]), follow), status }));
}
