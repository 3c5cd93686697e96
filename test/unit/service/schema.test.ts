import { routes } from '../../../sandbox/service/modules';
import { bodies, bodyWith, fieldsOf, wrapperOf } from './errorBodies';
import { expectError, start } from './support';

/** What no operation takes in its body: the error names the parameter, and comes before anything else is looked at. */

async function refusalOf(operationId: string, body: unknown): Promise<string[]> {
	const { method, path } = routes.find((one) => one.operationId === operationId)!;
	const { api } = await start({ sites: 0 });
	const url = path.replace(/\{\w+\}/g, 'unknown');
	return expectError(await api.request({ method, url, data: body }), 400);
}

/** How an error names a field of a body. */
function namedIn(operationId: string, field: string): string {
	const wrapper = wrapperOf(operationId);
	const isList = wrapper && Array.isArray((bodies[operationId] as any)[wrapper]);
	return field.startsWith(`${wrapper}.`)
		? field
		: [wrapper, isList && '0', field].filter(Boolean).join('.');
}

it('has a body for each operation that takes one', () => {
	// That of a sync may be missing.
	const lacking = routes.filter(
		({ operationId, body }) => body && !bodies[operationId] && operationId !== 'syncSite',
	);
	expect(lacking.map(({ operationId }) => `errorBodies.ts: add ${operationId}`)).toEqual([]);
});

describe.each(Object.keys(bodies))('%s', (operationId) => {
	const named = (field: string) => namedIn(operationId, field);

	it('takes no other fields, and not nothing', async () => {
		// The reference shows fields of a sender email that it does not describe.
		if (operationId !== 'updateSenderEmail') {
			const other = await refusalOf(operationId, bodyWith(operationId, { other: 1 }));
			expect(other).toEqual([named('other')]);
		}
		expect(await refusalOf(operationId, { ...bodies[operationId], other: 1 })).toEqual(['other']);
		expect(await refusalOf(operationId, {})).toEqual([Object.keys(bodies[operationId]!)[0]]);
		expect(await refusalOf(operationId, undefined)).toEqual(['body']);
	});

	it.each(Object.entries(fieldsOf(operationId)))(
		'takes no other type of %s',
		async (field, value) => {
			const wrong = typeof value === 'string' ? 7 : 'x';
			const found = await refusalOf(operationId, bodyWith(operationId, { [field]: wrong }));
			expect([...new Set(found)]).toEqual([named(field)]);
		},
	);
});

const changes = Object.keys(bodies).filter((id) => id.startsWith('update') && id !== 'updateSite');

it.each(changes)('%s changes something', async (id) => {
	const wrapper = wrapperOf(id)!;
	expect(await refusalOf(id, { [wrapper]: {} })).toContainEqual(expect.stringContaining(wrapper));
});

const recipients = { email: { recipients: ['nobody'] } };
const specific = { selection: 'specific' };
const all = { selection: 'all' };
const events = (fields: object) => ({ options: { real_time_events: fields } });

