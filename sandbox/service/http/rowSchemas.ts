import {
	arrayOf,
	boolean,
	mapOf,
	number,
	object,
	oneOf,
	optional,
	string,
	timestamp,
} from './schema';
import { type TSchema, Type } from '@sinclair/typebox';
import path from 'node:path';
import type ts from 'typescript';

const folder = path.join(__dirname, '..');

export interface WorldSchemas {
	/** Of the rows of each collection, by its name. */
	rows: Record<string, TSchema>;
	settings: TSchema;
}

/**
 * The schemas of all that a world holds, read from the interfaces that its parts declare it with: a second description
 * of each row would be forgotten when the row changes.
 */
export async function readSchemas(): Promise<WorldSchemas> {
	const { default: ts } = await import('typescript');
	const program = ts.createProgram([path.join(folder, 'modules.ts')], {
		strict: true,
		target: ts.ScriptTarget.ES2022,
		module: ts.ModuleKind.CommonJS,
		esModuleInterop: true,
		types: [],
	});
	const checker = program.getTypeChecker();

	const declared = (file: string, name: string) => {
		const source = program.getSourceFile(path.join(folder, 'engine', file))!;
		const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!);
		return checker.getDeclaredTypeOfSymbol(symbols.find((symbol) => symbol.name === name)!);
	};
	/** @param name of the field; a text in a field such as `created_at` is a time */
	const schemaOf = (type: ts.Type, name: string): TSchema => {
		const is = (flags: ts.TypeFlags) => (type.flags & flags) !== 0;
		if (is(ts.TypeFlags.BooleanLike)) return boolean;
		if (type.isUnion()) return unionOf(type.types, name);
		if (type.isStringLiteral()) return oneOf(type.value);
		if (type.isNumberLiteral()) return Type.Literal(type.value);
		if (is(ts.TypeFlags.Null)) return Type.Null();
		if (is(ts.TypeFlags.NumberLike)) return number;
		if (is(ts.TypeFlags.StringLike)) return name.endsWith('_at') ? timestamp : string;
		if (!is(ts.TypeFlags.Object)) return Type.Unknown();
		if (checker.isArrayType(type)) {
			return arrayOf(schemaOf(checker.getTypeArguments(type as ts.TypeReference)[0]!, name));
		}
		const values = type.getStringIndexType();
		return values ? mapOf(schemaOf(values, name)) : object(fieldsOf(type));
	};
	const unionOf = (types: ts.Type[], name: string): TSchema => {
		const words = types.filter((type) => type.isStringLiteral()).map(({ value }) => value);
		const others = types.filter(
			(type) => !type.isStringLiteral() && !(type.flags & ts.TypeFlags.Undefined),
		);
		const schemas = [
			...(words.length > 0 ? [oneOf(...words)] : []),
			...others.map((type) => schemaOf(type, name)),
		];
		return schemas.length === 1 ? schemas[0]! : Type.Union(schemas);
	};
	const fieldsOf = (type: ts.Type): Record<string, TSchema> =>
		Object.fromEntries(
			type.getProperties().map((field) => {
				const schema = schemaOf(checker.getTypeOfSymbol(field), field.name);
				return [field.name, field.flags & ts.SymbolFlags.Optional ? optional(schema) : schema];
			}),
		);

	const kinds = declared('store.ts', 'Collections').getProperties();
	const rows = kinds.map((kind) => {
		const [row] = checker.getTypeArguments(checker.getTypeOfSymbol(kind) as ts.TypeReference);
		return [kind.name, schemaOf(row!, kind.name)];
	});
	return {
		rows: Object.fromEntries(rows),
		settings: object(fieldsOf(declared('settings.ts', 'Settings'))),
	};
}
