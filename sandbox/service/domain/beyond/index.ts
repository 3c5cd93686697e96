import { hashOf } from '../../engine/random';
import { SiteCollection } from '../../engine/store';
import { Attachment, type Route } from '../../http/kit';
import type { Module } from '../../http/module';
import { binary, limited, oneOf } from '../../http/schema';
import { pdfBytes } from '../shared/pdf';
import { siteOf } from '../sites/rules';
import { componentDeeds, componentRoutes } from './components';
import { effectsOf } from './deeds';
import { securityRoutes } from './security';
import { userDeeds, userRoutes } from './users';

/** Operations beyond the reference, which no node knows. */

const performanceReport: Route = {
	operationId: 'downloadSitePerformanceReport',
	method: 'GET',
	path: '/sites/{site_id}/performance/report',
	tag: 'Performance',
	description: 'Returns the newest performance report of a site as a PDF.',
	query: { device: limited(oneOf('mobile', 'desktop'), { default: 'mobile' }) },
	status: 200,
	mediaType: 'application/pdf',
	response: binary,
	async handle(context) {
		const site = siteOf(context);
		const { device = 'mobile' } = context.query;
		const info = {
			Title: `Performance of ${site.title}`,
			CreationDate: new Date(context.world.now),
		};
		const bytes = await pdfBytes({ info }, (document) => {
			document.fontSize(24).text(info.Title).fontSize(11).text(site.url);
			document.text(`Score on ${String(device)}: ${60 + (hashOf(site.id, String(device)) % 40)}`);
		});
		return new Attachment(`performance-${String(device)}.pdf`, bytes);
	},
};

/** Nothing of it is in the reference: its operations are only there where a profile names them. */
export const beyond: Module = {
	routes: [],
	collections: () => ({ beyond: new SiteCollection(({ id }) => id) }),
	effects: effectsOf([...componentDeeds, ...userDeeds]),
};

export const strangers: Route[] = [
	...componentRoutes,
	...userRoutes,
	...securityRoutes,
	performanceReport,
];
