import type { Field } from '../input/field';
import { checkFields, preview } from '../input/safety';
import type { Operation } from '../operation';
import { onlyReads } from '../operation';
import { CHECKS, checkedBy } from '../targets';
import { collection } from './fields';

/** Only If for what cannot be undone, and Preview for all that changes something. */
export function safetyFields(operation: Operation): Field[] {
	if (onlyReads(operation)) return [];
	return [...(operation.isFinal ? onlyIf(operation.route) : []), preview];
}

function onlyIf(route: Operation['route']): Field[] {
	const checked = checkedBy(route);
	if (!checked) return [];
	const { target } = checked;
	const checks = CHECKS.filter((check) => target[check]);
	return [
		collection(
			'Only If',
			'onlyIf',
			'Add Check',
			checks.map((check) => checkFields[check](target.label)),
			`The ${target.label} is read directly before, and nothing is done unless it is this one`,
		),
	];
}
