import { isRecord } from '../lib/isRecord';
import { isMissing } from './blank';
import type { Convert, Zoned } from './field';
import { toId, toNameOrId } from './id';
import { jsonIn } from './json';
import type { NamedId } from './named';
import { refuse } from './refusal';
import { toText } from './text';

/** The entries of a list, of a JSON list, or of text separated by commas or lines. A number is a list of one. */
function entriesOf(given: unknown, pick: string): unknown[] {
	const value = jsonIn(given) ?? given;
	if (isRecord(value)) refuse(`is an object, not a list: ${hint(pick)}`);
	if (Array.isArray(value) && value.length === 0) refuse('is an empty list');
	if (typeof value === 'string') return value.split(/[,\n\r]/).map((part) => part.trim());
	const entries: unknown[] = Array.isArray(value) ? Array.from(value) : [value];
	if (entries.some(isMissing)) refuse('has an entry without a value');
	if (entries.some((entry) => typeof entry === 'object')) {
		refuse(`is a list of ${entries.some(isRecord) ? 'records' : 'lists'}: ${hint(pick)}`);
	}
	return entries;
}

const hint = (pick: string) =>
	`select one field of each, such as {{ $json.sites.map(s => s.${pick}) }}`;

/**
 * Converts to a list without blanks and duplicates. Compares exactly, unlike the proof of answers, which folds case.
 * @param pick the field to propose where the user gives records
 */
export const listOf =
	(pick: string, convert: Convert): Convert =>
	(value, context: Zoned) => {
		const converted = entriesOf(value, pick)
			.filter((entry) => !/^[\s,]*$/.test(String(entry)))
			.map((entry) => convert(entry, context));
		return [...new Set(converted)];
	};

/** A list of ids. */
export const toIds = listOf('id', toId);

/** A list of ids, names and, of sites, URLs. @param parameter as the panel shows it */
export const toNamesOrIds = (of: NamedId, parameter: string) =>
	listOf('id', (entry) => toNameOrId(of, entry, parameter));

/** A list of texts, such as paths; entries of an array are not trimmed. */
export const toTexts = (pick: string) =>
	listOf(pick, (entry) => {
		if (typeof entry === 'boolean') return refuse(`contains ${entry} instead of text`);
		return toText(entry);
	});
