import type { INodeParameters } from 'n8n-workflow';
import { refusedInputs, type BadInput } from '../../support/badInput';
import { locator } from '../../support/locator';

const id = locator('1');

const createReport = (parameters: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	siteId: id,
	startDate: '2026-02-01',
	endDate: '2026-02-28',
	...parameters,
});

const template = (additionalFields: INodeParameters): INodeParameters => ({
	operation: 'create',
	name: 'A',
	additionalFields,
});

const sections = (...section: INodeParameters[]) => template({ sections: { section } });

const updateScheduled = (updateFields: INodeParameters): INodeParameters => ({
	operation: 'update',
	scheduledReportId: id,
	updateFields,
});

const createSchedule = (parameters: INodeParameters): INodeParameters => ({
	operation: 'create',
	name: 'A',
	recurrence: 'daily',
	startedAt: '2026-03-05T02:00:00',
	sites: { scope: { selection: 'all' } },
	updates: { categories: { plugins: 'all' } },
	...parameters,
});

const updateSchedule = (updateFields: INodeParameters): INodeParameters => ({
	operation: 'update',
	scheduleId: id,
	updateFields,
});

const cases: BadInput[] = [
	[
		'report',
		{ operation: 'download', reportId: locator('..') },
		'The parameter "Report" is not an ID: ".."',
	],
	['report', createReport({ siteId: locator('={{ "" }}') }), 'The parameter "Site" is empty'],
	[
		'report',
		createReport({ siteId: locator('https://', 'url') }),
		'The parameter "Site" is not a URL: "https://"',
	],
	[
		'report',
		createReport({ endDate: '={{ "2026-02-30" }}' }),
		'The parameter "End Date" is not a date and time: "2026-02-30"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	[
		'report',
		createReport({ additionalFields: { reportTemplateId: locator('={{ null }}') } }),
		'The parameter "Report Template" has no value',
	],
	[
		'report',
		{ operation: 'getAll', filters: { clientId: locator('={{ $json.gone }}') } },
		'The parameter "Client" has no value; to skip blank filters, turn on Options > Ignore Blank Filters',
	],
	[
		'report',
		{ operation: 'getAll', filters: { recipientStatus: '={{ ({ status: "sent" }) }}' } },
		'The parameter "Recipient Status" is an object, not a text: select a field, such as {{ $json.client.id }}',
	],
	[
		'report',
		{ operation: 'sendEmail', reportId: id, recipients: 'a@example.com, nobody' },
		'The parameter "Recipients" contains an invalid email address: "nobody"',
	],
	[
		'report',
		{ operation: 'sendEmail', reportId: id, recipients: '={{ [] }}' },
		'The parameter "Recipients" is empty',
	],
	['reportTemplate', template({ sections: {} }), 'The parameter "Sections" needs its "Section"'],
	[
		'reportTemplate',
		sections({ key: 'cover' }, { key: '={{ "" }}' }),
		'The parameter "Sections > 2 > Section Key" is empty',
	],
	[
		'reportTemplate',
		sections({ key: 'cover', heading: 'Our report', clear: ['heading'] }),
		'The parameter "Sections" clears the heading of the section "cover" but also sets it',
	],
	[
		'reportTemplate',
		sections({ key: 'cover' }, { key: 'introduction' }, { key: ' cover ' }),
		'The parameter "Sections" contains the section "cover" more than once',
	],
	[
		'reportTemplate',
		sections({ key: 'cover', dynamicData: '[1]' }),
		'The parameter "Sections > 1 > Dynamic Data" is not a JSON object, such as { "name": "value" }',
	],
	[
		'reportTemplate',
		{
			operation: 'update',
			reportTemplateId: id,
			updateFields: { senderEmailId: id, clear: ['email.sender_email'] },
		},
		'The parameter "Clear" clears "email.sender_email", which you also set',
	],
	[
		'reportTemplate',
		{ operation: 'delete', reportTemplateIds: '={{ " , " }}' },
		'The parameter "Report Template Names or IDs" is empty',
	],
	[
		'scheduledReport',
		updateScheduled({ emailBody: '={{ "" }}' }),
		'The parameter "Email Body" is empty',
	],
	[
		'scheduledReport',
		updateScheduled({ recipients: 'owner@example' }),
		'The parameter "Replace Recipients" contains an invalid email address: "owner@example"',
	],
	[
		'scheduledReport',
		updateScheduled({ sendToClient: '={{ "maybe" }}' }),
		'The parameter "Send to Client" must be true or false: "maybe"',
	],
	[
		'autoUpdate/schedule',
		createSchedule({ sites: { scope: { selection: 'specific', siteIds: '={{ " , " }}' } } }),
		'The parameter "Sites > Site IDs or URLs" is empty',
	],
	[
		'autoUpdate/schedule',
		createSchedule({
			updates: { categories: { plugins: '={{ "some" }}', pluginFileNames: 'a.php' } },
		}),
		'The parameter "Updates > Plugins" is "some", which is not one of "all", "none", "specific"',
	],
	[
		'autoUpdate/schedule',
		createSchedule({ startedAt: '={{ "soon" }}' }),
		'The parameter "Start" is not a date and time: "soon"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	[
		'autoUpdate/schedule',
		createSchedule({ updates: {} }),
		'The parameter "Updates" needs its "What to Update"',
	],
	[
		'autoUpdate/schedule',
		updateSchedule({ sites: {} }),
		'The parameter "Replace Sites" needs its "Sites to Update"',
	],
	[
		'autoUpdate/schedule',
		updateSchedule({
			updates: { categories: { themes: '={{ "specific" }}', themeFileNames: '={{ "" }}' } },
		}),
		'The parameter "Updates > Themes to Update" is empty',
	],
	[
		'autoUpdate/history',
		{ operation: 'getAll', filters: { scheduleIds: '={{ null }}' } },
		'The parameter "Schedule Names or IDs" has no value; to skip blank filters, turn on Options > Ignore Blank Filters',
	],
];

refusedInputs(cases);
