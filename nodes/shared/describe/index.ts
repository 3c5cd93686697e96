export type { Field } from '../input/field';
export { refuse } from '../input/refusal';
export type { Adds, Answer, TaskResult, Labels, Output, Place, Route } from '../operation';
export { accountWide } from '../access/touches';
export { ofAccount, ofRecord, on, withSites } from '../operation';
export { createOrUpdate, listChanges } from './composed';
export {
	additionalFields,
	at,
	collection,
	described,
	emailOf,
	emailsOf,
	idField,
	idList,
	idsField,
	inBody,
	inQuery,
	jsonInto,
	listOf,
	onlyWith,
	outputFields,
	queryOptions,
	replacing,
	warning,
} from './fields';
export {
	contains,
	emptyControls,
	exactly,
	lifeFilters,
	oneOf,
	orSome,
	search,
	timeFilters,
	whether,
} from './filters';
export type { Filters } from './filters';
export { fewer, kept, lacking, madeAs, outputOf, without } from './output';
export { properties } from './properties';
export type { Resources } from './properties';
export * from './resource';
export { builderHint, documentation, eventsSubtitle, hints, subtitle } from './texts';
