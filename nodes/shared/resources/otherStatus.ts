import type { INodePropertyOptions } from 'n8n-workflow';
import type { Occurrence } from '../polling/feed';
import { hash } from '../polling/seenStore';
import type { StatusKind } from '../vocabulary/statusWords';
import { statusClass, statusWord } from '../vocabulary/statusWords';

/** The event of a record whose status this node does not know. @param description says whose status it is */
export const otherStatusEvent = (description: string): INodePropertyOptions => ({
	name: 'Other Status',
	value: 'otherStatus',
	description,
});

/** Enough to tell the few words of one record apart. */
const WORD_LENGTH = 4;

/**
 * What a status has to tell that this node does not know: once for each record and word.
 * @param of what in the record has the status, where there are several
 */
export function otherStatus(kind: StatusKind, status: unknown, of = ''): Occurrence[] {
	const word = statusWord(status);
	if (word === '' || statusClass(kind, status) !== 'unknown') return [];
	return [{ key: `w${of}${hash(word, WORD_LENGTH)}`, event: 'otherStatus' }];
}
