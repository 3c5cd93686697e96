import type { Fleet } from '../../support/fleet';
import {
	having,
	idCases,
	list,
	operationCases,
	request,
	type OperationCases,
} from '../../support/operationCases';
import { locator } from '../../support/locator';

interface Ids {
	site: string;
	customWork: string;
	importantPage: string;
	note: string;
}

/** Operations that take nothing but ids. */
const onIds = idCases<Ids>(
	{},
	{
		'activityLog/activityLog/enable': {
			record: ({ site }) => ({ site_id: site, activity_log_enabled: true }),
		},
		'activityLog/activityLog/disable': {
			record: ({ site }) => ({ site_id: site, activity_log_enabled: false }),
		},
		'customWork/customWork/get': {
			record: ({ customWork }) => having({ id: customWork, performed_on: '2026-02-10' }),
		},
		'note/note/get': {
			record: ({ note }) => having({ id: note, content: 'Leave the plugin as it is' }),
		},
		'site/setting/get': {
			record: ({ site }) => ({
				site_id: site,
				wp_auto_updates_enabled: false,
				shop_db_upgrade_enabled: false,
			}),
		},
	},
);

const cases: OperationCases<Ids> = {
	'activityLog/activityLog/getAll': {
		parameters: ({ site }) => ({
			siteId: locator(site),
			filters: {
				search: 'booking',
				username: 'editor',
				usernameContains: 'edit',
				ipAddress: '203.0.113.7',
				ipAddressContains: '113.',
				objectType: 'plugin',
				eventType: 'updated',
				timestampAfter: '2026-02-01T00:00:00',
				timestampBefore: '2026-02-20T00:00:00',
			},
			sort: { by: { field: 'ip_address', direction: 'asc' } },
		}),
		sent: ({ site }) =>
			list(`GET /sites/${site}/activity-logs`, {
				'filters[search:contains]': 'booking',
				'filters[username:eq]': 'editor',
				'filters[username:contains]': 'edit',
				'filters[ip_address:eq]': '203.0.113.7',
				'filters[ip_address:contains]': '113.',
				'filters[object_type:eq]': 'plugin',
				'filters[event_type:eq]': 'updated',
				'filters[timestamp:gte]': '2026-02-01T00:00:00Z',
				'filters[timestamp:lte]': '2026-02-20T00:00:00Z',
				sort: 'ip_address,asc',
			}),
		output: ({ json }) =>
			expect(json).toEqual([
				expect.objectContaining({
					username: 'editor',
					object_type: 'plugin',
					event_type: 'updated',
					event_details: { name: 'Booking' },
				}),
			]),
	},
	'customWork/customWork/getAll': {
		parameters: ({ site }) => ({
			siteId: locator(site),
			filters: {
				search: 'form',
				titleContains: 'repaired',
				descriptionContains: 'mail',
				performedOn: '2026-02-10',
				performedAfter: '2026-02-01T09:30:00',
				performedBefore: '2026-02-28',
				createdAfter: '2026-03-01T00:00:00',
				createdBefore: '2026-03-02T00:00:00',
				updatedAfter: '2026-03-01T01:00:00',
				updatedBefore: '2026-03-02T01:00:00',
			},
			sort: { by: { field: 'title', direction: 'desc' } },
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: ({ site }) =>
			list(`GET /sites/${site}/custom-works`, {
				'filters[search:contains]': 'form',
				'filters[title:contains]': 'repaired',
				'filters[description:contains]': 'mail',
				'filters[performed_on:eq]': '2026-02-10',
				'filters[performed_on:gte]': '2026-02-01',
				'filters[performed_on:lte]': '2026-02-28',
				'filters[created_at:gte]': '2026-03-01T00:00:00Z',
				'filters[created_at:lte]': '2026-03-02T00:00:00Z',
				'filters[updated_at:gte]': '2026-03-01T01:00:00Z',
				'filters[updated_at:lte]': '2026-03-02T01:00:00Z',
				sort: 'title,desc',
				timezone: 'Europe/Berlin',
			}),
		output: ({ json }, { customWork }) =>
			expect(json).toEqual([
				expect.objectContaining({ id: customWork, title: 'Contact form repaired' }),
			]),
	},
	'customWork/customWork/create': {
		parameters: ({ site }) => ({
			siteId: locator(site),
			customWorks: {
				work: [
					{ title: 'Pictures made smaller', performedOn: '2026-02-27T00:00:00', description: '' },
					{
						title: '={{ "Footer" }}',
						performedOn: '={{ DateTime.fromISO("2026-02-28T10:00:00Z") }}',
						description: 'New opening hours',
					},
				],
			},
		}),
		sent: ({ site }) =>
			request(`POST /sites/${site}/custom-works`, {
				custom_works: [
					{ title: 'Pictures made smaller', performed_on: '2026-02-27' },
					{ title: 'Footer', performed_on: '2026-02-28', description: 'New opening hours' },
				],
			}),
		output: ({ json }) =>
			expect(json).toEqual([
				expect.objectContaining({ id: expect.any(String), title: 'Pictures made smaller' }),
				expect.objectContaining({ title: 'Footer', description: 'New opening hours' }),
			]),
	},
	'customWork/customWork/update': {
		parameters: ({ site, customWork }) => ({
			siteId: locator(site),
			customWorkId: locator(customWork),
			updateFields: {
				title: 'Order form repaired',
				performedOn: '2026-02-11T00:00:00',
				description: 'After the change of the mail server',
			},
		}),
		sent: ({ site, customWork }) =>
			request(`POST /sites/${site}/custom-works/${customWork}/update`, {
				custom_work: {
					title: 'Order form repaired',
					performed_on: '2026-02-11',
					description: 'After the change of the mail server',
				},
			}),
		output: ({ json }, { customWork }) =>
			expect(json).toEqual([
				expect.objectContaining({ id: customWork, title: 'Order form repaired' }),
			]),
	},
	'customWork/customWork/update clear': {
		parameters: ({ site, customWork }) => ({
			siteId: locator(site),
			customWorkId: locator(customWork),
			updateFields: { clear: ['description'] },
		}),
		sent: ({ site, customWork }) =>
			request(`POST /sites/${site}/custom-works/${customWork}/update`, {
				custom_work: { description: '' },
			}),
		output: ({ json }) =>
			expect(json).toEqual([
				expect.objectContaining({ title: 'Contact form repaired', description: '' }),
			]),
	},
	'importantPage/importantPage/getAll': {
		parameters: ({ site }) => ({ siteId: locator(site) }),
		sent: ({ site }) => list(`GET /sites/${site}/important-pages`),
		output: ({ json }, { site, importantPage }) =>
			expect(json).toEqual([
				{ id: importantPage, site_id: site, url: 'https://content.example.com/shop' },
			]),
	},
	'importantPage/importantPage/create': {
		parameters: ({ site }) => ({
			siteId: locator(site),
			url: 'https://content.example.com/contact',
		}),
		sent: ({ site }) =>
			request(`POST /sites/${site}/important-pages`, {
				important_page: { url: 'https://content.example.com/contact' },
			}),
		output: ({ json }, { site }) =>
			expect(json).toEqual([
				{ id: expect.any(String), site_id: site, url: 'https://content.example.com/contact' },
			]),
	},
	'note/note/getAll': {
		parameters: ({ site }) => ({
			siteId: locator(site),
			filters: {
				contentContains: 'plugin',
				userEmail: 'owner@example.com',
				userEmailContains: '@example',
				createdAfter: '2026-03-01T00:00:00',
				createdBefore: '2026-03-02T00:00:00',
				updatedAfter: '2026-03-01T01:00:00',
				updatedBefore: '2026-03-02T01:00:00',
			},
			sort: { by: { field: 'content', direction: 'asc' } },
			options: { timezone: 'Europe/Berlin' },
		}),
		sent: ({ site }) =>
			list(`GET /sites/${site}/notes`, {
				'filters[content:contains]': 'plugin',
				'filters[user_email:eq]': 'owner@example.com',
				'filters[user_email:contains]': '@example',
				'filters[created_at:gte]': '2026-03-01T00:00:00Z',
				'filters[created_at:lte]': '2026-03-02T00:00:00Z',
				'filters[updated_at:gte]': '2026-03-01T01:00:00Z',
				'filters[updated_at:lte]': '2026-03-02T01:00:00Z',
				sort: 'content,asc',
				timezone: 'Europe/Berlin',
			}),
		output: ({ json }, { note }) =>
			expect(json).toEqual([expect.objectContaining({ id: note, versions_available: true })]),
	},
	'note/note/create': {
		parameters: ({ site }) => ({ siteId: locator(site), content: 'Ask before updating' }),
		sent: ({ site }) =>
			request(`POST /sites/${site}/notes`, { note: { content: 'Ask before updating' } }),
		output: ({ json }) =>
			expect(json).toEqual([
				expect.objectContaining({
					content: 'Ask before updating',
					versions_available: false,
				}),
			]),
	},
	'note/note/update': {
		parameters: ({ site, note }) => ({
			siteId: locator(site),
			noteId: locator(note),
			content: 'Update the plugin',
		}),
		sent: ({ site, note }) =>
			request(`POST /sites/${site}/notes/${note}/update`, {
				note: { content: 'Update the plugin' },
			}),
		output: ({ json }, { note }) =>
			expect(json).toEqual([expect.objectContaining({ id: note, content: 'Update the plugin' })]),
	},
	'note/note/getVersions': {
		parameters: ({ site, note }) => ({ siteId: locator(site), noteId: locator(note) }),
		sent: ({ site, note }) => request(`GET /sites/${site}/notes/${note}/versions`),
		output: ({ json }) =>
			expect(json.map(({ content }) => content)).toEqual(['Second text', 'First text']),
	},
	'site/setting/update': {
		parameters: ({ site }) => ({
			siteId: locator(site),
			updateFields: { autoUpdates: true, shopDatabaseUpgrade: '={{ "false" }}' },
		}),
		sent: ({ site }) =>
			request(`POST /sites/${site}/settings/update`, {
				settings: { wp_auto_updates: { enabled: true }, shop_db_upgrade: { enabled: false } },
			}),
		output: ({ json }, { site }) =>
			expect(json).toEqual([
				{ site_id: site, wp_auto_updates_enabled: true, shop_db_upgrade_enabled: false },
			]),
	},
	'site/setting/update one': {
		parameters: ({ site }) => ({
			siteId: locator(site),
			updateFields: { shopDatabaseUpgrade: true },
		}),
		sent: ({ site }) =>
			request(`POST /sites/${site}/settings/update`, {
				settings: { shop_db_upgrade: { enabled: true } },
			}),
		output: ({ json }, { site }) =>
			expect(json).toEqual([
				{ site_id: site, wp_auto_updates_enabled: false, shop_db_upgrade_enabled: true },
			]),
	},
};

async function prepare(fleet: Fleet): Promise<Ids> {
	const { api, clock } = fleet;
	const { world } = fleet;
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

operationCases('content', prepare, { ...onIds, ...cases });
