import { unprocessable } from '../../engine/errors';
import type { TaskRow } from '../../engine/taskRows';
import { startTask } from '../../engine/tasks';
import type { Handler, TaskEffects, World } from '../../engine/world';
import { requireFeature } from '../account/rules';
import { changedVersions, setVersion, versionsAt } from '../content/components';
import { bringFlaw, CORE } from '../content/flaws';
import { nextOccurrence, toUtc } from '../shared/recurrence';
import type { SiteRow } from '../sites/rows';
import { requireSites } from '../sites/rules';
import type {
	AutoUpdateHistoryRow,
	AutoUpdateScheduleRow,
	ComponentUpdate,
	FileSelection,
	HistoryStatus,
	SiteSelection,
	SiteUpdates,
	UpdateCategories,
} from './rows';

/** What a request says about a schedule. */
export interface ScheduleFields {
	name: string;
	schedule: AutoUpdateScheduleRow['schedule'];
	started_at: string;
	scope: {
		sites: { selection: SiteSelection['selection']; ids?: string[] };
		updates: {
			cms_core?: boolean;
			plugins?: Partial<FileSelection>;
			themes?: Partial<FileSelection>;
		};
	};
	options?: { backup?: boolean; visual_regression?: boolean };
}

export type ScheduleChanges = Partial<Omit<ScheduleFields, 'scope'>> & {
	scope?: Partial<ScheduleFields['scope']>;
};

/** The newest version that there is of a plugin or theme. */
type Latest = Omit<ComponentUpdate, 'current_version'>;

const latest = (name: string, slug: string, filename: string, version: string): Latest => ({
	name,
	target_version: version,
	slug,
	filename,
});

const themes = [
	latest('Magazine', 'magazine', 'magazine', '1.4.2'),
	latest('Portfolio', 'portfolio', 'portfolio', '2.9.0'),
];

/** Plugins whose main file has another name than their folder, and the like. */
const oddPlugins = [
	latest('SEO Suite', 'seo-suite', 'seo-suite/wp-seo.php', '2.1.0'),
	latest('Hello Words', 'hello-words', 'hello-words.php', '2.2.0'),
	latest('Image Slider', 'image-slider-1.9.4', 'image-slider-1.9.4/image-slider.php', '2.1.0'),
	latest('Licensed Forms', 'licensed-forms', 'licensed-forms/licensed-forms.php', '4.3.1'),
];

/** Adds an active schedule (Part A 4.7); its sites and options have to be available. */
export function createSchedule(world: World, fields: ScheduleFields): AutoUpdateScheduleRow {
	requireScope(world, fields);
	const now = world.timestamp();
	const schedule = world.store.autoUpdateSchedules.insert({
		id: world.random.hex(24),
		name: fields.name,
		status: 'active',
		schedule: fields.schedule,
		started_at: toUtc(fields.started_at),
		next_update_at: now,
		scope: { sites: siteSelection(fields.scope.sites), updates: categories(fields.scope.updates) },
		options: { backup: false, visual_regression: false, ...fields.options },
		created_at: now,
		updated_at: now,
	});
	scheduleRun(world, schedule);
	return schedule;
}

/** What is left out stays; `scope.updates` is the complete desired set of categories. */
export function updateSchedule(
	world: World,
	schedule: AutoUpdateScheduleRow,
	{ name, schedule: recurrence, started_at: startedAt, scope, options }: ScheduleChanges,
): void {
	requireScope(world, { scope, options });
	if (name !== undefined) schedule.name = name;
	if (scope?.sites) schedule.scope.sites = siteSelection(scope.sites);
	if (scope?.updates) schedule.scope.updates = categories(scope.updates);
	Object.assign(schedule.options, options);
	schedule.updated_at = world.timestamp();
	if (recurrence === undefined && startedAt === undefined) return;
	if (recurrence !== undefined) schedule.schedule = recurrence;
	if (startedAt !== undefined) schedule.started_at = toUtc(startedAt);
	scheduleRun(world, schedule);
}

/** Part A 3: the next date follows from the recurrence anew. */
export function enableSchedule(world: World, schedule: AutoUpdateScheduleRow): void {
	requireStatus(schedule, 'paused');
	schedule.status = 'active';
	schedule.updated_at = world.timestamp();
	scheduleRun(world, schedule);
}

export function disableSchedule(world: World, schedule: AutoUpdateScheduleRow): void {
	requireStatus(schedule, 'active');
	schedule.status = 'paused';
	schedule.updated_at = world.timestamp();
}

