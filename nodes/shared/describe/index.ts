export type { Field } from './checks';
export { refuse } from './convert';
export {
	additionalFields,
	at,
	choiceOf,
	dataUriFrom,
	emailOf,
	emailsOf,
	inBody,
	inQuery,
	jsonInto,
	listOf,
	onlyWith,
	outputFields,
	queryOptions,
	updateFields,
	waitFields,
	waitOptions,
} from './fields';
export {
	amountFilters,
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
export { idField, idList, idsField } from './locators';
export * from './resource';
