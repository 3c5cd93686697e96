import type { World } from '../../engine/world';
import type { Context } from '../../http/context';
import type { Query } from '../../http/filters';
import { textFilters } from '../../http/filters';
import { paginationMeta, type Route } from '../../http/kit';
import { fields, listProperties, type ListRules, selectPage } from '../../http/paging';
import {
	arrayOf,
	boolean,
	ids,
	limited,
	object,
	oneOf,
	type Schema,
	string,
} from '../../http/schema';
import { secondFactors, userRoles } from '../beyond/rows';
import { installed, stateOf } from '../beyond/state';
import type { SiteRow } from '../sites/rows';
import { componentSchema, listedComponent, securitySchema } from './listed';

/** The lists over all sites of what is in their CMS, which the reference does not have (Part D): a profile has them. */

type Of = (site: SiteRow, world: World, withVulnerabilities: boolean) => object;

const componentsOf =
	(kind: 'plugin' | 'theme'): Of =>
	(site, world, withVulnerabilities) => {
		const { components } = stateOf(world, site);
		return {
			[`${kind}s`]: installed(world, site, kind).map((component) =>
				listedComponent(site, component, withVulnerabilities, components[component.file]),
			),
		};
	};

const coreOf: Of = ({ wp: { core } }) => {
	const { vulnerable, ...others } = core;
	return { core: { ...others, security: { vulnerable, vulnerabilities: [] } } };
};

const usersOf: Of = (site, world) => ({
	users: stateOf(world, site).users.map(({ id, username, role, two_fa_status: secondFactor }) => ({
		username,
		role,
		two_fa_status: secondFactor,
		default_login: id === String(site.wp.default_wp_object_id),
	})),
});

const rules: ListRules<SiteRow> = {
	filters: textFilters('title', 'url'),
	sort: fields('title', 'url', 'created_at'),
	defaultSort: 'created_at,asc',
};

const vulnerabilities = {
	include_vulnerabilities: limited(boolean, {
		description: 'Whether to say what is known of each vulnerable version',
	}),
};

const list = (name: string, tag: string, wpOf: Of, wp: Record<string, Schema>): Route => ({
	operationId: `listSites${tag}`,
	method: 'GET',
	path: `/sites/wp/${name}`,
	summary: `List the ${tag.toLowerCase()} of sites`,
	tag,
	query: {
		...listProperties(rules),
		'site_ids[]': limited(ids, { description: 'IDs of sites; all sites without it' }),
		...(tag !== 'Users' && vulnerabilities),
	},
	status: 200,
	response: object({
		sites: arrayOf(object({ id: string, url: string, wp: object(wp) })),
		meta: paginationMeta,
	}),
	handle({ world, query }: Context) {
		const { rows, meta } = selectPage(asked(world, query), rules, query, world);
		const withVulnerabilities = String(query.include_vulnerabilities) === 'true';
		const sites = rows.map((site) => ({
			id: site.id,
			url: site.url,
			wp: wpOf(site, world, withVulnerabilities),
		}));
		return { sites, meta };
	},
});

/** The sites of a request: those that it names, or all. */
function asked(world: World, query: Query): readonly SiteRow[] {
	const named = query['site_ids[]'] as string[] | undefined;
	const sites = world.store.sites.peek();
	return named === undefined ? sites : sites.filter(({ id }) => named.includes(id));
}

const coreSchema = object({
	...{ current_version: string, latest_version: string, update_available: boolean },
	...{ locked: boolean, security: securitySchema },
});

const userSchema = object({
	username: string,
	role: oneOf(...userRoles),
	two_fa_status: oneOf(...secondFactors),
	default_login: boolean,
});

export const componentLists: Route[] = [
	list('plugins', 'Plugins', componentsOf('plugin'), { plugins: arrayOf(componentSchema) }),
	list('themes', 'Themes', componentsOf('theme'), { themes: arrayOf(componentSchema) }),
	list('wordpress-core', 'Core', coreOf, { core: coreSchema }),
	list('users', 'Users', usersOf, { users: arrayOf(userSchema) }),
];
