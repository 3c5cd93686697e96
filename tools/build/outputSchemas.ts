import type {
	Answer,
	FieldType,
	Operation,
	Output,
	Resource,
	Simplified,
} from '../../nodes/shared/operation/index';
import { mapValues } from '../../nodes/shared/lib';
import { idsOf } from '../../nodes/shared/operation/index';
import {
	aboveOf,
	deletedBy,
	identifyingFields,
	inOrder,
	lacksSite,
	shaped,
} from '../../nodes/shared/receive/output';
import { routes } from '../../sandbox/service/modules';
import { anyId } from '../../test/support/reference';

/** What each operation gives, as n8n's editor offers it to the next node before the first run. */

export interface OutputSchema {
	type: string;
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

/** What the schemas of the service's routes have that is of use here. */
interface Described {
	type: string | string[];
	properties?: Record<string, Described>;
	items?: Described;
}

const object = (properties: Record<string, OutputSchema>): OutputSchema => ({
	type: 'object',
	properties,
});

const [text, number, boolean] = ['string', 'number', 'boolean'].map((type) => ({ type }));

const texts: OutputSchema = { type: 'array', items: text };

/** The editor wants one type for each value, and numbers of one kind. */
function plain({ type, properties, items }: Described): OutputSchema {
	const [first] = [type].flat().filter((each) => each !== 'null');
	return {
		type: first === 'integer' ? 'number' : first!,
		...(properties && { properties: mapValues(properties, plain) }),
		...(items && { items: plain(items) }),
	};
}

function responseOf({ route }: Operation): Described {
	const found = routes.find(({ method, path }) => anyId(`${method} ${path}`) === anyId(route));
	if (!found) throw new Error(`The service has no route ${route}`);
	return found.response as unknown as Described;
}

function inside(described: Described, name: string): Described {
	const found = described.properties?.[name];
	if (!found) throw new Error(`The service does not say what "${name}" is`);
	return found;
}

/** What Simplified makes of a record, which is how its records come by default. */
const simplified = (record: OutputSchema, { simplified: fields }: Output): OutputSchema =>
	object(mapValues(fields, (from) => simplifiedField(record, from)));

function simplifiedField(record: OutputSchema, from: Simplified[string]): OutputSchema {
	if (typeof from === 'function') {
		// What is counted or decided is so of an empty record, too; what is taken from it is text.
		const value = from({});
		return Array.isArray(value) ? texts : { type: value === undefined ? 'string' : typeof value };
	}
	if (from.endsWith('.length')) return number!;
	// Where the service leaves open what is inside it is text.
	return from.split('.').reduce<OutputSchema | undefined>(partOf, record) ?? text!;
}

/** Of a list, the list of the parts. */
function partOf(schema: OutputSchema | undefined, key: string): OutputSchema | undefined {
	if (schema?.type !== 'array') return schema?.properties?.[key];
	const inside = partOf(schema.items, key) ?? text!;
	return inside.type === 'array' ? inside : { type: 'array', items: inside };
}

/** Without nesting: `{ user: { name } }` gives `user_name`. */
function flattened(schema: OutputSchema): OutputSchema {
	const entries = Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
		each.type === 'object'
			? Object.entries(flattened(each).properties!).map(([inner, value]) => [
					`${name}_${inner}`,
					value,
				])
			: [[name, each]],
	);
	return object(Object.fromEntries(entries) as Record<string, OutputSchema>);
}

/** The ids above a record stand after its own one. */
const below = (above: string[], { properties: { id, ...rest } = {} }: OutputSchema) =>
	object({
		...(id && { id }),
		...Object.fromEntries(above.map((name) => [name, text!])),
		...rest,
	});

/** The names of the ids above what an operation gives. */
function idsAbove(operation: Operation): string[] {
	const ids = Object.fromEntries(idsOf(operation.route).map((name) => [name, name]));
	return Object.keys(aboveOf(operation, { ids, body: {} }));
}

/** Fields that the node makes. */
const madeFields = (fields: Record<string, FieldType>) =>
	object(mapValues(fields, (type) => (type === 'array' ? { type, items: text! } : { type })));

export function outputSchema(operation: Operation): OutputSchema {
	const schema = recordSchema(operation);
	const isOfSite = !operation.route.startsWith('GET ') && lacksSite(schema.properties as never);
	const site: Record<string, FieldType> = { site_title: 'string', site_url: 'string' };
	const beside = madeFields({ ...(isOfSite && site), ...operation.beside });
	return object(inOrder({ ...schema.properties, ...beside.properties } as never) as never);
}

function recordSchema(operation: Operation): OutputSchema {
	const { answer } = operation;
	const formed = (record: Described) =>
		below(
			idsAbove(operation),
			'output' in answer && answer.output
				? simplified(plain(record), answer.output)
				: flattened(plain(record)),
		);
	switch (answer.kind) {
		case 'list':
		case 'records':
			return renamed(formed(inside(responseOf(operation), answer.wrapper).items!), answer.renamed);
		case 'record': {
			const response = responseOf(operation);
			const schema = formed(answer.wrapper ? inside(response, answer.wrapper) : response);
			return renamed(schema, answer.renamed);
		}
		case 'bulk':
			return below(idsAbove(operation), bulkItem(answer));
		case 'task':
			return below(
				[...idsAbove(operation), ...idsSent(operation)],
				object({ task_id: text!, task_status: text!, task_started_at: text! }),
			);
		case 'wait':
			return formed(inside(responseOf(operation), 'task'));
		case 'sync':
			return formed(inside(responseOf(operation), 'sync'));
		case 'file':
			return below(
				idsAbove(operation),
				object({ id: text!, file_name: text!, mime_type: text!, size_bytes: number! }),
			);
		case 'nothing': {
			const deleted = deletedBy(operation);
			const known = deleted ? identifyingFields(operation, deleted) : {};
			return object({
				deleted: boolean!,
				id: text!,
				...Object.fromEntries(Object.keys(known).map((name) => [name, text!])),
				...Object.fromEntries(idsAbove(operation).map((name) => [name, text!])),
			});
		}
		case 'made':
			return madeFields(answer.fields);
		case 'any':
			return object({});
	}
}

/** What a bulk operation gives for an id, by what the node makes of an answer. */
function bulkItem(answer: Answer): OutputSchema {
	const item = shaped({ route: 'POST /', answer }, {}, { ids: {}, body: {} });
	const given = item({ id: '', success: true, code: '', message: '' });
	return object(mapValues(given, (value) => ({ type: typeof value })));
}

/** The ids that a task is started for, which are sent in the body. */
const idsSent = ({ route, fields }: Operation): string[] =>
	idsOf(route).length > 0
		? []
		: fields
				.filter(({ required }) => required)
				.map(({ target }) => /\.((?:site|snapshot)_id)$/.exec(target?.property ?? '')?.[1] ?? '')
				.filter(Boolean);

const renamed = (schema: OutputSchema, names: Record<string, string> = {}): OutputSchema => ({
	...schema,
	properties: Object.fromEntries(
		Object.entries(schema.properties ?? {}).map(([name, each]) => [names[name] ?? name, each]),
	),
});

/** The schemas of all operations by their places in the folder of the node, such as `tag/getAll`. */
export const outputSchemas = ({ value, operations }: Resource): Record<string, OutputSchema> =>
	Object.fromEntries(
		operations.map((operation) => [`${value}/${operation.labels.value}`, outputSchema(operation)]),
	);
