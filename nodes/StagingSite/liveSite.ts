import type { Completion } from '../shared/operation';
import { namesOf, namingCosts } from '../shared/run/namesOf';

/** A staging site has the id of its live site alone. */
export const liveSite: Completion = {
	fields: ['site_title', 'site_url'],
	costs: namingCosts('site'),
	read: async (context, records) => {
		const names = await namesOf(
			context,
			'/sites',
			records.map(({ site_id: id }) => id),
		);
		return records.map((record) => {
			const { title, url } = names.get(String(record.site_id)) ?? {};
			return title === undefined ? record : { ...record, site_title: title, site_url: url };
		});
	},
};
