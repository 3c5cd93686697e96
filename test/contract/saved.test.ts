import type { INodeParameters } from 'n8n-workflow';
import { activate, runNode } from '../support/engine';
import { inStep, startFleet, type Fleet, type Sent } from '../support/fleet';
import { locator } from '../support/locator';
import { fieldsOf, savedNodes, type Names } from '../support/savedNodes';

/** What was saved of triggers, and of what many operations have alike: what is sent, and what comes out. */

const DAY = 86_400_000;

let fleet: Fleet;
let names: Names;

beforeEach(async () => {
	fleet = await startFleet({ sites: 20 });
	inStep(fleet);
	const { clients, tags, autoUpdateSchedules, teamMembers } = fleet.world.store;
	const [site] = await fleet.sites(1);
	const [client] = clients.all();
	const [member] = teamMembers.all();
	const [schedule] = autoUpdateSchedules.all();
	const at = fleet.world.timestamp();
	const { id: tag } = tags.insert({
		id: '900001',
		name: 'Own',
		color: null,
		created_at: at,
		updated_at: at,
	});
	names = {
		own: await ownSite(),
		site: site!.id,
		url: site!.url,
		host: new URL(site!.url).host,
		client: client!.id,
		member: member!.id,
		email: member!.email,
		tag,
		schedule: schedule!.id,
	};
	fleet.forget();
});
afterEach(async () => await fleet.close());

/** A site with a snapshot of today. */
async function ownSite(): Promise<string> {
	const { data } = await fleet.api.post('/sites', { site: { url: 'https://own.example.com' } });
	await fleet.api.post(`/sites/${data.site.id}/sync`);
	fleet.clock.advance(60_000);
	return data.site.id as string;
}

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
	return [...new Set(all)].map((one) => JSON.parse(one) as Sent);
}

const raw = { output: 'raw' };
const triggers: Record<string, (names: Names) => INodeParameters> = {
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
			'disconnected',
			'down',
			'malwareCleared',
			'malwareFound',
			'reconnected',
			'siteAdded',
			'up',
		],
		...raw,
	}),
	'siteTrigger of-a-client': ({ client }) => ({ scope: 'client', clientId: locator(client) }),
	'siteTrigger of-a-tag': ({ tag }) => ({ scope: 'tag', tagId: locator(tag) }),
	'siteTrigger of-sites': ({ site }) => ({ scope: 'sites', siteIds: [site] }),
	'siteTrigger except-a-tag': ({ tag }) => ({
		events: ['down'],
		options: { exceptTagIds: [tag] },
	}),
	backupTrigger: () => ({}),
	'backupTrigger of-all-sites': () => ({
		events: [
			'backupFailed',
			'backupFinished',
			'backupOverdue',
			'migrationFailed',
			'migrationFinished',
			'restoreFailed',
			'restoreFinished',
		],
		overdueHours: 4,
		...raw,
	}),
	'backupTrigger of-a-client': ({ client }) => ({ scope: 'client', clientId: locator(client) }),
	'backupTrigger of-a-tag': ({ tag }) => ({ scope: 'tag', tagId: locator(tag) }),
	'backupTrigger of-sites': ({ site }) => ({ scope: 'sites', siteIds: [site] }),
	'backupTrigger overdue-except-a-tag': ({ tag }) => ({
		events: ['backupOverdue'],
		checkEveryMinutes: 30,
		options: { exceptTagIds: [tag], includeSitesWithoutBackups: false },
	}),
	stagingSiteTrigger: () => ({}),
	'stagingSiteTrigger created': () => ({
		events: ['created', 'expiresSoon'],
		hoursBefore: 24,
		...raw,
	}),
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

const alike: Record<string, (names: Names) => INodeParameters> = {
	'tag/tag/getAll all': () => ({ returnAll: true }),
	'tag/tag/getAll few': () => ({ limit: 3 }),
	'tag/tag/getAll selected': () => ({ output: 'selected', outputFields: ['id', 'name'] }),
	'tag/tag/getAll raw': () => raw,
	'tag/tag/getAll sorted': () => ({ sort: { by: { field: 'updated_at' } } }),
	'tag/tag/getAll without-blanks': () => ({
		filters: { name: '={{ "" }}', nameContains: 'o' },
		options: { ignoreBlankFilters: true },
	}),
	'tag/tag/delete only-if': ({ tag }) => ({
		tagId: locator(tag),
		onlyIf: 'name',
		onlyIfName: 'Own',
	}),
	'tag/tag/update preview': ({ tag }) => ({
		tagId: locator(tag),
		updateFields: { name: 'New' },
		preview: true,
	}),
	'site/site/delete only-if': ({ site, url }) => ({
		siteId: locator(site),
		onlyIf: 'url',
		onlyIfUrl: url,
	}),
	'site/site/get by-url': ({ url }) => ({ siteId: locator(url, 'url') }),
	'teamMember/teamMember/delete only-if': ({ member, email }) => ({
		teamMemberId: locator(member),
		onlyIf: 'email',
		onlyIfEmail: email,
	}),
	'report/report/create waits': ({ own }) => ({
		siteId: locator(own),
		startDate: '2026-03-01',
		endDate: '2026-03-01',
		waitForCompletion: true,
		waitOptions: { timeLimit: 30, onFailure: 'return' },
	}),
	'api/request/send as-it-is': ({ site }) => ({
		path: `/sites/${site}/notes`,
		query: '{"filters":{"content:contains":"a"},"perPage":2}',
	}),
	'api/request/send records': () => ({
		path: '/tags',
		query: '={{ { sort: "name,asc" } }}',
		response: 'records',
		returnAll: true,
	}),
	'api/request/send change': ({ site }) => ({
		method: 'POST',
		path: `/sites/${site}/notes`,
		body: '{"note":{"content":"Own"}}',
	}),
	'api/request/send preview': ({ tag }) => ({
		method: 'DELETE',
		path: `/tags/${tag}`,
		preview: true,
	}),
};

const casesOf = (all: Record<string, (names: Names) => INodeParameters>) =>
	Object.fromEntries(
		Object.entries(all).map(([name, parameters]) => [
			name,
			(known: Names) => ({ parameters: parameters(known) }),
		]),
	);

const prepared = () => ({ fleet, names });

describe('a trigger', () =>
	savedNodes('triggers', prepared, casesOf(triggers), async (_, node) => {
		const { test, poll } = await activate(fleet, node);
		const [sample] = (await test().catch(isNothing)) ?? [];
		await poll();
		fleet.clock.advance(DAY);
		await poll();
		return { sent: asked(fleet.sent()), fields: fieldsOf(sample) };
	}));

describe('what is alike', () =>
	savedNodes('alike', prepared, casesOf(alike), async (_, node) => {
		const { error, json } = await runNode(fleet, node);
		expect(error).toBeUndefined();
		return { sent: asked(fleet.sent()), fields: fieldsOf(json[0]) };
	}));
