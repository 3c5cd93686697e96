import type { IDataObject } from 'n8n-workflow';
import { type ApiDocument, type Listed, type Schema, textOf } from '../../shared/document/openapi';
import { refuse } from '../../shared/input/refusal';
import { isRecord, listIn, recordIn, textsIn } from '../../shared/lib';

/** What an operation of an OpenAPI document takes. */

/** A value of an operation that the user sets. */
export interface Input {
	/** Where it goes and its name there, such as `query.sort` or `body.tag.name`. */
	key: string;
	place: 'path' | 'query' | 'body';
	/** Name in the path or query; path in the body, which is empty for a whole body. */
	path: string[];
	schema: Schema;
	isRequired: boolean;
	/** The separator of a list in the query. @default the list is repeated */
	joint?: string;
	/** Of an object in the query: sent as `name[field]`. */
	isDeep?: boolean;
	description: string;
}

export interface ApiOperation extends Listed {
	inputs: Input[];
	/** Whether the list has pages that the node can read. */
	isPaged: boolean;
	isFile: boolean;
}

/** The name of an input with fields of an object that the document does not name, but allows. */
export const OTHERS = '*';

/** Separators of lists in the query that are not repeated, by the style of the parameter. */
const JOINTS = new Map(Object.entries({ form: ',', pipeDelimited: '|', spaceDelimited: ' ' }));

/** Parameters of lists that the node sets itself. */
const PAGING = ['query.page', 'query.perPage'];

/** The operation of a route such as `GET /sites`, or of an `operationId`; undefined if there is none. */
export const operationIn = (document: ApiDocument, named: string): ApiOperation | undefined =>
	new OperationReader(document).operation(named);

class OperationReader {
	constructor(private readonly document: ApiDocument) {}

	operation(named: string): ApiOperation | undefined {
		const wanted = named.trim();
		const row =
			this.document.operations.find(({ route }) => route === wanted) ??
			this.document.operations.find(({ id }) => id !== '' && id === wanted);
		if (!row) return undefined;
		const [verb = '', template = ''] = row.route.split(' ');
		const item = this.document.itemAt(template);
		const operation = recordIn(item[verb.toLowerCase()]);
		const parameters = this.parametersOf(template, [item, operation]);
		const has = (key: string) => parameters.some((input) => input.key === key);
		const isPaged = verb === 'GET' && PAGING.every(has);
		const isShown = ({ key }: Input) => !isPaged || !PAGING.includes(key);
		return {
			...row,
			inputs: [...parameters.filter(isShown), ...this.bodyOf(operation)],
			isPaged,
			isFile: this.isFile(operation),
		};
	}

	/** Parameters of the path item and of the operation, which replace those of the same name and place. */
	private parametersOf(template: string, holders: IDataObject[]): Input[] {
		const byName = new Map<string, IDataObject>();
		for (const each of holders.flatMap(({ parameters }) => listIn(parameters))) {
			const parameter = this.document.schemaAt(each);
			byName.set(`${String(parameter.in)}.${String(parameter.name)}`, parameter);
		}
		const inputs = [...byName.values()].flatMap((each) => this.inputsOf(each));
		const ids = [...new Set([...template.matchAll(/\{([^{}]+)\}/g)].map(([, id = '']) => id))];
		// Some documents leave out IDs of a path, or have those of another.
		const unknown = ids.filter((id) => !inputs.some(({ key }) => key === `path.${id}`));
		return [
			...unknown.map((id) => inputAt('path', [id], { type: 'string' }, true)),
			...inputs.filter(({ place, path: [id = ''] }) => place !== 'path' || ids.includes(id)),
		];
	}

