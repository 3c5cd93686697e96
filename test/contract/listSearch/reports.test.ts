import { loadOptions, searchList } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';

let fleet: Fleet;
beforeAll(async () => {
	fleet = await startFleet({ sites: 20 });
});
beforeEach(() => fleet.forget());

const newest = { page: '1', perPage: '50', sort: 'created_at,desc' };

it.each([
	['report', 'searchReports', '/reports', undefined, /^.+ report \(https:\/\/.+\)$/, {}],
	[
		'reportTemplate',
		'searchReportTemplates',
		'/report-templates',
		'care',
		/^Care plan$/,
		{ 'filters[name:contains]': 'care' },
	],
	[
		'scheduledReport',
		'searchScheduledReports',
		'/scheduled-reports',
		undefined,
		/^.+ (weekly|biweekly|monthly) report \(https:\/\/.+\)$/,
		{},
	],
	[
		'autoUpdate',
		'searchSchedules',
		'/auto-update-schedules',
		'cache',
		/^Page cache only \(daily\)$/,
		{ 'filters[name:contains]': 'cache' },
	],
	[
		'report',
		'searchSenderEmails',
		'/sender-emails',
		'@',
		/^.+ \(.+@.+\)$/,
		{
			'filters[email:contains]': '@',
		},
	],
	['report', 'searchClients', '/clients', undefined, /^.+ \(.+@.+\)$/, {}],
])('From List of %s, %s, asks %s for "%s"', async (node, method, path, filter, name, sent) => {
	const run = { node, parameters: {}, method, filter };
	const { results } = await searchList(fleet, run);
	expect(results[0]).toEqual({ name: expect.stringMatching(name), value: expect.any(String) });
	expect(fleet.sent()).toEqual([
		{ route: `GET ${path}`, query: { ...newest, ...sent }, body: undefined },
	]);
	await expect(fleet.api.get(`${path}/${results[0]!.value}`)).resolves.toMatchObject({
		status: 200,
	});
});

it('filters offer all schedules by name', async () => {
	const options = await loadOptions(fleet, {
		node: 'autoUpdate',
		parameters: {},
		method: 'getSchedules',
	});
	expect(options.map(({ name }) => name)).toEqual([
		'Monthly core updates (monthly_last_day)',
		'Page cache only (daily)',
		'Shops, everything (biweekly)',
		'Weekly plugin updates (weekly_on_day)',
	]);
});
