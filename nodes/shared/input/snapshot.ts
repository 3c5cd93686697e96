import type { Convert, Field, Zoned } from './field';
import { toId } from './id';
import { toTime } from './time';

/** The mode of a locator whose value is a time. */
export const MODE_BEFORE = 'before';

/** The newest snapshot of a site that succeeded, or of those up to a time; its ID is looked up when it is needed. */
export class NewestSnapshot {
	/** @param before ISO 8601 in UTC; the time itself is included */
	constructor(readonly before?: string) {}

	/** As a locator holds it: `latest`, or `before:` and a time. */
	static parse(value: unknown, context: Zoned): NewestSnapshot | undefined {
		const text = typeof value === 'string' ? value.trim() : '';
		if (/^latest$/i.test(text)) return new NewestSnapshot();
		const time = /^before:(.*)$/is.exec(text)?.[1];
		return time === undefined ? undefined : NewestSnapshot.upTo(time, context);
	}

	/** @throws Refusal for what is not a time */
	static upTo(time: unknown, context: Zoned): NewestSnapshot {
		return new NewestSnapshot(toTime(time, context));
	}
}

/** For what puts a snapshot to use. */
export const allowHacked: Field = {
	displayName: 'Allow Hacked Snapshot',
	name: 'allowHackedSnapshot',
	type: 'boolean',
	default: false,
	description:
		'Whether to use a snapshot in which the malware scan found something. If off, Latest and Newest Before pass over it, and By ID refuses it.',
};

/** The ID of a snapshot, or which one is meant. */
export const toSnapshot: Convert = (value, context) =>
	NewestSnapshot.parse(value, context) ?? toId(value);
