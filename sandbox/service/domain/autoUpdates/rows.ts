import type { Row } from '../../engine/store';
import type { TaskStatus } from '../../engine/taskRows';

/** Part A 2.7. */
export const scheduleStatuses = ['active', 'paused'] as const;
export const updateRecurrences = [
	'daily',
	'weekly_on_day',
	'biweekly',
	'monthly_on_date',
	'monthly_on_week',
	'monthly_last_day',
] as const;
export const selections = ['all', 'specific'] as const;
/** The history filter values for `cms_core`, `plugins` and `themes`. */
export const updateTypes = ['plugin', 'theme', 'core'] as const;

type Selection = (typeof selections)[number];

export interface FileSelection {
	selection: Selection;
	filenames: string[];
}

/** A category that is not part of the updates is a specific selection of no files. */
export interface UpdateCategories {
	cms_core: boolean;
	plugins: FileSelection;
	themes: FileSelection;
}

export interface SiteSelection {
	selection: Selection;
	ids: string[];
}

/** Part A 2.7. */
export interface AutoUpdateScheduleRow extends Row {
	name: string;
	status: (typeof scheduleStatuses)[number];
	schedule: (typeof updateRecurrences)[number];
	started_at: string;
	next_update_at: string;
	scope: { sites: SiteSelection; updates: UpdateCategories };
	options: { backup: boolean; visual_regression: boolean };
	created_at: string;
	updated_at: string;
}

interface VersionChange {
	current_version: string;
	target_version: string;
}

export interface ComponentUpdate extends VersionChange {
	name: string;
	slug: string;
	filename: string;
}

export interface SiteUpdates {
	id: string;
	wp: { core?: VersionChange; plugins: ComponentUpdate[]; themes: ComponentUpdate[] };
}

/** Part A 2.8. An entry with a task has the status of the task. */
export interface AutoUpdateHistoryRow extends Row {
	auto_update_schedule: { id: string; name: string };
	performed_on: string;
	task_id: string | null;
	sites: SiteUpdates[];
	/** Of a run of a schedule, which shows its task only some time later, and its sites later still. */
	internal?: { isAnnounced: true };
}

export type HistoryStatus = TaskStatus | 'no_updates';

declare module '../../engine/store' {
	interface Collections {
		autoUpdateSchedules: Collection<AutoUpdateScheduleRow>;
		autoUpdateHistory: Collection<AutoUpdateHistoryRow>;
	}
}
