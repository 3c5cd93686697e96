import type { Field } from '../input/field';
import { CHECKS, checkFields, onlyIf, preview } from '../input/safety';
import type { Operation } from '../operation';
import { onlyReads } from '../operation';
import { checkedBy } from '../operation/targets';
import { onlyWith } from './fields';

/** Only If for irreversible operations, and Preview for all changes. */
export function safetyFields(one: Operation): Field[] {
	if (onlyReads(one)) return [];
	return [...(one.isFinal ? guards(one) : []), preview];
}

function guards(one: Operation): Field[] {
	const checked = checkedBy(one);
	if (!checked) return [];
	const { target } = checked;
	const checks = CHECKS.filter((check) => target[check]);
	const choice = onlyIf(target.label, checks);
	return [
		choice,
		...checks.map((check) =>
			onlyWith(choice, check, checkFields[check](target.label, target.sharesNames)),
		),
	];
}
