import { ApiDocument } from '../../nodes/shared/document/openapi';
import { fieldsIn } from '../../nodes/shared/document/fields';
import { timed, type Row } from './lib';

const OPERATIONS = 3_000;
const BYTES = 10 * 1024 ** 2;

/** A document of 10 MB in which each operation has parameters, a body with references, and descriptions. */
function generated(): string {
	const schemas: Record<string, object> = {};
	const paths: Record<string, object> = {};
	const filler = 'What this does in the service. '.repeat(25);
	for (let nth = 0; nth < OPERATIONS; nth++) {
		const properties = Object.fromEntries(
			Array.from({ length: 10 }, (_, field) => [
				`field${field}`,
				field > 7 && nth > 0
					? { $ref: `#/components/schemas/Record${nth - 1}` }
					: { type: 'string', description: filler.slice(0, 120) },
			]),
		);
		schemas[`Record${nth}`] = { type: 'object', properties, required: ['field0'] };
		const schema = { $ref: `#/components/schemas/Record${nth}` };
		paths[`/groups/{group_id}/records${nth}`] = {
			parameters: [{ name: 'group_id', in: 'path', required: true, schema: { type: 'integer' } }],
			post: {
				...{ operationId: `add${nth}`, summary: `Add a record of kind ${nth}`, tags: ['Records'] },
				description: filler,
				parameters: [{ name: 'dry_run', in: 'query', schema: { type: 'boolean' } }],
				requestBody: { required: true, content: { 'application/json': { schema } } },
				responses: { 200: { content: { 'application/json': { schema } } } },
			},
		};
	}
	const text = JSON.stringify({ openapi: '3.1.0', paths, components: { schemas }, 'x-filler': '' });
	return text.replace(
		/"x-filler":""/,
		`"x-filler":"${'.'.repeat(Math.max(0, BYTES - text.length))}"`,
	);
}

/** How long it takes to list the operations of a large API document, and to show the fields of one. */
export async function document(): Promise<Row[]> {
	const text = generated();
	const { result, seconds } = await timed(async () => {
		const opened = new ApiDocument(JSON.parse(text));
		const last = opened.operations.at(-1)!;
		return {
			count: opened.operations.length,
			fields: fieldsIn(opened, opened.operation(last.route)!),
		};
	});
	if (result.count !== OPERATIONS || result.fields.length !== 12)
		throw new Error('The document has to be read whole');
	const what = `Operations of an API document of ${Math.round(text.length / 1024 ** 2)} MB, and the fields of one`;
	return [{ what, here: { seconds }, goal: { text: 'under 2 s', met: seconds < 2 } }];
}
