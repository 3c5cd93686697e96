export type { Field } from '../input/field';
export { refuse } from '../input/refusal';
export type { Adds, Answer, TaskResult, Labels, Output, Place, Route } from '../operation';
export { accountWide } from '../access/effects';
export { ofAccount, ofRecord, on, withSites } from '../operation';
export { createOrUpdate, listChanges } from './composed';
export { documentation } from './documentation';
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
export * from './resource';
export { builderHint, eventsSubtitle, hints, subtitle } from './nodeTexts';
