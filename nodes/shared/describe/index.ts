export type { Field } from './checks';
export { refuse } from './convert';
export type { Filters } from './fields';
export {
	additionalFields,
	at,
	choiceFilters,
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
	timeFilters,
	updateFields,
	waitFields,
	waitOptions,
} from './fields';
export { idField, idsField } from './locators';
export * from './resource';
