import type { IDataObject } from 'n8n-workflow';
import { valueAt } from '../lib/valueAt';
import { taskSites } from '../receive/task';

/** A kind of record that tasks make: no task names it, so it is found in its list by site and time. */
export interface Product {
	/** What it is called: `staging site`. */
	label: string;
	/** Its list, which takes filters on the site and on the time of creation. */
	list: string;
	/** The operation that shows the list. */
	verifyBy: string;
	/** The object in the request that starts the task. */
	wrapper: string;
	/** What is known of it: place in the record -> value, undefined where it is not known. */
	known: (about: { siteId: string; sent: IDataObject; task: IDataObject }) => IDataObject;
	/** The fields beside a task that say what it has made: name -> place in the record. */
	told: Record<string, string>;
}

/** By the type of the task. Source: Part A, 2.9, 2.10, 2.16, 4.9 and 4.14. */
export const products = {
	report: {
		label: 'report',
		list: '/reports',
		verifyBy: 'Report: Get Many',
		wrapper: 'report',
		known: ({ siteId, sent }) => ({
			'site.id': siteId,
			start_date: sent.start_date,
			end_date: sent.end_date,
		}),
		told: { report_id: 'id', report_title: 'title' },
	},
	staging: {
		label: 'staging site',
		list: '/staging-sites',
		verifyBy: 'Staging Site: Get Many',
		wrapper: 'staging_site',
		known: ({ siteId, sent, task }) => ({
			site_id: siteId,
			'snapshot.id': sent.snapshot_id ?? valueAt(task, 'input.sites.0.snapshot_id'),
		}),
		told: { staging_site_id: 'id', staging_site_url: 'url' },
	},
} as const satisfies Record<string, Product>;

/** What a task of a type makes, where that is known. */
export const productOf = (type: unknown): Product | undefined =>
	Object.hasOwn(products, String(type))
		? products[String(type) as keyof typeof products]
		: undefined;

/** The site that a task is about; undefined where it is about several. Source: Part A, 2.9. */
export function siteOfTask({ details, input }: IDataObject): string | undefined {
	const all = [taskSites({ input: details }), taskSites({ input })];
	const [site, other] = all.find((sites) => sites.length > 0) ?? [];
	return other || site?.id === undefined ? undefined : String(site.id);
}
