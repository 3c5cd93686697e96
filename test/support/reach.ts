import type { IDataObject } from 'n8n-workflow';
import { anyId, reference } from './reference';

/** What each operation of the reference is about, by its route: for a credential that allows only some sites. */
export const reach: Record<string, string> = Object.fromEntries(
	reference.map(({ route, about }) => [anyId(route), about]),
);

type Named = string[] | 'all';

const ids = (records: IDataObject[] = []) => records.map(({ id }) => String(id));

const scopeOf = ({ selection, ids: some }: IDataObject): Named =>
	selection === 'specific' ? (some as string[]) : 'all';

/** The sites of a record, by its collection. Source: Part A, 2. */
export const sitesOf: Record<string, (record: any) => Named> = {
	sites: ({ id }) => [id],
	clients: ({ site_ids: sites }) => sites,
	tags: ({ site_ids: sites }) => sites,
	'report-templates': ({ site_ids: sites }) => sites,
	'team-members': ({ all_sites_access: all, site_ids: sites }) => (all ? 'all' : sites),
	reports: ({ site }) => [site.id],
	'scheduled-reports': ({ site }) => [site.id],
	'staging-sites': ({ site_id: site }) => [site],
	'auto-update-schedules': ({ scope }) => scopeOf(scope.sites),
	'auto-update-history': ({ sites }) => ids(sites),
	tasks: ({ input, details }) => [...new Set([...ids(input.sites), ...ids(details?.sites)])],
};

/** The sites that a value in a body names. */
export function sitesIn(value: any): Named {
	if (value === undefined || value === false) return [];
	if (value === true) return 'all';
	return Array.isArray(value) || typeof value === 'string' ? [value].flat() : scopeOf(value);
}
