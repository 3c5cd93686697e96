import { DateTime, IANAZone } from 'luxon';

/** A JSON schema. */
export type Schema = Record<string, unknown>;

/** An object of exactly these properties; those of `required` must be sent. */
export function object(properties: Record<string, Schema>, required: string[] = []): Schema {
	return { type: 'object', properties, required, additionalProperties: false };
}

/** An object of exactly these properties, all of them present. */
export const record = (properties: Record<string, Schema>): Schema =>
	object(properties, Object.keys(properties));

/** The same schema, with null allowed. */
export function nullable(schema: Schema): Schema {
	const words = schema.enum as unknown[] | undefined;
	return { ...schema, type: [schema.type, 'null'], ...(words && { enum: [...words, null] }) };
}

export const string: Schema = { type: 'string' };
export const integer: Schema = { type: 'integer' };
export const boolean: Schema = { type: 'boolean' };
export const date: Schema = { type: 'string', format: 'date' };
export const timestamp: Schema = { type: 'string', format: 'timestamp' };
/** An object whose properties are not described. */
export const open: Schema = { type: 'object' };
export const oneOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words });
export const arrayOf = (items: Schema): Schema => ({ type: 'array', items });
export const notBlank: Schema = { type: 'string', pattern: '\\S' };
export const ids: Schema = arrayOf(string);
export const httpUrl: Schema = { type: 'string', format: 'http-url' };
export const timezone: Schema = { type: 'string', format: 'timezone' };
export const emailAddress: Schema = { type: 'string', format: 'email' };
export const hexColor: Schema = { type: 'string', pattern: '^#([0-9a-fA-F]{3}){1,2}$' };

/** The bytes of a file, as the response of a route with a `mediaType`. */
export const binary: Schema = { type: 'string', format: 'binary' };

/** Formats that the schemas of the service add to those of JSON schema. */
export const formats = {
	binary: true as const,
	'http-url': (text: string) => /^https?:\/\/[^\s/]+\S*$/i.test(text) && URL.canParse(text),
	timestamp: (text: string) => /^\d{4}-\d{2}-\d{2}/.test(text) && DateTime.fromISO(text).isValid,
	timezone: (text: string) => IANAZone.isValidZone(text),
};
