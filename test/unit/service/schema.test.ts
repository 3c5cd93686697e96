import { routes } from '../../../sandbox/service/modules';
import { bodies, bodyWith, fieldsOf, wrapperOf } from './errorBodies';
import { type ErrorFleet, startErrorFleet } from './errorFleet';
import { expectError, start } from './support';

/** What no operation takes in its body: the error names the parameter, and comes before anything else is looked at. */

async function refusalOf(operationId: string, body: unknown): Promise<string[]> {
	const { method, path } = routes.find((one) => one.operationId === operationId)!;
	const { api } = await start({ sites: 0 });
	const url = path.replace(/\{\w+\}/g, 'unknown');
	return expectError(await api.request({ method, url, data: body }), 400);
}

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

it.each(Object.keys(bodies))('%s takes no other fields and types, and not nothing', async (id) => {
	// The reference shows fields of a sender email that it does not describe.
	if (id !== 'updateSenderEmail')
		expect(await refusalOf(id, bodyWith(id, { other: 1 }))).toEqual([namedIn(id, 'other')]);
	expect(await refusalOf(id, { ...bodies[id], other: 1 })).toEqual(['other']);
	expect(await refusalOf(id, {})).toEqual([Object.keys(bodies[id]!)[0]]);
	expect(await refusalOf(id, undefined)).toEqual(['body']);
	for (const [field, value] of Object.entries(fieldsOf(id))) {
		const wrong = typeof value === 'string' ? 7 : 'x';
		const found = await refusalOf(id, bodyWith(id, { [field]: wrong }));
		expect([...new Set(found)]).toEqual([namedIn(id, field)]);
	}
});

const changes = Object.keys(bodies).filter((id) => id.startsWith('update') && id !== 'updateSite');

it.each(changes)('%s changes something', async (id) => {
	const wrapper = wrapperOf(id)!;
	expect(await refusalOf(id, { [wrapper]: {} })).toContainEqual(expect.stringContaining(wrapper));
});

/** The path of a record that can be changed, in the place of one with parameters. */
async function found(fleet: ErrorFleet, path: string): Promise<string> {
	const [, before, after] = /^([^{]*)\/\{\w+\}(.*)$/.exec(path) ?? [];
	if (before === undefined) return path;
	for (const { id, status } of await fleet.list(before)) {
		if (status === 'pending') continue;
		const place = await found(fleet, `${before}/${id}${after}`).catch(() => undefined);
		if (place) return place;
	}
	throw new Error(`No record of ${path}`);
}

it.each([...changes, 'updateSite'].filter((id) => id !== 'updateStagingSitePhpVersion'))(
	'the fields that %s takes are shown by the record from then on',
	async (id) => {
		const { path } = routes.find((one) => one.operationId === id)!;
		const fleet = await startErrorFleet();
		const url = await found(fleet, path);
		const { status } = await fleet.api.post(url, bodies[id]);
		expect(status).toBe(200);
		const { data } = await fleet.api.get(url.replace('/update', ''));
		expect(Object.values(data)).toMatchObject([fieldsOf(id)]);
	},
);

const recipients = { email: { recipients: ['nobody'] } };
const specific = { selection: 'specific' };
const all = { selection: 'all' };
const events = { options: { real_time_events: { enabled: true } } };
const plugins = { sites: all, updates: { plugins: specific } };

/**
 * Each form of a field and each rule of a body once: fields that an operation does not take, and the parameter that
 * the error names, if not the first field.
 */
const wrong: Array<[operationId: string, fields: Record<string, unknown>, param?: string]> = [
	['createTag', { name: '  ' }],
	['createTag', { name: undefined }],
	['createTag', { color: '#12345' }],
	['assignTag', { site_ids: [1] }, 'site_ids.0'],
	['createClient', { email: 'nobody' }],
	['createSite', { url: 'ftp://example.com' }],
	['createSite', { url: 'example.com' }],
	['createSite', { url: 'https://' }],
	['updateSite', { sync: { daily_sync_time: '24:00:00Z' } }, 'site.sync.daily_sync_time'],
	['updateSite', { sync: { daily_sync_time: '12:00:00' } }, 'site.sync.daily_sync_time'],
	['createSiteNote', { content: 'x'.repeat(2501) }],
	['updateSiteNote', { content: null }],
	['createSiteCustomWorks', { title: 'x'.repeat(151) }],
	['createSiteCustomWorks', { performed_on: '2025-02-30' }],
	['createSiteCustomWorks', { performed_on: '2025-03-01T10:00:00Z' }],
	['updateSiteCustomWork', { performed_on: '' }],
	['updateSenderEmail', { name: ' ' }],
	['createTeamMember', { role: 'owner' }],
	['createTeamMember', { all_sites_access: 'true' }],
	['createAutoUpdateSchedule', { started_at: 'tomorrow' }],
	['createAutoUpdateSchedule', { scope: { sites: specific, updates: {} } }, 'scope.sites.ids'],
	['createAutoUpdateSchedule', { scope: { sites: all } }, 'scope.updates'],
	['createAutoUpdateSchedule', { scope: plugins }, 'scope.updates.plugins.filenames'],
	['createReport', { timezone: 'Nowhere/City' }],
	['createReport', { report_template_data: { name: 'x' } }, 'report_template_data.name'],
	['sendReportEmail', { recipients: [] }],
	['sendReportEmail', { sender_email: {} }, 'sender_email.id'],
	['createReportTemplate', { sections: { cover: { visible: 'no' } } }, 'sections.cover.visible'],
	[
		'createScheduledReport',
		{ report_template_data: recipients },
		'report_template_data.email.recipients.0',
	],
	['createStagingSite', { php_version: 'latest' }],
	['createStagingSite', events, 'options.real_time_events.until'],
	['extendStagingSiteExpiry', { days: 0 }],
	['extendStagingSiteExpiry', { days: 1.5 }],
	['startSiteBackupDownload', { scope: { subsite_ids: ['2'] } }, 'scope.subsite_ids'],
	['startSiteBackupUpload', { destination: { provider: 'other' } }, 'destination.provider'],
	['startSiteBackupRestore', { scope: { files: true } }, 'scope.files'],
	['updatePluginBranding', { type: 'none' }],
	['updateWpLogin', { logo_file: 'https://example.com/logo.png' }],
	['updateWpLogin', { logo_file: 'data:text/plain;base64,AAAA' }],
	['updateWpLogin', { logo_file: 'data:image/png;base64,not base64' }],
];

it.each(wrong)('%s refuses %j', async (id, fields, ...[param]) => {
	const found = await refusalOf(id, bodyWith(id, fields));
	expect(found).toContain(namedIn(id, param ?? Object.keys(fields)[0]!));
});
