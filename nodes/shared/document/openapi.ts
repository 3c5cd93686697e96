import type { IDataObject } from 'n8n-workflow';
import { isRecord, recordIn, textsIn } from '../lib';
import { refuse } from '../input/refusal';

/** Reads an OpenAPI document (3.0 and 3.1): its operations, and what its references lead to. */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** A JSON Schema as in the document, without references at its top. */
export type Schema = IDataObject;

/** A row of the list of operations. */
export interface Listed {
	/** Such as `POST /tags/{tag_id}/update`. */
	route: string;
	/** The `operationId`; empty without one. */
	id: string;
	title: string;
	/** The group that the document puts it in. */
	tag: string;
}

/** References that follow each other; more are a circle. */
const MAX_REFERENCES = 50;

export class ApiDocument {
	readonly operations: Listed[];

	/** @throws Refusal that continues "The API document …" */
	constructor(private readonly json: IDataObject) {
		const { openapi, swagger, paths } = json;
		if (typeof swagger === 'string') {
			refuse(`is Swagger ${swagger}, not OpenAPI 3. Convert it to OpenAPI 3.1`);
		}
		if (typeof openapi !== 'string')
			refuse('has no field "openapi", so it is not an OpenAPI document');
		if (!/^3\.[01](\.|$)/.test(String(openapi))) {
			refuse(`has the OpenAPI version ${String(openapi)}, but 3.0 or 3.1 is needed`);
		}
		if (!isRecord(paths)) refuse('has no field "paths" with operations');
		// Other keys are extensions.
		const all = Object.entries(recordIn(paths)).filter(([template]) => template.startsWith('/'));
		this.operations = all.flatMap(([template, item]) => {
			const methods = this.schemaAt(item);
			return METHODS.filter((method) => isRecord(methods[method])).map((method) =>
				rowOf(method, template, recordIn(methods[method])),
			);
		});
		if (this.operations.length === 0) refuse('has no operations');
	}

	/** What is described for a path such as `/sites/{site_id}`. */
	itemAt(template: string): Schema {
		return this.schemaAt(recordIn(this.json.paths)[template]);
	}

	schemaAt(node: unknown): Schema {
		return recordIn(this.resolved(node));
	}

	/** A node of the document, with local references followed. @throws Refusal for others and for circles */
	resolved(node: unknown): unknown {
		let found = node;
		for (let count = 0; isRecord(found) && typeof found.$ref === 'string'; count++) {
			const { $ref: reference, ...beside } = found;
			if (!reference.startsWith('#/'))
				refuse(`refers to ${reference}, but only references within the document are read`);
			if (count === MAX_REFERENCES) refuse(`refers in a circle at ${reference}`);
			const target = pointed(this.json, reference);
			if (target === undefined)
				refuse(`refers to ${reference}, which the document does not contain`);
			found = isRecord(target) ? { ...target, ...beside } : target;
		}
		return found;
	}
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function rowOf(method: string, template: string, operation: IDataObject): Listed {
	const { operationId, summary, tags, description } = operation;
	const [firstLine = ''] = textOf(description).split('\n');
	return {
		route: `${method.toUpperCase()} ${template}`,
		id: textOf(operationId),
		title: textOf(summary) || firstLine.slice(0, 100) || textOf(operationId),
		tag: textsIn(tags)[0] ?? '',
	};
}

const decoded = (key: string) => (/%(?![\da-f]{2})/i.test(key) ? key : decodeURIComponent(key));

/** The value at a JSON pointer such as `#/components/schemas/Tag`. */
function pointed(document: IDataObject, reference: string): unknown {
	const keys = reference.slice(2).split('/');
	return keys.reduce<unknown>((at, key) => {
		const name = decoded(key).replaceAll('~1', '/').replaceAll('~0', '~');
		if (Array.isArray(at)) return at[Number(name)];
		return isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
	}, document);
}
