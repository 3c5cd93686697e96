import type { INodeParameters } from 'n8n-workflow';
import { activate } from '../../support/engine';
import { inStep, startFleet, type Fleet, type Sent } from '../../support/fleet';
import { locator } from '../../support/locator';
import { fieldsOf, savedNodes, type Names } from '../../support/savedNodes';
import { useClock } from '../../support/transportClock';

/** Triggers as they were saved: what they ask the service for, and what they tell. */

const DAY = 86_400_000;

let fleet: Fleet;
let names: Names;

beforeEach(async () => {
	useClock({ now: () => fleet.clock.now(), sleep: () => {} });
	fleet = await startFleet({ sites: 20 });
	inStep(fleet);
	const { clients, tags, autoUpdateSchedules } = fleet.world.store;
	const [site] = await fleet.sites(1);
	const [client] = clients.all();
	const [schedule] = autoUpdateSchedules.all();
	const at = fleet.world.timestamp();
	const { id: tag } = tags.insert({
		id: '900001',
		name: 'Own',
		color: null,
		created_at: at,
		updated_at: at,
	});
	names = { site: site!.id, client: client!.id, tag, schedule: schedule!.id };
});
afterEach(async () => await fleet.close());

/** The editor is told so when there is no sample. */
function isNothing(error: Error): null {
	expect(error.message).toMatch(/to show yet$/);
	return null;
}

/** What is asked for, once and without what depends on what has happened: times, and records that are none of ours. */
function asked(sent: Sent[]): Sent[] {
	const known = Object.values(names);
	const all = sent.map((one) =>
		JSON.stringify(one)
			.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
			.replaceAll(/[0-9a-f]{24}/g, (id) => (known.includes(id) ? id : '(id)')),
	);
	return [...new Set(all)].sort().map((one) => JSON.parse(one) as Sent);
}

const raw = { output: 'raw' };
const cases: Record<string, (names: Names) => INodeParameters> = {
	taskTrigger: () => ({}),
	'taskTrigger of-a-site': ({ site }) => ({
		events: ['started', 'progress', 'cancelled'],
		filters: { siteId: locator(site), taskTypes: ['restore', 'download'] },
		options: { includeStepDetails: true },
	}),
	autoUpdateTrigger: () => ({}),
	'autoUpdateTrigger of-a-schedule': ({ schedule }) => ({
		events: ['started', 'noUpdates', 'cancelled'],
		itemsPer: 'component',
		options: { scheduleId: locator(schedule) },
		...raw,
	}),
	reportTrigger: () => ({}),
	'reportTrigger of-a-client': ({ client }) => ({
		events: ['delivered', 'opened', 'bounced', 'spam', 'failed'],
		filters: { clientId: locator(client), type: 'one_time' },
		options: { followDays: 7 },
		...raw,
	}),
	'reportTrigger of-a-site': ({ site }) => ({
		filters: { siteId: locator(site) },
		options: { attachPdf: true },
	}),
	siteTrigger: () => ({}),
	'siteTrigger of-all-sites': () => ({
		events: [
			'backupFinished',
			'backupOverdue',
			'disconnected',
			'down',
			'malwareCleared',
			'malwareFound',
			'reconnected',
			'siteAdded',
			'up',
		],
		overdueHours: 4,
		...raw,
	}),
	'siteTrigger of-a-client': ({ client }) => ({ scope: 'client', clientId: locator(client) }),
	'siteTrigger of-a-tag': ({ tag }) => ({ scope: 'tag', tagId: locator(tag) }),
	'siteTrigger of-sites': ({ site }) => ({ scope: 'sites', siteIds: [site] }),
	activityLogTrigger: ({ site }) => ({ siteId: locator(site) }),
	'activityLogTrigger of-a-user': ({ site }) => ({
		siteId: locator(site),
		filters: {
			eventTypes: ['updated', 'login'],
			objectTypes: ['plugin'],
			ipAddress: '203.0.113.7',
			search: 'form',
			username: 'editor',
		},
	}),
};

const given = Object.entries(cases).map(([name, parameters]) => [
	name,
	(known: Names) => ({ parameters: parameters(known) }),
]);

savedNodes(
	'triggers',
	() => ({ fleet, names }),
	Object.fromEntries(given),
	async (_, node) => {
		const { test, poll } = await activate(fleet, node);
		const [sample] = (await test().catch(isNothing)) ?? [];
		await poll();
		fleet.clock.advance(DAY);
		await poll();
		return { sent: asked(fleet.sent()), fields: fieldsOf(sample) };
	},
);
