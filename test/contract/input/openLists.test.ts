import type { INodeParameters } from 'n8n-workflow';
import { activate, runNode } from '../../support/engine';
import { startFleet, type Fleet } from '../../support/fleet';
import { locator } from '../../support/locator';

/** A list of choices is what the editor offers: an expression may say another word, and the service judges it. */

let fleet: Fleet;
beforeAll(async () => {
	fleet = await startFleet({ sites: 3 });
});
beforeEach(() => fleet.forget());

const run = async (node: string, resource: string, parameters: INodeParameters) =>
	await runNode(fleet, { node, parameters: { resource, ...parameters } });

it.each<[string, string, INodeParameters, Record<string, unknown>]>([
	[
		'site',
		'site',
		{ filters: { connectionStatus: '={{ "paused" }}' } },
		{ 'filters[connection_status:eq]': 'paused' },
	],
	[
		'site',
		'site',
		{ filters: { scannerStatus: '={{ "Clean" }}' } },
		{ 'filters[scanner_status:eq]': 'Clean' },
	],
	[
		'managedAccount',
		'managedAccount',
		{ filters: { roles: '={{ ["owner", "co_owner"] }}' } },
		{ 'filters[role:in][]': ['owner', 'co_owner'] },
	],
	[
		'managedAccount',
		'managedAccount',
		{ filters: { roles: '={{ "owner, 7" }}' } },
		{ 'filters[role:in][]': ['owner', '7'] },
	],
	[
		'scheduledReport',
		'scheduledReport',
		{ filters: { frequency: '={{ "daily" }}' } },
		{ 'filters[frequency:eq]': 'daily' },
	],
	[
		'autoUpdate',
		'schedule',
		{ filters: { recurrence: '={{ "hourly" }}' } },
		{ 'filters[schedule:eq]': 'hourly' },
	],
	[
		'tag',
		'tag',
		{ sort: { by: { field: '={{ "size" }}', direction: '={{ "up" }}' } } },
		{ sort: 'size,up' },
	],
])(
	'%s %s %j: sends the unknown word unchanged, and reports the refusal of the service',
	async (node, resource, parameters, query) => {
		const { error } = await run(node, resource, { operation: 'getAll', ...parameters });
		expect(fleet.sent()).toMatchObject([{ query }]);
		expect(error?.httpCode).toBe('400');
		const [name] = Object.keys(query) as [string];
		expect(error?.message).toContain(name.replace(/\[\]$/, ''));
	},
);

it.each<[string, string, INodeParameters, string]>([
	[
		'scheduledReport',
		'scheduledReport',
		{ frequency: '={{ "daily" }}', siteId: locator('1'), startedAt: '2026-04-01T00:00:00Z' },
		'The parameter "Frequency" is "daily", which is not one of "biweekly", "monthly", "weekly"',
	],
	[
		'autoUpdate',
		'schedule',
		{ name: 'A', recurrence: '={{ "hourly" }}', startedAt: '2026-04-01T00:00:00Z' },
		'The parameter "Recurrence" is "hourly", which is not one of "biweekly", ',
	],
])(
	'%s %s: a change accepts only words that the reference lists',
	async (node, resource, parameters, message) => {
		const { error } = await run(node, resource, { operation: 'create', ...parameters });
		expect(error?.message).toContain(message);
		expect(fleet.sent()).toEqual([]);
	},
);

const snapshot = { siteId: locator('s1'), snapshotId: locator('p1') };

it.each<[INodeParameters, object]>([
	[{}, { provider: 'drive' }],
	[{ backupDestinationId: locator('bkd_1') }, { provider: 'drive', id: 'bkd_1' }],
])(
	'accepts a provider of another name, which is not in the reference: with %j',
	async (parameters, destination) => {
		await run('backup', 'backup', {
			operation: 'upload',
			...snapshot,
			provider: '={{ "drive" }}',
			options: { allowHackedSnapshot: true },
			...parameters,
		});
		const sent = fleet.sent().filter(({ route }) => route.startsWith('POST '));
		expect(sent).toMatchObject([{ body: { upload: { destination } } }]);
		expect(
			Object.keys((sent[0]!.body as { upload: { destination: object } }).upload.destination),
		).toEqual(Object.keys(destination));
	},
);

it.each<[string, INodeParameters, string]>([
	[
		'taskTrigger',
		{ events: ['failed'], filters: { taskTypes: '={{ ["backup"] }}' } },
		'filters[type:eq]',
	],
	['reportTrigger', { filters: { type: '={{ "weekly" }}' } }, 'filters[type:eq]'],
])('%s: reports an unknown word in a filter', async (node, parameters, name) => {
	const { poll } = await activate(fleet, { node, parameters });
	await expect(poll()).rejects.toThrow(name);
	expect(fleet.sent()[0]!.query).toHaveProperty([name]);
});