	/** A parameter; the fields of an object in the query are parameters of their own. */
	private inputsOf(parameter: IDataObject): Input[] {
		const { in: place, required, schema, content, style = 'form', explode } = parameter;
		const name = String(parameter.name);
		const isRequired = required === true;
		if (place === 'header' || place === 'cookie') {
			const isOwn = /^(authorization|accept|content-type)$/i.test(name);
			if (isRequired && !isOwn) refuse(`needs the ${place} "${name}", which this node cannot send`);
			return [];
		}
		if (place !== 'path' && place !== 'query') return [];
		const [media] = Object.values(recordIn(content));
		const own = this.document.schemaAt(schema ?? recordIn(media).schema);
		const isDeep = place === 'query' && style === 'deepObject';
		const isRepeated = explode === undefined ? style === 'form' : explode === true;
		const parts = Object.entries(recordIn(own.properties));
		if (place === 'query' && !content && parts.length > 0 && (isDeep || isRepeated)) {
			const needed = textsIn(own.required);
			return parts.map(([field, each]) => {
				const path = isDeep ? `${name}[${field}]` : field;
				const isNeeded = isRequired && needed.includes(field);
				return inputAt(
					place,
					[path],
					this.document.schemaAt(each),
					isNeeded,
					isDeep ? { isDeep } : {},
				);
			});
		}
		const joint = place === 'query' && !isRepeated ? JOINTS.get(String(style)) : undefined;
		return [
			inputAt(place, [name], own, place === 'path' || isRequired, {
				description: textOf(parameter.description),
				...(joint && { joint }),
				...(isDeep && { isDeep }),
			}),
		];
	}

	/** The fields of the body; those of its only object, such as `tag`, are fields of their own. */
	private bodyOf({ requestBody }: IDataObject): Input[] {
		const body = this.document.schemaAt(requestBody);
		const content = recordIn(body.content);
		const types = Object.keys(content);
		const type = types.find((each) => /^(application|\*)\/(\*|([\w.+-]+\+)?json\b)/i.test(each));
		const isRequired = body.required === true;
		if (type === undefined) {
			if (types[0] && isRequired)
				refuse(`needs a body of ${types[0]}, but this node sends only JSON`);
			return [];
		}
		const schema = this.document.schemaAt(recordIn(content[type]).schema);
		const fields = this.fieldsOf(schema);
		const description = textOf(body.description);
		if (!fields) return [inputAt('body', [], schema, isRequired, { description })];
		const [only] = fields;
		const below = fields.length === 1 && only ? this.fieldsOf(only.schema) : undefined;
		const path = below && only ? [only.name] : [];
		const isNeeded = isRequired && (only?.isRequired === true || path.length === 0);
		return (below ?? fields).map((each) =>
			inputAt('body', [...path, each.name], each.schema, isNeeded && each.isRequired),
		);
	}

	/** The fields of an object of known fields; undefined for anything else. */
	private fieldsOf(schema: Schema) {
		const { type, properties, required, oneOf, anyOf, allOf, additionalProperties: more } = schema;
		const isOpen = more === true || isRecord(more);
		const isObject = [type].flat().includes('object') || type === undefined;
		const parts = Object.entries(recordIn(properties));
		if (!isObject || parts.length === 0 || oneOf || anyOf || allOf) return undefined;
		const needed = new Set(textsIn(required));
		const fields = parts
			.map(([name, each]) => ({
				name,
				schema: this.document.schemaAt(each),
				isRequired: needed.has(name),
			}))
			.filter((each) => each.schema.readOnly !== true);
		const others = { type: 'object', additionalProperties: more };
		return isOpen ? [...fields, { name: OTHERS, schema: others, isRequired: false }] : fields;
	}

	private isFile({ responses }: IDataObject): boolean {
		const good = Object.entries(recordIn(responses)).find(([status]) => /^2/.test(status));
		const types = Object.keys(recordIn(this.document.schemaAt(good?.[1]).content));
		return types.length > 0 && !types.some((each) => /json|\*\/\*/i.test(each));
	}
}

const inputAt = (
	place: Input['place'],
	path: string[],
	schema: Schema,
	isRequired: boolean,
	more: Partial<Input> = {},
): Input => ({
	...{ key: [place, ...path].join('.'), place, path, schema, isRequired },
	description: textOf(schema.description),
	...more,
});
