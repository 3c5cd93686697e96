import { between, changeCases, listCases } from '../../support/caseKinds';
import type { Fleet } from '../../support/fleet';
import {
	idCases,
	operationCases,
	request,
	type Called,
	type OperationCases,
} from '../../support/operationCases';
import { locator } from '../../support/locator';

interface Ids {
	site: string;
	customWork: string;
	importantPage: string;
	note: string;
}

const called: Called<Ids> = {};

/** All bounds of both timestamps. */
const times = between({ created: 'created_at', updated: 'updated_at' });
const timezone = { timezone: ['timezone', 'Europe/Berlin'] as [string, string] };

const lists = listCases<Ids>(called, {
	'activityLog/activityLog/getAll': {
		filters: {
			search: ['search:contains', 'booking'],
			username: ['username:eq', 'editor'],
			usernameContains: ['username:contains', 'edit'],
			ipAddress: ['ip_address:eq', '203.0.113.7'],
			ipAddressContains: ['ip_address:contains', '113.'],
			objectType: ['object_type:eq', 'plugin'],
			eventType: ['event_type:eq', 'updated'],
			...between({ timestamp: 'timestamp' }),
		},
		sort: 'ip_address,asc',
	},
	'customWork/customWork/getAll': {
		filters: {
			search: ['search:contains', 'form'],
			titleContains: ['title:contains', 'repaired'],
			descriptionContains: ['description:contains', 'mail'],
			performedOn: ['performed_on:eq', '2026-02-10'],
			performedAfter: ['performed_on:gte', '2026-02-01T09:30:00', '2026-02-01'],
			performedBefore: ['performed_on:lte', '2026-02-28'],
			...times,
		},
		sort: 'title,desc',
		options: timezone,
	},
	'importantPage/importantPage/getAll': {},
	'note/note/getAll': {
		filters: {
			contentContains: ['content:contains', 'plugin'],
			userEmail: ['user_email:eq', 'owner@example.com'],
			userEmailContains: ['user_email:contains', '@example'],
			...times,
		},
		sort: 'content,asc',
		options: timezone,
	},
});

const changes = changeCases<Ids>(called, {
	'customWork/customWork/create': {
		set: {
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
		},
		sent: {
			custom_works: [
				{ title: 'Pictures made smaller', performed_on: '2026-02-27' },
				{ title: 'Footer', performed_on: '2026-02-28', description: 'New opening hours' },
			],
		},
	},
	'customWork/customWork/update': {
		wrapper: 'custom_work',
		set: {
			updateFields: {
				title: 'Order form repaired',
				performedOn: '2026-02-11T00:00:00',
				description: 'After the change of the mail server',
			},
		},
		as: { performed_on: '2026-02-11' },
	},
	'customWork/customWork/update clear': {
		wrapper: 'custom_work',
		set: { updateFields: { clear: ['description'] } },
		as: { description: '' },
	},
	'importantPage/importantPage/create': {
		wrapper: 'important_page',
		set: { url: 'https://content.example.com/contact' },
	},
	'note/note/create': { wrapper: 'note', set: { content: 'Ask before updating' } },
	'note/note/update': { wrapper: 'note', set: { content: 'Update the plugin' } },
	'site/setting/update': {
		wrapper: 'settings',
		set: { updateFields: { autoUpdates: true, shopDatabaseUpgrade: '={{ "false" }}' } },
		sent: { wp_auto_updates: { enabled: true }, shop_db_upgrade: { enabled: false } },
	},
	'site/setting/update one': {
		wrapper: 'settings',
		set: { updateFields: { shopDatabaseUpgrade: true } },
		sent: { shop_db_upgrade: { enabled: true } },
	},
});

/** Operations that take nothing but ids, of which the answer has other names for what comes out. */
const onIds = idCases<Ids>(called, {
	'activityLog/activityLog/enable': {
		record: ({ site }) => ({ site_id: site, activity_log_enabled: true }),
	},
	'activityLog/activityLog/disable': {
		record: ({ site }) => ({ site_id: site, activity_log_enabled: false }),
	},
});

const cases: OperationCases<Ids> = {
	'note/note/getVersions': {
		parameters: ({ site, note }) => ({ siteId: locator(site), noteId: locator(note) }),
		sent: ({ site, note }) => request(`GET /sites/${site}/notes/${note}/versions`),
		output: ({ json }) =>
			expect(json.map(({ content }) => content)).toEqual(['Second text', 'First text']),
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

operationCases('content', prepare, { ...onIds, ...lists, ...changes, ...cases });
