import type {
	FieldType,
	Operation,
	Output,
	Resource,
	Simplified,
} from '../../nodes/shared/operation';
import { besideOf } from '../../nodes/shared/operation';
import { routes } from '../../sandbox/service/modules';
import { anyId } from './reference';

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

/** The editor wants one type for each value, and numbers of one kind. */
function plain({ type, properties, items }: Described): OutputSchema {
	const [first] = [type].flat().filter((each) => each !== 'null');
	return {
		type: first === 'integer' ? 'number' : first!,
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, each]) => [name, plain(each)]),
			),
		}),
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
	object(
		Object.fromEntries(
			Object.entries(fields).map(([name, from]) => [name, simplifiedField(record, from)]),
		),
	);

function simplifiedField(record: OutputSchema, from: Simplified[string]): OutputSchema {
	if (typeof from === 'function') {
		// What is counted or decided is so of an empty record, too; what is taken from it is text.
		const value = from({});
		return { type: value === undefined ? 'string' : typeof value };
	}
	if (from.endsWith('.length')) return number!;
	const found = from
		.split('.')
		.reduce<OutputSchema | undefined>((schema, key) => schema?.properties?.[key], record);
	// Where the service leaves open what is inside it is text.
	return found ?? text!;
}

/** Fields that the node makes. */
const madeFields = (fields: Record<string, FieldType>) =>
	object(
		Object.fromEntries(
			Object.entries(fields).map(([name, type]) => [
				name,
				type === 'array' ? { type, items: text! } : { type },
			]),
		),
	);

/** What the items of an operation are by default. */
export function outputSchema(operation: Operation): OutputSchema {
	const schema = recordSchema(operation);
	const beside = madeFields(besideOf(operation));
	return { ...schema, properties: { ...schema.properties, ...beside.properties } };
}

function recordSchema(operation: Operation): OutputSchema {
	const { answer } = operation;
	const formed = (record: Described) =>
		'output' in answer && answer.output ? simplified(plain(record), answer.output) : plain(record);
	switch (answer.kind) {
		case 'list':
		case 'records':
			return formed(inside(responseOf(operation), answer.wrapper).items!);
		case 'record': {
			const response = responseOf(operation);
			const schema = formed(answer.wrapper ? inside(response, answer.wrapper) : response);
			return renamed(schema, answer.renamed ?? {});
		}
		case 'bulk':
			return object({ id: text!, success: boolean!, code: text!, message: text! });
		case 'task':
		case 'wait':
			return formed(inside(responseOf(operation), 'task'));
		case 'sync':
			return plain(inside(responseOf(operation), 'sync'));
		case 'file':
			return object({ id: text!, fileName: text!, mimeType: text!, fileSize: text! });
		case 'nothing':
			return object({ deleted: boolean!, id: text! });
		case 'made':
			return madeFields(answer.fields);
		case 'any':
			return object({});
	}
}

const renamed = (schema: OutputSchema, names: Record<string, string>): OutputSchema => ({
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
