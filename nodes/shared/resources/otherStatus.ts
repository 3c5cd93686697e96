import type { Occurrence } from '../polling/feed';
import { hash } from '../polling/seenStore';
import type { StatusKind } from '../vocabulary/values';
import { statusClass, statusWord } from '../vocabulary/values';

/** Length of the hash: enough for the few statuses of one record. */
const WORD_LENGTH = 4;

/**
 * Reports an unknown status once for each record and word.
 * @param of the part of the record that has the status, if there are several
 */
export function otherStatus(kind: StatusKind, status: unknown, of = ''): Occurrence[] {
	const word = statusWord(status);
	if (word === '' || statusClass(kind, status) !== 'unknown') return [];
	return [{ key: `w${of}${hash(word, WORD_LENGTH)}`, event: 'otherStatus' }];
}
