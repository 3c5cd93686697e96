import {
	type Static,
	type TOptional,
	type TProperties,
	type TSchema,
	Type,
} from '@sinclair/typebox';
import { DateTime, IANAZone } from 'luxon';

/*
 * The words that the schemas of requests and responses are written in: those of TypeBox, closed against properties
 * that nobody knows.
 */

/** A JSON schema that knows its type. */
export type Schema = TSchema;

const closed = { additionalProperties: false };

/** An object of exactly these properties; all but the optional ones must be there. */
export const object = <P extends TProperties>(properties: P) => Type.Object(properties, closed);

/** The same object, in which the running service has these properties too: no output of a node promises them. */
export const beyond = <T extends TSchema>(schema: T, properties: TProperties): T =>
	limited(schema, {
		patternProperties: Object.fromEntries(
			Object.entries(properties).map(([name, of]) => [`^${name}$`, of]),
		),
	});

export const optional = Type.Optional;

/** The same properties, each of them optional. */
export const optionals = <P extends TProperties>(properties: P) =>
	Object.fromEntries(
		Object.entries(properties).map(([name, schema]) => [name, optional(schema)]),
	) as { [K in keyof P]: TOptional<P[K]> };

/** An object of these properties, all optional. */
export const partial = <P extends TProperties>(properties: P) => object(optionals(properties));

/** The same with at least one of them, as updates are sent. */
export const changesOf = <P extends TProperties>(properties: P) =>
	limited(partial(properties), { minProperties: 1 });

/** The same schema, with null allowed. */
export function nullable<T extends TSchema>(schema: T) {
	const words = schema.enum as unknown[] | undefined;
	return Type.Unsafe<Static<T> | null>({
		...schema,
		type: [schema.type, 'null'],
		...(words && { enum: [...words, null] }),
	});
}

export const oneOf = <W extends string>(...words: readonly W[]) =>
	Type.Unsafe<W>({ type: 'string', enum: words });

export const arrayOf = Type.Array;

/** The same schema with more conditions, such as `minimum`. */
export const limited = <T extends TSchema>(schema: T, limits: Record<string, unknown>): T => ({
	...schema,
	...limits,
});

/** The same object, which must have a property `needed` when another one has a certain value. */
export const neededWhen = <T extends TSchema>(
	[property, value]: [string, string | boolean],
	needed: string,
	schema: T,
): T =>
	limited(schema, {
		if: { properties: { [property]: { const: value } }, required: [property] },
		then: { required: [needed] },
	});

export const string = Type.String();
export const matching = (pattern: string) => Type.String({ pattern });
export const integer = Type.Integer();
export const number = Type.Number();
export const atLeast = (minimum: number) => Type.Integer({ minimum });
export const boolean = Type.Boolean();
export const date = Type.String({ format: 'date' });
export const timestamp = Type.String({ format: 'timestamp' });
/** An object whose properties are not described. */
export const open = Type.Unsafe<Record<string, unknown>>({ type: 'object' });
/** An object of any properties, of which each value is such a one. */
export const mapOf = <T extends TSchema>(values: T) =>
	Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: values });
export const notBlank = matching('\\S');
export const ids = arrayOf(string);
export const httpUrl = Type.String({ format: 'http-url' });
export const timezone = Type.String({ format: 'timezone' });
export const emailAddress = Type.String({ format: 'email' });
export const hexColor = matching('^#([0-9a-fA-F]{3}){1,2}$');

/** The bytes of a file, as the response of a route with a `mediaType`. */
export const binary = Type.String({ format: 'binary' });

/** `URL.canParse` of Node.js 20 is wrong about letters such as ü once it has been called often. */
function isUrl(text: string): boolean {
	try {
		return Boolean(new URL(text));
	} catch {
		return false;
	}
}

/** Formats that the schemas of the service add to those of JSON schema. */
export const formats = {
	binary: true as const,
	'http-url': (text: string) => /^https?:\/\/[^\s/]+\S*$/i.test(text) && isUrl(text),
	timestamp: (text: string) => /^\d{4}-\d{2}-\d{2}/.test(text) && DateTime.fromISO(text).isValid,
	timezone: (text: string) => IANAZone.isValidZone(text),
};
