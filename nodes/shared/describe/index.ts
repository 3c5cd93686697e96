export type { Field } from '../input/field';
export { refuse } from '../input/refusal';
export type { Adds, Answer, TaskResult, Labels, Output, Place, Route } from '../operation';
export { accountWide } from '../access/touches';
export { ofAccount, ofRecord, on, withSites } from '../operation';
export { builderHint } from './builder';
export { createOrUpdate, listChanges } from './composed';
export { documentation } from './documentation';
export {
	activationMessage,
	additionalFields,
	at,
	collection,
	described,
	emailOf,
	emailsOf,
	emptyControls,
	idField,
	idList,
	idsField,
	inBody,
	inQuery,
	jsonInto,
	listOf,
	onlyWith,
	outputFields,
	pollNotice,
	queryOptions,
	replacing,
	updateFields,
	waitFields,
	waitOptions,
} from './fields';
export {
	contains,
	exactly,
	lifeFilters,
	oneOf,
	orSome,
	search,
	timeFilters,
	whether,
} from './filters';
export type { Filters } from './filters';
export { hints } from './hints';
export { fewer, kept, madeAs, outputOf, without } from './output';
export * from './resource';
export { eventsSubtitle, subtitle } from './subtitle';