/** Fields that an operation does not take, and the parameter that the error names, if not the first field. */
const wrong: Array<[operationId: string, fields: Record<string, unknown>, param?: string]> = [
	['createTag', { name: '  ' }],
	['createTag', { name: undefined }],
	['createTag', { color: 'red' }],
	['createTag', { color: '#12345' }],
	['assignTag', { site_ids: [1] }, 'site_ids.0'],
	['createClient', { email: 'nobody' }],
	['createClient', { site_ids: 'x' }],
	['createSite', { url: 'ftp://example.com' }],
	['createSite', { url: 'example.com' }],
	['createSite', { url: 'https://' }],
	['createSite', { connection: { status: 'connected' } }, 'site.connection.status'],
	[
		'createSite',
		{ connection: { http_auth: { username: 'x' } } },
		'site.connection.http_auth.password',
	],
	...['24:00:00Z', '12:00', '12:00:00', '12:60:00Z', null].map((time): (typeof wrong)[number] => [
		'updateSite',
		{ sync: { daily_sync_time: time } },
		'site.sync.daily_sync_time',
	]),
	['createSiteNote', { content: '' }],
	['createSiteNote', { content: '  \n' }],
	['createSiteNote', { content: 'x'.repeat(2501) }],
	['updateSiteNote', { content: ' ' }],
	['updateSiteNote', { content: 'x'.repeat(2501) }],
	['updateSiteNote', { content: null }],
	['createSiteCustomWorks', { title: ' ' }],
	['createSiteCustomWorks', { title: undefined }],
	['createSiteCustomWorks', { title: 'x'.repeat(151) }],
	['createSiteCustomWorks', { description: 'x'.repeat(501) }],
	['createSiteCustomWorks', { performed_on: '2025-02-30' }],
	['createSiteCustomWorks', { performed_on: '2025-03-01T10:00:00Z' }],
	['createSiteCustomWorks', { performed_on: '' }],
	['createSiteCustomWorks', { performed_on: undefined }],
	['updateSiteCustomWork', { title: ' ' }],
	['updateSiteCustomWork', { performed_on: '' }],
	['updateSiteCustomWork', { performed_on: ' ' }],
	['createSiteImportantPage', { url: 'ftp://one.example.com/' }],
	['createSiteImportantPage', { url: '/contact' }],
	['createSiteImportantPage', { url: '' }],
	['updateSiteSettings', { wp_auto_updates: {} }, 'settings.wp_auto_updates.enabled'],
	[
		'updateSiteSettings',
		{ wp_auto_updates: { enabled: 'true' } },
		'settings.wp_auto_updates.enabled',
	],
	['createSenderEmail', { email: 'x' }],
	['createSenderEmail', { email: undefined }],
	['createSenderEmail', { name: undefined }],
	['updateSenderEmail', { name: ' ' }],
	['createTeamMember', { name: undefined }],
	['createTeamMember', { email: 'nobody' }],
	['createTeamMember', { role: 'owner' }],
	['createTeamMember', { all_sites_access: 'true' }],
	['updateTeamMember', { name: '' }],
	['createAutoUpdateSchedule', { name: ' ' }],
	['createAutoUpdateSchedule', { schedule: 'hourly' }],
	['createAutoUpdateSchedule', { started_at: 'tomorrow' }],
	['createAutoUpdateSchedule', { scope: undefined }],
	[
		'createAutoUpdateSchedule',
		{ scope: { sites: { selection: 'some' }, updates: {} } },
		'scope.sites.selection',
	],
	['createAutoUpdateSchedule', { scope: { sites: specific, updates: {} } }, 'scope.sites.ids'],
	['createAutoUpdateSchedule', { scope: { sites: all } }, 'scope.updates'],
	[
		'createAutoUpdateSchedule',
		{ scope: { sites: all, updates: { wp: true } } },
		'scope.updates.wp',
	],
	[
		'createAutoUpdateSchedule',
		{ scope: { sites: all, updates: { plugins: specific } } },
		'scope.updates.plugins.filenames',
	],
	['createAutoUpdateSchedule', { options: { backup: 'yes' } }, 'options.backup'],
	['createReport', { site_id: undefined }],
	['createReport', { start_date: '2025-02-30' }],
	['createReport', { end_date: undefined }],
	['createReport', { timezone: 'Nowhere/City' }],
	['createReport', { report_template_data: { name: 'x' } }, 'report_template_data.name'],
	['sendReportEmail', { recipients: [] }],
	['sendReportEmail', { recipients: undefined }],
	['sendReportEmail', { recipients: [1] }, 'recipients.0'],
	['sendReportEmail', { subject: ' ' }],
	['sendReportEmail', { sender_email: {} }, 'sender_email.id'],
	['createReportTemplate', { name: '' }],
	['createReportTemplate', { name: undefined }],
	['createReportTemplate', { general: { primary_color: 'red' } }, 'general.primary_color'],
	['createReportTemplate', { sections: { cover: { visible: 'no' } } }, 'sections.cover.visible'],
	['createReportTemplate', { section_order: 'cover' }],
	['createReportTemplate', { email: { attach_pdf: 1 } }, 'email.attach_pdf'],
	['createReportTemplate', { email: { recipients: [] } }, 'email.recipients'],
	['createScheduledReport', { site_id: undefined }],
	['createScheduledReport', { started_at: 'soon' }],
	['createScheduledReport', { frequency: 'daily' }],
	['createScheduledReport', { timezone: 'Nowhere/City' }],
	[
		'createScheduledReport',
		{ report_template_data: recipients },
		'report_template_data.email.recipients.0',
	],
	['createStagingSite', { site_id: undefined }],
	['createStagingSite', { snapshot_id: undefined }],
	['createStagingSite', { php_version: 'latest' }],
	['createStagingSite', events({ until: 'now' }), 'options.real_time_events.until'],
	['createStagingSite', events({ enabled: true }), 'options.real_time_events.until'],
	...[0, -1, 1.5, undefined].map((days): (typeof wrong)[number] => [
		'extendStagingSiteExpiry',
		{ days },
	]),
	['updateStagingSitePhpVersion', { php_version: 'new' }],
	['updateStagingSitePhpVersion', { php_version: undefined }],
	['downloadStagingSite', { scope: { include_files: 'yes' } }, 'scope.include_files'],
	['startSiteBackupDownload', { scope: { include_files: 'yes' } }, 'scope.include_files'],
	['startSiteBackupDownload', { scope: { files: true } }, 'scope.files'],
	['startSiteBackupDownload', { scope: { subsite_ids: ['2'] } }, 'scope.subsite_ids'],
	['startSiteBackupUpload', { scope: { subsite_ids: ['2'] } }, 'scope.subsite_ids'],
	['startSiteBackupUpload', { destination: { provider: 'other' } }, 'destination.provider'],
	['startSiteBackupMigration', { scope: { subsite_ids: ['2'] } }, 'scope.subsite_ids'],
	['startSiteBackupRestore', { scope: { files: true } }, 'scope.files'],
	['updatePluginBranding', { type: undefined }],
	['updatePluginBranding', { type: 'none' }],
	['updatePluginBranding', { type: 'custom', author: { email: 'x' } }, 'author.email'],
	['updateWpLogin', { logo_file: 'https://example.com/logo.png' }],
	['updateWpLogin', { logo_file: 'data:text/plain;base64,AAAA' }],
	['updateWpLogin', { logo_file: 'data:image/png,AAAA' }],
	['updateWpLogin', { logo_file: 'data:image/png;base64,' }],
	['updateWpLogin', { logo_file: 'data:image/png;base64,not base64' }],
];

it.each(wrong)('%s refuses %j', async (id, fields, ...[param]) => {
	const found = await refusalOf(id, bodyWith(id, fields));
	expect(found).toContain(namedIn(id, param ?? Object.keys(fields)[0]!));
});
