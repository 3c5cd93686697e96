import { createSchedule, disableSchedule, type ScheduleFields } from '../autoUpdates';
import type { SiteRow, TaskRow } from '../records';
import { dataFrom } from '../reportData';
import { addReport, sendMail } from '../reports';
import type { ReportTemplateInput, ReportTemplateRow } from '../rows/reports';
import type { AutoUpdateScheduleRow, ComponentUpdate } from '../rows/updates';
import {
	createScheduledReport,
	makeReport,
	pauseScheduledReport,
	updateScheduledReport,
} from '../scheduledReports';
import { completedSnapshots } from '../snapshots';
import { addStagingSite, type StagingOrder } from '../staging';
import type { World } from '../world';

const day = 24 * 60 * 60 * 1000;

const all = { selection: 'all' as const };

/** Demo data of automatic updates, reports and staging sites, as of `world.now`. */
export function seedReporting(world: World): void {
	const sites = world.store.sites.all();
	if (sites.length === 0) return;
	seedUpdates(world, sites);
	const templates = seedTemplates(world);
	seedScheduledReports(world, sites, templates);
	seedOneTimeReports(world, sites, templates);
	seedStaging(world, sites);
	world.settle(world.now);
}

/** Active schedules run for the first time after some days, so that a fresh fleet is quiet. */
function seedUpdates(world: World, sites: SiteRow[]): void {
	const specific = {
		selection: 'specific' as const,
		ids: world.random.sample(sites, 5).map((site) => site.id),
	};
	const { planFeatures: features } = world.settings;
	const backup = features.includes('auto_update_backup');
	const visual_regression = features.includes('visual_regression');
	const everything = { cms_core: true, plugins: all, themes: all };
	const schedules: ScheduleFields[] = [
		{
			name: 'Weekly plugin updates',
			schedule: 'weekly_on_day',
			started_at: daysAgo(world, 40),
			scope: { sites: all, updates: { plugins: all } },
			options: { backup },
		},
		{
			name: 'Monthly core updates',
			schedule: 'monthly_last_day',
			started_at: daysAgo(world, 75),
			scope: { sites: all, updates: { cms_core: true } },
			options: { backup, visual_regression },
		},
		{
			name: 'Shops, everything',
			schedule: 'biweekly',
			started_at: daysAgo(world, 52),
			scope: { sites: specific, updates: everything },
			options: { backup, visual_regression },
		},
		{
			name: 'Page cache only',
			schedule: 'daily',
			started_at: daysAgo(world, 30),
			scope: {
				sites: specific,
				updates: {
					plugins: { selection: 'specific', filenames: ['page-cache/page-cache.php'] },
				},
			},
		},
	];
	const rows = schedules.map((fields) => createSchedule(world, fields));
	for (const row of rows) row.created_at = row.updated_at = row.started_at;
	const daily = rows[3]!;
	disableSchedule(world, daily);
	daily.updated_at = daysAgo(world, 3);

	const tasks = world.store.tasks.all().filter((task) => task.type === 'wp_site_update');
	for (const task of tasks) addEntry(world, rows[0]!, task);
	for (const days of [6, 5, 4]) addEntry(world, daily, undefined, daysAgo(world, days));
}

function addEntry(
	world: World,
	{ id, name }: AutoUpdateScheduleRow,
	task: TaskRow | undefined,
	performedOn = task!.created_at,
): void {
	const input = task?.input as { sites: Array<{ id: string; plugins: ComponentUpdate[] }> };
	world.store.autoUpdateHistory.insert({
		id: world.random.hex(24),
		auto_update_schedule: { id, name },
		performed_on: performedOn,
		task_id: task?.id ?? null,
		sites: (task ? input.sites : []).map((site) => ({
			id: site.id,
			wp: { plugins: site.plugins, themes: [] },
		})),
	});
}

function seedTemplates(world: World): ReportTemplateRow[] {
	const sender = world.store.senderEmails.all().find(({ status }) => status === 'verified');
	const presets: Array<[string, ReportTemplateInput]> = [
		['Care plan', { email: { sender_email: sender ? { id: sender.id } : null } }],
		[
			'Executive summary',
			{
				general: { primary_color: '#2E7D32', date_format: 'MMMM d, yyyy' },
				section_order: ['introduction'],
			},
		],
		['Kurzbericht', { general: { language: 'de', date_format: 'dd.MM.yyyy' } }],
	];
	return presets.map(([name, input], index) => {
		const createdAt = daysAgo(world, 200 - 50 * index);
		return world.store.reportTemplates.insert({
			id: world.random.hex(24),
			name,
			...dataFrom(world, '', input),
			created_at: createdAt,
			updated_at: createdAt,
		});
	});
}

/** Each has sent its last two reports. The last template is not used. */
function seedScheduledReports(
	world: World,
	sites: SiteRow[],
	templates: ReportTemplateRow[],
): void {
	const { random } = world;
	for (const site of random.sample(sites, Math.min(12, Math.ceil(sites.length / 4)))) {
		const createdAt = daysAgo(world, random.integer(60, 300));
		const row = createScheduledReport(world, {
			site_id: site.id,
			timezone: random.pick(['UTC', 'Europe/Berlin', 'America/New_York']),
			started_at: createdAt,
			frequency: random.pick(['weekly', 'monthly', 'biweekly']),
			report_template_data: {
				email: { recipients: [recipientOf(site)], send_to_client: random.chance(0.7) },
			},
		});
		updateScheduledReport(world, row, { template_id: random.pick(templates.slice(0, 2)).id });
		for (const days of [35, 5]) makeReport(world, row, world.now - days * day);
		if (random.chance(0.2)) pauseScheduledReport(world, row);
		row.created_at = row.updated_at = createdAt;
	}
}

function seedOneTimeReports(world: World, sites: SiteRow[], templates: ReportTemplateRow[]): void {
	const { random } = world;
	for (const site of random.sample(sites, 5)) {
		const madeAt = world.now - random.integer(2 * day, 60 * day);
		const order = {
			site_id: site.id,
			type: 'one_time' as const,
			timezone: 'UTC',
			start_date: world.timestamp(madeAt - 30 * day).slice(0, 10),
			end_date: world.timestamp(madeAt - day).slice(0, 10),
			data: dataFrom(world, random.pick(templates).id, {}),
		};
		const report = addReport(world, order, world.timestamp(madeAt))!;
		if (random.chance(0.7)) sendMail(world, report, recipientOf(site), madeAt);
	}
}

/** One of each status but `initializing`; the active ones have some days left. */
function seedStaging(world: World, sites: SiteRow[]): void {
	const sources = sites.flatMap((site): StagingOrder[] => {
		const [snapshot] = completedSnapshots(world, site.id);
		const { id, created_at } = snapshot ?? {};
		return id && created_at
			? [
					{
						site_id: site.id,
						php_version: site.server.php_version,
						snapshot: { id, created_at },
					},
				]
			: [];
	});
	const [active, other, paused, suspended] = world.random.sample(sources, 4);
	if (active) addStagingSite(world, active, world.now - day);
	if (other) addStagingSite(world, other, world.now - 3 * day);
	if (paused) addStagingSite(world, paused, world.now - 2 * day).status = 'paused';
	if (suspended) addStagingSite(world, suspended, world.now - 9 * day);
}

const daysAgo = (world: World, days: number) => world.timestamp(world.now - days * day);

const recipientOf = (site: SiteRow) => `owner@${new URL(site.url).hostname}`;
