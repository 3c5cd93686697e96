import { isRecord } from '../../nodes/shared/lib';
import { type Described, describedBy, type Schema } from '../drift/schema';

/** What answers look like, gathered without their values. */

export const typeOf = (value: unknown): string =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** What was seen in one place of the answers of a route. */
export interface Shape {
	/** What the reference says of it; undefined for what it does not have. */
	said?: Described;
	/** How often it was there, by type. */
	types: Map<string, number>;
	/** Of an enum: how often each word was there. */
	words: Map<string, number>;
	parts: Map<string, Shape>;
	each?: Shape;
	/** Whether it stands for several keys that are not told. */
	isMerged?: boolean;
}

const shapeOf = (said?: Described): Shape => ({
	...(said && { said }),
	types: new Map(),
	words: new Map(),
	parts: new Map(),
});

/** @param schema of the reference; undefined where there is none, as of the body of an error */
export const newShape = (schema?: Schema): Shape =>
	shapeOf(schema === undefined ? undefined : describedBy(schema));

const add = (counts: Map<string, number>, name: string) =>
	void counts.set(name, (counts.get(name) ?? 0) + 1);

export const countOf = (counts: Map<string, number>) =>
	[...counts.values()].reduce((sum, count) => sum + count, 0);

/** Whether the keys of an object are data, such as the names of sections. */
export const isMap = ({ said }: Shape) =>
	said !== undefined &&
	said.parts.size === 0 &&
	(isRecord(said.rest) || said.types?.has('object') === true);

const restOf = ({ said }: Shape) => (isRecord(said?.rest) ? said.rest : undefined);

/** Adds a value to what was seen in a place. */
export function look(shape: Shape, value: unknown): void {
	add(shape.types, typeOf(value));
	if (typeof value === 'string' && shape.said?.values) add(shape.words, value);
	if (Array.isArray(value)) {
		shape.each ??= newShape(shape.said?.each);
		for (const entry of value) look(shape.each, entry);
	}
	if (!isRecord(value)) return;
	for (const [key, part] of Object.entries(value)) {
		let below = shape.parts.get(key);
		if (!below) {
			below = newShape(shape.said?.parts.get(key) ?? restOf(shape));
			shape.parts.set(key, below);
		}
		look(below, part);
	}
}

/** One shape of several, for keys that are not told apart. */
export function merged(shapes: Shape[]): Shape {
	const whole: Shape = { ...shapeOf(shapes[0]?.said), isMerged: true };
	const sum = (from: Map<string, number>, to: Map<string, number>) => {
		for (const [name, count] of from) to.set(name, (to.get(name) ?? 0) + count);
	};
	for (const { types, words, parts, each } of shapes) {
		sum(types, whole.types);
		sum(words, whole.words);
		for (const [key, part] of parts) {
			const known = whole.parts.get(key);
			whole.parts.set(key, known ? merged([known, part]) : part);
		}
		if (each) whole.each = whole.each ? merged([whole.each, each]) : each;
	}
	return whole;
}
