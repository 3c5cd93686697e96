import { invalid } from '../engine/errors';
import { type Moment, requireFit } from '../engine/moment';
import type { World } from '../engine/world';
import { readSchemas } from './rowSchemas';
import {
	arrayOf,
	atLeast,
	boolean,
	integer,
	limited,
	mapOf,
	number,
	object,
	open,
	string,
} from './schema';
import { validatorOf, type Validator } from './validators';
import { Type } from '@sinclair/typebox';
import { constants } from 'node:buffer';

/** Far from where dates end, so that what is scheduled from there has one, too. */
const time = limited(number, { minimum: 0, maximum: Date.UTC(3000, 0) });

/** What `momentOf` of the engine writes; its rows and settings are checked by `requireSound`. */
export const momentSchema = object({
	format: integer,
	seed: integer,
	sites: integer,
	now: time,
	random: integer,
	sequences: mapOf(atLeast(0)),
	account: object({ active: boolean }),
	settings: open,
	rows: mapOf(arrayOf(object({ order: atLeast(1), row: Type.Object({ id: string }) }))),
	events: arrayOf(object({ at: time, kind: string, payload: open, order: atLeast(1) })),
});

/** A fleet of thousands of sites is as long as a text can be. */
export const momentLimit = constants.MAX_STRING_LENGTH;

/** Most errors of a file that are named. */
const shownErrors = 10;
let validator: Promise<Validator> | undefined;

async function createValidator(): Promise<Validator> {
	const { rows, settings } = await readSchemas();
	const kinds = Object.entries(rows).map(([name, row]) => [name, arrayOf(Type.Object({ row }))]);
	return validatorOf(Type.Object({ settings, rows: object(Object.fromEntries(kinds)) }));
}

/** Fails where the moment is none of this world. A row may name another one that is not there, such as a deleted site. */
export async function requireSound(world: World, moment: Moment): Promise<void> {
	requireFit(world, moment);
	validator ??= createValidator();
	const isValid = await validator;
	if (!isValid(moment)) {
		throw Object.assign(new Error('The rows do not fit'), {
			validation: isValid.errors!.slice(0, shownErrors),
		});
	}
	for (const [name, rows] of Object.entries(moment.rows)) {
		requireOnce(`rows.${name}`, 'ID', rows, ({ row }) => row.id);
		requireOnce(`rows.${name}`, 'order', rows, ({ order }) => order);
	}
	requireOnce('events', 'order', moment.events, ({ order }) => order);
}

function requireOnce<T>(
	param: string,
	what: string,
	each: T[],
	valueOf: (one: T) => unknown,
): void {
	const seen = new Set();
	const twice = each.map(valueOf).find((value) => seen.size === seen.add(value).size);
	if (twice === undefined) return;
	throw invalid([{ code: 'duplicate', param, message: `has the ${what} ${String(twice)} twice` }]);
}
