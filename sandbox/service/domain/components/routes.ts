import type { World } from '../../engine/world';
import type { Context } from '../../http/context';
import type { Query } from '../../http/filters';
import type { Route } from '../../http/kit';
import { listProperties, selectPage } from '../../http/paging';
import { ids, open, string } from '../../http/schema';
import { componentsAt } from '../content/components';
import type { SiteRow } from '../sites/rows';
import { listedComponent } from './listed';

/** The lists of components over all sites, which the reference does not have (Part D): a profile has them. */

type Of = (site: SiteRow, world: World, withVulnerabilities: boolean) => object;

const componentsOf =
	(kind: 'plugin' | 'theme'): Of =>
	(site, world, withVulnerabilities) => ({
		[`${kind}s`]: componentsAt(world, site, world.now)
			.filter((component) => component.kind === kind)
			.map((component) => listedComponent(site, component, withVulnerabilities)),
	});

const coreOf: Of = ({ wp: { core } }) => {
	const { vulnerable, ...others } = core;
	return { core: { ...others, security: { vulnerable, vulnerabilities: [] } } };
};

const list = (name: string, wpOf: Of): Route => ({
	operationId: `listSitesWp${name.replaceAll('-', '')}`,
	method: 'GET',
	path: `/sites/wp/${name}`,
	query: { ...listProperties({ filters: {} }), 'site_ids[]': ids, include_vulnerabilities: string },
	status: 200,
	response: open,
	handle({ world, query }: Context) {
		const { rows, meta } = selectPage(asked(world, query), { filters: {} }, query, world);
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

export const componentLists: Route[] = [
	list('plugins', componentsOf('plugin')),
	list('themes', componentsOf('theme')),
	list('wordpress-core', coreOf),
];
