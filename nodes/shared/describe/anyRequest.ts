import { anyRequestFields } from '../input/anyRequest';
import type { Labels, Operation } from '../operation';

/** An operation that is whatever request its parameters say. */
export const anyRequest = (labels: Labels): Operation => ({
	labels,
	route: 'ANY /',
	effects: [],
	isFinal: false,
	fields: anyRequestFields,
	answer: { kind: 'any' },
});
