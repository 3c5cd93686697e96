export type { Field } from './checks';
export { refuse } from './convert';
export type { Filters } from './fields';
export {
	additionalFields,
	at,
	choiceFilters,
	dataUriFrom,
	emailOf,
	emailsOf,
	inBody,
	inQuery,
	listOf,
	queryOptions,
	timeFilters,
	updateFields,
	waitFields,
	waitOptions,
} from './fields';
export { idField, idsField } from './locators';
export * from './resource';
