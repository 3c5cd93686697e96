export type { Field } from './checks';
export { refuse } from './convert';
export type { Filters } from './fields';
export {
	additionalFields,
	at,
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
export { idField } from './locators';
export * from './resource';
