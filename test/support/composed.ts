import { operations, type Row } from './operations';

/**
 * Operations of the nodes that take several requests of the API reference. They are written apart from the tables of
 * the nodes, which are held against them.
 */
export interface ComposedRow extends Row {
	/** The requests that it may send, by their ids in the reference; its route is that of the main one, if it sends any. */
	takes: string[];
}

const composedRow = (
	operation: string,
	main: string,
	takes: string[],
	row: Pick<Row, 'does' | 'undo' | 'final'> = {},
): ComposedRow => {
	const { route, about } = operations.find(({ id }) => id === main)!;
	return { id: operation, operation, route, about, takes, ...row };
};

/** How many records each paged list has. */
export const counts: ComposedRow[] = operations
	.filter(({ filters }) => filters)
	.map(({ id, operation }) => composedRow(operation.replace(/getAll$/, 'count'), id, [id]));

const listChanges = (
	resource: string,
	entries: string,
	ids: [show: string, update: string],
	does: string,
) =>
	['add', 'remove'].map((how) =>
		composedRow(`${resource}/${how}${entries}`, ids[1], ids, {
			does,
			undo: how === 'add' ? `Remove ${entries} takes it back` : `Add ${entries} takes it back`,
		}),
	);

const UPDATE_NOW = [
	...['listAutoUpdateSchedules', 'createAutoUpdateSchedule', 'listAutoUpdateHistory'],
	...['showTask', 'deleteAutoUpdateSchedule', 'showSite'],
];

export const composed: ComposedRow[] = [
	...counts,
	...listChanges('client/client', 'Sites', ['showClient', 'updateClient'], 'organises'),
	...listChanges(
		'teamMember/teamMember',
		'Sites',
		['showTeamMember', 'updateTeamMember'],
		'givesAccess',
	),
	...listChanges(
		'autoUpdate/schedule',
		'Sites',
		['showAutoUpdateSchedule', 'updateAutoUpdateSchedule'],
		'changesSites',
	),
	...listChanges(
		'scheduledReport/scheduledReport',
		'Recipients',
		['showScheduledReport', 'updateScheduledReport'],
		'sendsMail',
	),
	composedRow(
		'client/client/upsert',
		'createClient',
		['listClients', 'createClient', 'updateClient'],
		{
			does: 'organises',
			undo: 'what it creates can be deleted, and another update takes the rest back',
		},
	),
	composedRow('tag/tag/upsert', 'createTag', ['listTags', 'createTag', 'updateTag'], {
		does: 'organises',
		undo: 'what it creates can be deleted, and another update takes the rest back',
	}),
	composedRow('backup/backup/findSitesWithoutBackup', 'listSites', [
		'listSites',
		'listSiteSnapshots',
	]),
	composedRow('backupContent/file/compare', 'listSiteFiles', [
		...['showSiteSnapshot', 'showSiteFileStats', 'listSiteFiles'],
	]),
	composedRow('snapshot/snapshot/findFirstHacked', 'listSiteSnapshots', [
		...['showSite', 'listSiteSnapshots', 'showSiteSnapshot'],
	]),
	composedRow('component/component/getAll', 'listSites', [
		...['listSites', 'listSiteSnapshots', 'showSiteFileStats', 'listSiteFiles', 'downloadSiteFile'],
	]),
	composedRow('component/component/find', 'listSites', []),
	composedRow('component/component/updateNow', 'createAutoUpdateSchedule', UPDATE_NOW, {
		does: 'changesSites',
		undo: 'the backup that it makes first can be restored',
	}),
	composedRow('importantPage/importantPage/check', 'listSites', []),
];
