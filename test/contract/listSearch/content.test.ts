import { searchList } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';

/** The lists of what belongs to a site, and of clients for the filter of sites. */

let fleet: Fleet;
let siteId: string;
let ids: Record<string, string>;
beforeAll(async () => {
	fleet = await startFleet({ sites: 3 });
	const { data } = await fleet.api.post('/sites', { site: { url: 'https://list.example.com' } });
	siteId = data.site.id;
	const site = `/sites/${siteId}`;
	const { data: works } = await fleet.api.post(`${site}/custom-works`, {
		custom_works: [{ title: 'Contact form repaired', performed_on: '2026-02-10' }],
	});
	const { data: notes } = await fleet.api.post(`${site}/notes`, {
		note: { content: 'Ask before updating' },
	});
	const { data: pages } = await fleet.api.post(`${site}/important-pages`, {
		important_page: { url: 'https://list.example.com/shop' },
	});
	const { data: clients } = await fleet.api.post('/clients', {
		client: { company_name: 'Example Bakery', email: 'bakery@example.com' },
	});
	ids = {
		searchCustomWorks: works.custom_works[0].id,
		searchNotes: notes.note.id,
		searchImportantPages: pages.important_page.id,
		searchClients: clients.client.id,
	};
});
beforeEach(() => fleet.forget());

const search = async (method: string, filter?: string) => {
	const parameters = { resource: 'note', operation: 'get', siteId: locator(siteId) };
	return await searchList(fleet, { node: 'site', parameters, method, filter });
};

it.each([
	['searchCustomWorks', 'custom-works', 'Contact form repaired (2026-02-10)'],
	['searchNotes', 'notes', 'Ask before updating (2026-03-01 12:00 UTC)'],
	['searchImportantPages', 'important-pages', 'https://list.example.com/shop'],
])('%s shows those of the chosen site by %s', async (method, path, name) => {
	const { results } = await search(method);
	expect(results[0]).toEqual({ name, value: ids[method] });
	expect(fleet.sent().map(({ route }) => route)).toEqual([`GET /sites/${siteId}/${path}`]);
});

it.each([
	['searchCustomWorks', 'form', 'Contact form repaired (2026-02-10)'],
	['searchNotes', 'before', 'Ask before updating (2026-03-01 12:00 UTC)'],
	['searchClients', 'bakery', 'Example Bakery (bakery@example.com)'],
])('%s finds by a part of the text on the server', async (method, filter, name) => {
	expect((await search(method, filter)).results).toEqual([{ name, value: ids[method] }]);
	fleet.forget();
	expect((await search(method, 'nothing has this')).results).toEqual([]);
});
