import type { IDataObject } from 'n8n-workflow';
import { recordsIn } from '../shared/lib/isRecord';
import type { Completion } from '../shared/operation';
import { namesOf, namingCosts } from '../shared/run/namesOf';

/** The sites of a run have ids and no names. */
export const siteNames: Completion = {
	// Those of one site are in the items of the trigger.
	fields: ['site_titles', 'site_title', 'site_url'],
	costs: namingCosts('site'),
	read: async (context, runs) => {
		const sitesOf = ({ sites }: IDataObject) => recordsIn(sites);
		const ids = runs.flatMap((run) => sitesOf(run).map(({ id }) => id));
		const names = await namesOf(context, '/sites', ids);
		const withName = (site: IDataObject) => {
			const { title = null, url = null } = names.get(String(site.id)) ?? {};
			return { title, url, ...site };
		};
		return runs.map((run) =>
			sitesOf(run).length === 0 ? run : { ...run, sites: sitesOf(run).map(withName) },
		);
	},
};
