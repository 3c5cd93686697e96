import type { Fleet } from '../../support/fleet';
import { ofItsSite, operationCases, type OperationCases } from '../../support/operationCases';
import type { Names } from '../../support/savedNodes';

const cases: OperationCases = {
	// Without it only the latest entries are listed.
	'activityLog/activityLog/getAll': {
		set: { filters: { timestampAfter: '2026-02-01T00:00:00', objectType: 'plugin' } },
	},
	'activityLog/activityLog/enable': {
		output: ofItsSite({ activity_log_enabled: true }),
	},
	'activityLog/activityLog/disable': {
		output: ofItsSite({ activity_log_enabled: false }),
	},
	'customWork/customWork/create': {
		set: {
			customWorks: {
				work: [
					{ title: 'Pictures made smaller', performedOn: '2026-02-27T00:00:00' },
					{ title: '={{ "Footer" }}', performedOn: '2026-02-28' },
				],
			},
		},
	},
	'customWork/customWork/update': { set: { updateFields: { title: 'Order form repaired' } } },
	'importantPage/importantPage/check': {
		set: {
			comparesEarlier: true,
			earlierCheck: '={{ $json.earlier }}',
			options: { pageUrl: 'https://content.example.com/shop', mustContain: 'bread' },
		},
		items: [
			{
				...{ statusCode: 200, data: '<title>Shop &amp; Caf&eacute;</title><p>Fresh bread</p>' },
				earlier: { status: 200, title: 'Shop & Café', characters: 50, has_text: true },
			},
		],
		output: ({ json }) =>
			expect(json).toMatchObject([{ title: 'Shop & Café', result: 'good', not_known: [] }]),
	},
	'importantPage/importantPage/create': { set: { url: 'https://content.example.com/contact' } },
	'note/note/create': { set: { content: 'Ask before updating' } },
	'note/note/update': { set: { content: 'Update the plugin' } },
	'note/note/getVersions': {
		output: ({ json }) =>
			expect(json.map(({ content }) => content)).toEqual(['Second text', 'First text']),
	},
	'site/setting/update': {
		set: { updateFields: { autoUpdates: true, shopDatabaseUpgrade: '={{ "false" }}' } },
	},
};

async function prepare({ api, clock, world }: Fleet): Promise<Names> {
	world.settings.currentUser = { name: 'Owner', email: 'owner@example.com' };
	const { data: created } = await api.post('/sites', {
		site: { url: 'https://content.example.com' },
	});
	const site = `/sites/${created.site.id}`;
	await api.post(`${site}/activity-logs/enable`);
	for (const [username, name] of [
		['editor', 'Booking'],
		['editor', 'Forms'],
		['admin', 'Booking'],
	]) {
		world.store.activityLogs.insert({
			id: world.random.hex(24),
			site_id: created.site.id,
			username: username!,
			ip_address: '203.0.113.7',
			country_code: 'DE',
			object_type: 'plugin',
			event_type: 'updated',
			event_details: { name: name! },
			timestamp: '2026-02-14T08:00:00Z',
		});
	}
	const { data: works } = await api.post(`${site}/custom-works`, {
		custom_works: [
			{
				title: 'Contact form repaired',
				description: 'No mail was sent',
				performed_on: '2026-02-10',
			},
			{ title: 'Pictures replaced', performed_on: '2026-02-10' },
		],
	});
	const { data: pages } = await api.post(`${site}/important-pages`, {
		important_page: { url: 'https://content.example.com/shop' },
	});
	const { data: notes } = await api.post(`${site}/notes`, { note: { content: 'First text' } });
	await api.post(`${site}/notes`, { note: { content: 'Another note' } });
	for (const content of ['Second text', 'Leave the plugin as it is']) {
		await api.post(`${site}/notes/${notes.note.id}/update`, { note: { content } });
	}
	// A change of the configuration of the site has to end before the next one.
	clock.advance(60_000);
	return {
		site: created.site.id,
		customWork: works.custom_works[0].id,
		importantPage: pages.important_page.id,
		note: notes.note.id,
	};
}

operationCases('content', prepare, cases);
