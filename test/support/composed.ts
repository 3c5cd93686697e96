import { operations, rowsIn, type Row } from './operations';

/**
 * Operations of the nodes that take several requests of the API reference, or none. They are written apart from the
 * tables of the nodes, which are held against them.
 */
export interface ComposedRow extends Row {
	/** The requests that it may send, by their ids in the reference. */
	takes: string[];
}

/** The route is that of the main request, also where none is sent. A change has what it does, and how it is undone. */
const COMPOSED = `
in the nodes | main request | all requests | does | undo
client/client/addSites | updateClient | showClient updateClient | organises | Remove Sites takes it back
client/client/removeSites | updateClient | showClient updateClient | organises | Add Sites takes it back
teamMember/teamMember/addSites | updateTeamMember | showTeamMember updateTeamMember | givesAccess | Remove Sites takes it back
teamMember/teamMember/removeSites | updateTeamMember | showTeamMember updateTeamMember | givesAccess | Add Sites takes it back
autoUpdate/schedule/addSites | updateAutoUpdateSchedule | showAutoUpdateSchedule updateAutoUpdateSchedule | changesSites | Remove Sites takes it back
autoUpdate/schedule/removeSites | updateAutoUpdateSchedule | showAutoUpdateSchedule updateAutoUpdateSchedule | changesSites | Add Sites takes it back
scheduledReport/scheduledReport/addRecipients | updateScheduledReport | showScheduledReport updateScheduledReport | sendsMail | Remove Recipients takes it back
scheduledReport/scheduledReport/removeRecipients | updateScheduledReport | showScheduledReport updateScheduledReport | sendsMail | Add Recipients takes it back
client/client/upsert | createClient | listClients createClient updateClient | organises | what it creates can be deleted, and another update takes the rest back
tag/tag/upsert | createTag | listTags createTag updateTag | organises | what it creates can be deleted, and another update takes the rest back
backup/backup/findSitesWithoutBackup | listSites | listSites listSiteSnapshots
backupContent/file/compare | listSiteFiles | showSiteSnapshot showSiteFileStats listSiteFiles
snapshot/snapshot/findFirstHacked | listSiteSnapshots | showSite listSiteSnapshots showSiteSnapshot
component/component/getAll | listSites | listSites listSiteSnapshots showSiteFileStats listSiteFiles downloadSiteFile
component/component/find | listSites
component/component/updateNow | createAutoUpdateSchedule | listAutoUpdateSchedules createAutoUpdateSchedule listAutoUpdateHistory showTask deleteAutoUpdateSchedule showSite | changesSites | the backup that it makes first can be restored
importantPage/importantPage/check | listSites
`;

function composedRow([operation, main, takes = '', does, undo]: string[]): ComposedRow {
	const { route, about } = operations.find(({ id }) => id === main)!;
	const row = { id: operation!, operation: operation!, route, about };
	return { ...row, takes: takes.split(' ').filter(Boolean), ...(does && { does, undo }) };
}

/** How many records each paged list has. */
export const counts = operations
	.filter(({ filters }) => filters)
	.map(({ id, operation }) => composedRow([operation.replace(/getAll$/, 'count'), id, id]));

export const composed = [...counts, ...rowsIn(COMPOSED).map(composedRow)];
