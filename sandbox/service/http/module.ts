import type { Static, TSchema } from '@sinclair/typebox';
import type { Part } from '../engine/world';
import type { Context } from './context';
import type { Route } from './kit';

/** A part of the API: its operations, and what they need of the world. */
export interface Module extends Part {
	routes: Route[];
	controls?: Control[];
}

/** A control of the sandbox, which is no part of the API. */
export interface Control<B extends TSchema = TSchema> {
	method: 'GET' | 'POST';
	/** Relative to the controls' address, with `{parameters}`. */
	path: string;
	/** What `GET /_sandbox` tells of it. */
	does: string;
	body?: B;
	handle(context: Context<Static<B>>): unknown;
}

/** What a control answers with instead of JSON. */
export class WebPage {
	constructor(
		readonly status: number,
		readonly html: string,
	) {}
}

/** A control whose handler knows the type of its body. */
export const control = <B extends TSchema>(one: Control<B>): Control => one;