/** The sites of a schedule that are available to the caller. */
export function sitesOfSchedule({ scope }: AutoUpdateScheduleRow, world: World): SiteRow[] {
	const { selection, ids } = scope.sites;
	return world.store.sites.peek().filter(({ id }) => selection === 'all' || ids.includes(id));
}

/** The kinds of updates of a schedule, as the filter has them. */
export function updateTypesOf({ scope }: AutoUpdateScheduleRow): string[] {
	const { cms_core: core, plugins: pluginFiles, themes: themeFiles } = scope.updates;
	return [
		...(isEmpty(pluginFiles) ? [] : ['plugin']),
		...(isEmpty(themeFiles) ? [] : ['theme']),
		...(core ? ['core'] : []),
	];
}

/** How long a run of a schedule is only announced; longer than callers wait between two looks. In milliseconds. */
const ANNOUNCED_MS = 40_000;

/** Whether an entry shows its task; its sites, after `times` as long. */
export function hasBegun(entry: AutoUpdateHistoryRow, world: World, times = 1): boolean {
	if (!entry.internal?.isAnnounced) return true;
	const status = world.store.tasks.get(entry.task_id ?? '')?.status ?? 'initializing';
	const begins = Date.parse(entry.performed_on) + times * ANNOUNCED_MS;
	return !['initializing', 'running'].includes(status) || world.now >= begins;
}

/** Part A 2.8: entries without a task had nothing to update. */
export function statusOfEntry(entry: AutoUpdateHistoryRow, world: World): HistoryStatus {
	if (!hasBegun(entry, world)) return 'initializing';
	return world.store.tasks.get(entry.task_id ?? '')?.status ?? 'no_updates';
}

export const autoUpdateHandlers: Record<string, Handler> = {
	'auto_update.run': (world, { schedule_id: id, at }) => {
		const schedule = world.store.autoUpdateSchedules.get(String(id));
		// Another date means that the schedule was changed since.
		if (schedule?.status !== 'active' || schedule.next_update_at !== at) return;
		run(world, schedule);
		scheduleRun(world, schedule);
	},
};

export const autoUpdateEffects: TaskEffects = {
	wp_site_update: (world, task, outcome) => {
		if (outcome !== 'completed') return;
		if (task.internal.payload.living) updateCores(world, task);
		const entry = world.store.autoUpdateHistory.get(String(task.internal.payload.history_id));
		for (const { id, wp } of entry?.sites ?? []) {
			const site = world.store.sites.get(id);
			if (!site) continue;
			for (const { slug, target_version: version } of [...wp.plugins, ...wp.themes]) {
				setVersion(world, site, slug, version);
				bringFlaw(world, site, slug, version);
			}
			if (!wp.core) continue;
			bringFlaw(world, site, CORE, wp.core.target_version);
			site.wp.core.current_version = wp.core.target_version;
			site.wp.core.update_available = site.wp.core.latest_version !== wp.core.target_version;
			site.updated_at = world.timestamp();
		}
	},
};

/** An update that was started by hand brings the core to its latest version. */
function updateCores(world: World, task: TaskRow): void {
	for (const { id } of task.details.sites) {
		const site = world.store.sites.get(id);
		if (!site) continue;
		const { core } = site.wp;
		core.current_version = core.latest_version;
		core.update_available = false;
		core.vulnerable = false;
		site.updated_at = world.timestamp();
	}
}

export const updateInput = (world: World, id: string) => ({
	id,
	options: { backup: true, visual_regression: false, sandbox: false },
	plugins: [world.random.pick(plugins)],
});

function run(world: World, schedule: AutoUpdateScheduleRow): void {
	const sites = sitesOfSchedule(schedule, world)
		.map((site) => updatesOf(world, site, schedule.scope.updates))
		.filter(({ wp }) => wp.core || wp.plugins.length > 0 || wp.themes.length > 0);
	const options = { ...schedule.options, sandbox: false };
	const id = world.random.hex(24);
	const task =
		sites.length === 0
			? undefined
			: startTask(world, {
					type: 'wp_site_update',
					siteIds: sites.map((site) => site.id),
					input: { sites: sites.map(({ id, wp }) => ({ id, options, plugins: wp.plugins })) },
					payload: { history_id: id },
				});
	world.store.autoUpdateHistory.insert({
		id,
		auto_update_schedule: { id: schedule.id, name: schedule.name },
		performed_on: world.timestamp(),
		task_id: task?.id ?? null,
		sites,
		internal: { isAnnounced: true },
	});
}

