import { formats } from './schema';
import AjvCompiler from '@fastify/ajv-compiler';
import type { FastifySchemaValidationError } from 'fastify';

/** Whether a value fits a schema; `errors` are those of the last call. */
export type Validator = ((data: unknown) => boolean) & {
	errors?: FastifySchemaValidationError[] | null;
};

const compile = AjvCompiler()(
	{},
	{
		customOptions: {
			allErrors: true,
			allowUnionTypes: true,
			coerceTypes: false,
			removeAdditional: false,
			useDefaults: false,
			formats,
		},
	},
);

/** By schema as JSON: every server makes the schemas of its routes anew. */
const validators = new Map<string, Validator>();

/** The validator of a schema, alike for all servers of the process; compiled for the first value that comes. */
export function validatorOf(schema: unknown): Validator {
	const key = JSON.stringify(schema);
	const known = validators.get(key);
	if (known) return known;
	let compiled: Validator | undefined;
	const validator: Validator = (data) => {
		compiled ??= compile({ schema }) as Validator;
		const isFitting = compiled(data);
		validator.errors = compiled.errors;
		return isFitting;
	};
	validators.set(key, validator);
	return validator;
}
