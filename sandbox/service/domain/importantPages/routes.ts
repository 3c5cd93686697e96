import { unprocessable } from '../../engine/errors';
import type { Context } from '../../http/context';
import { failing, resource } from '../../http/kit';
import { httpUrl, string, object } from '../../http/schema';
import { needingOfSite } from '../account/needs';
import type { SiteRow } from '../sites/rows';
import { ofSite, siteOf } from '../sites/rules';
import type { ImportantPageRow } from './rows';

const rowsOfSite = ofSite((store) => store.importantPages);

/** Part B 2.6 and 4.8. */
const pages = resource<ImportantPageRow>({
	name: 'important_page',
	plural: 'important_pages',
	path: '/sites/{site_id}/important-pages',
	rows: rowsOfSite,
	view: ({ id, url }) => ({ id, url }),
	schema: object({ id: string, url: string }),
});

const hostOf = (url: string) => new URL(url).hostname.replace(/^www\./, '');

/** Whether an address is one of the site's own domain or of a part of it. */
const isOfSite = (url: string, site: SiteRow) => `.${hostOf(url)}`.endsWith(`.${hostOf(site.url)}`);

/** The same for all addresses of one page. */
function pageOf(url: string): string {
	const { hostname, pathname, search } = new URL(url);
	return hostname + pathname.replace(/\/+$/, '') + search;
}

function addPage(context: Context, url: string): ImportantPageRow {
	const { world } = context;
	const site = siteOf(context);
	const refuse = (code: string, message: string) =>
		unprocessable(code, 'important_page.url', message);
	if (!isOfSite(url, site)) throw refuse('other_domain', "must be within the site's domain");
	const present = rowsOfSite(context);
	if (present.some((page) => pageOf(page.url) === pageOf(url))) {
		throw refuse('taken', 'is an important page already');
	}
	if (present.length >= world.settings.importantPagesPerSite) {
		throw refuse('page_limit_reached', 'is beyond the number of pages of the site');
	}
	site.performance.enabled = true;
	return world.store.importantPages.insert({ id: world.random.hex(24), site_id: site.id, url });
}

export const importantPageRoutes = needingOfSite('performance', [
	failing([422], pages.list('listSiteImportantPages', { filters: {}, timezone: false })),
	pages.create('createSiteImportantPage', object({ url: httpUrl }), (context, { url }) =>
		addPage(context, url),
	),
	failing(
		[400, 422],
		pages.delete('deleteSiteImportantPage', (page, context) => {
			context.world.store.importantPages.delete(page.id);
			siteOf(context).performance.enabled = rowsOfSite(context).length > 0;
		}),
	),
]);
