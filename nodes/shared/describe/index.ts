export type { Field } from './checks';
export { refuse } from './convert';
export type { Filters } from './fields';
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
	queryOptions,
	timeFilters,
	updateFields,
} from './fields';
export { idField } from './locators';
export * from './resource';
