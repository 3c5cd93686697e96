export type { Field } from './checks';
export type { Filters } from './fields';
export { additionalFields, at, inBody, inQuery, listOf, timeFilters } from './fields';
export * from './resource';