/** What there is to update on a site: its core, and some of its plugins and themes. */
function updatesOf(world: World, site: SiteRow, updates: UpdateCategories): SiteUpdates {
	const { core } = site.wp;
	const versions = versionsAt(world, site, world.now);
	const byHand = changedVersions(world, site);
	const outdated = (list: Latest[], selection: FileSelection) =>
		list.flatMap((each): ComponentUpdate[] => {
			const version = versions.get(each.slug);
			return version &&
				isBefore(version, each.target_version) &&
				isSelected(selection, each.filename)
				? [{ ...each, current_version: version }]
				: [];
		});
	// Of what was installed by hand, the update is not left to chance.
	const usual = outdated(plugins, updates.plugins).filter(
		({ slug }) => byHand.has(slug) || world.random.chance(0.4),
	);
	const odd = outdated(oddPlugins, updates.plugins).filter(({ slug }) => byHand.has(slug));
	// Chance is asked for each theme, outdated or not, so that a seed stays the same fleet.
	const chosen = themes.filter(
		({ slug, filename }) =>
			isSelected(updates.themes, filename) &&
			versions.has(slug) &&
			(world.random.chance(0.4) || byHand.has(slug)),
	);
	return {
		id: site.id,
		wp: {
			...(updates.cms_core &&
				core.update_available &&
				!core.locked && {
					core: { current_version: core.current_version, target_version: core.latest_version },
				}),
			plugins: [...usual, ...odd],
			themes: outdated(chosen, updates.themes),
		},
	};
}

const isBefore = (version: string, other: string) =>
	version.localeCompare(other, 'en', { numeric: true }) < 0;

/** Lets the next run happen by the timeline. */
function scheduleRun(world: World, schedule: AutoUpdateScheduleRow): void {
	const at = nextOccurrence(schedule.schedule, schedule.started_at, world.now);
	schedule.next_update_at = at;
	const payload = { schedule_id: schedule.id, at };
	world.timeline.schedule({ at: Date.parse(at), kind: 'auto_update.run', payload });
}

function requireScope(world: World, { scope, options }: ScheduleChanges): void {
	requireSites(world, scope?.sites?.ids ?? [], 'auto_update_schedule.scope.sites.ids');
	const param = 'auto_update_schedule.options';
	if (options?.backup) requireFeature(world, 'auto_update_backup', `${param}.backup`);
	if (options?.visual_regression) {
		requireFeature(world, 'visual_regression', `${param}.visual_regression`);
	}
}

function requireStatus({ status }: AutoUpdateScheduleRow, wanted: typeof status): void {
	if (status === wanted) return;
	throw unprocessable(
		`not_${wanted}`,
		'auto_update_schedule_id',
		`is a schedule that is ${status}`,
	);
}

const siteSelection = ({ selection, ids = [] }: ScheduleFields['scope']['sites']) => ({
	selection,
	ids: selection === 'all' ? [] : [...new Set(ids)],
});

const fileSelection = ({
	selection = 'specific',
	filenames = [],
}: Partial<FileSelection> = {}) => ({
	selection,
	filenames: selection === 'all' ? [] : filenames,
});

const categories = (updates: ScheduleFields['scope']['updates']): UpdateCategories => ({
	cms_core: updates.cms_core ?? false,
	plugins: fileSelection(updates.plugins),
	themes: fileSelection(updates.themes),
});

const isEmpty = ({ selection, filenames }: FileSelection) =>
	selection === 'specific' && filenames.length === 0;

const isSelected = ({ selection, filenames }: FileSelection, filename: string) =>
	selection === 'all' || filenames.includes(filename);

const plugin = (name: string, slug: string, from: string, to: string) => ({
	name,
	current_version: from,
	target_version: to,
	slug,
	filename: `${slug}/${slug}.php`,
});

export const plugins = [
	plugin('Contact Forms', 'contact-forms', '5.9.2', '5.9.8'),
	plugin('Page Cache', 'page-cache', '3.1.0', '3.2.1'),
	plugin('Image Slider', 'image-slider', '2.0.4', '2.1.0'),
	plugin('Site Maps', 'site-maps', '2.2.0', '2.4.1'),
	plugin('Booking Calendar', 'booking-calendar', '3.0.2', '4.0.0'),
];
