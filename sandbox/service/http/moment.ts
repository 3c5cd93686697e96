import { arrayOf, boolean, integer, mapOf, number, object, open, string } from './schema';
import { Type } from '@sinclair/typebox';
import { constants } from 'node:buffer';

/** A row of any kind: what else belongs to it only its part knows. */
const row = Type.Object({ id: string });

/** What `momentOf` of the engine writes. */
export const momentSchema = object({
	format: integer,
	seed: integer,
	sites: integer,
	now: number,
	random: integer,
	sequences: mapOf(integer),
	account: object({ active: boolean }),
	settings: open,
	rows: mapOf(arrayOf(object({ order: integer, row }))),
	events: arrayOf(object({ at: number, kind: string, payload: open, order: integer })),
});

/** A fleet of thousands of sites is as long as a text can be. */
export const momentLimit = constants.MAX_STRING_LENGTH;
