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
	['report', { operation: 'download', reportId: locator('..') }, 'Report" is not an ID: ".."'],
	[
		'report',
		createReport({ siteId: locator('https://', 'url') }),
		'Site" is not a URL: "https://"',
	],
	[
		'report',
		createReport({ endDate: '={{ "2026-02-30" }}' }),
		'End Date" is not a date and time: "2026-02-30"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	[
		'report',
		{ operation: 'getAll', filters: { recipientStatus: '={{ ({ status: "sent" }) }}' } },
		'Recipient Status" is an object, not a text: select a field, such as {{ $json.client.id }}',
	],
	[
		'report',
		{ operation: 'sendEmail', reportId: id, recipients: 'a@example.com, nobody' },
		'Recipients" contains an invalid email address: "nobody"',
	],
	['reportTemplate', template({ sections: {} }), 'Sections" needs its "Section"'],
	[
		'reportTemplate',
		sections({ key: 'cover' }, { key: '={{ "" }}' }),
		'Sections > 2 > Section Key" is empty',
	],
	[
		'reportTemplate',
		sections({ key: 'cover', heading: 'Our report', clear: ['heading'] }),
		'Sections" clears the heading of the section "cover" but also sets it',
	],
	[
		'reportTemplate',
		sections({ key: 'cover' }, { key: 'introduction' }, { key: ' cover ' }),
		'Sections" contains the section "cover" more than once',
	],
	[
		'reportTemplate',
		sections({ key: 'cover', dynamicData: '[1]' }),
		'Sections > 1 > Dynamic Data" is not a JSON object, such as { "name": "value" }',
	],
	[
		'reportTemplate',
		{
			operation: 'update',
			reportTemplateId: id,
			updateFields: { senderEmailId: id, clear: ['email.sender_email'] },
		},
		'Clear" clears "email.sender_email", which you also set',
	],
	[
		'scheduledReport',
		updateScheduled({ recipients: 'owner@example' }),
		'Replace Recipients" contains an invalid email address: "owner@example"',
	],
	[
		'scheduledReport',
		updateScheduled({ sendToClient: '={{ "maybe" }}' }),
		'Send to Client" must be true or false: "maybe"',
	],
	[
		'autoUpdate/schedule',
		createSchedule({ sites: { scope: { selection: 'specific', siteIds: '={{ " , " }}' } } }),
		'Sites > Site IDs or URLs" is empty',
	],
	[
		'autoUpdate/schedule',
		createSchedule({
			updates: { categories: { plugins: '={{ "some" }}', pluginFileNames: 'a.php' } },
		}),
		'Updates > Plugins" is "some", which is not one of "all", "none", "specific"',
	],
	[
		'autoUpdate/schedule',
		createSchedule({ startedAt: '={{ "soon" }}' }),
		'Start" is not a date and time: "soon"; use a format like 2026-03-01 or 2026-03-01T12:00:00Z',
	],
	['autoUpdate/schedule', createSchedule({ updates: {} }), 'Updates" needs its "What to Update"'],
	[
		'autoUpdate/schedule',
		updateSchedule({ sites: {} }),
		'Replace Sites" needs its "Sites to Update"',
	],
	[
		'autoUpdate/schedule',
		updateSchedule({
			updates: { categories: { themes: '={{ "specific" }}', themeFileNames: '={{ "" }}' } },
		}),
		'Updates > Themes to Update" is empty',
	],
];

refusedInputs(cases);
