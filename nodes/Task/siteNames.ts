import type { IDataObject } from 'n8n-workflow';
import type { Completion } from '../shared/operation';
import { FIRST_SITES, taskSites } from '../shared/receive/task';
import { namesOf, namingCosts } from '../shared/run/namesOf';

/** The ids of the sites that are named, and have no name in the task. */
const unnamedSites = (task: IDataObject) =>
	taskSites(task)
		.slice(0, FIRST_SITES)
		.flatMap(({ id, title, user_configuration: made }) => (title || made ? [] : (id ?? [])));

/** Tasks have the ids of their sites, and mostly no names. */
export const siteNames: Completion = {
	fields: ['site_title', 'site_url', 'site_titles'],
	costs: namingCosts('site'),
	read: async (context, tasks) => {
		const names = await namesOf(context, '/sites', tasks.flatMap(unnamedSites));
		const withName = (site: IDataObject) => {
			const { title, url } = names.get(String(site.id)) ?? {};
			return { ...(title !== undefined && { title }), ...(url !== undefined && { url }), ...site };
		};
		return tasks.map((task) =>
			unnamedSites(task).length === 0
				? task
				: {
						...task,
						input: { ...(task.input as IDataObject), sites: taskSites(task).map(withName) },
					},
		);
	},
};
